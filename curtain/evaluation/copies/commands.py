"""`curtain domain copies`, and the copies of `curtain score` and `curtain compare`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from curtain.base.input_file import read_input
from curtain.base.plural import count_of
from curtain.base.terminal import print_line
from curtain.domain.build.store import database
from curtain.domain.pack.pack import named_pack
from curtain.evaluation.copies.alteration import make_copies
from curtain.evaluation.copies.pack_tables import shapes_of
from curtain.evaluation.copies.scoring import copies_in, read_statements, score_on_copies
from curtain.evaluation.csv_table import csv_text
from curtain.evaluation.json_lines import BadFile
from curtain.evaluation.score_page import write_files
from curtain.evaluation.score_tables import bounds, rounded
from curtain.evaluation.sql_score import score_sql

__all__ = ["compare_on_copies", "run_copies", "score_copies"]

_REFERENCES, _ANSWERS = ("sql_min", "sql"), ("sql", "sql_min")
_MOST_NAMED = 10

Tell = Callable[[str], object]


def run_copies(domain: str, out: Path, count: int, seed: int, tell: Tell = print_line) -> int:
    """Makes altered copies of a domain's database; the exit code, 0. Raises CurtainError with one sentence."""
    pack = named_pack(domain)
    for path in make_copies(database(pack), shapes_of(pack), out, count, seed):
        tell(str(path))
    return 0


def score_copies(
    references: Path, answers: Path, copies: Path, out: Path | None, jobs: int, tell: Tell = print_line
) -> None:
    """Says how many statements are right on every copy; with `out`, copies.csv lists them. Raises BadFile."""
    wanted = read_statements(references, _REFERENCES)
    if not wanted:
        raise BadFile(f"{references} holds no statements (sql_min); copies need them, since answers differ on each.")
    score = score_on_copies(wanted, read_statements(answers, _ANSWERS), copies_in(copies), jobs)
    judged = score.judged
    share = rounded(100 * score.right_everywhere / len(judged)) if judged else "n/a"
    tell(
        f"Altered copies: {score.right_everywhere} of {len(judged)} statements are right on every one "
        f"({share} %, {bounds(score.interval)})."
    )
    for item in [item for item in judged if item.by_chance][:_MOST_NAMED]:
        tell(f"  {item.id}: right on {item.right} of {item.databases}")
    if score.without_sql:
        tell(f"{count_of(score.without_sql, 'answer')} without a statement: judged on the one database only.")
    for item in score.items:
        if item.fault:
            tell(f"  {item.id}: {item.fault}")
    if out is not None:
        rows = [[item.id, item.right, item.databases, item.fault] for item in score.items]
        write_files(out, {"copies.csv": csv_text(("id", "right", "databases", "fault"), rows)}, "copies.csv")


def compare_on_copies(reference: Path, hypothesis: Path, copies: Path, tell: Tell = print_line) -> int:
    """Compares two files with SQL on every copy: exit code 0 if right on all, else 1. Raises CurtainError."""
    score = score_sql(_text(reference), _text(hypothesis), copies_in(copies))
    tell(f"right on {score.right} of {score.databases}")
    for path, reason in score.reasons.items():
        tell(f"  {Path(path).name}: {reason}")
    return 0 if score else 1


def _text(path: Path) -> str:
    try:
        return read_input(path).decode("utf-8-sig")
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is not UTF-8 text (byte {error.start + 1}).") from error
