"""The questions of a blind test set, and which of them must be asked after which."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curtain_drafts.tool.store import BadExamples, read_lines, read_previous
from curtain_experiments.systems.protocol import EarlierTurn

_WORDS = ("question", "text", "query", "lsn")


@dataclass(frozen=True)
class TestQuestion:
    """One question. `after` are the ids of the questions that it follows, oldest first: the system's own answers to
    those are what it is given. `given` are earlier turns that the file itself answers."""

    id: str
    text: str | None
    after: tuple[str, ...] = ()
    given: tuple[EarlierTurn, ...] = ()
    audio: str | None = None
    session_id: str = ""
    scenario_id: str | None = None
    turn: int = 1


def read_test_questions(path: Path, report_silent: Callable[[int], object] = lambda count: None) -> list[TestQuestion]:
    """The questions of a file of JSON lines `{id, question, previous?}`; `previous` are ids of questions of the file,
    or SQL and objects `{question, sql}` as `curtain draft` reads them. `report_silent` receives how many lines are left
    out since nothing was said in them. Raises BadExamples."""
    rows = list(read_lines(path))
    ids = [_id_of(path, number, row) for number, row in rows]
    _check_ids(path, ids)
    silent = {name for name, (_, row) in zip(ids, rows, strict=True) if _is_silent(row)}
    asked = set(ids) - silent
    questions = [_question(path, number, row, asked, silent) for number, row in rows if not _is_silent(row)]
    if silent:
        report_silent(len(silent))
    if not questions:
        raise BadExamples(f"{path} has no questions; write one object with “id” and “question” a line.")
    _check_order(path, questions)
    return questions


def chains(questions: Sequence[TestQuestion]) -> list[list[TestQuestion]]:
    """The questions in groups of which none depends on another; within a group the order of the file holds."""
    by_id = {question.id: question for question in questions}
    return [[by_id[name] for name in group] for group in _linked({one.id: one.after for one in questions})]


def _linked(links: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The names of `links` in groups of which none has a link to another; all is in the order of `links`."""
    heads: dict[str, str] = {}

    def head(name: str) -> str:
        while heads.setdefault(name, name) != name:
            name = heads[name]
        return name

    for name, others in links.items():
        for other in others:
            heads[head(name)] = head(other)
    groups: dict[str, list[str]] = {}
    for name in links:
        groups.setdefault(head(name), []).append(name)
    return list(groups.values())


def _id_of(path: Path, number: int, row: Mapping[str, Any]) -> str:
    name = row.get("id", row.get("utterance_id", number))
    if isinstance(name, bool) or not isinstance(name, str | int) or name == "":
        raise BadExamples(f"{path} line {number} has no “id”: write a text or a number.")
    return str(name)


def _check_ids(path: Path, ids: Iterable[str]) -> None:
    ids_before: set[str] = set()
    for name in ids:
        if name in ids_before:
            raise BadExamples(f"{path} has the id “{name}” twice; each question needs its own.")
        ids_before.add(name)


def _check_order(path: Path, questions: Sequence[TestQuestion]) -> None:
    asked: set[str] = set()
    for question in questions:
        for before in question.after:
            if before not in asked:
                raise BadExamples(f"{path}: the question “{question.id}” stands before “{before}”, which it follows.")
        asked.add(question.id)


def _is_silent(row: Mapping[str, Any]) -> bool:
    """Whether the line has a place for words and for a recording, and nothing in it: a turn that was cancelled."""
    return any(key in row for key in _WORDS) and all(row.get(key) is None for key in (*_WORDS, "audio"))


def _question(path: Path, number: int, row: Mapping[str, Any], ids: set[str], silent: set[str]) -> TestQuestion:
    place = f"{path} line {number}"
    text = next((row[key] for key in _WORDS if isinstance(row.get(key), str)), None)
    audio = row.get("audio") if isinstance(row.get("audio"), str) else None
    if text is None and audio is None:
        raise BadExamples(f"{place} has no “question”: a line is an object with “id” and “question”.")
    before = row.get("previous", row.get("context")) or []
    before = [one for one in (before if isinstance(before, list) else [before]) if _name(one) not in silent]
    after = tuple(name for name in (_name(one) for one in before) if name in ids)
    others = [one for one in before if _name(one) not in ids]
    given = tuple(EarlierTurn(text=one.question, sql=one.sql) for one in read_previous(place, others))
    scenario = row.get("scenario_id", row.get("scenario"))
    return TestQuestion(
        _id_of(path, number, row), text, after, given, audio, scenario_id=str(scenario) if scenario else None
    )


def _name(before: object) -> str:
    """The id by which an earlier question is named: as it stands, or in an object of an export."""
    if isinstance(before, dict):
        return str(before.get("utterance_id", before.get("id", "")))
    return str(before)
