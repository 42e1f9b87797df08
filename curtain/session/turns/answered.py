"""What a study has answered: the turns from which drafts of SQL may learn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from curtain.base.errors import CurtainError
from curtain.base.record_file import read_records
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import study_faults
from curtain.session.study.study import Study
from curtain.session.turns.turns import Turn, read_turns

_PREVIOUS = 5


class AnsweredTurn(NamedTuple):
    """A query and the SQL of the answer that holds for it; `previous` are (query, SQL) of the answered turns of the
    same scenario before it, oldest first. `scenario` is the id of that scenario, empty where none ran."""

    utterance_id: str
    query: str
    sql: str
    previous: tuple[tuple[str, str], ...] = ()
    scenario: str = ""


class _Redacted(msgspec.Struct):
    utterance_id: str


def answered_in(turns: Iterable[Turn]) -> list[AnsweredTurn]:
    """The answered turns of one session, in their order. A corrected turn counts with its correction; practice and
    turns of which a line is damaged do not count, nor do those that a system under test answered."""
    answered: list[AnsweredTurn] = []
    before: dict[str | None, list[tuple[str, str]]] = {}
    for turn in turns:
        sql = turn.reply.sql_min if turn.reply and turn.outcome == "answer" else None
        # A damaged line may hide that the answer was corrected.
        if not (turn.query and turn.query.strip() and sql) or turn.practice or "damaged" in turn.tags:
            continue
        # What a system under test answered may be wrong; nothing must learn from it.
        if turn.reply and turn.reply.system:
            continue
        earlier = before.setdefault(turn.scenario_id, [])
        previous = tuple(earlier[-_PREVIOUS:])
        answered.append(AnsweredTurn(turn.utterance_id, turn.query, sql, previous, turn.scenario_id or ""))
        earlier.append((turn.query, sql))
    return answered


def answered_turns(study: Study) -> tuple[list[AnsweredTurn], Sequence[str]]:
    """Those of all sessions of a study but for redacted turns, whatever its `learn` says, and a sentence for each
    session that cannot be read. Takes a moment: a journal is read for each session. Raises StudyMissing."""
    if lost := study_faults(study.folder):
        return [], [f"Drafts learn nothing of {study.folder}: {fault} {fault.remedy}" for fault in lost]
    answered: list[AnsweredTurn] = []
    faults: list[str] = []
    for session in study.sessions():
        try:
            bundle = Bundle(session.path)
            # A draft must not say to anybody what was hidden; a layer that cannot be read hides the whole session.
            hidden = {row.utterance_id for row in read_records(bundle.annotations / "redaction.jsonl", _Redacted)}
            answered += answered_in(turn for turn in read_turns(bundle) if turn.utterance_id not in hidden)
        except CurtainError as fault:
            faults.append(str(fault))
    return answered, faults
