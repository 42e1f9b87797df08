"""The store of answered questions: where examples come from, and how one is taken out again."""

import gzip
import json
from pathlib import Path

import pytest

from curtain.base.record_file import add_record
from curtain.domain.pack.pack import load_pack
from curtain_drafts.drafting.values import Asked, Example
from curtain_drafts.tool.store import (
    WITHDRAWN,
    BadExamples,
    Withdrawal,
    read_examples,
    read_withdrawn,
    study_store,
    together,
)

LINE = {"question": "who is there", "sql": "SELECT 1"}


def written(path: Path, *lines: object) -> Path:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.mark.parametrize("name", ["more.jsonl", "more.jsonl.gz"])
def test_a_file_of_examples_is_read_plain_or_gzipped(tmp_path: Path, name: str) -> None:
    named = {**LINE, "id": "x-1", "previous": [{"question": "a", "sql": "SELECT 2"}, "SELECT 3"]}
    path = written(tmp_path / name, LINE, "", named, {**LINE, "context": "SELECT 4", "answer": "1"})
    assert read_examples(path) == [
        Example("who is there", "SELECT 1", (), f"{name}:1", name),
        Example("who is there", "SELECT 1", (Asked("a", "SELECT 2"), Asked("", "SELECT 3")), "x-1", name),
        Example("who is there", "SELECT 1", (Asked("", "SELECT 4"),), f"{name}:4", name),
    ]


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ("{", "line 2 is not JSON"),
        ("[1]", "line 2 is not an object"),
        ('{"question": "\xff"}', "line 2"),
        ({"question": "who"}, "line 2 has no “sql”"),
        ({"question": " ", "sql": "SELECT 1"}, "line 2 has no “question”"),
        ({"question": 3, "sql": "SELECT 1"}, "line 2 has no “question”"),
        ({**LINE, "previous": 3}, "line 2: “previous” must be SQL"),
        ({**LINE, "previous": [{"sql": None}]}, "line 2: “previous” must be SQL"),
        ("x" * (1 << 20) + "x", "line 2 is longer than 1 MiB"),
    ],
)
def test_a_bad_line_is_named_with_its_file(tmp_path: Path, line: object, reported: str) -> None:
    path = written(tmp_path / "more.jsonl", LINE, line)
    with pytest.raises(BadExamples) as refused:
        read_examples(path)
    assert str(refused.value).startswith(f"{path} ") and reported in str(refused.value)


@pytest.mark.parametrize("kept", [0, 9, -9])
def test_a_damaged_archive_is_reported(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "more.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"question": "who", "sql": "SELECT 1"}')[:kept] or b"no gzip")
    with pytest.raises(BadExamples, match="cannot be read"):
        read_examples(path)


def test_of_examples_with_one_id_the_last_counts_of_equal_ones_one_and_withdrawn_ones_do_not() -> None:
    one, newer = Example("a", "SELECT 1", id="x"), Example("a", "SELECT 2", id="x")
    gone, nameless = Example("b", "SELECT 3", id="y"), Example("c", "SELECT 4")
    assert together([one, gone, nameless], [newer, nameless], without={"y"}) == [newer, nameless]


def test_a_study_has_the_packs_examples_its_files_and_its_turns_less_what_was_withdrawn(tmp_path: Path) -> None:
    pack = load_pack("personnel")
    written(tmp_path / "more.jsonl", LINE, {**LINE, "sql": "SELECT 2"})
    then = "e00-01-002", "and now", "SELECT 4", (("who", "SELECT 3"),), "fair"
    turns = [("e00-01-001", "who", "SELECT 3", (), "fair"), then]
    for name in ("pack:2", "more.jsonl:1", "e00-01-001"):
        add_record(tmp_path / WITHDRAWN, Withdrawal(id=name, who="ann", when="2026-03-01T09:30:00+00:00"))
    examples, problems = study_store(pack, tmp_path, {"curtain": {"examples": ["more.jsonl", "absent.jsonl"]}}, turns)
    ids = [example.id for example in examples]
    assert ids[:2] == ["pack:1", "pack:3"]
    assert ids[-2:] == ["more.jsonl:2", "e00-01-002"]
    assert examples[-1] == Example("and now", "SELECT 4", (Asked("who", "SELECT 3"),), "e00-01-002", "study", "fair")
    (problem,) = problems
    assert "absent.jsonl cannot be read" in problem


def test_withdrawals_are_only_ever_added_and_can_be_taken_back(tmp_path: Path) -> None:
    for number, (name, back) in enumerate([("a", False), ("b", False), ("a", True), ("b", False)], start=1):
        add_record(tmp_path / WITHDRAWN, Withdrawal(id=name, who="ann", when="2026-03-01T09:30:00+00:00", back=back))
        assert len((tmp_path / "withdrawn.jsonl").read_text().splitlines()) == number
    assert read_withdrawn(tmp_path) == (frozenset({"b"}), [])


def test_a_torn_line_costs_itself_alone(tmp_path: Path) -> None:
    path = tmp_path / "withdrawn.jsonl"
    path.write_bytes(b'{"id":"a","who":"ann","when":"x"}\n{"id":"b","wh')
    add_record(tmp_path / WITHDRAWN, Withdrawal(id="c", who="ann", when="x"))
    path.write_bytes(path.read_bytes() + b'{"who": "ann"}\n')
    ids, problems = read_withdrawn(tmp_path)
    assert ids == {"a", "c"}
    assert problems == [f"{path} line {number} does not name an example that was withdrawn." for number in (2, 4)]
