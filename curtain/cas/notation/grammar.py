"""The parser of the whole notation, one token at a time, with the place of every error.

`reader` asks it for everything that is not a plain table. No recursion: the depth of a text is the text's affair.

    answer    ::= single | ( single OR answer ) | ( single OR single ... )
    single    ::= value | relation | NO_ANSWER
    relation  ::= ( tuple* )        tuple ::= ( value+ )        (001, appendix A)
"""

import re

from ..errors import CasError
from ..values import FAILURES, NO_ANSWER, Alternatives, Answer, Cell, NoAnswer, Relation, Scalar
from .cells import bare_cell, control_character, kind_of, quoted_cell
from .dialects import Dialect

_TOKEN = re.compile(
    r'[ \t\n\v\f\r]*+(?:(?P<open>\()|(?P<close>\))|(?P<quoted>"[^"]*+")|(?P<unclosed>")|(?P<comment>/\*)'
    r'|(?P<bare>[^ \t\n\v\f\r()"]*+))'
)
_UNIT_MEANT = re.compile(r'[^\s()"]*?[\[{<]\s*([^\s\[\](){}<>"]+)')
_SHOWN = 30


def parse_grammar(text: str, dialect: Dialect) -> Answer:
    """The answer in a text; raises CasError with line, column and what was expected."""
    reader = _Reader(text, dialect)
    answer = reader.answer()
    reader.expect("end", "the end of the text after the answer")
    return answer


