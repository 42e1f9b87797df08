"""What the subject reads, in one language: one that comes with Curtain, or a lab's file beside its study."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from curtain.base.errors import CurtainError
from curtain.base.settings_file import parse, read_text, refuse_unknown, toml_text
from curtain.session.study.languages import ENGLISH, bundled_languages, bundled_texts
from curtain.session.study.text_names import TEXT_NAMES


class UnknownLanguage(CurtainError):
    """There are no texts in this language; the sentence says which there are."""


def load_texts(language: str, folder: Path | None = None) -> dict[str, str]:
    """The texts of a language by their keys. Raises CurtainError.

    A name that ends in `.toml` is a file, counted from `folder`. A key that such a file leaves out stays English.
    """
    if language.endswith(".toml"):
        path = (folder or Path()) / language
        return load_texts(ENGLISH) | _read(str(path), read_text(path))
    if language not in bundled_languages():
        raise UnknownLanguage(
            f"There are no texts in the language “{language}”. Take {', '.join(bundled_languages())}, or the name of a "
            "file that ends in .toml; “curtain study texts” writes a template."
        )
    return bundled_texts(language)


def texts_template(texts: Mapping[str, str]) -> str:
    """A file for another language: above each text the English one, and as its value what `texts` has for it."""
    bundled = load_texts(ENGLISH)
    lines = [
        "# What the subject reads. Translate what stands in quotes, and name this file in study.toml: language = "
        '"NAME.toml".',
        "# A blank in braces is filled by the station; keep it. A key that is left out stays English.",
        # These are the domain's own where they are left out.
        *(f"# {name} = {toml_text(texts.get(name, ''))}" for name in TEXT_NAMES if name not in bundled),
    ]
    for name, english in bundled.items():
        lines += ["", f"# {toml_text(english)}", f"{name} = {toml_text(texts.get(name, english))}"]
    return "\n".join(lines) + "\n"


def _read(name: str, text: str) -> dict[str, str]:
    keys = parse(name, text)
    refuse_unknown(name, text, keys, TEXT_NAMES)
    try:
        return msgspec.convert(keys, dict[str, str])
    except msgspec.ValidationError as error:
        key = next(key for key, value in keys.items() if not isinstance(value, str))
        raise CurtainError(f"{name}: “{key}” must be a text in quotes.") from error
