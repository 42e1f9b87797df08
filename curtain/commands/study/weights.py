"""`curtain model list`, `get`, `check` and `remove`: the weights of this user, and how well models hear."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Annotated

import msgspec
import typer

from curtain.base.edit_distance import edits
from curtain.base.errors import CurtainError
from curtain.base.progress_bar import progress_bar
from curtain.base.record_file import by_name
from curtain.base.terminal import print_error, print_json, print_line, print_table
from curtain.commands.options import AsJson, Yes, ask_in_terminal
from curtain.domain.pack.trust import model_agreement
from curtain.drafting.settings import MODEL_FILES
from curtain.recognition.models import EAR, MODEL_PATTERNS, model_of
from curtain.recognition.transcriber import NoTranscriber
from curtain.weights.shelf import Weights, catalogue, damage_in, ensure_room, fetch, remove, weights_named

Name = Annotated[str, typer.Argument(help="A model of “curtain model list”.")]
Names = Annotated[list[str] | None, typer.Argument(help="Models; all that are on this machine by default.")]
NewFolder = Annotated[Path | None, typer.Option("--out", help="The folder to make, in place of that of your models.")]
# Of the thirty recorded questions that come with the air travel database.
_EACH = 4


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
        # Who fetched it has agreed to it, by the files for which a study that names it is asked.
        patterns = {EAR: MODEL_PATTERNS, "meaning": MODEL_FILES}.get(model.kind, ())
        model_agreement(folder.absolute(), patterns).give()
    print_line(f"{folder}: {_next_step(model, str(folder.absolute()) if out else name)}")


def _next_step(model: Weights, named: str) -> str:
    if model.kind == EAR:
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


def _ears_here() -> list[str]:
    here = [one for one in catalogue().values() if one.kind == EAR and one.is_here]
    return [one.name for one in sorted(here, key=lambda model: model.megabytes)]


def measure_ears(names: Sequence[str], language: str, as_json: bool) -> None:
    """Print how well and how fast models hear; each takes some half a minute. Raises CurtainError."""
    from curtain.recognition.measure import IN_TIME_S, Speed, proposed, speed_of

    folders = [model_of({"model": name}, language) for name in names or _ears_here()]
    if not folders:
        raise NoTranscriber("No model is on this machine: “curtain model get tiny.en” fetches the smallest.")
    course = resources.files("sample_db") / "atis" / "course"
    spoken = json.loads((course / "course.json").read_text("utf-8"))["exercises"][::_EACH]
    takes = [Path(str(course / one["audio"])) for one in spoken]
    with progress_bar() as report:
        speeds = [
            speed_of(folder, takes, language, lambda share, name=folder.name: report(name, share))  # type: ignore[misc]
            for folder in folders
        ]
    words = [one["query"].split() for one in spoken]

    def wrong(speed: Speed) -> float:
        heard = zip(words, speed.texts, strict=True)
        return sum(edits(asked, text.split()) for asked, text in heard) / sum(map(len, words))

    best = proposed(speeds)
    if as_json:
        rows = [{**msgspec.to_builtins(speed), "keeps_up": speed.keeps_up, "words_wrong": wrong(speed)}
                for speed in speeds]  # fmt: skip
        print_json({"models": rows, "proposed": best.model if best else None})
        return
    print_table(
        ["model", "words wrong", "processor time for 1 s of speech", "release to text", "slowest", "keeps up"],
        [
            [speed.model, f"{100 * wrong(speed):.0f} %", f"{speed.processor_s:.2f} s",
             f"{median(speed.release_s):.2f} s", f"{max(speed.release_s):.2f} s", "yes" if speed.keeps_up else "no"]
            for speed in speeds
        ],
        [False, True, True, True, True, False],
    )  # fmt: skip
    print_line(
        f"Proposed: {best.model}." if best else f"None hears within {IN_TIME_S:g} s here; take the fastest, or none."
    )
