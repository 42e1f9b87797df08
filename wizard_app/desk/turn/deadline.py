"""How far the oldest open turn has used up its time."""

from dataclasses import dataclass
from enum import Enum


class Urgency(Enum):
    """How much of the time is used up; NONE where nothing waits. The driver reads the values."""

    NONE = "none"
    CALM = "calm"
    SOON = "soon"
    OVER = "over"


@dataclass(frozen=True)
class Deadline:
    """`elapsed_s` may be negative when two clocks disagree by a hair; it then counts as zero."""

    limit_s: float
    elapsed_s: float | None = None

    @property
    def urgency(self) -> Urgency:
        """SOON from three quarters of the limit on, OVER from the limit on; NONE without a limit or a turn."""
        if self.elapsed_s is None or self.limit_s <= 0:
            return Urgency.NONE
        if self.elapsed_s >= self.limit_s:
            return Urgency.OVER
        return Urgency.SOON if self.elapsed_s >= 0.75 * self.limit_s else Urgency.CALM

    @property
    def fraction(self) -> float:
        """Used up, 0 to 1."""
        if self.urgency is Urgency.NONE or self.elapsed_s is None:
            return 0.0
        return min(1.0, max(0.0, self.elapsed_s / self.limit_s))

    @property
    def text(self) -> str:
        """The time left as the bar shows it; beyond the end it counts up with a plus."""
        if self.urgency is Urgency.NONE or self.elapsed_s is None:
            return ""
        # Rounded before the sign is taken, so that 0:00 never bears a plus.
        left = round(self.limit_s - max(0.0, self.elapsed_s))
        sign = "+" if left < 0 else ""
        return f"{sign}{abs(left) // 60}:{abs(left) % 60:02d}"
