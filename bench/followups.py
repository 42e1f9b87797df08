"""How often questions that go on from the turn before are drafted right, how sure those drafts are, and how fast.

    python bench/followups.py [--show]

The lines of followups.jsonl have a domain, the SQL of the turn before (or of several, oldest first), the question and
the SQL that counts as right. The first 52 were written before the code; the others without a mark in lots along the
way, each first put to the code as it was and then used to repair it. Those marked `blind` were written at the end,
without a look at what the code makes of them, and nothing was repaired for them. The store are the examples that come
with the packs. Judged by answers on three databases; where an order is asked for, it has to be the same.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import platformdirs
from draft import SEEDS, own_examples
from draft_answers import Hit, Judge, show_bands, show_figures

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Asked, Draft, Request

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Line:
    """One follow-up."""

    domain: str
    previous: tuple[Asked, ...]
    question: str
    sql: str
    blind: bool


@dataclass(frozen=True)
class Outcome(Hit):
    """A follow-up with its drafts, and milliseconds."""

    line: Line
    drafts: tuple[Draft, ...]
    ms: float


@dataclass(frozen=True)
class Domain:
    """A pack with its drafter and its judge."""

    pack: Pack
    drafter: LocalDrafter
    judge: Judge


def read() -> list[Line]:
    """The lines of followups.jsonl."""
    found = map(json.loads, (_HERE / "followups.jsonl").read_text("utf-8").splitlines())
    return [
        Line(one["domain"], _asked(one["previous"]), one["question"], one["sql"], bool(one.get("blind")))
        for one in found
    ]


def _asked(previous: str | list[str]) -> tuple[Asked, ...]:
    return tuple(Asked("", sql) for sql in ([previous] if isinstance(previous, str) else previous))


def opened(names: Iterable[str]) -> Iterator[tuple[str, Domain]]:
    """The packs with what belongs to them."""
    work = platformdirs.user_cache_path("curtain") / "bench-draft"
    for name in sorted(set(names)):
        pack = load_pack(name)
        drafter = LocalDrafter(pack, database(pack), own_examples(pack), work / "learned")
        databases = [database(pack), *(database(pack, seed=seed) for seed in SEEDS)]
        yield name, Domain(pack, drafter, Judge(pack, databases, work / f"answers-followups-{name}.msgpack"))


def tried(line: Line, domain: Domain) -> Outcome:
    """The drafts for one line, judged."""
    request = Request(line.question, line.previous, reading="published")
    began = time.perf_counter()
    drafts = tuple(domain.drafter.drafts(request))
    ms = 1000 * (time.perf_counter() - began)
    hits = tuple(right(draft.sql, line.sql, domain.judge) for draft in drafts)
    return Outcome(hits, drafts[0].confidence if drafts else 0.0, line, drafts, ms)


def right(sql: str, reference: str, judge: Judge) -> bool:
    """Whether a draft answers as the reference, and in its order if that has one."""
    return judge.right(sql, reference) and _order(sql) == _order(reference)


def _order(sql: str) -> str:
    found = re.search(r"ORDER BY (.*)$", sql, re.IGNORECASE)
    return re.sub(r"\b\w+\.| ASC\b| NULLS \w+", "", found[1]).lower() if found else ""


def show(outcomes: Sequence[Outcome]) -> None:
    """What was not right at once."""
    for one in outcomes:
        if not one.first:
            print(f"\n[{one.line.domain}] {one.line.question}\n   after  {one.line.previous[-1].sql}")
            print(f"   wanted {one.line.sql}")
            for draft, hit in zip(one.drafts, one.right, strict=True):
                print(f"   {'+' if hit else '-'} {draft.confidence:.2f} {draft.because[:20]:20} {draft.sql}")


def main() -> int:
    """Tries all lines."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print what was not right at once")
    parser.add_argument("--half", choices=("development", "blind"), help="only these")
    options = parser.parse_args()
    lines = [one for one in read() if options.half is None or one.blind == (options.half == "blind")]
    domains = dict(opened(one.domain for one in lines))
    outcomes = [tried(line, domains[line.domain]) for line in lines]
    for half, blind in (("development", False), ("blind", True)):
        own = [one for one in outcomes if one.line.blind == blind]
        if own:
            show_figures(half, own)
            for name in domains:
                show_figures(f"  {name}", [one for one in own if one.line.domain == name])
            show_bands(own)
    clock = np.percentile([one.ms for one in outcomes], [50, 95])
    print(f"  whole requests in {clock[0]:.0f} ms, at the 95th percentile {clock[1]:.0f} ms")
    if options.show:
        show(outcomes)
    for domain in domains.values():
        domain.judge.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
