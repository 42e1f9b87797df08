"""What the tree weighs, in lines of Python and of pages. Each limit only goes down: who adds gives back first."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

MOST_LINES = {"core": 67_816, "companions": 42_440, "tests": 65_043, "browser": 2_978}

PRODUCT = ("curtain", "wizard_app", "subject_app", "companions")

# Parts of companions that still stand in the core, since something of it needs them, too: its two formats, `curtain
# sessions`, and of the models more than one companion. A folder ends in a slash.
COMPANIONS = (
    "companions/", "curtain/corpus/exports/card.py", "curtain/corpus/exports/census.py",
    "curtain/corpus/exports/release.py", "curtain/corpus/exports/recordings.py", "curtain/commands/sessions/facts.py",
    "curtain/commands/sessions/study_reader.py", "curtain/weights/", "curtain/commands/study/weights.py",
)  # fmt: skip


def part_of(path: str) -> str:
    if path.startswith("tests/") or "/tests/" in path:
        return "tests"
    if path.startswith("companions/browser/"):
        return "browser"
    return "companions" if path.startswith(COMPANIONS) else "core"


def weights() -> dict[str, int]:
    lines = dict.fromkeys(MOST_LINES, 0)
    for file in (one for top in (*PRODUCT, "tests") for kind in ("*.py", "page/*") for one in (ROOT / top).rglob(kind)):
        lines[part_of(file.relative_to(ROOT).as_posix())] += len(file.read_bytes().splitlines())
    return lines


@pytest.mark.parametrize("part", MOST_LINES)
def test_no_part_weighs_more_than_before(part: str) -> None:
    assert weights()[part] <= MOST_LINES[part]


def test_each_place_of_a_companion_is_there() -> None:
    assert [place for place in COMPANIONS if not (ROOT / place).exists()] == []
