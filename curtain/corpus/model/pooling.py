"""Sessions of several studies and sites in one corpus: where they lie, and new ids where two speakers bear the same.

Two studies of one site share its register of speakers: the same id is the same person. Every study numbers a speaker's
sessions from 01, so a number that stands twice is given anew; the random identity of a session says which are copies.
A map of speakers decides whatever the sites do not. In any other case equal ids are taken for different people, and
those of the study named later get free ids; without a site that is a doubt, over which no split may go.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import Any

import msgspec

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import real_path
from curtain.base.text_file import read_table, read_text
from curtain.corpus.model.solutions import study_of
from curtain.corpus.model.utterance import ContextLink, Session, Utterance
from curtain.session.bundle.bundle import Bundle
from curtain.session.study import ids
from curtain.session.study.languages import ENGLISH, language_code
from curtain.session.study.study import Study, StudyMissing, erased_sessions, load_study
from curtain.session.turns.turns import read_turns

_MAP = ("study", "speaker", "person")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class PooledSession:
    """One session: its folder, its id there, the study it belongs to (None for a folder by itself), its site, its
    language, and the random identity of the session ("" in sessions of an earlier Curtain)."""

    path: Path
    session_id: str
    study: Path | None
    site: str = ""
    language: str = ENGLISH
    identity: str = ""
    discloses: bool = False
    """Whether the study has the subject read at the end who answered."""

    @property
    def speaker_id(self) -> str:
        """The speaker in the session's id."""
        return ids.split_session_id(self.session_id)[0]


@dataclass
class SiteCount:
    """What a site brings into an export of a pool; `by_class` counts its utterances by class."""

    speakers: set[str] = field(default_factory=set)
    sessions: int = 0
    recordings: int = 0
    seconds: float = 0.0
    by_class: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Renaming:
    """New ids by study and old id; who and what is not named keeps its own. `decided` are the speakers of a map."""

    speakers: Mapping[tuple[Path | None, str], str] = field(default_factory=dict)
    sessions: Mapping[tuple[Path | None, str], str] = field(default_factory=dict)
    decided: frozenset[tuple[Path | None, str]] = frozenset()

    def session_id(self, source: PooledSession) -> str:
        """The session's id in the pooled corpus; the old one where nobody else bears it."""
        return self.id_in(source, source.session_id)

    def in_doubt(self, one: PooledSession, other: PooledSession) -> bool:
        """Whether nobody says if the same id in two studies is one person: no site, and no map of speakers."""
        vouched = one.site and other.site
        mapped = {(one.study, one.speaker_id), (other.study, other.speaker_id)} <= self.decided
        return one.study != other.study and not vouched and not mapped

    def session(self, session: Session, source: PooledSession) -> Session:
        """The session under its new ids."""
        new_id = self.id_in(source, session.session_id)
        if new_id == session.session_id:
            return session
        utterances = tuple(self._utterance(one, source) for one in session.utterances)
        speaker = self.id_in(source, session.speaker_id)
        return replace(session, session_id=new_id, speaker_id=speaker, utterances=utterances)

    def _utterance(self, utterance: Utterance, source: PooledSession) -> Utterance:
        return replace(
            utterance,
            utterance_id=self.id_in(source, utterance.utterance_id),
            session_id=self.id_in(source, utterance.session_id),
            speaker_id=self.id_in(source, utterance.speaker_id),
            context=tuple(ContextLink(self.id_in(source, link.utterance_id), link.to) for link in utterance.context),
        )

    def id_in(self, source: PooledSession, name: str) -> str:
        """The new id of a speaker, a session or an utterance of this source: ids have a fixed width."""
        session, turn = name[:6], name[6:]
        if (source.study, session) in self.sessions:
            return self.sessions[source.study, session] + turn
        speaker, rest = name[:3], name[3:]
        return self.speakers.get((source.study, speaker), speaker) + rest


# -- where the sessions are ----------------------------------------------------------------------------


