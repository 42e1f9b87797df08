"""The turns of a study as the live sessions left them: what was heard, asked, answered and shown, unredacted."""

from dataclasses import dataclass, replace
from pathlib import Path

from curtain.base.input_file import real_path
from curtain.base.table import Table
from curtain.corpus.annotation.checks import year_of
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import prefill, read_with_record
from curtain.corpus.model.utterance import Session, Utterance
from curtain.domain.pack.pack import PackError
from curtain.domain.pack.reader import Scenario
from curtain.session.bundle.bundle import Bundle
from curtain.session.events import wizard_events
from curtain.session.turns.turns import Turn, data_turns


@dataclass(frozen=True)
class LiveTurn:
    """One turn. `utterance` carries what the live session knows and nothing that was annotated; `table` is the answer
    as the subject saw it last, `scenario` what the subject worked on, None where its pack is not here."""

    utterance: Utterance
    turn: Turn
    table: Table | None
    scenario: Scenario | None = None

    @property
    def id(self) -> str:
        """The id of its utterance."""
        return self.utterance.utterance_id


@dataclass(frozen=True)
class LiveSession:
    """A session with its turns; `year` is that of its rule-book, of 1992 where it names none."""

    session: Session
    scenes: tuple[LiveTurn, ...]
    year: int

    @property
    def session_id(self) -> str:
        """The id of the session."""
        return self.session.session_id

    @property
    def path(self) -> Path:
        """The folder of the session."""
        return self.session.path

    def before(self, utterance_id: str) -> tuple[LiveTurn, ...]:
        """The turns before this one."""
        return self.scenes[: self.place(utterance_id)]

    def scene(self, utterance_id: str) -> LiveTurn:
        """The turn as the live session left it. Raises as `place`."""
        return self.scenes[self.place(utterance_id)]

    def place(self, utterance_id: str) -> int:
        """The position of a turn in `scenes`, from 0. Raises `StopIteration` for an id of another session."""
        return next(number for number, scene in enumerate(self.scenes) if scene.id == utterance_id)


def read_queries(path: Path) -> tuple[str, dict[str, str]]:
    """The id of a session and what was typed for each turn to annotate, by utterance id; no turns of a pilot session.
    A quarter of the work of `read_sitting`, and nothing is kept of the rest. Raises as that."""
    bundle = Bundle(path)
    about = bundle.read_session_json()
    subject, wizard = bundle.read_subject_journal().entries, bundle.read_wizard_journal().entries
    opened = next((entry.data for entry in wizard if entry.type == "session_opened"), {})
    pilot = about.get("pilot") or opened.get("pilot") is True
    return str(about.get("session_id") or real_path(path).name), {} if pilot else data_turns(subject, wizard)


def read_sitting(path: Path, domains: Domains, year: int | None = None) -> LiveSession:
    """A session's turns. `year` is the study's rule-book. Raises CurtainError, JournalUnreadable and the like."""
    session, record = read_with_record(path, domains)
    # The table that was sent last, by turn.
    tables = {
        entry.turn: fact.table
        for entry, fact, _ in record.wizard
        if isinstance(fact, wizard_events.AnswerSent) and entry.turn is not None
    }
    turns = {turn.turn: turn for turn in record.turns}
    scenario_texts = _scenarios(session, domains)
    scenes = tuple(
        LiveTurn(
            _bare(utterance, turns[utterance.turn]),
            turns[utterance.turn],
            tables.get(utterance.turn),
            scenario_texts.get(utterance.scenario_id or ""),
        )
        for utterance in session.utterances
        if utterance.turn in turns
    )
    return LiveSession(session, scenes, year_of(session, year))


def _scenarios(session: Session, domains: Domains) -> dict[str, Scenario]:
    """The scenarios of the domain by id; none where the pack is not on this machine."""
    try:
        return {one.id: one for one in domains.pack(session.domain).scenarios}
    except PackError:
        return {}


def _bare(utterance: Utterance, turn: Turn) -> Utterance:
    before = prefill(turn)
    reply = turn.reply
    # What others have annotated must not be seen by somebody who annotates a second time.
    return replace(
        utterance.cleared("sro", "lsn", "category", "eval_class", "context", "annotators", "redactions"),
        query=turn.query,
        tags=before.category.tags,
        site_tags=before.category.site_tags,
        reasons=before.category.reasons,
        references=before.references.references,
        yes_no=before.references.yes_no,
        message=reply.message if reply else None,
        notes=turn.notes,
    )
