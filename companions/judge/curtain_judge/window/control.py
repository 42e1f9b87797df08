"""What the keys of the judge's window do, without a widget: one pair at a time, labels kept one by one."""

from collections.abc import Callable
from dataclasses import dataclass

from curtain.base.errors import CurtainError
from curtain.review.control.turn_timer import TurnTimer
from curtain_judge.labels import CORRECTNESS
from curtain_judge.window.material import COMMENT, JudgedPair, JudgingMaterial


@dataclass(frozen=True)
class JudgingState:
    """What the window shows now. `chosen` and `reasons` have the label and the ruling's reason of each question,
    `earlier` the pairs before this one in its session. `filled` is what the log knows and the judge has not judged yet;
    `revealed`: an adjudicator has asked what the judges said."""

    pair: JudgedPair
    place: int
    total: int
    done: int
    chosen: dict[str, str]
    filled: str
    comment: str
    earlier: tuple[JudgedPair, ...]
    seconds_an_item: float | None
    revealed: bool
    wants_reason: str
    """The question whose ruling waits for a reason, "" if none does."""
    judged: bool
    """Whether the open pair is."""
    finished: bool
    reasons: dict[str, str]
    remark: str
    """What the strip says first, "" for nothing."""


class JudgeControl:
    """Holds the open pair. `changed` is called after everything that the window must show anew."""

    def __init__(self, material: JudgingMaterial, now: Callable[[], float], changed: Callable[[], None]) -> None:
        """Opens the first pair that is not judged. `now` is a monotonic clock in seconds. Raises CurtainError."""
        self._material = material
        self._changed = changed
        self._timer = TurnTimer(now)
        self._standing = material.standing()
        self._reasons = material.reasons()
        self._history: list[tuple[int, str, str]] = []
        self._pending: tuple[str, str] | None = None
        self._revealed = False
        self._remark = ""
        self.problem = ""
        self._place = self._next_open(-1) or 0

    @property
    def pair(self) -> JudgedPair:
        """The open pair."""
        return self._material.pairs[self._place]

    @property
    def state(self) -> JudgingState:
        """Everything that the window shows."""
        pairs, pair = self._material.pairs, self.pair
        return JudgingState(
            pair=pair,
            place=self._place + 1,
            total=len(pairs),
            done=sum(map(self._is_done, pairs)),
            chosen={question: label for question in pair.ask if (label := self._label(question))},
            filled=self._filled(pair),
            comment=self._standing.get((pair.id, COMMENT), ""),
            earlier=tuple(self._material.earlier(pair)),
            seconds_an_item=self._timer.seconds_a_turn,
            revealed=self._revealed,
            wants_reason=self._pending[0] if self._pending else "",
            judged=self._is_done(pair),
            finished=all(map(self._is_done, pairs)),
            reasons={question: why for question in pair.ask if (why := self._reasons.get((pair.id, question)))},
            remark=self._remark,
        )

    def choose(self, question: str, label: str) -> None:
        """A label was chosen. When the last open question has one, the next pair that is not judged opens."""
        self._timer.touch()
        self._remark = ""
        if question not in self.pair.ask:
            self._changed()
            return
        if self._material.adjudicates:
            # A ruling is kept with its reason.
            self._pending = (question, label)
            self._changed()
            return
        pair = self.pair
        was_done = self._is_done(pair)
        if self._keep(question, label):
            # What the log knows counts as said once the judge has answered the rest.
            if pair.filled and question != CORRECTNESS and not self._standing.get((pair.id, CORRECTNESS)):
                self._keep(CORRECTNESS, pair.filled)
            self._go_on_when_done(was_done)
        self._changed()

    def give_reason(self, reason: str) -> None:
        """The reason of the ruling that waits. An empty one is not taken: others must be able to follow."""
        if self._pending is None:
            return
        if not reason.strip():
            self.problem = "Give the reason for the ruling in a few words."
            self._changed()
            return
        question, label = self._pending
        was_done = self._is_done(self.pair)
        if self._keep(question, label, reason.strip()):
            self._pending = None
            self._go_on_when_done(was_done)
        self._changed()

    def wish_reason(self) -> None:
        """An adjudicator wants to write a reason, which belongs to a label."""
        if self._pending is None:
            self._remark = "Choose a label first; then give its reason."
        self._changed()

    def drop_choice(self) -> None:
        """The ruling that waits for its reason is not made."""
        self._pending, self.problem = None, ""
        self._changed()

    def comment(self, text: str) -> None:
        """A remark on the pair; an empty one takes the earlier one back."""
        self._timer.touch()
        if text.strip() != self._standing.get((self.pair.id, COMMENT), ""):
            self._keep(COMMENT, text.strip())
        self._changed()

    def undo(self) -> None:
        """Withdraw the last label of a judge's sitting, and open its pair."""
        if self._history:
            place, question, before = self._history[-1]
            self._open(place)
            if self._keep(question, before, remembers=False):
                self._history.pop()
        else:
            self._remark = "Nothing to take back in this sitting."
        self._changed()

    def reveal(self) -> None:
        """Show the adjudicator what the judges said about this pair."""
        self._revealed = self._material.adjudicates
        self._changed()

    def next(self) -> None:
        """The next pair."""
        self._open(min(self._place + 1, len(self._material.pairs) - 1))
        self._changed()

    def previous(self) -> None:
        """The pair before."""
        self._open(max(self._place - 1, 0))
        self._changed()

    def next_open(self) -> None:
        """The next pair that is not judged, from the beginning again behind the last."""
        place = self._next_open(self._place)
        if place is not None:
            self._open(place)
        self._changed()

    def touch(self) -> None:
        """Something was done: the time until here is active."""
        self._timer.touch()

    def _go_on_when_done(self, was_done: bool) -> None:
        """A pair that is judged anew stays open, so that the judge sees what was changed."""
        if self._is_done(self.pair) and not was_done:
            place = self._next_open(self._place)
            if place is not None:
                self._open(place)

    def _open(self, place: int) -> None:
        if place != self._place:
            self._place, self._revealed, self._pending, self.problem, self._remark = place, False, None, "", ""
            self._timer.begin()

    def _label(self, question: str) -> str:
        if self._pending and self._pending[0] == question:
            return self._pending[1]
        return self._standing.get((self.pair.id, question), "")

    def _filled(self, pair: JudgedPair) -> str:
        """An adjudicator rules by hand, whatever the log knows."""
        if self._material.adjudicates or CORRECTNESS not in pair.ask or self._standing.get((pair.id, CORRECTNESS)):
            return ""
        return pair.filled

    def _is_done(self, pair: JudgedPair) -> bool:
        return all(self._standing.get((pair.id, question)) for question in pair.ask)

    def _next_open(self, place: int) -> int | None:
        pairs = self._material.pairs
        order = [*range(place + 1, len(pairs)), *range(place + 1)]
        return next((at for at in order if not self._is_done(pairs[at])), None)

    def _keep(self, question: str, label: str, reason: str = "", *, remembers: bool = True) -> bool:
        """Whether it is on the disk. Where it is not, nothing changes in the window but the sentence that says so."""
        pair = self.pair
        before = self._standing.get((pair.id, question), "")
        # The time belongs to the label that ends the pair's work so far; the next begins at 0 again.
        seconds = self._timer.save()
        self._timer.begin()
        try:
            self._material.keep(pair.id, question, label, seconds, reason)
        except CurtainError as error:
            self.problem = str(error)
            return False
        self.problem, self._remark = "", ""
        if reason:
            self._reasons[pair.id, question] = reason
        if label:
            self._standing[pair.id, question] = label
        else:
            self._standing.pop((pair.id, question), None)
        if remembers:
            self._history.append((self._place, question, before))
        return True
