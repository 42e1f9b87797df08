import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTableView

from curtain.base.table import Table
from curtain.qt.style import Look
from curtain.session.events.wizard_events import AnswerSent, DraftShown, StatementRun
from curtain.session.turns.turn_progress import AnswerOutline, Sent, TurnProgress
from tests.support.everywhere import PutUp
from wizard_app.desk.session.progress import SessionProgress
from wizard_app.window.pages.archive_page import ArchivePage


@pytest.fixture
def page(put_up: PutUp, look: Look) -> ArchivePage:
    made = ArchivePage(look)
    put_up(made)
    return made


def test_the_notes_of_a_turn_are_shown_with_it(page: ArchivePage) -> None:
    page.show_session(
        "e00-01",
        SessionProgress(turns={1: TurnProgress(1, notes=("a door slammed", "twice")), 2: TurnProgress(2)}),
        {}.get,
    )
    notes = page.findChild(QLabel, "archive_notes")
    assert notes.text() == "Note: a door slammed\nNote: twice"
    page.turns.select(2)
    assert notes.isHidden()


def test_the_answer_of_the_chosen_turn_is_read_from_its_journal_line(page: ArchivePage) -> None:
    table = Table(headings=["N"], rows=[["5"], ["6"]], numeric=[True], total=2)
    answers = {7: AnswerSent(sql="SELECT 5", table=table, cas_min="((5)(6))")}
    show_answered(page, answers)
    rows, cas = page.findChild(QTableView, "answer_rows"), page.findChild(QPlainTextEdit, "archive_cas")
    assert rows is not None and cas is not None
    assert rows.isVisible()
    assert rows.model().rowCount() == 2
    assert cas.toPlainText() == "((5)(6))"


def test_the_drafts_that_were_shown_last_stand_under_the_statements(page: ArchivePage) -> None:
    turn = TurnProgress(1, attempts=(StatementRun(sql="SELECT 5", rows=1, ms=2),))
    for seq, drafts in ((3, ["SELECT 1"]), (4, ["SELECT 5", "SELECT 6"])):
        turn = turn.after_wizard(DraftShown(drafts=drafts, confidences=[0.9]), 0, seq)
    facts = {4: DraftShown(drafts=["SELECT 5", "SELECT 6"], confidences=[0.9])}
    page.show_session("e00-01", SessionProgress(turns={1: turn, 2: TurnProgress(2, drafts_seq=9)}), facts.get)
    shown = page.findChild(QPlainTextEdit, "archive_sql")
    assert shown is not None
    assert shown.toPlainText().split("\n\n")[1:] == ["-- Drafts:", "1. (0.90) SELECT 5", "2. SELECT 6"]
    page.turns.select(2)
    assert shown.toPlainText() == ""


def test_an_answer_that_cannot_be_read_is_reported_in_its_place(page: ArchivePage) -> None:
    show_answered(page, {})
    reply = page.findChild(QLabel, "archive_reply")
    assert reply.isVisible()
    assert "cannot be read" in reply.text()


@pytest.mark.parametrize("painted", [True, False])
def test_only_what_was_painted_counts_as_seen_by_the_subject(page: ArchivePage, painted: bool) -> None:
    show_answered(page, {}, (6, 7) if painted else ())
    texts = [each.text() for each in page.findChildren(QLabel) if each.isVisible()]
    expected = "the subject saw this" if painted else "nothing shows that the subject saw this"
    assert [text for text in texts if text.endswith("the subject saw this")] == [expected, expected]


def show_answered(page: ArchivePage, answers: dict[int, AnswerSent], painted: tuple[int, ...] = ()) -> None:
    sent = (Sent(7, 0, AnswerOutline("SELECT 5", yes_no=False, total=2)),)
    turn = TurnProgress(1, query="how many", query_seq=6, sent=sent, painted=painted)
    page.show_session("e00-01", SessionProgress(turns={1: turn}), answers.get)
