"""Two chairs against one wizard with real stations: the same questions, the same typing speed, turns an hour.

    python bench/chairs_stations.py [--turns 40] [--key-ms 40] [--rounds 1]

The subject asks on while answers are awaited, at most two questions ahead. Typing takes `--key-ms` a key; all else is
what the stations cost: recording, link, database, windows. `bench/chairs.py` has the model with other subjects.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from draft_data import paraphrases
from size import sized

from curtain.rehearsal.player import begin_session, code_for, end_session, fill_field, free_address, run_statements
from curtain.rehearsal.stage import BREATH_S, Stage, StepSound, replay_into
from curtain.rehearsal.stations import PATIENCE_S, RunningStation, own_places
from curtain.session.bundle.bundle import Bundle
from curtain.session.turns.turns import read_turns
from tests.stories.kills import Place, write_noise
from tests.stories.sounds import tone

AHEAD = 2


@dataclass(frozen=True)
class Sitting:
    """How a session went: seconds from the first press to the last answer, and who did how many answers."""

    seconds: float
    answered: int
    people: tuple[str, ...]


@dataclass
class Work:
    """What is asked, and how long a key takes."""

    questions: list[tuple[str, str]]
    key_s: float

    def type(self, station: RunningStation, field: str, text: str) -> None:
        """As somebody does who needs his time for it."""
        time.sleep(len(text) * self.key_s)
        fill_field(station, field, text)

    def transcribe(self, station: RunningStation) -> None:
        """The first part of every turn."""
        for number, (query, _) in enumerate(self.questions, 1):
            station.wait("window", state="transcribe", turn=number)
            self.send_query(station, query)

    def answer(self, station: RunningStation, done: Callable[[], object]) -> None:
        """The second part of every turn."""
        for number, (_, sql) in enumerate(self.questions, 1):
            station.wait("window", state="answer", turn=number)
            self.send_answer(station, sql, number)
            done()

    def alone(self, station: RunningStation, done: Callable[[], object]) -> None:
        """Both parts of each turn, one after the other."""
        for number, (query, sql) in enumerate(self.questions, 1):
            station.wait("window", state="transcribe", turn=number)
            self.send_query(station, query)
            station.wait("window", state="answer", turn=number)
            self.send_answer(station, sql, number)
            done()

    def send_query(self, station: RunningStation, query: str) -> None:
        station.wait("query", focus=True)
        self.type(station, "query", query)
        station.keys("Ctrl+Return")

    def send_answer(self, station: RunningStation, sql: str, number: int) -> None:
        time.sleep(len(sql) * self.key_s)
        run_statements(station, [sql])
        station.keys("Ctrl+Shift+Return")
        station.wait("window", answered_turn=number)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=sized(40, 3))
    parser.add_argument("--key-ms", type=float, default=40)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    work = Work(read_questions(options.turns), options.key_ms / 1000)
    print(f"{options.turns} turns, {options.key_ms:.0f} ms a key, the subject asks on")
    for _ in range(options.rounds):
        alone, two = play(work, ()), play(work, (("tess", "transcriber"), ("ann", "answerer")))
        for name, sitting in (("one wizard", alone), ("two chairs", two)):
            pace = 3600 * sitting.answered / sitting.seconds
            people = ", ".join(sitting.people)
            print(f"{name:12s} {sitting.seconds:7.1f} s  {pace:6.0f} turns an hour  answers by {people}")
        print(f"two chairs against one wizard: {alone.seconds / two.seconds:.2f} x")


def read_questions(turns: int) -> list[tuple[str, str]]:
    """(query, SQL) of as many questions, from the beginning again where there are not enough."""
    asked = itertools.cycle((one.question, one.sql) for one in paraphrases())
    return list(itertools.islice(asked, turns))


def play(work: Work, people: tuple[tuple[str, str], ...]) -> Sitting:
    """One session: the host alone, or with these people in chairs."""
    with tempfile.TemporaryDirectory(prefix="curtain-chairs-") as scratch, ExitStack() as stack:
        stage, chairs = _stations(Path(scratch), people, stack)
        begin_session(stage, "c00")
        for chair in chairs:
            chair.wait("window", state="idle", people={"contains": people[-1][1]})
        room = threading.Semaphore(AHEAD)
        jobs: list[Callable[[], None]] = [lambda: _ask_all(stage, len(work.questions), room)]
        if chairs:
            jobs += [lambda: work.transcribe(chairs[0]), lambda: work.answer(chairs[1], room.release)]
        else:
            jobs += [lambda: work.alone(stage.wizard, room.release)]
        began = time.monotonic()
        _at_once(jobs)
        seconds = time.monotonic() - began
        turns = read_turns(Bundle(end_session(stage)))
        answered = [turn for turn in turns if turn.reply is not None and turn.reply.outcome == "answer"]
        by = {turn.reply.wizard_id or "the wizard" for turn in answered if turn.reply}
        return Sitting(seconds, len(answered), tuple(sorted(by)))


def _stations(
    folder: Path, people: tuple[tuple[str, str], ...], stack: ExitStack
) -> tuple[Stage, list[RunningStation]]:
    place, address = Place.make(folder, drafts=False), free_address()
    options = ["--study", str(place.study), "--listen", place.link, *(["--chairs", address] if people else [])]
    env = {"QT_QPA_PLATFORM": "offscreen"}
    host = stack.enter_context(RunningStation("wizard", options, folder / "host.txt", env | own_places(folder, "host")))
    write_noise(place.silence, 0.02, None)
    options = ["--connect", place.link, "--mic-file", str(place.silence), "--spool", str(place.spool)]
    subject = stack.enter_context(
        # The home of the host, with which it shares a computer.
        RunningStation("subject", options, folder / "subject.txt", env | own_places(folder, "host"))
    )
    sound = StepSound(tone(folder), 0.5)
    stage = Stage(host, subject, replay_into(subject), sounds={0: sound, 1: sound})
    chairs = []
    for who, role in people:
        shown, code = code_for(host, role)
        options = [
            "--study", str(place.study), "--join", address, "--chair", role, "--wizard", who,
            "--code", code,
        ]  # fmt: skip
        chairs.append(
            stack.enter_context(RunningStation("wizard", options, folder / f"{who}.txt", env | own_places(folder, who)))
        )
        # Each pairing makes another code.
        host.wait("room_code", text={"not": shown})
    return stage, chairs


def _ask_all(stage: Stage, turns: int, room: threading.Semaphore) -> None:
    for _ in range(turns):
        if not room.acquire(timeout=PATIENCE_S):
            # The problem of whoever works is the one to read.
            return
        stage.subject.ask("press", key="Space")
        stage.subject.wait("window", state="listening")
        stage.voice(stage.sounds[1])
        stage.subject.ask("release", key="Space")
        stage.subject.wait("window", state={"not": "listening"})
        # A shorter gap would be taken for keyboard repeat.
        time.sleep(BREATH_S)


def _at_once(jobs: list[Callable[[], None]]) -> None:
    """All of them beside each other, each with stations of its own. Raises the first problem."""
    problems: list[BaseException] = []

    def carried_out(job: Callable[[], None]) -> None:
        try:
            job()
        except BaseException as error:  # told to whoever waits
            problems.append(error)

    threads = [threading.Thread(target=carried_out, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


if __name__ == "__main__":
    main()
