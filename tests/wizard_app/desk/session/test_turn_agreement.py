"""The wizard's screen, the corpus and the subject's station tell the same of the same journals."""

from typing import Any

import msgspec
from hypothesis import event, given, settings
from hypothesis import strategies as st

from curtain.base.table import Table
from curtain.session.events import subject_events as s
from curtain.session.events import wizard_events as w
from curtain.session.journal.lines import JournalEntry
from curtain.session.turns.turns import SessionRecord, record_of
from subject_app.session.past_events import replay
from wizard_app.desk.session.open_session import subject_fact, wizard_fact
from wizard_app.desk.session.progress import SessionProgress, with_subject_fact, with_wizard_fact

TABLE = Table(headings=["N"], rows=[["5"]], numeric=[True], total=1)
REASONS: list[Any] = ["cancelled", "too_short", "no_sound", "disk_full"]
ENDS: list[Any] = ["key", "focus_lost", "too_long"]
peaks = st.sampled_from([-120.0, -9.0])
of_take = {
    "utterance_id": st.just("e00-01-001"), "frames": st.sampled_from([16000, 48000]), "sample_rate": st.just(16000),
    "sha256": st.sampled_from(["a", "b"]), "peak_dbfs": peaks,
}  # fmt: skip
subject_facts = st.one_of(
    st.builds(s.KeyDown, source=st.just("key"), pressed_ns=st.integers(1, 9)),
    st.builds(s.KeyUp, released_ns=st.integers(10, 20), held_ms=st.just(2000), ended_by=st.sampled_from(ENDS)),
    st.builds(s.TakeSaved, **of_take, lost=st.booleans(), disk_full=st.booleans()),
    st.builds(s.TakeRecovered, **of_take),
    st.builds(s.TakeCancelled, reason=st.sampled_from(REASONS)),
    st.builds(s.Painted, what=st.sampled_from(["one_moment", "answer"]), id=st.just(0)),
    st.just(s.HistoryCleared()),
    st.just(s.SubjectEpoch(number=2, app_version="0", pid=1, session_id="e00-01")),
)
wizard_facts = st.one_of(
    st.just(w.TakeHeard()),
    st.builds(w.QuerySent, text=st.sampled_from(["how many", "and men"])),
    st.just(w.StatementRun(sql="SELECT 5", rows=1, ms=1)),
    st.just(w.AnswerSent(sql="SELECT 5", table=TABLE, cas_min="5")),
    st.just(w.MessageSent(message_id="unable", blanks={}, text="Sorry", counts_as="no_answer")),
    st.just(w.Note(text="coughs")),
    st.just(w.Paused()),
)
# A fact, its turn, and whether its line is readable; in the order in which the wizard's station learns of them.
facts = st.tuples(
    subject_facts | wizard_facts, st.sampled_from([None, 0, 1, 2, 3]), st.sampled_from([True] * 9 + [False])
)
sessions = st.lists(facts, max_size=30)
Fact = tuple[msgspec.Struct, int | None, bool]


def entry(seq: int, fact: msgspec.Struct, turn: int | None, readable: bool) -> JournalEntry:
    data: dict[str, Any] = msgspec.to_builtins(fact)
    kind = data.pop("type")
    broken = {name: ["no", "such", "value"] for name in data}
    return JournalEntry(seq, turn, seq * 1_000_000, "2026-03-01T09:30:00.000Z", kind, data if readable else broken)


def journals_of(session: list[Fact]) -> tuple[list[JournalEntry], list[JournalEntry]]:
    of_subject = [fact for fact in session if isinstance(fact[0], s.SubjectFact)]
    of_wizard = [fact for fact in session if isinstance(fact[0], w.WizardFact)]
    return [entry(seq, *fact) for seq, fact in enumerate(of_subject, 1)], [
        entry(seq, *fact) for seq, fact in enumerate(of_wizard, 1)
    ]


def progress_of(session: list[Fact]) -> SessionProgress:
    """Line by line as they come, both journals mixed."""
    of_subject, of_wizard = map(iter, journals_of(session))
    progress = SessionProgress()
    for fact, _, _ in session:
        if isinstance(fact, s.SubjectFact):
            line = next(of_subject)
            progress = with_subject_fact(progress, subject_fact(line), line.turn, line.t_ns)
        else:
            line = next(of_wizard)
            progress = with_wizard_fact(progress, wizard_fact(line), line.turn, line.t_ns, line.seq)
    return progress


def in_the_corpus(record: SessionRecord) -> list[tuple[object, ...]]:
    return [
        (turn.turn, turn.outcome, turn.query, turn.take, turn.cut_reason, turn.notes, len(turn.attempts),
         len(turn.corrections) + (turn.reply is not None), "no-sound" in turn.tags and turn.take is not None)
        for turn in record.turns
    ]  # fmt: skip


def on_the_screen(progress: SessionProgress) -> list[tuple[object, ...]]:
    return [
        (turn.number, turn.outcome, turn.query, turn.take, turn.cut_reason, turn.notes, len(turn.attempts),
         len(turn.sent), turn.take is not None and (turn.soundless or turn.cancelled == "no_sound"))
        for turn in progress.in_order if not turn.is_no_turn
    ]  # fmt: skip


@settings(max_examples=100)
@given(sessions)
def test_the_wizards_screen_and_the_corpus_count_and_class_the_same_turns(session: list[Fact]) -> None:
    progress = progress_of(session)
    event("some are no turns" if any(turn.is_no_turn for turn in progress.in_order) else "all are turns")
    assert on_the_screen(progress) == in_the_corpus(record_of(*journals_of(session)))


@settings(max_examples=100)
@given(sessions)
def test_the_subjects_station_restarts_from_the_recordings_that_the_wizard_has(session: list[Fact]) -> None:
    session = [(fact, turn, True) for fact, turn, _ in session]
    turns = progress_of(session).turns.values()
    past = replay(journals_of(session)[0])
    assert past.withdrawn == {turn.number for turn in turns if turn.cancelled}
    assert set(past.lost_turns) == {turn.number for turn in turns if turn.left_nothing}
    assert past.awaiting == {turn.number for turn in turns if turn.take is not None and turn.cancelled is None}
    kept = {number: turn.take for number, turn in past.turns.items() if turn.take is not None}
    assert kept == {turn.number: turn.take for turn in turns if turn.take is not None}
