"""From a session's folder to its utterances: the journals say what happened, the annotation layers what it counts for.

Where nobody has annotated yet, what the live session knows stands in: the query, the answer sent as reference, the
canned message, the tags that follow from them, and that a turn without a database answer is excluded.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from curtain.base.input_file import real_path
from curtain.corpus.annotation.layers import Layers, StandingRows
from curtain.corpus.annotation.row import LAYERS, Layer, LayerRow
from curtain.corpus.annotation.sro import lsn_of, lsn_of_query
from curtain.corpus.annotation.values import (
    CategoryValue,
    NoteValue,
    RedactionValue,
    ReferencesValue,
    TranscriptionValue,
    value_of,
)
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.gate import ensure_redactions
from curtain.corpus.model.solutions import runs_with_solutions
from curtain.corpus.model.utterance import AT_END, REDACTED, Origin, Redaction, Reference, Session, Split, Utterance
from curtain.corpus.redaction.hidden_words import HiddenWords
from curtain.corpus.redaction.session_secrets import session_secrets
from curtain.corpus.redaction.texts import cut, leaving
from curtain.corpus.redaction.utterances import TurnSecrets, redacted_references, redacted_text
from curtain.session.bundle.bundle import Bundle
from curtain.session.consent import SCOPES, ConsentState
from curtain.session.events import subject_events, wizard_events
from curtain.session.events.facts import FactLine
from curtain.session.events.speaker import SpeakerDescription
from curtain.session.journal.journals import Journals
from curtain.session.journal.lines import JournalEntry
from curtain.session.study.design import SubjectPlan
from curtain.session.study.languages import ENGLISH
from curtain.session.turns.session_timeline import SessionTimeline, timeline_of
from curtain.session.turns.turns import SessionRecord, Turn, record_of
from curtain.session.untrusted_files import sha256_of

_Fact = TypeVar("_Fact")
BrokenTurns = Callable[[Session], frozenset[int]]

NO_DATABASE_ANSWER = "no_database_answer"
"""The reason of papers/003 appendix A.4 a: the wizard gave no database answer."""

# Tags of turns that the tags of 1991 have no word for go among the site's own.
_TAGS = {"wizard-error": "wizard-error", "truncated": "trunc-utt"}


_REPLIES = (wizard_events.AnswerSent, wizard_events.MessageSent)
_ROW = frozenset(field.name for field in fields(Utterance))
"""A fact of a turn with one of these names is the utterance's as it stands, where nothing else is said."""
_JUDGED: tuple[Layer, ...] = ("category", "sql", "cas")
"""The layers that are said about the answer which the subject got."""


@dataclass(frozen=True)
class Prefill:
    """What the live session knows of a turn before anybody annotates."""

    category: CategoryValue
    references: ReferencesValue


def prefill(turn: Turn) -> Prefill:
    """What an annotator finds filled in: the answer sent as reference, tags, and the exclusion that needs no ruling."""
    reply = turn.reply
    answered = turn.outcome == "answer" and reply is not None
    yes_no = answered and reply is not None and reply.yes_no
    references: tuple[Reference, ...] = ()
    if answered and reply is not None and reply.cas_min is not None:
        references = (Reference(reply.sql_min, reply.cas_min, reply.sql_max, reply.cas_max),)
    tags = [_TAGS[tag] for tag in turn.tags if tag in _TAGS]
    tags += ["yes/no"] if yes_no else []
    site_tags = tuple(tag for tag in turn.tags if tag not in _TAGS)
    category = CategoryValue(tags=tuple(tags), site_tags=site_tags)
    if reply is not None and reply.system is not None:
        # What a system under test says is a hypothesis: it is no reference, and its silence puts nothing into class X.
        return Prefill(category, ReferencesValue(references=(), yes_no=yes_no))
    if not answered:
        tags.append("cancelled" if turn.outcome == "cancelled" else "unanswerable")
        category = CategoryValue(
            category="X", eval_class="X", tags=tuple(tags), site_tags=site_tags, reasons=(NO_DATABASE_ANSWER,)
        )
    return Prefill(category, ReferencesValue(references=references, yes_no=yes_no))


