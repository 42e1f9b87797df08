"""What a session has answered: turns with their statements and those before them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from curtain.session.turns.turns import Turn

_PREVIOUS = 5


class AnsweredTurn(NamedTuple):
    """A query and the SQL of the answer that holds for it; `previous` are (query, SQL) of the answered turns of the
    same scenario before it, oldest first. `scenario` is the id of that scenario, empty where none ran."""

    utterance_id: str
    query: str
    sql: str
    previous: tuple[tuple[str, str], ...] = ()
    scenario: str = ""


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
