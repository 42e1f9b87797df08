"""The domain packs a corpus speaks of, each loaded once."""

from pathlib import Path

from curtain.domain.pack.pack import Pack, PackError, agreed_pack, database
from curtain.domain.rules.principles import UnknownRuleBook, under_rule_book

_ANY_DIALECT = "1992"


class Domains:
    """Packs by the name that session.json has, or by the folder it names."""

    def __init__(self) -> None:
        self._packs: dict[str, Pack | PackError] = {}
        self._under: dict[tuple[str, int | None], Pack] = {}
        self._accepted: dict[tuple[str, str], tuple[str, ...]] = {}

    def pack(self, domain: str) -> Pack:
        """Raises PackError, each time it is asked."""
        if domain not in self._packs:
            try:
                self._packs[domain] = agreed_pack(domain)
            except PackError as error:
                # Remembered too: a pack that is missing is looked for once, not for each of a thousand sessions.
                self._packs[domain] = error
        pack = self._packs[domain]
        if isinstance(pack, PackError):
            raise pack
        return pack

    def dialect(self, domain: str, rule_book: int | None = None) -> str:
        """The dialect its answers are written in; that of 1992 where the pack is not on this machine."""
        try:
            return self.pack_under(domain, rule_book).dialect
        except PackError:
            return _ANY_DIALECT

    def pack_under(self, domain: str, rule_book: int | None) -> Pack:
        """The pack under the rule-book of a year; its own where it has none of that year. Raises PackError."""
        asked = (domain, rule_book)
        if asked not in self._under:
            self._under[asked] = _under(self.pack(domain), rule_book)
        return self._under[asked]

    def accepted(self, domain: str, scenario_id: str) -> tuple[str, ...]:
        """The accepted wordings of a scenario; none where the pack is not on this machine or lists none."""
        asked = (domain, scenario_id)
        if asked not in self._accepted:
            self._accepted[asked] = self._wordings(domain, scenario_id)
        return self._accepted[asked]

    def _wordings(self, domain: str, scenario_id: str) -> tuple[str, ...]:
        try:
            solution = self.pack(domain).solution(scenario_id)
        except PackError:
            return ()
        return tuple(solution.accepted) if solution is not None else ()

    def units(self, domain: str) -> str:
        """The unit of each column that has one, as a sentence; empty where there is none, or no pack here."""
        try:
            units = self.pack(domain).units
        except PackError:
            return ""
        return f"Units: {', '.join(f'{column} {unit}' for column, unit in units.items())}." if units else ""

    def database(self, domain: str) -> Path:
        """Its DuckDB file, built on first use. Raises PackError."""
        return database(self.pack(domain))


def _under(pack: Pack, rule_book: int | None) -> Pack:
    try:
        return under_rule_book(pack, rule_book, "the session")
    except UnknownRuleBook:
        # An older version of the pack had it; its answers were written as the pack's own are.
        return pack
