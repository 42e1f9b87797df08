"""What reading journals takes, against a plain reader of the same lines, side by side in one run.

    python bench/reading.py [--turns 20000] [--rounds 3]

The plain reader checks and parses each line with Python's own JSON and makes each fact through the union of all types.
It reads every journal three times (for its damage, for its turns, for its recordings) and every fact three times, as a
reader does who asks anew for each thing. Curtain reads both once. Both must find the same facts. At the
end whole sessions are read, and the windows that list them are opened: from
their start until the list can be used, and until all is read (Linux alone says their memory).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zlib
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Union

import corpus as made
import msgspec
from size import SMALL, processor_s, sized

from curtain.corpus.model.corpus import open_corpus
from curtain.session.events import subject_events, wizard_events
from curtain.session.events.facts import subject_lines, wizard_lines
from curtain.session.journal.journals import SUBJECT, WIZARD, Journals

AT_LEAST = 3.0
_TAIL = len(',"crc":"00000000"}\n')

_UNIONS = {SUBJECT: Union[*subject_events.KINDS.values()], WIZARD: Union[*wizard_events.KINDS.values()]}


def plainly(folder: Path) -> list[Any]:
    """The facts of both journals, by a reader without any haste."""
    for _ in range(2):
        for name in _UNIONS:
            plain_lines(folder / name)
    read = {name: plain_lines(folder / name) for name in _UNIONS}
    for _ in range(2):
        plain_facts(read)
    return plain_facts(read)


def plain_lines(path: Path) -> list[dict[str, Any]]:
    found = []
    with path.open("rb") as file:
        for line in file:
            body = line[:-_TAIL]
            if line[-_TAIL:] != b',"crc":"%08x"}\n' % zlib.crc32(body):
                raise ValueError(f"{path} is damaged")
            found.append(json.loads(body + b"}"))
    return found


def plain_facts(read: dict[str, list[dict[str, Any]]]) -> list[Any]:
    return [
        msgspec.convert({**line["data"], "type": line["type"]}, type=_UNIONS[name])
        for name, lines in read.items()
        for line in lines
    ]


def curtains(folder: Path) -> list[Any]:
    """The same facts, as every reader in Curtain gets them."""
    journals = Journals(folder)
    lines = (*subject_lines(journals.subject.entries), *wizard_lines(journals.wizard.entries))
    return [line.fact for line in lines]


def by_the_clock(study: Path) -> float:
    started = time.perf_counter()
    deque(open_corpus([study]).sessions(), 0)
    return time.perf_counter() - started


def opening(study: Path) -> Iterator[str]:
    """Seconds from the start of each window until its list can be used, and until all is read, with its memory."""
    count = len(list((study / "sessions").iterdir()))
    with tempfile.TemporaryDirectory() as state:
        memory = Path(state) / "curtain" / "home.json"
        memory.parent.mkdir()
        memory.write_text(json.dumps({"studies": [str(study)]}), "utf-8")
        env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_DATA_HOME": state}
        annotate = ["curtain.review", "--study", str(study), "--by", "bench"]
        for module, usable in ((["curtain_home"], {"sessions": count}), (annotate, {"state": "annotating"})):
            started = time.perf_counter()
            command = [sys.executable, "-m", *module, "--drive"]
            with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as window:
                assert window.stdin is not None and window.stdout is not None
                window.stdout.readline()
                for wanted in (usable, {"unread": 0}):
                    order = {"do": "wait", "name": "window", "is": wanted, "timeout_ms": 120_000}
                    window.stdin.write(json.dumps(order).encode() + b"\n")
                    window.stdin.flush()
                    assert json.loads(window.stdout.readline())["ok"], wanted
                    held = int(Path(f"/proc/{window.pid}/status").read_text().split("VmHWM:")[1].split()[0]) / 1024
                    yield f"{module[0]}, {wanted}: {time.perf_counter() - started:.1f} s, {held:.0f} MiB"
                window.stdin.close()
        listed = made.cost(sys.executable, "-m", "curtain", "sessions", str(study))
        yield f"curtain sessions: {listed.wall:.1f} s, {listed.memory:.0f} MiB"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=sized(20_000, 100))
    parser.add_argument("--rounds", type=int, default=sized(3, 1))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="curtain-bench-") as place:
        study = made.make(Path(place) / "study", asked.turns, 0)
        folders = sorted((study / "sessions").iterdir())
        assert curtains(folders[0]) == plainly(folders[0])
        ratios = []
        for _ in range(asked.rounds):
            plain = processor_s(lambda: [plainly(folder) for folder in folders])
            ours = processor_s(lambda: [curtains(folder) for folder in folders])
            ratios.append(plain / ours)
            print(
                f"{asked.turns:,} turns: plain {plain:.2f} s, Curtain {ours:.2f} s of the processor: {plain / ours:.1f}"
            )
        print(f"whole sessions by the clock: {by_the_clock(study):.1f} s")
        print(f"{len(folders)} sessions")
        for line in opening(study):
            print(line)
    print(f"to reach: {AT_LEAST} times faster than the plain reader; worst of {asked.rounds}: {min(ratios):.1f}")
    sys.exit(0 if min(ratios) >= AT_LEAST or SMALL else 1)


if __name__ == "__main__":
    main()
