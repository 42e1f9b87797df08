"""Fits the weights of the ranker and of the confidence that hold before a store has taught its own.

    python bench/draft_fit.py [--data FOLDER]

Every domain at hand is asked with no examples; about new statements with 10, 39, 100 and 300 examples, several of each
statement; in other words with one example of each of 10, 40 and 100 statements; and with half of all examples. A
candidate is right if it is the published statement or answers as it does. Of published questions, only those of every
second statement are used: bench/draft_growth.py --odd asks the others. Prints the tables for
curtain/drafting/weights.toml.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from draft_answers import Judge
from draft_data import DATA, pack_of, paraphrases, read
from size import SMALL, sized

sys.path.insert(0, str(Path(__file__).parents[1]))

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.algebra.reading import SqlReader
from curtain.drafting.algebra.writing import write
from curtain.drafting.examples.align import align
from curtain.drafting.grammar.graph import Graph
from curtain.drafting.grammar.projection import outlines
from curtain.drafting.language.lexicon import load_lexicon
from curtain.drafting.language.recognise import Recogniser
from curtain.drafting.ranking.candidate import FEATURES, START
from curtain.drafting.ranking.ranker import Group, fitted, fitted_chances, hits
from curtain.drafting.ranking.training import Learned, parsed, usual_columns
from curtain.drafting.values import Example
from tests.drafting.test_cases import made
from tests.drafting.test_cases import read as read_cases

ASKED = sized(40, 3)
JUDGED = 14
WORDINGS = 4
WEIGHT_OF_NEW = 3
_EVIDENCE = ("share", "lead", *FEATURES, "one")
# What the rules say alone keeps its weights, so that no store makes them rank otherwise: so small a column never moves.
_KEPT = ("named", "not named", "rules' score", "unexplained", "denial", "breaks", "joins")
_SCALE = np.array([1e-3 if name in _KEPT else 1.0 for name in FEATURES])


def domains(data: Path, work: Path) -> Iterator[tuple[str, Pack, list[Example]]]:
    """The packs with their questions."""
    for name in sized(("personnel", "bikes", "label", "theatre"), ("bikes",)):
        folder = work / name
        folder.mkdir()
        pack = made(name, folder)
        questions = [Example(one.question, one.sql) for one in read_cases(name) if not one.before]
        if name == "personnel":
            questions = random.Random(1).sample(questions, min(120, len(questions)))
            questions += paraphrases()
        questions += [Example(one.question, one.sql) for one in pack.examples() if not one.context]
        yield name, pack, questions
    if SMALL:
        return
    atis = load_pack("atis")
    yield "atis", atis, [Example(one.question, one.sql) for one in atis.examples() if not one.context]
    if (data / "geography").is_dir():
        yield "geography", pack_of("geography", work, data), read(data / "geography_train.jsonl.gz", 0)


def states(keys: Sequence[str], lot: random.Random) -> Iterator[tuple[bool, list[int], list[int]]]:
    """Stores, and questions to ask of them, by their numbers; whether these are new. `keys` are their statements."""
    every = lot.sample(range(len(keys)), len(keys))
    same: dict[str, list[int]] = {}
    for number in every:
        same.setdefault(keys[number], []).append(number)
    # Statements with several wordings first, more or less.
    wordings = sorted(same.values(), key=lambda own: (len(own) < 2) + 1.2 * lot.random())
    yield True, [], every[:ASKED]
    for size in (10, 39, 100, 300):
        store: list[int] = []
        known = 0
        while len(store) < min(size, len(keys) // 2):
            store += wordings[known][:WORDINGS]
            known += 1
        rest = [number for own in wordings[known:] for number in own]
        yield True, store[:size], lot.sample(rest, min(ASKED, len(rest)))
    for size in (10, 40, 100):
        again = [number for own in wordings[:size] for number in own[1:3]]
        yield False, [own[0] for own in wordings[:size]], lot.sample(again, min(ASKED, len(again)))
    yield False, every[: min(len(keys) // 2, 500)], every[len(keys) // 2 :][:ASKED]


def groups(pack: Pack, questions: Sequence[Example], work: Path) -> Iterator[tuple[bool, Group]]:
    """The candidates of held back questions, in every state of the store, and whether they are new there."""
    path = database(pack)
    lexicon = load_lexicon(pack, path)
    graph = Graph(pack, lexicon.words)
    recogniser = Recogniser(lexicon, pack.as_of)
    reader = SqlReader(pack.tables, "", pack.keys.primary)
    recogniser.usual = usual_columns(parsed(questions, recogniser, reader))
    known = parsed({one.question.casefold(): one for one in questions}.values(), recogniser, reader)
    aligned = [align(one.query, one.reading) for one in known]
    judge = Judge(pack, [path], work / f"{pack.name}.answers")
    for new, store, asked in states([one.query.key for one in aligned], random.Random(5)):
        learned = Learned.of(pack.tables)
        learned.remember([(known[number], aligned[number]) for number in store])
        for one in (known[number] for number in asked):
            _, candidates = learned.candidates(one.reading, partial(outlines, graph=graph))
            if not candidates:
                continue
            features = np.array([candidate.row for candidate in candidates])
            order = np.argsort(-(features @ np.array(START)), kind="stable")[:JUDGED]
            best = [write(candidates[place].query) for place in order]
            yield new, Group(features[order], np.array([judge.right(sql, one.example.sql) for sql in best]))
    judge.close()


def main() -> int:
    """Fits and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    options = parser.parse_args()
    every: list[tuple[bool, Group]] = []
    with TemporaryDirectory() as folder:
        for name, pack, questions in domains(options.data, Path(folder)):
            own = list(groups(pack, questions, Path(folder)))
            first = sum(bool(one.right[:1].any()) for _, one in own)
            print(
                f"# {name}: {len(own)} questions, {first} right at the first draft before", file=sys.stderr, flush=True
            )
            every += own
    more_new = [group for new, group in every for _ in range(3 if new else 2)]
    scaled = [Group(group.features * _SCALE, group.right) for group in more_new]
    ranker = fitted(scaled, np.array(START) / _SCALE, 8.0) * _SCALE
    first = hits([group for _, group in every], ranker)
    print(f"# {first} of {len(every)} right at the first draft now", file=sys.stderr)
    # To be sure and wrong is worst where nothing like the question was answered.
    weighed = [group for new, group in every for _ in range(WEIGHT_OF_NEW if new else 1)]
    calibration = fitted_chances(weighed, ranker, np.zeros(len(_EVIDENCE)), 3)
    for title, names, weights in (("ranker", FEATURES, ranker), ("calibration", _EVIDENCE, calibration)):
        print(f"[{title}]")
        for name, weight in zip(names, weights, strict=True):
            print(f'"{name}" = {weight:.3f}')
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
