"""How much of an answer a subject reads: the words of a study, a journal and the SQL worker alike."""

from __future__ import annotations

from typing import Literal, get_args

# The amount and the form of what comes back influence the queries (001, section 2.4.1), so a study fixes it.
Show = Literal["minimum", "readable", "maximum"]
SHOWS: tuple[Show, ...] = get_args(Show)
