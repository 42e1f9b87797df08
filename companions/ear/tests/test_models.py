"""Which model a study names."""

from pathlib import Path
from typing import Any

import pytest

from curtain.base.errors import CurtainError
from curtain.weights import shelf
from curtain_ear import models
from curtain_ear.measure import Speed, proposed


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of models with tiny.en and base."""
    monkeypatch.setattr(shelf, "shelf_folder", lambda: tmp_path / "models")
    monkeypatch.setattr(models, "is_installed", lambda: True)
    for name in ("models/tiny.en", "models/base", "study/ours"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "model.bin").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("settings", "language", "folder"),
    [
        ({}, "en", "models/tiny.en"),
        ({"model": "base"}, "en", "models/base"),
        ({}, "en-GB", "models/tiny.en"),
        ({"model": "base"}, "de", "models/base"),
        ({"model": "ours"}, "de", "study/ours"),
        ({"model": "../models/base"}, "en", "study/../models/base"),
    ],
)
def test_a_model_is_a_name_or_a_folder(mine: Path, settings: dict[str, Any], language: str, folder: str) -> None:
    for agreement in models.agreements_of(settings, mine / "study"):
        agreement.give()
    assert models.model_of(settings, language, mine / "study") == mine / folder


@pytest.mark.parametrize(
    ("settings", "language", "sentence"),
    [
        ({}, "zh", "The model tiny is not on this machine: “curtain model get tiny” fetches it (78 MB)."),
        ({"model": "small.en"}, "en", "“curtain model get small.en” fetches it (486 MB)."),
        ({"model": "tiny.en"}, "de", "The model tiny.en hears English alone, and this study speaks “de”: take tiny."),
        ({"model": "huge"}, "en", "There is no model “huge”, only: tiny.en,"),
        ({"model": "some/where"}, "en", "There is no model in"),
        ({"model": 3}, "en", "must be the name or the folder of a model"),
    ],
)
def test_what_is_missing_is_one_sentence(mine: Path, settings: dict[str, Any], language: str, sentence: str) -> None:
    with pytest.raises(CurtainError) as problem:
        models.model_of(settings, language, mine / "study")
    assert sentence in str(problem.value)


@pytest.mark.parametrize(
    ("language", "code"),
    [("en", "en"), ("pt-BR", "pt"), ("nb-NO", "no"), ("nn", "nn"), ("jv", "jw"), ("fil", "tl"), ("DE", "de")],
)
def test_a_language_has_the_code_that_whisper_was_taught(language: str, code: str) -> None:
    assert models.whisper_code(language) == code


def test_the_largest_model_that_keeps_up_is_proposed() -> None:
    small, large, slow = Speed("s", 0.1, (0.2, 0.3, 5.0)), Speed("l", 0.4, (0.9, 0.9, 1.2)), Speed("x", 2.0, (3.0,))
    assert proposed([small, slow, large]) is large
    assert proposed([slow]) is None
