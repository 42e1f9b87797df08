"""How often the NL tool's drafts are right, how fast they come, and how sure they are.

    python bench/draft.py [--data FOLDER] [--only PART ...] [--sample N]

PART is any of: foreign, atis, shipped, geography, personnel. Judged by answers: a draft is right if it answers as the
reference SQL does on two databases of different seeds, or, where these answers are empty, if it is the same SQL. Most
questions are no part of the project; where the folder is absent, what needs them is skipped.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import draft_foreign
import platformdirs
from draft_answers import Hit, Judge, show_bands, show_figures, show_times, tried, wanted
from draft_data import DATA, databases, pack_of, paraphrases, read
from size import sized

from curtain.domain.pack.pack import load_pack
from curtain_drafts.drafting.values import Example
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_drafts.tool.store import pack_examples


@dataclass(frozen=True)
class Bench:
    """Where things are."""

    data: Path
    work: Path
    sample: int
    show: bool

    def read(self, name: str) -> list[Example]:
        """The questions of a file of the folder; not more than the sample of those that are asked."""
        questions = read(self.data / f"{name}.jsonl.gz")
        sampled = self.sample and name.endswith("_dev")
        return random.Random(17).sample(questions, min(self.sample, len(questions))) if sampled else questions


def asked(
    bench: Bench, name: str, store: Sequence[Example], questions: Sequence[Example], free: bool = False
) -> list[Hit]:
    """The questions drafted with a pack and a store, and judged; `free`: further columns are. Prints what it took
    until the store was there."""
    pack, began = pack_of(name, bench.work, bench.data), time.process_time()
    # Published questions of air travel are judged by the databases of other seeds.
    judge = Judge(pack, databases(pack)[name == "atis" :], bench.work / f"answers-{name}.msgpack")
    drafter = LocalDrafter(pack, judge.databases[0], store, bench.work / "learned")
    print(f"  store of {len(store):,} there after {time.process_time() - began:.1f} s of the processor", flush=True)
    hits = tried(drafter, map(wanted, questions), judge.holds if free else judge.right)
    judge.close()
    return hits


def atis(bench: Bench) -> None:
    """The training questions as the store, dev as the test."""
    store = bench.read("atis_train")
    # The first time the store is learned, from then on loaded.
    asked(bench, "atis", store, [])
    hits = asked(bench, "atis", store, bench.read("atis_dev"))
    show_figures("ATIS", hits)
    show_times(hits)
    show_bands(hits)


def shipped(bench: Bench) -> None:
    """Only the examples of the pack as the store. They show the key beside an attribute, as the rules of 1992 want it,
    and their year is 1992; the published SQL has the attribute alone, and 1991."""
    for what, free in (("ATIS, shipped examples alone", False), ("  the same, further columns free", True)):
        show_figures(what, asked(bench, "atis", pack_examples(load_pack("atis")), bench.read("atis_dev"), free))


def foreign(bench: Bench) -> None:
    """Three databases that are not ours."""
    draft_foreign.foreign(bench.show)


def geography(bench: Bench) -> None:
    """A domain that is not ours, its pack as `curtain domain new` makes it."""
    hits = asked(bench, "geography", bench.read("geography_train"), bench.read("geography_dev"))
    show_figures("geography", hits)


def personnel(bench: Bench) -> None:
    """Paraphrases that were written after the examples and are not in the store."""
    hits = asked(bench, "personnel", pack_examples(load_pack("personnel")), paraphrases())
    show_figures("personnel, paraphrases", hits)


PARTS = {"foreign": foreign, "atis": atis, "shipped": shipped, "geography": geography, "personnel": personnel}
OURS = ["foreign", "personnel"]


def main() -> int:
    """Runs the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--only", nargs="*", choices=PARTS, default=sized(list(PARTS), OURS))
    parser.add_argument("--sample", type=int, default=sized(0, 2), help="only so many questions of each")
    parser.add_argument("--show", action="store_true", help="show what is missed in foreign databases")
    options = parser.parse_args()
    work = platformdirs.user_cache_path("curtain") / "bench-draft"
    for part in options.only:
        if part in OURS or options.data.is_dir():
            PARTS[part](Bench(options.data, work, options.sample, options.show))
        else:
            print(f"{part}: skipped, the questions are not in {options.data}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
