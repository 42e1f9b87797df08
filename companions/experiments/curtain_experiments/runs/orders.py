"""The order in which each subject was to meet the conditions: planned before the session, whatever was recorded.

A run that is missing leaves its subject's order as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from curtain.base.plural import count_of
from curtain_experiments.runs.run import RunRecord
from curtain_score.files.json_lines import shown_id

Slot = tuple[str, int]
"""A scenario, and how often its condition had changed before: 0 where a subject meets it under one condition alone."""
Order = frozenset[tuple[Slot, str]]
"""The condition of each slot."""
_MOST_NAMED = 6

NO_PLAN = (
    "No plan is stored with these runs (column “plan”). The orders were inferred from the data; the p holds only if "
    "subjects came in an arbitrary order. The orders of the subjects with the most runs count as planned; a subject "
    "with missing runs is assigned the only order that fits the runs present."
)


def slots_of(runs: Sequence[RunRecord]) -> list[tuple[Slot, RunRecord]]:
    """The runs of one subject with their slots, in the order of work."""
    sessions = list(dict.fromkeys(run.session for run in runs))
    ordered = sorted(runs, key=lambda run: (sessions.index(run.session), run.position or 0))
    slots = _slots((run.scenario, run.condition) for run in ordered)
    return list(zip(slots, ordered, strict=True))


def planned_orders(subjects: Sequence[Sequence[RunRecord]]) -> tuple[list[Order | None], tuple[str, ...]]:
    """The planned order of each subject, and what a reader must know of it, in sentences.

    None for a subject who departed from the plan, and for one without a plan whose runs agree with no order or with
    several: nobody knows which conditions they could have had.
    """
    recorded = [frozenset((slot, run.condition) for slot, run in slots_of(runs)) for runs in subjects]
    stored = [_stored(runs) for runs in subjects]
    most = max(map(len, recorded), default=0)
    # Where no plan is stored, somebody who lacks a run must not count as an order of their own.
    known = {*filter(None, stored)} or {order for order in recorded if len(order) == most}
    orders = [_order(plan, done, known) for plan, done in zip(stored, recorded, strict=True)]
    sentences = [] if any(stored) else [NO_PLAN]
    if lost := orders.count(None):
        sentences.append(
            f"The planned order of {lost} of {count_of(len(orders), 'subject')} is not known, or they departed from "
            "it: they keep their conditions in every assignment, which makes the test weaker."
        )
    return orders, tuple(sentences)


def order_sentences(subjects: Sequence[Sequence[RunRecord]], orders: Sequence[Order | None]) -> Iterator[str]:
    """How many subjects had each order, and what cannot be told apart where all took the scenarios in one sequence."""
    sequences = [_sequence(runs) for runs in subjects]
    longest = max(sequences, key=len, default=[])
    # Lines of a file without positions may be sorted: their order says nothing.
    known = all(run.plan or run.position is not None for runs in subjects for run in runs)
    alike = known and all(sequence == [slot for slot in longest if slot in sequence] for sequence in sequences)
    counts = Counter(filter(None, orders))
    if 1 < len(counts) <= _MOST_NAMED and alike:
        first, *others = (
            (count, ", ".join(shown_id(dict(order)[slot]) for slot in longest if slot in dict(order)))
            for order, count in counts.most_common()
        )
        rest = "".join(f"; {count} {name}" for count, name in others)
        yield f"{count_of(first[0], 'subject')} had {first[1]}{rest}."
    if len(counts) > 1 and alike:
        yield (
            "All subjects took the scenarios in the same order, so effects of scenario and of practice cannot be told "
            "apart; carry-over between the systems is assumed absent."
        )


def _sequence(runs: Sequence[RunRecord]) -> list[Slot]:
    """In the order of the plan, or else of work."""
    planned = [pair for _, plan in dict.fromkeys((run.session, run.plan) for run in runs) for pair in plan]
    return list(dict.fromkeys(_slots(planned) or (slot for slot, _ in slots_of(runs))))


def _order(plan: Order, done: Order, known: set[Order]) -> Order | None:
    fitting = [order for order in ({plan} if plan else known) if done <= order]
    return fitting[0] if len(fitting) == 1 else None


def _stored(runs: Sequence[RunRecord]) -> Order:
    plans = dict.fromkeys((run.session, run.plan) for run in runs)
    pairs = [pair for _, plan in plans for pair in plan]
    return frozenset(zip(_slots(pairs), (condition for _, condition in pairs), strict=True))


def _slots(pairs: Iterable[tuple[str, str]]) -> list[Slot]:
    """Of (scenario, condition) in order. A scenario that was begun anew under its condition is in one slot."""
    slots: list[Slot] = []
    last: dict[str, tuple[str, int]] = {}
    for scenario, condition in pairs:
        before, changes = last.get(scenario, (condition, 0))
        last[scenario] = condition, changes + (condition != before)
        slots.append((scenario, last[scenario][1]))
    return slots
