"""What Zenodo and Dataverse ask for beside the data, made from EXPORT.json; licence, checksums and consent.

`.zenodo.json` has the members of Zenodo's deposit metadata, `dataset.json` those of Dataverse's native API.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from curtain.base.input_file import digest_of
from curtain.base.plural import count_of
from curtain.corpus.exports.card import plain
from curtain.corpus.exports.release import SPDX
from curtain.corpus.exports.text_files import write_json
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


LICENCE, SUMS = "LICENSE", "SHA256SUMS"
_CREATIVE_COMMONS = re.compile(r"CC-(BY[A-Z-]*)-(\d\.\d)")
_KEYWORDS = ["wizard-of-oz", "text-to-sql", "spoken language understanding", "speech recognition"]
_ADDRESS = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+")


def lacking(title: str, authors: Sequence[str], licence: str, contact: str) -> list[str]:
    """What a receiving side requires and nobody gave: each with its option, and with who requires it."""
    asked = (
        (title.strip(), "a title (“--title”), for all receivers"),
        (authors and all(map(str.strip, authors)), "an author (“--author NAME”), for Zenodo, Dataverse and citations"),
        (licence.strip(), "a licence (“--licence CC-BY-4.0”), for Zenodo and for whoever may use it"),
        (_ADDRESS.fullmatch(contact), "an address of mail (“--contact lab@example.org”), for Dataverse"),
    )
    return [what for given, what in asked if not given]


def write_deposit(folder: Path, account: Mapping[str, Any], contact: str) -> None:
    """Put the descriptions, the licence and at last the checksums of all files beside the data of an export.

    `account` is what EXPORT.json holds; `contact` is an address of mail. Nothing is `lacking`.
    """
    about = _About(account, contact)
    (folder / LICENCE).write_text(about.licence_text(), "utf-8", newline="\n")
    write_json(folder / ".zenodo.json", about.zenodo())
    write_json(folder / "dataset.json", about.dataverse())
    write_sums(folder)


def write_sums(folder: Path) -> None:
    """Put the SHA-256 sums of all files of a folder beside them, as `sha256sum --check` reads them."""
    sums = "".join(f"{digest_of(path)}  {path.relative_to(folder).as_posix()}\n" for path in _files(folder))
    (folder / SUMS).write_text(sums, "utf-8", newline="\n")


class _About:
    def __init__(self, account: Mapping[str, Any], contact: str) -> None:
        self._title, self._version = account["title"], account["version"]
        self._licence, self._authors, self._contact = account["licence"], account["authors"], contact
        self._is_known = bool(SPDX.fullmatch(self._licence))
        speakers = count_of(account["corpus"]["speakers"], "speaker")
        self._description = (
            f"{count_of(account['kept'], 'spoken question')} of {speakers} to a "
            "database, with transcriptions, SQL and reference answers, from Wizard-of-Oz sessions. "
            "CONSENT.md says what the speakers agreed to, and that they were deceived and debriefed."
        )

    @property
    def _licence_url(self) -> str:
        return f"https://spdx.org/licenses/{self._licence}" if self._is_known else LICENCE

    def licence_text(self) -> str:
        whose = f"{self._title}, version {self._version}\nCopyright {date.today().year} {'; '.join(self._authors)}\n\n"
        place = f":\n{self._licence_url}\n" if self._is_known else ".\n"
        return f"{whose}This data set may be used under the licence {self._licence}{place}"

    def zenodo(self) -> dict[str, Any]:
        """Open under a licence that Zenodo knows, else restricted: what is open has one there."""
        access = {"access_right": "open", "license": self._licence}
        if not self._is_known:
            access = {"access_right": "restricted", "access_conditions": self._licence}
        return {
            "title": self._title,
            "upload_type": "dataset",
            "description": self._description,
            "creators": [{"name": name} for name in self._authors],
            "keywords": _KEYWORDS,
            "publication_date": date.today().isoformat(),
            "version": self._version,
            **access,
        }

    def dataverse(self) -> dict[str, Any]:
        fields = [
            _field("title", self._title),
            _compound("author", [{"authorName": name} for name in self._authors]),
            _compound("datasetContact", [{"datasetContactEmail": self._contact}]),
            _compound("dsDescription", [{"dsDescriptionValue": self._description}]),
            _field("subject", ["Computer and Information Science"], "controlledVocabulary"),
            _compound("keyword", [{"keywordValue": word} for word in _KEYWORDS]),
            _field("kindOfData", ["audio", "text"]),
        ]
        citation = {"displayName": "Citation Metadata", "fields": fields}
        return {"datasetVersion": {**self._terms(), "metadataBlocks": {"citation": citation}}}

    def _terms(self) -> dict[str, Any]:
        """A licence that each Dataverse has, or terms in words."""
        if named := _CREATIVE_COMMONS.fullmatch(self._licence):
            place = f"http://creativecommons.org/licenses/{named[1].lower()}/{named[2]}"
            return {"license": {"name": f"CC {named[1]} {named[2]}", "uri": place}}
        if self._licence == "CC0-1.0":
            return {"license": {"name": "CC0 1.0", "uri": "http://creativecommons.org/publicdomain/zero/1.0"}}
        return {"termsOfUse": self._licence}


def _field(name: str, value: Any, kind: str = "primitive") -> dict[str, Any]:
    return {"typeName": name, "typeClass": kind, "multiple": isinstance(value, list), "value": value}


def _compound(name: str, values: list[dict[str, str]]) -> dict[str, Any]:
    parts = [{part: _field(part, text) for part, text in value.items()} for value in values]
    return _field(name, parts, "compound")


def _files(folder: Path) -> Iterator[Path]:
    yield from sorted(path for path in folder.rglob("*") if path.is_file())
