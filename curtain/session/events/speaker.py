"""What the wizard notes about a speaker at the beginning of a session: coarse bands only, each of them optional."""

from dataclasses import dataclass

AGE_BANDS = ("under 20", "20-29", "30-39", "40-49", "50-59", "60 and over")
SEXES = ("female", "male", "other")

LONGEST_REGION = 40
"""Characters. A region is a few words; a longer text soon reveals who somebody is."""


@dataclass(frozen=True, slots=True)
class SpeakerDescription:
    """What a speaker stated about themselves; None where nothing was stated.

    `age` is one of AGE_BANDS, `sex` one of SEXES, `region` where the speaker grew up or the dialect region.
    """

    age: str | None = None
    sex: str | None = None
    region: str | None = None
    native_english: bool | None = None
