"""What is wrong with a session's folder, one plain sentence a problem. Reads only, and only inside the folder."""

import json
import os
import re
import wave
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.terminal import shown_name
from curtain.session.bundle.heads import fallen_behind
from curtain.session.bundle.identity import SessionsMixed, common_identity, identity_in
from curtain.session.bundle.missing_turns import missing_turns, turns_in_words
from curtain.session.bundle.session_json import altered_keys, known_of
from curtain.session.events.subject_events import Take, TakeCancelled
from curtain.session.events.subject_events import read as subject_fact
from curtain.session.journal.journals import SUBJECT, WIZARD, Journals
from curtain.session.journal.lines import DAMAGED, JournalReading, JournalUnreadable, UnreadableFact
from curtain.session.journal.sealed_lines import read_sealed
from curtain.session.study.ids import BadId, split_utterance_id
from curtain.session.untrusted_files import (
    ANNOTATIONS,
    MANIFEST,
    FolderContent,
    is_inside,
    is_listed,
    look_through,
    manifest_lines,
    open_plain,
    read_plain,
)

NOTE = "repair-note.txt"
SESSION = "session.json"
_LARGEST = 64 * 1024 * 1024
# What was set aside of a layer, before anything was cut.
_ASIDE = re.compile(r"^[^/]*\.jsonl\.torn-\d+$")

BY_REPAIR = "“curtain repair” makes a repaired copy."
_ENDED = "session_closed"
GAP = "gap_accepted"
_RESTORED = "file_restored"
AUDIO = "audio/"
_LIST_ANEW = "Take it from another copy, or resume the session: closing it checks its files and lists them anew."
_OTHER_COPY = "Take it from another copy of the session."
# What is missing of an open session (False) may still come from the subject's station.
_FETCH = {False: "Start both stations and go on with the session.", True: _OTHER_COPY}


@dataclass(frozen=True)
class BundleProblem:
    """One thing that is wrong: where, what, and what to do about it."""

    file: str
    what: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"


def problems_of(folder: Path) -> list[BundleProblem]:
    """All problems of a session's folder; an open session is not wrong for being open."""
    content, journals = look_through(folder), Journals(folder)
    problems = [
        *_odd(content),
        *_of_manifest(content, journals),
        *_added(content),
        *_of_session_json(content, journals),
    ]
    problems += [*_of_journals(content, journals), *_of_identity(content, journals)]
    problems += [*_of_annotations(content), *_of_layers(folder, {problem.file for problem in problems})]
    # Last: what a look above has reported is not reported twice.
    problems += _of_takes(content, journals, {problem.file for problem in problems})
    problems += _of_heads(folder, {problem.file for problem in problems})
    return [replace(problem, file=shown_name(problem.file)) for problem in problems]


def _odd(content: FolderContent) -> Iterator[BundleProblem]:
    for name in content.odd:
        yield BundleProblem(
            name, "This is a link, a special file or cannot be opened; it was not looked at.", BY_REPAIR
        )


# -- the manifest --------------------------------------------------------------------------------------


def _of_manifest(content: FolderContent, journals: Journals) -> Iterator[BundleProblem]:
    path = content.plain.get(MANIFEST)
    if path is None:
        # An open session has no manifest, and that is no problem: the list is due once the journal holds the end.
        if MANIFEST not in content.odd and _has_entry(content, journals, _ENDED):
            yield BundleProblem(MANIFEST, "The session was ended, but its list of checksums is missing.", _LIST_ANEW)
        return
    data = _read(path)
    if data is None:
        yield BundleProblem(MANIFEST, "The list of checksums cannot be read.", _OTHER_COPY)
        return
    seen: set[str] = set()
    for number, entry in enumerate(manifest_lines(data), 1):
        if entry is None or not is_inside(entry[0]):
            yield BundleProblem(MANIFEST, f"Line {number} does not name a file of this session.", _OTHER_COPY)
        elif entry[0] in seen:
            yield BundleProblem(MANIFEST, f"Line {number} names a file a second time.", _OTHER_COPY)
        else:
            seen.add(entry[0])
    if not data.endswith(b"\n"):
        yield BundleProblem(MANIFEST, "The last line is cut off.", _OTHER_COPY)
    for name, digest in _listed(data).items():
        if name not in content.plain:
            if name not in content.odd:
                yield BundleProblem(name, "The file is missing.", _OTHER_COPY)
        elif content.sum_of(name) != digest:
            yield BundleProblem(name, "The file was altered after the session was closed.", _OTHER_COPY)


