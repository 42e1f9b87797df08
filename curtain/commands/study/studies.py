"""`curtain study new` and `curtain study texts`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.plural import count_of
from curtain.base.terminal import print_json, print_line, print_table
from curtain.commands.options import AsJson, Domain, Language, Overwrite, StudyFolder, ensure_free_file
from curtain.commands.purposes import OutFile, OutFolder
from curtain.commands.run.check_experiment import offered_scenarios
from curtain.domain.pack.pack import named_pack
from curtain.ports.result import end_with
from curtain.session.study.design import cell_counts, cycle_length, thin_cells
from curtain.session.study.languages import ENGLISH, bundled_languages
from curtain.session.study.study import load_study, new_study
from curtain.session.study.text_packs import load_texts, texts_template
from curtain.session.turns.past_runs import past_runs


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


def plan(study: StudyFolder, as_json: AsJson = False) -> int:
    """Print the cells of an experiment with their complete runs; the exit code, 0. Raises CurtainError."""
    loaded = load_study(study)
    if not loaded.conditions:
        raise CurtainError(f"{loaded.folder} compares no conditions; docs/experiments.md says how a study does.")
    scenarios = offered_scenarios(loaded)
    counts = cell_counts(loaded.conditions, scenarios, past_runs(loaded))
    thin = set(thin_cells(counts))
    if as_json:
        return print_json([
            {"scenario": cell[0], "condition": cell[1], "runs": runs, "few": cell in thin}
            for cell, runs in counts.items()
        ])  # fmt: skip
    ids = [one.id for one in loaded.conditions]
    cells = {cell: f"{runs} few" if cell in thin else f"{runs}" for cell, runs in counts.items()}
    rows = [(scenario, *(cells[scenario, one] for one in ids)) for scenario in scenarios]
    print_table(("scenario", *ids), rows, [False, *(True for _ in ids)])
    length = cycle_length(loaded.design, loaded.conditions, scenarios)
    few = f"{count_of(len(thin), 'cell')} behind the fullest by more than one run" if thin else "no cell is far behind"
    print_line(f"Complete runs so far, without practice and trials; {few}.")
    print_line(f"Order “{loaded.design.order}”: the plans begin anew after {count_of(length, 'subject')}.")
    return 0
