"""`curtain ear`: fetch a model of the recogniser, and measure which one this machine keeps up with."""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Annotated

import msgspec
import typer

from curtain.base.clock import Clock
from curtain.base.edit_distance import edits
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.plural import count_of
from curtain.base.progress_bar import progress_bar
from curtain.base.terminal import print_error, print_json, print_line, print_table
from curtain.commands.options import AsJson, StudyFolder, Yes, ask_in_terminal
from curtain.corpus.annotation.first_words import write_first_words
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import read_with_record
from curtain.domain.pack.pack import agreed_pack
from curtain.recognition.models import (
    LICENCE,
    MODELS,
    WEIGHTS,
    agreements_of,
    fetch,
    fetched,
    model_named,
    model_of,
    models_folder,
    part_of,
)
from curtain.recognition.transcriber import NoTranscriber
from curtain.session.study.study import load_study

Size = Annotated[str, typer.Argument(help=f"One of {', '.join(MODELS)}.")]
Sizes = Annotated[list[str] | None, typer.Argument(help="Names or folders of models; all that are there by default.")]
ModelFolder = Annotated[Path | None, typer.Option("--out", help="The folder to make, in place of that of your models.")]
# Of the thirty recorded questions that come with the air travel database.
_EACH = 4


def get(name: Size, out: ModelFolder = None, yes: Yes = False) -> None:
    """Says size, licence and place first, and asks. Raises CurtainError."""
    model = model_named(name)
    folder = out or models_folder() / model.name
    if (folder / WEIGHTS).is_file():
        print_line(f"The model {name} is there already: {folder}.")
        return
    print_error(
        f"{name} hears {model.speaks}: {model.megabytes:,} MB from huggingface.co/{model.repository}, "
        f"licence {LICENCE}, into {folder}."
    )
    if not yes and not ask_in_terminal("Fetch it?"):
        raise CurtainError("Nothing was fetched. Add --yes to fetch without being asked.")
    # Before hundreds of MB come, not after.
    if folder.is_dir() and any(folder.iterdir()):
        raise CurtainError(f"{folder} holds other files: name a folder that is not there yet with --out.")
    with os_errors_as(f"No model can be put into {folder}", CurtainError):
        folder.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(folder.parent).free
    if free < model.megabytes * 1_000_000 and not part_of(folder).exists():
        raise CurtainError(
            f"{folder.parent} has {free // 1_000_000:,} MB free: make room, or name a folder elsewhere with --out."
        )
    with progress_bar() as report:
        fetch(model, folder, lambda share: report(f"fetching {name}", share))
    model_is = folder.absolute() if out else name
    # Who fetched it has agreed to it.
    for agreement in agreements_of({"model": str(model_is)}, folder):
        agreement.give()
    print_line(f'{folder}: write [asr] with model = "{model_is}" into study.toml, and transcribe = true.')


def measure(models: Sizes = None, language: Annotated[str, typer.Option("--speech", help="What is spoken.")] = "en",
            as_json: AsJson = False) -> None:  # fmt: skip
    """Each takes as long as the recordings that it hears, some half a minute. Raises CurtainError."""
    from curtain.recognition.measure import IN_TIME_S, Speed, proposed, speed_of

    folders = [model_of({"model": name}, language) for name in models or [model.name for model in fetched()]]
    if not folders:
        raise NoTranscriber("No model is on this machine: “curtain ear get tiny.en” fetches the smallest.")
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


def transcribe(study: StudyFolder, as_json: AsJson = False) -> None:
    """Goes on where it was stopped; a recording that cannot be read stops no other. Raises CurtainError."""
    from curtain.recognition.expectation import Expectation
    from curtain.recognition.transcriber import Transcriber

    about, domains = load_study(study), Domains()
    transcriber = Transcriber(model_of(about.asr, about.spoken_language, about.folder), about.spoken_language,
                              Expectation([one.question for one in agreed_pack(about.domain).examples()]))  # fmt: skip
    folders, counts = about.sessions(), {"transcribed": 0, "timed": 0, "not_heard": 0}
    unread = 0
    try:
        with progress_bar() as report:
            for number, folder in enumerate(folders):
                session, _ = read_with_record(folder.path, domains)
                written = write_first_words(session, transcriber.transcribe, transcriber.align, Clock())
                for utterance_id, what in written:
                    report(utterance_id, number / len(folders))
                    if transcriber.fault and not transcriber.hears:
                        raise NoTranscriber(f"{utterance_id}: {transcriber.fault}")
                    if transcriber.fault:
                        print_error(f"{utterance_id}: {transcriber.fault}")
                        unread += 1
                    else:
                        counts[what] += 1
    finally:
        transcriber.close()
    if as_json:
        print_json(counts)
    else:
        print_line(
            f"{count_of(counts['transcribed'], 'turn')} transcribed; {count_of(counts['timed'], 'turn')} with word "
            f"times; {count_of(counts['not_heard'], 'turn')} without a word."
        )
    if unread:
        raise CurtainError(f"{count_of(unread, 'recording')} could not be read: “curtain verify” says what to do.")