def sources_of(paths: Iterable[Path]) -> tuple[tuple[PooledSession, ...], Renaming]:
    """All sessions that these folders and pools stand for, each once, and the ids that pools have fixed.

    Raises StudyMissing, CurtainError.
    """
    by_path: dict[Path, PooledSession] = {}
    fixed = Renaming()
    for path in paths:
        pool = read_pool(path) if path.is_file() and path.name != "study.toml" else None
        for part in pool.studies if pool else (path,):
            folder = part.path if isinstance(part, PooledStudy) else part
            for source in _sources(folder):
                by_path.setdefault(source.path, source)
            if isinstance(part, PooledStudy):
                fixed = _with_study(fixed, part)
    return tuple(by_path.values()), fixed


def _with_study(fixed: Renaming, part: PooledStudy) -> Renaming:
    folder = real_path(part.path)
    return Renaming(
        {**fixed.speakers, **{(folder, old): new for old, new in part.speakers.items()}},
        {**fixed.sessions, **{(folder, old): new for old, new in part.sessions.items()}},
        fixed.decided | {(folder, one) for one in part.decided},
    )


def _sources(path: Path) -> Iterator[PooledSession]:
    if (path / "study.toml").is_file() or path.name == "study.toml":
        study = load_study(path)
        for session_path in study.sessions():
            yield _of_study(study, Bundle(real_path(session_path.path)), session_path.session_id)
    elif path.is_dir() and not _is_session(path):
        raise StudyMissing(f"{path} is neither a study nor a session's folder.")
    else:
        yield _single(path)


def erased_sources(sources: Sequence[PooledSession]) -> tuple[PooledSession, ...]:
    """The sessions of the same studies that were erased: their ids must not pass to other people."""
    site_of = {(one.study, one.speaker_id): one.site for one in sources}
    gone = (
        (study, name)
        for study in dict.fromkeys(one.study for one in sources)
        if study
        for name in sorted(erased_sessions(study))
    )
    return tuple(
        PooledSession(study / "sessions" / name, name, study, site_of.get((study, name[:3])) or load_study(study).site)
        for study, name in gone
    )


def _is_session(path: Path) -> bool:
    return any((path / name).is_file() for name in ("session.json", "wizard.events.jsonl", "subject.events.jsonl"))


def _single(path: Path) -> PooledSession:
    bundle = Bundle(real_path(path))
    name = str(bundle.read_session_json().get("session_id") or bundle.path.name)
    try:
        ids.split_session_id(name)
    except ids.BadId as fault:
        raise CurtainError(f"{path}: {fault}") from fault
    study = study_of(bundle.path)
    return _of_study(load_study(study) if study else None, bundle, name)


def _of_study(study: Study | None, bundle: Bundle, session_id: str) -> PooledSession:
    about = bundle.read_session_json()
    # A session of a tree of several sites names its own.
    identity, site = (str(about.get(name) or "") for name in ("identity", "site"))
    if study is None:
        return PooledSession(bundle.path, session_id, None, site, identity=identity)
    language = language_code(study.language)
    return PooledSession(bundle.path, session_id, study.folder, site or study.site, language, identity, study.disclose)


# -- who is who ----------------------------------------------------------------------------------------


def renamings(sources: Sequence[PooledSession], fixed: Renaming = Renaming()) -> Renaming:
    """New ids for speakers whose id belongs to somebody of a study before, and for sessions whose number does.

    Raises CurtainError if none is free.
    """
    speakers = _speakers(sources, fixed)
    renaming = replace(fixed, speakers=speakers)
    sessions = dict(fixed.sessions)
    taken = set(sessions.values())
    for source in sources:
        key = (source.study, source.session_id)
        if key in sessions:
            continue
        if (new := renaming.session_id(source)) in taken:
            new = sessions[key] = _free_session(new[:3], taken)
        taken.add(new)
    return replace(renaming, sessions=sessions)


