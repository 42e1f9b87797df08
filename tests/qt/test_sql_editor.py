import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLineEdit, QListWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from curtain.qt.sql_editor import SqlEditor
from curtain.qt.sql_text import EditorSchema
from curtain.qt.style import Look

SCHEMA = EditorSchema(
    tables={"employee": ("employee_id", "last_name")}, values={("employee", "last_name"): ("GRAHAM", "GRANT")}
)
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def editor(qtbot: QtBot, look: Look) -> SqlEditor:
    window = QWidget()
    made = SqlEditor(look)
    made.set_schema(SCHEMA)
    QVBoxLayout(window).addWidget(made)
    window.resize(600, 300)
    qtbot.addWidget(window)
    window.show()
    made.setFocus()
    made.parent_kept = window  # type: ignore[attr-defined]
    return made


def offered(editor: SqlEditor) -> list[str]:
    shown = editor.window().findChild(QListWidget, "completions")
    if shown is None or not shown.isVisible():
        return []
    return [shown.item(at).text() for at in range(shown.count())]


def test_names_are_offered_while_they_are_typed(qtbot: QtBot, editor: SqlEditor) -> None:
    qtbot.keyClicks(editor, "SELECT emp")
    assert offered(editor)[:2] == ["employee", "employee_id"]


def test_return_is_a_new_line_unless_an_item_was_chosen_with_the_arrows(qtbot: QtBot, editor: SqlEditor) -> None:
    qtbot.keyClicks(editor, "SELECT emp")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == "SELECT emp\n"
    qtbot.keyClicks(editor, "emp")
    qtbot.keyClick(editor, Qt.Key.Key_Down)
    qtbot.keyClick(editor, Qt.Key.Key_Down)
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.toPlainText() == "SELECT emp\nemployee_id"
    assert offered(editor) == []


def test_tab_takes_the_first_and_a_value_is_closed_with_its_quote(qtbot: QtBot, editor: SqlEditor) -> None:
    qtbot.keyClicks(editor, "SELECT 1 FROM employee WHERE last_name = 'gra")
    assert offered(editor) == ["GRAHAM", "GRANT"]
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert editor.toPlainText().endswith("last_name = 'GRAHAM'")


def test_escape_hides_the_list_and_control_space_opens_it(qtbot: QtBot, editor: SqlEditor) -> None:
    qtbot.keyClicks(editor, "SELECT e")
    assert offered(editor) == []
    qtbot.keyClick(editor, Qt.Key.Key_Space, CONTROL)
    assert "employee" in offered(editor)
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert offered(editor) == []


@pytest.mark.parametrize("key", [Qt.Key.Key_F5, Qt.Key.Key_F2])
def test_function_keys_pass_through_an_open_list(qtbot: QtBot, editor: SqlEditor, key: Qt.Key) -> None:
    qtbot.keyClicks(editor, "SELECT emp")
    qtbot.keyClick(editor, key)
    assert editor.toPlainText() == "SELECT emp"


def test_control_and_an_arrow_ask_for_other_statements_even_with_an_open_list(qtbot: QtBot, editor: SqlEditor) -> None:
    qtbot.keyClicks(editor, "SELECT emp")
    with qtbot.waitSignal(editor.earlier_requested):
        qtbot.keyClick(editor, Qt.Key.Key_Up, CONTROL)
    with qtbot.waitSignal(editor.later_requested):
        qtbot.keyClick(editor, Qt.Key.Key_Down, CONTROL)


def test_undo_goes_back_to_where_the_text_began(editor: SqlEditor) -> None:
    editor.replace_text("SELECT 1")
    editor.begin_text("SELECT 2")
    editor.replace_text("SELECT 3")
    editor.undo()
    editor.undo()
    assert editor.toPlainText() == "SELECT 2"


def test_a_replaced_statement_can_be_undone(editor: SqlEditor) -> None:
    editor.replace_text("SELECT 1")
    editor.replace_text("SELECT 2")
    editor.undo()
    assert editor.toPlainText() == "SELECT 1"


@pytest.mark.parametrize(
    ("text", "place", "word"), [("SELECT abc", (7, 3), "abc"), ("SELECT '\U0001f600' , abc", (13, 3), "abc")]
)
def test_a_problem_is_underlined_until_the_text_changes(
    editor: SqlEditor, text: str, place: tuple[int, int], word: str
) -> None:
    editor.replace_text(text)
    editor.show_problem(*place)
    (selection,) = editor.extraSelections()
    assert selection.cursor.selectedText() == word  # type: ignore[attr-defined]
    editor.insert_name(" x")
    assert editor.extraSelections() == []


@pytest.fixture
def field_below(editor: SqlEditor) -> QLineEdit:
    """Another field of the same window, where Tab goes next."""
    made = QLineEdit()
    editor.window().layout().addWidget(made)  # type: ignore[union-attr]
    return made


def test_tab_completes_while_the_list_is_open_and_moves_on_without_it(
    qtbot: QtBot, editor: SqlEditor, field_below: QLineEdit
) -> None:
    editor.window().activateWindow()
    qtbot.waitUntil(editor.hasFocus)
    qtbot.keyClicks(editor, "SELECT emp")
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert (editor.toPlainText(), editor.hasFocus()) == ("SELECT employee", True)
    qtbot.keyClick(editor, Qt.Key.Key_Tab)
    assert field_below.hasFocus()
    assert editor.toPlainText() == "SELECT employee"


def test_a_new_line_offers_nothing_for_the_word_above(qtbot: QtBot, editor: SqlEditor) -> None:
    qtbot.keyClicks(editor, "SELECT emp")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert offered(editor) == []


def test_escape_closes_the_list_before_it_is_the_windows_and_f5_closes_it_too(qtbot: QtBot, editor: SqlEditor) -> None:
    pressed: list[str] = []
    for key in ("Escape", "F5"):
        QShortcut(QKeySequence(key), editor.window()).activated.connect(lambda key=key: pressed.append(key))
    editor.window().activateWindow()
    qtbot.waitUntil(editor.hasFocus)
    qtbot.keyClicks(editor, "SELECT emp")
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert (offered(editor), pressed) == ([], [])
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.keyClicks(editor, "l")
    assert offered(editor)
    qtbot.keyClick(editor, Qt.Key.Key_F5)
    assert (offered(editor), pressed) == ([], ["Escape", "F5"])


def test_the_list_stays_by_the_cursor_when_the_panel_around_it_changes(qtbot: QtBot, editor: SqlEditor) -> None:
    qtbot.keyClicks(editor, "SELECT emp")
    editor.window().resize(500, 260)
    qtbot.waitUntil(lambda: editor.window().width() == 500)
    assert offered(editor)
