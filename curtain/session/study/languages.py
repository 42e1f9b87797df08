"""The languages that come with Curtain, one file each in `texts/`. Small, since a station reads it before it shows."""

import re
import tomllib
from pathlib import Path
from typing import Any

ENGLISH = "en"
_UNKNOWN = "und"
"""BCP 47 for a language that is not named."""

_FOLDER = Path(__file__).parent / "texts"
_FORMS = Path(__file__).parent / "consent_forms"


def bundled_languages() -> tuple[str, ...]:
    """The languages by their two letters."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def bundled_texts(language: str) -> dict[str, str]:
    """The texts of one of `bundled_languages()` by their keys."""
    with (_FOLDER / f"{language}.toml").open("rb") as file:
        return tomllib.load(file)


def consent_form(language: str) -> dict[str, Any]:
    """The words of the form that a subject signs, `allow` among them; in English where the language has none."""
    path = _FORMS / f"{language.partition('-')[0]}.toml"
    with (path if path.is_file() else _FORMS / f"{ENGLISH}.toml").open("rb") as file:
        return tomllib.load(file)


def language_code(language: str) -> str:
    """A study's language (`en`, or a file such as `texts/pt-BR.toml`) by BCP 47; `und` where the name is none."""
    name = Path(language).stem.replace("_", "-")
    return name if re.fullmatch(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?", name) else _UNKNOWN
