"""Reads what there is in a study. It takes as long as the journals are long: never on the window's thread."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from curtain.base.errors import CurtainError
from curtain.commands.sessions.facts import Barred, SessionFacts, Soundness, StudyFacts, Verified

if TYPE_CHECKING:
    from curtain.corpus.redaction.export_log import Exported
    from curtain.session.journal.lines import JournalEntry
    from curtain.session.study.study import SessionFolder, Study

Marks = tuple[tuple[str, int, int], ...]
"""Of each file and folder that is watched: its path, when it was changed, in ns, and its size in bytes."""


def read_study(folder: Path, verified: Mapping[str, Verified], today: date) -> StudyFacts:
    """The study in `folder` and all its sessions; `problem` says what cannot be read, nothing is raised for it."""
    facts = begin_study(folder, verified, today)
    return replace(facts, sessions=tuple(map(read_session, facts.sessions)))


def begin_study(folder: Path, verified: Mapping[str, Verified], today: date) -> StudyFacts:
    """The same with the beginning of each session alone, which takes a thousandth of the time."""
    # Here and below: what reads sessions is loaded behind the first paint.
    from curtain.session.study.study import load_study

    try:
        study = load_study(folder)
        sessions = tuple(_begin_session(one, verified) for one in study.sessions())
    except CurtainError as error:
        return StudyFacts(folder, problem=str(error))
    exports = _exports(study)
    exported = frozenset(session for one in exports for session in one.sessions)
    keys = [one.references for one in exports if one.references is not None and one.references.is_file()]
    due, key = _due(study, today), keys[-1] if keys else None
    return StudyFacts(study.folder, study.domain, sessions, exported, due, _sample(study), key)


def marks_of(folder: Path) -> Marks:
    """What changes when a session begins, is closed or is annotated, or an export is made; a moment's work.

    Journals and recordings are left out: they grow all the time while a session runs.
    """
    sessions = folder / "sessions"
    with suppress(OSError):
        each = [Path(entry) for entry in os.scandir(sessions) if entry.is_dir()]
        annotated = [session / "annotations" / "category.jsonl" for session in each]
        records = (folder / name for name in ("study.toml", "exports.jsonl", "consents.jsonl"))
        return tuple(sorted(map(_mark, (*records, sessions, *each, *annotated))))
    return ()


def _mark(path: Path) -> tuple[str, int, int]:
    try:
        status = path.stat()
    except OSError:
        return str(path), 0, 0
    return str(path), status.st_mtime_ns, status.st_size


def manifest_sum(session: Path) -> str:
    """The SHA-256 of a session's manifest, which changes whenever a listed file is another; "" without a manifest."""
    from curtain.session.untrusted_files import MANIFEST, sha256_of

    try:
        return sha256_of(session / MANIFEST)
    except OSError:
        return ""


def _begin_session(folder: SessionFolder, verified: Mapping[str, Verified]) -> SessionFacts:
    from curtain.session.bundle.bundle import Bundle
    from curtain.session.journal.lines import first_entry

    begun = SessionFacts(
        folder.session_id, folder.path, folder.state == "closed", soundness=_soundness(folder.path, verified)
    )
    try:
        opened = first_entry(Bundle(folder.path).wizard_journal, "session_opened")
    except CurtainError as error:
        return replace(begun, problem=str(error))
    if opened is None:
        return begun
    return replace(begun, begun=opened.wall_utc[:16].replace("T", " "), pilot=opened.data.get("pilot") is True)


def read_session(begun: SessionFacts) -> SessionFacts:
    """A session with its turns, what is annotated of them, and its size. It takes as long as its journals are long."""
    from curtain.session.bundle.bundle import Bundle
    from curtain.session.turns.turns import data_turns

    session, bundle = replace(begun, size=_size_of(begun.path), is_read=True), Bundle(begun.path)
    try:
        subject, wizard = bundle.read_subject_journal().entries, bundle.read_wizard_journal().entries
        queries = data_turns(subject, wizard)
        barred = _barred(begun, subject, wizard)
        # As the corpus counts: a tap on the key, a withdrawn utterance and practice wait for no annotator.
        annotated, hidden = _annotated(begun.path, queries)
    except CurtainError as error:
        return replace(session, problem=str(error))
    words = " ".join(query for one, query in queries.items() if one not in hidden)
    return replace(session, turns=len(queries), annotated=annotated, words=words, barred=barred)


def _barred(session: SessionFacts, subject: Sequence[JournalEntry], wizard: Sequence[JournalEntry]) -> Barred:
    """Why no export may have the session, as the gate says it. Raises BadRecords."""
    from curtain.corpus.model.consents import standing
    from curtain.corpus.model.gate import NO_FORM, UNDISCLOSED, WITHDREW, reason_against
    from curtain.session.bundle.bundle import Bundle

    names: dict[str, Barred] = {WITHDREW: "withdrawn", UNDISCLOSED: "undisclosed", NO_FORM: "no consent"}
    state = standing(Bundle(session.path), subject, wizard)
    return names.get(reason_against(state, "own", with_form=True) or "", "")


def _annotated(session: Path, utterance_ids: Iterable[str]) -> tuple[int, Collection[str]]:
    """How many utterances have a class that counts, which a draft has not; and those in which something is hidden."""
    from curtain.corpus.annotation.layers import Layers
    from curtain.session.bundle.bundle import Bundle

    layers = Layers(Bundle(session))
    standing = layers.standing("category")
    return sum(standing.current(one) is not None for one in utterance_ids), layers.standing("redaction").by_utterance


def mark_of_session(session: Path) -> Marks:
    """What changes whenever a reading of the session would give something else."""
    names = ("", "audio", "subject.events.jsonl", "wizard.events.jsonl", "annotations/category.jsonl",
             "annotations/redaction.jsonl")  # fmt: skip
    # What the study notes of consents is beside its sessions.
    return tuple(_mark(path) for path in (*(session / name for name in names), session.parents[1] / "consents.jsonl"))


def _soundness(session: Path, verified: Mapping[str, Verified]) -> Soundness:
    last_check = verified.get(str(session))
    if last_check is None or last_check.manifest != manifest_sum(session):
        return "unknown"
    return "sound" if last_check.sound else "damaged"


def _exports(study: Study) -> list[Exported]:
    from curtain.base.record_file import BadRecords
    from curtain.corpus.redaction.export_log import read_exports

    try:
        return [one for one in read_exports(study.folder) if one.is_of(study.folder) and one.is_corpus and one.is_there]
    except BadRecords:
        # The next export reports it; here it only means that nobody knows of an export.
        return []


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
