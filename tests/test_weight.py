"""What the tree weighs, in lines of Python and of pages. Each limit only goes down: who adds gives back first."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

MOST_LINES = {"core": 70_312, "companions": 42_719, "tests": 68_805, "browser": 2_997}

PRODUCT = ("curtain", "wizard_app", "subject_app", "companions")

# What can stand behind a port. A path ends in a slash where a whole folder is meant; “!” takes a part out again.
COMPANIONS: dict[str, tuple[str, ...]] = {
    "corpora": (
        "curtain/corpus/exports/card.py", "curtain/corpus/exports/census.py",
        "curtain/corpus/exports/release.py", "curtain/corpus/exports/recordings.py",
    ),
    "home": ("curtain/commands/sessions/facts.py", "curtain/commands/sessions/study_reader.py"),
    "ear": (
        "curtain/weights/", "curtain/commands/study/weights.py",
    ),
}  # fmt: skip


def belongs(path: str, places: tuple[str, ...]) -> bool:
    kept_out = any(path.startswith(place[1:]) for place in places if place.startswith("!"))
    return not kept_out and any(path.startswith(place) for place in places if not place.startswith("!"))


def part_of(path: str) -> str:
    if path.startswith("tests/") or "/tests/" in path:
        return "tests"
    if path.startswith("companions/browser/"):
        return "browser"
    away = path.startswith("companions/") or any(belongs(path, places) for places in COMPANIONS.values())
    return "companions" if away else "core"


def weights() -> dict[str, int]:
    lines = dict.fromkeys(MOST_LINES, 0)
    for file in (one for top in (*PRODUCT, "tests") for kind in ("*.py", "page/*") for one in (ROOT / top).rglob(kind)):
        lines[part_of(file.relative_to(ROOT).as_posix())] += len(file.read_bytes().splitlines())
    return lines


@pytest.mark.parametrize("part", MOST_LINES)
def test_no_part_weighs_more_than_before(part: str) -> None:
    assert weights()[part] <= MOST_LINES[part]


def test_each_place_of_a_companion_is_there() -> None:
    places = [place.removeprefix("!") for places in COMPANIONS.values() for place in places]
    assert [place for place in places if not (ROOT / place).exists()] == []
