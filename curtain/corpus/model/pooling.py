"""Sessions of several studies and sites in one corpus: where they lie, and new ids where two speakers bear the same.

Two studies of one site share its register of speakers: the same id is the same person, as long as no session id stands
twice. In any other case equal ids are different people, and those of the study named later get free ids.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError
from curtain.base.input_file import read_input, real_path
from curtain.corpus.model.utterance import ContextLink, Session, Utterance
from curtain.session.bundle.bundle import Bundle
from curtain.session.study import ids
from curtain.session.study.study import Study, StudyMissing, erased_sessions, load_study

__all__ = [
    "BadPool",
    "Pool",
    "PooledSession",
    "PooledStudy",
    "Renaming",
    "erased_sources",
    "make_pool",
    "read_pool",
    "renamings",
    "sources_of",
]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class BadPool(CurtainError):
    """A pool that cannot be used, or speakers that cannot be told apart."""


@dataclass(frozen=True)
class PooledSession:
    """One session: its folder, its id there, the study it belongs to (None for a folder by itself) and its site."""

    path: Path
    session_id: str
    study: Path | None
    site: str = ""

    @property
    def speaker_id(self) -> str:
        """The speaker in the session's id."""
        return ids.split_session_id(self.session_id)[0]


@dataclass(frozen=True)
class Renaming:
    """New speaker ids by study and old id; whoever is not named keeps theirs."""

    speakers: Mapping[tuple[Path | None, str], str] = field(default_factory=dict)

    def session_id(self, source: PooledSession) -> str:
        """The session's id in the pooled corpus; the old one where nobody else bears it."""
        return self._new(source, source.session_id)

    def id_in(self, source: PooledSession, name: str) -> str:
        """The new id of a session or an utterance of this source."""
        return self._new(source, name)

    def session(self, session: Session, source: PooledSession) -> Session:
        """The session under its new ids."""
        if (source.study, session.speaker_id) not in self.speakers:
            return session
        utterances = tuple(self._utterance(one, source) for one in session.utterances)
        speaker = self.speakers[source.study, session.speaker_id]
        new_id = self._new(source, session.session_id)
        return replace(session, session_id=new_id, speaker_id=speaker, utterances=utterances)

    def _utterance(self, utterance: Utterance, source: PooledSession) -> Utterance:
        return replace(
            utterance,
            utterance_id=self._new(source, utterance.utterance_id),
            session_id=self._new(source, utterance.session_id),
            speaker_id=self.speakers[source.study, utterance.speaker_id],
            context=tuple(ContextLink(self._new(source, link.utterance_id), link.to) for link in utterance.context),
        )

    def _new(self, source: PooledSession, name: str) -> str:
        speaker, rest = name[:3], name[3:]
        return self.speakers.get((source.study, speaker), speaker) + rest


# -- where the sessions are ----------------------------------------------------------------------------


def sources_of(paths: Iterable[Path]) -> tuple[tuple[PooledSession, ...], Renaming]:
    """All sessions that these folders and pools stand for, each once, and the ids that pools have fixed.

    Raises StudyMissing, BadStudy, BadPool, BundleMissing.
    """
    by_path: dict[Path, PooledSession] = {}
    fixed: dict[tuple[Path | None, str], str] = {}
    for path in paths:
        pool = read_pool(path) if path.is_file() and path.name != "study.toml" else None
        for part in pool.studies if pool else (path,):
            folder = part.path if isinstance(part, PooledStudy) else part
            for source in _sources(folder):
                by_path.setdefault(source.path, source)
            if isinstance(part, PooledStudy):
                fixed |= {(real_path(folder), old): new for old, new in part.speakers.items()}
    return tuple(by_path.values()), Renaming(fixed)


def _sources(path: Path) -> Iterator[PooledSession]:
    if (path / "study.toml").is_file() or path.name == "study.toml":
        study = load_study(path)
        for session_path in study.sessions():
            yield PooledSession(real_path(session_path.path), session_path.session_id, study.folder, study.site)
    elif path.is_dir() and not _is_session(path):
        raise StudyMissing(f"{path} is neither a study nor a session's folder.")
    else:
        yield _single(path)


def erased_sources(sources: Sequence[PooledSession]) -> tuple[PooledSession, ...]:
    """The sessions of the same studies that were erased: their ids must not pass to other people."""
    erased = []
    for study, site in dict.fromkeys((one.study, one.site) for one in sources if one.study):
        if study is not None:
            for session_id in sorted(erased_sessions(study)):
                erased.append(PooledSession(study / "sessions" / session_id, session_id, study, site))
    return tuple(erased)


def _is_session(path: Path) -> bool:
    return any((path / name).is_file() for name in ("session.json", "wizard.events.jsonl", "subject.events.jsonl"))


def _single(path: Path) -> PooledSession:
    bundle = Bundle(real_path(path))
    name = str(bundle.read_session_json().get("session_id") or bundle.path.name)
    try:
        ids.split_session_id(name)
    except ids.BadId as fault:
        raise BadPool(f"{path}: {fault}") from fault
    study = _study_of(bundle.path)
    return PooledSession(bundle.path, name, study.folder if study else None, study.site if study else "")


def _study_of(bundle: Path) -> Study | None:
    folder = bundle.parent.parent
    if bundle.parent.name != "sessions" or not (folder / "study.toml").is_file():
        return None
    return load_study(folder)


# -- who is who ----------------------------------------------------------------------------------------


