"""How far the NL tool reached: unaided, and with the wizard's revision (papers/000 section 6.2: from 67 to 94 %)."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from curtain.session.turns.turns import Turn

UNABLE = "unable"
"""The canned message for "a request that is within the scope of the simulated system" but was not processed
(papers/000 section 6.2). Every other message says to the subject that the request is beyond it."""


@dataclass(frozen=True)
class Coverage:
    """Requests within scope. Those answered from the database, right or wrong, by how: with a draft sent unchanged,
    with a draft and the wizard's revision, without any draft; `drafted` is how many of them had drafts to choose
    from. `unable` are those that got no answer though they were within scope.
    """

    unaided: int = 0
    revised: int = 0
    by_hand: int = 0
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

    def sentence(self) -> str:
        """For the session's summary; "" where no drafts were shown or nothing was answered."""
        if not self.answered or not self.drafted:
            return ""
        return (
            f"Requests within scope: {self.in_scope}. Answered by a draft as it stood: {self._share(self.unaided)}; "
            f"also counting revised drafts: {self._share(self.unaided + self.revised)}. SQL written by hand: "
            f"{self.by_hand}; without an answer: {self.unable}. "
            "This counts what was sent; whether it was right, nobody has judged."
        )

    def _share(self, part: int) -> str:
        return f"{part} ({100 * part / self.in_scope:.0f} %)"


def coverage_of(turns: Iterable[Turn]) -> Coverage:
    """Over the turns of one session or of many; practice is left out, and what a system under test answered."""
    scored = [turn for turn in turns if not turn.practice and not (turn.reply and turn.reply.system)]
    counted = [turn.drafts for turn in scored if turn.outcome == "answer"]
    ways = Counter(trail.way for trail in counted)
    return Coverage(
        unaided=ways["unaided"],
        revised=ways["revised"],
        by_hand=ways["by_hand"],
        drafted=sum(trail.lists > 0 for trail in counted),
        unable=sum(turn.reply is not None and turn.reply.message_id == UNABLE for turn in scored),
    )
