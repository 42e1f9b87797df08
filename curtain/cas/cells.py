"""From the token of a text to a cell: the lexical rules of 001, appendix A, and of our page."""

from __future__ import annotations

import re

from .dialects import Dialect
from .values import Cell

WHITE_SPACE = " \t\n\v\f\r"

_KEYWORDS = {"YES": "TRUE", "TRUE": "TRUE", "NO": "FALSE", "FALSE": "FALSE", "NIL": "NIL"}
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?", re.ASCII)
_DATE = re.compile(r'"\d\d-(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)-\d\d"', re.ASCII | re.IGNORECASE)


def quoted_cell(token: str, dialect: Dialect) -> Cell:
    """The cell of a token in quotes."""
    cell = f'"{token[1:-1].strip(WHITE_SPACE)}"'
    return cell.upper() if dialect.dates and _DATE.fullmatch(cell) else cell


def bare_cell(token: str, dialect: Dialect) -> Cell | None:
    """The cell of a token without quotes: number before boolean before string; None if it is no value."""
    keyword = _KEYWORDS.get(token.upper()) if token.isascii() else None
    return number_cell(token) or keyword or (f'"{token}"' if dialect.bare_strings else None)


def number_cell(token: str) -> Cell | None:
    """The normal form of a number (`+0920` is `920`, `5.` is `5.0`); None if the token is none."""
    if not _NUMBER.fullmatch(token):
        return None
    whole, point, fraction = token.lstrip("+-").partition(".")
    digits = whole.lstrip("0") or "0"
    if point:
        digits += f".{fraction.rstrip('0') or '0'}"
    negative = token[0] == "-" and digits not in ("0", "0.0")
    return f"-{digits}" if negative else digits


def kind_of(cell: Cell, dialect: Dialect) -> str:
    """The type of a cell: string, date, number, boolean, or NIL, which goes with any."""
    first = cell[0]
    if first == '"':
        return "date" if dialect.dates and _DATE.fullmatch(cell) else "string"
    return {"T": "boolean", "F": "boolean", "N": "NIL"}.get(first, "number")
