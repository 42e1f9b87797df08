"""The table of an answer, and how much of it a subject reads: the same for study, journal, link and SQL worker."""

from typing import Literal, get_args

import msgspec

# The amount and the form of what comes back influence the queries (001, section 2.4.1), so a study fixes it.
Show = Literal["minimum", "readable", "maximum"]
SHOWS: tuple[Show, ...] = get_args(Show)


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table as it is read: headings and cell texts; `numeric` columns are right-aligned; `total` rows exist."""

    headings: list[str]
    rows: list[list[str]]
    numeric: list[bool]
    total: int
