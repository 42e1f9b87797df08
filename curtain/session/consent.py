"""What a signed consent form allows: the scopes that a study can honour, and what a use of the data needs of them."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

ConsentScope = Literal["take_part", "keep_audio", "video", "share", "publish", "quote"]
"""Take part in the session; the recordings are kept; a video is made; the data go to other labs; the data are
published; what was said is quoted in talks and papers."""

DataUse = Literal["own", "share", "publish", "quote"]
"""Work in the lab itself, giving data to other labs, publishing them, quoting from them."""

SCOPES: tuple[ConsentScope, ...] = get_args(ConsentScope)
USES: tuple[DataUse, ...] = get_args(DataUse)

CHOSEN_SCOPES: tuple[ConsentScope, ...] = SCOPES[1:]
"""Those that a form may leave out. Nobody begins a session without taking part."""

SCOPE_WORDS: dict[ConsentScope, str] = {
    "take_part": "taking part",
    "keep_audio": "keeping the recordings",
    "video": "a video",
    "share": "sharing with other labs",
    "publish": "publishing",
    "quote": "quoting",
}

# What is published is shared with everybody: who allows the one allows the other.
_NEEDS: dict[DataUse, frozenset[ConsentScope]] = {
    "own": frozenset({"take_part"}),
    "share": frozenset({"share", "publish"}),
    "publish": frozenset({"publish"}),
    "quote": frozenset({"quote"}),
}


@dataclass(frozen=True)
class ConsentState:
    """Where the consent of a session stands: the id of its form, "" for none; what it allows, None where nobody has
    recorded that; whether the subject took it back at the end; whether nobody disclosed who answered, as was planned,
    None where nothing says what was planned."""

    form: str
    scopes: Collection[ConsentScope] | None
    withdrew: bool
    undisclosed: bool | None


def names_form(consent_id: str) -> bool:
    """Whether a consent id names a form that somebody signed: "none" and "trial" stand for no form."""
    return consent_id.strip().lower() not in ("", "none", "trial")


def is_allowed(use: DataUse, scopes: Collection[ConsentScope] | None) -> bool | None:
    """Whether these scopes allow a use; None if nobody has recorded what the form allows.

    Work in the lab itself needs no more than the signed form.
    """
    if scopes is None:
        return True if use == "own" else None
    return not _NEEDS[use].isdisjoint(scopes)
