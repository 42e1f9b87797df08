"""What a growing store teaches: new questions, the same in other words, the same with other values, and how sure.

    python bench/draft_growth.py [--data FOLDER] [--domains NAME ...] [--asked N] [--meaning] [--odd | --even]

Statements that differ in their values alone are one statement here. A store of 0, 10, 39, 40, 100 or all questions has
up to four wordings of each of its statements; new questions are those of other statements. For re-worded questions the
store has one wording of each statement, and another one is asked, with the same values or with others. Learning must
never make new questions worse. `--odd` asks about every second statement of the published sets, those on which no
weights were fitted, `--even` about the others; `--meaning` finds questions with the model of the extra, too. Further
columns are free.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from draft_answers import Hit, Judge, show_figures, tried, wanted
from draft_data import DATA, NAMES, databases, pack_of, read
from draft_foreign import read as read_foreign
from size import sized

from curtain.domain.pack.pack import Pack, database
from curtain_drafts.drafting.values import Example
from curtain_drafts.tool.algebra.reading import SqlReader
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_drafts.tool.examples.align import align
from curtain_drafts.tool.examples.meaning import MeaningModel, meaning_of
from curtain_drafts.tool.language.lexicon import load_lexicon
from curtain_drafts.tool.language.recognise import Recogniser
from curtain_drafts.tool.ranking.training import parsed

SIZES = (0, 10, 39, 40, 100, 1000)
WORDINGS = 4


@dataclass(frozen=True)
class Questions:
    """The questions of a domain by statement, in a fixed shuffle."""

    pack: Pack
    judge: Judge
    statements: Sequence[Sequence[Example]]


def opened(name: str, data: Path, work: Path, half: int | None) -> Questions:
    """A domain with its questions."""
    pack = pack_of(name, work, data)
    if name in NAMES:
        parts = read_foreign(name)
    else:
        parts = (read(data / f"{name}_train.jsonl.gz", half), read(data / f"{name}_dev.jsonl.gz", half))
    # Published questions of air travel are judged by the databases of other seeds.
    judge = Judge(pack, databases(pack)[name == "atis" :], work / f"{name}.answers")
    return Questions(pack, judge, list(_by_statement(pack, parts[0] + parts[1])))


def _by_statement(pack: Pack, examples: Sequence[Example]) -> Iterator[list[Example]]:
    recogniser = Recogniser(load_lexicon(pack, database(pack)), pack.as_of)
    same: dict[str, dict[str, Example]] = {}
    for known in parsed(examples, recogniser, SqlReader(pack.tables, "", pack.keys.primary)):
        wordings = same.setdefault(align(known.query, known.reading).query.key, {})
        wordings.setdefault(known.example.question.casefold(), known.example)
    many = [list(wordings.values()) for wordings in same.values()]
    return iter(random.Random(11).sample(many, len(many)))


def measured(own: Questions, asked: int, meaning: MeaningModel | None) -> Iterator[tuple[str, list[Hit]]]:
    """What is measured, and the drafts of each question."""
    lot, path = random.Random(12), database(own.pack)

    def hits(store: Sequence[Example], questions: Sequence[Example]) -> list[Hit]:
        drafter = LocalDrafter(own.pack, path, store, None, None, meaning)
        some = lot.sample(list(questions), min(asked, len(questions)))
        return tried(drafter, map(wanted, some), own.judge.holds)

    half = len(own.statements) // 2
    new = [one for wordings in own.statements[half:] for one in wordings[:2]]
    new = lot.sample(new, min(asked, len(new)))
    known = [one for wordings in own.statements[:half] for one in wordings[:WORDINGS]]
    for size in SIZES:
        store = known[:size]
        if len(store) == size or size == SIZES[-1]:
            yield f"new, {'all' if size == SIZES[-1] else size} answered", hits(store, new)
    firsts, again = [wordings[0] for wordings in own.statements[:100]], []
    for wordings in own.statements[:100]:
        again += [(wordings[0], one) for one in wordings[1:3]]
    yield "re-worded", hits(firsts, [one for first, one in again if one.sql == first.sql])
    yield "other values", hits(firsts, [one for first, one in again if one.sql != first.sql])


def main() -> int:
    """Measures the domains asked for, and all together."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--domains", nargs="*", default=sized([*NAMES, "geography", "atis"], list(NAMES)[:1]))
    parser.add_argument("--asked", type=int, default=sized(100, 3), help="at most so many questions of each kind")
    parser.add_argument("--meaning", action="store_true")
    parser.add_argument("--odd", dest="half", action="store_const", const=1)
    parser.add_argument("--even", dest="half", action="store_const", const=0)
    options = parser.parse_args()
    names = [name for name in options.domains if name in NAMES or options.data.is_dir()]
    every: dict[str, list[Hit]] = {}
    with TemporaryDirectory() as folder:
        for name in names:
            own = opened(name, options.data, Path(folder), options.half)
            for what, hits in measured(own, options.asked, meaning_of() if options.meaning else None):
                show_figures(f"{name}: {what}", hits)
                every.setdefault(what, []).extend(hits)
    for what, hits in every.items():
        show_figures(f"together: {what}", hits)
    return 0


if __name__ == "__main__":
    sys.exit(main())
