"""What an export of a large corpus takes: memory, time against the number of turns, time against `cp`.

    python bench/corpus.py [--turns 100000] [--heard 20000] [--tables parquet ...] [--sounds huggingface kaldi ...]

Bundles are made by copying one session of 100 turns under other names. `--turns` of them go through the formats that
hold no recordings, `--heard` of them, with half a second of sound each, through those that do; each also a tenth of
it. An export is `curtain export` in a process of its own, whose own account gives memory and processor time; `cp -r`
copies the same sessions in the same run, and both end when the bytes are on the disk.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import time
import wave
import zlib
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from size import SMALL, sized

from curtain.base.table import Table
from curtain.session.bundle.bundle import Bundle
from curtain.session.consent import SCOPES
from curtain.session.events import subject_events as s
from curtain.session.events import wizard_events as w
from curtain.session.journal.lines import JournalEntry, write_line
from curtain.session.study.ids import session_id, utterance_id
from curtain.session.study.study import new_study

MOST_MEMORY_MB = 500
MOST_TIMES = 11
A_SESSION = 100
RATE = 16000
NAME = "aaa-01"
SCENARIO_STARTED = 4
"""The number of that line in the wizard's journal."""
WALL = "2026-03-01T09:00:00.000Z"


@dataclass(frozen=True)
class Cost:
    """Seconds by the clock, seconds of the processor, greatest memory in MB."""

    wall: float
    cpu: float
    memory: float


def lines_of(facts: list[tuple[msgspec.Struct, int | None]]) -> bytes:
    lines = []
    for seq, (fact, turn) in enumerate(facts, 1):
        data = msgspec.to_builtins(fact)
        lines.append(write_line(JournalEntry(seq, turn, seq * 500_000_000, WALL, data.pop("type"), data)))
    return b"".join(lines)


def subject_lines(frames: int, sha256: str) -> bytes:
    facts: list[tuple[msgspec.Struct, int | None]] = [
        (s.SubjectEpoch(number=1, app_version="0.1.0", pid=2, session_id=NAME), None),
        (s.Painted(what="scenario", id=SCENARIO_STARTED), None),
    ]
    for turn in range(1, A_SESSION + 1):
        saved = s.TakeSaved(
            utterance_id=utterance_id(NAME, turn),
            frames=frames,
            sample_rate=RATE,
            sha256=sha256,
            peak_dbfs=-14.0,
            clipped=0,
            key_down_frame=0,
            key_up_frame=frames,
        )
        facts += [
            (s.KeyDown(source="key", pressed_ns=0), turn),
            (s.KeyUp(released_ns=1, held_ms=500), turn),
            (saved, turn),
        ]
    return lines_of(facts)


def wizard_lines() -> bytes:
    opened = w.SessionOpened(
        session_id=NAME, speaker_id=NAME[:3], wizard_ids=["w1"], scenario_ids=["team"], pilot=False
    )
    facts: list[tuple[msgspec.Struct, int | None]] = [
        (w.WizardEpoch(number=1, app_version="0.1.0", pid=1, session_id=NAME), None),
        (opened, None),
    ]
    facts += [(w.LinkRestored(subject_epoch=1, offset_ns=0, rtt_ns=1000), None)]
    facts += [(w.ScenarioStarted(scenario_id="team", number=1, of=1, practice=False), None)]
    for turn in range(1, A_SESSION + 1):
        sql = f"SELECT work_phone FROM employee WHERE last_name = 'LEASE' AND salary > {turn}"
        table = Table(headings=["Phone"], rows=[["6218"]], numeric=[False], total=1)
        answers = {"sql": sql, "cas_min": '(("6218"))', "cas_max": '(("6218" 1028 "LEASE" "SHARON"))', "sql_max": sql}
        facts += [
            (w.TakeHeard(), turn),
            (w.QuerySent(text=f"what is the phone number of sharon lease in department {turn}"), turn),
            (w.StatementRun(sql=sql, rows=1, ms=7), turn),
            (w.AnswerSent(table=table, yes_no=False, max_error=None, **answers), turn),
        ]
    return lines_of(facts)


def renamed(lines: bytes, session: str) -> bytes:
    """The same journal of another session, with checksums of its own."""
    bodies = (line[:-18] for line in lines.replace(NAME.encode(), session.encode()).splitlines())
    bodies = (body.replace(b'"speaker_id":"aaa"', b'"speaker_id":"%s"' % session[:3].encode()) for body in bodies)
    return b"".join(b'%s,"crc":"%08x"}\n' % (body, zlib.crc32(body)) for body in bodies)


