"""`curtain study texts`: a template for another language, or for what a study has now."""

from __future__ import annotations

from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.session.study.languages import ENGLISH, bundled_languages
from curtain.session.study.study import load_study
from curtain.session.study.text_packs import load_texts, texts_template

__all__ = ["write_texts"]


def write_texts(what: str, out: Path | None) -> Path:
    """Write the template and give its path. Raises CurtainError: the file is there already, or cannot be written.

    `what` is a study's folder, or a language by its letters; a language that does not come with Curtain begins English.
    """
    study = Path(what)
    if (study / "study.toml").is_file():
        loaded = load_study(study)
        texts, path = dict(loaded.texts), out or study / "texts.toml"
    elif what.isalpha() and len(what) in (2, 3):
        texts, path = load_texts(what if what in bundled_languages() else ENGLISH), out or Path(f"{what}.toml")
    else:
        raise CurtainError(f"“{what}” is no study and no language; name a study's folder, or a language as “fr”.")
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(texts_template(texts))
    except FileExistsError as error:
        raise CurtainError(f"{path} is there already; name another file with --out.") from error
    except OSError as error:
        raise CurtainError(f"{path} cannot be written: {error.strerror}. Name another file with --out.") from error
    return path