def _has_entry(content: FolderContent, journals: Journals, kind: str) -> bool:
    """Whether a line of this type can be read in the wizard's journal."""
    if WIZARD not in content.plain:
        return False
    try:
        return any(entry.type == kind for entry in journals.wizard.entries)
    except JournalUnreadable:
        return False


def _listed(data: bytes) -> dict[str, str]:
    """Name and SHA-256 of every file that the manifest lists."""
    listed: dict[str, str] = {}
    for entry in manifest_lines(data):
        if entry is not None and is_inside(entry[0]):
            # The first of two lines for a name counts; the second is a problem of its own.
            listed.setdefault(*entry)
    return listed


def _added(content: FolderContent) -> Iterator[BundleProblem]:
    data = _read(content.plain[MANIFEST]) if MANIFEST in content.plain else None
    listed = _listed(data) if data is not None else {}
    for name in content.plain if data is not None else ():
        if name not in listed and is_listed(name):
            # It may be a note that somebody put there, so no copy is asked for.
            remedy = "Move it elsewhere, or see it as no part."
            yield BundleProblem(name, "The file was added after the session was closed.", remedy)


def _read(path: Path) -> bytes | None:
    try:
        return read_plain(path, _LARGEST)
    except OSError:
        return None


# -- session.json and journals ---------------------------------------------------------------------------


def _of_session_json(content: FolderContent, journals: Journals) -> Iterator[BundleProblem]:
    if SESSION in content.odd:
        return
    from_journal = _known_of_session(content, journals)
    remedy = BY_REPAIR if from_journal else _OTHER_COPY
    data = _read(content.plain[SESSION]) if SESSION in content.plain else None
    if SESSION not in content.plain:
        yield BundleProblem(SESSION, "The file is missing.", remedy)
    elif data is None or not _is_object(data):
        yield BundleProblem(SESSION, "The file is damaged and cannot be read.", remedy)
    elif altered := altered_keys(
        json.loads(data), {key: from_journal[key] for key in from_journal if key != "identity"}
    ):
        what = f"The wizard’s journal says something else about {', '.join(altered)}."
        yield BundleProblem(SESSION, what, remedy)


def _known_of_session(content: FolderContent, journals: Journals) -> dict[str, Any]:
    """What the wizard's journal knows of session.json; nothing if it cannot be read."""
    try:
        return known_of(journals.wizard.entries) if WIZARD in content.plain else {}
    except (JournalUnreadable, SessionsMixed):
        return {}  # `_of_journals` and `_of_identity` name it


def _of_identity(content: FolderContent, journals: Journals) -> Iterator[BundleProblem]:
    """Files of two sessions of the same id, perhaps from two studies, in one folder."""
    named: dict[str, str | None] = {}
    data = _read(content.plain[SESSION]) if SESSION in content.plain else None
    if data is not None and _is_object(data):
        named[SESSION] = str(json.loads(data).get("identity") or "")
    try:
        for name in (SUBJECT, WIZARD):
            if name in content.plain:
                named[name] = identity_in(journals.named(name).entries)
        common_identity(named)
    except JournalUnreadable:
        # Both journals and session.json bear the identity; a file of an earlier Curtain has none.
        return  # `_of_journals` reports it
    except SessionsMixed as error:
        yield BundleProblem(SESSION, str(error), _OTHER_COPY)


def _is_object(data: bytes | None) -> bool:
    try:
        return data is not None and isinstance(json.loads(data), dict)
    except (ValueError, RecursionError):
        return False


def _of_journals(content: FolderContent, journals: Journals) -> Iterator[BundleProblem]:
    for name in (SUBJECT, WIZARD):
        if name in content.plain:
            yield from _of_journal(name, content.plain[name], journals)
        # The subject's journal is fetched during the session; in an open one it may not be here yet.
        elif name not in content.odd and (MANIFEST in content.plain or name == WIZARD):
            yield BundleProblem(name, "The journal is missing.", _OTHER_COPY)
    closed, repaired = MANIFEST in content.plain, NOTE in content.plain
    if WIZARD in content.plain and (SUBJECT in content.plain or not closed):
        yield from (BundleProblem(SUBJECT, what, _FETCH[closed]) for what in _missing_lines(journals, repaired))


def _missing_lines(journals: Journals, repaired: bool) -> Iterator[str]:
    """A sentence where the copy of the subject's journal holds nothing of a turn that the wizard's journal names."""
    # A repaired copy states in its note what it lacks.
    if repaired:
        return
    try:
        lost = missing_turns(journals.wizard.entries, journals.subject.entries)
        already_reported = bool(journals.subject.lost)
    except JournalUnreadable:
        return
    if lost and not already_reported:
        yield f"The lines of {turns_in_words(lost)} are missing."


