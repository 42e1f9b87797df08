"""Whether a picture is older than the code of its window: `python docs/picture_age.py` lists those that are.

Beside the pictures lies the sum of that code as it was when each was made. `make shots` writes it, `make docs` asks.
"""

from __future__ import annotations

import hashlib
import json
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MADE = ROOT / "docs" / "pictures" / "made.json"
# Folders that are not there (a room may have moved) give nothing.
DRAWN_BY = {
    "home settings timeline": ("companions/home/curtain_home",),
    "annotate rulings": ("curtain/review",),
    "judge adjudicate": ("companions/judge/curtain_judge/window",),
    "subject lab-microphone questionnaire": ("subject_app/pages",),
    "pairing": ("companions/rooms/curtain_rooms",),
    "wizard lab-start lab-message missing grey-words train chair": ("wizard_app/window",),
    "experiment": ("wizard_app/window", "companions/experiments/curtain_experiments/desk"),
    "booths chairs-*": ("wizard_app/window", "companions/rooms/curtain_rooms"),
    "both": ("wizard_app/window", "subject_app/pages"),
}


def code_of(name: str) -> tuple[str, ...]:
    """The folders that draw this picture; none for one that shows no window."""
    found = (folders for names, folders in DRAWN_BY.items() if any(fnmatch(name, one) for one in names.split()))
    return next(found, ())


def sum_of(name: str) -> str:
    files = sorted(path for folder in code_of(name) for path in (ROOT / folder).rglob("*.py"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:16]


def note(name: str) -> None:
    """This picture was made just now."""
    made = json.loads(MADE.read_text("utf-8")) if MADE.exists() else {}
    MADE.write_text(json.dumps({**made, name: sum_of(name)}, indent=0, sort_keys=True) + "\n", "utf-8")


def older() -> list[str]:
    """The pictures whose window has changed since, or of which nothing is known."""
    made = json.loads(MADE.read_text("utf-8")) if MADE.exists() else {}
    pictures = sorted(path.stem for path in MADE.parent.glob("*.png"))
    return [name for name in pictures if code_of(name) and made.get(name) != sum_of(name)]


if __name__ == "__main__":
    if names := older():
        print(f"Older than their windows: {', '.join(names)}. “make shots” makes them anew.")
