"""From an answer to its text, always in the safest form: quoted strings, upper-case keywords."""

from ..errors import CasError
from ..notation.literals import as_written, problem_with
from ..values import FAILURES, Alternatives, Answer, Cell, NoAnswer, Relation, Scalar
from .dialects import Dialect, dialect_named


def write(answer: Answer, dialect: str = "1992") -> str:
    """The text of an answer; `parse(write(answer)) == answer`.

    Raises CasError, naming row and column, for a value that the notation cannot say: a string with a double quote or
    a NUL, infinity, NaN, another type, two types in one column. `from_rows` keeps them, for comparison only. The
    dialect matters to columns alone: in 1989 dates and other strings are two types.
    """
    rules = dialect_named(dialect)
    match answer:
        case Relation():
            return _write_relation(answer, rules)
        case Scalar(cell) if rules.failures and cell in FAILURES.values():
            return as_written(cell)
        case Scalar(cell):
            _check(((cell,),), rules)
            return cell
        case NoAnswer():
            return "NO_ANSWER"
        case Alternatives(answers):
            return f"({' OR '.join(write(one, dialect) for one in answers)})"


def _write_relation(relation: Relation, dialect: Dialect) -> str:
    if not relation.columns:
        return "()"
    _check(relation.columns, dialect)
    rows = map(" ".join, relation.rows())
    return f"(({') ('.join(rows)}))"


def _check(columns: tuple[tuple[Cell, ...], ...], dialect: Dialect) -> None:
    problems = [(*found, index) for index, cells in enumerate(columns) if (found := problem_with(cells, dialect))]
    if problems:
        row, why, index = min(problems)
        raise CasError.in_cell(row, index, why)
