"""The statement on consent and deception, from what is published and what was held back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from curtain.base.plural import count_of
from curtain.corpus.exports.card import plain
from curtain.corpus.model.utterance import Session
from curtain.session.consent import SCOPE_WORDS

STATEMENT = "CONSENT.md"


@dataclass
class ConsentStatement:
    """Counts the sessions that are published. `debriefed` is how the lab debriefed its subjects, in a sentence;
    `contact` is whom to write to, `blind` the split of a blind test."""

    debriefed: str = ""
    contact: str = ""
    blind: str = ""
    sessions: int = 0
    at_end: Counter[str] = field(default_factory=Counter)
    scopes: Counter[str] = field(default_factory=Counter)
    by_systems: int = 0

    def add(self, session: Session) -> None:
        """Count a session as it leaves."""
        self.sessions += 1
        self.scopes.update(session.consent_scopes or ())
        self.at_end.update([session.at_end] if session.at_end is not None else [])
        self.by_systems += sum(one.answered_by not in (None, "", "wizard") for one in session.utterances)

    @property
    def lacks_debriefing(self) -> bool:
        """Whether nothing says of some session how its subject was debriefed."""
        return not self.debriefed and self.at_end.total() < self.sessions

    def text(self, account: Mapping[str, Any], silent: str) -> str:
        """CONSENT.md. `account` is what EXPORT.json holds; `silent` says which recordings may not be kept, if any."""
        from jinja2 import Environment, PackageLoader, StrictUndefined

        loader = PackageLoader("curtain_corpora.publication", "")
        page = Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True)
        by_hiding = account["corpus"]["origins"].get("redacted", {})
        hidden = sum(count for how_much, count in by_hiding.items() if how_much != "none")
        return page.get_template("consent.md").render(
            sessions=self.sessions,
            shown=self.at_end.total(),
            kept=self.at_end["keep"],
            systems=f"In {count_of(self.by_systems, 'utterance')}" if self.by_systems else "",
            scopes=[(words, self.scopes[scope]) for scope, words in SCOPE_WORDS.items()],
            dropped=sorted(account["dropped"].items()),
            redacted=count_of(hidden, "utterance") if hidden else "",
            debriefed=plain(self.debriefed),
            contact=f"Write to {plain(self.contact)}." if self.contact else "",
            videos=self.scopes["video"],
            blind=self.blind,
            silent=silent,
        )
