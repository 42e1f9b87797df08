"""How often questions that go on from the turn before are drafted right, how sure those drafts are, and how fast.

    python bench/followups.py [--only SET ...] [--show SET]

A line of followups.jsonl is what was said before and what may follow: a set, a domain, how the ends of periods are
read, the turns before (oldest first; the question, empty where none is known, and its SQL), and each question that goes
on from there, with the statements of which any counts as right. The store are the examples that come with the packs;
foreign databases have none. Judged by answers on up to three databases; an order that is asked for has to be the same,
and further columns are free in foreign databases.

Of `development` 52 were written before the code, the others in lots along the way, each first put to the code
as it was and then used to repair it. Those of `blind` were written at the end, without a look at what the code makes of
them. The `talk` sets were written as people talk, without such a look, too; A, B and C were then used to repair the
code. Of D and E nothing has been looked at: report their figures, and never ask what they miss.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import platformdirs
from draft_answers import Hit, Judge, Wanted, show_bands, show_figures, show_missed, show_times, tried
from draft_data import NAMES, databases, pack_of
from size import sized

from curtain_drafts.drafting.values import Asked, Request
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_drafts.tool.store import pack_examples

_LINES = Path(__file__).with_name("followups.jsonl").read_text("utf-8").splitlines()[:: sized(1, 40)]


@dataclass(frozen=True)
class Conversation:
    """What may follow the same turns."""

    set: str
    domain: str
    questions: Sequence[Wanted]


def read() -> Iterator[Conversation]:
    """The lines of followups.jsonl."""
    for line in map(json.loads, _LINES):
        previous = tuple(Asked(*turn) for turn in line["previous"])
        questions = [(Request(one, previous, reading=line["reading"]), sql) for one, *sql in line["then"]]
        yield Conversation(line["set"], line["domain"], questions)


def asked(domain: str, conversations: Sequence[Conversation], folder: Path) -> dict[str, list[Hit]]:
    """The drafts for what is asked of one domain, judged, by set."""
    pack = pack_of(domain, folder)
    work = folder if domain in NAMES else platformdirs.user_cache_path("curtain") / "bench-draft"
    judge = Judge(pack, databases(pack), work / f"answers-followups-{domain}.msgpack")
    drafter = LocalDrafter(pack, judge.databases[0], pack_examples(pack), work / "learned")
    right, hits = judge.holds if domain in NAMES else judge.ordered, dict[str, list[Hit]]()
    for one in conversations:
        hits.setdefault(one.set, []).extend(tried(drafter, one.questions, right))
    judge.close()
    return hits


def main() -> int:
    """Tries all lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    conversations = list(read())
    sets, domains = ({getattr(one, what): None for one in conversations} for what in ("set", "domain"))
    parser.add_argument("--only", nargs="*", choices=sets, default=list(sets), help="only these sets")
    parser.add_argument("--show", choices=sets, help="print what of this set was not right at once")
    options = parser.parse_args()
    conversations = [one for one in conversations if one.set in options.only]
    with TemporaryDirectory() as folder:
        every = {
            domain: asked(domain, [one for one in conversations if one.domain == domain], Path(folder))
            for domain in domains
        }
    for name in options.only:
        own = {domain: hits[name] for domain, hits in every.items() if name in hits}
        together = [hit for hits in own.values() for hit in hits]
        show_figures(name, together)
        for domain, hits in own.items():
            show_figures(f"  {domain}", hits)
        show_bands(together)
        if name == options.show:
            show_missed(together)
    show_times([hit for own in every.values() for hits in own.values() for hit in hits])
    return 0


if __name__ == "__main__":
    sys.exit(main())