def read_session(
    bundle: Path,
    *,
    site: str = "",
    language: str = ENGLISH,
    splits: Mapping[str, Split] | None = None,
    domains: Domains | None = None,
    journals: Journals | None = None,
    broken_turns: BrokenTurns | None = None,
) -> Session:
    """A session with its utterances as they may leave. `language` is for sessions that do not name theirs;
    `splits` is by speaker; `domains` saves loading packs again, and `journals` reading those. `broken_turns` says of
    the session as an annotator sees it which turns break a rule.

    Raises CurtainError, BundleUnreadable, JournalUnreadable, CurtainError, BadValue, CurtainError.
    """
    ensure_redactions(bundle)
    reader = _Reader(Bundle(bundle), domains or Domains(), journals, language=language)
    seen = reader.session(site, splits or {})
    # Without a layer there is nothing that could break a rule.
    check = broken_turns if Bundle(bundle).annotations.is_dir() else None
    breaking = check(_with_all_words(seen)) if check else frozenset[int]()
    blanks = {turn.turn: _blanks(turn) for turn in reader.turns}
    return session_without_secrets(replace(seen, breaking=breaking), blanks)


def read_for_annotation(bundle: Path, *, domains: Domains | None = None) -> tuple[Session, tuple[Prefill, ...]]:
    """A session as whoever annotates it must see and hear it, nothing redacted, and what is filled in for each turn.

    Not for exports. Raises as `read_session`.
    """
    session, record = read_with_record(bundle, domains or Domains())
    return session, tuple(map(prefill, record.turns))


def read_with_record(bundle: Path, domains: Domains) -> tuple[Session, SessionRecord]:
    """The same session, and what its journals say. Not for exports. Raises as `read_session`."""
    reader = _Reader(Bundle(bundle), domains, None)
    return _with_all_words(reader.session("", {})), reader.record


def read_whole_turns(bundle: Bundle, domains: Domains, journals: Journals) -> list[Turn]:
    """The turns of a session of which an export would hold query, statement and references as they are. Raises as
    `read_session`."""
    ensure_redactions(bundle.path)
    reader = _Reader(bundle, domains, journals)
    seen = reader.session("", {})
    left = session_without_secrets(seen, {})
    pairs = zip(seen.utterances, left.utterances, strict=True)
    whole = {before.turn for before, after in pairs if _learned(before) == _learned(after)}
    return [turn for turn in reader.turns if turn.turn in whole]


_learned = attrgetter("query", "sro", "redactions", "references", "sent_sql")


