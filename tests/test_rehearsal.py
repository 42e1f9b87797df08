"""A rehearsal does what a person would do, in that order, also over a station whose microphone is late."""

import os
from pathlib import Path
from typing import Any, cast

import pytest
from platformdirs.api import PlatformDirsABC
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from curtain.base.errors import CurtainError
from curtain.rehearsal.player import begin_session, play_step, press_talk_key
from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stage import Stage, StepSound
from curtain.rehearsal.stations import RunningStation, StationStopped, StationStuck, own_places


class WillingStation:
    """A station at which everything comes as it is waited for; it keeps what was typed and pressed there."""

    name = "wizard"

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


class SlowSubject(WillingStation):
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
    press_talk_key(Stage(WillingStation(), subject, lambda sound: None))  # type: ignore[arg-type]
    assert subject.pressed_at == ["s1"]


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


NEXT_PAGE = {"mic_test": "briefing", "briefing": "idle", "idle": "idle"}


class SubjectPages(WillingStation):
    """Goes to its next page with Return, but for the first ones, which come while the microphone is late."""

    name = "subject"

    def __init__(self, late: int) -> None:
        super().__init__()
        self.late = late
        self.page = "mic_test"

    def keys(self, keys: str) -> None:
        if self.late:
            self.late -= 1
        else:
            self.page = NEXT_PAGE[self.page]

    def has(self, name: str, **wanted: Any) -> bool:
        state = wanted.get("state", "")
        return name != "window" or self.page in (state["one_of"] if isinstance(state, dict) else [state])

    def wait(self, name: str, **wanted: Any) -> dict[str, Any]:
        if not self.has(name, **wanted):
            raise StationStuck(self.name, f"{name} {wanted}", self.page)
        return {"ok": True}


def stage_with(subject: SubjectPages) -> Stage:
    stations = (cast(RunningStation, WillingStation()), cast(RunningStation, subject))
    return Stage(*stations, lambda sound: None, sounds={0: StepSound(Path("hum.wav"), 0.0)})


@pytest.mark.parametrize("late", [0, 1, 5])
def test_return_is_pressed_again_while_the_microphone_is_late(late: int) -> None:
    subject = SubjectPages(late)
    begin_session(stage_with(subject), "r00")
    assert subject.page == "idle"


def test_a_microphone_that_stays_late_is_reported_in_one_sentence() -> None:
    with pytest.raises(CurtainError, match="stays at the microphone test"):
        begin_session(stage_with(SubjectPages(late=1000)), "r00")


def test_a_station_that_ends_by_itself_is_reported_in_its_own_words(tmp_path: Path) -> None:
    log = tmp_path / "wizard.txt"
    log.write_text("what an earlier one said\n")
    with RunningStation("wizard", ["--study", str(tmp_path)], log, {"QT_QPA_PLATFORM": "offscreen"}) as station:
        if os.name == "posix":
            # Whoever clears the folder away takes the log along.
            log.unlink()
        with pytest.raises(StationStopped, match=r"\(exit 2: There is no study in .*makes one\.\)"):
            station.wait("window")
    with pytest.raises(StationStopped, match=r"\(exit 2: it does not say why\)"):
        station.look()


@pytest.mark.parametrize("system", [Unix, MacOS, Windows])
def test_stations_that_are_rehearsed_keep_their_files_apart_on_each_system(
    system: type[PlatformDirsABC], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # platformdirs takes only what is a whole path on its system.
    folder = Path("C:/lab") if system is Windows else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in own_places(folder, "booth").items():
        monkeypatch.setenv(name, value)
    places = system("curtain", appauthor=False)
    for place in (places.user_data_dir, places.user_runtime_dir):
        assert Path(place.replace("\\", "/")).is_relative_to(folder)
