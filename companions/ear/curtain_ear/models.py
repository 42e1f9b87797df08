"""Which model a study hears with."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError
from curtain.base.privacy import NeededAgreement, ensure_agreed
from curtain.base.settings_file import named_path
from curtain.domain.pack.trust import model_agreement
from curtain.weights.shelf import Kind, catalogue, weights_named
from curtain_ear.transcriber import NOT_INSTALLED, is_installed

EAR: Kind = "ear"
ENGLISH = "en"
WEIGHTS = "model.bin"
# Where Whisper has another code for a language than BCP 47.
_CODES = {"nb": "no", "jv": "jw", "fil": "tl", "cmn": "zh"}


def whisper_code(language: str) -> str:
    """Whisper's code of a language such as `nb` or `pt-BR`."""
    spoken = language.partition("-")[0].lower()
    return _CODES.get(spoken, spoken)


def model_of(settings: Mapping[str, Any], language: str, study: Path | None = None) -> Path:
    """The folder of the model that `[asr]` of a study names by `model`: a name, or a folder beside the study.

    Without a name it is the smallest for the language, which every machine keeps up with.
    Raises CurtainError: what to do in one sentence.
    """
    if not is_installed():
        raise CurtainError(NOT_INSTALLED)
    is_english = whisper_code(language) == ENGLISH
    name = settings.get("model", "tiny.en" if is_english else "tiny")
    if not isinstance(name, str) or not name:
        raise CurtainError('[asr]: “model” must be the name or the folder of a model in quotes, such as "small.en".')
    if (folder := _folder_of(name, study)) is not None:
        if study is not None:
            ensure_agreed(agreements_of(settings, study), study)
        return folder
    if "/" in name or "\\" in name:
        place = named_path(name, study)
        raise CurtainError(f"There is no model in {place}: it needs the files model.bin and config.json.")
    model = weights_named(name, EAR)
    if not is_english and name.endswith(".en"):
        other = name.removesuffix(".en")
        raise CurtainError(f"The model {name} hears English alone, and this study speaks “{language}”: take {other}.")
    if not (model.folder / WEIGHTS).is_file():
        raise CurtainError(
            f"The model {name} is not on this machine: “curtain model get {name}” fetches it ({model.megabytes:,} MB)."
        )
    return model.folder


def agreements_of(settings: Mapping[str, Any], study: Path) -> Iterator[NeededAgreement]:
    """The model that a study brings, which native code reads; none for one of this user's. Raises NotAgreed."""
    name = settings.get("model")
    if isinstance(name, str) and name and (folder := _folder_of(name, study)) is not None:
        yield model_agreement(folder)


def _folder_of(name: str, study: Path | None) -> Path | None:
    """The folder of a model that is no model of ours; a folder of a study takes the name of none."""
    folder = named_path(name, study)
    return folder if name not in catalogue() and (folder / WEIGHTS).is_file() else None
