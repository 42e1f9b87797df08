"""The gate: whatever leaves a study is asked here whether it may.

A session leaves whole, with all its redactions, out of a study that lost no word of its subjects, and under a consent
that stands. `open_corpus` asks this of every session. Whoever reads sessions otherwise keeps them in the study, or asks
`ensure_may_leave`; `tests/test_house.py` names all of these.
"""

from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.session.bundle.checks import layer_problems
from curtain.session.bundle.heads import is_torn_out
from curtain.session.consent import SCOPE_WORDS, ConsentScope, ConsentState, DataUse, is_allowed, names_form

WITHDREW = "the subject withdrew"
UNDISCLOSED = "nobody has disclosed to the subject who answered"
NO_FORM = "no consent"
SCOPE_NOT_KNOWN = "nobody has recorded what the consent allows"
_SCOPE_OF: dict[DataUse, ConsentScope] = {"own": "take_part", "share": "share", "publish": "publish", "quote": "quote"}
NOT_COVERED = {use: f"the consent does not cover {SCOPE_WORDS[scope]}" for use, scope in _SCOPE_OF.items()}
"""Reasons against what the speaker has not agreed to, by the use of the data."""


def reason_against(consent: ConsentState, use: DataUse, *, with_form: bool) -> str | None:
    """Why a session must not leave for this use; None if it may. Without `with_form` one's own trials, which have no
    form, may leave, too."""
    # Whatever is asked for: the subject's wish comes first.
    if consent.withdrew or (consent.scopes is not None and not consent.scopes):
        return WITHDREW
    if consent.undisclosed:
        return UNDISCLOSED
    if not names_form(consent.form):
        return NO_FORM if with_form else None
    allowed = is_allowed(use, consent.scopes)
    return None if allowed else SCOPE_NOT_KNOWN if allowed is None else NOT_COVERED[use]


def ensure_redactions(bundle: Path) -> None:
    """Raises CurtainError if the session lies outside its study, or its redaction layer is damaged or set aside."""
    if is_torn_out(bundle):
        raise CurtainError(
            f"{bundle} lies outside its study, so nobody knows what was withdrawn or hidden since. "
            "Name the study, or the session in the folder “sessions” of its study."
        )
    name = "annotations/redaction.jsonl"
    asides = sorted((bundle / "annotations").glob("redaction.jsonl.torn-*"))
    # A lost row may be the one that hides a name.
    for problem in layer_problems(bundle):
        if problem.file in (name, "annotations"):
            repaired = ", or use a repaired one (“curtain repair”) and look whether something must be hidden again."
            remedy = problem.remedy if "hidden again" in problem.remedy else f"Take it from another copy{repaired}"
            raise CurtainError(f"{bundle / problem.file}: {problem.what} So nobody knows what must not leave. {remedy}")
    if asides:
        raise CurtainError(
            f"{asides[0]} holds bytes of redactions that were set aside, so nobody knows what must not leave. "
            "Look in “curtain annotate” whether something must be hidden again, then move that file out of the session."
        )
