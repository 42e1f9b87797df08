"""A rehearsal does what a person would do, in the order in which a person would."""

from typing import Any

import pytest

from curtain.rehearsal.player import play_step, press_talk_key
from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stage import Stage, StepSound


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


class WillingStation:
    """A station at which everything comes as it is waited for; it keeps what was typed and pressed there."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def look(self) -> dict[str, Any]:
        return {"widgets": {"window": {"scenario": "s1", "sql_state": "done"}}}

    def wait(self, _name: str, **_wanted: Any) -> dict[str, Any]:
        return {"seen": {}}

    def has(self, _name: str, **_wanted: Any) -> bool:
        return True

    def keys(self, keys: str) -> None:
        self.done.append(keys)

    def type(self, text: str) -> None:
        self.done.append(text)

    def ask(self, do: str, key: str = "", **_: Any) -> dict[str, Any]:
        self.done.append(f"{do} {key}")
        return {}


SENT = ["Ctrl+A", "who", "Ctrl+Return"]
RUN = ["Ctrl+A", "SELECT 1", "F5"]
SPOKEN = ["press Space", "release Space"]


@pytest.mark.parametrize(
    ("people", "host", "tess", "ann"),
    [
        ({"query_by": "tess", "answer_by": "ann"}, [], SENT, [*RUN, "Ctrl+Shift+Return"]),
        ({"query_by": "tess"}, [*RUN, "Ctrl+Shift+Return"], SENT, []),
        ({"answer_by": "ann"}, SENT, [], [*RUN, "Ctrl+Shift+Return"]),
        ({}, [*SENT, *RUN, "Ctrl+Shift+Return"], [], []),
    ],
)
def test_each_part_is_done_at_the_desk_that_the_script_names(
    people: dict[str, str], host: list[str], tess: list[str], ann: list[str]
) -> None:
    desks = {who: WillingStation() for who in ("host", "tess", "ann", "subject")}
    sounds = {1: StepSound(None, 0.0)}  # type: ignore[arg-type]
    joined = {who: desks[who] for who in ("tess", "ann")}
    stage = Stage(desks["host"], desks["subject"], lambda sound: None, sounds=sounds, people=joined)  # type: ignore[arg-type]
    play_step(stage, 1, ScriptStep(do="turn", query="who", sql="SELECT 1", **people))
    assert {who: desk.done for who, desk in desks.items()} == {
        "host": host, "tess": tess, "ann": ann, "subject": SPOKEN
    }  # fmt: skip
