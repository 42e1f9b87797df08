"""An import: an ATIS tree of any layout becomes sessions of a study, one at a time."""

import filecmp
import hashlib
import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from curtain.base.clock import Clock
from curtain.base.disk import replace_file, written_beside
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import real_path
from curtain.corpus.model.splits import SPLITS_FILE, read_splits
from curtain.corpus.model.utterance import Session, Split
from curtain.domain.pack.pack import PackError, agreed_pack
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.speaker import SpeakerDescription
from curtain.session.study.ids import split_session_id
from curtain.session.study.study import Study, StudyMissing, erased_sessions, load_study, new_study
from curtain.session.turns.scenario_runs import ScenarioRun
from curtain_corpora.atis import sphere
from curtain_corpora.atis.documents import SPEAKERS_FILE, read_speakers
from curtain_corpora.atis.names import WHOLE_SESSION
from curtain_corpora.atis.session_log import field_of, read_log
from curtain_corpora.atis.sidecar import KIND, read_head
from curtain_corpora.importing.bundles import IMPORTED, BundleMaker, ImportedFile, Making
from curtain_corpora.importing.ids import session_ids, with_ids
from curtain_corpora.importing.scenes import SceneRead, read_scene
from curtain_corpora.importing.tree import ImportScene, Key, SceneFile, SceneFiles, Walked, stage, walk

Watch = Callable[[int], Callable[[int], None]]
_DOMAIN = "atis"
# What is the same in all parts of a session: the keyword of a log, and the field of our own file, "" for its name.
_OF_A_SESSION = {
    "Session_Id": "session_id", "Speaker": "", "Speaker_Id": "speaker_id", "Site": "site", "Domain": "domain",
    "Dialect": "dialect", "Database": "content_sha256", "Rule_Book": "rule_book", "Date": "recorded",
    "Manifest": "manifest_sha256",
}  # fmt: skip


@dataclass(frozen=True)
class Imported:
    """What came in: sessions made now, sessions that were there from an earlier try, utterances, files kept beside the
    sessions, and links or special files that were left where they are. `forgotten` sessions were left out, since the
    study has erased their speakers; `damaged` are sentences on answers and categories that were not taken."""

    study: Path
    sessions: int
    already_there: int
    utterances: int
    others: int
    left: int
    forgotten: int = 0
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Part:
    """A scenario-session, a part of a session: its number, and what our own file and its log say of the whole session,
    by keyword."""

    number: int
    scene: ImportScene
    says: tuple[tuple[Path | None, Mapping[str, str]], ...]


def import_tree(
    tree: Path,
    out: Path,
    domain: str | None = None,
    *,
    clock: Clock | None = None,
    watch: Watch = lambda n: lambda k: None,
) -> Imported:
    """Read a tree into the study `out`, which is made if it is not there.

    Run again after a break it goes on where it stopped. Raises CurtainError, before anything is written where a session
    would be in the way.
    """
    walked, shelf = walk(tree), SceneFiles()
    groups = _groups(walked, shelf)
    names = session_ids([(_said(group)["Session_Id"], group[0].scene.key) for group in groups])
    study = _study(out, domain or _said(groups[0])["Domain"] or _DOMAIN, {_said(group)["Site"] for group in groups})
    forgotten = _forgotten(study, names)
    there = {
        name
        for name, group in zip(names, groups, strict=True)
        if name not in forgotten and _is_there(study, name, group, walked, shelf)
    }
    step = watch(len(groups))
    with BundleMaker(study, clock or Clock()) as maker:
        importer = _Importer(study, walked, shelf, domain, maker)
        for name, group in zip(names, groups, strict=True):
            if name not in there and name not in forgotten:
                importer.take_in(name, group)
            step(1)
    importer.write_splits()
    others = _keep_others(study, walked)
    made = len(groups) - len(there) - len(forgotten)
    return Imported(
        study=study.folder,
        sessions=made,
        already_there=len(there),
        utterances=importer.utterances,
        others=others,
        left=len(walked.odd),
        forgotten=len(forgotten),
        damaged=tuple(importer.damaged),
    )