def _of_journal(name: str, path: Path, journals: Journals) -> Iterator[BundleProblem]:
    try:
        reading = journals.named(name)
    except JournalUnreadable:
        yield BundleProblem(name, "The journal cannot be read.", _OTHER_COPY)
        return
    for what in damage_of(reading, (path.parent / NOTE).is_file()):
        yield BundleProblem(name, what, BY_REPAIR)


def damage_of(reading: JournalReading, repaired: bool = False) -> Iterator[str]:
    """What is damaged or torn, a sentence each. A repaired copy lists its lost lines in its note."""
    lost = sorted({*reading.lost, *(() if repaired else marked_lines(reading))})
    if len(lost) == 1:
        yield f"{counted_lines(lost)} is damaged or missing and was not read."
    elif lost:
        yield f"{counted_lines(lost)} are damaged or missing and were not read."
    elif reading.altered_bytes:
        yield f"{_bytes(reading.altered_bytes, 'is', 'are')} altered between its lines; every line was read."
    if reading.torn_bytes:
        last = reading.last_seq
        yield f"After line {last} follow {reading.torn_bytes} bytes that are torn or altered."


def marked_lines(reading: JournalReading) -> tuple[int, ...]:
    """The numbers that a line of type `damaged` keeps for a lost one."""
    return tuple(entry.seq for entry in reading.entries if entry.type == DAMAGED)


def counted_lines(numbers: Sequence[int]) -> str:
    """Line numbers in rising order as the beginning of a sentence."""
    return f"Line {numbers[0]}" if len(numbers) == 1 else f"{len(numbers)} lines ({_numbers(numbers)})"


def _numbers(lost: Sequence[int]) -> str:
    """Numbers in rising order, each run of them by its first and last."""
    runs: list[list[int]] = []
    for number in lost:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in runs)


def journal_problems(folder: Path, journals: Journals | None = None) -> list[BundleProblem]:
    """What keeps the journals from being read whole; looks at nothing else. Raises JournalUnreadable."""
    problems = []
    journals = journals or Journals(folder)
    repaired, closed = (folder / NOTE).is_file(), (folder / MANIFEST).is_file()
    for name in (SUBJECT, WIZARD):
        problems += [BundleProblem(name, what, BY_REPAIR) for what in damage_of(journals.named(name), repaired)]
        if (closed or name == WIZARD) and not (folder / name).exists():
            problems.append(BundleProblem(name, "The journal is missing.", _OTHER_COPY))
    problems += [BundleProblem(SUBJECT, what, _FETCH[closed]) for what in _missing_lines(journals, repaired)]
    return problems


# -- annotations -----------------------------------------------------------------------------------------


def _of_annotations(content: FolderContent) -> Iterator[BundleProblem]:
    """Rows are added after a session was closed; the manifest does not know them, each has its own checksum."""
    for name in content.plain:
        inside = name.removeprefix(ANNOTATIONS)
        if inside == name or _ASIDE.search(inside):
            continue
        if "/" in inside or not inside.endswith(".jsonl"):
            yield BundleProblem(name, "This is no layer of annotations.", "Move it elsewhere, or see it as no part.")


def layer_problems(folder: Path) -> list[BundleProblem]:
    """What keeps the annotation layers from being read whole; looks at nothing else. Raises JournalUnreadable."""
    place = folder / ANNOTATIONS.rstrip("/")
    if os.path.lexists(place) and (place.is_symlink() or not place.is_dir()):
        return [BundleProblem(place.name, "This is no folder of annotations.", _OTHER_COPY)]
    with os_errors_as(f"{place} cannot be read", JournalUnreadable):
        names = sorted(path.name for path in place.iterdir()) if place.is_dir() else []
    layers = [name for name in names if name.endswith(".jsonl")]
    problems = [problem for name in layers for problem in _of_layer(ANNOTATIONS + name, place / name)]
    behind = _of_heads(folder, {problem.file for problem in problems})
    return [*problems, *(problem for problem in behind if problem.file.startswith(ANNOTATIONS))]


def _of_heads(folder: Path, reported: set[str]) -> Iterator[BundleProblem]:
    """What was whole when it was last written, and is older now, or gone."""
    yield from (BundleProblem(*lost) for lost in fallen_behind(folder) if lost[0] not in reported)


