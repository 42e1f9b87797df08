"""The folder of one session, which anyone can rescue without us: plain names, plain files, one list of checksums."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal

from curtain.base.disk import rename, replace_file, sync_folder
from curtain.base.errors import CurtainError, os_errors_as
from curtain.session.bundle.checks import (
    NOTE,
    BundleProblem,
    altered_recordings,
    journal_problems,
    notes_of,
    problems_of,
)
from curtain.session.bundle.heads import HAS_HEADS, are_kept, begin_heads, sealed
from curtain.session.bundle.repair import repair_copy
from curtain.session.events.subject_events import Take
from curtain.session.journal.journals import Journals
from curtain.session.journal.lines import JournalReading, read_journal
from curtain.session.study import ids
from curtain.session.study.study import Study
from curtain.session.untrusted_files import MANIFEST, is_listed, look_through, manifest_bytes, read_plain

SCHEMA_VERSION = 1
_LARGEST_JSON = 64 * 1024 * 1024


class BundleUnreadable(CurtainError):
    """session.json cannot be read."""


@dataclass(frozen=True)
class Bundle:
    """Names of everything in a session's folder. Making one touches no disk."""

    path: Path

    @property
    def session_json(self) -> Path:
        """What is fixed about the session: ids, study, identity, consent."""
        return self.path / "session.json"

    @property
    def subject_journal(self) -> Path:
        """The subject's facts, one a line, as that station wrote them."""
        return self.path / "subject.events.jsonl"

    @property
    def wizard_journal(self) -> Path:
        """The wizard's facts, one a line. It never goes to the subject."""
        return self.path / "wizard.events.jsonl"

    @property
    def audio(self) -> Path:
        """The folder of the recordings, one WAV a turn."""
        return self.path / "audio"

    @property
    def annotations(self) -> Path:
        """The folder of annotation layers, which grow after the session is closed."""
        return self.path / "annotations"

    @property
    def manifest(self) -> Path:
        """The list of checksums; while it is missing the session is open."""
        return self.path / MANIFEST

    def utterance(self, utterance_id: str) -> Path:
        """The audio of one turn. Raises BadId, so that no id leads out of the folder."""
        # The id becomes a part of a path.
        ids.split_utterance_id(utterance_id)
        return self.audio / f"{utterance_id}.wav"

    def recording(self, take: Take) -> Path:
        """The file of a take or of another recording beside it. Raises BadId."""
        ids.split_utterance_id(take.utterance_id)
        return self.audio / f"{take.recording}.wav"

    @property
    def state(self) -> Literal["open", "closed"]:
        """A session is open until its manifest is written."""
        return "closed" if self.manifest.is_file() else "open"

    @classmethod
    def create(cls, study: Study, session_id: str, about: Mapping[str, Any]) -> Bundle:
        """The folder of a new session with its session.json: whole or not at all.

        `about` goes into session.json beside `schema_version`, `session_id` and `speaker_id`.
        Raises BadId, CurtainError.
        """
        speaker, _ = ids.split_session_id(session_id)
        study.ensure_writable()
        bundle = cls(study.sessions_folder / session_id)
        # Hidden and under another name until it is whole: a station that is killed here leaves no half session.
        made = cls(study.sessions_folder / f".{session_id}.part")
        if bundle.path.exists():
            raise CurtainError(f"The session {session_id} exists already in {study.sessions_folder}.")
        head = {"schema_version": SCHEMA_VERSION, "session_id": session_id, "speaker_id": speaker, HAS_HEADS: True}
        with os_errors_as(f"{bundle.path} cannot be made", CurtainError):
            shutil.rmtree(made.path, ignore_errors=True)
            made.audio.mkdir(parents=True)
            replace_file(made.session_json, _json({**head, **about}))
            rename(made.path, bundle.path)
            sync_folder(study.sessions_folder)
            begin_heads(bundle.path)
        return bundle

    def read_session_json(self) -> dict[str, Any]:
        """What is fixed about the session. Raises CurtainError, BundleUnreadable."""
        self.ensure_there()
        try:
            values = json.loads(read_plain(self.session_json, _LARGEST_JSON))
        except FileNotFoundError as error:
            raise CurtainError(f"{self.path} is not a session: session.json is missing.") from error
        except OSError as error:
            raise BundleUnreadable(f"{self.session_json} cannot be read: {error.strerror}.") from error
        except (ValueError, RecursionError) as error:
            raise BundleUnreadable(f"{self.session_json} is damaged; “curtain verify” shows what else is.") from error
        if not isinstance(values, dict):
            raise BundleUnreadable(f"{self.session_json} does not describe a session.")
        return values

    def update_session_json(self, **changes: Any) -> None:
        """Set some keys and keep all others, also those we do not know.

        Raises as `read_session_json`, and CurtainError.
        """
        # Read anew each time: keys of a later Curtain must survive.
        self._write(self.session_json, _json({**self.read_session_json(), **changes}))

    def restore_session_json(self, from_journal: Mapping[str, Any]) -> None:
        """Write session.json again, with `from_journal` over what can still be read of it; the old file stays beside.

        Raises CurtainError.
        """
        try:
            before = self.read_session_json()
        except CurtainError:
            before = {"schema_version": SCHEMA_VERSION}
        # No journal has this mark, and without it nobody would miss heads that are lost later.
        before |= {HAS_HEADS: True} if are_kept(self.path) else {}
        # Without the file nothing is left of it to keep.
        with os_errors_as(f"{self.session_json} cannot be kept"), suppress(FileNotFoundError):
            replace_file(_free_name(self.session_json), read_plain(self.session_json, _LARGEST_JSON))
        self._write(self.session_json, _json({**before, **from_journal}))

    def read_subject_journal(self) -> JournalReading:
        """As far as it can be read: see `read_journal`. Raises CurtainError, JournalUnreadable."""
        self.ensure_there()
        return read_journal(self.subject_journal)

    def read_wizard_journal(self) -> JournalReading:
        """As far as it can be read: see `read_journal`. Raises CurtainError, JournalUnreadable."""
        self.ensure_there()
        return read_journal(self.wizard_journal)

    def write_manifest(self) -> None:
        """List what was collected with its SHA-256: from here on the session is closed.

        Raises CurtainError, also for a recording that is not the one that was saved, unless the wizard's journal
        reports that the session was closed with a gap.
        """
        # A station killed while it wrote the manifest leaves a beginning of it, which goes with the next try.
        content = look_through(self.path)
        sums = {name: content.sum_of(name) for name in content.plain if is_listed(name)}
        for name, digest in sums.items():
            if digest is None:
                raise CurtainError(f"The session {self.path} cannot be closed yet: {name} cannot be read.")
        # Before the manifest: its sums would certify a recording that is not the one that was saved.
        for problem in altered_recordings(self.path, content):
            raise CurtainError(
                f"The session {self.path} cannot be closed yet: {problem} Start both stations again: what differs is "
                "then fetched anew."
            )
        self._write(self.manifest, manifest_bytes({name: digest for name, digest in sums.items() if digest}))

    def verify(self) -> list[BundleProblem]:
        """What is missing, altered, torn or too much, one sentence each; nothing for a sound session, open or closed.

        Reads only inside the folder and changes nothing. Raises CurtainError.
        """
        self.ensure_there()
        return problems_of(self.path)

    def problems_in_journals(self) -> list[BundleProblem]:
        """What keeps `read_turns` from reading everything; recordings are not looked at.

        Raises CurtainError, JournalUnreadable.
        """
        self.ensure_there()
        return journal_problems(self.path)

    @property
    def repair_note(self) -> str | None:
        """A sentence for a repaired copy, None for any other session. A copy is sound, but not whole."""
        if not (self.path / NOTE).is_file():
            return None
        return f"This is a repaired copy; {NOTE} lists what was repaired and what is missing."

    def notes(self, journals: Journals | None = None) -> list[str]:
        """What is no problem but to be known: that it is a repaired copy, and what was set aside of its annotations.
        `journals` saves reading those again."""
        return [*([self.repair_note] if self.repair_note else []), *notes_of(self.path, journals)]

    def repair(self, copy_to: Path) -> list[str]:
        """Make a repaired copy; a sentence for each thing done. This bundle is not touched.

        Torn tails are cut and kept beside; a line of type `damaged` stands for a damaged line between intact ones.
        Links and special files are left out, a new manifest is written and `repair-note.txt` lists what remains
        wrong. Run again it finds its own copy. Raises CurtainError.
        """
        self.ensure_there()
        return repair_copy(self.path, copy_to)

    def ensure_there(self) -> None:
        """Raises CurtainError unless this is the folder of a session, however damaged."""
        if not self.path.is_dir():
            what = "this is no folder" if os.path.lexists(self.path) else "the folder does not exist"
            raise CurtainError(f"There is no session in {self.path}: {what}.")
        marks = (self.session_json, self.subject_journal, self.wizard_journal)
        if not any(os.path.lexists(mark) for mark in marks):
            raise CurtainError(f"{self.path} is not a session: it has neither session.json nor journals.")

    def _write(self, path: Path, data: bytes) -> None:
        cannot = os_errors_as(f"{path} cannot be written", CurtainError, " Make room on the disk.")
        with sealed(self.path, path.name, data, anew=True), cannot:
            replace_file(path, data)


def _json(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, ensure_ascii=True, indent=2).encode() + b"\n"


def _free_name(path: Path) -> Path:
    """The first of `<name>.damaged-1`, `-2` and so on that is free."""
    return next(name for n in count(1) if not (name := path.with_name(f"{path.name}.damaged-{n}")).exists())
