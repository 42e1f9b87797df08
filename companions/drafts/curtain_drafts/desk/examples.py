"""What a study has answered: the turns from which drafts of SQL may learn."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from curtain.base.errors import CurtainError
from curtain.corpus.model.consents import kept_back
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import read_whole_turns
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import ensure_study_whole, ensure_whole
from curtain.session.journal.journals import Journals
from curtain.session.study.study import Study
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


def answered_turns(study: Study) -> tuple[list[AnsweredTurn], Sequence[str]]:
    """The answered turns of all sessions of a study that would leave an export whole, whatever its `learn` says, and a
    sentence for each session that is damaged. A draft shows its examples, and a served model is sent them.

    Takes a moment: every session is read. Raises StudyMissing.
    """
    answered: list[AnsweredTurn] = []
    problems: list[str] = []
    domains = Domains()
    try:
        ensure_study_whole(study.folder)
    except CurtainError as error:
        return [], [f"Drafts learn nothing of the sessions: {error}"]
    for session in study.sessions():
        bundle, journals = Bundle(session.path), Journals(session.path)
        try:
            ensure_whole(session.path, journals)
            if not kept_back(bundle, journals):
                answered += answered_in(read_whole_turns(bundle, domains, journals))
        except CurtainError as error:
            problems.append(f"Drafts learn nothing of {session.session_id}: {error}")
    return answered, problems
