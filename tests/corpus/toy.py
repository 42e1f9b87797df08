"""Makes the toy corpus by writing bundles with the session library: a study with 6 sessions, 67 turns and a pilot."""

import hashlib
import json
import wave
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from curtain.base.clock import Clock, iso_utc
from curtain.base.hearing import HeardWord
from curtain.base.table import Table
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.annotation.row import Layer, Status
from curtain.corpus.annotation.sro import lsn_of, lsn_of_query
from curtain.session.bundle.bundle import Bundle
from curtain.session.events import subject_events as s
from curtain.session.events import wizard_events as w
from curtain.session.journal.lines import JournalEntry, write_line
from curtain.session.study.ids import split_session_id, utterance_id
from curtain.session.study.study import new_study
from tests.corpus.toy_answers import ANSWERS
from tests.corpus.toy_turns import SITTINGS, Said, Sitting

RATE = 16000
PRE_ROLL_MS = 300
CONTENT_SHA256 = "5" * 64
ALLOWED: dict[str, Any] = {
    "scopes": ["take_part", "keep_audio", "share", "publish", "quote"],
    "signed_on": "2026-03-01",
}


def make_toy(
    folder: Path,
    *,
    site: str = "lab ä",
    annotated: bool = True,
    sittings: Sequence[Sitting] = SITTINGS,
    answers: Mapping[str, Any] | None = None,
) -> Path:
    """The study in `folder`, which must not be there yet; gives the folder. Always the same bytes but for row ids."""
    study = new_study(folder, "personnel")
    text = (folder / "study.toml").read_text("utf-8").replace('site = ""', f'site = "{site}"')
    (folder / "study.toml").write_text(text, "utf-8")
    (folder / "annotation.toml").write_text('[tag.odd-signs]\nmeans = "signs nobody speaks"\n', "utf-8")
    answers = known_answers() if answers is None else answers
    for sitting in sittings:
        about = {
            "wizard_ids": list(sitting.wizards), "domain": "personnel", "domain_content_sha256": CONTENT_SHA256,
            "app_version": "0.1.0", "consent_id": sitting.consent, "pilot": sitting.pilot,
            "principles": sitting.rule_book, "dialect": str(sitting.rule_book),
        }  # fmt: skip
        bundle = Bundle.create(study, sitting.session_id, about)
        _Writer(bundle, sitting, answers).write()
        if annotated:
            _Annotator(bundle, sitting, answers).annotate()
        if sitting.closed:
            bundle.write_manifest()
    return folder


def corrected_at(study: Path, turn_id: str, wall: str) -> None:
    """The wizard's station corrects the answer to this turn at that moment; the session is open."""
    bundle = Bundle(study / "sessions" / turn_id[:6])
    entries = bundle.read_wizard_journal().entries
    sent = next(one for one in entries if one.type == "answer_sent" and one.turn == int(turn_id[7:]))
    again = sent.data | {"sql": "SELECT 2", "sql_min": "SELECT 2", "cas_min": "((2))"}
    entry = msgspec.structs.replace(sent, seq=len(entries) + 1, t_ns=entries[-1].t_ns + 1, wall_utc=wall, data=again)
    with bundle.wizard_journal.open("ab") as file:
        file.write(write_line(entry))


def known_answers() -> dict[str, Any]:
    """The answers of the toy's statements, by statement."""
    return {row["sql"]: row for row in map(json.loads, ANSWERS.read_text("utf-8").splitlines())}


def annotate(bundle: Bundle, sitting: Sitting) -> None:
    """Write what annotators say about a session; its turns must have been played or written before."""
    _Annotator(bundle, sitting, known_answers()).annotate()


def speech(session_id: str, turn: int) -> np.ndarray[Any, np.dtype[np.int16]]:
    """Half a second and more of a quiet tone, another for each turn; never silent for long."""
    frames = RATE // 2 + 160 * turn + int(hashlib.sha256(session_id.encode()).hexdigest()[:2], 16)
    at = np.arange(frames)
    tone = 6000 * np.sin(2 * np.pi * (200 + 7 * turn) * at / RATE) + 500 * np.sin(at * 0.7)
    return tone.astype(np.int16)


