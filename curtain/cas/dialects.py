"""What the three versions of the Common Answer Specification allow (papers 000, 003, 001)."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import CasError


@dataclass(frozen=True)
class Dialect:
    """One version of the notation; everything else is the same in all of them."""

    name: str
    bare_strings: bool
    """A string may stand without quotes (001, appendix A)."""
    dates: bool
    """A string like "04-JUL-89" is a date, a type of its own, and its case does not count (000, S-2)."""
    alternatives: bool
    """`( ... OR ... )` is an answer."""
    table_is_yes: bool
    """A table answers a yes/no question: YES unless it is empty (003, B.2.12)."""


_DIALECTS = {
    "1989": Dialect("1989", bare_strings=False, dates=True, alternatives=False, table_is_yes=False),
    "1990": Dialect("1990", bare_strings=False, dates=False, alternatives=True, table_is_yes=True),
    "1992": Dialect("1992", bare_strings=True, dates=False, alternatives=True, table_is_yes=False),
}


def dialect_named(name: str) -> Dialect:
    """The dialect `1989`, `1990` or `1992`; raises CasError for another name."""
    try:
        return _DIALECTS[name]
    except (KeyError, TypeError):
        raise CasError(f"There is no CAS dialect {name!r}; choose 1989, 1990 or 1992.") from None
