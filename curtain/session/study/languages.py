"""The languages that come with Curtain, one file each in `texts/`. Small, since a station reads it before it shows."""

from __future__ import annotations

import tomllib
from pathlib import Path

__all__ = ["ENGLISH", "bundled_languages", "bundled_texts"]

ENGLISH = "en"

_FOLDER = Path(__file__).parent / "texts"


def bundled_languages() -> tuple[str, ...]:
    """The languages by their two letters."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def bundled_texts(language: str) -> dict[str, str]:
    """The texts of one of `bundled_languages()` by their keys."""
    with (_FOLDER / f"{language}.toml").open("rb") as file:
        return tomllib.load(file)