def _of_layer(name: str, path: Path) -> Iterator[BundleProblem]:
    if path.is_dir() and not path.is_symlink():
        yield BundleProblem(name, "A folder is in the place of this layer of annotations.", _OTHER_COPY)
        return
    try:
        reading = read_sealed(path)
    except JournalUnreadable:
        yield BundleProblem(name, "The annotations cannot be read.", _OTHER_COPY)
        return
    if reading.has_gaps:
        missing = f"{_counted(reading.missing, 'row')} missing" if reading.missing else ""
        bad = f"{_counted(reading.bad, 'piece')} altered or no row" if reading.bad else ""
        losses = ", ".join(part for part in (missing, bad) if part)
        yield BundleProblem(name, f"Of the rows up to number {reading.last}: {losses}.", BY_REPAIR)
    if reading.torn_bytes:
        behind = f"After row {reading.last} follow {reading.torn_bytes} bytes that are torn or altered."
        yield BundleProblem(name, behind, BY_REPAIR)
    elif not reading.lines:
        yield BundleProblem(name, "The layer is empty: its rows are lost, or saving the first one failed.", BY_REPAIR)


def _of_layers(folder: Path, reported: set[str]) -> Iterator[BundleProblem]:
    try:
        yield from (problem for problem in layer_problems(folder) if problem.file not in reported)
    except JournalUnreadable as error:
        yield BundleProblem(ANNOTATIONS, str(error), _OTHER_COPY)


def _counted(count: int, what: str) -> str:
    return f"1 {what} is" if count == 1 else f"{count} {what}s are"


def _bytes(count: int, singular: str = "was", many: str = "were") -> str:
    return f"1 byte {singular}" if count == 1 else f"{count} bytes {many}"


def notes_of(folder: Path, journals: Journals | None = None) -> list[str]:
    """What is no problem but to be known: the lines that a repaired copy lacks, what was made whole, and what was set
    aside. `journals` saves reading those again."""
    journals = journals or Journals(folder)
    losses = _losses_of(journals) if (folder / NOTE).is_file() else ()
    return [*losses, *_restored_in(journals), *_asides_of(folder)]


def _restored_in(journals: Journals) -> Iterator[str]:
    """What was damaged while the session was open and made whole again."""
    try:
        entries = journals.wizard.entries
    except JournalUnreadable:
        return  # `problems_of` names it
    for data in (entry.data for entry in entries if entry.type == _RESTORED):
        yield shown_name(f"{data.get('file')}: {restored(data.get('what'), data.get('source'))}")


def restored(what: object, source: object) -> str:
    """One sentence for what was made whole."""
    return f"Damage was found and repaired: {what} came from {source}."


def _losses_of(journals: Journals) -> Iterator[str]:
    for name in (SUBJECT, WIZARD):
        try:
            lost = marked_lines(journals.named(name))
        except JournalUnreadable:
            continue  # `problems_of` names it
        if lost:
            yield f"{name}: {counted_lines(lost)} {'is' if len(lost) == 1 else 'are'} lost."


def _asides_of(folder: Path) -> list[str]:
    """What was set aside of annotation layers when a row was added behind a torn one."""
    place = folder / ANNOTATIONS.rstrip("/")
    # The pattern again, since glob knows no “digits only”.
    asides = sorted(path for path in place.glob("*.jsonl.torn-*") if _ASIDE.search(path.name))
    return [
        f"{shown_name(ANNOTATIONS + path.name)}: Of damaged rows {_bytes(path.stat().st_size)} set aside here. "
        "Look whether something that was saved is missing; move the file elsewhere when that is settled."
        for path in asides
    ]


def ensure_whole(folder: Path, journals: Journals | None = None) -> None:
    """Raises CurtainError, naming session, file and remedy, unless journals and layers can be read to their ends.

    `journals` saves reading those again. Raises JournalUnreadable.
    """
    for problem in (*journal_problems(folder, journals), *layer_problems(folder)):
        # What has fallen behind is whole in itself, so nothing can be repaired.
        copied = "Put another copy in its place, or the one that “curtain repair” makes."
        raise CurtainError(
            f"The session {folder} is damaged and must not be exported: {shown_name(str(problem))} “curtain verify” "
            f"shows all of it. {copied if problem.remedy in (BY_REPAIR, _OTHER_COPY) else problem.remedy}"
        )


def study_problems(study: Path) -> list[BundleProblem]:
    """What is missing or older of the layers that a study keeps beside its sessions: consents, rulings, splits."""
    return [BundleProblem(*lost) for lost in fallen_behind(study)]


