"""The conditions of an experiment: who answers, and when an answer appears.

papers/004 compared two systems this way: same subjects, same scenarios, same station, another system behind it.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from curtain.base.hearing import Input

Who = Literal["wizard", "typist", "system"]
INPUTS = '"speech", "text" or "both"'

_MOST_LATENCY_S = 600


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One entry of `[[conditions]]`.

    `who` answers: a wizard; a system that a typist transcribes for; a system alone. `latency` is seconds from the
    release of the talk key to the answer, or "natural". `ears` counts where nobody types: the study's recogniser, or
    the system's own, which is then given the recording. `transcribe`: whether whoever types is offered a first
    transcription; None is as the study says. `input`: how the subject asks, None as the scenario or the study says.
    `recogniser` is of before, when errors could be put into the query on purpose: nothing reads it.
    """

    id: Annotated[
        str,
        Meta(
            pattern=r"^[a-z0-9][a-z0-9_.-]{0,31}\Z",
            description='a short name of a-z, 0-9, “.”, “_” and “-”, such as "robust"',
        ),
    ]
    who: Who = "wizard"
    system: Annotated[str, Meta(description="the name of a system in quotes")] = ""
    recogniser: Annotated[Literal["none"] | float, Meta(description='"none", or left out')] = "none"
    latency: Annotated[
        Literal["natural"] | float, Meta(description='"natural" or a number of seconds from 0 to 600, such as 8.0')
    ] = "natural"
    transcribe: Annotated[bool | None, Meta(description="true or false")] = None
    ears: Annotated[Literal["asr", "system"], Meta(description='"asr" or "system"')] = "asr"
    input: Annotated[Input | None, Meta(description=INPUTS)] = None
    notes: Annotated[str, Meta(description="a text in quotes")] = ""

    def __post_init__(self) -> None:
        if self.who != "wizard" and not self.system:
            raise ValueError(f"“system” is missing; name the system that answers, since “who” is “{self.who}”")
        if self.who == "wizard" and self.system:
            raise ValueError(f"“system” is “{self.system}”, but “who” is “wizard”; make that typist or system")
        if self.latency_s is not None and not 0 < self.latency_s <= _MOST_LATENCY_S:
            raise ValueError(f"“latency” must be “natural” or seconds from 0 to {_MOST_LATENCY_S}, such as 8.0")
        if self.ears == "system" and self.who != "system":
            raise ValueError("“ears” is “system”, but only who = “system” has ears of its own; take it out")
        if self.transcribe and self.who == "system":
            raise ValueError("“transcribe” is true, but with who = “system” nobody types; take it out")
        if self.input == "text" and (self.transcribe or self.ears == "system"):
            raise ValueError("“input” is “text”, so nothing is spoken; take out “transcribe” and “ears”")

    @property
    def latency_s(self) -> float | None:
        """Seconds from the key's release to the answer; None where nothing is held."""
        return None if isinstance(self.latency, str) else self.latency


def problem_of_conditions(conditions: Sequence[Condition], contrast: Sequence[str] = ()) -> str:
    """What is wrong with the conditions together, or with the two that an analysis compares; "" if nothing is."""
    ids = [one.id for one in conditions]
    if twice := next((name for name in ids if ids.count(name) > 1), ""):
        return f"the condition “{twice}” stands twice; give each its own id."
    if other := next((name for name in contrast if name not in ids), ""):
        return f"“contrast” in [analysis] names “{other}”, which is no condition; its conditions are {', '.join(ids)}."
    return ""
