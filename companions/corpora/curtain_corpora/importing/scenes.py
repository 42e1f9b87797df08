"""One scenario-session of a tree, read: its session, utterances and recordings, and what no row has a place for."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import read_input
from curtain.corpus.model.utterance import Session, Utterance
from curtain_corpora.atis.names import WHOLE_SESSION, base36, number_of
from curtain_corpora.atis.rows import (
    KNOWN,
    counts_from_the_beginning,
    damaged_in,
    from_texts,
    notes_in,
    references_in,
    session_of,
    with_category,
    with_log,
    with_texts,
)
from curtain_corpora.atis.session_log import Fields, SessionLog, field_of, keyword, milliseconds, read_log
from curtain_corpora.atis.sidecar import KIND, SidecarHead, SidecarUtterance, digest, read_sidecar
from curtain_corpora.importing.tree import Key, SceneFile

_GROUPS = (("sro",), ("lsn",), ("win",), ("cat",), ("sql", "sq2", "ref", "rf2"))
_LARGEST = 64 * 1024 * 1024
_DIALECT = "1992"


@dataclass(frozen=True)
class SceneRead:
    """`recordings` is by utterance id. `unknown` are fields of the log that no row has a place for, by number of the
    query, and "" for the header. `has_sidecar` says that Curtain's own file of rows was there. `damaged` are sentences
    on answers and categories that do not follow their notation and were not taken."""

    session: Session
    utterances: tuple[Utterance, ...]
    recordings: Mapping[str, Path]
    pieces: tuple[SceneFile, ...]
    unknown: Mapping[str, Fields] = field(default_factory=dict)
    has_sidecar: bool = False
    timed: bool = True
    damaged: tuple[str, ...] = ()


def read_scene(key: Key, pieces: Sequence[SceneFile]) -> SceneRead:
    """Raises CurtainError."""
    return _Scene(key, pieces).read()


@dataclass
class _Files:
    """The files of one query, or of the whole scenario-session, by type; a text is read when it is asked for."""

    pieces: dict[str, SceneFile] = field(default_factory=dict)
    data: dict[str, bytes] = field(default_factory=dict)

    def bytes_of(self, kind: str) -> bytes | None:
        if kind not in self.pieces:
            return None
        if kind not in self.data:
            self.data[kind] = _read(self.pieces[kind].path)
        return self.data[kind]

    def text(self, kind: str) -> str | None:
        data = self.bytes_of(kind)
        return None if data is None else _decoded(data)

    def texts(self) -> dict[str, str]:
        kinds = (kind for kind in self.pieces if kind not in ("wav", KIND))
        return {kind: text for kind in kinds if (text := self.text(kind)) is not None}

    def as_written(self, kinds: Sequence[str], sums: Mapping[str, str]) -> bool:
        """True if these files are the ones that the sums were taken of, and none came or went."""
        return all(
            (sums.get(kind) is None) if (data := self.bytes_of(kind)) is None else digest(data) == sums.get(kind)
            for kind in kinds
        )


class _Scene:
    def __init__(self, key: Key, pieces: Sequence[SceneFile]) -> None:
        self._key = key
        self._pieces = tuple(pieces)
        self._files = _by_query(pieces)
        self._whole = self._files.pop(WHOLE_SESSION, _Files())
        self._log = read_log(self._whole.text("log") or "")
        self._fields = dict(self._log.queries)
        self._comments_changed = False
        self._damaged: list[str] = []

    def read(self) -> SceneRead:
        if KIND in self._whole.pieces:
            return self._beside(*read_sidecar(self._whole.pieces[KIND].path))
        return self._alone()

    # -- with the rows that lie beside the files ---------------------------------------------------------

    def _beside(self, head: SidecarHead, sides: Sequence[SidecarUtterance]) -> SceneRead:
        side_of = {side.query: side for side in sides}
        ids = {number_of(query): side.utterance.utterance_id for query, side in side_of.items()}
        log_changed = not self._whole.as_written(("log",), head.sha256)
        self._comments_changed = not self._whole.as_written(("com",), head.sha256)
        utterances = [self._merged(side_of[query], ids, log_changed) for query in side_of]
        strangers = [query for query in self._queries() if query not in side_of]
        utterances += [self._from_files(query, head.session) for query in strangers]
        session = session_of(self._log, head.session) if log_changed else head.session
        if not self._whole.as_written(("squ",), head.sha256):
            session = replace(session, questionnaire=_questionnaire(self._whole.text("squ")))
        return self._read_scene(session, utterances, side_of, has_sidecar=True)

    def _merged(self, side: SidecarUtterance, ids: Mapping[int, str], log_changed: bool) -> Utterance:
        """The row beside, except for what the files say since somebody changed them."""
        utterance, files = side.utterance, self._files.get(side.query, _Files())
        texts = files.texts()
        changed = {kinds for kinds in _GROUPS if not files.as_written(kinds, side.sha256)}
        self._look_for_damage(files, {kind for kinds in changed for kind in kinds})
        for kind in ("sro", "lsn", "win"):
            if (kind,) in changed:
                utterance = with_texts(_without(utterance, kind), {kind: texts[kind]} if kind in texts else {})
                utterance = replace(utterance, text_from="annotated") if kind == "sro" else utterance
        if ("cat",) in changed:
            utterance = replace(utterance, class_from="annotated")
            # What the old file said must not shine through where the new one is silent.
            blank = replace(utterance, eval_class=None, tags=(), site_tags=(), reasons=(), context=(), category=None)
            utterance = with_category(blank, texts.get("cat"), lambda number: ids.get(number, ""))
        if _GROUPS[-1] in changed:
            utterance = replace(utterance, references=references_in(texts), sql_from="annotated")
        utterance = with_log(utterance, self._fields.get(side.query, ())) if log_changed else utterance
        return replace(utterance, notes=self._notes(side.query)) if self._comments_changed else utterance

    def _look_for_damage(self, files: _Files, kinds: Collection[str]) -> None:
        for kind, problem in damaged_in({kind: text for kind, text in files.texts().items() if kind in kinds}).items():
            self._damaged.append(f"{files.pieces[kind].path}: {problem}")

    # -- from the files alone ----------------------------------------------------------------------------

    def _alone(self) -> SceneRead:
        session = session_of(self._log, self._blank_session())
        utterances = [self._from_files(query, session) for query in self._queries()]
        timed, utterances = _on_the_sessions_clock(self._log, utterances)
        return replace(self._read_scene(session, utterances, {}), timed=timed)

    def _queries(self) -> list[str]:
        return sorted({*self._files, *(query for query in self._fields if query != WHOLE_SESSION)})

    def _blank_session(self) -> Session:
        return Session(
            session_id=field_of(self._log.header, "Session_Id") or "",
            speaker_id=field_of(self._log.header, "Speaker_Id") or self._key.speaker,
            site="",
            domain="",
            content_sha256="",
            dialect=_DIALECT,
            rule_book="",
            recorded=None,
            wizard_ids=(),
            consent_id=None,
            app_version="",
            closed=True,
            pilot=False,
            manifest_sha256="",
            path=Path(),
            utterances=(),
            questionnaire=_questionnaire(self._whole.text("squ")),
        )

    def _from_files(self, query: str, session: Session) -> Utterance:
        fields = self._fields.get(query, ())
        number, turn = number_of(query), field_of(fields, "Turn") or ""
        self._look_for_damage(self._files.get(query, _Files()), {"cat", "ref", "rf2"})
        blank = Utterance(
            utterance_id=self._id_of(number),
            session_id=session.session_id,
            speaker_id=session.speaker_id,
            turn=int(turn) if re.fullmatch("[0-9]{1,9}", turn) and int(turn) else number,
            scenario_id=field_of(self._log.header, "Scenario"),
            practice=field_of(self._log.header, "Practice") == "yes",
            pilot=session.pilot,
            notes=self._notes(query),
        )
        return from_texts(blank, self._files.get(query, _Files()).texts(), fields, self._id_of)

    def _notes(self, query: str) -> tuple[str, ...]:
        return notes_in(self._whole.text("com") or "").get(query, ())

    def _id_of(self, number: int) -> str:
        query = base36(number, 2)
        given = field_of(self._fields.get(query, ()), "Utterance_Id")
        return given or f"{self._key.speaker}{query}{self._key.session}{self._key.mode}"

    # -- what both have in common ------------------------------------------------------------------------

    def _read_scene(
        self,
        session: Session,
        utterances: Sequence[Utterance],
        side_of: Mapping[str, SidecarUtterance],
        has_sidecar: bool = False,
    ) -> SceneRead:
        ids = {query: side.utterance.utterance_id for query, side in side_of.items()}
        recordings = {
            ids.get(query) or self._id_of(number_of(query)): files.pieces["wav"].path
            for query, files in self._files.items()
            if "wav" in files.pieces
        }
        damaged = tuple(self._damaged)
        return SceneRead(
            session, tuple(utterances), recordings, self._pieces, self._unknown(), has_sidecar, damaged=damaged
        )

    def _unknown(self) -> dict[str, Fields]:
        everything = {"": self._log.header, **self._fields}
        # The answer found at a time of day, or in the middle of the queries, has no place in a row.
        without = set() if counts_from_the_beginning(self._log) else {"answer_found"}
        left = {
            query: tuple((name, value) for name, value in fields if keyword(name) not in KNOWN - without)
            for query, fields in everything.items()
        }
        if self._log.loose:
            left[""] = (*left[""], *(("", words) for words in self._log.loose))
        return {query: fields for query, fields in left.items() if fields}


def _by_query(pieces: Sequence[SceneFile]) -> dict[str, _Files]:
    """The files by query; of several for one thing the last counts, and of two microphones the close one."""
    by_query: dict[str, _Files] = {}
    for piece in pieces:
        files = by_query.setdefault(piece.name.query, _Files())
        before = files.pieces.get(piece.kind)
        if before is None or _rank(piece) >= _rank(before):
            files.pieces[piece.kind] = piece
    return by_query


def _without(utterance: Utterance, kind: str) -> Utterance:
    if kind == "sro":
        return replace(utterance, sro=None)
    return replace(utterance, lsn=None) if kind == "lsn" else replace(utterance, nl_input=None)


def _rank(piece: SceneFile) -> int:
    return "cxs".index(piece.name.microphone) if piece.kind == "wav" else 0


def _read(path: Path) -> bytes:
    with os_errors_as(f"{path} cannot be read", CurtainError, " Repair the copy, and import again."):
        return read_input(path, _LARGEST)


def _decoded(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text.replace("\r\n", "\n")


def _questionnaire(text: str | None) -> tuple[tuple[str, str], ...]:
    """Answers in our notation; any other questionnaire is one text."""
    if text is None:
        return ()
    log = read_log(text)
    if log.header and not log.queries and not log.loose:
        return log.header
    return (("questionnaire.text", text.strip()),)


def _on_the_sessions_clock(log: SessionLog, utterances: Sequence[Utterance]) -> tuple[bool, list[Utterance]]:
    """Stamps of a wall clock count from the first stamp of the log; False if there is none at all."""
    starts = [one.start_ms for one in utterances if one.start_ms is not None]
    if not starts:
        return False, list(utterances)
    if counts_from_the_beginning(log):
        return True, list(utterances)
    # Logs of other laboratories show the time of day, so the first stamp is taken for the beginning.
    zero = min((ms for _, fields in log.queries for _, v in fields if (ms := milliseconds(v)) is not None), default=0)
    return True, [_shifted(one, zero) for one in utterances]


def _shifted(utterance: Utterance, zero: int) -> Utterance:
    return replace(
        utterance,
        start_ms=None if utterance.start_ms is None else utterance.start_ms - zero,
        end_ms=None if utterance.end_ms is None else utterance.end_ms - zero,
        times=tuple((name, ms - zero) for name, ms in utterance.times),
    )
