"""Whether a minimum and a maximum that a person gives can be a reference."""

from __future__ import annotations

from curtain.base.terminal import shown_name
from curtain.cas import CasError, compare, parse
from curtain.cas.scoring.readings import ComparisonRules, QuestionReading, split
from curtain.cas.verdict import INCORRECT

_LONGEST = 80


def reference_fault(
    minimum: str, maximum: str | None = None, *, dialect: str | None = None, yes_no: bool = False
) -> str | None:
    """Why these two CAS answers are no reference, in a sentence; None if they are one. No dialect is that of a run."""
    rules = ComparisonRules() if dialect is None else ComparisonRules(dialect)
    try:
        rules.check()
    except CasError as fault:
        return str(fault)
    for answer in (minimum, maximum):
        try:
            if answer is not None:
                parse(answer, rules.dialect)
        except CasError as fault:
            return f"“{shown_name(answer or '', _LONGEST)}” is no CAS answer: {fault}."
    return None if maximum is None else _misfit(QuestionReading(minimum, maximum), rules, yes_no)


def _misfit(reading: QuestionReading, rules: ComparisonRules, yes_no: bool) -> str | None:
    """Why whoever answers exactly the minimum would be wrong (papers/001, section 2.2.2)."""
    try:
        for pair in split(reading, rules.dialect):
            verdict = compare(pair.reference, pair.reference, pair.maximum, dialect=rules.dialect, yes_no=yes_no)
            # An undecided one may well be right.
            if verdict.outcome == INCORRECT:
                return f"The minimum is not inside the maximum ({verdict.reason}); the maximum must hold all of it."
    except CasError as fault:
        return f"Minimum and maximum do not go together: {str(fault).rstrip('.')}."
    return None
