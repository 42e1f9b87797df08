"""Three databases that are not ours, as a lab meets them in its first week: no examples, then all answered.

A file in foreign/ has 40 questions with their SQL, written before any of their drafts was seen; below some of them,
after “~”, the same question in other words and with another value. Judged by answers; further columns are free.
Beside the drafter alone: lists of it and a simulated model that is right as often as RATES say, and comes late.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from draft_answers import Hit, Judge, show_figures, show_missed, tried, wanted
from draft_data import NAMES, databases, pack_of

from curtain.domain.pack.pack import Pack, database
from curtain_drafts.drafting.values import Draft, Example, Request
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_drafts.tool.serving.checks import Checks
from curtain_drafts.tool.serving.pending_request import Trust, merge
from curtain_drafts.tool.serving.settings import OURS

RATES = (0.2, 0.45, 0.7, 0.82, 1.0)
_ROUNDS = 5


def read(name: str) -> tuple[list[Example], list[Example]]:
    """The questions of one file as answered ones, and the re-worded ones: those with another value behind “~”, those
    with the same behind “=”."""
    answered, reworded = list[Example](), list[Example]()
    lines = iter((Path(__file__).parent / "foreign" / f"{name}.cases").read_text("utf-8").splitlines())
    for line in lines:
        text = line.strip().removeprefix("~ ").removeprefix("= ")
        same = line.strip().startswith("= ")
        sql = answered[-1].sql if same else next(lines).strip().replace('"Order Details"', "order_details")
        (reworded if line.startswith(" ") else answered).append(Example(text, sql, id=text))
    return answered, reworded


def foreign(show: bool = False) -> None:
    """Prints the figures of all three."""
    every: dict[str, list[Hit]] = {}
    with TemporaryDirectory() as folder:
        for name in NAMES:
            pack = pack_of(name, Path(folder))
            judge = Judge(pack, databases(pack), Path(folder) / f"{name}.answers")
            answered, reworded = read(name)
            measured = _measured(pack, answered, reworded, judge)
            measured |= with_models(pack, answered, judge, Path(folder) / f"{name}-trust.json")
            judge.close()
            for what, hits in measured.items():
                show_figures(f"{name}, {what}", hits)
                if show:
                    show_missed(hits)
                every.setdefault(what, []).extend(hits)
    for what, hits in every.items():
        show_figures(f"all three, {what}", hits)


def _measured(pack: Pack, answered: list[Example], reworded: list[Example], judge: Judge) -> dict[str, list[Hit]]:
    def asked(store: Sequence[Example], questions: Sequence[Example]) -> list[Hit]:
        drafter = LocalDrafter(pack, judge.databases[0], store)
        return tried(drafter, [wanted(one, "pack") for one in questions], judge.holds)

    return {
        "no examples": asked([], answered + reworded),
        "all answered, verbatim": asked(answered, answered),
        "all answered, re-worded with other values": asked(answered, reworded),
    }


def with_models(pack: Pack, examples: Sequence[Example], judge: Judge, kept: Path) -> dict[str, list[Hit]]:
    """What is first in a list of ours and of a model, for each rate at which the model is right: three samples, of
    which those that are wrong are statements of other questions or, one in four, what ours says first. What is right of
    the list, else the statement of the question, is then learned. The model comes after ours was shown."""
    ours = LocalDrafter(pack, database(pack), [])
    chance, measured = random.Random(5), dict[str, list[Hit]]()
    with closing(Checks(pack, database(pack))) as checks:
        drafted = {one.id: checks.passed(ours.drafts(Request(one.question)), within=10) for one in examples}
        for rate in RATES:
            kept.unlink(missing_ok=True)
            trust = Trust(kept)
            for example in [one for _ in range(_ROUNDS) for one in chance.sample(examples, len(examples))]:
                mine = drafted[example.id]
                wrong = mine[0].sql if mine and chance.random() < 0.25 else chance.choice(examples).sql
                said = [example.sql if chance.random() < rate else wrong]
                said += [said[0] if chance.random() < 0.8 else chance.choice(examples).sql for _ in range(2)]
                votes = [Draft(sql, 0.95 * many / 3, drafter="model") for sql, many in Counter(said).most_common()]
                found = {OURS: mine, "model": checks.passed(votes, within=10)}
                merged = merge(found.values(), 5, merge([mine], 5), trust.of, trust.measured)
                # A wizard takes what is right: further columns are free here.
                taken = (one for one in merged if judge.holds(one.sql, example.sql))
                trust.learn(found, next(taken, None) or checks.passed([Draft(example.sql, 1.0)], within=10)[0])
                for name, shown in (("ours", mine), ("the model", found["model"]), ("both", merged)):
                    hit = Hit(wanted(example), shown).judged(judge.holds)
                    measured.setdefault(f"a model right in {100 * rate:.0f} %: {name}", []).append(hit)
    return measured
