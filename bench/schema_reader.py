"""How often drafts made from the schema alone are right, without any answered question.

    python bench/schema_reader.py [--data FOLDER] [--only PART ...] [--wrong]

PART is any of: geography, personnel, atis, bikes. Judged by answers, as in bench/draft.py; “columns free” also takes
an answer that has further columns, as papers/001 section 2.2.2 does. geography takes its training questions from a
folder that is no part of the project and is skipped without it; the packs' own examples are questions here and are
not learned from; of the bikes, half of the questions were written before any draft had been seen.

All but these were looked at while the rules were made, and the confidence was fitted on them: what is printed is what
the rules reach on the questions for development.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

import numpy as np
from bike_questions import BLIND, DEVELOPMENT
from draft import SEEDS, share_told
from draft_answers import Judge
from draft_data import read

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.query.lexicon import load_lexicon
from curtain.drafting.query.recognise import Recogniser
from curtain.drafting.schema.pack_schema import schema_of
from curtain.drafting.schema.reader import SchemaDraft, from_schema
from curtain.drafting.sql.statements import write

PARTS = ("geography", "personnel", "atis", "bikes")
BANDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01)


@dataclass(frozen=True)
class Outcome:
    """One question: which of its drafts are right, which hold the right answer, and how long they took, in ms."""

    question: str
    sql: str
    drafts: tuple[SchemaDraft, ...]
    right: tuple[bool, ...]
    held: tuple[bool, ...]
    ms: float

    @property
    def confidence(self) -> float:
        """That of the first draft, 0 if there is none."""
        return self.drafts[0].confidence if self.drafts else 0.0


def outcomes_of(pack: Pack, questions: Iterable[tuple[str, str]], judge: Judge) -> list[Outcome]:
    """Every question drafted and judged."""
    lexicon = load_lexicon(pack, judge.databases[0])
    began = time.perf_counter()
    schema = schema_of(pack, lexicon)
    print(f"  schema there in {1000 * (time.perf_counter() - began):.0f} ms", flush=True)
    recogniser = Recogniser(lexicon, pack.periods, pack.as_of)
    found = []
    for question, sql in questions:
        reading = recogniser.read(question)
        start = time.perf_counter()
        drafts = tuple(from_schema(reading, schema)[:5])
        ms = 1000 * (time.perf_counter() - start)
        texts = [write(one.statement) for one in drafts]
        right = tuple(judge.right(text, sql) for text in texts)
        held = tuple(one or judge.holds(text, sql) for one, text in zip(right, texts, strict=True))
        found.append(Outcome(question, sql, drafts, right, held, ms))
    return found


def told(what: str, outcomes: Sequence[Outcome], wrong: bool) -> None:
    """Figures of one set of questions."""
    for name, hits in (("right", [one.right for one in outcomes]), ("columns free", [one.held for one in outcomes])):
        first, five = sum(one[:1] == (True,) for one in hits), sum(map(any, hits))
        shares = f"first {share_told(first, len(hits))}   within five {share_told(five, len(hits))}"
        print(f"{what:24} {name:13} {len(hits):4}   {shares}")
    times = np.percentile([one.ms for one in outcomes], [50, 95, 100])
    print(
        f"  {times[0]:.1f} ms at the median, {times[1]:.1f} at the 95th percentile, {times[2]:.1f} at most", flush=True
    )
    for one in outcomes if wrong else ():
        if not any(one.held[:1]):
            told_wrong(one)


def told_wrong(outcome: Outcome) -> None:
    """One question whose first draft is wrong."""
    print(f"- {outcome.question}\n    = {outcome.sql}")
    for draft, held in zip(outcome.drafts, outcome.held, strict=True):
        print(f"    {'+' if held else ' '} {draft.confidence:.2f} {draft.explained:.2f} {write(draft.statement)}")


def told_confidence(outcomes: Sequence[Outcome]) -> None:
    """What the confidence of first drafts said, and how many were right."""
    for low, high in pairwise(BANDS):
        group = [one for one in outcomes if one.drafts and low <= one.confidence < high]
        if group:
            said = 100 * sum(one.confidence for one in group) / len(group)
            hits = sum(any(one.held[:1]) for one in group)
            span, right = f"{low:.1f} to {min(high, 1):.1f}", 100 * hits / len(group)
            print(f"    confidence {span}: {len(group):3}, said {said:.0f} %, right {right:.0f} %")


def _new_pack(source: Path, folder: Path) -> Pack:
    order = ["domain", "new", str(source), "--out", str(folder)]
    subprocess.run([sys.executable, "-m", "curtain", *order], check=True, stdout=subprocess.DEVNULL)
    return load_pack(folder)


def _judged(pack: Pack, databases: Sequence[Path], questions: Iterable[tuple[str, str]], kept: Path) -> list[Outcome]:
    judge = Judge(pack, databases, kept)
    found = outcomes_of(pack, questions, judge)
    judge.close()
    return found


def geography(work: Path, data: Path) -> list[tuple[str, list[Outcome]]]:
    """The training questions; the pack is as `curtain domain new` makes it."""
    if not data.is_dir():
        print(f"geography: skipped, the questions are not in {data}")
        return []
    pack = _new_pack(data / "geography", work / "geography")
    asked = [(one.question, one.sql) for one in read(data / "geography_train.jsonl.gz")]
    return [("geography", _judged(pack, [database(pack)], asked, work / "geography.pickle"))]


def bundled(name: str, work: Path) -> list[tuple[str, list[Outcome]]]:
    """The examples of a pack as questions, but for those that need the turn before."""
    pack = load_pack(name)
    databases = [database(pack), *(database(pack, seed=seed) for seed in SEEDS)]
    asked = [(one.question, one.sql) for one in pack.examples() if not one.context]
    return [(name, _judged(pack, databases, asked, Path(gettempdir()) / f"schema-reader-{name}.pickle"))]


def bikes(work: Path) -> list[tuple[str, list[Outcome]]]:
    """Our own little database, as a newcomer would bring it."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "drafting"))
    from bikes_pack import write_sqlite

    pack = _new_pack(write_sqlite(work / "bikes.sqlite"), work / "bikes")
    sets = (("bikes, development", DEVELOPMENT), ("bikes, blind", BLIND))
    return [(name, _judged(pack, [database(pack)], asked, work / f"{name}.pickle")) for name, asked in sets]


def main() -> int:
    """Runs the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS))
    parser.add_argument("--wrong", action="store_true", help="show the questions whose first draft is wrong")
    options = parser.parse_args()
    every: list[Outcome] = []
    with TemporaryDirectory() as folder:
        work = Path(folder)
        for part in options.only:
            runs = {"geography": lambda: geography(work, options.data), "bikes": lambda: bikes(work)}
            for what, outcomes in runs.get(part, lambda part=part: bundled(part, work))():
                told(what, outcomes, options.wrong)
                every += outcomes
    told_confidence(every)
    return 0


if __name__ == "__main__":
    sys.exit(main())
