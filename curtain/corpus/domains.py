"""The domain packs a corpus speaks of, each loaded once."""

from __future__ import annotations

from pathlib import Path

from curtain.domain.pack import Pack, PackError, database, load_pack

__all__ = ["Domains"]

_ANY_DIALECT = "1992"


class Domains:
    """Packs by the name that session.json has, or by the folder it names."""

    def __init__(self) -> None:
        self._packs: dict[str, Pack | PackError] = {}

    def pack(self, domain: str) -> Pack:
        """Raises PackError, each time it is asked."""
        if domain not in self._packs:
            try:
                self._packs[domain] = load_pack(domain)
            except PackError as fault:
                self._packs[domain] = fault
        found = self._packs[domain]
        if isinstance(found, PackError):
            raise found
        return found

    def dialect(self, domain: str) -> str:
        """The dialect its answers are written in; that of 1992 where the pack is not on this machine."""
        try:
            return self.pack(domain).dialect
        except PackError:
            return _ANY_DIALECT

    def database(self, domain: str) -> Path:
        """Its DuckDB file, built on first use. Raises PackError."""
        return database(self.pack(domain))