def check_copies(sources: Sequence[PooledSession], renaming: Renaming) -> None:
    """Two copies of a session would count everything in it twice. Raises CurtainError.

    Sessions of an earlier Curtain have no identity: those of one site with one id are the same if all turns are.
    """
    ids_of = Counter((one.site, one.session_id) for one in sources if not one.identity)
    seen: dict[Any, Path] = {}
    for source in sources:
        named = (source.site, source.session_id)
        spoken = _spoken(source.path) if not source.identity and ids_of[named] > 1 else ()
        for name in filter(None, (renaming.session_id(source), source.identity, spoken and (*named, spoken))):
            if (other := seen.setdefault(name, source.path)) != source.path:
                raise CurtainError(
                    f"{other} and {source.path} hold the same session {source.session_id}; name one of them."
                )


def _spoken(path: Path) -> tuple[object, ...]:
    """Scenario, begin and length of all turns; nothing where that cannot be read, which the reader reports."""
    try:
        turns = read_turns(Bundle(path))
    except CurtainError:
        return ()
    return tuple((one.scenario_id, one.times.get("key_down"), one.take and one.take.frames) for one in turns)


def _free_session(speaker: str, taken: Container[str]) -> str:
    # From above: the numbers from 01 on belong to the sessions that are still to come.
    for number in range(99, 0, -1):
        if (candidate := ids.session_id(speaker, number)) not in taken:
            return candidate
    raise CurtainError(f"Speaker {speaker} has more than 99 sessions; put fewer studies together.")


def _speakers(sources: Sequence[PooledSession], fixed: Renaming) -> dict[tuple[Path | None, str], str]:
    new = dict(fixed.speakers)
    people = {(one.study, one.speaker_id): (one.site or one.study, one.speaker_id) for one in sources}
    # By person; without a site nobody vouches for the ids, so that each study has people of its own.
    id_of = {person: new[key] for key, person in reversed(people.items()) if key in new}
    taken = set(id_of.values())
    waiting = []
    for person in dict.fromkeys(people.values()):
        if person not in id_of and person[1] not in taken:
            id_of[person] = person[1]
            taken.add(person[1])
        elif person not in id_of:
            waiting.append(person)
    # The old ids of those who wait are taken as well: a new id must not be another one's old one.
    for person in waiting:
        id_of[person] = _free_id(person[1], taken)
        taken.add(id_of[person])
    for key, person in people.items():
        if key not in new and id_of[person] != key[1]:
            new[key] = id_of[person]
    return new


def _free_id(speaker: str, taken: set[str]) -> str:
    """The nearest free id that begins with `z`, then with `y`, and so on: few sites use those."""
    for first in reversed(_DIGITS):
        for second in (speaker[1], *_DIGITS):
            for third in (speaker[2], *_DIGITS):
                if (candidate := f"{first}{second}{third}") not in taken:
                    return candidate
    raise CurtainError("All speaker ids are taken; put fewer studies together.")


# -- the file of a pool --------------------------------------------------------------------------------


class PooledStudy(msgspec.Struct, frozen=True, kw_only=True):
    """One study of a pool; `speakers` maps all its speakers to their ids in the pool, `sessions` those sessions that
    have a new number there, and `decided` are the speakers about whom a map of speakers has decided."""

    path: Path
    speakers: dict[str, str] = {}
    sessions: dict[str, str] = {}
    decided: tuple[str, ...] = ()


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """Which studies make a corpus, and who is called what there."""

    schema_version: int = 1
    studies: tuple[PooledStudy, ...] = ()


