"""From the token of a text to a cell: the lexical rules of 001, appendix A, and of our page."""

import re
from collections.abc import Sequence

from ..values import NIL, Cell
from .dialects import Dialect

LONGEST = 300
"""Characters of a number that a float can surely hold, be it large or small."""

WHITE_SPACE = " \t\n\v\f\r"

_KEYWORDS = {"TRUE": "TRUE", "FALSE": "FALSE", "NIL": "NIL"}
_YES_AND_NO = {"YES": "TRUE", "NO": "FALSE"}
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?", re.ASCII)
_WITH_UNIT = re.compile(r"([+-]?\d[^\[\]]*)\[([^\[\]\s()\"]+)\]")
# What looks like a unit: white space or a point beside its bracket, or another bracket, would make it text.
_LIKE_A_UNIT = re.compile(r"[+-]?[\d.,]+[{<]|[^\[\]]*[\[\]]")
_DATE = re.compile(r'"\d\d-(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)-\d\d"', re.ASCII | re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
# Possessive, so that a column of a million cells that ends wrong is not tried again from every cell. Minus zero is left
# out: its normal form is 0.
_NUMBERS = re.compile(r"(?:(?!-0(?:\.0)? )-?(?:0|[1-9]\d*+)(?:\.(?:0|\d*[1-9]))? |NIL )*+\Z", re.ASCII)
_BOOLEANS = re.compile(r"(?:(?:TRUE|FALSE|NIL) )*+\Z")


def normal_cell(token: str, dialect: Dialect) -> Cell | None:
    """The cell of a token, in quotes or bare; None if it is no value, or not plainly one (a comment in it)."""
    if token[0] == '"':
        return quoted_cell(token, dialect)
    if "/*" in token or control_character(token):
        return None
    return bare_cell(token, dialect)


def control_character(token: str) -> re.Match[str] | None:
    """The first character that no text holds, as binary files do."""
    return _CONTROL.search(token)


def quoted_cell(token: str, dialect: Dialect) -> Cell:
    """The cell of a token in quotes."""
    # Outer white space does not count (000, section 4); inner white space and case do.
    cell = f'"{token[1:-1].strip(WHITE_SPACE)}"'
    return cell.upper() if dialect.dates and _DATE.fullmatch(cell) else cell


def bare_cell(token: str, dialect: Dialect) -> Cell | None:
    """The cell of a token without quotes: number before boolean before string; None if it is no value."""
    # The order of 001, appendix A: so 0920 in a column of times is a number unless it stands in quotes.
    if dialect.units and _LIKE_A_UNIT.match(token):
        return _cell_with_unit(token)
    return number_cell(token) or _keyword_cell(token, dialect) or (f'"{token}"' if dialect.bare_strings else None)


def _cell_with_unit(token: str) -> Cell | None:
    match = _WITH_UNIT.fullmatch(token)
    number = number_cell(match[1]) if match else None
    return f"{number}[{match[2]}]" if match and number else None


def unit_of(cell: Cell) -> str:
    """The unit of a cell such as `5000[lb]`; empty if it has none."""
    return cell[cell.index("[") + 1 : -1] if cell[-1] == "]" and cell[0] in "-0123456789" else ""


def _keyword_cell(token: str, dialect: Dialect) -> Cell | None:
    # Capitals of other scripts may be ASCII: a dotless i would make “nıl” a NIL.
    if not token.isascii():
        return None
    word = token.upper()
    return _KEYWORDS.get(word) or (_YES_AND_NO.get(word) if dialect.yes_and_no else None)


def number_cell(token: str) -> Cell | None:
    """The normal form of a number (`+0920` is `920`, `5.` is `5.0`); None if the token is none."""
    if not _NUMBER.fullmatch(token):
        return None
    whole, point, fraction = token.lstrip("+-").partition(".")
    digits = whole.lstrip("0") or "0"
    if point:
        digits += f".{fraction.rstrip('0') or '0'}"
    # Minus zero is zero, or equal answers would have different cells.
    negative = token[0] == "-" and digits not in ("0", "0.0")
    return f"-{digits}" if negative else digits


def has_date(joined: str) -> bool:
    """Whether there is a date of 1989 among cells that were put together to one text."""
    return _DATE.search(joined) is not None


def kind_of(cell: Cell, dialect: Dialect) -> str:
    """The type of a cell: string, date, number, boolean, or NIL, which goes with any."""
    first = cell[0]
    if first == '"':
        return "date" if dialect.dates and _DATE.fullmatch(cell) else "string"
    if dialect.units and (unit := unit_of(cell)):
        return f"number in {unit}"
    return {"T": "boolean", "F": "boolean", "N": "NIL"}.get(first, "number")


def common_kind(cells: Sequence[str], dialect: Dialect) -> str | None:
    """The one type of tokens that are cells already; None if they are not, or not of one type. Quick."""
    first = cells[0] if cells[0] != NIL else next((cell for cell in cells if cell != NIL), NIL)
    if first[0] == '"':
        return "string" if _are_strings(cells, dialect) else None
    spaced = " ".join(cells) + " "
    if _NUMBERS.match(spaced):
        return "number"
    return "boolean" if _BOOLEANS.match(spaced) else None


def _are_strings(cells: Sequence[str], dialect: Dialect) -> bool:
    """Whether all tokens are NIL or quoted without outer white space. A token holds two quotes or none."""
    joined = "".join(cells)
    bare = len(cells) - joined.count('"') // 2
    if bare and bare != cells.count(NIL):
        return False
    if '" ' in joined or ' "' in joined or "\n" in joined or "\t" in joined:
        return False
    if "\r" in joined or "\v" in joined or "\f" in joined:
        return False
    return not (dialect.dates and has_date(joined))
