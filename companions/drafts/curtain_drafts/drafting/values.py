"""What goes into the NL tool and what comes out of it: plain frozen values."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Reading = Literal["pack", "published"]

# The kinds of chips that are parts of a statement: what it asks for, a column that it shows, one more, a condition,
# and a condition of the turn before that nobody said again.
ASKS, SHOWS, ALSO, WHERE, BEFORE = "asks for", "shows", "also show", "where", "from before"


@dataclass(frozen=True, slots=True)
class Asked:
    """An earlier turn of the same scenario: its query and the SQL of the answer that was sent."""

    question: str
    sql: str


@dataclass(frozen=True, slots=True)
class Example:
    """An answered question. `previous` are the turns it depends on, oldest first; `source` is `pack`, `study` or
    a file's name; `id` names it for withdrawal (a turn's utterance id, or file and line). `scenario` is the id of the
    scenario in which a subject asked it, empty where none is known."""

    question: str
    sql: str
    previous: tuple[Asked, ...] = ()
    id: str = ""
    source: str = "pack"
    scenario: str = ""

    @property
    def digest(self) -> str:
        """What makes an example the same example, wherever it comes from."""
        text = repr((self.id, self.question, self.sql, [(one.question, one.sql) for one in self.previous]))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Value:
    """A value of the database: `column` is `table.column`, `value` as SQL has it but unquoted, `label` for people."""

    column: str
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Chip:
    """A value found in the query: characters [start, end) of the question, or (-1, -1) for a part of the statement, of
    which `said` is the text in the sketch. `kind` is one plain word (city, day, time ...), or one of those above;
    `others` are what it may be swapped for, likeliest first."""

    start: int
    end: int
    said: str
    kind: str
    value: Value
    others: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """What the wizard did to a chip: `value` None removes it. `said` names a part of the statement."""

    start: int
    end: int
    said: str
    value: Value | None


@dataclass(frozen=True, slots=True)
class Request:
    """One thing to draft for. `previous`: earlier answered turns of the scenario, oldest first. `reading` says how the
    ends of periods are read: as the pack's principles say (the station) or as published SQL does (the bench).
    `scenario` is the id of the one that the subject works on."""

    question: str
    previous: tuple[Asked, ...] = ()
    choices: tuple[Choice, ...] = ()
    reading: Reading = "pack"
    n: int = 5
    scenario: str = ""


LEAST_SURE = 0.05
"""Of drafts with less than this, less than one in twenty is right: a person is not shown them."""
GUESS = 0.25
"""A draft with less than this is a guess: a person looks at it before they take it."""


@dataclass(frozen=True, slots=True)
class Draft:
    """One proposal. `confidence` in 0..1 is calibrated: of drafts with 0.9, nine in ten are right. `rests_on` are the
    [start, end) spans of the question that it used; `because` is one short plain phrase for the wizard. `example` is
    the answered example that it rests on most, if any: the wizard may withdraw it, and take that back. `ignored` are
    spans of words that nothing in the statement explains. `sketch` is the statement in one short line for a person,
    added in its process; `key` and `answer` are added when it is tried (see `Trial`)."""

    sql: str
    confidence: float
    chips: tuple[Chip, ...] = ()
    rests_on: tuple[tuple[int, int], ...] = ()
    because: str = ""
    drafter: str = "curtain"
    example: Example | None = None
    ignored: tuple[tuple[int, int], ...] = ()
    sketch: str = ""
    key: str = ""
    answer: str = ""


class Drafter(Protocol):
    """What a drafter must be able to do; runs in a process of its own, under a time limit, and is never trusted:
    each draft passes the SQL guard before it is shown."""

    def drafts(self, request: Request) -> Sequence[Draft]:
        """Up to `request.n` drafts, best first. May raise anything; that costs this drafter's drafts alone."""
        ...

    def learn(self, example: Example) -> None:
        """From now on this question has been answered."""
        ...

    def withdraw(self, example_id: str) -> None:
        """Forget the example of this id, if it is known."""
        ...