def renamings(sources: Sequence[PooledSession], fixed: Renaming = Renaming()) -> Renaming:
    """New ids for speakers whose id belongs to somebody of a study before. Raises BadPool if none is free."""
    new = dict(fixed.speakers)
    holders: dict[str, list[_Holder]] = {}
    waiting: list[tuple[Path | None, str]] = []
    # Whoever has a fixed id comes first, whatever the order of the studies.
    for holder in sorted(_holders(sources), key=lambda one: (one.study, one.speaker) not in new):
        key = (holder.study, holder.speaker)
        if key in new:
            holders.setdefault(new[key], []).append(holder)
        elif all(holder.is_same(other) for other in holders.get(holder.speaker, ())):
            holders.setdefault(holder.speaker, []).append(holder)
        else:
            waiting.append(key)
    # The old ids of those who wait count as taken as well: a new id must not be another one's old one.
    taken = set(holders) | {speaker for _, speaker in waiting}
    for key in waiting:
        new[key] = _free_id(key[1], taken)
        taken.add(new[key])
    return Renaming(new)


@dataclass(frozen=True)
class _Holder:
    """A speaker of one study."""

    study: Path | None
    site: str
    speaker: str
    sessions: frozenset[str]

    def is_same(self, other: _Holder) -> bool:
        # Without a site nobody vouches for the ids; a session id that stands twice shows two registers.
        return bool(self.site) and self.site == other.site and not (self.sessions & other.sessions)


def _holders(sources: Sequence[PooledSession]) -> list[_Holder]:
    sessions: dict[tuple[Path | None, str, str], set[str]] = {}
    for source in sources:
        sessions.setdefault((source.study, source.site, source.speaker_id), set()).add(source.session_id)
    return [_Holder(study, site, who, frozenset(named)) for (study, site, who), named in sessions.items()]


def _free_id(speaker: str, taken: set[str]) -> str:
    """The nearest free id that begins with `z`, then with `y`, and so on: few sites use those."""
    for first in reversed(_DIGITS):
        for second in (speaker[1], *_DIGITS):
            for third in (speaker[2], *_DIGITS):
                if (candidate := f"{first}{second}{third}") not in taken:
                    return candidate
    raise BadPool("All speaker ids are taken; put fewer studies together.")


# -- the file of a pool --------------------------------------------------------------------------------


class PooledStudy(msgspec.Struct, frozen=True, kw_only=True):
    """One study of a pool; `speakers` maps those ids that had to be changed to the new ones."""

    path: Path
    site: str = ""
    speakers: dict[str, str] = {}


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """Which studies make a corpus, and who is called what there."""

    schema_version: int = 1
    studies: tuple[PooledStudy, ...] = ()


def make_pool(path: Path, studies: Sequence[Path]) -> Pool:
    """Write the pool's file beside nothing else, or add studies and new speakers to one; who has an id keeps it.

    Raises BadPool, StudyMissing, BadStudy.
    """
    before = read_pool(path) if path.exists() else Pool()
    folders = list(dict.fromkeys([*(one.path for one in before.studies), *(real_path(one) for one in studies)]))
    sources, _ = sources_of(folders)
    earlier_ids: dict[tuple[Path | None, str], str] = {
        (real_path(one.path), old): new for one in before.studies for old, new in one.speakers.items()
    }
    # Whoever was in the pool with their own id must keep it, whatever is added.
    named = renamings([*sources, *erased_sources(sources)], Renaming(earlier_ids))
    pool = Pool(studies=tuple(_pooled(folder, [*sources, *erased_sources(sources)], named) for folder in folders))
    _write(path, pool)
    return pool


def _pooled(folder: Path, sources: Sequence[PooledSession], named: Renaming) -> PooledStudy:
    study_sources = [one for one in sources if one.study == folder]
    speakers = {one.speaker_id: named.speakers.get((folder, one.speaker_id), one.speaker_id) for one in study_sources}
    return PooledStudy(
        path=folder, site=next((one.site for one in study_sources), ""), speakers=dict(sorted(speakers.items()))
    )


def _write(path: Path, pool: Pool) -> None:
    value: dict[str, Any] = msgspec.to_builtins(pool, enc_hook=str)
    for study in value["studies"]:
        study["path"] = _as_written(Path(study["path"]), real_path(path).parent)
    try:
        replace_file(path, json.dumps(value, indent=2, ensure_ascii=True).encode() + b"\n")
    except OSError as fault:
        raise BadPool(f"{path} cannot be written: {fault.strerror}.") from fault


def _as_written(study: Path, folder: Path) -> str:
    """Relative where the study lies below the pool's folder, so that both can be moved together."""
    return study.relative_to(folder).as_posix() if study.is_relative_to(folder) else str(study)


def read_pool(path: Path) -> Pool:
    """The pool in a file, with its studies' folders resolved. Raises BadPool."""
    try:
        pool = msgspec.json.decode(read_input(path), type=Pool, dec_hook=lambda kind, value: kind(value))
    except OSError as fault:
        raise BadPool(f"{path} cannot be read: {fault.strerror}.") from fault
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise BadPool(f"{path} is no pool: {fault}. “curtain pool” makes one.") from fault
    for study in pool.studies:
        for name in (*study.speakers, *study.speakers.values()):
            _check_speaker(path, name)
    studies = (msgspec.structs.replace(one, path=real_path(path.parent / one.path)) for one in pool.studies)
    return msgspec.structs.replace(pool, studies=tuple(studies))


def _check_speaker(path: Path, name: str) -> None:
    try:
        ids.speaker_id(name)
    except ids.BadId as fault:
        raise BadPool(f"{path}: {fault}") from fault