def read_timeline(bundle: Path) -> SessionTimeline:
    """A session as it ran, with the parts of its recordings that are hidden. Raises as `read_session`."""
    session, record = read_with_record(bundle, Domains())
    takes = {turn.turn: turn.take for turn in record.turns}
    hidden = {
        spoken.turn: [span.silence(take.frames * 1000 // take.sample_rate, 1000) for span in spoken.redactions]
        for spoken in session.utterances
        if (take := takes[spoken.turn]) is not None
    }
    return timeline_of(session.session_id, record, bundle, hidden)


class _Reader:
    """One session: both journals read once, and each annotation layer."""

    def __init__(self, bundle: Bundle, domains: Domains, journals: Journals | None, *, language: str = ENGLISH) -> None:
        self._bundle = bundle
        self._domains = domains
        self._about = bundle.read_session_json()
        journals = journals or Journals(bundle.path)
        record = self.record = record_of(journals.subject.entries, journals.wizard.entries)
        layers = Layers(bundle)
        self._standing: dict[Layer, StandingRows] = {layer: layers.standing(layer) for layer in LAYERS}
        self.turns, self._scenarios = record.turns, record.scenarios
        self._subject, self._wizard = record.subject, record.wizard
        self._asked = _nl_inputs(self._wizard)
        self._answered_at = {
            line.entry.turn: line.entry.wall_utc for line in self._wizard if isinstance(line.fact, _REPLIES)
        }
        self._opened = next(iter(_facts(self._wizard, wizard_events.SessionOpened)), None)
        self._language = str(self._about.get("language") or (self._opened and self._opened.language) or language)

    def session(self, site: str, splits: Mapping[str, Split]) -> Session:
        """Nothing redacted, and no utterance with its words alone yet."""
        opened = self._opened
        speaker = str(self._about.get("speaker_id") or (opened.speaker_id if opened else self._name[:3]))
        pilot = bool(self._about.get("pilot")) or (opened is not None and opened.pilot)
        split: Split = "none" if pilot else splits.get(speaker, "none")
        return self._described(speaker, site, pilot, tuple(self._utterance(turn, pilot, split) for turn in self.turns))

    @property
    def _name(self) -> str:
        return str(self._about.get("session_id") or real_path(self._bundle.path).name)

    def _described(self, speaker: str, site: str, pilot: bool, utterances: tuple[Utterance, ...]) -> Session:
        about, opened = self._about, self._opened
        domain, year = str(about.get("domain") or ""), about.get("principles")
        wizards = about.get("wizard_ids") or (opened.wizard_ids if opened else [])
        wizards = [*wizards, *_joined(self._wizard)] if isinstance(wizards, list) else []
        dialect = about.get("dialect") or self._domains.dialect(domain, year if isinstance(year, int) else None)
        return Session(
            session_id=self._name,
            speaker_id=speaker,
            site=site,
            domain=domain,
            content_sha256=str(about.get("domain_content_sha256") or ""),
            dialect=str(dialect),
            rule_book=str(year or ""),
            recorded=_day(self._wizard),
            wizard_ids=tuple(dict.fromkeys(map(str, wizards))),
            **_consent(self._subject, self._wizard, about),
            app_version=str(about.get("app_version") or ""),
            closed=self._bundle.state == "closed",
            pilot=pilot,
            manifest_sha256=sha256_of(self._bundle.manifest) if self._bundle.state == "closed" else "",
            path=self._bundle.path,
            utterances=utterances,
            scenarios=runs_with_solutions(self._scenarios, self._bundle.path, self._name, domain, self._domains),
            questionnaire=_questionnaire(self._subject),
            wizard_questionnaire=_answers_of(_facts(self._wizard, wizard_events.WizardFormFilled)),
            speaker=_speaker(self._wizard, about),
            pauses=self.record.pauses,
            language=self._language,
            planned=_planned(about, opened),
            analysis=dict(opened.analysis) if opened else {},
            annotations_sha256=_sha256([self._bundle.annotations / f"{layer}.jsonl" for layer in LAYERS]),
        )

    def _utterance(self, turn: Turn, pilot: bool, split: Split) -> Utterance:
        audio = self._bundle.path / turn.audio if turn.audio else None
        # Listed and not there: the other facts of the turn are worth keeping.
        if audio is not None and not audio.is_file():
            audio = None
        reply = turn.reply
        known = {name: fact for name, fact in turn.facts.items() if name in _ROW} | _span(turn)
        known |= {
            "session_id": turn.session_id or self._name,
            "audio": audio,
            # What a recogniser heard is no transcription.
            "query": turn.query if turn.query_by in ("wizard", "subject") else None,
            "nl_input": self._asked.get(turn.turn),
            "wizard_latency_ms": _latency(turn),
            "language": self._language,
            "pilot": pilot,
            # Practice is in no split, since the subject was still learning.
            "split": "none" if turn.practice else split,
            "times": tuple((name, ms) for name, ms in turn.times.items() if ms is not None),
            "hypothesis": _words(turn.hypothesis, None, self._language),
            "sent_sql": (reply.sql_min or None) if reply and turn.outcome == "answer" else None,
            "answered_since": self._is_answered_since(turn),
        }
        return Utterance(**known | self._annotation(turn, prefill(turn)))

    def _current(self, layer: Layer, utterance_id: str) -> LayerRow | None:
        return self._standing[layer].current(utterance_id)

    def _is_answered_since(self, turn: Turn) -> bool:
        rows = (self._current(layer, turn.utterance_id) for layer in _JUDGED)
        return any(row is not None and self._is_before_answer(row, turn) for row in rows)

    def _is_before_answer(self, row: LayerRow, turn: Turn) -> bool:
        # An open session may be annotated while its wizard still corrects answers.
        return bool(turn.corrections) and row.at_utc < self._answered_at.get(turn.turn, "")

    def _judged(self, layer: Layer, turn: Turn) -> LayerRow | None:
        """What counts in a layer that judges the answer; nothing that was said about an answer before the last."""
        row = self._current(layer, turn.utterance_id)
        return None if row is None or self._is_before_answer(row, turn) else row

    def _annotation(self, turn: Turn, before: Prefill) -> dict[str, Any]:
        """The fields of an utterance that annotators fill in."""
        utterance_id = turn.utterance_id
        judged, answered = self._judged("category", turn), self._answers(turn)
        written = self._current("transcription", utterance_id)
        category = value_of(judged, CategoryValue) or before.category
        answers = value_of(answered, ReferencesValue) or before.references
        words = value_of(written, TranscriptionValue)
        note = value_of(self._current("note", utterance_id), NoteValue)
        # Class X is not scored, so that a reference left from before would mislead whoever counts them.
        references = () if category.eval_class == "X" else answers.references
        classed = category.eval_class is not None or category.category is not None
        return dict(
            sro=words.sro if words else None,
            **msgspec.structs.asdict(category),
            references=references,
            yes_no=answers.yes_no,
            text_from=_origin(written),
            sql_from=_origin(answered) if references else None,
            class_from=_origin(judged) if classed else None,
            notes=(*turn.notes, *([note.text] if note else [])),
            annotators=self._annotators(utterance_id),
            redactions=self._redactions(utterance_id),
        )

    def _answers(self, turn: Turn) -> LayerRow | None:
        """An answer written by hand and one from SQL: a ruling first, else what was said last."""
        rows = [row for row in (self._judged("sql", turn), self._judged("cas", turn)) if row]
        return max(rows, key=lambda row: (row.status == "adjudicated", row.at_utc), default=None)

    def _annotators(self, utterance_id: str) -> tuple[str, ...]:
        rows = (row for one in self._standing.values() for row in one.by_utterance.get(utterance_id, ()))
        return tuple(sorted({row.by for row in rows if row.status != "draft" and row.value}))

    def _redactions(self, utterance_id: str) -> tuple[Redaction, ...]:
        """What anybody wants hidden is hidden, drafts too, until an adjudicator rules otherwise."""
        standing = self._standing["redaction"]
        ruling = standing.ruling(utterance_id)
        rows = (ruling,) if ruling else standing.by_utterance.get(utterance_id, ())
        values = [value_of(row, RedactionValue) for row in rows]
        return tuple(dict.fromkeys(span for value in values if value for span in value.spans))


def _planned(about: Mapping[str, Any], opened: wizard_events.SessionOpened | None) -> tuple[tuple[str, str], ...]:
    """(scenario, condition) as they were to be; none for a session without conditions."""
    try:
        plan = opened.plan if opened else msgspec.convert(about.get("plan"), SubjectPlan | None)
    except msgspec.ValidationError:
        return ()
    return tuple((run.scenario_id, run.condition_id) for run in plan.runs) if plan else ()


def _blanks(turn: Turn) -> Sequence[str]:
    """What was filled into a canned message; a system's message is all its own."""
    reply = turn.reply
    if reply is None:
        return ()
    return (reply.message or "",) if reply.system else tuple(reply.blanks.values())


def _origin(row: LayerRow | None) -> Origin:
    """Who says what counts in a layer, given the row that counts."""
    if row is None or not row.value:
        return "live"
    return "ruled" if row.status == "adjudicated" else "annotated"


def _with_all_words(session: Session) -> Session:
    return replace(session, utterances=tuple(map(_with_words, session.utterances)))


def _with_words(seen: Utterance) -> Utterance:
    origin = _words_from(seen, seen.query, seen.sro)
    return replace(seen, lsn=_words(seen.query, seen.sro, seen.language), text_from=origin)


def _words_from(seen: Utterance, query: str | None, sro: str | None) -> Origin | None:
    """Without a transcription, or where it is withheld, the words are those that wizard or subject typed."""
    if sro is not None:
        return seen.text_from
    by_hand: Origin = "typed" if seen.modality == "text" else "live"
    return by_hand if query is not None else None


def _words(query: str | None, sro: str | None, language: str) -> str | None:
    """The words alone, from the transcription, or from the query until there is one."""
    if sro is not None:
        return lsn_of(sro, language)
    return lsn_of_query(query, language) if query is not None else None


# -- without secrets -----------------------------------------------------------------------------------


def session_without_secrets(session: Session, blanks: Mapping[int, Sequence[str]]) -> Session:
    """Of each turn what may leave; what is hidden in any turn goes from all that was written in the session."""
    if not any(one.redactions for one in session.utterances):
        return _with_all_words(session)
    hidden, of_turn = session_secrets(session.utterances)
    speaker = session.speaker
    return replace(
        session,
        utterances=tuple(
            _without_secrets(one, of_turn[one.utterance_id], blanks.get(one.turn, ())) for one in session.utterances
        ),
        scenarios=tuple(replace(one, answer=redacted_text(one.answer, hidden)) for one in session.scenarios),
        questionnaire=tuple((name, _answer(name, value, hidden)) for name, value in session.questionnaire),
        wizard_questionnaire=tuple((name, _clean(value, hidden)) for name, value in session.wizard_questionnaire),
        speaker=replace(speaker, region=redacted_text(speaker.region, hidden)) if speaker else None,
    )


def _without_secrets(seen: Utterance, secrets: TurnSecrets, blanks: Sequence[str]) -> Utterance:
    redactions = secrets.redactions or seen.redactions
    left = leaving(seen.query, seen.sro, redactions)
    references = redacted_references(seen.references, secrets)
    # A site's own replacement reads well in a text, but among the words of a recogniser it would be one.
    plain = [replace(one, replacement=REDACTED) for one in left.redactions]
    sro = None if left.sro is None else cut(seen.sro, plain, "sro")
    looked_at: dict[str, Any] = {
        "query": left.query,
        "sro": left.sro,
        "lsn": _words(cut(seen.query, plain, "query"), sro, seen.language),
        "text_from": _words_from(seen, left.query, left.sro),
        "redactions": left.redactions,
        "references": references,
        "sent_sql": seen.sent_sql if secrets.may_leave(seen.sent_sql) else None,
        "sql_from": seen.sql_from if references else None,
        "message": secrets.message(seen.message, blanks),
        "nl_input": secrets.tied_text(seen.nl_input),
        "notes": tuple(map(secrets.note, seen.notes)),
    }
    if not secrets.hidden.is_empty:
        # Texts that no rule knows: a new field leaves no session with hidden words before it has one.
        # What a recogniser heard has other words than the text in which something is hidden, and may sound like them.
        texts = (one for one in _texts_in(seen) if one not in looked_at and one not in _WITHOUT_WORDS)
        seen = seen.cleared(*texts, "decoding_s")
        looked_at["times"] = tuple(moment for moment in seen.times if moment[0] != "words_shown")
    return replace(seen, **looked_at)


_WITHOUT_WORDS = frozenset((
    "utterance_id", "session_id", "speaker_id", "scenario_id", "category", "eval_class", "tags", "site_tags",
    "reasons", "context", "outcome", "message_id", "counts_as", "annotators", "split", "times", "class_from",
    "condition_id", "answered_by", "language", "modality",
))  # fmt: skip


def _texts_in(seen: Utterance) -> list[str]:
    return [one.name for one in fields(seen) if isinstance(getattr(seen, one.name), str | tuple)]


def _clean(text: str, hidden: HiddenWords) -> str:
    return redacted_text(text, hidden) or ""


def _answer(name: str, value: str, hidden: HiddenWords) -> str:
    # Whether the data may be kept is no text: with “withdraw” among the hidden words, nobody would have withdrawn.
    return value if name.startswith(f"{subject_events.DISCLOSURE}.") else _clean(value, hidden)


# -- from the journals ---------------------------------------------------------------------------------


def _facts(lines: Iterable[FactLine], kind: type[_Fact]) -> Iterable[_Fact]:
    return (line.fact for line in lines if isinstance(line.fact, kind))


def _joined(wizard: Sequence[FactLine]) -> list[str]:
    """Who sat in a chair of the session and could touch a turn."""
    chairs = _facts(wizard, wizard_events.ChairJoined)
    return [fact.wizard_id for fact in chairs if fact.chair != "observer"]


def _span(turn: Turn) -> dict[str, int]:
    """Frames and rate, start and end in ms since the session began. A file begins before its key went down."""
    take = turn.take
    if take is None:
        return {}
    span = {"frames": take.frames, "sample_rate_hz": take.sample_rate}
    down = turn.times.get("key_down")
    if down is None or take.sample_rate <= 0:
        return span
    start = down - _ms(getattr(take, "key_down_frame", 0), take.sample_rate)
    return {**span, "start_ms": start, "end_ms": start + _ms(take.frames, take.sample_rate)}


def _ms(frames: int, rate: int) -> int:
    # Rounded half up in whole numbers; Python's round() goes to the even one.
    return (2000 * frames + rate) // (2 * rate)


def _latency(turn: Turn) -> int | None:
    """Milliseconds from the release of the key to the first reply: until then the subject waited."""
    released = turn.times.get("key_up")
    first = next(iter(turn.corrections), turn.reply)
    return None if released is None or first is None else first.sent - released


def _nl_inputs(wizard: Sequence[FactLine]) -> dict[int, str]:
    """What the NL tool was asked last, by turn."""
    return {
        line.entry.turn: line.fact.question
        for line in wizard
        if line.entry.turn is not None and isinstance(line.fact, wizard_events.DraftShown) and line.fact.question
    }


def _day(wizard: Sequence[FactLine]) -> str | None:
    opened = next((line.entry for line in wizard if line.entry.type == "session_opened"), None)
    return opened.wall_utc[:10] if opened and opened.wall_utc else None


def consent_in(bundle: Bundle, subject: Sequence[JournalEntry], wizard: Sequence[JournalEntry]) -> ConsentState:
    """Where the consent of a session stands by its journals alone. Raises BundleUnreadable."""
    # A thousandth of the lines is about it.
    lines = record_of(*([one for one in entries if one.type in _OF_CONSENT] for entries in (subject, wizard)))
    agreed = _consent(lines.subject, lines.wizard, bundle.read_session_json())
    withdrew = dict(_questionnaire(lines.subject)).get(AT_END) == subject_events.WITHDRAW[1]
    return ConsentState(agreed["consent_id"] or "", agreed["consent_scopes"], withdrew, agreed["undisclosed"])


_OF_CONSENT = ("session_opened", "consent_confirmed", "form_filled")


def _consent(subject: Sequence[FactLine], wizard: Sequence[FactLine], about: Mapping[str, Any]) -> dict[str, Any]:
    """Form, scopes, day, and whether it was disclosed who answered: the journal says it last, or session.json of an
    imported session."""
    form_id, scopes, signed = (about.get(name) for name in ("consent_id", "consent_scopes", "consent_signed_on"))
    for fact in _facts(wizard, wizard_events.ConsentConfirmed):
        form_id, scopes, signed = fact.consent_id, fact.scopes, fact.signed_on
    planned = next((fact.disclose for fact in _facts(wizard, wizard_events.SessionOpened)), None)
    return {
        "consent_id": str(form_id) if form_id else None,
        "consent_scopes": tuple(one for one in SCOPES if one in scopes) if isinstance(scopes, list) else None,
        "consent_signed_on": signed if isinstance(signed, str) else None,
        # A session that did not plan it may be of a study that wants it since.
        "undisclosed": False if _disclosed(_facts(subject, subject_events.FormFilled)) else planned or None,
    }


def _speaker(wizard: Sequence[FactLine], about: Mapping[str, Any]) -> SpeakerDescription | None:
    """What was noted about the speaker: the journal says it last, or session.json of an imported session."""
    noted = [fact.speaker for fact in _facts(wizard, wizard_events.SpeakerDescribed)]
    if noted:
        return noted[-1]
    try:
        return msgspec.convert(about.get("speaker"), SpeakerDescription | None)
    except msgspec.ValidationError:
        return None


def _questionnaire(subject: Sequence[FactLine]) -> tuple[tuple[str, str], ...]:
    """What the subject answered. The station's own pages are no questions: they say which microphone was tested."""
    filled = [one for one in _facts(subject, subject_events.FormFilled) if one.form not in subject_events.STATION_PAGES]
    # Earlier stations let the last page pass without an answer, and did not say so.
    asked = [subject_events.FormFilled(form=one, values={subject_events.WITHDRAW[0]: ""}) for one in _disclosed(filled)]
    return _answers_of((*asked, *filled))


def _disclosed(filled: Iterable[subject_events.FormFilled]) -> list[str]:
    return [one.form for one in filled if one.form == subject_events.DISCLOSURE and one.complete]


def _answers_of(
    forms: Iterable[subject_events.FormFilled | wizard_events.WizardFormFilled],
) -> tuple[tuple[str, str], ...]:
    # Answers come one a line; of an item that was answered again, the later answer counts.
    return tuple({f"{form.form}.{name}": value for form in forms for name, value in form.values.items()}.items())


def _sha256(paths: Sequence[Path]) -> str:
    """Of files one after another; "" if there is none of them."""
    digest, any_there = hashlib.sha256(), False
    for path in paths:
        try:
            # With its name: the same rows in another layer are another annotation.
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
            any_there = True
        except FileNotFoundError:
            continue
    return digest.hexdigest() if any_there else ""
