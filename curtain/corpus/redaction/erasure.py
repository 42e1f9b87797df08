"""Erasing a speaker: everything a study holds of them goes, and tombstones say which utterances are no more.

The tombstones are written first, so that whatever interrupts, doing it again ends it. What is outside of the study
(the consent form, the list of names, copies that were given out) is listed, not touched.
"""

import contextlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from curtain.base.clock import Clock
from curtain.base.disk import Disk, lock, replace_file, sync_folder
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import real_path
from curtain.corpus.model.consents import CONSENTS_FILE
from curtain.corpus.model.references import key_beside
from curtain.corpus.model.solution_rulings import RULINGS_FILE
from curtain.corpus.model.splits import read_splits, write_splits
from curtain.corpus.redaction.export_log import EXPORTS_FILE, POOL, Exported, read_exports, write_exports
from curtain.corpus.redaction.namesakes import marks_of
from curtain.corpus.redaction.tombstones import erased_identities, read_tombstones, tombstone_line
from curtain.ports.discovery import offers, require_all
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.heads import HEADS, NUMBERS, STUDY_LAYERS, sealed
from curtain.session.study import ids
from curtain.session.study.study import TOMBSTONES, Study
from curtain.session.turns.turns import read_turns
from curtain.session.untrusted_files import look_through, sha256_of

_ACCOUNT = "EXPORT.json"
# Examples that drafters must not learn from, by utterance.
WITHDRAWN = "withdrawn.jsonl"
_SEARCHED_BLOCK = 1 << 20
# A session id at the edge of two blocks: speaker, hyphen, two digits, and a sign on both sides.
_OVERLAP = 8


