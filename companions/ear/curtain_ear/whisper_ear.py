"""The ear of this companion, as `curtain.ports.ear` asks for one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from curtain.base.edit_distance import edits
from curtain.base.errors import CurtainError
from curtain.base.privacy import NeededAgreement
from curtain.base.progress_bar import progress_bar
from curtain.base.terminal import print_json, print_line, print_table
from curtain.ports.ear import Expected
from curtain.weights.shelf import catalogue
from curtain_ear import models
from curtain_ear.expectation import Expectation
from curtain_ear.transcriber import Transcriber

# Of the thirty recorded questions that come with the air travel database.
_EACH = 4


class WhisperEar:
    """Whisper, with the model that [asr] names."""

    def open(self, settings: Mapping[str, Any], language: str, study: Path | None, expected: Expected) -> Transcriber:
        """Raises CurtainError, NotAgreed."""
        domain = Expectation(expected.examples, expected.names, expected.scenarios)
        return Transcriber(models.model_of(settings, language, study), language, domain)

    def agreements(self, settings: Mapping[str, Any], study: Path) -> Iterator[NeededAgreement]:
        """A model that lies in the study. Raises NotAgreed."""
        return models.agreements_of(settings, study)

    def measure(self, names: Sequence[str], language: str, as_json: bool) -> None:
        """Each model takes some half a minute. Raises CurtainError."""
        from curtain_ear.measure import IN_TIME_S, Speed, proposed, speed_of

        folders = [models.model_of({"model": name}, language) for name in names or _ears_here()]
        if not folders:
            raise CurtainError("No model is on this machine: “curtain model get tiny.en” fetches the smallest.")
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
            f"Proposed: {best.model}."
            if best
            else f"None hears within {IN_TIME_S:g} s here; take the fastest, or none."
        )


def _ears_here() -> list[str]:
    here = [one for one in catalogue().values() if one.kind == models.EAR and one.is_here]
    return [one.name for one in sorted(here, key=lambda model: model.megabytes)]


EAR = WhisperEar()
