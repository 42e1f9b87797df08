"""What every export keeps, asked of the tree, the queries and the time lines."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus

OURS = ("atis", "spider", "text2sql", "chat", "elan", "textgrid")
WITH_SOUND = ("atis", "elan", "textgrid")


def all_texts(folder: Path):
    for path in (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".sqlite"):
        yield path.read_bytes().decode("utf-8", "replace")


@pytest.mark.parametrize("format_name", OURS)
def test_an_export_tells_what_it_holds(exported, corpus, format_name):
    account = json.loads((exported(format_name) / "EXPORT.json").read_text("utf-8"))
    assert account["format"] == format_name
    assert account["kept"] + sum(account["dropped"].values()) == corpus.count().utterances


@pytest.mark.parametrize("format_name", OURS)
def test_what_is_redacted_leaves_in_no_format(exported, toy, format_name):
    assert any(b"quill" in path.read_bytes().lower() for path in toy.rglob("*.jsonl"))
    assert not any("quill" in text.lower() for text in all_texts(exported(format_name)))


@pytest.mark.parametrize("format_name", WITH_SOUND)
def test_a_blind_export_has_no_answers(exported, split_toy, tmp_path, format_name):
    secrets = ("SELECT", 'LEASE" "SHARON', "wh-question", "The answer is", "no_database_answer")
    export(open_corpus([split_toy], blind=True), format_name, tmp_path / "blind")
    assert any("SELECT" in text for text in all_texts(exported(format_name)))
    assert not [one for one in secrets for text in all_texts(tmp_path / "blind") if one in text]


@pytest.mark.parametrize("format_name", ["spider", "text2sql"])
def test_without_answers_there_is_no_export_of_queries(split_toy, tmp_path, format_name):
    with pytest.raises(CurtainError, match=r"correct (answer|SQL)"):
        export(open_corpus([split_toy], blind=True), format_name, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format_name", OURS)
def test_the_same_corpus_gives_the_same_bytes(exported, corpus, tmp_path, format_name):
    export(corpus, format_name, tmp_path / "again", left_out=lambda: corpus.counts.dropped)
    assert contents(tmp_path / "again") == contents(exported(format_name))


def contents(folder: Path):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("format_name", WITH_SOUND)
def test_the_original_recording_is_no_link_of_the_exported_one(exported, toy, format_name):
    originals = {path.stat().st_ino for path in toy.rglob("*.wav")}
    copies = list(exported(format_name).rglob("*.wav"))
    assert copies
    assert not [path for path in copies if path.is_symlink() or path.stat().st_ino in originals]


def test_speakers_are_in_their_parts_in_spider(exported):
    folder = exported("spider")
    speakers = {
        part: {one["speaker_id"] for one in json.loads((folder / f"{part}.json").read_text("utf-8"))}
        for part in ("train", "dev", "test")
    }
    assert speakers == {"train": {"0a1", "e00"}, "dev": {"m10"}, "test": {"zz9"}}
    with closing(sqlite3.connect(folder / "database" / "personnel" / "personnel.sqlite")) as lite:
        assert lite.execute("PRAGMA integrity_check").fetchone() == ("ok",)
