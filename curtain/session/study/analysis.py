"""What a study is to show, declared before its data: the table `[analysis]` of study.toml."""

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

Measure = Literal[
    "correct solutions", "stated solutions", "completion time", "queries", "correct queries", "incorrect queries",
    "queries without an answer", "score",
]  # fmt: skip
"""What a run is measured by."""
Alternative = Literal["two-sided", "greater", "less"]
"""Whether the first condition is thought to differ, to have more, or to have less."""
MEASURES: tuple[Measure, ...] = get_args(Measure)

_NAMES = ", ".join(f'"{name}"' for name in MEASURES)


class Analysis(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table `[analysis]`.

    `primary` is the measure that decides, "" where none was declared; `contrast` the two conditions that it compares,
    the first less the second, none for all pairs. `alternative` and `alpha` are those of its test. The others plan the
    size: so many `subjects`, the `difference` that must not be missed, in the measure's unit (percentages in points),
    and the `spread`: the standard deviation of the differences within subjects; 0 where nobody planned.
    """

    primary: Annotated[Literal[""] | Measure, Meta(description=f"one of {_NAMES}")] = ""
    secondary: Annotated[tuple[Measure, ...], Meta(description=f"a list of {_NAMES}")] = ()
    contrast: Annotated[tuple[str, ...], Meta(description='two conditions such as ["robust", "full"]')] = ()
    alternative: Annotated[Alternative, Meta(description='"two-sided", "greater" or "less"')] = "two-sided"
    alpha: Annotated[float, Meta(gt=0, lt=0.5, description="a number between 0 and 0.5, such as 0.05")] = 0.05
    subjects: Annotated[int, Meta(ge=0, le=10_000, description="a whole number, or 0 where nobody planned")] = 0
    difference: Annotated[float, Meta(ge=0, description="a number of 0 or more")] = 0.0
    spread: Annotated[float, Meta(ge=0, description="a number of 0 or more")] = 0.0

    def __post_init__(self) -> None:
        if self.contrast and (len(self.contrast) != 2 or len(set(self.contrast)) != 2):
            raise ValueError('“contrast” must be two conditions such as ["robust", "full"]')
        if not self.primary and (self.secondary or self.contrast):
            raise ValueError("“primary” is missing; name the measure that decides")
        if self.primary in self.secondary:
            raise ValueError(f"“{self.primary}” is primary and secondary; take it out of “secondary”")
