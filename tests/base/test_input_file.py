"""Files that somebody names: regular ones are read, all others are refused at once and with the reason."""

import os
import socket
import sys
from pathlib import Path

import msgspec
import pytest

from curtain.base.input_file import (
    is_nested_too_deeply,
    open_input,
    open_regular,
    parse_json,
    parse_toml,
    read_input,
    real_path,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def test_a_named_pipe_is_refused_without_waiting_for_a_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="named pipe"):
        read_input(tmp_path / "pipe")


def test_an_endless_device_is_refused() -> None:
    with pytest.raises(OSError, match="a device"):
        read_input(Path("/dev/zero"))


def test_a_folder_and_a_socket_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("here")
        with pytest.raises(OSError, match="a socket"):
            read_input(Path("here"))
    with pytest.raises(OSError, match="a folder"):
        read_input(tmp_path)


def test_a_larger_file_than_allowed_is_refused_with_the_limit(tmp_path: Path) -> None:
    (tmp_path / "much").write_bytes(b"x" * 2049)
    with pytest.raises(OSError, match="larger than 2 KiB"):
        read_input(tmp_path / "much", at_most=2048)
    assert len(read_input(tmp_path / "much", at_most=2049)) == 2049


def test_a_link_to_a_file_is_followed_unless_that_is_unwanted(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to("file")
    assert read_input(tmp_path / "link") == b"x"
    with pytest.raises(OSError):
        open_regular(tmp_path / "link", follow_links=False)


def test_a_link_that_leads_to_itself_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError):
        read_input(tmp_path / "loop")
    assert real_path(tmp_path / "loop").name == "loop"


def test_a_pipe_that_the_shell_has_opened_is_read() -> None:
    out, into = os.pipe()
    with os.fdopen(into, "wb") as writer:
        writer.write(b"an answer")
    assert read_input(Path(f"/dev/fd/{out}")) == b"an answer"
    with open_input(Path(f"/dev/fd/{out}")) as file:
        assert file.read() == b""
    os.close(out)


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 5000 + "]" * 5000, "a = " + "[" * 70 + "]" * 70, ".".join("a" * 5000) + " = 1"]
)
def test_deep_toml_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(ValueError, match="nested too deeply"):
        parse_toml(text)


def test_depth_counts_lists_and_tables_alike() -> None:
    deep: object = 1
    for level in range(64):
        deep = [deep] if level % 2 else {"a": deep}
    assert not is_nested_too_deeply(deep)
    assert is_nested_too_deeply([deep])


@pytest.mark.parametrize("text", ['a = "\\u0000"', 'a = "x\\U00000000y"', '"\\u0000" = 1', 'a = [{b = ["\\u0000"]}]'])
def test_nul_in_a_text_of_toml_is_one_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="holds the character NUL"):
        parse_toml(text)


@pytest.mark.parametrize(
    ("data", "kind", "sentence"),
    [
        (b"[" * 200_000, object, "nested too deeply"), (b'"\xff"', str, "UTF-8"), (b"{", dict, "truncated"),
        (b'"x"', int, "Expected `int`"),
    ],
)  # fmt: skip
def test_whatever_is_wrong_with_json_is_one_problem(data: bytes, kind: type, sentence: str) -> None:
    with pytest.raises(msgspec.DecodeError, match=sentence):
        parse_json(data, kind)
