"""What a person agreed to on this machine, in one file of the user's own, and the gate that asks for it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError


class AgreementNotKept(CurtainError):
    """The user's file of agreements cannot be written."""


class Agreements:
    """The user's file of agreements; a file that is missing or cannot be read agrees to nothing."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or _user_file()

    def has(self, kind: str, key: str) -> bool:
        """Whether the person agreed to exactly this."""
        return key in self._read().get(kind, {})

    def add(self, kind: str, key: str, about: str) -> None:
        """Remembers an agreement; `about` is for whoever reads the file. Raises AgreementNotKept."""
        agreed = self._read()
        if key not in agreed.get(kind, {}):
            when = datetime.now(UTC).isoformat(timespec="seconds")
            self._write({**agreed, kind: {**agreed.get(kind, {}), key: {"about": about, "when": when}}})

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            agreements = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        kinds = agreements.items() if isinstance(agreements, dict) else ()
        return {kind: entries for kind, entries in kinds if isinstance(entries, dict)}

    def _write(self, agreed: dict[str, dict[str, Any]]) -> None:
        folder = self._path.parent
        try:
            # Who can write here can agree in the user's name.
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(self._path, json.dumps(agreed, indent=2).encode(), private=True)
        except OSError as error:
            raise AgreementNotKept(f"{self._path} cannot be written: {error.strerror or error}.") from error


class NotAgreed(CurtainError):
    """A person has to agree first; the sentence says to what, and how."""


@dataclass(frozen=True)
class NeededAgreement:
    """What a study would start, load or send: `kind` and `identity` for the file of agreements, and the sentence by
    which a person decides."""

    kind: str
    identity: str
    sentence: str

    @property
    def is_given(self) -> bool:
        """Whether the person agreed to exactly this."""
        return Agreements().has(self.kind, self.identity)

    def give(self) -> None:
        """Remember that the person agreed. Raises AgreementNotKept."""
        Agreements().add(self.kind, self.identity, self.sentence)


def ensure_agreed(needed: Iterable[NeededAgreement], study: Path | str = "STUDY") -> None:
    """The gate: whatever starts, loads or asks what a study names calls this first, at each start. Raises NotAgreed."""
    for agreement in needed:
        if not agreement.is_given:
            raise NotAgreed(
                f"{agreement.sentence.rstrip('.')}. Nobody agreed to that on this machine, or it has changed since: "
                f"run “curtain study trust {shlex.quote(str(study)) if isinstance(study, Path) else study}”."
            )


def _user_file() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir("curtain", appauthor=False)) / "agreements.json"
