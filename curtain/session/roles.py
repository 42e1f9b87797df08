"""The roles of people at a session, and the parts of a turn that each may take."""

from collections.abc import Mapping
from typing import Literal, get_args

Chair = Literal["wizard", "transcriber", "answerer", "observer"]
"""What a person at a wizard's station may do in a session: all, one part of each turn, or nothing."""

Part = Literal["transcription", "answer"]
"""The two parts of a turn that people share out (000, section 6.1: two people on a turn)."""

CHAIRS: tuple[Chair, ...] = get_args(Chair)
PARTS: tuple[Part, ...] = get_args(Part)

MAY_HOLD: Mapping[Chair, frozenset[Part]] = {
    "wizard": frozenset(PARTS),
    "transcriber": frozenset({"transcription"}),
    "answerer": frozenset({"answer"}),
    "observer": frozenset(),
}
"""The parts that a chair may take."""
