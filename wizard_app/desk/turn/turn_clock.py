"""How long each open turn has waited, on this station's clock."""

from collections.abc import Callable, Container

from curtain.session.turns.turn_progress import TurnState
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.desk.turn.deadline import Deadline

# Until then a reply is on its way to the screen, as every one is.
_SHOWN_WITHIN_NS = 2_000_000_000
_WAITING = (TurnState.OPEN, TurnState.SAVING)


class TurnClock:
    """Counts from the key's release. Until the two clocks are tied it counts from when the release was reported."""

    def __init__(self, limit_s: float, now_ns: Callable[[], int]) -> None:
        self._limit_s = limit_s
        self._now_ns = now_ns
        self._reported_ns: dict[int, int] = {}

    def forget(self) -> None:
        """Another session begins."""
        self._reported_ns.clear()

    def waiting_s(self, progress: SessionProgress) -> dict[int, float]:
        """Seconds by turn, of the turns that wait."""
        waiting = [turn.number for turn in progress.unfinished_turns if turn.state in _WAITING]
        return {number: self._waited(progress, number) for number in waiting}

    def unseen(self, progress: SessionProgress) -> list[int]:
        """The turns whose latest reply should be on the subject's screen by now, and is not, in order."""
        latest_ns = self._now_ns() - _SHOWN_WITHIN_NS
        turns = progress.all_turns
        return sorted(number for number in turns.unseen if turns[number].sent[-1].sent_ns <= latest_ns)

    def deadline(
        self, progress: SessionProgress, waiting_s: dict[int, float], replied: Container[int] = ()
    ) -> Deadline:
        """Of the oldest turn that can be worked on; those of `replied` have a reply that waits for its moment."""
        oldest = next((turn.number for turn in progress.open_turns if turn.number not in replied), None)
        return Deadline(self._limit_s, waiting_s.get(oldest) if oldest is not None else None)

    def _waited(self, progress: SessionProgress, number: int) -> float:
        now = self._now_ns()
        reported_ns = self._reported_ns.setdefault(number, now)
        released = progress.released_on_wizard_clock(number)
        return max(0, now - (reported_ns if released is None else min(released, now))) / 1e9
