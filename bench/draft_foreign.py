"""Three databases that are not ours, as a lab meets them in its first week: no examples, then 1, 10 and 40 answered.

A file in foreign/ has 40 questions with their SQL, written before any of their drafts was seen; below some of them,
after “~”, the same question in other words and with another value. Judged by answers; further columns are free.
Beside the drafter alone: lists of it and a simulated model that is right as often as RATES say, and comes late.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from draft_answers import Hit, show_figures

from curtain.domain.build.new_pack import new_pack
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.serving.checks import Checks
from curtain.drafting.serving.pending_request import Trust, merge
from curtain.drafting.settings import OURS
from curtain.drafting.values import Draft, Example, Request

sys.path.insert(0, str(Path(__file__).parent / "foreign"))
from databases import NAMES, write

STORES = (1, 10, 40)
RATES = (0.2, 0.45, 0.7, 0.82, 1.0)
_ROUNDS = 5


@dataclass(frozen=True)
class Question:
    """A question and its SQL; `reworded` the same in other words, with its own SQL."""

    text: str
    sql: str
    reworded: tuple[str, str] | None = None

    @property
    def example(self) -> Example:
        """As an answered question."""
        return Example(self.text, self.sql, id=self.text)


def read(name: str) -> list[Question]:
    """The questions of one file."""
    questions: list[Question] = []
    lines = iter((Path(__file__).parent / "foreign" / f"{name}.cases").read_text("utf-8").splitlines())
    for line in lines:
        text, sql = line.strip().removeprefix("~ "), next(lines).strip().replace('"Order Details"', "order_details")
        if line.startswith(" "):
            questions[-1] = Question(questions[-1].text, questions[-1].sql, (text, sql))
        else:
            questions.append(Question(text, sql))
    return questions


def foreign(show: bool = False) -> None:
    """Prints the figures of all three."""
    every: dict[str, list[Hit]] = {}
    with TemporaryDirectory() as folder:
        for name in NAMES:
            write(name, Path(folder) / f"{name}.sqlite")
            new_pack(Path(folder) / f"{name}.sqlite", Path(folder) / name, lambda what, share: None)
            pack = load_pack(Path(folder) / name)
            measured = _measured(pack, read(name), show)
            measured |= with_models(pack, read(name), Path(folder) / f"{name}-trust.json")
            for what, hits in measured.items():
                show_figures(f"{name}, {what}", hits)
                every.setdefault(what, []).extend(hits)
    for what, hits in every.items():
        show_figures(f"all three, {what}", hits)


def _measured(pack: Pack, questions: Sequence[Question], show: bool) -> dict[str, list[Hit]]:
    path = database(pack)
    mixed = random.Random(3).sample(list(questions), len(questions))
    half = len(mixed) // 2
    measured: dict[str, list[Hit]] = {}
    with duckdb.connect(str(path), read_only=True) as connection:

        def asked(store: Sequence[Question], texts: Sequence[tuple[str, str]]) -> list[Hit]:
            drafter = LocalDrafter(pack, path, [one.example for one in store])
            return [_hit(drafter.drafts(Request(text)), sql, connection, text if show else "") for text, sql in texts]

        measured["no examples"] = asked([], [(one.text, one.sql) for one in questions])
        for many in STORES:
            store = mixed[:many]
            measured[f"{many} answered, verbatim"] = asked(store, [(one.text, one.sql) for one in store])
            reworded = [one.reworded for one in store if one.reworded]
            if reworded:
                measured[f"{many} answered, re-worded with other values"] = asked(store, reworded)
        new = [(one.text, one.sql) for one in mixed[half:]]
        measured["new questions before half is answered"] = asked([], new)
        measured["new questions after half is answered"] = asked(mixed[:half], new)
    return measured


def with_models(pack: Pack, questions: Sequence[Question], kept: Path) -> dict[str, list[Hit]]:
    """What is first in a list of ours and of a model, for each rate at which the model is right: three samples, of
    which those that are wrong are statements of other questions or, one in four, what ours says first. What is right of
    the list, else the statement of the question, is then learned. The model comes after ours was shown."""
    ours = LocalDrafter(pack, database(pack), [])
    chance, measured = random.Random(5), dict[str, list[Hit]]()
    with closing(Checks(pack, database(pack))) as checks, duckdb.connect(str(database(pack)), read_only=True) as opened:
        drafted = {one.text: checks.passed(ours.drafts(Request(one.text)), within=10) for one in questions}
        for rate in RATES:
            kept.unlink(missing_ok=True)
            trust = Trust(kept)
            for question in [one for _ in range(_ROUNDS) for one in chance.sample(list(questions), len(questions))]:
                mine = drafted[question.text]
                wrong = mine[0].sql if mine and chance.random() < 0.25 else chance.choice(questions).sql
                said = [question.sql if chance.random() < rate else wrong]
                said += [said[0] if chance.random() < 0.8 else chance.choice(questions).sql for _ in range(2)]
                votes = [Draft(sql, 0.95 * many / 3, drafter="model") for sql, many in Counter(said).most_common()]
                found = {OURS: mine, "model": checks.passed(votes, within=10)}
                merged = merge(found.values(), 5, merge([mine], 5), trust.of)
                # A wizard takes what is right: further columns are free here.
                taken = (one for one in merged if _holds(opened, one.sql, question.sql))
                trust.learn(found, next(taken, None) or checks.passed([Draft(question.sql, 1.0)], within=10)[0])
                for name, shown in (("ours", mine), ("the model", found["model"]), ("both", merged)):
                    hit = _hit(shown, question.sql, opened, "")
                    measured.setdefault(f"a model right in {100 * rate:.0f} %: {name}", []).append(hit)
    return measured


def _hit(drafts: Sequence[Draft], sql: str, connection: duckdb.DuckDBPyConnection, shown: str) -> Hit:
    right = tuple(_holds(connection, draft.sql, sql) for draft in drafts)
    if shown and right[:1] != (True,):
        print(f"- {shown}\n    = {sql}")
        for draft, hit in list(zip(drafts, right, strict=True))[:3]:
            print(f"    {'+' if hit else '-'} {draft.confidence:.2f} {draft.sql}")
    return Hit(right, drafts[0].confidence if drafts else 0.0)


def _holds(connection: duckdb.DuckDBPyConnection, sql: str, wanted: str) -> bool:
    """Whether a draft has the rows that are wanted, perhaps with further columns, and in the order if one is asked."""
    try:
        rows, right = connection.execute(sql).fetchall(), connection.execute(wanted).fetchall()
    except duckdb.Error:
        return False
    if not rows or not right or len(rows[0]) > 6 or len(right[0]) > len(rows[0]):
        return rows == right
    ordered = "ORDER BY" in wanted and "LIMIT" not in wanted
    for places in permutations(range(len(rows[0])), len(right[0])):
        chosen = [tuple(row[at] for at in places) for row in rows]
        if chosen == right or (not ordered and set(chosen) == set(right)):
            return True
    return False
