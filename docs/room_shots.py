"""Makes the pictures of two rooms and of several chairs: `python docs/room_shots.py [FOLDER]`.

Real stations, each with a home and a computer's name of its own (that needs Linux and root; elsewhere the names are
this computer's). `docs/pictures/` gets what docs/rooms.md shows, and the folder (default `out/shots`) the rest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from shots import display, keep

from curtain.rehearsal.player import begin_session, code_for, end_session, free_address, run_statements
from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stage import Stage, prepare_sounds, replay_into
from curtain.rehearsal.stations import RunningStation, own_places
from curtain.session.study.study import new_study

ROOT = Path(__file__).resolve().parent.parent
SIZE = (1280, 720)
COUNT = "SELECT count(*)\nFROM employee\nWHERE department = 45"
QUESTIONS = ("How many people work in department forty five?", "And how many of them are women?")
PEOPLE = (("tess", "transcriber"), ("ann", "answerer"), ("olga", "observer"))


@dataclass
class Lab:
    """Where the stations of these pictures keep their files, and how they are started."""

    folder: Path
    stack: ExitStack
    study: Path

    def start(self, name: str, computer: str, options: list[str]) -> RunningStation:
        """A station on a computer of this name."""
        env = own_places(self.folder, computer)
        log = self.folder / f"{computer}-{name}.txt"
        station = RunningStation(name, options, log, env, patience_s=60, starter=renamed(computer))  # type: ignore[arg-type]
        self.stack.enter_context(station)
        station.ask("resize", w=SIZE[0], h=SIZE[1])
        return station

    def booth(self, computer: str, address: str, *more: str) -> RunningStation:
        """A subject's station that dials this address."""
        silence = str(self.folder / "silence.wav")
        options = [
            "--connect",
            address,
            "--mic-file",
            silence,
            "--spool",
            str(self.folder / f"{computer}-spool"),
            *more,
        ]
        return self.start("subject", computer, options)


@contextmanager
def lab() -> Iterator[Lab]:
    with tempfile.TemporaryDirectory(prefix="curtain-rooms-") as scratch, ExitStack() as stack:
        folder = Path(scratch)
        study = new_study(
            folder / "study", "personnel", ["complaint", "advertisement"], practice="none", take_back_s=0
        ).folder
        (folder / "silence.wav").write_bytes(silence())
        yield Lab(folder, stack, study)


def silence() -> bytes:
    from curtain.audio.wav import WavFormat, header

    return header(WavFormat(16000, 1), 320) + bytes(640)


def renamed(computer: str) -> list[str]:
    """What starts a program on a computer that seems to have this name."""
    starter = ["unshare", "--uts", "sh", "-c", f'hostname {computer}; exec "$@"', "sh"]
    try:
        allowed = subprocess.run([*starter, "true"], capture_output=True).returncode == 0
    except OSError:
        allowed = False
    return starter if allowed else []


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "out" / "shots"
    out.mkdir(parents=True, exist_ok=True)
    with display():
        booths(out)
        chairs(out)


def booths(out: Path) -> None:
    """The connect page in two languages, the list of booths, and a session that waits for its subject's station."""
    with lab() as here:
        wizard = here.start("wizard", "desk", ["--study", str(here.study), "--listen", "127.0.0.1:0"])
        wizard.wait("room_addresses", text={"contains": "127.0.0.1:"})
        address = wizard.text_of("room_addresses")
        german = here.booth("kabine-1", address, "--language", "de")
        german.wait("room_code", focus=True)
        german.shot(out / "rooms-pairing-de.png")
        rooms = [german]
        for number in (1, 2, 3):
            booth = here.booth(f"booth-{number}", address)
            booth.wait("room_code", focus=True)
            if number == 1:
                booth.type("123456")
                booth.shot(out / "rooms-pairing.png")
                booth.keys("Return")
                booth.wait("room_problem", text={"contains": "not the code"})
                booth.shot(out / "rooms-pairing-wrong.png")
            pair(wizard, booth)
            rooms.append(booth)
        german.quit()
        wizard.wait("booths", states={"contains": "booth-3   waits"})
        rooms[2].keys("Tab")
        rooms[2].keys("Return")
        wizard.wait("booths", states={"contains": "asks for help"})
        rooms[2].shot(out / "rooms-booth-calls.png")
        for _ in range(20):
            if wizard.has("booths", focus=True):
                break
            wizard.keys("Tab")
        wizard.shot(out / "rooms-booths.png")
        wizard.keys("Ctrl+Shift+A")
        stage = Stage(wizard, rooms[1], replay_into(rooms[1]), sounds=sounds_of(here.folder))
        begin_session(stage, "e00")
        rooms[1].kill()
        wizard.wait("missing_line", patience_s=60, visible=True)
        wizard.shot(out / "rooms-missing.png")
    for name in ("booths", "pairing", "missing"):
        keep(out / f"rooms-{name}.png", name)


