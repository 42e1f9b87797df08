"""From a text to an answer."""

from __future__ import annotations

from .dialects import dialect_named
from .grammar import parse_grammar
from .tables import read_table
from .values import Answer


def parse(text: str, dialect: str = "1992") -> Answer:
    """The answer in a text of the dialect 1989, 1990 or 1992.

    Raises CasError with line, column and what was expected. Source: 000 S-2 and appendix A, 003 appendix C,
    001 appendix A.
    """
    rules = dialect_named(dialect)
    return read_table(text, rules) or parse_grammar(text, rules)
