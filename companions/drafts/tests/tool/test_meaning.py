"""Questions found again by what they mean: an encoder that knows a few words, and the real one if it is there."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from curtain.base.errors import CurtainError
from curtain.domain.pack.pack import Pack, database
from curtain_drafts.drafting.values import Example, Request
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_drafts.tool.examples.meaning import MeaningModel, Vectors, meaning_of
from curtain_drafts.tool.examples.models import Neighbours

# Words of one line mean the same.
SENSES = ["cheapest bargain", "boat ferry vessel", "island destination"]
# The tests' own shelf is empty.
FETCHED = Path.home() / ".local" / "share" / "curtain" / "models" / "minilm"
STORE = [
    Example("what is the cheapest ferry", "SELECT MIN(price) FROM ferry", id="price"),
    Example("how long does the slowest take", "SELECT MAX(minutes) FROM ferry", id="time"),
]


class Encoder:
    """Counts how many texts it was given."""

    def __init__(self) -> None:
        self.seen = 0

    def __call__(self, texts: Sequence[str]) -> Vectors:
        self.seen += len(texts)
        senses = [[any(word in sense.split() for word in text.split()) for sense in SENSES] for text in texts]
        rows = np.array([[*row, not any(row)] for row in senses], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_a_question_in_other_words_finds_its_example(pack: Pack) -> None:
    question = Request("any bargain on a vessel")
    by_words = LocalDrafter(pack, database(pack), STORE).drafts(question)
    by_meaning = LocalDrafter(pack, database(pack), STORE, meaning=MeaningModel(Encoder(), "stub")).drafts(question)
    assert by_meaning[0].example == STORE[0]
    assert not any(one.example == STORE[0] for one in by_words[:1])


def test_what_was_encoded_is_kept(pack: Pack, tmp_path: Path) -> None:
    encoders = [Encoder(), Encoder(), Encoder()]
    for encoder, identity in zip(encoders, ("one", "one", "another"), strict=True):
        LocalDrafter(pack, database(pack), STORE, tmp_path, meaning=MeaningModel(encoder, identity))
    assert [one.seen for one in encoders] == [4, 0, 4]


def test_a_model_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (str(tmp_path), "no-such-folder"):
        with pytest.raises(CurtainError, match=r"finds no model of meaning in .*: name a folder with model\.onnx"):
            meaning_of(name)
    monkeypatch.setattr("curtain.weights.shelf.shelf_folder", lambda: tmp_path)
    assert meaning_of() is None


@pytest.mark.skipif(not FETCHED.is_dir(), reason="“curtain model get minilm” was not called")
def test_the_real_model_knows_what_is_meant() -> None:
    model = meaning_of(str(FETCHED))
    assert model is not None
    asked = "what is the number of employees of %s", "how many people work in %s", "when was %s hired"
    question, *others = [((one % "DEPARTMENT").split(), (one % "sales").split()) for one in asked]
    near = Neighbours(model)
    for forms in others:
        near.add(forms)
    same, other = near.likeness(question)[0]
    assert same > other
