"""An SQL text as sqlglot reads it: its tokens, also while it is still being typed, and its tree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.tokenizer_core import Token

# sqlglot takes 50 µs a token, so a second for the longest statement; people and benchmarks write some hundred tokens.
_MOST_CHARS, _MOST_TOKENS = 200_000, 20_000
# Writing a tree takes up to three of Python's 1,000 frames a level.
_DEEPEST = 200


class TokenKind(Enum):
    """What a token is; WORD is a keyword or a name without quotes, NAME one in double quotes."""

    WORD = "word"
    NAME = "name"
    STRING = "string"
    NUMBER = "number"
    SIGN = "sign"
    COMMENT = "comment"


@dataclass(frozen=True)
class SqlToken:
    """A token as it stands in the text from `start` on; `open` if the text ends before the token does."""

    kind: TokenKind
    text: str
    start: int
    open: bool = False

    @property
    def end(self) -> int:
        """Where the text goes on behind it."""
        return self.start + len(self.text)


# What may be missing at the end of a text that is still being typed: the quote or the comment's end.
_ENDINGS = ("", "'", '"', "*/", "$$")
_WORDS = re.compile(r"\S+")


def parser_tokens(text: str, dialect: str = "duckdb") -> list[Token]:
    """The tokens as sqlglot's parser takes them; its own error where there are none, or the text is too long."""
    # Only here, since sqlglot takes longer to load than most programs that import this run.
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.errors import TokenError

    if len(text) > _MOST_CHARS:
        raise TokenError("The statement is too long.")
    return Dialect.get_or_raise(dialect).tokenize(text)


def sql_tokens(text: str) -> list[SqlToken]:
    """All tokens of the text, comments included. A text that no tokenizer accepts comes as words between spaces."""
    from sqlglot.errors import TokenError

    for ending in _ENDINGS:
        try:
            tokens = parser_tokens(text + ending)
        except TokenError:
            continue
        return list(_tokens_and_comments(text, tokens, bool(ending)))
    return [SqlToken(TokenKind.SIGN, match.group(), match.start()) for match in _WORDS.finditer(text)]


def sql_tree(text: str, dialect: str = "duckdb") -> exp.Expr:
    """The tree of the one statement in the text.

    Every statement is read here, so that none is too large or too deep for what is done with its tree: sqlglot's own
    error ends what is no such statement, or longer or nested deeper than any that people write.
    """
    from sqlglot import exp
    from sqlglot.dialects.dialect import Dialect
    from sqlglot.errors import ParseError

    if len(tokens := parser_tokens(text, dialect)) > _MOST_TOKENS:
        raise ParseError("The statement is too long.")
    try:
        parsed = Dialect.get_or_raise(dialect).parser().parse(tokens, text)
    except RecursionError:
        raise ParseError("The statement is nested too deeply.") from None
    # A remark behind the last semicolon comes as a statement of its own.
    trees = [one for one in parsed if one is not None and not isinstance(one, exp.Semicolon)]
    if len(trees) != 1:
        raise ParseError(f"There are {len(trees)} statements, not one.")
    if _depth(trees[0]) > _DEEPEST:
        raise ParseError("The statement is nested too deeply.")
    return trees[0]


def _depth(tree: exp.Expr) -> int:
    """How deep a tree is; chains such as `a AND b AND c` count as one level, for sqlglot walks them in a loop."""
    from sqlglot import exp

    deepest, waiting = 0, [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        for part in node.iter_expressions():
            in_chain = type(part) is type(node) and isinstance(part, exp.Binary)
            waiting.append((part, depth if in_chain else depth + 1))
    return deepest


def sql_words(text: str) -> list[str]:
    """Every word, literal and sign without comments; `table.column` is one word."""
    words: list[str] = []
    after_dot = False
    for token in sql_tokens(text):
        if token.kind is TokenKind.COMMENT:
            continue
        is_dot = token.text == "." and bool(words) and (words[-1][:1].isalpha() or words[-1][:1] in '_"')
        if is_dot or after_dot:
            words[-1] += token.text
        else:
            words.append(token.text)
        after_dot = is_dot
    return words


def _tokens_and_comments(text: str, tokens: list[Token], open_end: bool) -> Iterator[SqlToken]:
    end = 0
    for token in tokens:
        if token.start >= len(text):
            # Nothing but the ending that was lent to the text.
            break
        yield from _comments(text, end, token.start, False)
        begin, end = max(end, token.start), min(token.end + 1, len(text))
        still_open = open_end and token is tokens[-1] and token.end >= len(text)
        yield from _pieces(text[begin:end], begin, _kind(token, text[begin:end]), still_open)
    yield from _comments(text, end, len(text), open_end)


def _pieces(piece: str, start: int, kind: TokenKind, still_open: bool) -> Iterator[SqlToken]:
    """One token of sqlglot, or its words: it takes GROUP BY as one."""
    if kind is not TokenKind.WORD:
        yield SqlToken(kind, piece, start, still_open)
        return
    for match in _WORDS.finditer(piece):
        yield SqlToken(kind, match.group(), start + match.start())


def _kind(token: Token, piece: str) -> TokenKind:
    name = token.token_type.name
    if name.endswith("STRING"):
        return TokenKind.STRING
    if name == "IDENTIFIER":
        return TokenKind.NAME
    if name == "NUMBER":
        return TokenKind.NUMBER
    return TokenKind.WORD if piece[:1].isalpha() or piece[:1] == "_" else TokenKind.SIGN


def _comments(text: str, start: int, end: int, open_end: bool) -> Iterator[SqlToken]:
    """What stands between two tokens and is no white space; sqlglot takes comments for no tokens."""
    while (begin := start + len(text[start:end]) - len(text[start:end].lstrip())) < end:
        line_end = text.find("\n", begin, end)
        stop = line_end if text.startswith("--", begin) and line_end >= 0 else end
        comment = text[begin:stop].rstrip()
        # A comment of one line goes on until the line ends.
        still_open = stop == len(text) and (comment.startswith("--") or open_end)
        yield SqlToken(TokenKind.COMMENT, comment, begin, still_open)
        start = stop
