"""How often the NL tool's drafts are right, how fast they come, and how sure they are.

    python bench/draft.py [--data FOLDER] [--only PART ...] [--sample N]

PART is any of: foreign, atis, shipped, geography, personnel. Judged by answers: a draft is right if it answers as the
reference SQL does on two databases of different seeds, or, where these answers are empty, if it is the same SQL. Most
questions are no part of the project; where the folder is absent, what needs them is skipped.
"""

from __future__ import annotations

import argparse
import gc
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import platformdirs
from draft_answers import Hit, Judge, show_bands, show_figures
from draft_data import Asked, read, some
from draft_foreign import foreign
from size import sized

from curtain.domain.build.new_pack import new_pack
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.store import pack_examples
from curtain.drafting.values import Draft, Example, Request

PARTS = ("foreign", "atis", "shipped", "geography", "personnel")
SEEDS = (101, 202)


@dataclass(frozen=True)
class Outcome(Hit):
    """A question with its drafts judged, milliseconds of clock and of processor time."""

    asked: Asked
    ms: float
    cpu_ms: float


@dataclass(frozen=True)
class Bench:
    """Where things are."""

    data: Path
    work: Path
    sample: int


def tried(drafter: LocalDrafter, questions: Iterable[Asked], right: Callable[[str, str], bool]) -> list[Outcome]:
    """Every question drafted, and then judged: the process in which a drafter runs does nothing else either."""
    # As it is done there.
    gc.freeze()
    timed = [_timed(drafter, asked) for asked in questions]
    gc.unfreeze()
    return [
        replace(outcome, right=tuple(right(draft.sql, outcome.asked.sql) for draft in drafts))
        for outcome, drafts in timed
    ]


def _timed(drafter: LocalDrafter, asked: Asked) -> tuple[Outcome, Sequence[Draft]]:
    began, cpu = time.perf_counter(), time.process_time()
    drafts = drafter.drafts(Request(asked.question, reading="published"))
    ms, cpu_ms = 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - cpu)
    return Outcome((), drafts[0].confidence if drafts else 0.0, asked, ms, cpu_ms), drafts


def drafter_of(bench: Bench, pack: Pack, path: Path, examples: Sequence[Example]) -> LocalDrafter:
    """A drafter, and how long it took to be there."""
    began = time.perf_counter()
    drafter = LocalDrafter(pack, path, examples, bench.work / "learned")
    print(f"  store of {len(examples):,} there in {time.perf_counter() - began:.1f} s", flush=True)
    return drafter


def atis(bench: Bench) -> None:
    """The training questions as the store, dev as the test; faulty questions apart."""
    pack, judge = _atis_judge(bench)
    train, dev = read(bench.data / "atis_train.jsonl.gz"), _some(bench, read(bench.data / "atis_dev.jsonl.gz"))
    examples = [asked.example for asked in train]
    drafter_of(bench, pack, judge.databases[0], examples)
    drafter = drafter_of(bench, pack, judge.databases[0], examples)
    outcomes = tried(drafter, dev, judge.right)
    clean = [one for one in outcomes if not one.asked.faulty]
    show_figures("ATIS, clean", clean)
    show_figures("ATIS, weekday on a false date", [one for one in outcomes if one.asked.faulty])
    show_figures("ATIS, all", outcomes)
    _show_times(outcomes)
    show_bands(outcomes)
    judge.close()


def shipped(bench: Bench) -> None:
    """Only the examples of the pack as the store. They show the key beside an attribute, as the rules of 1992 want it,
    and their year is 1992; the published SQL has the attribute alone, and 1991."""
    pack, judge = _atis_judge(bench)
    drafter = drafter_of(bench, pack, judge.databases[0], own_examples(pack))
    asked = _some(bench, read(bench.data / "atis_dev.jsonl.gz"))
    show_figures("ATIS, shipped examples alone", tried(drafter, asked, judge.right))
    show_figures("  the same, further columns free", tried(drafter, asked, judge.holds))
    judge.close()


def geography(bench: Bench) -> None:
    """A domain that is not ours, its pack as `curtain domain new` makes it."""
    pack = load_pack(_new_pack(bench))
    judge = Judge(pack, [database(pack)], bench.work / "answers-geography.msgpack")
    store = [asked.example for asked in read(bench.data / "geography_train.jsonl.gz")]
    drafter = drafter_of(bench, pack, judge.databases[0], store)
    show_figures("geography", tried(drafter, read(bench.data / "geography_dev.jsonl.gz"), judge.right))
    judge.close()


def personnel(bench: Bench) -> None:
    """Paraphrases that were written after the examples and are not in the store."""
    pack = load_pack("personnel")
    databases = [database(pack, seed=seed) for seed in SEEDS]
    judge = Judge(pack, [database(pack), *databases], bench.work / "answers-personnel.msgpack")
    lines = (Path(__file__).parent / "personnel_paraphrases.jsonl").read_text("utf-8").splitlines()
    asked = [Asked(str(n), one["question"], one["sql"], "", False) for n, one in enumerate(map(json.loads, lines))]
    drafter = drafter_of(bench, pack, judge.databases[0], own_examples(pack))
    show_figures("personnel, paraphrases", tried(drafter, asked, judge.right))
    judge.close()


def own_examples(pack: Pack) -> list[Example]:
    """The examples that come with a pack."""
    return pack_examples(pack)


def _some(bench: Bench, questions: list[Asked]) -> list[Asked]:
    return some(questions, bench.sample) if bench.sample else questions


def _atis_judge(bench: Bench) -> tuple[Pack, Judge]:
    pack = load_pack("atis")
    databases = [database(pack, seed=seed) for seed in SEEDS]
    return pack, Judge(pack, databases, bench.work / "answers-atis.msgpack")


def _new_pack(bench: Bench) -> Path:
    folder = bench.work / "geography"
    if not (folder / "domain.toml").exists():
        new_pack(bench.data / "geography", folder, lambda what, share: None)
    return folder


def _show_times(outcomes: Sequence[Outcome]) -> None:
    clock = np.percentile([one.ms for one in outcomes], [50, 95])
    cpu = np.percentile([one.cpu_ms for one in outcomes], [50, 95])
    print(f"  ranked SQL in {clock[0]:.0f} ms, at the 95th percentile {clock[1]:.0f} ms, to reach 50", end="")
    print(f" (processor time {cpu[0]:.0f} and {cpu[1]:.0f} ms)", flush=True)


def main() -> int:
    """Runs the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parts = sized(list(PARTS), ["foreign", "personnel"])
    parser.add_argument("--only", nargs="*", choices=PARTS, default=parts)
    parser.add_argument("--sample", type=int, default=sized(0, 2), help="only so many questions of each")
    parser.add_argument("--show", action="store_true", help="show what is missed in foreign databases")
    options = parser.parse_args()
    bench = Bench(options.data, platformdirs.user_cache_path("curtain") / "bench-draft", options.sample)
    runs = {"atis": atis, "shipped": shipped, "geography": geography}
    for part in options.only:
        if part == "personnel":
            personnel(bench)
        elif part == "foreign":
            foreign(options.show)
        elif options.data.is_dir():
            runs[part](bench)
        else:
            print(f"{part}: skipped, the questions are not in {options.data}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