def ensure_study_whole(study: Path) -> None:
    """Raises CurtainError, naming file and remedy, unless a study's layers are those last written: an older one
    may lack a withdrawal. Each way by which anything leaves a study asks this first."""
    for problem in study_problems(study):
        raise CurtainError(f"Nothing of the study {study} may leave it: {problem} {problem.remedy}")


def ensure_unaltered(folder: Path, journals: Journals | None = None) -> None:
    """Raises CurtainError unless every file that was listed when the session was closed is what it was then, and every
    recording of an open session is the one that was saved. Reads all of these files but the `journals` given."""
    journals = journals or Journals(folder)
    content = look_through(folder, {name: journals.named(name).sha256 for name in (SUBJECT, WIZARD)})
    problems = [*_of_manifest(content, journals)]
    if MANIFEST not in content.plain:
        # Without a manifest the journal's own sums are all there is to compare with.
        problems += [problem for problem in _of_takes(content, journals, set()) if problem.file in content.plain]
    problems += _of_heads(folder, {problem.file for problem in problems})
    for problem in problems:
        raise CurtainError(
            f"The session {folder} was altered and must not be exported: {shown_name(str(problem))} “curtain verify” "
            f"shows all of it. {problem.remedy}"
        )


def altered_recordings(folder: Path, content: FolderContent) -> list[BundleProblem]:
    """The recordings that are not here as the subject's journal names them: altered, or gone.

    None if the wizard's journal says that the session was closed without what could not be had.
    """
    journals = Journals(folder)
    # The wizard has closed it with a gap, knowing what was missing.
    if _has_entry(content, journals, GAP):
        return []
    problems = _of_takes(content, journals, set())
    return [problem for problem in problems if problem.file.startswith(AUDIO)]


# -- takes ---------------------------------------------------------------------------------------------


def takes_of(reading: JournalReading) -> tuple[dict[str, Take], set[str], list[str]]:
    """The last take of each file, the files that were withdrawn, sentences on unreadable lines."""
    takes: dict[str, Take] = {}
    turns: dict[str, int | None] = {}
    withdrawn: set[int | None] = set()
    unread: list[str] = []
    for entry in reading.entries:
        try:
            fact = subject_fact(entry)
        except UnreadableFact as error:
            unread.append(str(error))
            continue
        if isinstance(fact, Take):
            # The last one counts: a take that was repaired may come after one that was saved.
            takes[fact.recording] = fact
            turns[fact.recording] = entry.turn
        elif isinstance(fact, TakeCancelled):
            withdrawn.add(entry.turn)
    return takes, {recording for recording, turn in turns.items() if turn in withdrawn}, unread


def _of_takes(content: FolderContent, journals: Journals, reported: set[str]) -> Iterator[BundleProblem]:
    if SUBJECT not in content.plain:
        return
    try:
        takes, withdrawn, unread = takes_of(journals.subject)
    except JournalUnreadable:
        return
    for sentence in unread:
        yield BundleProblem(SUBJECT, sentence, "Make sure that this version of Curtain is not older than the session.")
    for recording, take in takes.items():
        name = f"{AUDIO}{recording}.wav"
        if name in reported:
            continue
        problem = _problem_of_take(content, name, take, MANIFEST in content.plain)
        # A withdrawn take is removed on purpose.
        if problem and not (recording in withdrawn and name not in content.plain):
            yield problem


def _problem_of_take(content: FolderContent, name: str, take: Take, closed: bool) -> BundleProblem | None:
    try:
        split_utterance_id(take.utterance_id)
    except BadId as bad:
        return BundleProblem(SUBJECT, str(bad), _OTHER_COPY)
    path = content.plain.get(name)
    if path is None:
        return BundleProblem(
            name, "The recording is missing." if closed else "The recording has not arrived yet.", _FETCH[closed]
        )
    if content.sum_of(name) != take.sha256:
        return BundleProblem(name, "The recording is not the one that was saved.", _OTHER_COPY)
    frames = _frames(path)
    if frames != take.frames:
        return BundleProblem(name, f"The recording has {frames} frames, {take.frames} were saved.", _OTHER_COPY)
    return None


def _frames(path: Path) -> int:
    """The frames that the file's header and its length both allow; 0 if it is no WAV file."""
    try:
        with os.fdopen(open_plain(path), "rb") as file, wave.open(file) as sound:
            size = sound.getnchannels() * sound.getsampwidth()
            # The header of a file that was cut off states more frames than there are.
            held = (os.fstat(file.fileno()).st_size - file.tell()) // size
            return int(min(sound.getnframes(), held))
    except (OSError, EOFError, wave.Error, ZeroDivisionError):
        return 0
