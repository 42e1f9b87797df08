"""Is an answer of the SQLite copy the answer that counts as right? The Comparator decides, in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curtain.cas import Alternatives, Answer, CasError, Relation, Scalar, compare, from_rows, parse
from curtain.corpus.exports.sql.sqlite_copy import with_days

Rows = Sequence[tuple[Any, ...]]


def is_proven(rows: Rows, cas_min: str, dialect: str, yes_no: bool) -> bool:
    """True if the rows are the reference answer: no row and no column more or less.

    A boolean reference to a yes/no question is met by a table that says the same (rule of 1990). Raises CasError for a
    reference that cannot be read.
    """
    references = _answers(parse(cas_min, dialect))
    for table in _as_tables(rows, dialect):
        for reference in references:
            if _is_boolean(reference) and yes_no:
                if compare(table, reference, dialect="1990", yes_no=True).outcome == "correct":
                    return True
            elif (
                compare(table, reference, dialect=dialect).outcome
                == compare(reference, table, dialect=dialect).outcome
                == "correct"
            ):
                return True
    return False


def _answers(reference: Answer) -> list[Any]:
    """The tables among alternatives, if there are any: to meet them says more than a yes."""
    if not isinstance(reference, Alternatives):
        return [reference]
    tables = [one for one in reference.answers if isinstance(one, Relation) and not one.is_boolean]
    return tables or list(reference.answers)


def _is_boolean(answer: Any) -> bool:
    return (isinstance(answer, Relation) and answer.is_boolean) or (
        isinstance(answer, Scalar) and isinstance(answer.value, bool)
    )


def _as_tables(rows: Rows, dialect: str) -> list[Relation]:
    """The rows as they are, and with texts that look like days read as days."""
    tables = []
    # SQLite gives dates as texts; the reference may have either.
    for given in (rows, with_days(rows)):
        try:
            tables.append(from_rows(given, dialect))
        except CasError:
            continue
    return tables
