"""A database of one's own: what was understood of each column, and the headings as they are typed."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QTableWidget, QWidget
from pytestqt.qtbot import QtBot

from curtain.qt import style
from curtain_home.control.plans import NewStudyWish
from curtain_home.pages.database_form import DatabaseForm


def test_a_heading_is_typed_over_the_guess(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    source = tmp_path / "csv"
    source.mkdir()
    (source / "breads.csv").write_text("bread_code,price,weight_kg,mail\n007,3.5,1,a@b.de\n010,2.0,2,c@d.de\n", "utf-8")
    (source / "sales.csv").write_text("sale,bread_code,day\n1,007,2024-02-01\n2,010,2024-02-02\n", "utf-8")
    window = QWidget()
    qtbot.addWidget(window)
    form = DatabaseForm(style.apply(qapp, "light"), NewStudyWish(tmp_path / "lab", "lab", source), window)
    form.open()
    rows = form.findChild(QTableWidget, "database_rows")
    assert rows is not None
    qtbot.waitUntil(lambda: rows.rowCount() > 0, timeout=60_000)
    code, price = (rows.item(0, column) for column in (0, 1))
    assert code is not None and price is not None and (first := rows.item(1, 0)) is not None
    taken_for = [item.text() for column in range(4) if (item := rows.item(1, column)) is not None]
    assert taken_for == ["text, identifies the row", "number", "number, in kg", "text, private"]
    assert (code.text(), price.text()) == ("Bread code", "Price")
    assert not first.flags() & Qt.ItemFlag.ItemIsEditable
    price.setText(shown_as := "Price of a loaf")
    assert form.wish.read_as == ("--heading", "breads.price=" + shown_as)
    tables = form.findChild(QComboBox, "database_table")
    assert tables is not None
    tables.setCurrentText("sales")
    taken_for = [item.text() for column in range(3) if (item := rows.item(1, column)) is not None]
    assert taken_for == ["number, identifies the row", "text, code of breads", "date"]
    form.close()
