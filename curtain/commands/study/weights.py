"""`curtain model list`, `get`, `check` and `remove`: the weights of this user."""

from typing import Annotated

import typer

from curtain.base.errors import CurtainError
from curtain.base.progress_bar import progress_bar
from curtain.base.record_file import by_name
from curtain.base.terminal import print_error, print_json, print_line, print_table
from curtain.commands.options import AsJson, Yes, ask_in_terminal
from curtain.commands.purposes import OutFolder
from curtain.domain.pack.trust import model_agreement
from curtain.weights.shelf import Weights, catalogue, damage_in, ensure_room, fetch, remove, weights_named

Name = Annotated[str, typer.Argument(help="A model of “curtain model list”.")]
Names = Annotated[list[str] | None, typer.Argument(help="Models; all that are on this machine by default.")]
NewFolder = Annotated[
    OutFolder | None, typer.Option("--out", help="The folder to make, in place of that of your models.")
]


def list_models(as_json: AsJson = False) -> None:
    """Print every model of the catalogue, and where it lies."""
    models = list(catalogue().values())
    if as_json:
        print_json([by_name(one, "name", "kind", "about", "licence", "megabytes", "is_here") for one in models])
        return
    print_table(
        ["model", "what it does", "MB", "licence", "on this machine"],
        [[one.name, one.about, f"{one.megabytes:,}", one.licence, "yes" if one.is_here else ""] for one in models],
        [False, False, True, False, False],
    )
    here = next((str(one.folder.parent) for one in catalogue().values() if one.is_here), "")
    print_line(f"They lie in {here}." if here else "None is on this machine yet: “curtain model get NAME”.")


def get(name: Name, out: NewFolder = None, yes: Yes = False) -> None:
    """Says size, licence and place first, and asks. Raises CurtainError."""
    model = weights_named(name)
    folder = out or model.folder
    if out is None and model.is_here:
        print_line(f"The model {name} is there already: {folder}.")
        return
    print_error(
        f"{name} {model.about}: {model.megabytes:,} MB from {model.source}, licence {model.licence}, into {folder}."
    )
    if not yes and not ask_in_terminal("Fetch it?"):
        raise CurtainError("Nothing was fetched. Add --yes to fetch without being asked.")
    ensure_room(model, folder)
    with progress_bar() as report:
        fetch(model, folder, lambda share: report(f"fetching {name}", share))
    if out is not None:
        # Who fetched it has agreed to it.
        model_agreement(folder.absolute()).give()
    print_line(f"{folder}: {_next_step(model, str(folder.absolute()) if out else name)}")


def _next_step(model: Weights, named: str) -> str:
    if model.kind == "ear":
        return f'write [asr] with model = "{named}" into study.toml, and transcribe = true.'
    if model.kind == "meaning":
        return "drafts find answered questions by meaning from the next start on."
    return f"“curtain model serve {named} --study STUDY” serves it."


def check(models: Names = None) -> int:
    """The exit code: 1 if a file is missing or changed. Raises CurtainError."""
    chosen = [*map(weights_named, models or [one.name for one in catalogue().values() if one.is_here])]
    damage = [sentence for model in chosen for sentence in damage_in(model)]
    for sentence in damage:
        print_line(sentence)
    if not damage:
        print_line(f"{', '.join(one.name for one in chosen) or 'No model'}: every file is as it was fetched.")
    return 1 if damage else 0


def remove_model(name: Name, yes: Yes = False) -> None:
    """Delete a model from this machine, after asking. Raises CurtainError."""
    model = weights_named(name)
    print_error(f"{model.folder} will be deleted; “curtain model get {name}” brings {model.megabytes:,} MB again.")
    if not yes and not ask_in_terminal("Delete it?"):
        raise CurtainError("Nothing was deleted. Add --yes to delete without being asked.")
    remove(model)
    print_line(f"{name} is no longer on this machine.")
