"""A rehearsal does what a person would do, in the order in which a person would."""

from __future__ import annotations

from typing import Any

from curtain.rehearsal.player import press_talk_key
from curtain.rehearsal.stage import Stage


class Wizard:
    """A wizard's station that has sent a scenario."""

    def look(self) -> dict[str, Any]:
        return {"widgets": {"window": {"scenario": "s1"}}}


class SlowSubject:
    """A subject's station that paints the new scenario only after it has been asked for it; until then the practice
    scenario stands on the screen, and the page is idle."""

    def __init__(self) -> None:
        self.painted = "practice"
        self.pressed_at: list[str] = []

    def wait(self, _name: str, **wanted: Any) -> dict[str, Any]:
        if "shown_scenario" in wanted:
            self.painted = wanted["shown_scenario"]
        return {"seen": wanted}

    def ask(self, do: str, **_: Any) -> dict[str, Any]:
        assert do == "press"
        self.pressed_at.append(self.painted)
        return {}


def test_the_talk_key_goes_down_once_the_new_scenario_is_painted() -> None:
    subject = SlowSubject()
    press_talk_key(Stage(Wizard(), subject, lambda sound: None))  # type: ignore[arg-type]
    assert subject.pressed_at == ["s1"]
