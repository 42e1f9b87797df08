"""Questions of several databases by statement, and stores in which half of the statements are answered, once each.

Statements that differ in their values alone are one here. Both kinds of questions are asked of one store: a statement
that was answered in other words, and statements that nobody has asked. In two stores a rule could see which it is in.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from draft_answers import Judge
from draft_data import NAMES, STRANGE, databases, pack_of, paraphrases, read
from draft_foreign import read as read_foreign

from curtain.domain.pack.pack import Pack, database
from curtain_drafts.drafting.values import Example
from curtain_drafts.tool.algebra.reading import SqlReader
from curtain_drafts.tool.drafter.local import words_and_values
from curtain_drafts.tool.examples.align import align
from curtain_drafts.tool.ranking.training import parsed
from curtain_drafts.tool.store import pack_examples

FITTED = ("world", "garage", "chinook", "university", "personnel", "geography even", "atis train")
REPORTED = ("kennel", "theatre_halls", "northwind", "geography odd", "atis dev")
"""Weights are fitted on the first, and figures reported of the second. Statements of published sets are divided."""

_MOST_STATEMENTS, _MOST_PUBLISHED = 120, 800


@dataclass(frozen=True)
class Domain:
    """A database with its questions, by statement, each list with its wordings, in a fixed shuffle."""

    name: str
    pack: Pack
    judge: Judge
    examples: Sequence[Example]

    @cached_property
    def statements(self) -> list[list[Example]]:
        """The wordings of each statement; of those that answer something alone."""
        _, _, recogniser = words_and_values(self.pack, database(self.pack))
        same: dict[str, dict[str, Example]] = {}
        for known in parsed(self.examples, recogniser, SqlReader(self.pack.tables, "", self.pack.keys.primary)):
            if self.judge.answers(known.example.sql):
                wordings = same.setdefault(align(known.query, known.reading).query.key, {})
                wordings.setdefault(known.example.question.casefold(), known.example)
        many = [list(wordings.values()) for wordings in same.values()]
        return random.Random(11).sample(many, len(many))


def opened(name: str, data: Path, work: Path) -> Domain:
    """A domain by its name: of geography and air travel with the part of the published questions."""
    base, _, part = name.partition(" ")
    pack = pack_of(base, work, data)
    judge = Judge(pack, databases(pack)[base == "atis" :], work / f"{base}.answers")
    return Domain(name, pack, judge, _examples(base, part, pack, data))


def present(names: Sequence[str], data: Path) -> list[str]:
    """Those of the domains whose questions are there."""
    return [name for name in names if data.is_dir() or " " not in name]


def _examples(base: str, part: str, pack: Pack, data: Path) -> list[Example]:
    if base in (*NAMES, *STRANGE):
        answered, reworded = read_foreign(base)
        return answered + reworded
    if base == "personnel":
        return [one for one in pack_examples(pack) if not one.previous] + paraphrases()
    if base == "geography":
        half = int(part == "odd")
        return [one for each in ("train", "dev") for one in read(data / f"{base}_{each}.jsonl.gz", half)]
    questions = read(data / f"{base}_{part}.jsonl.gz")
    return random.Random(3).sample(questions, min(_MOST_PUBLISHED, len(questions)))


def large_store(domain: Domain, data: Path) -> Store:
    """All published questions of a domain answered but some, by lot, which are asked."""
    base, _, part = domain.name.partition(" ")
    examples = read(data / f"{base}_{part}.jsonl.gz") if base == "atis" else domain.examples
    lot = random.Random(5).sample(examples, len(examples))
    held = min(250, len(lot) // 4)
    return Store(lot[held:], [(one, False) for one in lot[:held]])


@dataclass(frozen=True)
class Store:
    """What is answered, and what is asked then: the question, and whether its statement is new."""

    answered: Sequence[Example]
    asked: Sequence[tuple[Example, bool]]


def stores(domain: Domain, draws: int = 2, scenarios: bool = False) -> Iterator[Store]:
    """One with nothing answered, then draws of half of the statements. With `scenarios` every second question is asked
    in one: five statements each, answered and new ones together."""
    statements = domain.statements[:_MOST_STATEMENTS]
    yield Store([], [(wordings[0], True) for wordings in statements])
    for draw in range(draws):
        lot = random.Random(20 + draw)
        order = lot.sample(statements, len(statements))
        half, answered, asked = len(order) // 2, [], []
        # The first half is answered; those with several wordings are asked again.
        order.sort(key=lambda wordings: len(wordings) < 2)
        known, new = order[::2][:half], order[1::2] + order[::2][half:]
        for number, wordings in enumerate(known):
            first, *others = lot.sample(wordings, len(wordings))
            answered.append(replace(first, scenario=f"s{number // 3}"))
            for other in others[:2]:
                scenario = f"s{number // 3}" if scenarios and lot.random() < 0.5 else ""
                asked.append((replace(other, scenario=scenario), False))
        for number, wordings in enumerate(new):
            scenario = f"s{number // 2}" if scenarios and lot.random() < 0.5 else ""
            asked += [(replace(one, scenario=scenario), True) for one in wordings[:2]]
        yield Store(answered, asked)
