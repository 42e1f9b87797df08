"""What a study has answered: the turns from which drafts of SQL may learn."""

from __future__ import annotations

from collections.abc import Sequence

from curtain.base.errors import CurtainError
from curtain.corpus.model.consents import kept_back
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import read_whole_turns
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import ensure_study_whole, ensure_whole
from curtain.session.journal.journals import Journals
from curtain.session.study.study import Study
from curtain.session.turns.answered import AnsweredTurn, answered_in


def answered_turns(study: Study) -> tuple[list[AnsweredTurn], Sequence[str]]:
    """The answered turns of all sessions of a study that would leave an export whole, whatever its `learn` says, and a
    sentence for each session that is damaged. A draft shows its examples, and a served model is sent them.

    Takes a moment: every session is read. Raises StudyMissing.
    """
    answered: list[AnsweredTurn] = []
    faults: list[str] = []
    domains = Domains()
    try:
        ensure_study_whole(study.folder)
    except CurtainError as fault:
        return [], [f"Drafts learn nothing of the sessions: {fault}"]
    for session in study.sessions():
        bundle, journals = Bundle(session.path), Journals(session.path)
        try:
            ensure_whole(session.path, journals)
            if not kept_back(bundle, journals):
                answered += answered_in(read_whole_turns(bundle, domains, journals))
        except CurtainError as fault:
            faults.append(f"Drafts learn nothing of {session.session_id}: {fault}")
    return answered, faults
