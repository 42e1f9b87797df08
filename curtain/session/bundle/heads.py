"""The heads of files that must not fall behind: how far each went when Curtain last wrote it, and its checksum.

Those of a session (session.json, manifest, annotation layers) and those of its study (`STUDY_LAYERS`) lie in the
study's folder `heads`, in a file for each. Heads have numbers, which `heads.jsonl` beside that folder keeps too. So a
layer that lost its last rows, a folder of yesterday, and a file of heads that is lost with its layer are noticed,
although each is whole in itself. A session outside of a study has no heads.
"""

import hashlib
import logging
import shlex
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec

from curtain.base.record_file import BadRecords, add_record
from curtain.session.study.study import TOMBSTONES
from curtain.session.untrusted_files import ANNOTATIONS, MANIFEST, read_plain

HEADS, NUMBERS = "heads", "heads.jsonl"
"""In a study: the folder of heads, and the file of their numbers."""
STUDY_LAYERS = (
    "consents.jsonl", "solution_rulings.jsonl", "withdrawn.jsonl", "splits.json", TOMBSTONES, "exports.jsonl",
)  # fmt: skip
"""What a study keeps beside its sessions that protects people, or decides what counts."""
HAS_HEADS = "heads"
"""This key of session.json says that the session began with heads in its study."""

log = logging.getLogger(__name__)

_LARGEST = 1 << 30
_NOTE, _SESSION, _OF_STUDY = "repair-note.txt", "session.json", "study"
_LOOK = {
    _OF_STUDY: "look whether a consent, a ruling or a split must be noted again",
    ANNOTATIONS: "look in “curtain annotate” whether something must be hidden again",
    "": "look whether the session is what it should be",
}
_Row = TypeVar("_Row")


