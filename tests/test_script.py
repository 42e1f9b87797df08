"""A rehearsal's script is checked before anything starts."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.rehearsal.script import read_script
from curtain.rehearsal.stage import check_forms
from curtain.session.questionnaires.instrument import load_instruments

SQL = '"say": "Any clerks?", "sql": "SELECT 1"'


def script(folder: Path, lines: str) -> Path:
    path = folder / "script.jsonl"
    path.write_text(lines + "\n", "utf-8")
    return path


JOIN = '{"do": "join", "who": "tess", "as": "transcriber"}'
TURN = '"say": "Any clerks?", "query": "any clerks", "sql": "SELECT 1"'


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (f'{{{SQL}, "yes_no": true}}', (True, None, None)),
        (f'{{{SQL}, "yes_no": false}}', (False, None, None)),
        (f"{{{SQL}}}", (None, None, None)),
        ('{"say": "Any clerks?", "query": "any clerks", "draft": 1}', (None, 1, None)),
        (f'{{{TURN}, "draft": 2, "yes_no": true}}', (True, 2, None)),
        (f'{JOIN}\n{{{TURN}, "query_by": "tess"}}', (None, None, "tess")),
    ],
)
def test_a_turn_may_say_its_kind_its_draft_and_who_does_its_parts(
    tmp_path: Path, lines: str, said: tuple[object, ...]
) -> None:
    turn = read_script(script(tmp_path, lines))[-1]
    assert turn.asks_database and turn.answer_by is None
    assert (turn.yes_no, turn.draft, turn.query_by) == said


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (f'{{{SQL}, "yes_no": "yes"}}', r"line 1: .*yes_no"),
        (f'{{{SQL}, "yesno": true}}', r"line 1: .*yesno.* A step may have .*yes_no"),
        ('{"say": "x", "message": 1, "yes_no": true}', "line 1: “yes_no” belongs to “sql”, and there is none"),
        (r'{"type": "a\u0000b", "message": 1}', "line 1: “type” has a line break or another control character"),
        (r'{"type": "ab", "sql": ["SELECT 1\n", "SELECT \u0007 1"]}', "line 1: “sql” has a control character; take"),
        (r'{"say": "x", "message": "m", "blanks": {"a\u0000": "b"}}', "line 1: “blanks” has a control"),
        (r'{"do": "form", "id": "sus", "values": {"a": "\u0000"}}', "line 1: “values” has a control"),
        (r'{"do": "scenario", "id": "a\u0000"}', "line 1: “id” has a control"),
        (r'{"say": "x", "query": "a\nb", "message": 1}', "“query” has a line break or another control character"),
        ('{"say": "x", "draft": 1}', "a “draft” is made for a “query”, and there is none"),
        ('{"say": "x", "query": "y", "draft": 0}', r"line 1: .*draft"),
        ('{"say": "x", "query": "y", "draft": 6}', r"line 1: .*draft"),
        ('{"do": "cancel", "say": "x", "draft": 1}', "a “cancel” takes no “draft”"),
        ('{"say": "x", "query": "y"}', "needs “sql”, “draft” or “message”"),
        (f'{{{TURN}, "query_by": "kim"}}', "step 1: nobody joined as “kim” who may do what “query_by” says"),
        (f'{JOIN}\n{{{TURN}, "answer_by": "tess"}}', "nobody joined as “tess” who may do what “answer_by”"),
        (f"{{{TURN}}}\n{JOIN}", "step 2: a “join” stands twice or too late"),
        (f"{JOIN}\n{JOIN}", "step 2: a “join” stands twice or too late"),
        (f"{JOIN}\n{{{SQL}}}", "step 2: with several people a turn needs its “query”"),
        ('{"do": "join", "who": "tess"}', "line 1: a “join” needs “who”"),
        ('{"do": "join", "who": "a b", "as": "observer"}', "line 1: a “join” needs “who”"),
        ('{"do": "join", "who": "tess", "as": "boss"}', "“as” is one of wizard, transcriber, answerer, observer"),
        (f'{{{TURN}, "who": "tess"}}', "“who” and “as” belong to a “join”"),
        ('{"do": "end", "query_by": "tess"}', "“end” takes no “query_by”"),
    ],
)
def test_what_cannot_be_played_is_refused_before_anything_starts(tmp_path: Path, lines: str, problem: str) -> None:
    with pytest.raises(CurtainError, match=problem):
        read_script(script(tmp_path, lines))


MINE = """
id = "mine"
when = "scenario"
title = { en = "Mine" }

[[items]]
id = "again"
kind = "choice"
required = true
text = { en = "Again?" }
options = [{ id = "yes", text = { en = "Yes" } }, { id = "no", text = { en = "No" } }]
"""


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (['"id": "mine@a", "values": {"again": "no"}', '"id": "sus"'], "Step 3 .*“debriefing” comes before “sus”"),
        (['"id": "mine@a", "values": {"again": "yes"}', '"id": "debriefing"', '"id": "sus"'], ""),
        (['"id": "disclosure"'], "“mine@a” comes before “disclosure”"),
        (['"values": {"again": "yes"}', "", '"id": "sus"', '"id": "disclosure"'], ""),
        (['"id": "ueq-s"'], "no questionnaire “ueq-s” is asked there; .* mine@a, debriefing, sus"),
        (['"id": "mine@b"'], "no questionnaire “mine@b”"),
        (['"id": "mine@a"'], "nobody goes on from “mine@a” without an answer to “again”"),
        (['"id": "mine@a", "values": {"again": "maybe"}'], "“maybe” is no answer to “again”; it may be yes, no"),
        (['"id": "mine@a", "values": {"once": "yes"}'], "has no question “once”; it has again"),
        (["", "", '"id": "sus", "values": {"q1": "6"}'], "Step 4 .*“6” is no answer to “q1”; it may be 1, 2, 3, 4, 5"),
        (["", "", '"id": "sus", "values": {"q1": "5"}'], ""),
    ],
)
def test_the_questionnaires_of_a_script_are_checked_before_anything_starts(
    tmp_path: Path, lines: list[str], problem: str
) -> None:
    (tmp_path / "mine.toml").write_text(MINE, "utf-8")
    asked = load_instruments(("debriefing", "mine.toml", "sus", "nasa-tlx"), tmp_path)
    forms = "".join(f'\n{{"do": "form"{", " * bool(line)}{line}}}' for line in lines)
    steps = read_script(script(tmp_path, f'{{"do": "scenario", "id": "a"}}{forms}'))

    with pytest.raises(CurtainError, match=problem) if problem else nullcontext():
        check_forms(steps, asked, disclose=True)