def make(folder: Path, turns: int, frames: int) -> Path:
    """A study of so many turns; with `frames` of sound each, or none."""
    study = new_study(folder, "personnel")
    sound = sound_of(frames)
    subject, wizard = subject_lines(frames, hashlib.sha256(sound).hexdigest()), wizard_lines()
    # Sound leaves only under a consent that covers it.
    consent = {"consent_id": "bench", "consent_scopes": list(SCOPES), "consent_signed_on": "2026-03-01"}
    about = {
        "pilot": False,
        "principles": 1992,
        **consent,
        "wizard_ids": ["w1"],
        "domain": "personnel",
        "domain_content_sha256": "5" * 64,
        "app_version": "0.1.0",
    }
    for number in range(turns // A_SESSION):
        name = session_id(np.base_repr(number // 4, 36).lower().zfill(3), number % 4 + 1)
        bundle = Bundle.create(study, name, about)
        bundle.subject_journal.write_bytes(renamed(subject, name))
        bundle.wizard_journal.write_bytes(renamed(wizard, name))
        if frames:
            speak(bundle, name, sound)
    return study.folder


def sound_of(frames: int) -> bytes:
    """Noise as a WAV file."""
    held = io.BytesIO()
    with wave.open(held, "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(os.urandom(2 * frames))
    return held.getvalue()


def speak(bundle: Bundle, name: str, sound: bytes) -> None:
    """One recording a session under a hundred names; whoever copies it copies a hundred files."""
    first = bundle.utterance(utterance_id(name, 1))
    first.write_bytes(sound)
    for turn in range(2, A_SESSION + 1):
        os.link(first, bundle.utterance(utterance_id(name, turn)))


def cost(*command: str) -> Cost:
    """What a process takes. Raises CalledProcessError."""
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Cost(time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def exported(study: Path, format_name: str, out: Path) -> Cost:
    options = ("export", str(study), "--include-live", "--format", format_name, "--out", str(out))
    return cost(sys.executable, "-m", "curtain", *options)


def copied(study: Path, out: Path) -> Cost:
    """`cp -r` of the sessions, recordings as files of their own."""
    line = 'cp -r --preserve=mode "$1" "$2" && sync -f "$2"'
    return cost("sh", "-c", line, "sh", str(study / "sessions"), str(out))


def size_mb(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def measure(folder: Path, formats: list[str], turns: int, frames: int) -> bool:
    """Whether every format stays within both bounds."""
    few, many = (make(folder / f"{count}", count, frames) for count in (turns // 10, turns))
    mb = size_mb(many / "sessions")
    print(f"{turns:,} turns, {mb:,.0f} MB of sessions, {frames / RATE:g} s of sound each")
    return all([measure_one(folder, name, few, many, turns, mb) for name in formats])


def measure_one(folder: Path, name: str, few: Path, many: Path, turns: int, mb: float) -> bool:
    # A tenth before and a tenth after, since the machine's pace may change meanwhile.
    before = exported(few, name, folder / f"before-{name}")
    copy = copied(many, folder / f"copy-{name}")
    large = exported(many, name, folder / f"many-{name}")
    after = exported(few, name, folder / f"after-{name}")
    times = 2 * large.cpu / (before.cpu + after.cpu)
    by_the_clock = 2 * large.wall / (before.wall + after.wall)
    within = large.memory < MOST_MEMORY_MB and times <= MOST_TIMES
    print(
        f"  {name:<12} {large.wall:6.1f} s ({large.cpu:.1f} s of the processor), {large.memory:4.0f} MB at most, "
        f"{times:4.1f} times the processor time of a tenth ({by_the_clock:.1f} by the clock); "
        f"cp {copy.wall:.1f} s: {copy.wall / large.wall:.3f} of its rate, {mb / large.wall:.1f} MB/s"
        f"{'' if within else '   BEYOND ITS BOUNDS'}",
        flush=True,
    )
    return within


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=sized(100_000, 1_000))
    parser.add_argument("--heard", type=int, default=sized(20_000, 1_000))
    parser.add_argument("--tables", nargs="*", default=["parquet"])
    parser.add_argument("--sounds", nargs="*", default=["huggingface", "kaldi"])
    asked = parser.parse_args()
    print(f"to reach: less than {MOST_MEMORY_MB} MB, ten times the turns in at most {MOST_TIMES} times the time")
    within = True
    for formats, turns, frames in ((asked.tables, asked.turns, 0), (asked.sounds, asked.heard, RATE // 2)):
        if formats:
            with tempfile.TemporaryDirectory(prefix="curtain-bench-") as folder:
                within &= measure(Path(folder), formats, turns, frames)
    sys.exit(0 if within or SMALL else 1)


if __name__ == "__main__":
    main()
