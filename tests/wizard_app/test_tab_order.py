from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from curtain_drafts.window.panel import DraftsPanel
from wizard_app.window.pages.work_page import WorkPage


def test_tab_from_the_editor_comes_to_no_button_and_not_to_the_messages(qtbot: QtBot, look: Look) -> None:
    page = WorkPage(look, DraftsPanel(look))
    qtbot.addWidget(page)
    page.resize(1280, 720)
    page.show()
    page.activateWindow()
    page.sql.editor.setFocus()
    qtbot.waitUntil(page.sql.editor.hasFocus)
    come_to = []
    for _ in range(20):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        come_to.append(QApplication.focusWidget())
    assert page.sql.editor in come_to
    assert page.query.field in come_to
    assert not [one for one in come_to if isinstance(one, QAbstractButton)]
    assert page.messages.filter not in come_to
