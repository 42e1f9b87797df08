"""From a text to an answer."""

import re

from ..values import Answer
from .dialects import dialect_named
from .grammar import parse_grammar
from .plain_tables import read_table

_NO_BREAK_SPACE = "\u00a0"
_QUOTED_OR_NO_BREAK_SPACE = re.compile(f'"[^"]*+"?|{_NO_BREAK_SPACE}')


def parse(text: str, dialect: str = "1992") -> Answer:
    """The answer in a text of the dialect 1989, 1990 or 1992; a byte order mark is skipped, a no-break space a blank.

    `1989-lenient` and `1990-lenient` also read words and comments of later dialects.

    Raises CasError with line, column and what was expected. Source: 000 S-2 and appendix A, 003 appendix C,
    001 appendix A.
    """
    rules = dialect_named(dialect)
    text = _plain(text)
    return read_table(text, rules) or parse_grammar(text, rules)


def _plain(text: str) -> str:
    """The text without what editors and web pages add; what is in quotes stays as it is."""
    text = text.removeprefix("\ufeff")
    if _NO_BREAK_SPACE not in text:
        return text
    return _QUOTED_OR_NO_BREAK_SPACE.sub(lambda found: " " if found[0] == _NO_BREAK_SPACE else found[0], text)
