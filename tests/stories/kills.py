"""Two people who go on with one session however often their stations are killed.

A story speaks short turns, answers them, and is interrupted: at a random moment one station or both are
killed with -9, started again as a person would, and everybody goes on with what the screens ask for.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psutil  # type: ignore[import-untyped]
import soundfile

from curtain.rehearsal.player import begin_session, free_address
from curtain.rehearsal.stage import Stage, StepSound
from curtain.rehearsal.stations import PATIENCE_S, RunningStation, StationStopped, StationStuck, own_places
from curtain.session.study.study import new_study
from tests.stories.blows import Blow, Killer, Name, Strike
from tests.stories.kept import PRE_ROLL_S, Cut, Disks, Screen
from tests.stories.test_two_rooms import pair
from tests.support.studies import without_drafts

SPOKEN_S = 0.4
A_LIFE_S = 1.5
LOOK_AGAIN_S = 0.1
SHORT_STEP_S = 0.03
DRAFT_AGE_NS = 2_000_000_000
RATE = 16000
KEEP = ("--keep-days", "1")  # what both sides hold is compared after the end


class Interrupted(Exception):
    """A station was killed while somebody waited for something."""


@dataclass(frozen=True)
class Place:
    """Where a session is kept, and how its stations are started."""

    folder: Path
    link: str
    name: str = "study"
    two_rooms: bool = False

    @classmethod
    def make(cls, folder: Path, name: str = "study", drafts: bool = True, two_rooms: bool = False) -> "Place":
        new_study(folder / name, "personnel", take_back_s=0)
        if not drafts:
            without_drafts(folder / name)
        link = free_address() if two_rooms else f"kills-{os.getpid()}-{folder.name}"[:40]
        place = cls(folder, link, name, two_rooms)
        write_noise(place.silence, 0.02, None)
        return place

    @property
    def study(self) -> Path:
        return self.folder / self.name

    @property
    def spool(self) -> Path:
        return self.folder / "spool"

    @property
    def silence(self) -> Path:
        return self.folder / "silence.wav"

    def start(self, name: Name, resume: bool = False) -> RunningStation:
        arguments = {
            "wizard": ["--study", str(self.study), "--listen", self.link, *(["--resume"] if resume else [])],
            "subject": ["--connect", self.link, "--mic-file", str(self.silence), "--spool", str(self.spool), *KEEP],
        }[name]
        log, env = self.folder / f"{name}.txt", {"QT_QPA_PLATFORM": "offscreen"}
        if self.two_rooms:
            env |= own_places(self.folder, name)
        return RunningStation(name, arguments, log, env)


def write_noise(path: Path, seconds: float, seed: int | None) -> Path:
    """A mono WAV of 16 bit: noise of this seed, or silence."""
    frames = int(seconds * RATE)
    samples = np.zeros(frames) if seed is None else np.random.default_rng(seed).uniform(-9000, 9000, frames)
    soundfile.write(path, samples.astype("<i2"), RATE)
    return path


@dataclass
class Found:
    """What was seen after the kills. `cuts` are the takes that were open, `drafts` what stood in a field after a
    restart and what may stand there, `screens` what the subject saw and was to see."""

    cuts: list[Cut] = field(default_factory=list)
    drafts: list[tuple[str, list[str]]] = field(default_factory=list)
    screens: list[tuple[Screen, Screen]] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)
    resumed_s: list[float] = field(default_factory=list)
    children: list[psutil.Process] = field(default_factory=list)


class Story:
    """One session, from the first window to the manifest. `voice` tells its speech from that of other sessions."""

    def __init__(self, place: Place, voice: int = 0) -> None:
        self.place = place
        self.voice = voice
        self.disks = Disks(place.study, place.spool, "")
        self.found = Found()
        self.killer = Killer()
        self.stations: dict[Name, RunningStation] = {}
        self.step = ""
        self._key_is_down = False
        self._slowly = False
        self._life_s = A_LIFE_S
        self._typed: dict[tuple[int, str], list[tuple[int, str]]] = {}
        self._wizard_died_ns = 0
        self._next_blow: Blow | None = None

    # -- the session -------------------------------------------------------------------------------------

    def begin(self, speaker: str = "k00") -> None:
        for name in ("wizard", "subject"):
            if name not in self.stations:
                self.stations[name] = self.place.start(name)
        if self.place.two_rooms:
            pair(self.wizard, self.subject)
        sound = write_noise(self.place.folder / "test.wav", SPOKEN_S, 0)
        stage = Stage(self.wizard, self.subject, self._speak_test, sounds={0: StepSound(sound, SPOKEN_S)})
        begin_session(stage, speaker)
        self.disks.session_id = str(self._seen("wizard")["session"])

    def warm_up(self) -> None:
        """One turn in peace, whose length says nothing of the next ones."""
        self.play_turn()
        self._life_s = A_LIFE_S

    def go_on(self, session_id: str) -> None:
        """Start both stations over a session that was not ended."""
        self.disks.session_id = session_id
        for name in ("wizard", "subject"):
            self.stations[name] = self.place.start(name, resume=True)
        self._await_session()

    def live_through(self, blow: Blow) -> None:
        """Go on with the session, be killed in the middle, start again."""
        while self.disks.open_turn():
            self.play_turn()
        self._slowly = blow.slowly
        length = self._life_s + (3.0 if blow.slowly else 0.0)
        self._next_blow = blow
        if not blow.step:
            self._aim(blow.at * length)
        try:
            while True:
                self.play_turn()
        except (Interrupted, StationStopped, StationStuck):
            if not self.killer.struck:
                raise
        self._slowly = False
        self.found.steps.append(f"{'+'.join(blow.victims)} {self.step}")
        self.recover(blow)

    def _aim(self, after_s: float) -> None:
        blow, self._next_blow = self._next_blow, None
        if blow is not None:
            self.killer.aim([self.stations[name] for name in blow.victims], after_s)

    def _reach(self, step: str) -> None:
        self.step = step
        if self._next_blow is not None and self._next_blow.step == step:
            self._aim(self._next_blow.at * SHORT_STEP_S)

    def play_turn(self) -> None:
        """The turn that waits for its answer, else a new one, to its end."""
        began = time.monotonic()
        turn = int(self._seen("wizard")["turn"])
        fresh = turn == 0
        if fresh:
            turn = self._speak()
        if turn and self._seen("wizard")["state"] == "transcribe":
            self._transcribe(turn)
        if turn:
            self._answer(turn)
        if turn and fresh and not self._slowly:
            self._life_s = time.monotonic() - began

    def end(self, blows: Sequence[tuple[tuple[Name, ...], float]] = ()) -> None:
        """End the session; each blow falls some seconds after the wish to end, or after the last restart."""
        while self.disks.open_turn():
            self.play_turn()
        for victims, after_s in blows:
            self.killer.aim([self.stations[name] for name in victims], after_s)
            try:
                self._close()
            except (Interrupted, StationStopped, StationStuck):
                if not self.killer.struck:
                    raise
            if self.killer.call_off():
                return
            strike = self.killer.strike()
            self.found.steps.append(f"{'+'.join(victims)} {self.step}")
            self._bury(strike)
            self._start_again(strike)
        self._close()

    def quit(self) -> None:
        for station in self.stations.values():
            station.quit()

    def survivors(self) -> list[str]:
        """What a killed station had started and what still runs."""
        for child in self.found.children:
            # The system may not find what ends at this very moment.
            with contextlib.suppress(psutil.Error, FileNotFoundError):
                child.wait(5)
        alive = (child for child in self.found.children if child.is_running())
        return [str(child) for child in alive if child.status() != psutil.STATUS_ZOMBIE]

    # -- killed and started again ------------------------------------------------------------------------

    def recover(self, blow: Blow) -> None:
        """Start what was killed again, and wait until the session goes on."""
        strike = self.killer.strike()
        again = blow.again
        self._wizard_died_ns = 0
        while True:
            began = time.monotonic()
            self._bury(strike)
            self._start_again(strike)
            if again:
                self.killer.aim([self.stations[name] for name in again], blow.again_s)
                again = ()
            try:
                self._await_session()
            except (Interrupted, StationStopped, StationStuck):
                if not self.killer.struck:
                    raise
            if self.killer.call_off():
                self.found.resumed_s.append(round(time.monotonic() - began, 2))
                return
            strike = self.killer.strike()
            self.found.steps.append(f"{'+'.join(strike.killed_ns)} recovering")

    def _bury(self, strike: Strike) -> None:
        for name in strike.killed_ns:
            self.stations[name].kill()
        self.disks.note()
        if "subject" in strike.killed_ns:
            self._key_is_down = False
            self._note_cuts(strike.killed_ns["subject"])
        # Killed twice in a row: what was typed was typed before the first time.
        self._wizard_died_ns = self._wizard_died_ns or strike.killed_ns.get("wizard", 0)
        self.found.children += strike.children

    def _note_cuts(self, killed_ns: int) -> None:
        """A station killed again before it could report the repaired take was recording nothing by then."""
        known = {cut.turn for cut in self.found.cuts}
        self.found.cuts += (cut for cut in self.disks.open_takes(killed_ns) if cut.turn not in known)

    def _start_again(self, strike: Strike) -> None:
        for name in strike.killed_ns:
            self.stations[name] = self.place.start(name, resume=True)

    def _await_session(self) -> None:
        if self._key_is_down:
            self._key_up()
        self._until("wizard", "window", session=self.disks.session_id, link="up")
        self._until("subject", "window", link="up", microphone="ready", state={"not": "waiting"})
        self.wait_until(self.disks.level)
        due = self.disks.open_turn()
        self._until("wizard", "window", turn=due)
        if self._wizard_died_ns and due:
            self._look_at_drafts(due)
        self._look_at_screen()
        self._pause(PRE_ROLL_S)

    def _look_at_drafts(self, turn: int) -> None:
        widgets = self.wizard.look()["widgets"]
        journaled = self.disks.last_sent_and_tried(turn)
        for name in ("query", "sql"):
            versions = self._typed.get((turn, name), [])
            old = [text for at, text in versions if at <= self._wizard_died_ns - DRAFT_AGE_NS]
            fresh = [text for at, text in versions if at > self._wizard_died_ns - DRAFT_AGE_NS]
            shown = str(widgets[name]["text"])
            allowed = [old[-1] if old else "", *fresh]
            newest = journaled[name]
            self.found.drafts.append((shown, [newest] if newest and newest in allowed else allowed))
            self._typed[turn, name] = [(0, shown)]

    def _look_at_screen(self) -> None:
        due = self.disks.screen_due()
        until = time.monotonic() + PATIENCE_S
        while self._screen(due) != due and time.monotonic() < until:
            self._pause(LOOK_AGAIN_S)
            due = self.disks.screen_due()
        self.found.screens.append((self._screen(due), due))

    def _screen(self, due: Screen) -> Screen:
        """The newest exchange as the subject sees it; the cells of a table are looked for by their text."""
        widgets = self.subject.look()["widgets"]
        query = str(widgets.get("query", {}).get("text") or "")
        if "message" in widgets:
            return Screen(query, (str(widgets["message"]["text"]),))
        if "answer" not in widgets:
            return Screen(query)
        texts = set(self.subject.ask("texts")["texts"])
        return Screen(query, tuple(cell for cell in due.reply if cell in texts))

    # -- what the two people do ----------------------------------------------------------------------------

    def _speak(self) -> int:
        """Hold the key, say something, and wait for it at the wizard's; 0 if it came to nothing."""
        self.step = "before the key"
        self._until("subject", "window", state="idle")
        self.step = "speaking"
        self.subject.ask("press", key="Space")
        self._key_is_down = True
        turn = int(self._seen("subject")["turn"])
        self.subject.ask("cue", wav=str(write_noise(self.place.folder / "spoken.wav", SPOKEN_S, self.voice + turn)))
        self._pause(SPOKEN_S + 0.1)
        self._key_up()
        self.step = "tail"
        self._until("wizard", "window", turn=turn)
        self._typed[turn, "query"], self._typed[turn, "sql"] = [(0, "")], [(0, "")]
        return turn

    def _key_up(self) -> None:
        self.subject.ask("release", key="Space")
        self._key_is_down = False

    def _transcribe(self, turn: int) -> None:
        self.step = "typing the query"
        self._type(turn, "query", query_of(turn))
        self._reach("sending the query")
        self.wizard.keys("Ctrl+Return")
        self._until("wizard", "window", state="answer", turn=turn)

    def _answer(self, turn: int) -> None:
        self.step = "typing the statement"
        self._type(turn, "sql", statement_of(turn))
        self._reach("running the statement")
        self.wizard.keys("F5")
        self._until("wizard", "window", sql_state="done")
        self._reach("sending the answer")
        if turn % 3:
            self.wizard.keys("Ctrl+Shift+Return")
        else:
            self._send_message()
        self._until("wizard", "window", answered_turn=turn)
        self._reach("the answer is on its way")
        self._until("subject", "window", shown_turn=turn)

    def _send_message(self) -> None:
        self.wizard.keys("Ctrl+M")
        self._until("wizard", "message_filter", visible=True, focus=True)
        self.wizard.keys("Ctrl+A")
        self.wizard.type("no_meta_information")
        self.wizard.keys("Return")

    def _type(self, turn: int, name: str, text: str) -> None:
        """Word by word, and each state of the field is remembered with its time."""
        self._until("wizard", name, focus=True)
        self.wizard.keys("Ctrl+A")
        words = text.split(" ")
        for count, word in enumerate(words, 1):
            typed = self.wizard.ask("type", text=word if count == len(words) else f"{word} ")
            standing = " ".join(words[:count]) + ("" if count == len(words) else " ")
            self._typed.setdefault((turn, name), [(0, "")]).append((int(typed["t_ns"]), standing))
            self._pause(0.4 if self._slowly else 0.01)

    def _close(self) -> None:
        """Wish to end, unless that is in the journal already, and wait for the manifest."""
        self.step = "wishing to end"
        if self.disks.bundle.state != "closed" and not self.disks.over():
            self._wish_to_end()
        self.step = "closing"
        self.wait_until(lambda: self.disks.bundle.state == "closed")

    def _wish_to_end(self) -> None:
        self._until("wizard", "window", session=self.disks.session_id, link="up")
        self.wizard.keys("Ctrl+Shift+E")
        self._until("wizard", "end_session_confirmed", visible=True)
        there: dict[str, Any] = {"name": "end_session_confirmed", "timeout_ms": 0, "is": {"focus": True}}
        while not self.wizard.ask("wait", **there)["ok"]:
            self.wizard.keys("Tab")
        self.wizard.keys("Space")

    def _speak_test(self, sound: StepSound) -> None:
        self.subject.ask("cue", wav=str(sound.wav))
        self._pause(sound.seconds + 0.1)

    # -- waiting -------------------------------------------------------------------------------------------

    @property
    def wizard(self) -> RunningStation:
        return self.stations["wizard"]

    @property
    def subject(self) -> RunningStation:
        return self.stations["subject"]

    def _seen(self, name: Name) -> dict[str, Any]:
        seen: dict[str, Any] = self.stations[name].look()["widgets"]["window"]
        return seen

    def _until(self, station: Name, name: str, **wanted: Any) -> None:
        asked: dict[str, Any] = {"name": name, "timeout_ms": int(LOOK_AGAIN_S * 1000), "is": wanted}
        until = time.monotonic() + PATIENCE_S
        while not self.stations[station].ask("wait", **asked)["ok"]:
            self._check(station, f"{name} {wanted}", until)

    def wait_until(self, holds: Callable[[], bool]) -> None:
        until = time.monotonic() + PATIENCE_S
        while not holds():
            self._check("wizard", self.step, until)
            self._pause(LOOK_AGAIN_S)

    def _check(self, station: Name, wish: str, until: float) -> None:
        if self.killer.struck:
            raise Interrupted(wish)
        if time.monotonic() > until:
            raise StationStuck(station, wish, {name: self._seen(name) for name in self.stations})

    def _pause(self, seconds: float) -> None:
        """Let time pass as a person does."""
        threading.Event().wait(seconds)
        if self.killer.struck:
            raise Interrupted(self.step)


def query_of(turn: int) -> str:
    return f"who has a number near {1100 + turn} in this company please"


def statement_of(turn: int) -> str:
    low = 1100 + turn
    return f"SELECT employee_id, last_name FROM employee WHERE employee_id BETWEEN {low} AND {low + 30}"
