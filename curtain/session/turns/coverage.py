"""How far the NL tool reached: unaided, and with the wizard's revision (papers/000 section 6.2: from 67 to 94 %)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from curtain.base.record_file import by_name
from curtain.session.turns.turns import Turn

UNABLE = "unable"
"""The canned message for "a request that is within the scope of the simulated system" but was not processed
(papers/000 section 6.2). Every other message says to the subject that the request is beyond it."""


@dataclass(frozen=True)
class Coverage:
    """Requests within scope. Those answered from the database, right or wrong, by how: with a draft sent unchanged
    (`first` of them with the first draft), with a draft and the wizard's revision, without any draft; `drafted` is how
    many of them had drafts to choose from. `unable` are those that got no answer though they were within scope.
    """

    unaided: int = 0
    revised: int = 0
    by_hand: int = 0
    first: int = 0
    drafted: int = 0
    unable: int = 0

    @property
    def answered(self) -> int:
        """Requests answered from the database, whichever way."""
        return self.unaided + self.revised + self.by_hand

    @property
    def in_scope(self) -> int:
        """The denominator of the paper: "requests that were within the scope of the simulated system"."""
        return self.answered + self.unable

    def percent(self, part: int) -> float | None:
        """Of the requests within scope; None if there are none."""
        return 100 * part / self.in_scope if self.in_scope else None

    def as_json(self) -> dict[str, Any]:
        """The object that `curtain draft --coverage --json` prints;

        percentages have one decimal, None without requests.
        """
        return {
            **by_name(self, "in_scope", "answered", "unable", "unaided"),
            "with_revision": self.unaided + self.revised,
            "by_hand": self.by_hand,
            "first_draft": self.first,
            "drafted": self.drafted,
            "unaided_percent": _rounded(self.percent(self.unaided)),
            "with_revision_percent": _rounded(self.percent(self.unaided + self.revised)),
        }

    def sentence(self) -> str:
        """For the session's summary; "" where no drafts were shown or nothing was answered."""
        if not self.answered or not self.drafted:
            return ""
        together = self.unaided + self.revised
        return (
            f"SQL drafts: of {self.in_scope} {_requests(self.in_scope)} within scope, {self._share(self.unaided)} "
            f"{_were(self.unaided)} answered by a draft as it stood, and {self._share(together)} counting drafts that "
            f"the wizard revised; {self.by_hand} {_were(self.by_hand)} written by hand, {self.unable} got no answer. "
            "This counts what was sent; whether it was right, nobody has judged."
        )

    def _share(self, part: int) -> str:
        return f"{part} ({self.percent(part) or 0.0:.0f} %)"


def coverage_of(turns: Iterable[Turn]) -> Coverage:
    """Over the turns of one session or of many; practice is left out, and what a system under test answered."""
    scored = [turn for turn in turns if not turn.practice and not (turn.reply and turn.reply.system)]
    counted = [turn.drafts for turn in scored if turn.outcome == "answer"]
    ways = Counter(trail.way for trail in counted)
    return Coverage(
        unaided=ways["unaided"],
        revised=ways["revised"],
        by_hand=ways["by_hand"],
        first=sum(trail.way == "unaided" and trail.taken is not None and trail.taken.place == 1 for trail in counted),
        drafted=sum(trail.lists > 0 for trail in counted),
        unable=sum(turn.reply is not None and turn.reply.message_id == UNABLE for turn in scored),
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 1)


def _requests(number: int) -> str:
    return "request" if number == 1 else "requests"


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
