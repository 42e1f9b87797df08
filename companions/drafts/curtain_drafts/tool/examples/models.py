"""Linear models over sparse features and an index of neighbours; one more example can be learned at any time."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random

import msgspec
import numpy as np
from numpy.typing import NDArray

from .features import spelled
from .meaning import Forms, MeaningModel, Vectors

Ids = NDArray[np.int64]
Floats = NDArray[np.float32]
Likeness = NDArray[np.float64]
"""Three rows with a column for each question: how alike it is in all, by words, by meaning."""
_FEW = 20
# Questions about one schema are all alike to a model: three of four that no statement answers together are below.
_UNLIKE = 0.8
_UNKNOWN = 0.5


def _learned(numbers: dict[str, int], names: Iterable[str]) -> Ids:
    """Numbers of these names, in the order in which they were first seen."""
    return np.fromiter((numbers.setdefault(name, len(numbers)) for name in names), np.int64)


def _known(numbers: Mapping[str, int], names: Iterable[str]) -> Ids:
    """Numbers of the names that were seen before."""
    return np.fromiter((numbers[name] for name in names if name in numbers), np.int64)


class Model(msgspec.Struct):
    """Probabilities of labels. `exclusive`: one of them applies (softmax); else each does or not (logistic). Weights by
    feature and label are moved by AdaGrad (Duchi and others 2011, section 1.1)."""

    rate: float
    decay: float = 1e-3
    exclusive: bool = True
    features: dict[str, int] = {}
    labels: dict[str, int] = {}
    weights: Floats = msgspec.field(default_factory=lambda: np.zeros((0, 0), np.float32))
    moved: Floats = msgspec.field(default_factory=lambda: np.zeros((0, 0), np.float32))

    def fit(self, rows: Sequence[tuple[Sequence[str], Iterable[str]]], rounds: int = 6, seed: int = 1) -> None:
        """Learns pairs of features and the labels that apply."""
        known = [(_learned(self.features, names), _learned(self.labels, labels)) for names, labels in rows]
        self._grow()
        order, kept = Random(seed), []
        for turn in range(rounds):
            for ids, wanted in order.sample(known, len(known)):
                error = self._chances(ids)
                error[wanted] -= 1.0
                self._move(ids, error)
            kept += [self.weights.copy()] if turn >= rounds // 2 and len(rows) > _FEW else []
        if kept:
            # The last steps of a descent wander.
            self.weights = np.mean(np.stack(kept), axis=0)

    def chances(self, features: Iterable[str]) -> dict[str, float]:
        """Probability of every label."""
        if not self.labels:
            return {}
        return dict(zip(self.labels, self._chances(_known(self.features, features)).tolist(), strict=True))

    def _chances(self, ids: Ids) -> Floats:
        scores: Floats = self.weights[ids].sum(0, dtype=np.float32)
        powers: Floats = np.exp(scores - scores.max() if self.exclusive else -np.clip(scores, -30, 30))
        return powers / powers.sum() if self.exclusive else (1 / (1 + powers)).astype(np.float32)

    def _grow(self) -> None:
        """A row for each feature, a column for each label; what was learned stays."""
        rows, columns = self.weights.shape
        more = (0, len(self.features) - rows), (0, len(self.labels) - columns)
        self.weights, self.moved = np.pad(self.weights, more), np.pad(self.moved, more)

    def _move(self, ids: Ids, error: Floats) -> None:
        """One step against this error of the scores."""
        slope = error + self.decay * self.weights[ids]
        self.moved[ids] += slope * slope
        self.weights[ids] -= self.rate * slope / np.sqrt(self.moved[ids] + 1e-6)


class Neighbours:
    """Questions found by the words they share with a query, weighed by how rare these are (TF-IDF, cosine), and, twice
    as much where there is a model of it, by what they mean. It grows by one question at a time."""

    def __init__(self, meaning: MeaningModel | None = None) -> None:
        self.meaning = meaning
        self.forms: list[Forms] = []
        self._vocabulary: dict[str, int] = {}
        self._rows: list[Ids] = []
        # Of each form the vectors by meaning of all questions so far.
        self._vectors: list[Vectors] = []
        self._weights: NDArray[np.float64] | None = None
        self._norms: NDArray[np.float64] = np.zeros(0)
        # The features of all questions in one row, and of which question each is.
        self._features, self._owners = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def add(self, forms: Forms) -> None:
        """One more question."""
        self.forms.append(forms)
        self._rows.append(_learned(self._vocabulary, spelled(forms[0])))
        self._weights = None

    def likeness(self, forms: Forms) -> Likeness:
        """How alike the query is to every question, each 0 to 1: in all, by its words, and by its meaning."""
        if not self.forms:
            return np.zeros((3, 0))
        by_words = self._cosines(spelled(forms[0]))
        if self.meaning is None:
            return np.stack([by_words, by_words, np.zeros(len(by_words))])
        cosines = self._by_meaning(self.meaning, forms)
        scaled = np.clip((cosines - _UNLIKE) / (1 - _UNLIKE), 0.0, 1.0)
        return np.stack([(by_words + 2 * scaled) / 3, by_words, np.maximum(cosines, 0.0)])

    def _by_meaning(self, model: MeaningModel, forms: Forms) -> NDArray[np.float64]:
        """The cosine of each question in that form in which it is more alike."""
        if new := self.forms[len(self._vectors[0]) if self._vectors else 0 :]:
            added = [model.vectors(same) for same in zip(*new, strict=True)]
            self._vectors = [np.concatenate(both) for both in zip(self._vectors, added, strict=False)] or added
        cosines = [rows @ model.vectors([form])[0] for rows, form in zip(self._vectors, forms, strict=True)]
        nearest: NDArray[np.float64] = np.max(cosines, axis=0).astype(np.float64)
        return nearest

    def _cosines(self, features: Sequence[str]) -> NDArray[np.float64]:
        weights, ids = self._weighed(), _known(self._vocabulary, features)
        squares = np.zeros(len(weights))
        squares[ids] = weights[ids] ** 2
        rare = float(np.log(len(self._rows) + 1.0)) ** 2
        own = float(np.sqrt((weights[ids] ** 2).sum() + _UNKNOWN * (len(features) - len(ids)) * rare)) or 1.0
        return self._by_question(squares) / (self._norms * own)

    def _weighed(self) -> NDArray[np.float64]:
        if self._weights is None:
            self._features = np.concatenate([np.zeros(0, np.int64), *self._rows])
            self._owners = np.repeat(np.arange(len(self._rows)), [len(ids) for ids in self._rows])
            times = np.bincount(self._features, minlength=len(self._vocabulary))
            # A little is added, so that what every question has still counts where there are only a few.
            self._weights = np.log((len(self._rows) + 1.0) / (times + 0.5)) + 0.2
            norms = np.sqrt(self._by_question(self._weights**2))
            self._norms = np.where(norms, norms, 1.0)
        return self._weights

    def _by_question(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of one value for each feature over those that a question has."""
        return np.bincount(self._owners, values[self._features], len(self._rows)).astype(np.float64)
