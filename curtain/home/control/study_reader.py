"""Reads what there is in a study. It takes as long as the journals are long: never on the window's thread."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from curtain.base.errors import CurtainError
from curtain.home.control.facts import SessionFacts, Soundness, StudyFacts

if TYPE_CHECKING:
    from curtain.home.control.memory import Verified
    from curtain.session.study.study import SessionFolder, Study


def read_study(folder: Path, verified: Mapping[str, Verified], today: date) -> StudyFacts:
    """The study in `folder` and all its sessions; `fault` says what cannot be read, nothing is raised for it."""
    # Here and below: what reads sessions is loaded behind the first paint.
    from curtain.session.study.study import load_study

    try:
        study = load_study(folder)
        sessions = tuple(_session(one, verified) for one in study.sessions())
    except CurtainError as fault:
        return StudyFacts(folder, fault=str(fault))
    return StudyFacts(study.folder, study.domain, sessions, _exported(study), _due(study, today), _sample(study))


def marks_of(folder: Path) -> tuple[tuple[str, int], ...]:
    """What changes when a session begins, is closed or is annotated, or an export is made; a moment's work.

    Journals and recordings are left out: they grow all the time while a session runs.
    """
    sessions = folder / "sessions"
    with suppress(OSError):
        each = [Path(entry) for entry in os.scandir(sessions) if entry.is_dir()]
        annotated = [session / "annotations" / "category.jsonl" for session in each]
        return tuple(sorted(map(_mark, (folder / "study.toml", folder / "exports.jsonl", sessions, *each, *annotated))))
    return ()


def _mark(path: Path) -> tuple[str, int]:
    try:
        return str(path), path.stat().st_mtime_ns
    except OSError:
        return str(path), 0


def manifest_sum(session: Path) -> str:
    """The SHA-256 of a session's manifest, which changes whenever a listed file is another; "" without a manifest."""
    from curtain.session.untrusted_files import MANIFEST, sha256_of

    try:
        return sha256_of(session / MANIFEST)
    except OSError:
        return ""


def _session(folder: SessionFolder, verified: Mapping[str, Verified]) -> SessionFacts:
    size = _size_of(folder.path)
    closed = folder.state == "closed"
    soundness = _soundness(folder.path, verified)
    try:
        return _read_session(folder, size, soundness)
    except CurtainError as fault:
        return SessionFacts(folder.session_id, folder.path, closed, size=size, soundness=soundness, fault=str(fault))


def _read_session(folder: SessionFolder, size: int, soundness: Soundness) -> SessionFacts:
    from curtain.session.bundle.bundle import Bundle
    from curtain.session.turns.turns import record_of

    bundle = Bundle(folder.path)
    wizard = bundle.read_wizard_journal().entries
    subject = bundle.read_subject_journal().entries
    opened = [entry for entry in wizard if entry.type == "session_opened"]
    begun = opened[0].wall_utc[:16].replace("T", " ") if opened else ""
    # As the corpus counts: a tap on the key, a withdrawn utterance and practice wait for no annotator.
    counted = [turn.turn for turn in record_of(subject, wizard).turns if not turn.practice]
    ids = [f"{folder.session_id}-{number:03}" for number in counted]
    return SessionFacts(
        folder.session_id,
        folder.path,
        folder.state == "closed",
        begun,
        len(ids),
        _annotated(bundle.path, ids),
        size,
        any(entry.data.get("pilot") is True for entry in opened),
        soundness,
    )


def _annotated(session: Path, utterance_ids: Iterable[str]) -> int:
    """How many utterances have a class that counts; a draft does not."""
    from curtain.corpus.annotation.layers import Layers
    from curtain.session.bundle.bundle import Bundle

    standing = Layers(Bundle(session)).standing("category")
    return sum(standing.current(one) is not None for one in utterance_ids)


def _soundness(session: Path, verified: Mapping[str, Verified]) -> Soundness:
    last_check = verified.get(str(session))
    if last_check is None or last_check.manifest != manifest_sum(session):
        return "unknown"
    return "sound" if last_check.sound else "damaged"


def _exported(study: Study) -> frozenset[str]:
    from curtain.base.record_file import BadRecords
    from curtain.corpus.redaction.export_log import read_exports

    try:
        exports = [
            one for one in read_exports(study.folder) if one.is_of(study.folder) and one.is_corpus and one.is_there
        ]
    except BadRecords:
        # The next export reports it; here it only means that nobody knows of an export.
        return frozenset()
    return frozenset(session for one in exports for session in one.sessions)


def _sample(study: Study) -> Path | None:
    from curtain.domain.pack.reader import pack_folder

    try:
        script = pack_folder(study.domain) / "demo.jsonl"
    except CurtainError:
        # A pack that is gone is reported by “Check” and by the station that needs it.
        return None
    return script if script.is_file() else None


def _due(study: Study, today: date) -> tuple[str, ...]:
    from curtain.corpus.model.retention import due_on, kept_sessions

    if not study.retention_months:
        return ()
    with suppress(CurtainError):
        return tuple(one.session_id for one in due_on(today, kept_sessions(study)) if one.keep_until is not None)
    return ()


def _size_of(folder: Path) -> int:
    """Bytes of all files below; what is gone meanwhile counts nothing."""
    size = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                size += os.lstat(os.path.join(parent, name)).st_size
    return size
