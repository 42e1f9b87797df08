"""How many keys a turn costs the wizard, with and without drafts, and how long they take by the Keystroke-Level Model.

    python bench/keystrokes.py [--data ../shared/data] [--pressed 25] [--questions 486]

Every question of atis_dev is planned twice: its statement written by hand with the editor's completion, and the right
draft taken. The training questions are the store; nothing is learnt from the answers. The first `--pressed` questions
are answered in the wizard's real window, key by key, and what was sent must be what the plan says.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from keystroke_plan import K_S, M_S, Plan, Written, by_hand, in_vain, strokes_of, with_draft, without_joins, written
from size import sized

from curtain import cas
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.domain.worker.worker import Result, SqlWorker
from curtain.drafting.service import DrafterChoice, DraftService, DraftSettings
from curtain.drafting.store import read_examples
from curtain.drafting.values import Draft, Example, Request
from curtain.qt.sql_text import EditorSchema

HERE = Path(__file__).resolve().parent
DATA = HERE.parent.parent / "shared" / "data"
READY_S = 600.0


@dataclass(frozen=True)
class Case:
    """One question: its reference statement, as typed, the place of the right draft or 0, how many were read."""

    question: str
    sql: str
    written: Written
    place: int
    read: int
    waited_s: float
    taken: str = ""

    @property
    def without(self) -> Plan:
        return by_hand(self.question, self.written)

    @property
    def with_drafts(self) -> Plan:
        if self.place:
            return with_draft(self.question, self.place, self.waited_s)
        return in_vain(self.question, self.written, self.read, self.waited_s)

    @property
    def bound(self) -> int:
        """Keys of the query, and of a statement for which no table had to be joined."""
        return sum(map(strokes_of, (*self.question, *without_joins(self.sql)))) + 6


def main() -> int:
    options = _options()
    dev, train = options.data / "atis_dev.jsonl.gz", options.data / "atis_train.jsonl.gz"
    if not dev.exists() or not train.exists():
        print(f"skipped: {dev} and {train.name} are not there; nothing was measured")
        return 0
    questions = read_examples(dev)[: options.questions]
    cases = list(_planned(questions, train))
    _report(cases)
    if options.pressed:
        from keystroke_window import press_all

        print()
        press_all(cases[: options.pressed], train)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with atis_dev and atis_train")
    parser.add_argument("--questions", type=int, default=sized(10_000, 5), help="plan so many of the questions")
    parser.add_argument("--pressed", type=int, default=sized(25, 1), help="answer so many in the real window")
    return parser.parse_args()


# -- planning ------------------------------------------------------------------------------------------


def _planned(questions: Sequence[Example], train: Path) -> Iterator[Case]:
    from wizard_app.desk.preparation import schema_of

    pack = load_pack("atis")
    worker = SqlWorker(database(pack), pack)
    try:
        schema = schema_of(worker.describe().result())
        with drafting(pack, read_examples(train)) as service:
            for at, one in enumerate(questions, 1):
                _print_words(f"planning {at} of {len(questions)}")
                yield _case(one, schema, service, worker, pack)
        _print_words("")
    finally:
        worker.close()


@contextmanager
def drafting(pack: Pack, examples: Sequence[Example]) -> Iterator[DraftService]:
    """The NL tool, loaded."""
    ready: Future[None] = Future()
    settings = DraftSettings(drafters=(DrafterChoice(start_s=READY_S),))
    service = DraftService(pack, database(pack), examples, settings, lambda: ready.set_result(None), print)
    try:
        ready.result(READY_S)
        yield service
    finally:
        service.close()


def _case(one: Example, schema: EditorSchema, service: DraftService, worker: SqlWorker, pack: Pack) -> Case:
    began = time.monotonic()
    drafts = service.draft(Request(one.question)).result()
    waited_s = time.monotonic() - began
    place = _place_of_right(one.sql, drafts, worker, pack)
    taken = drafts[place - 1].sql if place else ""
    return Case(one.question, one.sql, written(one.sql, schema), place, len(drafts), waited_s, taken)


def _place_of_right(sql: str, drafts: Sequence[Draft], worker: SqlWorker, pack: Pack) -> int:
    """The first draft that answers as the reference does; an empty answer must come from the same statement."""
    reference = worker.run(sql).result()
    for place, draft in enumerate(drafts, 1):
        if _same(sql, draft.sql) or _answers_alike(reference, worker.run(draft.sql).result(), pack):
            return place
    return 0


def _answers_alike(reference: Result, found: Result, pack: Pack) -> bool:
    if not reference.total or reference.cas_min is None or found.cas_min is None:
        return False
    return cas.compare(found.cas_min, reference.cas_min, dialect=pack.dialect).outcome == "correct"


def _same(one: str, other: str) -> bool:
    return " ".join(one.lower().split()) == " ".join(other.lower().split())


# -- telling -------------------------------------------------------------------------------------------


def _report(cases: Sequence[Case]) -> None:
    first, found = sum(one.place == 1 for one in cases), sum(one.place > 0 for one in cases)
    total = len(cases)
    print(f"{total} questions; right at the first draft {first / total:.1%}, within five {found / total:.1%}")
    print(f"one key {K_S} s, one thought {M_S} s (Card, Moran and Newell 1980); a chord counts each of its keys;")
    print("written by hand: completed with Tab, aliases of one letter; where no draft is right, all are read in vain")
    query = statistics.mean(len(one.question) for one in cases)
    print(f"{'':38s}keys a turn    seconds a turn      (the query alone: {query:.0f} keys)")
    without, drafted = [one.without for one in cases], [one.with_drafts for one in cases]
    for shown, plans in (("without drafts", without), ("with drafts", drafted)):
        print(f"{shown:36s}{_mean([one.strokes for one in plans]):>13s}{_mean([one.seconds for one in plans]):>18s}")
    print(f"{'by hand if no table were joined':36s}{_mean([one.bound for one in cases]):>13s}   (only a bound)")
    keys, seconds = _share(drafted, without, "strokes"), _share(drafted, without, "seconds")
    print(f"with drafts / without: keys {keys}, seconds {seconds}, wanted <= 50 %")


def _mean(values: Sequence[float]) -> str:
    return f"{statistics.mean(values):.1f}"


def _share(some: Sequence[Plan], others: Sequence[Plan], what: str) -> str:
    def total(plans: Sequence[Plan]) -> Any:
        return sum(getattr(one, what) for one in plans)

    return f"{total(some) / total(others):.0%}"


def _print_words(words: str) -> None:
    if sys.stderr.isatty():
        print(f"\r{words:<30}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
