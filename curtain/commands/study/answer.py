"""`curtain answer`: one statement, and what a subject would read."""

from typing import Annotated, Any

import typer

from curtain.base.errors import CurtainError
from curtain.base.progress_bar import progress_bar
from curtain.base.record_file import by_name
from curtain.base.table import SHOWS
from curtain.base.terminal import print_error, print_json, print_line, print_table
from curtain.commands.options import AsJson, Domain, YesNo
from curtain.domain.pack.pack import named_pack
from curtain.domain.rules.principles import under_rule_book
from curtain.domain.worker import answer as answering
from curtain.domain.worker.worker import Result


def answer(
    sql: Annotated[str, typer.Option("--sql", help="One SELECT statement.")],
    domain: Domain = "personnel",
    yes_no: YesNo = False,
    rule_book: Annotated[
        int | None, typer.Option("--rule-book", help="The year of the rules, if not the domain's own.")
    ] = None,
    show: Annotated[
        str, typer.Option("--show", help="What the subject would read: minimum, readable or maximum.")
    ] = "minimum",
    as_json: AsJson = False,
) -> None:
    """Raises CurtainError, also for a statement that cannot be run."""
    wanted = next((one for one in SHOWS if one == show), None)
    if wanted is None:
        raise CurtainError(f"--show must be {', '.join(SHOWS[:-1])} or {SHOWS[-1]}, not “{show}”.")
    pack = under_rule_book(named_pack(domain), rule_book, "--rule-book")
    cautions: list[str] = []
    with progress_bar() as report:
        # Notes on standard error, so that --json stays one object.
        result = answering.answer_statement(pack, sql, yes_no, show=wanted, progress=report, caution=cautions.append)
    for sentence in cautions:
        print_error(sentence)
    if result.error:
        raise CurtainError(result.error)
    if as_json:
        print_json(_answer_object(result))
    else:
        _print_answer(result)


_ANSWERS = ("cas_min", "cas_max", "sql_max", "cas_error", "max_error")


def _answer_object(result: Result) -> dict[str, Any]:
    table = result.shown or result
    return {
        "sql": result.sql,
        "headings": list(table.headings),
        "rows": [list(row) for row in table.rows],
        "total": table.total,
        "ms": result.ms,
        **by_name(result, *_ANSWERS),
    }


def _print_answer(result: Result) -> None:
    table = result.shown or result
    print_table(table.headings, table.rows, table.numeric)
    if table.total > len(table.rows):
        print_line(f"first {len(table.rows)} of {table.total}")
    if result.show_fault:
        print_line(f"shown as the minimum: {result.show_fault}")
    for name in _ANSWERS:
        if getattr(result, name) is not None:
            print_line(f"{name}: {getattr(result, name)}")
