"""Makes the courses of the bundled domains: plays each script with `curtain rehearse` and packs what was recorded.

    python tools/courses.py [DOMAIN ...]

`sample_db/DOMAIN/course/` then holds `course.json` and a small OGG file for each turn. The times of the rehearsal are
no wizard's, so they are left out.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
import soundfile

from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.session.study.study import new_study
from curtain_practice.course import COURSE_FILE, Exercise, StepTimes, course_of, read_course

SAMPLES = Path(__file__).resolve().parent.parent / "sample_db"
DOMAINS = ("personnel", "atis")


def main() -> None:
    """Make the courses of the domains that are named, or of all."""
    for domain in sys.argv[1:] or DOMAINS:
        folder = SAMPLES / domain / "course"
        with tempfile.TemporaryDirectory(prefix="curtain-course-") as scratch:
            study = Path(scratch) / "study"
            new_study(study, domain, practice="none")
            rehearse = ["curtain", "rehearse", str(folder / "script.jsonl"), "--out", str(study), "--headless"]
            subprocess.run(rehearse, check=True)
            pack(study, domain, folder)
        print(f"{folder}: {len(read_course(folder / COURSE_FILE).exercises)} turns")


def pack(study: Path, domain: str, folder: Path) -> None:
    """Turn the study's session into the course's files."""
    for old in folder.glob("*.ogg"):
        old.unlink()
    course = course_of(open_corpus([study], Filters(live=True)), f"{domain}: 30 recorded turns", domain)
    packed = [_packed(exercise, number, folder) for number, exercise in enumerate(course.exercises, 1)]
    course = msgspec.structs.replace(course, exercises=tuple(packed))
    (folder / COURSE_FILE).write_bytes(msgspec.json.format(msgspec.json.encode(course), indent=1) + b"\n")


def _packed(exercise: Exercise, number: int, folder: Path) -> Exercise:
    samples, rate = soundfile.read(exercise.audio, dtype="int16")
    name = f"turn-{number:02}.ogg"
    soundfile.write(folder / name, samples, rate, format="OGG", subtype="VORBIS")
    return msgspec.structs.replace(exercise, utterance_id=name[:-4], audio=name, times=StepTimes())


if __name__ == "__main__":
    main()