@dataclass(frozen=True)
class ForgetPlan:
    """What would be erased: folders and files, utterances, and the exports that hold some of it. `namesakes` are
    folders of a shared mirror or spool with an id of the speaker, which are not known to be of this study.
    `identities` are those of the speaker's sessions, also of erased ones; `places` are the folders that are searched.
    """

    study: Study
    speaker: str
    folders: tuple[Path, ...]
    files: tuple[Path, ...]
    utterances: tuple[str, ...]
    exports: tuple[Exported, ...]
    in_splits: bool
    begun_before: bool
    """Tombstones of this speaker are there already."""
    namesakes: tuple[Path, ...] = ()
    identities: frozenset[str] = frozenset()
    places: tuple[Path, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the speaker is there to be erased."""
        return not (self.folders or self.files or self.exports or self.in_splits or self.begun_before)


@dataclass(frozen=True)
class Forgotten:
    """What was done. `remaining` are files in which something of the speaker was still found; `exports` are those that
    hold their utterances and were left."""

    erased: tuple[Path, ...]
    tombstones: int
    remaining: tuple[Path, ...]
    exports: tuple[Exported, ...]


# -- looking -------------------------------------------------------------------------------------------


def plan_for(
    study: Study, speaker: str, also_in: Sequence[Path] = (), logs: Sequence[Path] = (), caches: Sequence[Path] = ()
) -> ForgetPlan:
    """What there is of a speaker. `also_in` are folders beside the study's own that hold sessions by id, such as the
    spool of the subject's station, or one such session; `logs` are folders of logs, and `caches` hold what was learned
    from answers of anybody. Raises BadId, CurtainError for files that cannot be read."""
    ids.speaker_id(speaker)
    identities = erased_identities(study.folder, speaker)
    folders, namesakes, identities = _folders(study, speaker, also_in, identities)
    places = (study.folder, *filter(None, (study.mirror, *also_in)))
    files = list(_files(study, speaker, [*(place / "logs" for place in (*places, study.folder / "spool")), *logs]))
    utterances = sorted({one for folder in folders for one in _utterances(folder)})
    before = [one for one in read_tombstones(study.folder) if one.startswith(f"{speaker}-")]
    plan = ForgetPlan(
        study=study,
        speaker=speaker,
        folders=folders,
        files=tuple(dict.fromkeys(files)),
        utterances=tuple(utterances),
        exports=tuple(one for one in read_exports(study.folder) if one.holds(speaker)),
        in_splits=speaker in read_splits(study.folder, needed=False).by_speaker,
        begun_before=bool(before),
        namesakes=namesakes,
        identities=identities,
        places=places,
    )
    if plan.is_empty:
        raise CurtainError(f"There is nothing of a speaker {speaker} in {study.folder}.")
    # After the question whether there is anybody: a cache says nothing of whose answers it learned from.
    return replace(plan, files=(*plan.files, *(path for folder in caches for path in _entries(folder))))


def _folders(
    study: Study, speaker: str, also_in: Sequence[Path], erased: frozenset[str]
) -> tuple[tuple[Path, ...], tuple[Path, ...], frozenset[str]]:
    """Sessions and what was made of them (repaired copies, beginnings, the mirror, the spool), their namesakes, and
    all identities of the speaker; `erased` are those of erased sessions."""
    sessions = [one for place in (study.sessions_folder, study.folder / "spool") for one in _of_speaker(place, speaker)]
    # Whoever names a session's folder means that very one.
    named = [place for place in also_in if _is_of(place.name, speaker)]
    shared = [one for place in (*also_in, study.mirror) if place for one in _of_speaker(place, speaker)]
    shared = [one for one in dict.fromkeys(shared) if one not in sessions]
    marks = marks_of(sessions)
    marks = replace(marks, identities=marks.identities | erased)
    copies = [*named, *(one for one in shared if marks.hold(one))]
    # Sessions last: after an interruption they still say which of the shared folders are theirs.
    return tuple([*copies, *sessions]), tuple(one for one in shared if one not in copies), marks.identities


def _of_speaker(place: Path, speaker: str) -> list[Path]:
    return [path for path in _entries(place) if path.is_dir() and _is_of(path.name, speaker)]


def _files(study: Study, speaker: str, logs: Sequence[Path]) -> Iterator[Path]:
    """What a crash left of a session's unsent texts, heads of sessions, and logs that name a session."""
    for folder in ("state", HEADS):
        yield from (path for path in _entries(study.folder / folder) if path.is_file() and _is_of(path.name, speaker))
    yield from (path for folder in logs for path in _entries(folder) if path.is_file() and _mentions(path, speaker))


def _is_of(name: str, speaker: str) -> bool:
    bare = name.lstrip(".")
    try:
        return ids.split_session_id(bare[:6])[0] == speaker
    except ids.BadId:
        return False


def _entries(folder: Path) -> list[Path]:
    with os_errors_as(f"{folder} cannot be read"), contextlib.suppress(FileNotFoundError, NotADirectoryError):
        return sorted(folder.iterdir())
    return []


def _utterances(folder: Path) -> Iterator[str]:
    """The utterance ids of a session, also of one of which a part is gone."""
    for path in _entries(folder / "audio"):
        with contextlib.suppress(ids.BadId):
            ids.split_utterance_id(path.stem)
            yield path.stem
    try:
        yield from (turn.utterance_id for turn in read_turns(Bundle(folder)))
    except CurtainError:
        return


# -- tombstones ----------------------------------------------------------------------------------------


def _bury(plan: ForgetPlan, clock: Clock) -> int:
    """Add the utterances to the study's tombstones; the new ones count."""
    path = plan.study.folder / TOMBSTONES
    buried = set(read_tombstones(plan.study.folder))
    new = [one for one in plan.utterances if one not in buried]
    if new:
        date = clock.wall_utc()[:10]
        before = path.read_bytes() if path.exists() else b""
        # Once is enough: copies of the session in a shared spool are known by it for ever.
        lines = (tombstone_line(one, date, plan.identities if one == new[0] else ()) for one in new)
        with sealed(plan.study.folder, TOMBSTONES) as path:
            replace_file(path, before + "".join(lines).encode())
    return len(new)


# -- doing ---------------------------------------------------------------------------------------------


def forget(plan: ForgetPlan, clock: Clock, *, remove_exports: bool = False) -> Forgotten:
    """Erase, then search the study for what may be left. May be interrupted anywhere and done again.

    With `remove_exports` the registered exports go too, with the references of blind tests: those folders alone that
    bear an EXPORT.json, and that were made from the study in this very folder, not from one that it is a copy of.
    Raises CurtainError.
    """
    require_all()
    for folder in plan.folders:
        _ensure_unused(folder)
    # Before anything goes: afterwards nobody could recognise a copy of a recording.
    prints = _fingerprints(plan)
    try:
        buried = _bury(plan, clock)
        erased = [_erase(path) for path in (*plan.folders, *plan.files)]
        _leave_splits(plan)
        for erase in offers("erases"):
            erase(plan.study.folder, plan.speaker)
        for file in (CONSENTS_FILE, RULINGS_FILE):
            # Whose row it is: the words of another speaker's row may name a session of this one.
            _drop_rows(plan.study, file, rf'"session_id"\s*:\s*"{plan.speaker}-'.encode())
        for file in (WITHDRAWN, NUMBERS):
            _drop_rows(plan.study, file, _session_of(plan.speaker).pattern)
        left = _settle_exports(plan, remove_exports)
    except OSError as error:
        raise CurtainError(
            f"{error.filename or plan.study.folder} could not be erased: {error.strerror}. "
            "Make it writable and run “curtain forget” again; it goes on where it ended."
        ) from error
    exports = tuple(one for one in left if one.format != POOL)
    return Forgotten(tuple(erased), buried, tuple(_remains(plan, prints, left)), exports)


def _ensure_unused(folder: Path) -> None:
    """A station that is running would write into what is erased."""
    disk = Disk()
    for journal in (Bundle(folder).wizard_journal, Bundle(folder).subject_journal):
        if not journal.is_file():
            continue
        # For writing: on some systems a lock needs it.
        descriptor = disk.open_append(journal)
        try:
            if not lock(descriptor):
                raise CurtainError(f"The session {folder.name} is in use; end it first.")
        finally:
            disk.close(descriptor)


def _erase(path: Path) -> Path:
    # A link is removed, never what it leads to.
    if path.is_symlink() or path.is_file():
        path.unlink()
    else:
        shutil.rmtree(path)
    sync_folder(path.parent)
    return path


def _drop_rows(study: Study, name: str, pattern: bytes) -> None:
    """Take the lines that hold this out of a study's file of records; a file without any other goes."""
    path = study.folder / name
    before = path.read_bytes().splitlines(keepends=True) if path.is_file() else []
    kept = [line for line in before if not re.search(pattern, line)]
    if kept != before:
        data = b"".join(kept)
        with sealed(study.folder, name, data) if name in STUDY_LAYERS else contextlib.nullcontext():
            replace_file(path, data) if kept else path.unlink()


def _leave_splits(plan: ForgetPlan) -> None:
    if plan.in_splits:
        before = read_splits(plan.study.folder)
        places = {who: split for who, split in before.by_speaker.items() if who != plan.speaker}
        write_splits(plan.study.folder, structs.replace(before, by_speaker=places))


def _settle_exports(plan: ForgetPlan, remove: bool) -> tuple[Exported, ...]:
    """Exports that are gone leave the list; gives those that are there and hold the speaker still."""
    left = []
    for export in map(_with_references, plan.exports):
        if remove and export.is_of(plan.study.folder):
            _remove_export(export)
        if export.is_there:
            left.append(export)
    gone = {one.path for one in plan.exports} - {one.path for one in left}
    if gone:
        write_exports(plan.study.folder, [one for one in read_exports(plan.study.folder) if one.path not in gone])
    return tuple(left)


def _remove_export(export: Exported) -> None:
    """The references first: while the folder is there, it shows that there were some."""
    if export.references is not None and (not export.path.exists() or (export.path / _ACCOUNT).is_file()):
        export.references.unlink(missing_ok=True)
    if (export.path / _ACCOUNT).is_file():
        shutil.rmtree(export.path)


def _with_references(export: Exported) -> Exported:
    """Lists of earlier versions do not name the references of a blind test, which lie beside it."""
    if export.references is not None:
        return export
    try:
        blind = json.loads((export.path / _ACCOUNT).read_bytes()).get("blind") is True
    except (OSError, ValueError, AttributeError):
        return export
    key = key_beside(export.path)
    return structs.replace(export, references=key) if blind and key.is_file() else export


# -- trials --------------------------------------------------------------------------------------------


def plan_for_trial(study: Study, session_id: str) -> ForgetPlan:
    """What there is of one trial session, which is no data. Raises CurtainError for any other session."""
    session = next((one.path for one in study.sessions() if one.session_id == session_id), None)
    if session is None:
        raise CurtainError(f"There is no session {session_id} in {study.folder}.")
    opened = [one.data for one in Bundle(session).read_wizard_journal().entries if one.type == "session_opened"]
    if not opened or opened[0].get("pilot") is not True:
        raise CurtainError(
            f"The session {session_id} is no trial, so it stays. “curtain forget” erases a speaker who wishes it."
        )
    speaker = ids.split_session_id(session_id)[0]
    marks = marks_of([session])
    in_spool = _of_speaker(study.folder / "spool", speaker)
    spooled = [one for one in in_spool if one.name.lstrip(".").startswith(session_id)]
    shared = [one for one in _of_speaker(study.mirror, speaker) if marks.hold(one)] if study.mirror else []
    files = [
        path for folder in ("state", HEADS) for path in _entries(study.folder / folder)
        if path.is_file() and path.name.lstrip(".").startswith(session_id)
    ]  # fmt: skip
    return ForgetPlan(
        study=study,
        speaker=speaker,
        folders=(*spooled, *shared, session),
        files=tuple(files),
        utterances=tuple(sorted(set(_utterances(session)))),
        exports=tuple(one for one in read_exports(study.folder) if session_id in one.sessions),
        in_splits=False,
        begun_before=False,
        identities=marks.identities,
    )


def delete_trial(plan: ForgetPlan, session_id: str, clock: Clock) -> None:
    """Delete what was planned. Tombstones keep its id from coming again for other speech. Raises CurtainError."""
    for folder in plan.folders:
        _ensure_unused(folder)
    with os_errors_as(f"{plan.folders[-1]} could not be deleted", CurtainError, " Make it writable and do it again."):
        _bury(plan, clock)
        for path in (*plan.folders, *plan.files):
            _erase(path)
        for file in (CONSENTS_FILE, RULINGS_FILE, NUMBERS):
            _drop_rows(plan.study, file, rf'"(session_id|of)"\s*:\s*"{session_id}"'.encode())


# -- searching -----------------------------------------------------------------------------------------


def _fingerprints(plan: ForgetPlan) -> dict[int, set[str]]:
    """SHA-256 of the speaker's recordings and videos by size: a copy under another name is found by it."""
    prints: dict[int, set[str]] = {}
    for folder in plan.folders:
        for path in _media(folder):
            with contextlib.suppress(OSError):
                prints.setdefault(path.stat().st_size, set()).add(sha256_of(path))
    return prints


def _media(folder: Path) -> Iterator[Path]:
    for place in (folder / "audio", folder / "video"):
        yield from (path for path in place.rglob("*") if path.is_file())


def _remains(plan: ForgetPlan, prints: dict[int, set[str]], exports_kept: Sequence[Exported]) -> Iterator[Path]:
    """Files of the places that name a session of the speaker, or are one of their recordings.

    Those in exports and namesakes that are listed anyway are left out.
    """
    for place in filter(Path.exists, plan.places):
        for name, path in look_through(place).plain.items():
            # Exports bear the tombstones of their studies.
            if (
                path.name == TOMBSTONES
                or name == EXPORTS_FILE
                or any(_is_part(real_path(path), one) for one in exports_kept)
                or any(one in path.parents for one in plan.namesakes)
            ):
                continue
            is_named = any(_is_of(part, plan.speaker) for part in Path(name).parts)
            if is_named or _is_recording(path, prints) or _mentions(path, plan.speaker):
                yield path


def _is_part(path: Path, export: Exported) -> bool:
    return export.path in path.parents or path == export.references


def _is_recording(path: Path, prints: dict[int, set[str]]) -> bool:
    prints_known = prints.get(os.path.getsize(path))
    return prints_known is not None and sha256_of(path) in prints_known


def _session_of(speaker: str) -> re.Pattern[bytes]:
    return re.compile(rf"(?<![0-9A-Za-z]){speaker}-[0-9]{{2}}(?![0-9A-Za-z])".encode())


def _mentions(path: Path, speaker: str) -> bool:
    """Whether a session id of the speaker stands in the file; sound and video are not searched for text."""
    # Bytes of sound hold any six letters by chance.
    if path.suffix.lower() in (".wav", ".flac", ".sph", ".mkv"):
        return False
    session = _session_of(speaker)
    before = b""
    with path.open("rb") as file:
        while block := file.read(_SEARCHED_BLOCK):
            if session.search(before + block):
                return True
            before = block[-_OVERLAP:]
    return False
