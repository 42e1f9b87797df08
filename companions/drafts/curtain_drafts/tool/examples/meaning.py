"""How alike questions are by what they mean: cosines of a small sentence model, where the extra `meaning` is installed.

The model is loaded in the process of the drafter alone. It reads each question as it was said, and with its values as
kinds, so that two that differ in their values are the same; it keeps the vectors in memory.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curtain.base.errors import CurtainError
from curtain.weights.shelf import weights_named

from . import MEANING, MODEL_FILES

Vectors = NDArray[np.float32]
Forms = tuple[Sequence[str], Sequence[str]]
"""The words of a question with its values as kinds, and as they were said."""
Encoder = Callable[[Sequence[str]], Vectors]
"""Sentences in, one vector of length 1 each out."""

_LONGEST, _AT_ONCE, _KEPT = 128, 64, 20_000


class MeaningModel:
    """An encoder that encodes each text once; `identity` says which it is."""

    def __init__(self, encoder: Encoder, identity: str) -> None:
        self._encoder, self.identity = encoder, identity
        self.known: dict[str, Vectors] = {}

    def vectors(self, questions: Iterable[Sequence[str]]) -> Vectors:
        """One row for each question."""
        texts = [" ".join(words).lower().replace("_", " ") for words in questions]
        new = sorted({text for text in texts if text not in self.known}, key=lambda text: (len(text), text))
        for at in range(0, len(new), _AT_ONCE):
            some = new[at : at + _AT_ONCE]
            self.known |= zip(some, self._encoder(some), strict=True)
        return np.stack([self.known[text] for text in texts])


def meaning_of(name: str = MEANING) -> MeaningModel | None:
    """The model in a folder with model.onnx and tokenizer.json, or that of the shelf; none where that is missing, or
    the extra. Raises CurtainError if a folder is named and no model is there."""
    folder = weights_named(name).folder if name == MEANING else Path(name).absolute()
    model, tokenizer = (folder / file for file in MODEL_FILES)
    try:
        return MeaningModel(_Encoder(model, tokenizer), f"{model} {model.stat().st_size}")
    except Exception as error:  # The runtimes raise kinds of their own for a damaged file.
        if name == MEANING:
            return None
        raise CurtainError(
            f"finds no model of meaning in “{name}”: name a folder with {' and '.join(MODEL_FILES)}."
        ) from error


class _Encoder:
    """Means of the last layer over the words of a sentence (Reimers and Gurevych 2019, section 3)."""

    def __init__(self, model: Path, tokenizer: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_padding()
        self._tokenizer.enable_truncation(_LONGEST)

    def __call__(self, texts: Sequence[str]) -> Vectors:
        pieces = self._tokenizer.encode_batch(list(texts))
        ids, mask = (np.array([getattr(one, name) for one in pieces], np.int64) for name in ("ids", "attention_mask"))
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        layer = self._session.run(None, given)[0]
        means = (layer * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        rows: Vectors = (means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.float32)
        return rows
