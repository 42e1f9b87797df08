"""From an answer to its text, always in the safest form: quoted strings, upper-case keywords."""

from __future__ import annotations

from .values import Alternatives, Answer, NoAnswer, Relation, Scalar


def write(answer: Answer) -> str:
    """The text of an answer; `parse(write(answer)) == answer`."""
    match answer:
        case Relation():
            return _write_relation(answer)
        case Scalar(cell):
            return cell
        case NoAnswer():
            return "NO_ANSWER"
        case Alternatives(answers):
            return f"({' OR '.join(map(write, answers))})"


def _write_relation(relation: Relation) -> str:
    if not relation.columns:
        return "()"
    rows = map(" ".join, relation.rows())
    return f"(({') ('.join(rows)}))"
