"""A study against the rules: what counts of every annotated turn, on the command line and when it is exported."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from curtain.base.clock import Clock
from curtain.commands.corpus import export as commands
from curtain.corpus.annotation import checks
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_session
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.ids import split_utterance_id
from curtain_corpora.atis.cat_file import read_cat
from tests.corpus.toy import corrected_at

FIRST, SECOND, THIRD = "0a1-01-001", "0a1-01-002", "0a1-01-003"


@pytest.fixture
def bare(bare_toy: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(bare_toy, tmp_path / "study"))


def say(study: Path, one: str, eval_class: str, category: str, *tags: str, **more: Any) -> None:
    value = {"eval_class": eval_class, "category": category, "tags": list(tags), **more}
    layers = Layers(Bundle(study / "sessions" / one[:6]))
    answered = {} if eval_class == "X" else {"references": [{"sql_min": "SELECT 1", "cas_min": "((1))"}]}
    layers.add_all([new_row(one, "category", value, "w1", Clock()), new_row(one, "sql", answered, "w1", Clock())])


def to(one: str, what: str = "text") -> dict[str, Any]:
    return {"context": [{"utterance_id": one, "to": what}]}


CASES: list[tuple[str, list[tuple[Any, ...]], list[tuple[str, str]]]] = [
    ("nothing wrong", [(FIRST, "A", "0"), (SECOND, "D1", "1", to(FIRST))], []),
    ("the turn before was left out since", [(FIRST, "X", "X", "book"), (SECOND, "D1", "1", to(FIRST))],
     [(SECOND, "D1 points to the evaluable query immediately before (none)")]),
    ("a pointer forward", [(FIRST, "D", "3", to(SECOND))], [(FIRST, "is no earlier turn of this session")]),
]  # fmt: skip


@pytest.mark.parametrize(("why", "rows", "wanted"), CASES)
def test_every_rule_that_is_broken_is_reported_with_its_turn(
    bare: Path, why: str, rows: list[tuple[Any, ...]], wanted: list[tuple[str, str]]
) -> None:
    for *given, last in rows:
        more = last if isinstance(last, dict) else {}
        say(bare, *given, *([] if more else [last]), **more)
    checked = checks.check_study(bare)
    annotated, findings = checked.annotated, checked.findings
    assert annotated == len({one for one, *_ in rows}), why
    assert {one.utterance_id for one in findings} == {one for one, _ in wanted}, why
    for one, part in wanted:
        assert any(found.utterance_id == one and part in found.sentence for found in findings), findings


def test_the_toy_breaks_no_rule_and_the_exit_code_says_so(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checks.run(toy) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Of ") and printed.endswith(" annotated turns none breaks a rule.\n")


def test_problems_are_sentences_for_people_and_rows_for_programs(
    bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(bare, FIRST, "A", "X", "unanswerable")
    assert checks.run(bare) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{FIRST}: “unanswerable” excludes") and lines[-1].endswith("1 breaks a rule.")
    assert checks.run(bare, as_json=True) == 1
    printed = json.loads(capsys.readouterr().out)
    assert (printed["annotated"], printed["breaking_rules"]) == (1, 1)
    assert printed["faults"][0]["utterance"] == FIRST


def test_a_turn_is_judged_anew_when_its_answer_was_corrected_since(
    own_toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = read_session(own_toy / "sessions/0a1-01").utterances
    # The toy is annotated at five in the afternoon.
    corrected_at(own_toy, FIRST, "2026-03-05T23:00:00.000Z")
    corrected_at(own_toy, THIRD, "2026-03-05T16:00:00.000Z")
    first, second, third = read_session(own_toy / "sessions/0a1-01").utterances[:3]
    assert (first.answered_since, first.sql_from, first.class_from) == (True, "live", None)
    assert [one.cas_min for one in first.references] == ["((2))"]
    assert (first.sro, second, third.answered_since) == (judged[0].sro, judged[1], False)
    assert third.references == judged[2].references
    assert checks.run(own_toy) == 1
    printed = capsys.readouterr().out
    assert f"{FIRST}: The wizard corrected the answer after this turn was annotated" in printed and THIRD not in printed
    say(own_toy, FIRST, "A", "0")
    assert checks.run(own_toy) == 0
    again = read_session(own_toy / "sessions/0a1-01").utterances[0]
    assert [one.cas_min for one in again.references] == ["((1))"]


def test_a_layer_that_is_torn_is_no_success(bare: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is behind the tear may have broken a rule."""
    say(bare, FIRST, "A", "0")
    say(bare, SECOND, "A", "0")
    session = split_utterance_id(FIRST)[0]
    layer = next((bare / "sessions" / session / "annotations").glob("*.jsonl"))
    layer.write_bytes(layer.read_bytes()[:-10])
    assert checks.run(bare) == 1
    [line] = [line for line in capsys.readouterr().out.splitlines() if "torn" in line]
    assert line.startswith(f"{session}: annotations/{layer.name}: ") and "“curtain repair”" in line
    assert checks.run(bare, as_json=True) == 1
    [damaged] = json.loads(capsys.readouterr().out)["damaged"]
    assert (damaged["session"], damaged["file"]) == (session, f"annotations/{layer.name}")


def test_an_export_tells_how_many_of_its_turns_break_a_rule(
    bare: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(bare, FIRST, "X", "X", "book")
    say(bare, SECOND, "D1", "1", **to(FIRST))
    say(bare, THIRD, "X", "0")
    commands.run([bare], "atis", tmp_path / "all", Filters(live=True))
    assert capsys.readouterr().err.strip().startswith("2 of them break a rule of annotation; ")
    assert json.loads((tmp_path / "all" / "EXPORT.json").read_text("utf-8"))["breaking_rules"] == 2
    cats = [read_cat(path.read_text("utf-8")) for path in (tmp_path / "all").rglob("*.cat")]
    assert any(one.eval_class == "X" and one.tags for one in cats)
    commands.run([bare], "nist", tmp_path / "one", Filters(classes=frozenset({"D1"}), live=True))
    assert "1 of them breaks a rule" in capsys.readouterr().err
