"""Pseudonyms for the people who made a corpus: wizards and annotators leave under these, never under their names.

A name is often that of an account, so a plain checksum of it could be guessed. The key is a random one that stays in
the study; so one person has the same pseudonym in every export of a study, and another one in another study.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.corpus.model.utterance import Session
from curtain.session.bundle.bundle import Bundle

KEY_FILE = "pseudonyms.key"
CONSENT_WITHHELD = "withheld"
"""Stands for the id of a consent form: there is one, and it leads to a name."""

_KEY = re.compile(r"[0-9a-f]{64}")
_PSEUDONYM = re.compile(r"p-[0-9a-f]{8}")


@dataclass
class Pseudonyms:
    """The pseudonyms of several studies; each key is read or made when it is first needed."""

    _keys: dict[Path, bytes] = field(default_factory=dict)

    def of(self, name: str, session: Path, study: Path | None) -> str:
        """The pseudonym of a person named in a session; one that is a pseudonym already stays.

        Raises CurtainError.
        """
        if not name or _PSEUDONYM.fullmatch(name):
            return name
        digest = hmac.new(self._key(session, study), name.encode("utf-8", "surrogatepass"), "sha256")
        # Eight digits distinguish the people of a study and are short enough for a table.
        return f"p-{digest.hexdigest()[:8]}"

    def session(self, given: Session, study: Path | None) -> Session:
        """The session with pseudonyms, without the id of a consent form, and without the folder of its domain pack."""

        def named(names: Iterable[str]) -> tuple[str, ...]:
            return tuple(self.of(name, given.path, study) for name in names)

        return replace(
            given,
            wizard_ids=named(given.wizard_ids),
            consent_id=CONSENT_WITHHELD if given.has_consent else given.consent_id,
            domain=domain_name(given.domain),
            utterances=tuple(
                replace(utterance, annotators=tuple(sorted(named(utterance.annotators))))
                if utterance.annotators
                else utterance
                for utterance in given.utterances
            ),
        )

    def _key(self, session: Path, study: Path | None) -> bytes:
        place = study or session
        if place not in self._keys:
            self._keys[place] = _study_key(study / KEY_FILE) if study else _session_key(session)
        return self._keys[place]


def domain_name(domain: str) -> str:
    """The name of a domain; of a pack that its folder names the last part, since a path may hold an account's name."""
    return re.split(r"[/\\]", domain.rstrip("/\\"))[-1] or domain


def _study_key(path: Path) -> bytes:
    advice = " It keeps the names of wizards and annotators at home; make the study's folder writable."
    with os_errors_as(f"{path} cannot be made or read", advice=advice):
        if not path.exists():
            replace_file(path, secrets.token_hex(32).encode() + b"\n")
        text = path.read_text("ascii", "replace").strip()
    if not _KEY.fullmatch(text):
        raise CurtainError(f"{path} is damaged. Take it from a copy; a new key would change every pseudonym.")
    return bytes.fromhex(text)


def _session_key(session: Path) -> bytes:
    """A session outside of a study has no folder for a key; its journal never leaves as it is, so nobody can guess."""
    with os_errors_as(f"The wizard's journal of {session} cannot be read"):
        return hashlib.sha256(Bundle(session).wizard_journal.read_bytes()).digest()
