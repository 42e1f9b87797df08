"""`curtain-cas compare REF HYP`: two files with answers, or with JSON lists of rows. The exit code says the outcome."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from . import CasError, Options, Relation, RowRule, compare, from_rows

_EXIT = {"correct": 0, "incorrect": 1, "malformed": 1, "no_answer": 3, "undecided": 4}


def main() -> None:
    """Exit 0 correct, 1 incorrect or malformed, 2 unreadable input, 3 no answer, 4 undecided."""
    parser = argparse.ArgumentParser(prog="curtain-cas", description="Compare answers of queries exactly.")
    command = parser.add_subparsers(dest="command", required=True).add_parser("compare", help=main.__doc__)
    command.add_argument("reference", type=Path, help="a file with the reference: CAS text, or rows as JSON (.json)")
    command.add_argument("hypothesis", type=Path, help="a file with the answer to judge")
    command.add_argument("--max", type=Path, help="a file with the maximum answer")
    command.add_argument("--rows", choices=[rule.value for rule in RowRule], default="set")
    command.add_argument("--epsilon", default="0.0001", help="tolerance of reals, a share of the reference")
    command.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    try:
        verdict = compare(
            _answer(given.hypothesis),
            _answer(given.reference),
            _answer(given.max) if given.max else None,
            epsilon=given.epsilon,
            options=Options(RowRule(given.rows)),
        )
    except (CasError, OSError, ValueError) as problem:
        print(f"curtain-cas: {problem}", file=sys.stderr)
        sys.exit(2)
    if given.json:
        print(json.dumps({"verdict": verdict.outcome, "reason": verdict.reason}))
    else:
        print(f"{verdict.outcome}: {verdict.reason}" if verdict.reason else verdict.outcome)
    sys.exit(_EXIT[verdict.outcome])


def _answer(path: Path) -> Relation | str:
    text = path.read_text("utf-8-sig")
    return from_rows(json.loads(text)) if path.suffix == ".json" else text
