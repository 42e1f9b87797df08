"""A statement as the tokens of text2sql-data: one space between them, capitals outside quotes, a semicolon at the end.

The tools of that repository split SQL at spaces: `corpus_stats.py` counts brackets and SELECTs that are tokens, and
`canonicaliser.py` has the rules for spaces that are followed here. Only spaces and capitals change, so that the
statement means what it meant. Quotes stay single: DuckDB takes "x" for a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sqlglot import Token, TokenType
from sqlglot.errors import SqlglotError

from curtain.base.sql_tokens import parser_tokens

_GLUED_TO_BRACKET = {"COUNT", "LOWER", "MAX", "MIN", "SUM"}
"""`canonicaliser.py` writes these as `COUNT(`; all other brackets are tokens of their own."""
_OPERATOR_SIGNS = set("!=<>+*/|&^@~%?:#-")
_COMPARED = {
    TokenType.EQ, TokenType.NEQ, TokenType.GT, TokenType.GTE, TokenType.LT, TokenType.LTE,
    TokenType.LIKE, TokenType.ILIKE, TokenType.BETWEEN,
}  # fmt: skip
_VALUES = {TokenType.STRING, TokenType.NUMBER}


class BeyondText2sql(Exception):
    """The tools of text2sql-data cannot read such a statement; the words say why."""


@dataclass(frozen=True)
class Literal:
    """A value of a statement without its quotes and without the % around it, and the column it is compared to."""

    value: str
    column: str


@dataclass(frozen=True)
class TokenisedStatement:
    """`kinds`, `texts` (as they are written in the form) and `glued` (no space before it) belong to the tokens."""

    kinds: tuple[TokenType, ...]
    texts: tuple[str, ...]
    glued: tuple[bool, ...]

    def literals(self) -> Iterator[Literal]:
        """Every value that can be put in and taken out as text, from left to right."""
        for place, kind in enumerate(self.kinds):
            value = self._value(place)
            if kind in _VALUES and value and "'" not in value:
                yield Literal(value, self._column(place))

    def text(self, renamed: Callable[[str], str] = str) -> str:
        """The statement, with `renamed(value)` in place of each value."""
        words = [self._word(place, renamed) for place in range(len(self.texts))]
        return "".join(("" if glued else " ") + word for word, glued in zip(words, self.glued, strict=True)).strip()

    def _value(self, place: int) -> str:
        text = self.texts[place]
        return text[1:-1].strip("%") if self.kinds[place] is TokenType.STRING else text

    def _word(self, place: int, renamed: Callable[[str], str]) -> str:
        text, value = self.texts[place], self._value(place)
        if self.kinds[place] not in _VALUES or not value:
            return text
        start = text.index(value)
        return text[:start] + renamed(value) + text[start + len(value) :]

    def _column(self, place: int) -> str:
        """The name before the comparison, the list or the BETWEEN in which a value stands; "" without one."""
        while place > 1 and self.kinds[place - 1] in (TokenType.COMMA, TokenType.AND) and self._is_value(place - 2):
            place -= 2
        before = place - 1
        if before > 0 and self.kinds[before] is TokenType.L_PAREN and self.kinds[before - 1] is TokenType.IN:
            before -= 1
        elif before < 0 or self.kinds[before] not in _COMPARED:
            return ""
        before -= 1 + (self.kinds[before - 1] is TokenType.NOT)
        name = self.texts[before].strip('"').lower() if before >= 0 else ""
        return name if name.isidentifier() else ""

    def _is_value(self, place: int) -> bool:
        return self.kinds[place] in _VALUES


def statement_of(sql: str) -> TokenisedStatement:
    """The tokens of one statement in DuckDB's SQL. Raises BeyondText2sql."""
    try:
        tokens = parser_tokens(sql)
    except SqlglotError as fault:
        raise BeyondText2sql("the statement cannot be split into tokens") from fault
    while tokens and tokens[-1].token_type is TokenType.SEMICOLON:
        tokens.pop()
    _check_selects([token.token_type for token in tokens])
    texts = [_written(sql[token.start : token.end + 1]) for token in tokens]
    glued = [place > 0 and _is_glued(tokens, texts, place) for place in range(len(tokens))]
    kinds = [token.token_type for token in tokens]
    return TokenisedStatement((*kinds, TokenType.SEMICOLON), (*texts, ";"), (*glued, False))


def _check_selects(kinds: Sequence[TokenType]) -> None:
    """`corpus_stats.py` wants one SELECT at the beginning, and each other one right behind a bracket of its own."""
    for place, kind in enumerate(kinds):
        alone = place == 0 or kinds[place - 1] is TokenType.L_PAREN
        if (place == 0 and kind is not TokenType.SELECT) or (kind is TokenType.SELECT and not alone):
            raise BeyondText2sql("WITH, or UNION without brackets")


def _written(text: str) -> str:
    """Capitals for words and names; what is in quotes, and names that capitals could change, stay."""
    words = text.split()
    plain = text.isascii() and all(word.replace("_", "").isalnum() for word in words)
    return " ".join(words).upper() if plain else text


def _is_glued(tokens: Sequence[Token], texts: Sequence[str], place: int) -> bool:
    before, here = texts[place - 1], texts[place]
    if "." in (before, here) or (here == "(" and before in _GLUED_TO_BRACKET):
        return True
    empty = tokens[place].token_type is TokenType.L_PAREN and texts[place + 1 : place + 2] == [")"]
    # An opened bracket without anything in it unbalances the counts of `corpus_stats.py`: `f()` is one token.
    if empty or (before == "(" and here == ")"):
        return True
    touching = tokens[place].start == tokens[place - 1].end + 1
    # An operator that is not known here as one must not fall apart; a sign before a number may stand alone.
    return touching and here not in "+-" and {*before, *here} <= _OPERATOR_SIGNS and before != here != "*"
