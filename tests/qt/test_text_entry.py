"""What input methods and pasted text bring into the fields of every window."""

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from curtain.base.hearing import HeardWord, Hearing
from curtain.base.terminal import shown, without_hidden_signs
from curtain.link.messages import Form, FormItem
from curtain.qt.command_text import CommandLine, CommandPlainText
from curtain.qt.forms.form_sheet import FormSheet
from curtain.qt.sql_editor import SqlEditor
from curtain.qt.sql_text import EditorSchema
from curtain.qt.style import Look
from curtain.qt.windows.keyed_window import KeyedWindow
from curtain.review.panels.readings_panel import StatementEditor
from curtain.review.panels.text_field import TextField
from wizard_app.desk.turn.offered_text import OfferedText
from wizard_app.window.panels.query_field import OfferField

Field = CommandLine | CommandPlainText
HIDDEN = "\u202e\u200e\u200f\u061c\u2066\ufeff\u200b\u2060\u00ad\x07\x1b\x7f\x9b\U000e0041"


def text_of(field: Field) -> str:
    return field.text() if isinstance(field, CommandLine) else field.toPlainText()


def made(kind: type[Field], look: Look) -> Field:
    return OfferField(look) if kind is OfferField else kind()


def compose(field: QWidget, preedit: str, commit: str = "") -> None:
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(field, event)


@pytest.mark.parametrize("sign", HIDDEN)
def test_a_sign_that_nobody_sees_is_left_out_or_shown(sign: str) -> None:
    assert without_hidden_signs(f"a{sign}b") == "ab"
    assert shown(f"a{sign}b") != f"a{sign}b" and shown(f"a{sign}b").isprintable()


@pytest.mark.parametrize("text", ["می‌خواهم", "क्‍ष", "👩‍👩‍👧", "שלום", "Größe", "a\tb\nc", "東京"])
def test_letters_marks_and_the_joiners_of_words_stay(text: str) -> None:
    assert without_hidden_signs(text) == text


@pytest.mark.parametrize("way", ["set", "paste", "input method", "drop"])
@pytest.mark.parametrize("kind", [CommandLine, CommandPlainText, OfferField])
def test_a_field_keeps_no_sign_that_nobody_sees(qtbot: QtBot, look: Look, kind: type[Field], way: str) -> None:
    field = made(kind, look)
    qtbot.addWidget(field)
    heard: list[str] = []
    field.textChanged.connect(lambda *_: heard.append(text_of(field)))
    dirty = f"sa\u200by 😀{HIDDEN}hello"
    if way == "set":
        field.setText(dirty) if isinstance(field, CommandLine) else field.setPlainText(dirty)
    elif way == "paste" or isinstance(field, CommandLine):
        QApplication.clipboard().setText(dirty)
        field.paste()
    elif way == "drop":
        data = QMimeData()
        data.setText(dirty)
        field.insertFromMimeData(data)
    else:
        compose(field, "", dirty)
    assert text_of(field) == "say 😀hello"
    assert set(heard) == {"say 😀hello"}


def test_one_undo_takes_away_what_was_pasted_with_hidden_signs(qtbot: QtBot) -> None:
    field = CommandPlainText()
    qtbot.addWidget(field)
    qtbot.keyClicks(field, "x")
    compose(field, "", "y\u202e\u200bz")
    field.undo()
    assert "y" not in field.toPlainText() and "\u202e" not in field.toPlainText()


def test_a_placeholder_waits_while_text_is_composed(qtbot: QtBot) -> None:
    field = CommandPlainText()
    qtbot.addWidget(field)
    field.setPlaceholderText("Type")
    compose(field, "に")
    assert field.placeholderText() == ""
    field.setPlaceholderText("Type what was said")
    assert field.placeholderText() == ""
    compose(field, "")
    assert field.placeholderText() == "Type what was said"


def test_grey_words_give_way_to_what_is_composed_and_stand_behind_it_then(qtbot: QtBot, look: Look) -> None:
    field = OfferField(look)
    qtbot.addWidget(field)
    field.setPlaceholderText("Type")
    field.show_offer(OfferedText(Hearing((HeardWord("to", 0, 1, 1), HeardWord("osaka", 1, 2, 1))), whole=True))
    drawn = field.document().lastBlock().layout()
    assert drawn.preeditAreaText() == "to osaka" and field.placeholderText() == "" and field.composed == ""
    compose(field, "に")
    assert drawn.preeditAreaText() == "に" == field.composed
    compose(field, "", "in")
    assert (field.toPlainText(), drawn.preeditAreaText(), field.composed) == ("in", " osaka", "")


