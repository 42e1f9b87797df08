"""The answer that a result is: all its rows in the notation of the pack's dialect (papers 000 and 001)."""

from collections.abc import Sequence
from enum import Enum
from typing import Any

from curtain.cas import FALSE, NIL, TRUE, Alternatives, CasError, Relation, Scalar, from_rows, write
from curtain.cas.units import with_units
from curtain.domain.wire import Limits, PackRules

TOO_LARGE = "too_large"

Rows = Sequence[Sequence[object]]


class Kind(Enum):
    """What a result is, as far as it matters to a yes/no question."""

    TABLE = "rows of values"
    COUNT = "how many there are: zero of something is a no"
    JUDGED = "one column of yes and no"
    NOTHING = "none, whatever the rows say"


def kind_of_result(node: dict[str, Any], types: Sequence[str]) -> Kind:
    """What a statement gives: `node` is its SELECT in DuckDB's syntax tree, `types` are those of its columns."""
    items = node.get("select_list") or []
    counts = [item.get("function_name") in ("count", "count_star") for item in items]
    if counts == [True] and not node.get("group_expressions"):
        return Kind.COUNT
    return Kind.JUDGED if list(types) == ["BOOLEAN"] else Kind.TABLE


def complete_answer(
    rows: Rows, yes_no: bool, rules: PackRules, limits: Limits, kind: Kind = Kind.TABLE, units: Sequence[str] = ()
) -> tuple[str | None, str | None]:
    """The complete answer, or None and why there is none: `too_large`, or the cell that cannot be written.

    `units` has one for each column, if there are any.

    A table stays a table, also with one cell: `((48))`. The answer to a yes/no question is a boolean
    (000, section 2.2) or, where the pack says so, the boolean or the table (001, rule 2.11).
    """
    # Before anything is written: a million cells take seconds, and their length is known to be too much.
    if len(rows) > limits.cas_rows or _shortest(rows) > limits.cas_bytes:
        return None, TOO_LARGE
    try:
        relation = from_rows(rows, rules.dialect)
        if any(units) and relation.columns:
            relation = with_units(relation, units)
        text = write(_yes_or_no(relation, rules.yes_no, kind) if yes_no else relation, rules.dialect)
    except CasError as error:
        return None, f"This answer cannot be written down: {str(error).removesuffix('.')}."
    return (text, None) if len(text.encode()) <= limits.cas_bytes else (None, TOO_LARGE)


def _shortest(rows: Rows) -> int:
    """No way of writing these rows takes fewer bytes: each cell is a character and a blank at least."""
    return 2 * len(rows) * len(rows[0]) if rows else 0


def _yes_or_no(relation: Relation, form: str, kind: Kind) -> Scalar | Alternatives:
    """A table is a yes if it has a row (003, B.2.12). A yes or no for each row stands for the table of those rows that
    have a yes, so one of them is enough, and there is no other table to show; a single missing value is neither."""
    if relation.height and (kind is Kind.JUDGED or relation.columns == ((NIL,),)):
        values = set(relation.columns[0])
        # In this order: one yes among many rows is a yes (003, B.2.12).
        return Scalar(next(one for one in (TRUE, FALSE, NIL) if one in values))
    none = not relation.height or kind is Kind.NOTHING or (kind is Kind.COUNT and relation.columns == (("0",),))
    verdict = Scalar(FALSE if none else TRUE)
    return Alternatives((verdict, relation)) if form == "alternates" else verdict
