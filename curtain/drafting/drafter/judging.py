"""What is left of a candidate's chance by what it misses of a query, or says that the query does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ..learned.memory import Memory
from ..learned.scoring import Proposal
from ..query.best_asked import gives_best, gives_best_of
from ..query.opposites import denies_anything, turned_round, words_about
from ..query.recognise import Reading
from ..query.worked_out import asked_otherwise
from ..schema.above import steps_above
from ..schema.focus import listed
from ..schema.marks import MOST_WORDS, question_of
from ..schema.pack_schema import Schema
from ..schema.rivals import measured_by
from ..sql.counting import counts_unasked
from ..sql.edits import is_extreme
from ..sql.parsing import uses_of
from .holdings import Holdings
from .sayings import Sayings
from .shortlist import Judged

__all__ = ["ENOUGH", "OTHERWISE", "TORN", "judging"]

ENOUGH = 1000
"""So many answered questions tell by themselves what words mean."""

OTHERWISE = 0.1
"""What is left of what says otherwise than the query."""

TORN = 0.2
"""What is left of what takes only some of the values that belong together."""

# With few examples, one that lacks a column which the query names is no ground to be sure.
_UNNAMED = 0.5
_NONE = re.compile(r"\bNOT (IN|EXISTS) \(SELECT", re.IGNORECASE)
_SIDED = frozenset(["above", "over", "below", "under", "beyond"])
_MUCH_LIKE = 0.6


def judging(
    reading: Reading, said: Sayings, memory: Memory, holdings: Holdings, schema: Schema
) -> Callable[[Proposal], Judged]:
    """A judge of the candidates for this query."""
    few = len(memory.entries) < ENOUGH
    named, told = schema.named_by(said.beside), said.measures
    measured = measured_by(said.words, schema) if few else frozenset()
    sided = [number for number in said.compared if reading.found[number].kind == "number"] if few else []
    question = question_of(reading, schema) if few and reading.words else None
    above = steps_above(question, schema) if question else None
    columns = listed(question, schema) if question and len(said.words) <= MOST_WORDS else frozenset()
    affirms = few and not denies_anything(said.words)
    exact = re.compile("|".join(_sided_as_exact(reading, schema)) or "(?!)") if few else None

    def judged(one: Proposal) -> Judged:
        otherwise = (
            said.are_missed_by(one)
            or _turns_round(one, reading, said, memory)
            or _misses_best(one, said, memory, schema)
            or counts_unasked(one.statement, said.words)
            or asked_otherwise(one.sql, said.words)
            or holdings.misread(one.statement, said.prices, said.measured)
            or holdings.far_off(one.statement, named, told)
            or (bool(measured) and not any(uses_of(one.sql, column) for column in measured))
            or any(not uses_of(one.sql, column) for column in columns)
            or any(number not in one.used for number in sided)
            or (above is not None and uses_of(one.sql, above[0]) < above[1])
            or (affirms and _NONE.search(one.sql) is not None)
            or (exact is not None and exact.search(one.sql) is not None)
        )
        share = (OTHERWISE if otherwise else 1.0) * (TORN if said.tears(one) else 1.0)
        return Judged(share * (_UNNAMED if few and one.feature("not named") else 1.0), otherwise)

    return judged


def _sided_as_exact(reading: Reading, schema: Schema) -> Iterator[str]:
    """What a statement must not hold: “above level 20” is not level 20."""
    words = [word.text for word in reading.words]
    for one in reading.found:
        number, before = one.form("#number"), words[max(0, one.first - 2) : one.first]
        if number and len(before) == 2 and before[0] in _SIDED and schema.named_by(before[1:]):
            yield rf"[^<>]= {re.escape(number)}\b"


def _turns_round(proposal: Proposal, reading: Reading, said: Sayings, memory: Memory) -> bool:
    """Whether the query says the contrary of the example that a candidate is most like, and it does not show."""
    if proposal.like < 0 or proposal.feature("alike") < _MUCH_LIKE:
        return False
    used = [reading.found[number] for number in proposal.used]
    told = [at for one in used for at in words_about(one)]
    return turned_round(said.words, memory.entries[proposal.like].example.question, told)


def _misses_best(proposal: Proposal, said: Sayings, memory: Memory, schema: Schema) -> bool:
    """Whether a candidate lists where the most or the least is asked for, or looks for it where nobody does, or for
    that of another column: the quickest flight is not the earliest."""
    root, given = proposal.statement.root, gives_best(proposal.sql)
    best = memory.best
    measured = (schema.measured(root, one) for one in said.best.adjectives if one not in best)
    other = given and any(one and not gives_best_of(proposal.sql, one[0]) for one in measured)
    several = sum(map(is_extreme, proposal.statement.clauses)) > max(1, said.best.count)
    return bool(other) or several or best.otherwise(said.best, root, given)
