"""A full disk is reported in one sentence, what was there is whole, and once there is room the same works."""

import contextlib
import json
import os
import re
import sqlite3
import subprocess
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import BundleCorpus
from tests.corpus.formats import FORMATS
from tests.support.everywhere import Call

COMMANDS = {
    "study": "study new DISK/new",
    "words": "study texts de --out DISK/words.toml",
    "test set": "export TOY --format parquet --blind --out DISK/new --include-live",
    "answers": "system run drafts-robust --study TOY --questions IN/questions.jsonl --out DISK/new.jsonl",
    "scores": "score IN/key.jsonl IN/answers.jsonl --out DISK/new",
    "scores over others": "score IN/key.jsonl IN/answers.jsonl --out DISK/scores --overwrite",
    "report": "report TOY --out DISK/new",
    "packets": "judge new TOY --judges ann,ben --out DISK/new",
    "questionnaires": "questionnaires TOY --out DISK/new",
}


@pytest.mark.parametrize("format_name", [one.name for one in FORMATS])
def test_a_full_disk_is_reported_and_nothing_is_left(corpus: BundleCorpus, small_disk: Path, format_name: str) -> None:
    (small_disk / "there").write_bytes(bytes(180_000))
    with pytest.raises(CurtainError, match=r"The disk of .* is full: nothing was written\. Make room"):
        export(corpus, format_name, small_disk / "out")
    assert [path.name for path in small_disk.iterdir()] == ["there"]


@pytest.mark.parametrize("left", [0, 4096])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_on_a_full_disk_leaves_what_was_there_and_then_works(
    call: Call, toy: Path, small_disk: Path, tmp_path: Path, command: str, left: int
) -> None:
    _inputs(tmp_path, small_disk)
    places = {"TOY": toy, "IN": tmp_path, "DISK": small_disk}
    arguments = [re.sub(r"\A[A-Z]+", lambda name: str(places[name[0]]), one) for one in COMMANDS[command].split()]
    (small_disk / "fill").write_bytes(bytes(os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize - left))
    before = _files(small_disk)
    code, _, problem = call(*arguments)
    if not (left and code == 0):
        assert code == 2 and problem.count("\n") == 1 and re.search("is full|No space left", problem), problem
        # Answers that were given are kept, each a whole line: the next run goes on behind them.
        kept = (small_disk / "new.jsonl").read_bytes() if left and command == "answers" else b""
        assert _files(small_disk) == before | ({"new.jsonl": kept} if kept else {})
        assert all(map(json.loads, kept.splitlines()))
    subprocess.run(["mount", "-o", "remount,size=8m", small_disk], check=True)
    assert call(*arguments)[0] == 0 or left


def _inputs(folder: Path, disk: Path) -> None:
    with contextlib.closing(sqlite3.connect(folder / "x.sqlite")) as lite:
        lite.execute("CREATE TABLE t (a)")
    (folder / "gold.sql").write_text("SELECT a FROM t\tx\n" * 40)
    lines = [{"id": str(number), "class": "A", "ref": "((1))"} for number in range(40)]
    (folder / "key.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (folder / "questions.jsonl").write_text('{"id": "1", "text": "who is it"}\n{"id": "2", "text": "who is it"}\n')
    (folder / "answers.jsonl").write_text("".join(f'{{"id": "{number}", "hyp": "((1))"}}\n' for number in range(40)))
    (disk / "scores").mkdir()
    for name in ("score.html", "score.json", "score.csv", "items.csv"):
        (disk / "scores" / name).write_text("good")


def _files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
