"""What the three versions of the Common Answer Specification allow (papers 000, 003, 001), and one of our own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..errors import CasError

LENIENT = "-lenient"
"""After a dialect's name: it also reads what its grammar does not print, as files of that time often hold."""


@dataclass(frozen=True)
class Dialect:
    """One version of the notation; everything else is the same in all of them."""

    name: str
    bare_strings: bool = False
    """A string may stand without quotes (001, appendix A)."""
    dates: bool = False
    """A string like "04-JUL-89" is a date, a type of its own, and its case does not count (000, S-2)."""
    alternatives: bool = False
    """`( ... OR ... )` is an answer (001, appendix A)."""
    table_is_yes: bool = False
    """A table answers a yes/no question: YES unless it is empty (003, B.2.12)."""
    yes_and_no: bool = False
    """YES and NO are booleans beside TRUE and FALSE (003, appendix C)."""
    no_answer: bool = False
    """NO_ANSWER is an answer (003, appendix C)."""
    comments: bool = False
    """A comment counts as white space, as in ANSI C (001, appendix A)."""
    failures: bool = False
    """`contingent-failure` and `necessary-failure` are answers (000, section 3.3, has the idea)."""
    units: bool = False
    """A number may have a unit, `5000[lb]` (000, section 3.1, and 001, appendix A, have the idea)."""

    @property
    def words(self) -> str:
        """What may stand in the place of a value, for the sentence of an error."""
        booleans = "YES, NO, TRUE, FALSE" if self.yes_and_no else "TRUE, FALSE"
        return f"a number, {booleans}, NIL or a string in quotes"

    def as_lenient(self) -> Dialect:
        """The same dialect for old files. 000 prints no OR and shows answers without it, so 1989 goes without."""
        if self.name.endswith(LENIENT):
            return self
        return replace(
            self,
            name=self.name + LENIENT,
            # Dates are what marks 1989 here.
            alternatives=self.alternatives or not self.dates,
            yes_and_no=True,
            no_answer=True,
            comments=True,
        )


_STRICT = (
    Dialect("1989", dates=True),
    Dialect("1990", table_is_yes=True, yes_and_no=True, no_answer=True),
    Dialect("1992", bare_strings=True, alternatives=True, yes_and_no=True, no_answer=True, comments=True),
)
OURS = "curtain"
_OWN = replace(_STRICT[-1], name=OURS, failures=True, units=True)
NAMES = tuple(one.name for one in (*_STRICT, _OWN))
_DIALECTS = {one.name: one for strict in (*_STRICT, _OWN) for one in (strict, strict.as_lenient())}


def dialect_named(name: str) -> Dialect:
    """The dialect `1989`, `1990`, `1992` or `curtain`, also with `-lenient`; raises CasError for another name."""
    try:
        return _DIALECTS[name]
    except (KeyError, TypeError):
        raise CasError(f"There is no CAS dialect {name!r}; choose 1989, 1990, 1992 or curtain.") from None