@pytest.mark.parametrize("kind", [CommandLine, CommandPlainText, OfferField])
def test_a_key_of_the_window_and_its_closing_find_what_is_composed(qtbot: QtBot, look: Look, kind: type[Field]) -> None:
    window = KeyedWindow()
    qtbot.addWidget(window)
    field = made(kind, look)
    field.setParent(window)
    other = CommandPlainText(window)
    sent: list[str] = []
    window.add_key("Ctrl+Return", lambda: (sent.append(text_of(field)), other.setFocus()))
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    field.setFocus()
    compose(field, "", "fly to ")
    compose(field, "Osaka")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert sent == ["fly to Osaka"] and text_of(field) == "fly to Osaka"
    assert other.toPlainText() == "" and not field.composed
    field.setFocus()
    compose(field, " today")
    window.close()
    assert text_of(field) == "fly to Osaka today"


def test_the_list_follows_a_letter_behind_a_dead_key(qtbot: QtBot, look: Look) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    editor = SqlEditor(look, window)
    editor.set_schema(EditorSchema({"prénom": ("prénom",), "present": ("x",)}))
    window.show()
    qtbot.keyClicks(editor, "pr")
    listed = editor.window().findChild(QWidget, "completions")
    assert [listed.item(at).text() for at in range(listed.count())] == ["prénom", "present"] and listed.isVisible()
    compose(editor, "´")
    assert not listed.isVisible()
    compose(editor, "", "é")
    assert [listed.item(at).text() for at in range(listed.count())] == ["prénom"] and listed.isVisible()


@pytest.mark.parametrize("way", ["type", "paste", "input method"])
@pytest.mark.parametrize("limit", [None, 2001])
def test_a_field_keeps_all_it_takes_and_says_when_it_takes_no_more(qtbot: QtBot, limit: int | None, way: str) -> None:
    field = CommandLine()
    qtbot.addWidget(field)
    if limit is not None:
        field.setMaxLength(limit)
    # A picture is two of what Qt counts, and never cut in half.
    room = field.maxLength() - 3
    field.setText("a" * room)
    for more, refused in (("bc", False), ("😀", True), ("d", False), ("e", True)):
        field.full_words = f"<{more}>"
        if way == "paste":
            QApplication.clipboard().setText(more)
            field.paste()
        elif way == "type":
            QTest.sendKeyEvent(QTest.KeyAction.Press, field, Qt.Key.Key_unknown, more, Qt.KeyboardModifier.NoModifier)
        else:
            compose(field, "", more)
        assert (f"&lt;{more}&gt;" in QToolTip.text()) is refused, more
    assert field.text() == "a" * room + "bcd"


def test_free_text_of_a_form_has_no_limit_below_that_of_a_cell_of_a_table(qtbot: QtBot, look: Look) -> None:
    item = FormItem(id="note", kind="free", text="Anything else?")
    sheet = FormSheet(look)
    qtbot.addWidget(sheet)
    sheet.set_words("", "", "Voll.")
    sheet.show_form(Form(name="f", title="F", items=[item]), {})
    with qtbot.waitSignal(sheet.answered) as answer:
        field = sheet.first_field
        assert isinstance(field, CommandLine) and field.full_words == "Voll."
        field.setText("é" * 32_767)
        sheet.may_go_on()
    assert answer.args == ["note", "é" * 32_767]


@pytest.mark.parametrize("sign", HIDDEN)
def test_a_sign_in_what_is_kept_elsewhere_is_seen_and_moves_no_redaction(qtbot: QtBot, look: Look, sign: str) -> None:
    """Of the annotator's fields, each of which shows texts of journals and layers."""
    for field in (TextField("sro", "Transcription", look, 2), StatementEditor("sql", "SQL", look, 2)):
        qtbot.addWidget(field)
        edits: list[str] = []
        field.textChanged.connect(lambda field=field, edits=edits: edits.append(field.toPlainText()))
        kept = f"a{sign}b😀{sign}Quincy"
        field.show_text(kept)
        shown_there = field.toPlainText()
        assert shown_there == without_hidden_signs(shown_there) and len(shown_there) == len(kept)
        assert shown_there.index("Quincy") == kept.index("Quincy") and not edits
        cursor = field.textCursor()
        cursor.setPosition(1)
        field.setTextCursor(cursor)
        field.show_text(kept)
        assert field.textCursor().position() == 1
