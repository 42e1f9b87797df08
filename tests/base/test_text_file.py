"""Text files that people edit are read whatever their editor puts in front."""

import codecs
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.base.text_file import as_utf8, read_lines_of_text, read_table, read_text
from curtain.domain.pack.pack import load_pack
from curtain.domain.rules.principles import load_rules
from curtain.rehearsal.script import read_script
from curtain.session.study.messages import load_message_set
from curtain.session.study.study import load_study, new_study
from curtain_drafts.tool.store import read_lines

TEXT = 'a = "Größe"\nb = "顧客\u2028"\n'
MARKED: list[Callable[[str], bytes]] = [
    lambda text: text.encode("utf-8-sig"),
    lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
]


@pytest.mark.parametrize("marked", [str.encode, *MARKED], ids=["plain", "UTF-8", "UTF-16 LE", "UTF-16 BE"])
def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path, marked: Callable[[str], bytes]) -> None:
    (tmp_path / "t").write_bytes(marked(TEXT))
    assert read_text(tmp_path / "t") == TEXT
    assert read_lines_of_text(tmp_path / "t") == TEXT.split("\n")[:2]
    file = as_utf8(io.BufferedReader(io.BytesIO(marked(TEXT))))  # type: ignore[arg-type]
    assert [file.readline(1000), file.readline(1000), file.readline(1000)] == [
        *(f"{line}\n".encode() for line in TEXT.split("\n")[:2]),
        b"",
    ]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [(b"a\nGr\xf6\xdfe\n", "line 2: the text is not UTF-8"), (b"a\n\nb\0\n", "line 3: the text holds the sign NUL")],
)
def test_what_is_no_text_is_refused_with_its_line(tmp_path: Path, data: bytes, sentence: str) -> None:
    (tmp_path / "t").write_bytes(data)
    with pytest.raises(OSError, match=sentence):
        read_text(tmp_path / "t")


@pytest.mark.parametrize("marked", MARKED, ids=["UTF-8", "UTF-16 LE", "UTF-16 BE"])
def test_every_file_of_a_pack_may_begin_with_a_mark(tmp_path: Path, marked: Callable[[str], bytes]) -> None:
    source = load_pack("personnel").folder
    for file in source.rglob("*"):
        if file.suffix in (".toml", ".sql", ".jsonl", ".csv"):
            copy = tmp_path / "pack" / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(marked(file.read_text("utf-8")) if file.suffix != ".csv" else file.read_bytes())
    pack = load_pack(tmp_path / "pack")

    assert pack.tables == load_pack("personnel").tables
    assert len(pack.examples()) == len(load_pack("personnel").examples())
    assert load_rules(pack) == load_rules(load_pack("personnel"))
    assert pack.scenarios == load_pack("personnel").scenarios


@pytest.mark.parametrize("marked", MARKED, ids=["UTF-8", "UTF-16 LE", "UTF-16 BE"])
def test_every_other_file_of_a_lab_may_begin_with_a_mark(tmp_path: Path, marked: Callable[[str], bytes]) -> None:
    def written(name: str, text: str) -> Path:
        (tmp_path / name).write_bytes(marked(text))
        return tmp_path / name

    study = new_study(tmp_path / "study", "personnel")
    study_file = study.folder / "study.toml"
    study_file.write_bytes(marked(study_file.read_text("utf-8")))

    assert load_study(study.folder).domain == study.domain
    assert load_message_set(written("m.toml", 'extends = "base"\n')).messages
    assert read_script(written("s.jsonl", '{"say": "a", "query": "hello", "sql": ["SELECT 1"]}\n'))[0].query == "hello"
    assert list(read_lines(written("e.jsonl", '{"question": "x"}\n'))) == [(1, {"question": "x"})]
    assert next(read_table(written("t.csv", "a,b\n1,2\n"), ["a"], CurtainError)).values == {"a": "1", "b": "2"}
