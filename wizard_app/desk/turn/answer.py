"""The answer of a run as it leaves: what the subject reads of it, and what the journal keeps."""

from dataclasses import dataclass

from msgspec import structs

from curtain.base.table import Table
from curtain.domain.wire import Result
from curtain.session.events.wizard_events import AnswerSent


@dataclass(frozen=True)
class Answers:
    """Both answers as texts; None where there is none, and then the problem says why."""

    minimum: str | None
    minimum_problem: str | None
    maximum: str | None
    maximum_problem: str | None
    sql_max: str = ""
    completing: bool = False


def as_said(result: Result, failed: str) -> Result:
    """The result as the wizard has it leave: an empty one may be a presupposition failure (papers/000, section 3.3).
    `failed` is the statement that was marked so."""
    if not result.failure or failed != result.sql:
        return result
    return structs.replace(result, cas_min=result.failure, cas_max=result.failure, max_error=None)


def answers_of(result: Result, *, completing: bool) -> Answers:
    """Minimum and maximum of a run; `completing`: the maximum is still being worked out."""
    texts = (result.cas_min, result.cas_error, result.cas_max, result.max_error, result.sql_max or "")
    return Answers(*texts, completing=completing)


def table_of(result: Result) -> Table:
    """What the subject would read now: the table that the study wants, or the minimum as long as there is none."""
    if result.shown is not None:
        return result.shown
    return Table(headings=result.headings, rows=result.rows, numeric=result.numeric, total=result.total)


def awaits_table(result: Result) -> bool:
    """Whether the study wants another table than the minimum, and it is not there (yet)."""
    return result.show != "minimum" and result.shown is None


def answer_of(result: Result, *, unseen: bool = False) -> AnswerSent:
    """What the journal keeps of an answer that leaves; `unseen` if its table was not on the wizard's screen before."""
    return AnswerSent(
        sql=result.sql,
        table=table_of(result),
        cas_min=result.cas_min,
        cas_max=result.cas_max,
        sql_max=result.sql_max,
        cas_error=result.cas_error,
        yes_no=result.yes_no,
        max_error=result.max_error,
        show=result.show,
        shown="minimum" if result.shown is None else result.show,
        show_fault=result.show_fault,
        unseen=unseen and result.shown is not None,
    )