def heard_of(query: str, *, shown: bool = True) -> w.WordsHeard:
    """What a recogniser hears that takes the last word for another one; names it hears well."""
    *right, _ = words = query.split() or [""]
    heard = [*right, "whale"] if len(words) > 2 else words
    spoken = tuple(HeardWord(word, 0.1 * at, 0.1 * at + 0.09, 0.5 + 0.01 * at) for at, word in enumerate(heard))
    return w.WordsHeard(words=spoken, model="tiny.en", version="toy 1.0", decoding_s=0.25, shown=shown)


@dataclass
class _Writer:
    """One session's two journals and its recordings, on a clock of its own."""

    bundle: Bundle
    sitting: Sitting
    answers: Mapping[str, Any]
    now_ms: int = 0
    wizard: list[bytes] = field(default_factory=list)
    subject: list[bytes] = field(default_factory=list)

    def write(self) -> None:
        self._open()
        for turn, said in enumerate(self.sitting.turns, 1):
            self._turn(turn, said)
        self._close()
        self.bundle.wizard_journal.write_bytes(b"".join(self.wizard))
        self.bundle.subject_journal.write_bytes(b"".join(self.subject))

    def _entry(self, seq: int, fact: msgspec.Struct, turn: int | None) -> bytes:
        data = msgspec.to_builtins(fact)
        kind = data.pop("type")
        start = datetime.fromisoformat(self.sitting.day).replace(hour=9, tzinfo=UTC)
        wall = iso_utc(start + timedelta(milliseconds=self.now_ms))
        return write_line(JournalEntry(seq, turn, self.now_ms * 1_000_000, wall, kind, data))

    def _wizard(self, fact: w.WizardFact, turn: int | None = None, after_ms: int = 10) -> int:
        self.now_ms += after_ms
        self.wizard.append(self._entry(len(self.wizard) + 1, fact, turn))
        return len(self.wizard)

    def _subject(self, fact: s.SubjectFact, turn: int | None = None, after_ms: int = 10) -> None:
        self.now_ms += after_ms
        self.subject.append(self._entry(len(self.subject) + 1, fact, turn))

    def _open(self) -> None:
        one = self.sitting
        speaker, _ = split_session_id(one.session_id)
        self._wizard(w.WizardEpoch(number=1, app_version="0.1.0", pid=1, session_id=one.session_id), after_ms=0)
        opened = w.SessionOpened(
            session_id=one.session_id, speaker_id=speaker, wizard_ids=list(one.wizards), scenario_ids=[one.scenario],
            pilot=one.pilot,
        )  # fmt: skip
        self._wizard(opened, after_ms=0)
        if one.consent:
            self._wizard(w.ConsentConfirmed(consent_id=one.consent, confirmed_by=one.wizards[0], **ALLOWED))
        self._subject(s.SubjectEpoch(number=1, app_version="0.1.0", pid=2, session_id=one.session_id))
        self._wizard(w.LinkRestored(subject_epoch=1, offset_ns=0, rtt_ns=1000))
        self._subject(s.FormFilled(form="microphone_test", values={"microphone": "replay"}))

    def _scenario(self, scenario: str, practice: bool) -> None:
        seq = self._wizard(w.ScenarioStarted(scenario_id=scenario, number=1, of=1, practice=practice))
        self._subject(s.Painted(what="scenario", id=seq))

    def _turn(self, turn: int, said: Said) -> None:
        practised = turn > 1 and self.sitting.turns[turn - 2].practice
        if turn == 1 or practised:
            self._scenario("practice" if said.practice else self.sitting.scenario, said.practice)
        if said.cleared:
            self._subject(s.HistoryCleared())
        self._speak(turn, said)
        if said.cancelled or said.query is None:
            return
        if not said.typed:
            self._hear(turn, said.query)
        if said.note:
            self._wizard(w.Note(text=said.note), turn)
        if said.nl_input:
            self._wizard(w.DraftShown(drafts=[said.sql or ""], question=said.nl_input, reworded=True), turn)
        if not said.open:
            self._reply(turn, said)

    def _hear(self, turn: int, query: str) -> None:
        self._wizard(w.TakeHeard(), turn, 400)
        if turn % 2:
            self._wizard(heard_of(query, shown=turn % 4 == 1), turn, 200)
        seq = self._wizard(w.QuerySent(text=query, earlier_texts=["taken back"]), turn, 3000)
        self._subject(s.Painted(what="query", id=seq), turn, 30)

    def _speak(self, turn: int, said: Said) -> None:
        if said.typed:
            began, entered = (self.now_ms + 1000) * 1_000_000, (self.now_ms + 4000) * 1_000_000
            self._subject(s.TurnTyped(text=said.query or "", began_ns=began, entered_ns=entered), turn, 4000)
            self._subject(s.Painted(what="one_moment", id=0), turn, 20)
            return
        sound = speech(self.sitting.session_id, turn)
        held = 1000 * len(sound) // RATE - 2 * PRE_ROLL_MS
        down = self.now_ms + 1000
        self._subject(s.KeyDown(source="key", pressed_ns=down * 1_000_000), turn, 1000)
        self._subject(s.KeyUp(released_ns=(down + held) * 1_000_000, held_ms=held), turn, held)
        if said.cancelled:
            self._subject(s.TakeCancelled(reason="cancelled"), turn)
            return
        self._subject(s.Painted(what="one_moment", id=0), turn, 20)
        self._subject(self._saved(turn, said, sound), turn, 350)

    def _saved(self, turn: int, said: Said, sound: np.ndarray[Any, np.dtype[np.int16]]) -> s.TakeSaved:
        path = self.bundle.utterance(utterance_id(self.sitting.session_id, turn))
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(sound.tobytes())
        return s.TakeSaved(
            utterance_id=path.stem, frames=len(sound), sample_rate=RATE,
            sha256=hashlib.sha256(path.read_bytes()).hexdigest(), peak_dbfs=-14.0, clipped=said.clipped,
            key_down_frame=PRE_ROLL_MS * RATE // 1000, key_up_frame=len(sound) - PRE_ROLL_MS * RATE // 1000,
            lost=said.lost,
        )  # fmt: skip

    def _reply(self, turn: int, said: Said) -> None:
        for sql in said.tries:
            self._wizard(w.StatementRun(sql=sql, rows=None, ms=3, error="There is no such column."), turn, 900)
        if said.first is not None:
            seq = self._answer(turn, said, said.first)
            self._wizard(w.Corrected(of_seq=seq), turn)
        if said.message is not None:
            name, text, counts_as = said.message
            message = w.MessageSent(message_id=name, blanks=said.blanks, text=text, counts_as=counts_as)  # type: ignore[arg-type]
            seq = self._wizard(message, turn, 2000)
            self._subject(s.Painted(what="message", id=seq), turn, 30)
        elif said.sql is not None:
            self._answer(turn, said, said.sql)

    def _answer(self, turn: int, said: Said, sql: str) -> int:
        found = self.answers[sql]
        self._wizard(w.StatementRun(sql=sql, rows=found["total"], ms=7), turn, 5000)
        table = Table(headings=["Answer"], rows=found.get("rows", [["..."]]), numeric=[False], total=found["total"])
        parts = {name: found[name] for name in ("sql", "cas_min", "cas_max", "sql_max", "max_error")}
        seq = self._wizard(w.AnswerSent(table=table, yes_no=said.yes_no, **parts), turn, 1500)
        self._subject(s.Painted(what="answer", id=seq), turn, 40)
        return seq

    def _close(self) -> None:
        one = self.sitting
        if not one.closed:
            return
        stated: dict[str, Any] = {}
        if one.solution:
            value, how = one.solution
            stated = {"answer": value, "how": how}
            self._subject(s.SolutionReported(scenario_id=one.scenario, value=value, how=how))  # type: ignore[arg-type]
        reason = "answered" if one.solution else "given_up"
        self._wizard(w.ScenarioEnded(scenario_id=one.scenario, reason=reason, **stated))  # type: ignore[arg-type]
        forms: dict[str, dict[str, str]] = {}
        for name, value in one.questionnaire.items():
            form, _, item = name.rpartition(".")
            forms.setdefault(form or "questionnaire", {})[item] = value
        for form, values in forms.items():
            self._subject(s.FormFilled(form=form, values=values))
        self._wizard(w.DebriefDone())
        self._wizard(w.SessionClosed(reason="finished"))


