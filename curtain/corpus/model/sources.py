"""Where the sessions of a corpus lie: those of one study, or single ones of it by folder."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.corpus.model.solutions import study_of
from curtain.session.bundle.bundle import Bundle
from curtain.session.study import ids
from curtain.session.study.languages import ENGLISH, language_code
from curtain.session.study.study import Study, StudyMissing, load_study


@dataclass(frozen=True)
class Source:
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


def sources_of(paths: Sequence[Path]) -> tuple[Source, ...]:
    """All sessions that these folders stand for, each once. Raises StudyMissing, CurtainError."""
    by_path = {source.path: source for path in paths for source in _sources(path)}
    sources = tuple(by_path.values())
    if not sources:
        named = ", ".join(map(str, paths)) or "nothing"
        raise CurtainError(f"There is no session in {named}; name a session's folder or a study.")
    _ensure_one_study(sources)
    return sources


def _ensure_one_study(sources: Sequence[Source]) -> None:
    """Two studies give one id to two people, and a copy of a session counts everything in it twice."""
    seen: dict[str, Path] = {}
    for source in sources:
        if source.study != sources[0].study:
            raise CurtainError(
                f"{sources[0].path} and {source.path} are not of one study; export each study by itself. "
                "A recipe (docs/recipes.md#pooled-tables) makes one table of theirs."
            )
        for name in filter(None, (source.session_id, source.identity)):
            if (other := seen.setdefault(name, source.path)) != source.path:
                raise CurtainError(f"{other} and {source.path} hold the same session {name}; name one of them.")


def _sources(path: Path) -> Iterator[Source]:
    if (path / "study.toml").is_file() or path.name == "study.toml":
        study = load_study(path)
        for session_path in study.sessions():
            yield _of_study(study, Bundle(real_path(session_path.path)), session_path.session_id)
    elif path.is_file() or (path.is_dir() and not _is_session(path)):
        raise StudyMissing(f"{path} is neither a study nor a session's folder.")
    else:
        yield _single(path)


def _is_session(path: Path) -> bool:
    return any((path / name).is_file() for name in ("session.json", "wizard.events.jsonl", "subject.events.jsonl"))


def _single(path: Path) -> Source:
    bundle = Bundle(real_path(path))
    name = str(bundle.read_session_json().get("session_id") or bundle.path.name)
    try:
        ids.split_session_id(name)
    except ids.BadId as error:
        raise CurtainError(f"{path}: {error}") from error
    study = study_of(bundle.path)
    return _of_study(load_study(study) if study else None, bundle, name)


def _of_study(study: Study | None, bundle: Bundle, session_id: str) -> Source:
    about = bundle.read_session_json()
    # A session of a tree of several sites names its own.
    identity, site = (str(about.get(name) or "") for name in ("identity", "site"))
    if study is None:
        return Source(bundle.path, session_id, None, site, identity=identity)
    language = language_code(study.language)
    return Source(bundle.path, session_id, study.folder, site or study.site, language, identity, study.disclose)