class Head(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A file's first `size` bytes have the SHA-256 `sha256` and `rows` lines. `copy` names the repaired copy that it is
    of, and is empty for what never was repaired. `number` counts the writes of one file of heads; those of an earlier
    Curtain have 0. `by` let the file count as it was, although it had fallen behind. A `coming` one is kept before its
    file is put in the place of another: a process that is killed leaves the one or the other."""

    file: str
    size: int
    sha256: str
    rows: int = 0
    copy: str = ""
    number: int = 0
    by: str = ""
    coming: bool = False


class HeadNumber(msgspec.Struct, frozen=True):
    """The file of heads `of` a session, or of the study, has had a head of this number."""

    of: str
    number: int


@dataclass(frozen=True)
class _Place:
    """Where the heads of a folder are: its study, and the name of its file of heads there."""

    folder: Path
    study: Path
    name: str

    @property
    def file(self) -> Path:
        return self.study / self.listed

    @property
    def listed(self) -> str:
        return f"{HEADS}/{self.name}.jsonl"

    def heads(self) -> list[Head]:
        return _rows(self.file, Head)

    def number(self) -> int:
        """That of the last head that must be there; 0 where none was ever kept."""
        path = self.study / NUMBERS
        try:
            state = path.stat()
        except OSError:
            return 0
        return _numbers_in(path, state.st_mtime_ns, state.st_size).get(self.name, 0)

    def add(self, names: Iterable[str], number: int, by: str = "", coming: bytes | None = None) -> None:
        """Heads of files as they are now, or of a `coming` one. A disk that takes none leaves the earlier ones."""
        try:
            if not (made := [self._head(name, number, by, coming) for name in names]):
                return
            self.file.parent.mkdir(exist_ok=True)
            # The heads first: a number without its heads is a loss.
            add_record(self.file, *made)
            add_record(self.study / NUMBERS, HeadNumber(self.name, number))
        except (OSError, BadRecords) as error:
            log.info("no head of %s is kept: %s", self.folder, error)

    def _head(self, name: str, number: int, by: str, coming: bytes | None) -> Head:
        data = _content(self.folder / name) if coming is None else coming
        return Head(file=name, size=len(data), sha256=_sum(data), rows=data.count(b"\n"), copy=_copy(self.folder),
                    number=number, by=by, coming=coming is not None)  # fmt: skip


def begin_heads(folder: Path) -> None:
    """Heads of all that a new session has; those of an earlier session of this name are forgotten."""
    if (place := _place(folder)) is not None:
        place.file.unlink(missing_ok=True)
        place.add(_protected(folder), place.number() + 1)


def are_kept(folder: Path) -> bool:
    """Whether the study keeps heads of this session."""
    place = _place(folder)
    return place is not None and place.file.exists()


@contextmanager
def sealed(folder: Path, name: str, coming: bytes | None = None, *, anew: bool = False) -> Iterator[Path]:
    """The path of a file of a session or study, to be written within; behind that its new head is kept. `coming` is
    what will take the place of the file.

    None is kept of what had fallen behind, unless the file is made `anew`: with one row more it is as long as it was,
    and the loss must stay in sight. What an earlier Curtain wrote beside it without a head gets one.
    """
    place = _place(folder)
    lost = {problem[0] for problem in fallen_behind(folder)} - ({name} if anew else set())
    if place is None or lost & {name, place.listed, NUMBERS}:
        yield folder / name
        return
    if coming is not None:
        place.add([name], _last(place.heads()) + 1, coming=coming)
    yield folder / name
    heads = place.heads()
    have = {name, *(head.file for head in heads if head.copy == _copy(folder))}
    place.add([*(one for one in _protected(folder) if one not in have), name], _last(heads) + 1)


def accept(folder: Path, by: str) -> None:
    """Let the files of a session, or those of a study, count as they are now; `by` says so. Raises BadRecords."""
    place = _place(folder)
    if place is None:
        return
    heads = place.heads()
    names = dict.fromkeys([*(head.file for head in heads), *_protected(folder)])
    place.add(names, 1 + max(place.number(), _last(heads)), by)
    # Where the numbers are lost, no session could be accepted by itself.
    files = (place.study / HEADS).glob("*.jsonl") if place.name == _OF_STUDY else ()
    add_record(place.study / NUMBERS, *(HeadNumber(file.stem, _last(_rows(file, Head))) for file in files))


def without_heads(folder: Path) -> list[str]:
    """The files of a study, or a session, that an earlier Curtain wrote: nothing says whether each is the last one."""
    heads = place.heads() if (place := _place(folder)) is not None else []
    # Where heads are lost nobody knows who wrote it.
    is_lost = place is not None and _problem_of_list(place, heads)[1]
    return [] if is_lost else [name for name in _protected(folder) if name not in {head.file for head in heads}]


def fallen_behind(folder: Path) -> Iterator[tuple[str, str, str]]:
    """The files of a session's folder, or of a study's, that are not what was last written, nor that with more lines
    behind it: name, what is wrong, what to do."""
    place = _place(folder)
    if place is None:
        return
    heads, copy = place.heads(), _copy(folder)
    last: dict[str, list[Head]] = {}
    # Repairing changes no layer of annotations, so a repaired copy has those of the original.
    for head in (one for one in heads if one.copy == copy or one.file.startswith(ANNOTATIONS)):
        last[head.file] = [*(last.get(head.file, ()) if head.coming else ()), head]
    for name, problem in (
        _problem_of_list(place, heads),
        *((name, _problem(folder / name, last[name])) for name in last),
    ):
        if problem:
            accepting = f"“curtain verify {shlex.quote(str(folder))} --accept --by NAME” lets it count"
            hides = ANNOTATIONS if name.startswith((ANNOTATIONS, HEADS)) else ""
            look = _LOOK[_OF_STUDY if place.name == _OF_STUDY else hides]
            yield name, problem, f"Take it from another copy. If there is none, {look}, then {accepting}."


def _problem_of_list(place: _Place, heads: list[Head]) -> tuple[str, str]:
    last, number = _last(heads), place.number()
    # A station that is killed between the two has kept a head without its number.
    if last > number + 1:
        return NUMBERS, f"The last rows are missing: {place.listed} has {last} heads, and {number} are counted here."
    if place.name == _OF_STUDY and not (place.study / NUMBERS).exists():
        sessions = (place.study / "sessions").glob("*")
        return NUMBERS, "The file is missing, and sessions began with it." if any(map(_has_heads, sessions)) else ""
    if last < number or (not heads and _has_heads(place.folder)):
        kept = f"{number} were kept, {last} are here" if last < number else "none is here, and it began with them"
        return place.listed, f"Heads are missing: {kept}. So nobody knows whether a file is the last one."
    return place.listed, ""


def is_torn_out(folder: Path) -> bool:
    """Whether a session lies outside of the study that keeps its heads and consents."""
    return _place(folder) is None and _has_heads(folder)


def _has_heads(folder: Path) -> bool:
    try:
        about = msgspec.json.decode(read_plain(folder / _SESSION, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(about, dict) and about.get(HAS_HEADS) is True


def _problem(path: Path, heads: list[Head]) -> str:
    """`heads`: the last one, and those that may be coming."""
    head, grows = heads[0], path.suffix == ".jsonl"
    try:
        data = read_plain(path, _LARGEST)
    except FileNotFoundError:
        # A file whose rows were all erased is gone, too, and one that is coming may not be there yet.
        gone = f"The file is missing. It had {head.rows} rows." if head.rows else "The file is missing."
        return "" if head.coming or any(one.size == 0 for one in heads) else gone
    except OSError as error:
        # Of a session, whoever reads the file names it.
        return f"It cannot be read: {error.strerror or error}." if path.name in STUDY_LAYERS else ""
    if any(_sum(data[: one.size]) == one.sha256 and (grows or len(data) == one.size) for one in heads):
        whole = not grows or path.name not in STUDY_LAYERS or len(_decoded(data, dict)) == len(data.splitlines())
        return "" if whole else "A line is damaged: it may hold a withdrawal."
    if not grows:
        return "The file is older than the one that was last written, or was altered."
    here = data.count(b"\n")
    if here < head.rows:
        return f"The last rows are missing: {head.rows} were saved, {here} are here."
    return f"The first {head.rows} rows are not those that were saved."


@lru_cache(maxsize=8)
def _numbers_in(path: Path, written_ns: int, size: int) -> dict[str, int]:
    """By file of heads; kept, since each session of an export asks. The state of the file makes it another one."""
    numbers: dict[str, int] = {}
    for row in _rows(path, HeadNumber):
        numbers[row.of] = max(row.number, numbers.get(row.of, 0))
    return numbers


def _rows(path: Path, kind: type[_Row]) -> list[_Row]:
    """All rows in their order; a line that cannot be read is none."""
    try:
        return _decoded(read_plain(path, _LARGEST), kind)
    except OSError:
        return []


def _decoded(data: bytes, kind: type[_Row]) -> list[_Row]:
    rows: list[_Row] = []
    for line in data.splitlines():
        try:
            rows.append(msgspec.json.decode(line, type=kind))
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
    return rows


def _last(heads: list[Head]) -> int:
    return max((head.number for head in heads), default=0)


def _protected(folder: Path) -> Iterator[str]:
    """The files that have heads, as far as they are there."""
    layers = sorted(f"{ANNOTATIONS}{path.name}" for path in (folder / ANNOTATIONS).glob("*.jsonl"))
    names = STUDY_LAYERS if (folder / "study.toml").is_file() else (_SESSION, MANIFEST, *layers)
    return (name for name in names if (folder / name).is_file())


def _place(folder: Path) -> _Place | None:
    folder = folder.absolute()
    if (folder / "study.toml").is_file():
        return _Place(folder, folder, _OF_STUDY)
    study = folder.parent.parent
    inside = folder.parent.name == "sessions" and (study / "study.toml").is_file()
    return _Place(folder, study, folder.name) if inside else None


def _copy(folder: Path) -> str:
    # A repaired copy takes the place of the original, whose heads say nothing of it. A study is never one.
    if (folder / "study.toml").is_file():
        return ""
    try:
        return _sum(read_plain(folder / _NOTE, _LARGEST))
    except OSError:
        return ""


def _content(path: Path) -> bytes:
    try:
        return read_plain(path, _LARGEST)
    except FileNotFoundError:
        return b""


def _sum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