@dataclass
class _Annotator:
    """What was said about a session afterwards."""

    bundle: Bundle
    sitting: Sitting
    answers: Mapping[str, Any]

    def annotate(self) -> None:
        layers = Layers(self.bundle)
        rows = [row for turn, said in enumerate(self.sitting.turns, 1) for row in self._rows(turn, said)]
        layers.add_all(rows)

    def _rows(self, turn: int, said: Said) -> Iterator[Any]:
        if not said.annotated:
            return
        category = self._category(turn, said)
        yield self._row(turn, "category", category)
        if said.other is not None:
            yield self._row(turn, "category", {**category, **said.other}, by="w2")
        if said.ruled is not None:
            yield self._row(turn, "category", {**category, **said.ruled}, by="judge", status="adjudicated")
        if said.query is not None:
            sro = said.sro or spoken(said.query)
            yield self._row(turn, "transcription", {"sro": sro, "lsn": lsn_of(sro)})
        if said.sql is not None:
            yield self._row(turn, "sql", {"references": self._references(said), "yes_no": said.yes_no})
        if said.redact is not None:
            start = (said.query or "").index(said.redact)
            span = {"kind": "name", "start_ms": 320, "end_ms": 480, "start_char": start}
            span["end_char"] = start + len(said.redact)
            yield self._row(turn, "redaction", {"spans": [span]})

    def _category(self, turn: int, said: Said) -> dict[str, Any]:
        tags = [*said.tags, *(["wizard-error"] if said.first else [])]
        reasons = [*said.reasons, *(["no_database_answer"] if said.message and not said.reasons else [])]
        return {
            "category": said.category,
            "eval_class": said.eval_class,
            "tags": tags,
            "site_tags": list(said.site_tags),
            "reasons": reasons,
            "context": [{"utterance_id": self._id(turn - back), "to": to} for back, to in said.context],
        }

    def _references(self, said: Said) -> list[dict[str, Any]]:
        readings = said.readings or ((said.sql or "", 1.0, "any"),)
        return [self._reference(*reading) for reading in readings]

    def _reference(self, sql: str, weight: float, reads: str) -> dict[str, Any]:
        found = self.answers[sql]
        parts = {name: found[name] for name in ("cas_min", "cas_max", "sql_max")}
        return {"sql_min": sql, **parts, "weight": weight, "reads": reads}

    def _id(self, turn: int) -> str:
        return utterance_id(self.sitting.session_id, turn)

    def _row(self, turn: int, layer: Layer, value: dict[str, Any], by: str = "w1", status: Status = "final") -> Any:
        moment = datetime.fromisoformat(self.sitting.day).replace(hour=17, tzinfo=UTC) + timedelta(minutes=turn)
        return new_row(self._id(turn), layer, value, by, Clock(wall=lambda: moment), status=status)


def spoken(query: str) -> str:
    """A plain transcription of a typed query: small letters, figures one by one."""
    words = []
    for word in lsn_of_query(query).lower().split():
        figures = [_FIGURES[sign] for sign in word if sign in _FIGURES]
        words += figures or [word]
    return " ".join(words)


_WORDS = ("oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_FIGURES = {str(figure): word for figure, word in enumerate(_WORDS)}
