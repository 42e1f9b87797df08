"""How often the NL tool's drafts are right, how fast they come, and how sure they are.

    python bench/draft.py [--data FOLDER] [--only PART ...] [--sample N]

PART is any of: foreign, atis, shipped, geography, personnel. Judged by answers: a draft is right if it answers as the
reference SQL does on two databases of different seeds, or, where these answers are empty, if it is the same SQL. Most
questions are no part of the project; where the folder is absent, what needs them is skipped.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs
from draft_answers import Judge, show_bands, show_figures, show_times, tried, wanted
from draft_data import DATA, Published, databases, pack_of, paraphrases, read, some
from draft_foreign import foreign
from size import sized

from curtain.domain.pack.pack import Pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.store import pack_examples
from curtain.drafting.values import Example

PARTS = ("foreign", "atis", "shipped", "geography", "personnel")


@dataclass(frozen=True)
class Bench:
    """Where things are."""

    data: Path
    work: Path
    sample: int


def opened(bench: Bench, name: str, first: int = 0) -> tuple[Pack, Judge]:
    """A pack with its judge, who sees its databases from this one on."""
    pack = pack_of(name, bench.work, bench.data)
    return pack, Judge(pack, databases(pack)[first:], bench.work / f"answers-{name}.msgpack")


def drafter_of(bench: Bench, pack: Pack, path: Path, examples: Sequence[Example]) -> LocalDrafter:
    """A drafter, and how long it took to be there."""
    began = time.perf_counter()
    drafter = LocalDrafter(pack, path, examples, bench.work / "learned")
    print(f"  store of {len(examples):,} there in {time.perf_counter() - began:.1f} s", flush=True)
    return drafter


def atis(bench: Bench) -> None:
    """The training questions as the store, dev as the test; faulty questions apart."""
    pack, judge = opened(bench, "atis", 1)
    examples, dev = [one.example for one in read(bench.data / "atis_train.jsonl.gz")], _atis_dev(bench)
    drafter_of(bench, pack, judge.databases[0], examples)
    drafter = drafter_of(bench, pack, judge.databases[0], examples)
    hits = tried(drafter, [wanted(one.example) for one in dev], judge.right)
    judged = list(zip(dev, hits, strict=True))
    show_figures("ATIS, clean", [hit for one, hit in judged if not one.faulty])
    show_figures("ATIS, weekday on a false date", [hit for one, hit in judged if one.faulty])
    show_figures("ATIS, all", hits)
    show_times(hits)
    show_bands(hits)
    judge.close()


def shipped(bench: Bench) -> None:
    """Only the examples of the pack as the store. They show the key beside an attribute, as the rules of 1992 want it,
    and their year is 1992; the published SQL has the attribute alone, and 1991."""
    pack, judge = opened(bench, "atis", 1)
    drafter = drafter_of(bench, pack, judge.databases[0], pack_examples(pack))
    hits = tried(drafter, [wanted(one.example) for one in _atis_dev(bench)], judge.right)
    show_figures("ATIS, shipped examples alone", hits)
    show_figures("  the same, further columns free", [hit.judged(judge.holds) for hit in hits])
    judge.close()


def geography(bench: Bench) -> None:
    """A domain that is not ours, its pack as `curtain domain new` makes it."""
    train, dev = (read(bench.data / f"geography_{part}.jsonl.gz") for part in ("train", "dev"))
    pack, judge = opened(bench, "geography")
    drafter = drafter_of(bench, pack, judge.databases[0], [one.example for one in train])
    show_figures("geography", tried(drafter, [wanted(one.example) for one in dev], judge.right))
    judge.close()


def personnel(bench: Bench) -> None:
    """Paraphrases that were written after the examples and are not in the store."""
    pack, judge = opened(bench, "personnel")
    drafter = drafter_of(bench, pack, judge.databases[0], pack_examples(pack))
    show_figures("personnel, paraphrases", tried(drafter, map(wanted, paraphrases()), judge.right))
    judge.close()


def _atis_dev(bench: Bench) -> list[Published]:
    questions = read(bench.data / "atis_dev.jsonl.gz")
    return some(questions, bench.sample) if bench.sample else questions


def main() -> int:
    """Runs the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
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
