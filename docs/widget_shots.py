"""Makes the page of all widgets, in every state and theme: `python docs/widget_shots.py`, as docs/pictures/widgets.png.

Review it after each change of `curtain/qt/style.py`.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QTabBar,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from shots import PICTURES

from curtain.base.table import Table
from curtain.qt import style
from curtain.qt.answer_table import AnswerTable
from curtain.qt.key_strip import KeyStrip
from curtain.qt.sql_editor import SqlEditor
from curtain.qt.style import ROOMY, Look, SubjectFrame, set_size
from curtain.qt.widgets import Band, Hairline, box, column, heading, label, row

SIZE = (640, 880)
ROWS = [["Kramer", "$78,400"], ["Jenkins", "$74,900"]]
TABLE = Table(headings=["Name", "Salary"], rows=ROWS, numeric=[False, True], total=2)


def sheet(look: Look, name: str) -> QWidget:
    """One column: sizes, colours, buttons, fields, lists, notices, what the subject sees, keys."""
    sizes = [label(f"{px} px: 0123456789", look, pt=pt) for px, pt in zip(style.SIZES, points(look), strict=True)]
    inks = ("text", "quiet", "accent", "subject", "good", "warning", "bad")
    colours = [label(ink, look, colour=getattr(look, ink)) for ink in inks]
    filled, usual, pressed, off = (QPushButton(words) for words in ("To do next", "Usual", "Pressed", "Off"))
    filled.setProperty("primary", True)
    pressed.setDown(True)
    off.setDisabled(True)
    tick, choice, empty, written = QCheckBox("Ticked"), QRadioButton("Chosen"), QLineEdit(), QLineEdit("written")
    tick.setChecked(True)
    choice.setChecked(True)
    empty.setPlaceholderText("What to write here")
    listed, tabs, bar, tree = QComboBox(), QTabBar(), QProgressBar(), QTreeWidget()
    listed.addItem("One of several")
    for words in ("Messages", "Schema", "Scenario"):
        tabs.addTab(words)
    bar.setValue(40)
    bar.setTextVisible(False)
    tree.setHeaderLabels(["Session", "Turns"])
    for cells in (["v17-01", "24"], ["v16-01", "21"]):
        tree.addTopLevelItem(QTreeWidgetItem(cells))
    tree.setCurrentItem(tree.topLevelItem(0))
    tree.setFixedHeight(90)
    bands = [Band(ink, getattr(look, ink), look) for ink in ("accent", "warning", "bad", "subject")]
    for band in bands:
        band.show_text("A sentence that says what is, and what to do.")
    sql, answer, strip = SqlEditor(look), AnswerTable(), KeyStrip(look)
    sql.setPlainText("SELECT last_name FROM employee WHERE salary > 70000")
    sql.setFixedHeight(48)
    answer.show_table(TABLE)
    strip.show_steps([("Ctrl+Shift+Enter", "send answer"), ("F5", "run again"), ("F1", "keys")])
    made = box(
        column(
            label(name, look, pt=look.title_pt, bold=True), row(*sizes[:3], 1), row(*sizes[3:], 1), row(*colours, 1),
            row(filled, usual, pressed, off, tick, choice, 1), row(empty, written, listed), tabs, bar, tree, *bands,
            sql, heading("Answer", look, "as the subject will see it"), (SubjectFrame(answer, look), 1),
            Hairline(look), strip, margins=style.PAGE, spacing=ROOMY,
        )
    )  # fmt: skip
    set_size(made, look.body_pt)
    made.resize(*SIZE)
    return made


def points(look: Look) -> tuple[float, ...]:
    return look.small_pt, look.body_pt, look.read_pt, look.title_pt, look.large_pt


def main() -> None:
    app = QApplication(["widgets", "-platform", "offscreen"])
    themes = ("light", "dark", "contrast")
    page = QImage(len(themes) * SIZE[0], SIZE[1], QImage.Format.Format_RGB32)
    page.fill(Qt.GlobalColor.white)
    painter = QPainter(page)
    for at, theme in enumerate(themes):
        made = sheet(style.apply(app, theme), theme)
        painter.drawPixmap(at * SIZE[0], 0, made.grab())
    painter.end()
    # In all its colours: 256 are too few for three themes.
    page.save(str(PICTURES / "widgets.png"))


if __name__ == "__main__":
    main()
