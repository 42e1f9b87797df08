"""`curtain domain copies`, and the copies of `curtain score` and `curtain compare`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from curtain.base.terminal import print_line
from curtain.domain.pack.pack import named_pack
from curtain.domain.pack.store import database
from curtain.evaluation.copies.alteration import make_copies
from curtain.evaluation.copies.pack_tables import shapes_of
from curtain.evaluation.copies.scoring import CopyScore, copies_in, read_statements, score_on_copies
from curtain.evaluation.json_lines import BadFile, read_text_file
from curtain.evaluation.sql_score import score_sql

__all__ = ["compare_on_copies", "run_copies", "score_copies"]

_REFERENCES, _ANSWERS = ("sql_min", "sql"), ("sql", "sql_min")

Tell = Callable[[str], object]


def run_copies(domain: str, out: Path, count: int, seed: int, tell: Tell = print_line) -> int:
    """Makes altered copies of a domain's database; the exit code, 0. Raises CurtainError with one sentence."""
    pack = named_pack(domain)
    for path in make_copies(database(pack), shapes_of(pack), out, count, seed):
        tell(str(path))
    return 0


def score_copies(references: Path, answers: Path, copies: Path, jobs: int) -> CopyScore:
    """How many of a system's statements are right on every copy. Raises BadFile."""
    wanted = read_statements(references, _REFERENCES)
    if not wanted:
        raise BadFile(f"{references} holds no statements (sql_min); copies need them, since answers differ on each.")
    return score_on_copies(wanted, read_statements(answers, _ANSWERS), copies_in(copies), jobs)


def compare_on_copies(
    reference: Path, hypothesis: Path, copies: Path, *, as_json: bool = False, tell: Tell = print_line
) -> int:
    """Compares two files with SQL on every copy: exit code 0 if right on all, else 1. Raises CurtainError."""
    score = score_sql(read_text_file(reference), read_text_file(hypothesis), copies_in(copies))
    reasons = {Path(path).name: reason for path, reason in score.reasons.items()}
    if as_json:
        tell(json.dumps({"right": score.right, "databases": score.databases, "reasons": reasons}, ensure_ascii=False))
        return 0 if score else 1
    tell(f"right on {score.right} of {score.databases}")
    for name, reason in reasons.items():
        tell(f"  {name}: {reason}")
    return 0 if score else 1