def _forgotten(study: Study, names: Sequence[str]) -> set[str]:
    """Sessions of speakers whom the study has erased: they do not come back."""
    erased = {split_session_id(name)[0] for name in erased_sessions(study.folder)}
    return {name for name in names if split_session_id(name)[0] in erased}


def _study(out: Path, domain: str, sites: set[str]) -> Study:
    """The study that is there, or a new one; of a new one the site is known if the tree has only one."""
    try:
        study = load_study(out)
    except StudyMissing:
        study = new_study(out, _lasting(domain))
        file, site = study.folder / "study.toml", next(iter(sites)) if len(sites) == 1 else ""
        plain = json.dumps(site.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", " ")
        text = file.read_text("utf-8").replace('\nsite = ""\n', f"\nsite = {plain}\n")
        replace_file(file, text.encode("utf-8"))
        return load_study(out)
    study.ensure_writable()
    return study


def _lasting(domain: str) -> str:
    """A domain as a study can find it from anywhere; as the tree names it where the pack is not on this machine."""
    try:
        return agreed_pack(domain).lasting_name
    except PackError:
        return domain


# -- which scenario-sessions belong together -----------------------------------------------------------


def _groups(walked: Walked, shelf: SceneFiles) -> list[list[_Part]]:
    """By the session that our own file or our log names; any other scenario-session is a session by itself.

    Raises CurtainError where files of one session contradict each other.
    """
    groups: dict[object, list[_Part]] = {}
    for scene in walked.scenes:
        part = _part_of(scene, shelf.files_of(scene))
        groups.setdefault(_said([part])["Session_Id"] or part.scene.key, []).append(part)
    for group in groups.values():
        group.sort(key=lambda part: (part.number, part.scene.key))
        for part, name in product(group[1:], _OF_A_SESSION):
            _ensure_alike(group[0], part, name)
    return list(groups.values())


def _said(group: Sequence[_Part]) -> Mapping[str, str]:
    return group[0].says[0][1]


def _ensure_alike(part: _Part, other: _Part, name: str) -> None:
    for (file, says), (other_file, other_says) in zip(part.says, other.says, strict=True):
        if says[name] and other_says[name] and says[name] != other_says[name]:
            raise CurtainError(
                f"{file} and {other_file} are of one session, {says['Session_Id'][:40]}, but differ in {name}: "
                f"“{says[name][:80]}” and “{other_says[name][:80]}”. Nothing was imported. Correct one of them."
            )


def _part_of(scene: ImportScene, pieces: Sequence[SceneFile]) -> _Part:
    whole: dict[str, Path] = {}
    for piece in (piece for piece in pieces if piece.name.query == WHOLE_SESSION):
        other = whole.get(piece.kind, piece.path)
        if stage(other) == stage(piece.path) and not filecmp.cmp(other, piece.path, shallow=False):
            raise CurtainError(f"{other} and {piece.path} differ. Nothing was imported. Take one of them out.")
        whole[piece.kind] = piece.path
    rows, log = whole.get(KIND), whole.get("log")
    head = read_head(rows) if rows else None
    header = read_log(log.read_text("utf-8", "replace")).header if log else ()
    part = (field_of(header, "Part") or "").partition(" ")[0]
    number = head.part if head else int(part) if re.fullmatch("[0-9]{1,4}", part) else 1
    by_row = {
        name: str(getattr(head.session, row, scene.key.speaker) or "") for name, row in _OF_A_SESSION.items() if head
    }
    by_keyword = {name: field_of(header, name) or by_row.get(name, "") for name in _OF_A_SESSION}
    # Where only one of the two is there, it stands for both.
    return _Part(number, scene, ((rows or log, by_row or by_keyword), (log or rows, by_keyword)))


def _is_there(study: Study, name: str, group: Sequence[_Part], walked: Walked, shelf: SceneFiles) -> bool:
    """True if this very session was imported before. Raises CurtainError if it is another one."""
    bundle = Bundle(study.sessions_folder / name)
    if not bundle.path.exists():
        return False
    imported = bundle.read_session_json().get("imported")
    if isinstance(imported, Mapping) and imported.get("source_sha256") == _source_sha256(group, walked, shelf):
        return True
    raise CurtainError(
        f"{study.folder} has another session {name} already, and nothing was imported. Import into a study of its own."
    )


def _source_sha256(group: Sequence[_Part], walked: Walked, shelf: SceneFiles) -> str:
    """Of the names and sizes of a session's files: enough to know them again."""
    digest = hashlib.sha256()
    for piece in (piece for part in group for piece in shelf.files_of(part.scene)):
        # Sizes and not contents: a tree may fill several discs, and is looked through again after each break.
        digest.update(
            f"{_relative(piece.path, walked)}\t{piece.path.stat().st_size}\n".encode("utf-8", "surrogateescape")
        )
    return digest.hexdigest()


def _relative(path: Path, walked: Walked) -> str:
    return path.relative_to(walked.root).as_posix()


# -- one session at a time -----------------------------------------------------------------------------


class _Importer:
    def __init__(self, study: Study, walked: Walked, shelf: SceneFiles, domain: str | None, maker: BundleMaker) -> None:
        self._study = study
        self._walked = walked
        self._shelf = shelf
        self._domain = domain
        self._maker = maker
        self._splits: dict[str, Split] = {}
        self._speakers = _speakers(walked)
        self.utterances = 0
        self.damaged: list[str] = []

    def take_in(self, name: str, group: Sequence[_Part]) -> None:
        read = [read_scene(part.scene.key, self._shelf.files_of(part.scene)) for part in group]
        self.damaged += [sentence for part in read for sentence in part.damaged]
        session = _whole_session(read)
        # Our own rows know the speaker already; the list of speakers is for trees of other sites.
        if not read[0].has_sidecar:
            session = replace(session, speaker=self._speakers.get(group[0].scene.key.speaker))
        domain = self._domain or session.domain or self._study.domain
        recordings = {utterance: path for part in read for utterance, path in part.recordings.items()}
        named = with_ids(replace(session, domain=domain), name, recordings)
        origin = {**self._origin(read, group), "ids": dict(named.changed)}
        kept, headers = self._kept(read, set(named.recordings.values()))
        self._maker.make(Making(named.session, named.recordings, kept, headers, origin))
        self.utterances += len(named.session.utterances)
        self._remember_split(named.session.speaker_id, [one.split for one in named.session.utterances])

    def _origin(self, read: Sequence[SceneRead], group: Sequence[_Part]) -> dict[str, object]:
        """What session.json says of where the session comes from, with what no row has a place for."""
        first = read[0].session
        return {
            "from": "ATIS tree",
            "source_sha256": _source_sha256(group, self._walked, self._shelf),
            "session_id": first.session_id,
            "speaker_id": first.speaker_id,
            "scenario_sessions": [_as_text(part.scene.key) for part in group],
            "times": "as the tree tells them" if all(part.timed for part in read) else "not told: turns end to end",
            "log": {
                _as_text(at.scene.key): {
                    query: [list(pair) for pair in fields] for query, fields in part.unknown.items()
                }
                for at, part in zip(group, read, strict=True)
                if part.unknown
            },
        }

    def _kept(self, read: Sequence[SceneRead], recordings: set[Path]) -> tuple[list[ImportedFile], list[ImportedFile]]:
        """Every file as it came; of recordings whose samples are those of the bundle only the header."""
        paths = dict.fromkeys(piece.path for part in read for piece in part.pieces)
        whole: list[ImportedFile] = []
        headers: list[ImportedFile] = []
        for path in paths:
            kept = ImportedFile(_relative(path, self._walked), path)
            (headers if path in recordings and _is_kept_exactly(path) else whole).append(kept)
        return whole, headers

    def _remember_split(self, speaker: str, splits: Sequence[Split]) -> None:
        given_splits = [split for split in splits if split != "none"]
        if given_splits:
            # All sessions of a speaker are in one part, so the first that names one will do.
            self._splits[speaker] = given_splits[0]

    def write_splits(self) -> None:
        """Who is in which part, for speakers of whom the study does not know it yet."""
        splits_kept = read_splits(self._study.folder)
        new = {speaker: split for speaker, split in self._splits.items() if speaker not in splits_kept.by_speaker}
        if new:
            path = self._study.folder / SPLITS_FILE
            before = json.loads(path.read_bytes()) if path.exists() else {"schema_version": 1}
            file = {**before, "speakers": {**splits_kept.by_speaker, **new}}
            replace_file(path, json.dumps(file, indent=2).encode() + b"\n")


def _speakers(walked: Walked) -> dict[str, SpeakerDescription]:
    """What the tree's list of speakers states, by the code of a speaker."""
    path = next((one for one in walked.others if one.name.lower() == SPEAKERS_FILE), None)
    with os_errors_as(f"{path} cannot be read", CurtainError, " Repair the copy, and import again."):
        stated = read_speakers(path) if path is not None else {}
    return {code: one for code, one in stated.items() if one != SpeakerDescription()}


def _as_text(key: Key) -> str:
    return f"{key.speaker}/{key.session}/{key.mode}"


def _is_kept_exactly(path: Path) -> bool:
    """16-bit PCM in SPHERE: the samples are those of the bundle, and the header is kept as a text."""
    if not sphere.is_sphere(path):
        return False
    header = sphere.read_header(path)
    plain = header.text("sample_coding", "pcm") == "pcm" and header.whole("sample_n_bytes", 2) == 2
    size = 2 * header.whole("channel_count", 1) * header.whole("sample_count")
    return plain and path.stat().st_size == header.size + size


def _whole_session(read: Sequence[SceneRead]) -> Session:
    """All parts of a session as one, in the order of turns."""
    utterances = sorted((one for part in read for one in part.utterances), key=lambda one: one.turn)
    first = read[0].session
    scenarios = _scenarios(read)
    questionnaire = dict.fromkeys(one for part in read for one in part.session.questionnaire)
    return replace(first, utterances=tuple(utterances), scenarios=scenarios, questionnaire=tuple(questionnaire))


def _scenarios(read: Sequence[SceneRead]) -> tuple[ScenarioRun, ...]:
    """Each part knows best of its own scenario; all know of scenarios in which nothing was asked."""
    sessions = {part.utterances[0].scenario_id: part.session for part in read if part.utterances}
    scenarios = dict.fromkeys(
        run
        for part in read
        for run in part.session.scenarios
        if sessions.get(run.scenario_id, part.session) is part.session
    )
    return tuple(sorted(scenarios, key=lambda run: (run.started_ms is None, run.started_ms or 0)))


# -- what belongs to no session ------------------------------------------------------------------------


def _keep_others(study: Study, walked: Walked) -> int:
    """Documents, indices and whatever else is in the tree, as they came."""
    if not walked.others:
        return 0
    folder = _folder_for(study.folder / IMPORTED, walked)
    for path in walked.others:
        target = folder / path.relative_to(walked.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        with written_beside(target) as part:
            shutil.copyfile(path, part)
    return len(walked.others)


def _folder_for(folder: Path, walked: Walked) -> Path:
    """A new folder named after the tree, or the one of an earlier try."""
    name = real_path(walked.root).name or "tree"
    for number in range(1, 10_000):
        place = folder / (name if number == 1 else f"{name}-{number}")
        if not place.exists() or all(_is_same(path, place / path.relative_to(walked.root)) for path in walked.others):
            return place
    raise CurtainError(f"{folder} holds too many trees of the name {name}; move some of them elsewhere.")


def _is_same(path: Path, copy: Path) -> bool:
    return not copy.exists() or filecmp.cmp(path, copy, shallow=False)
