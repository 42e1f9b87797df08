"""Fits the weights by which drafts of answered questions and of the rules stand in one list.

    python bench/draft_fit.py [--data FOLDER] [--words] [--write FILE]

A statement is right if it answers as the published one does, with further columns free. Fitted on the first list of
`draft_store`, on one of its databases less each time to see what carries over, and measured on the second list, which
no weight has seen. What counts more where many are answered is fitted last, on large stores, the other weights as they
are. Prints the table for curtain_drafts/tool/weights.toml; `--words` is without the model of meaning.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from draft_answers import share_text
from draft_data import DATA
from draft_store import FITTED, REPORTED, Domain, Store, large_store, opened, present, stores
from scipy.optimize import minimize
from size import sized

from curtain.domain.pack.pack import database
from curtain_drafts.tool.algebra.reading import SqlReader
from curtain_drafts.tool.algebra.writing import write
from curtain_drafts.tool.drafter.local import words_and_values
from curtain_drafts.tool.examples.meaning import MeaningModel, meaning_of
from curtain_drafts.tool.grammar.projection import outlines
from curtain_drafts.tool.ranking.candidate import WEIGHTS
from curtain_drafts.tool.ranking.ranker import Floats, Group, fitted
from curtain_drafts.tool.ranking.training import EVIDENCE, Learned, learned_from, parsed, rows_of, usual_columns

JUDGED = 8
LARGE = ("atis train", "geography even")
# What is thought before any question is seen; the fit stays near. What one speaks for never comes to speak against it.
PRIOR = {
    "answered": -4.0, "made": -1.0, "meaning": 6.0, "words": 0.5, "share": 0.6, "same words": 2.5, "scenario": 2.3,
    "elsewhere": -1.0, "rules": -1.5, "rules' score": 0.6, "rules' share": 0.6, "both": 1.0, "ignored": -1.5,
    "breaks": -1.0,
}  # fmt: skip
BY_WORDS = {"answered": -2.0, "meaning": 0.0, "words": 3.0}
PULL = 8.0
# The next subject asks again what was answered.
WEIGHT_OF_REWORDED = 2


@dataclass(frozen=True)
class Asked:
    """A question: whether its statement is new, whether anything was answered, and what speaks for its candidates, of
    which each row has the number, with a row of zeros for none of them."""

    new: bool
    empty: bool
    group: Group
    numbers: np.ndarray

    def first(self, weights: Floats) -> tuple[bool, float]:
        """Whether the first is right, and how sure it is."""
        scores = self.group.features @ weights
        powers = np.exp(scores - scores.max())
        chances = np.bincount(self.numbers[:-1], powers[:-1]) / powers.sum()
        at = int(np.argmax(chances)) if len(chances) else -1
        return (bool(self.group.right[self.numbers == at][0]), float(chances[at])) if at >= 0 else (False, 0.0)


def asked(domain: Domain, meaning: MeaningModel | None, many: Iterable[Store]) -> Iterator[Asked]:
    """All questions of a domain in these stores."""
    pack, path = domain.pack, database(domain.pack)
    reader = SqlReader(pack.tables, "", pack.keys.primary)
    for store in many:
        _, graph, recogniser = words_and_values(pack, path, [one.question for one in store.answered])
        recogniser.usual = usual_columns(parsed(store.answered, recogniser, reader))
        known = parsed(store.answered, recogniser, reader)
        learned: Learned = learned_from(known, pack.tables, lambda what, share: None, meaning)
        rules = partial(outlines, graph=graph)
        for example, new in store.asked:
            plain = recogniser.read(example.question, False)
            _, every = learned.candidates(recogniser.read(example.question), rules, True, plain, example.scenario)
            lists = [[one for one in every if one.alone == alone] for alone in (True, False)]
            best = lists[0][:5] + lists[1][:JUDGED]
            right = [domain.judge.holds(write(one.query), example.sql) for one in best]
            rows = [(row, number) for number, one in enumerate(best) for row in rows_of(one)]
            features = np.array([*(row for row, _ in rows), np.zeros(len(EVIDENCE))])
            group = Group(features, np.array([*(right[number] for _, number in rows), not any(right)]))
            yield Asked(new, not store.answered, group, np.array([*(number for _, number in rows), -1]))


def fit(many: Sequence[Asked], start: Floats) -> Floats:
    """The weights that these questions teach."""
    weighed = [one for one in many for _ in range(1 if one.new else WEIGHT_OF_REWORDED)]
    return fitted([one.group for one in weighed], start, PULL)


def fit_many(many: Sequence[Asked], weights: Floats) -> Floats:
    """The weights with those of evidence that grows with the store, as large stores teach them."""
    free = [number for number, name in enumerate(EVIDENCE) if name.endswith(" of many")]
    useful = [one.group for one in many if one.group.right.any() and not one.group.right.all()]
    width = np.maximum(np.concatenate([one.features[:, free] for one in useful]).std(0), 0.05)

    def with_these(values: Floats) -> Floats:
        own = weights.copy()
        own[free] = values
        return own

    def loss(values: Floats) -> float:
        scores = [one.features @ with_these(values) for one in useful]
        gained = [
            np.logaddexp.reduce(own) - np.logaddexp.reduce(own[one.right])
            for own, one in zip(scores, useful, strict=True)
        ]
        return float(sum(gained) + ((values * width) ** 2).sum())

    return with_these(minimize(loss, np.zeros(len(free))).x)


def show(what: str, many: Sequence[Asked], weights: Floats) -> None:
    """One line: right at the first draft for each kind."""
    print(f"{what:32}", end="")
    for kind, own in (
        ("re-worded", [one for one in many if not one.new]),
        ("new", [one for one in many if one.new and not one.empty]),
        ("nothing answered", [one for one in many if one.empty]),
    ):
        hits = [one.first(weights) for one in own]
        sure = [not right for right, chance in hits if chance >= 0.8]
        print(f"  {kind} {len(own)}: {share_text(sum(right for right, _ in hits), len(own))}", end="")
        print(f", sure {len(sure)}, wrong {sum(sure)}", end=";")
    print(flush=True)


def main() -> int:
    """Fits and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--words", action="store_true")
    options = parser.parse_args()
    meaning = None if options.words else meaning_of()
    # The weights of the turn before are fitted elsewhere.
    first = {**WEIGHTS["chooser"], **PRIOR, **({} if meaning else BY_WORDS)}
    start = np.array([first[name] for name in EVIDENCE])
    every, large = dict[str, list[Asked]](), list[Asked]()
    with TemporaryDirectory() as folder:
        for name in present(sized([*FITTED, *REPORTED], ["world", "kennel"]), options.data):
            domain = opened(name, options.data, Path(folder))
            every[name] = list(asked(domain, meaning, stores(domain, sized(2, 1), scenarios=True)))
            large += asked(domain, meaning, [large_store(domain, options.data)]) if name in LARGE else []
            domain.judge.close()
    of_fit = {name: own for name, own in every.items() if name in FITTED}
    for name, own in of_fit.items():
        others = [one for other, each in of_fit.items() if other != name for one in each]
        show(f"{name}, fitted on others", own, fit(others or own, start))
    weights = fit([one for own in of_fit.values() for one in own], start)
    weights = fit_many(large, weights) if large else weights
    for name, own in every.items():
        if name in REPORTED:
            show(name, own, weights)
    show("together", [one for name, own in every.items() if name in REPORTED for one in own], weights)
    print("\n".join(f'"{name}" = {weight:.3f}' for name, weight in zip(EVIDENCE, weights, strict=True)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
