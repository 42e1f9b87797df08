"""What judges are shown: query and response in pairs, in order within their session (papers/004, "Log file
evaluation"), without a word on condition, wizard or speaker."""

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import structs

from curtain.base.errors import CurtainError
from curtain.base.record_file import by_name
from curtain.base.table import Table
from curtain.corpus.exports.recordings import encoded
from curtain.corpus.model.corpus import BundleCorpus
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.filters import HIDDEN
from curtain.corpus.model.reader import read_with_record
from curtain.corpus.model.utterance import REDACTED, Session, Utterance
from curtain.corpus.redaction.hidden_words import HiddenWords
from curtain.corpus.redaction.session_secrets import session_secrets
from curtain.corpus.redaction.utterances import redacted_text
from curtain.domain.pack.pack import PackError
from curtain.session.bundle.checks import ensure_unaltered
from curtain.session.events import wizard_events

SYSTEM_ERROR = "system error message"
_KEYS = ("scenario", "session", "speaker", "condition", "split")


@dataclass(frozen=True)
class Selection:
    """Which pairs are judged: for each key the names that are taken, all where a key is missing."""

    names: Mapping[str, frozenset[str]]

    def takes(self, session: Session, utterance: Utterance) -> bool:
        """Whether a pair is judged."""
        run = session.scenario_of(utterance)
        of_pair = {
            "scenario": utterance.scenario_id or "",
            "session": session.session_id,
            "speaker": session.speaker_id,
            "condition": getattr(run, "condition_id", None) or "",
            "split": utterance.split,
        }
        return all(of_pair[key] in names for key, names in self.names.items())


@dataclass(frozen=True)
class JudgedItem:
    """One pair. `id` and `session` are opaque: ids of sessions would show a judge the order of the conditions.

    `query` is what the subject said, None where nobody has typed it; `table` or `message` is what the subject saw.
    `filled` is the label of correctness that the session itself knows.
    """

    id: str
    session: str
    number: int
    scenario: str
    query: str | None
    table: Table | None
    message: str | None
    filled: str
    wav: bytes | None
    behind: str | None = None
    """The statement of the wizard, where the study lets judges see it."""

    def content(self) -> dict[str, Any]:
        """What a judge sees, for JSON."""
        return {
            **by_name(self, "id", "session", "number", "scenario", "query"),
            "table": by_name(self.table, "headings", "rows", "total") if self.table else None,
            **by_name(self, "message", "filled", "behind"),
            "audio_sha256": hashlib.sha256(self.wav).hexdigest() if self.wav is not None else None,
        }

    @property
    def sha256(self) -> str:
        """Names the content: a packet whose item has another one was changed."""
        return content_sha256(self.content())


def content_sha256(content: Mapping[str, Any]) -> str:
    """The checksum of an item's content, in a form that does not depend on how it was written down."""
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class ItemSource:
    """An item and where it comes from, which only whoever made the packets knows."""

    item: JudgedItem
    utterance_id: str
    session_id: str
    study: str


def read_selection(text: str) -> Selection:
    """`scenario=2,condition=robust` as a selection; a key that stands twice takes both names. Raises CurtainError."""
    names: dict[str, set[str]] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, equals, name = (piece.strip() for piece in part.partition("="))
        if not equals or key not in _KEYS or not name:
            raise CurtainError(f"--items {part} cannot be; write KEY=NAME with one of {', '.join(_KEYS)}.")
        names.setdefault(key, set()).add(name)
    return Selection({key: frozenset(of_key) for key, of_key in names.items()})


def items_of(corpus: BundleCorpus, selection: Selection, *, seed: int, with_sql: bool = False) -> Iterator[ItemSource]:
    """The pairs of a corpus, session after session. Cancelled turns and turns without a response are no pairs; a pair
    is left out, and counted by the corpus, where nothing of the question or of the message can be read.

    Consent and redaction are those of the corpus. Raises CurtainError for a session that cannot be read or was altered.
    """
    for session in corpus.sessions():
        replied = [one for one in session.utterances if one.outcome in ("answer", "message") and not one.practice]
        pairs = [one for one in replied if selection.takes(session, one)]
        hidden = {one.utterance_id: HIDDEN for one in pairs if one.is_hidden or one.message == REDACTED}
        corpus.counts.leave_out(session, hidden)
        if taken := [one for one in pairs if one.utterance_id not in hidden]:
            # Recordings go along.
            ensure_unaltered(session.path)
            yield from _items(session, taken, corpus.domains, seed, with_sql)


def _items(
    session: Session, taken: Sequence[Utterance], domains: Domains, seed: int, with_sql: bool
) -> Iterator[ItemSource]:
    tables = shown_tables(session.path, domains)
    scenarios = _scenario_texts(session, domains)
    opaque = hashlib.sha256(f"{seed} {session.session_id}".encode()).hexdigest()[:8]
    for number, utterance in enumerate(taken, 1):
        item = JudgedItem(
            id=f"{opaque}-{number:03}",
            session=opaque,
            number=number,
            scenario=scenarios.get(utterance.scenario_id or "", ""),
            query=utterance.words_left,
            table=tables.get(utterance.turn) if utterance.outcome == "answer" else None,
            message=utterance.message if utterance.outcome == "message" else None,
            filled=SYSTEM_ERROR if utterance.outcome == "message" and utterance.counts_as == "no_answer" else "",
            wav=_wav(utterance),
            behind=(utterance.references[0].sql_min if utterance.references else None) if with_sql else None,
        )
        yield ItemSource(item, utterance.utterance_id, session.session_id, str(session.path.parent.parent))


def _scenario_texts(session: Session, domains: Domains) -> dict[str, str]:
    """What the subjects read, by scenario; none where the pack is not on this machine."""
    try:
        return {scenario.id: scenario.text for scenario in domains.pack(session.domain).scenarios}
    except PackError:
        return {}


def _wav(utterance: Utterance) -> bytes | None:
    """The recording as it may leave; None where there is none, or where all of it is hidden."""
    return None if utterance.audio is None or utterance.redacted == "whole" else encoded(utterance)


def shuffled_sessions(items: Sequence[JudgedItem], judge: str, seed: int) -> list[JudgedItem]:
    """The items as one judge gets them: sessions in an order of the judge's own, the order within a session kept."""
    sessions = list(dict.fromkeys(item.session for item in items))
    # The name is part of the seed, so that one more judge changes nobody's order.
    random.Random(f"{seed} {judge}").shuffle(sessions)
    return [item for session in sessions for item in items if item.session == session]


def shown_tables(bundle: Path, domains: Domains) -> Mapping[int, Table]:
    """The table that was sent last, by turn. Raises as `curtain.corpus.model.reader.read_session`."""
    session, record = read_with_record(bundle, domains)
    hidden, _ = session_secrets(session.utterances)
    return {
        entry.turn: _table(fact.table, hidden)
        for entry, fact, _ in record.wizard
        if isinstance(fact, wizard_events.AnswerSent) and entry.turn is not None
    }


def _table(sent: Table, hidden: HiddenWords) -> Table:
    def cleaned(texts: list[str]) -> list[str]:
        return [redacted_text(text, hidden) or "" for text in texts]

    return structs.replace(sent, headings=cleaned(sent.headings), rows=list(map(cleaned, sent.rows)))
