"""A database of one's own: what was understood of each column, and the headings as they are typed."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from curtain.home.control.plans import NewStudyWish
from curtain.home.pages.database_form import DatabaseForm
from curtain.qt import style


def test_a_heading_is_typed_over_the_guess(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    source = tmp_path / "csv"
    source.mkdir()
    (source / "breads.csv").write_text("bread_code,price\n007,3.5\n010,2.0\n", "utf-8")
    window = QWidget()
    qtbot.addWidget(window)
    form = DatabaseForm(style.apply(qapp, "light"), NewStudyWish(tmp_path / "lab", "lab", source), window)
    form.open()
    rows = form.findChild(QTableWidget, "database_rows")
    assert rows is not None
    qtbot.waitUntil(lambda: rows.rowCount() > 0, timeout=60_000)
    code, price = (rows.item(0, column) for column in (0, 1))
    assert code is not None and price is not None and (first := rows.item(1, 0)) is not None
    header = rows.horizontalHeaderItem(0)
    assert header is not None and header.text().endswith("key")
    assert (code.text(), price.text()) == ("Bread code", "Price")
    assert not first.flags() & Qt.ItemFlag.ItemIsEditable
    price.setText("Price of a loaf")
    assert form.wish.read_as == ("--heading", "breads.price=Price of a loaf")
    form.close()
