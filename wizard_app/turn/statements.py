"""The statements the wizard ran before, newest last, and walking through them with Ctrl+Up and Ctrl+Down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class PastStatements:
    """Distinct statements in the order of their last use; `place` counts back from the newest, 0 is the own text."""

    statements: tuple[str, ...] = ()
    place: int = 0
    own_text: str = ""

    @classmethod
    def of(cls, ran: Iterable[str]) -> PastStatements:
        """From all statements in the order in which they ran; each stands once, where it ran last."""
        newest_first = dict.fromkeys(sql.strip() for sql in reversed(list(ran)) if sql.strip())
        return cls(tuple(reversed(newest_first)))

    def ran(self, sql: str) -> PastStatements:
        """One more statement was run; walking starts again from the end."""
        return PastStatements.of([*self.statements, sql])

    def earlier(self, text: str) -> PastStatements:
        """One step back; the first step keeps what stands in the editor."""
        kept = text if self.place == 0 else self.own_text
        return replace(self, place=min(self.place + 1, len(self.statements)), own_text=kept)

    def later(self) -> PastStatements:
        """One step towards the newest."""
        return replace(self, place=max(self.place - 1, 0))

    @property
    def shown(self) -> str:
        """The text for the editor at this place."""
        return self.statements[-self.place] if self.place else self.own_text
