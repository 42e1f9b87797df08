"""What becomes of a system's reply: SQL goes to the guarded worker, CAS is read, everything else is no answer."""

from __future__ import annotations

from curtain.base.table import Table
from curtain.cas import Alternatives, CasError, NoAnswer, Relation, Scalar, parse, python_value, write
from curtain.cas.values import FAILURES
from curtain_experiments.systems.protocol import SystemReply

_MOST_ROWS = 200
_YES_NO = {True: "Yes", False: "No"}


class UnusableCas(ValueError):
    """A CAS that cannot be shown as an answer; what is wrong with it."""


def table_of_cas(reply: SystemReply, dialect: str) -> tuple[Table, str] | None:
    """The table of a reply with `cas` as a subject sees one, at most 200 rows of its `total`, and the answer itself.

    None if the system says there that it has no answer. Raises UnusableCas.
    CAS has no headings, so columns are counted. Only that distinguishes such a table from one of the wizard's.
    """
    try:
        answer = parse(reply.cas or "", dialect)
    except CasError as fault:
        raise UnusableCas(str(fault)) from fault
    if isinstance(answer, NoAnswer):
        return None
    if isinstance(answer, Alternatives):
        raise UnusableCas("alternatives cannot be shown: give one answer")
    relation = Relation(((answer.cell,),)) if isinstance(answer, Scalar) else answer
    if isinstance(answer, Scalar) and answer.cell in FAILURES.values():
        # As when the wizard marks one: the subject sees that nothing was found.
        relation = Relation()
    rows = [[_text(cell) for cell in row] for row in relation.rows()] if relation.columns else []
    headings = ["Answer"] if relation.width == 1 else [f"Column {at}" for at in range(1, relation.width + 1)]
    numeric = [all(_is_number(cell) for cell in column) for column in relation.columns]
    return Table(headings=headings, rows=rows[:_MOST_ROWS], numeric=numeric, total=len(rows)), write(answer, dialect)


def _text(cell: str) -> str:
    value = python_value(cell)
    if isinstance(value, bool):
        return _YES_NO[value]
    return "" if value is None else str(value)


def _is_number(cell: str) -> bool:
    value = python_value(cell)
    return value is None or (not isinstance(value, bool | str))
