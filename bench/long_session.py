"""Whether the last turns of a long session cost what the first did: time to the subject's screen, and memory.

    python bench/long_session.py [--turns 400] [--part 100]

Both stations play one session through their windows. The times come from the two journals (one monotonic clock on one
machine): the median of the first part of the session beside that of the last, each turn with the same work. The memory
is what the process of each station holds (resident set) after the first part and at the end, and the growth between
them in KB a turn. A turn takes 1 to 1.5 s, so the default takes at most ten minutes. A session has at most 999 turns.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]
from size import sized
from two_rooms import spans_of, write_noise

from curtain.rehearsal import player, stage
from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stations import RunningStation
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.ids import LAST_TURN
from curtain.session.study.study import NO_PRACTICE, new_study
from curtain.session.turns.turns import Turn, read_turns

SPOKEN_S = 0.25  # a press must last 0.2 s to be speech
MIB = 1024 * 1024
TURNS = sized(400, 4)
SPANS = [
    ("answer sent -> painted at the subject's", "answer_sent", "painted"),
    ("query sent -> painted at the subject's", "query_sent", "query_painted"),
    ("release -> “one moment” painted", "key_up", "one_moment_painted"),
    ("release -> take playing at the wizard's", "key_up", "heard"),
]


@dataclass(frozen=True)
class Memory:
    """MiB that the two processes hold after a turn."""

    turn: int
    wizard: float
    subject: float


def main() -> None:
    options = _options()
    part = max(1, min(options.part, options.turns // 2))
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(prefix="curtain-long-") as scratch:
        began = time.monotonic()
        bundle, held = _play(Path(scratch), options.turns, part)
        played_s = time.monotonic() - began
        turns = [turn for turn in read_turns(Bundle(bundle)) if turn.outcome == "answer"]
        print(f"{len(turns)} turns in {played_s:.0f} s; parts of {part} turns")
        for line in [*_times(turns, part), *_memory(held)]:
            print(line)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=TURNS, choices=range(2, LAST_TURN + 1), metavar="N")
    parser.add_argument("--part", type=int, default=sized(100, 2))
    return parser.parse_args()


def _play(scratch: Path, count: int, part: int) -> tuple[Path, list[Memory]]:
    held: list[Memory] = []
    with _session(scratch) as played:
        for number in range(1, count + 1):
            player.play_step(played, number, _step(number))
            if number in (part, count):
                held.append(Memory(number, _mib(played.wizard), _mib(played.subject)))
            if number % part == 0:
                print(f"turn {number}", file=sys.stderr)
        return player.end_session(played), held


@contextmanager
def _session(scratch: Path) -> Iterator[stage.Stage]:
    study = new_study(scratch / "study", "personnel", practice=NO_PRACTICE, take_back_s=0).folder
    plan = stage.RehearsalPlan(script=scratch / "script.jsonl", domain="personnel", study=study, headless=True)
    sound = stage.StepSound(write_noise(scratch / "noise.wav", SPOKEN_S, 1), SPOKEN_S)
    hum = stage.StepSound(write_noise(scratch / "hum.wav", 0.6, 2), 0.6)
    with stage.two_stations(plan, study, scratch) as played:
        played.sounds = _Same(hum, sound)
        player.begin_session(played, "e00")
        yield played


class _Same(dict[int, stage.StepSound]):
    """Every turn is spoken with one sound; 0 is the microphone test."""

    def __init__(self, test: stage.StepSound, spoken: stage.StepSound) -> None:
        super().__init__({0: test})
        self._spoken = spoken

    def __missing__(self, number: int) -> stage.StepSound:
        return self._spoken


def _step(number: int) -> ScriptStep:
    """Another query each time, since equal ones could be answered from memory; always the same work."""
    sql = f"SELECT employee_id, last_name, first_name, job_title FROM employee WHERE employee_id > {number} LIMIT 40"
    return ScriptStep(do="turn", query=f"question number {number}", sql=[sql])


def _mib(station: RunningStation) -> float:
    return float(psutil.Process(station.process.pid).memory_info().rss) / MIB


def _times(turns: Sequence[Turn], part: int) -> Iterator[str]:
    for name, start, end in SPANS:
        first, last = (
            statistics.median(spans_of([one.as_json() for one in some], start, end))
            for some in (turns[:part], turns[-part:])
        )
        yield f"{name:46s} median {first:7.1f} ms in the first part {last:7.1f} ms in the last"


def _memory(held: Sequence[Memory]) -> Iterator[str]:
    first, last = held[0], held[-1]
    for name in ("wizard", "subject"):
        before, after = getattr(first, name), getattr(last, name)
        at = f"{before:6.1f} MiB at turn {first.turn}, {after:6.1f} MiB at turn {last.turn}"
        growth = (after - before) * 1024 / (last.turn - first.turn)
        yield f"memory of the {name}'s station: {at}, {growth:+.1f} KB a turn"


if __name__ == "__main__":
    main()
