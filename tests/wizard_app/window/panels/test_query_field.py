"""Whatever is deleted or replaced in the field of the query stays away, grey words too, as in every text field."""

from collections.abc import Callable, Sequence

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QInputMethodEvent, QKeySequence, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from curtain.qt.style import Look
from tests.support.everywhere import PutUp
from tests.wizard_app.desk.turn.test_offered_text import hearing_of
from wizard_app.desk.turn.offered_text import OfferedText
from wizard_app.window.panels.query_field import OfferField

HEARD = "who owns the one? for three"
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
Step = str | Callable[[OfferField], object]


def press(field: OfferField, step: Step) -> None:
    """A chord, letters behind “: ”, or something else that a hand does."""
    if not isinstance(step, str):
        step(field)
    elif step.startswith(":"):
        QTest.keyClicks(field, step.removeprefix(": "))
    elif step == "F12":
        field.next_doubt()
    elif step == "Esc":
        field.restore()
    else:
        key = QKeySequence(step)[0]
        QTest.keyClick(field, key.key(), key.keyboardModifiers())


def compose(field: OfferField) -> None:
    for preedit, commit in (("に", ""), ("", "in")):
        event = QInputMethodEvent(preedit, [])
        event.setCommitString(commit)
        QApplication.sendEvent(field, event)


def drop(field: OfferField) -> None:
    """Onto the grey words."""
    data = QMimeData()
    data.setText("in")
    place, copied = field.cursorRect().center() + QPoint(30, 0), Qt.DropAction.CopyAction
    for event in (
        QDragEnterEvent(place, copied, data, LEFT, PLAIN),
        QDropEvent(QPointF(place), copied, data, LEFT, PLAIN),
    ):
        QApplication.sendEvent(field.viewport(), event)


def menu_select_all(field: OfferField) -> None:
    menu = field.menu()
    (action,) = [one for one in menu.actions() if one.objectName() == "select-all"]
    assert isinstance(menu, QMenu) and action.isEnabled()
    action.trigger()


def drag_over_all(field: OfferField) -> None:
    """From the first letter to the right of all words."""
    height = field.cursorRect().center().y()
    drag(field, QPoint(4, height), QPoint(field.viewport().width() - 2, height))


def drag_over_typed(field: OfferField) -> None:
    drag(field, QPoint(4, field.cursorRect().center().y()), field.cursorRect().center() - QPoint(4, 0))


def drag(field: OfferField, first: QPoint, last: QPoint) -> None:
    QTest.mousePress(field.viewport(), LEFT, pos=first)
    there = field.viewport().mapToGlobal(last)
    moved = QMouseEvent(QEvent.Type.MouseMove, last, there, Qt.MouseButton.NoButton, LEFT, PLAIN)
    QApplication.sendEvent(field.viewport(), moved)
    assert field.document().lastBlock().layout().preeditAreaText() == field.offer.rest
    QTest.mouseRelease(field.viewport(), LEFT, pos=last)


def click_three_times(field: OfferField) -> None:
    place = field.cursorRect().center() - QPoint(8, 0)
    QTest.mouseDClick(field.viewport(), LEFT, pos=place)
    QTest.mouseClick(field.viewport(), LEFT, pos=place)


def paste(field: OfferField) -> None:
    QApplication.clipboard().setText("in")
    field.paste()