def pair(wizard: RunningStation, booth: RunningStation) -> None:
    code = wizard.text_of("room_code").removeprefix("Code ")
    booth.wait("room_code", focus=True)
    booth.type(code)
    booth.keys("Return")
    booth.wait("window", state="waiting")
    wizard.wait("room_code", text={"not": f"Code {code}"})


def sounds_of(folder: Path) -> dict[int, object]:
    steps = [ScriptStep(say=question) for question in QUESTIONS]
    return prepare_sounds(steps, folder / "script", folder, lambda _: None)  # type: ignore[return-value]


def chairs(out: Path) -> None:
    """A host, a transcriber, an answerer and an observer over two questions."""
    with lab() as here:
        link, address = f"curtain-{os.getpid()}", free_address()
        host = here.start("wizard", "desk", ["--study", str(here.study), "--listen", link, "--chairs", address])
        options = ["--connect", link, "--mic-file", str(here.folder / "silence.wav")]
        subject = here.start("subject", "desk", [*options, "--spool", str(here.folder / "spool")])
        desks = {}
        for who, role in PEOPLE:
            shown, code = code_for(host, role)
            options = ["--join", address, "--chair", role, "--wizard", who, "--code", code]
            desks[who] = here.start("wizard", f"desk-of-{who}", ["--study", str(here.study), *options])
            host.wait("room_code", text={"not": shown})
        host.shot(out / "chairs-start.png")
        desks["ann"].shot(out / "chairs-waiting.png")
        stage = Stage(host, subject, replay_into(subject), sounds=sounds_of(here.folder))  # type: ignore[arg-type]
        begin_session(stage, "e00")
        tess, ann, olga = desks.values()
        ann.wait("window", patience_s=60, state="idle", people={"contains": ":"})
        for number in (1, 2):
            subject.wait("window", state={"not": "listening"})
            subject.ask("press", key="Space")
            subject.wait("window", state="listening")
            stage.voice(stage.sounds[number])
            subject.ask("release", key="Space")
            tess.wait("window", open_turns=number if number == 1 else 2)
        tess.wait("query", focus=True)
        tess.type("how many people work in department 45")
        tess.keys("Ctrl+Return")
        ann.wait("window", state="answer", turn=1, patience_s=60)
        ann.wait("window", drafts_settled=True, patience_s=60)
        run_statements(ann, [COUNT])
        tess.wait("query", focus=True)
        tess.type("and how many of them are")
        host.wait("window", people={"contains": "tess: transcriber, turn 2"})
        for name, station in (("transcriber", tess), ("answerer", ann), ("observer", olga), ("host", host)):
            station.shot(out / f"chairs-{name}.png")
        ann.keys("Ctrl+Shift+Return")
        tess.type(" women")
        tess.keys("Ctrl+Return")
        ann.wait("window", state="answer", turn=2)
        run_statements(ann, [f"{COUNT} AND sex = 'F'"])
        ann.keys("Ctrl+Shift+Return")
        subject.wait("window", shown_turn=2)
        end_session(stage)
    keep(out / "chairs-answerer.png", "chair")
    for name in ("transcriber", "observer", "host"):
        keep(out / f"chairs-{name}.png", f"chairs-{name}")


if __name__ == "__main__":
    main()
