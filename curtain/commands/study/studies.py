"""`curtain study new` and `curtain study texts`."""

from pathlib import Path
from typing import Annotated

import typer

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.commands.options import Domain, Language, Overwrite, ensure_free_file
from curtain.commands.purposes import OutFile, OutFolder
from curtain.domain.pack.pack import named_pack
from curtain.ports.result import end_with
from curtain.session.study.languages import ENGLISH, bundled_languages
from curtain.session.study.study import load_study, new_study
from curtain.session.study.text_packs import load_texts, texts_template


def new(
    folder: Annotated[OutFolder, typer.Argument(help="The folder to make.")],
    domain: Domain = "personnel",
    language: Language = "en",
) -> None:
    """Raises CurtainError."""
    # Before the folder is made: a language that there is not leaves nothing behind.
    load_texts(language)
    study = new_study(folder, named_pack(domain).lasting_name, language=language)
    settings = study.folder / "study.toml"
    end_with(f"The study is in {study.folder}; look through {settings} before the first session.", [study.folder])


def texts(
    what: Annotated[str, typer.Argument(metavar="STUDY|LANG", help="A study's folder, or a language such as fr.")],
    out: Annotated[OutFile | None, typer.Option("--out", help="The file to write.")] = None,
    overwrite: Overwrite = False,
) -> None:
    """Write the template. Raises CurtainError: the file is there already, or cannot be written.

    A language that does not come with Curtain begins English.
    """
    study = Path(what)
    if (study / "study.toml").is_file():
        loaded = load_study(study)
        wording, path = dict(loaded.texts), out or study / "texts.toml"
    elif what.isalpha() and len(what) in (2, 3):
        wording, path = load_texts(what if what in bundled_languages() else ENGLISH), out or Path(f"{what}.toml")
    else:
        raise CurtainError(f"“{what}” is no study and no language; name a study's folder, or a language as “fr”.")
    ensure_free_file(path, overwrite)
    with os_errors_as(f"{path} cannot be written", CurtainError, " Name another file with --out."):
        replace_file(path, texts_template(wording).encode())
    end_with(f'The texts are in {path}. Translate them, and write language = "{path.name}" into study.toml.', [path])
