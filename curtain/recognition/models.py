"""Which models there are, where they lie on this machine, and how one is fetched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curtain.base.disk import rename
from curtain.base.errors import CurtainError
from curtain.domain.pack.trust import NeededAgreement, ensure_agreed, model_agreement
from curtain.recognition.transcriber import NOT_INSTALLED, NoTranscriber, is_installed

LICENCE = "MIT"
"""Of all weights of Whisper (OpenAI), also as converted for CTranslate2."""

ENGLISH = "en"
WEIGHTS = "model.bin"
_FILES = ["config.json", "preprocessor_config.json", WEIGHTS, "tokenizer.json", "vocabulary.*"]


class BadModelName(CurtainError):
    """A model that there is not; the sentence lists those that there are."""


@dataclass(frozen=True)
class ModelSize:
    """A size of Whisper: its repository at huggingface.co, and what fetching it brings over, in MB."""

    name: str
    repository: str
    megabytes: int

    @property
    def speaks(self) -> str:
        """The languages that it hears, in words."""
        return "English" if self.name.endswith(".en") else "99 languages"


MODELS = {
    name: ModelSize(name, f"{owner}/faster-whisper-{name}", megabytes)
    for name, owner, megabytes in (
        ("tiny.en", "Systran", 78),
        ("base.en", "Systran", 148),
        ("small.en", "Systran", 486),
        ("medium.en", "Systran", 1530),
        ("tiny", "Systran", 78),
        ("base", "Systran", 148),
        ("small", "Systran", 486),
        ("medium", "Systran", 1530),
        ("large-v3-turbo", "mobiuslabsgmbh", 1620),
    )
}


def model_named(name: str) -> ModelSize:
    """Raises BadModelName."""
    if name not in MODELS:
        raise BadModelName(f"There is no model “{name}”, only: {', '.join(MODELS)}.")
    return MODELS[name]


def models_folder() -> Path:
    """Where the models of this user lie, each in a folder of its name."""
    import platformdirs

    return Path(platformdirs.user_data_dir("curtain", appauthor=False)) / "models"


def fetched() -> list[ModelSize]:
    """The models that are on this machine, the smallest first."""
    here = [model for model in MODELS.values() if (models_folder() / model.name / WEIGHTS).is_file()]
    return sorted(here, key=lambda model: model.megabytes)


def model_of(settings: Mapping[str, Any], language: str, study: Path | None = None) -> Path:
    """The folder of the model that `[asr]` of a study names by `model`: a name, or a folder beside the study.

    Without a name it is the smallest for the language, which every machine keeps up with.
    Raises NoTranscriber, BadModelName: what to do in one sentence.
    """
    if not is_installed():
        raise NoTranscriber(NOT_INSTALLED)
    name = settings.get("model", "tiny.en" if language == ENGLISH else "tiny")
    if not isinstance(name, str) or not name:
        raise NoTranscriber('[asr]: “model” must be the name or the folder of a model in quotes, such as "small.en".')
    folder = _folder_of(name, study)
    if folder is not None:
        if study is not None:
            ensure_agreed(agreements_of(settings, study), study)
        return folder
    if "/" in name or "\\" in name:
        place = ((study or Path()) / name).absolute()
        raise NoTranscriber(f"There is no model in {place}: it needs the files model.bin and config.json.")
    model = model_named(name)
    if language != ENGLISH and name.endswith(".en"):
        other = name.removesuffix(".en")
        raise NoTranscriber(f"The model {name} hears English alone, and this study speaks “{language}”: take {other}.")
    if not (models_folder() / name / WEIGHTS).is_file():
        raise NoTranscriber(
            f"The model {name} is not on this machine: “curtain ear get {name}” fetches it ({model.megabytes:,} MB)."
        )
    return models_folder() / name


def agreements_of(settings: Mapping[str, Any], study: Path) -> Iterator[NeededAgreement]:
    """The model that a study brings, which native code reads; none for one of this user's. Raises NotAgreed."""
    name = settings.get("model")
    if isinstance(name, str) and name and (folder := _folder_of(name, study)) is not None:
        yield model_agreement(folder, _FILES)


def _folder_of(name: str, study: Path | None) -> Path | None:
    """The folder of a model that is no model of ours; a folder of a study takes the name of none."""
    folder = ((study or Path()) / name).absolute()
    return folder if name not in MODELS and (folder / WEIGHTS).is_file() else None


def part_of(folder: Path) -> Path:
    """Where the files of a model lie until all have come."""
    return folder.with_name(f"{folder.name}.part")


def fetch(model: ModelSize, folder: Path, report: Callable[[float], None]) -> None:
    """Bring a model into a new folder; what an earlier try brought stays. `report` hears the share that is here.

    Raises NoTranscriber if it does not come.
    """
    if not is_installed():
        raise NoTranscriber(NOT_INSTALLED)
    import huggingface_hub
    from huggingface_hub.errors import HfHubHTTPError
    from tqdm.auto import tqdm

    total, part = model.megabytes * 1_000_000, part_of(folder)

    class Bar(tqdm):  # type: ignore[misc]
        """Shows nothing and reports bytes."""

        def __init__(self, *given: Any, **options: Any) -> None:
            super().__init__(*given, **{**options, "disable": True})
            self._is_bytes = options.get("unit") == "B"

        def update(self, n: float | None = 1) -> bool | None:
            self.n += n or 0
            if self._is_bytes:
                report(min(1.0, self.n / total))
            return True

    try:
        huggingface_hub.snapshot_download(
            model.repository, local_dir=part, allow_patterns=_FILES, tqdm_class=Bar, max_workers=1
        )
        rename(part, folder)
    except (OSError, HfHubHTTPError, ValueError) as error:
        # The whole message names addresses and causes over many lines.
        cause = str(error).strip().partition("\n")[0].removeprefix("Got: ") or type(error).__name__
        raise NoTranscriber(
            f"The model {model.name} did not come ({cause}). Try again, what has come stays; or copy the folder "
            "from another computer."
        ) from error
