"""`curtain-cas compare REF HYP`. The exit code says the outcome."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from . import ColumnRule, Options, Relation, RowRule, compare, from_rows
from .base.errors import CurtainError

_EXIT = {"correct": 0, "incorrect": 1, "malformed": 1, "no_answer": 3, "undecided": 4}


def main() -> None:
    """Runs the command that is named, and exits with its code; 2 for what cannot be read."""
    parser = argparse.ArgumentParser(prog="curtain-cas", description="Compare answers of queries exactly.")
    commands = parser.add_subparsers(dest="command", required=True)
    _options_of_compare(commands.add_parser("compare", help=_compare.__doc__))
    given = parser.parse_args()
    try:
        sys.exit(_compare(given))
    except ModuleNotFoundError as problem:
        print(f"curtain-cas: {problem}. Install it with: pip install 'curtain-cas[sql]'", file=sys.stderr)
    except (CurtainError, OSError, ValueError) as problem:
        print(f"curtain-cas: {problem}", file=sys.stderr)
    sys.exit(2)


def _options_of_compare(command: argparse.ArgumentParser) -> None:
    command.add_argument("reference", type=Path, help="a file with the reference: CAS text, or rows as JSON (.json)")
    command.add_argument("hypothesis", type=Path, help="a file with the answer to judge")
    command.add_argument("--max", type=Path, help="a file with the maximum answer")
    _shared_options(command)


def _shared_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--rows", choices=[rule.value for rule in RowRule], default="set")
    command.add_argument("--columns", choices=[rule.value for rule in ColumnRule], default="free")
    command.add_argument("--epsilon", default="0.0001", help="tolerance of reals, a share of the reference")
    command.add_argument("--json", action="store_true", help="print JSON")


def _compare(given: argparse.Namespace) -> int:
    """Exit 0 correct, 1 incorrect or malformed, 2 unreadable input, 3 no answer, 4 undecided."""
    most = _answer(given.max) if given.max else None
    verdict = compare(
        _answer(given.hypothesis), _answer(given.reference), most, epsilon=given.epsilon, options=_options(given)
    )
    if given.json:
        print(json.dumps({"verdict": verdict.outcome, "reason": verdict.reason}))
    else:
        print(f"{verdict.outcome}: {verdict.reason}" if verdict.reason else verdict.outcome)
    return _EXIT[verdict.outcome]


def _options(given: argparse.Namespace) -> Options:
    return Options(RowRule(given.rows), columns=ColumnRule(given.columns))


def _answer(path: Path) -> Relation | str:
    text = path.read_text("utf-8-sig")
    return from_rows(json.loads(text)) if path.suffix == ".json" else text