ALL = "who owns the one for three"
MORE = OfferedText(hearing_of(f"{HEARD} dollars"), whole=True)
CASES: dict[str, tuple[Sequence[Step], str, str]] = {
    # With words taken, typed in part, or none of either.
    "typing over all": (["Tab", "Ctrl+A", ": in"], "in", ""),
    "typing over all, some of it grey": ([": who ", "Ctrl+A", ": in"], "in", ""),
    "typing over all, all of it grey": (["Ctrl+A", ": in"], "in", ""),
    "typing over all, and on": (["Ctrl+A", ": x one for"], "x one for", ""),
    "typing over all, and a letter back": (["Ctrl+A", ": in", "Backspace", "Backspace"], "", ""),
    "deleting all": (["Ctrl+A", "Backspace"], "", ""),
    "deleting all, and typing": ([": list ", "Ctrl+A", "Del", ": in"], "in", ""),
    "cutting all": ([": list ", "Ctrl+A", "Ctrl+X"], "", ""),
    "pasting over all": (["Ctrl+A", paste], "in", ""),
    "composing over all": ([": who ", "Ctrl+A", compose], "in", ""),
    "all of the menu": ([": who ", menu_select_all, ": in"], "in", ""),
    "all of the menu, all of it grey": ([menu_select_all, ": in"], "in", ""),
    "to the end of the line": ([": who ", "Home", "Shift+End", ": in"], "in", ""),
    "to the end of the text": (["Ctrl+Shift+End", ": in"], "in", ""),
    "to the end of the line, from the end of what is typed": ([": who ", "Shift+End", ": in"], "who in", ""),
    "three clicks": ([": who ", click_three_times, ": in"], "in", ""),
    "dragging over what is typed": ([": whom ", drag_over_typed, ": list"], "list ", "owns the one for three"),
    "dragging over all": ([": who ", drag_over_all, ": in"], "in", ""),
    "to the start": (["Tab", "Shift+Home", ": in"], "in", ""),
    "word by word": (["Tab", "Ctrl+Backspace", "Ctrl+Backspace"], "who owns the one ", ""),
    "letter by letter": (["Tab", *["Backspace"] * 6], "who owns the one for", ""),
    "to the start, some of it grey": ([": list all ", "Shift+Home", ": in"], "in", " the one for three"),
    "a word back, some of it grey": ([": list all", "Ctrl+Backspace"], "list ", "the one for three"),
    "the word at its place": (["F12", ": tw"], "who owns the tw", " for three"),
    "no word at its place": (["F12", "Backspace"], "who owns the ", "for three"),
    "the next grey word behind": ([": list ", "Shift+Home", ": get owns"], "get owns", " the one for three"),
    "a letter that was none": ([": x", "Backspace"], "", ALL),
    "dropping into what is typed": ([": who ", drop], "who in", " the one for three"),
    "undone": (["Ctrl+A", ": in", "Ctrl+Z", "Ctrl+Z"], "", ALL),
    "undone, with what was taken": (["Tab", "Ctrl+A", "Del", "Ctrl+Z"], ALL, ""),
    "pasted later and undone": (["Ctrl+A", ": x ", paste, "Ctrl+Z"], "x ", ""),
    "redone": (["Tab", "Ctrl+A", ": in", "Ctrl+Z", "Ctrl+Shift+Z"], "in", ""),
    "words that are not painted yet": ([lambda field: field.show_offer(MORE), "Tab", "F12", "Del"], "", MORE.rest),
    "taking words that are painted": ([lambda field: field.show_offer(MORE), OfferField.grab, "Tab"], MORE.rest, ""),
    "as heard again, and undone": (["Ctrl+A", ": in", "Esc", "Ctrl+Z"], "in", ""),
}  # fmt: skip


@pytest.fixture
def field(put_up: PutUp, look: Look) -> OfferField:
    made = OfferField(look)
    made.setTabChangesFocus(True)
    made.show_offer(OfferedText(hearing_of(HEARD), whole=True))
    put_up(made, 600, 60)
    return made


@pytest.mark.parametrize(("steps", "typed", "rest"), CASES.values(), ids=CASES)
def test_what_is_replaced_is_gone(field: OfferField, steps: Sequence[Step], typed: str, rest: str) -> None:
    for step in steps:
        press(field, step)
    assert (field.toPlainText(), field.offer.rest) == (typed, rest)


def test_all_that_is_seen_is_selected_and_words_that_still_come_are_put_away(field: OfferField) -> None:
    press(field, ": who")
    press(field, "Ctrl+A")
    assert field.textCursor().selectedText() == ALL
    field.clear()
    field.show_offer(OfferedText(hearing_of(HEARD)))
    press(field, ": who ")
    press(field, "Ctrl+A")
    assert field.textCursor().selectedText() == "who " and not field.offer.rest
    press(field, ": in")
    field.show_offer(OfferedText(hearing_of(f"{HEARD} dollars"), True, "in", field.offer.past))
    assert (field.toPlainText(), field.offer.rest) == ("in", "")
    press(field, "Esc")
    assert (field.toPlainText(), field.offer.rest) == ("", f"{ALL} dollars")