class _Reader:
    """One pass over a text; `kind`, `token` and `start` describe the token that comes next."""

    def __init__(self, text: str, dialect: Dialect) -> None:
        self._text = text
        self._dialect = dialect
        self._next = 0
        self.advance()

    def advance(self) -> None:
        """Go on to the next token, over white space and comments."""
        while True:
            match = _TOKEN.match(self._text, self._next)
            assert match is not None and match.lastgroup is not None  # at the end the bare group matches nothing
            self._next = match.end()
            if match.lastgroup != "comment":
                break
            if not self._dialect.comments:
                raise CasError.at(self._text, match.start("comment"), f"{self._dialect.words}, or a parenthesis", "/*")
            self._skip_comment(match.start("comment"))
        self.kind = match.lastgroup
        self.token = match[self.kind]
        self.start = match.start(self.kind)
        if self.kind == "bare":
            if self._dialect.comments:
                self._cut_at_comment()
            self._check_bare()

    def _skip_comment(self, start: int) -> None:
        end = self._text.find("*/", self._next)
        if end < 0:
            raise CasError.at(self._text, start, '"*/" to close this comment', "the end of the text")
        self._next = end + 2

    def _cut_at_comment(self) -> None:
        comment = self.token.find("/*")
        # A comment needs no white space before it. At 0 it would be a token of its own.
        if comment > 0:
            self.token = self.token[:comment]
            self._next = self.start + comment

    def _check_bare(self) -> None:
        if not self.token:
            self.kind = "end"
        elif control := control_character(self.token):
            code = f"the control character {ord(control[0])}, as in a file that is no text"
            raise CasError.at(self._text, self.start + control.start(), "an answer", code)

    def fail(self, expected: str) -> CasError:
        """The error that something else was expected here."""
        if self.kind == "unclosed":
            return CasError.at(self._text, self.start, "a second quote to close this string", "the end of the text")
        shown = self.token if len(self.token) <= _SHOWN else f"{self.token[:_SHOWN]}..."
        return CasError.at(self._text, self.start, expected, shown or "the end of the text")

    def expect(self, kind: str, expected: str) -> None:
        """Go over a token of this kind, or fail."""
        if self.kind != kind:
            raise self.fail(expected)
        if kind != "end":
            self.advance()

    def answer(self) -> Answer:
        """A single answer, or alternatives, flat or nested to any depth on the right."""
        first, opened = self._single_or_open()
        # 001 prints the rule nested to the right, NIST's files have it flat: both are read, to the same value.
        alternatives = [first]
        while opened:
            self._go_over_or(len(alternatives))
            single, deeper = self._single_or_open()
            alternatives.append(single)
            opened += deeper
            while opened and not deeper and self.kind == "close":
                self.advance()
                opened -= 1
        return Alternatives(tuple(alternatives)) if len(alternatives) > 1 else first

    def _go_over_or(self, so_far: int) -> None:
        if not self._at_or():
            alone = "each tuple of a relation in parentheses of its own"
            alternatives = f"OR, or {alone}" if self._dialect.alternatives else alone
            raise self.fail(alternatives if so_far == 1 else 'OR or ")"')
        self.advance()

    def _at_or(self) -> bool:
        return self.kind == "bare" and self.token.upper() == "OR" and self._dialect.alternatives

    def _single_or_open(self) -> tuple[Scalar | Relation | NoAnswer, int]:
        """A single answer and how many parentheses were opened around it (0, or 1 for alternatives)."""
        if self.kind != "open":
            return self._scalar(), 0
        start = self.start
        self.advance()
        if self.kind == "close":
            self.advance()
            return Relation(), 0
        if self.kind != "open":
            return self._scalar(), 1
        return self._relation_or_alternatives(start)

    def _relation_or_alternatives(self, start: int) -> tuple[Relation, int]:
        """After `(` and at the next `(`: a tuple of this relation, or a relation that is the first alternative."""
        inner = self.start
        self.advance()
        if self.kind == "open":
            return self._relation(inner), 1
        if self.kind == "close":
            return self._empty_alternative(), 1
        # A value: so it was a tuple, ((1) ...), and not the first alternative, (((1)) OR ...). Only this token says so.
        self._back_to(inner)
        return self._relation(start), 0

    def _empty_alternative(self) -> Relation:
        empty = self.start
        self.advance()
        if self._at_or():
            return Relation()
        raise CasError.at(self._text, empty, "a value, since a tuple is never empty", ")")

    def _back_to(self, start: int) -> None:
        self._next = start
        self.advance()

    def _scalar(self) -> Scalar | NoAnswer:
        if self.kind == "bare" and self.token.upper() == "NO_ANSWER" and self._dialect.no_answer:
            self.advance()
            return NO_ANSWER
        if self.kind == "bare" and self._dialect.failures and (failure := FAILURES.get(self.token.lower())):
            self.advance()
            return Scalar(failure)
        return Scalar(self._value("an answer"))

    def _value(self, expected: str) -> Cell:
        if self.kind == "quoted":
            cell: Cell | None = quoted_cell(self.token, self._dialect)
        elif self.kind == "bare":
            cell = bare_cell(self.token, self._dialect)
        else:
            raise self.fail(expected)
        if cell is None:
            raise self.fail(self._unit_meant() if self._dialect.units else self._dialect.words)
        self.advance()
        return cell

    def _unit_meant(self) -> str:
        meant = _UNIT_MEANT.match(self._text, self.start)
        return f"a number right before its unit, as in 5[{meant[1] if meant else 'lb'}], or a string in quotes"

    def _relation(self, start: int) -> Relation:
        """The tuples up to and over the closing parenthesis; the next token opens the first tuple."""
        rows: list[list[Cell]] = []
        kinds: list[str] = []
        while self.kind == "open":
            rows.append(self._tuple(kinds, first=not rows))
        self.expect("close", '"(" for another tuple or ")" to close the relation')
        return Relation(tuple(zip(*rows, strict=True)))

    def _tuple(self, kinds: list[str], first: bool) -> list[Cell]:
        self.advance()
        row: list[Cell] = []
        while self.kind != "close" or not row:
            self._check_width(row, kinds, first)
            place = self.start
            row.append(self._value('a value or ")"' if row else "a value, since a tuple is never empty"))
            self._check_kind(kinds, row, place)
        if len(row) < len(kinds):
            raise self.fail(f"{len(kinds)} values as in the first tuple")
        self.advance()
        return row

    def _check_width(self, row: list[Cell], kinds: list[str], first: bool) -> None:
        if not first and len(row) == len(kinds) and self.kind in ("quoted", "bare"):
            raise self.fail(f'")", since the first tuple has {len(kinds)} values')

    def _check_kind(self, kinds: list[str], row: list[Cell], place: int) -> None:
        """A column has one type; NIL goes with any (000, appendix A)."""
        index = len(row) - 1
        if index == len(kinds):
            kinds.append("NIL")
        kind = kind_of(row[index], self._dialect)
        if kinds[index] == "NIL":
            # NIL goes with any type, so the first value that is none sets it.
            kinds[index] = kind
        elif kind not in ("NIL", kinds[index]):
            raise CasError.at(self._text, place, f"a {kinds[index]} as above in column {index + 1}", f"a {kind}")