def make_pool(path: Path, studies: Sequence[Path], speaker_map: Path | None = None) -> Pool:
    """Write the pool's file beside nothing else, or add studies and new speakers to one; who has an id keeps it.

    `speaker_map` is a CSV file with the columns study, speaker and person: speakers with the same person are one, and
    bear the person as their id. Raises CurtainError, StudyMissing, CurtainError.
    """
    before = read_pool(path) if path.exists() else Pool()
    folders = list(dict.fromkeys([*(one.path for one in before.studies), *(real_path(one) for one in studies)]))
    sources, _ = sources_of(folders)
    # Whoever was in the pool with their own id must keep it, whatever is added.
    fixed = reduce(_with_study, before.studies, Renaming())
    if speaker_map is not None:
        mapped = _read_map(speaker_map, folders, {(one.study, one.speaker_id) for one in sources})
        # A session of somebody who is somebody else now has another number.
        sessions = {key: new for key, new in fixed.sessions.items() if (key[0], key[1][:3]) not in mapped}
        fixed = Renaming({**fixed.speakers, **mapped}, sessions, fixed.decided | mapped.keys())
    everything = [*sources, *erased_sources(sources)]
    named = renamings(everything, fixed)
    check_copies(sources, named)
    pool = Pool(studies=tuple(_pooled(folder, everything, named) for folder in folders))
    _write(path, pool)
    return pool


def _pooled(folder: Path, sources: Sequence[PooledSession], named: Renaming) -> PooledStudy:
    study_sources = [one for one in sources if one.study == folder]
    speakers = {one.speaker_id: named.speakers.get((folder, one.speaker_id), one.speaker_id) for one in study_sources}
    return PooledStudy(
        path=folder,
        speakers=dict(sorted(speakers.items())),
        sessions={old: new for (study, old), new in sorted(named.sessions.items(), key=str) if study == folder},
        decided=tuple(sorted(speaker for study, speaker in named.decided if study == folder)),
    )


def _read_map(
    path: Path, studies: Sequence[Path], known: Container[tuple[Path | None, str]]
) -> dict[tuple[Path | None, str], str]:
    """Who is which person, by study and speaker. A study is a path beside the map's file, or the name of a folder."""
    people: dict[tuple[Path | None, str], str] = {}
    for line in read_table(path, _MAP, CurtainError):
        written, speaker, person = (line.values[name] for name in _MAP)
        place = f"{path}, line {line.number}"
        named = [one for one in studies if one == real_path(path.parent / written) or one.name == written]
        if len(named) != 1:
            raise CurtainError(f"{place}: “{written}” is not one of the studies; write its folder as you name it.")
        _check(ids.speaker_id, path, person)
        if (named[0], speaker) not in known:
            raise CurtainError(f"{place}: {written} has no speaker “{speaker}”.")
        people[named[0], speaker] = person
    if not people:
        raise CurtainError(f"{path} names nobody. It is a CSV file with the columns {', '.join(_MAP)}.")
    return people


def _write(path: Path, pool: Pool) -> None:
    value: dict[str, Any] = msgspec.to_builtins(pool, enc_hook=str)
    for study in value["studies"]:
        study["path"] = _as_written(Path(study["path"]), real_path(path).parent)
    with os_errors_as(f"{path} cannot be written", CurtainError):
        replace_file(path, json.dumps(value, indent=2, ensure_ascii=True).encode() + b"\n")


def _as_written(study: Path, folder: Path) -> str:
    """Relative where the study lies below the pool's folder, so that both can be moved together."""
    return study.relative_to(folder).as_posix() if study.is_relative_to(folder) else str(study)


def read_pool(path: Path) -> Pool:
    """The pool in a file, with its studies' folders resolved. Raises CurtainError."""
    try:
        pool = msgspec.json.decode(read_text(path), type=Pool, dec_hook=lambda kind, value: kind(value))
    except OSError as fault:
        raise CurtainError(f"{path} cannot be read: {fault.strerror}.") from fault
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise CurtainError(f"{path} is no pool: {fault}. “curtain pool” makes one.") from fault
    for study in pool.studies:
        for name in (*study.speakers, *study.speakers.values(), *study.decided):
            _check(ids.speaker_id, path, name)
        for name in (*study.sessions, *study.sessions.values()):
            _check(ids.split_session_id, path, name)
    studies = (msgspec.structs.replace(one, path=real_path(path.parent / one.path)) for one in pool.studies)
    return msgspec.structs.replace(pool, studies=tuple(studies))


def _check(read: Callable[[str], object], path: Path, name: str) -> None:
    try:
        read(name)
    except ids.BadId as fault:
        raise CurtainError(f"{path}: {fault}") from fault
