"""Before a pack is made of somebody's own database: its first rows, how they were read, and what can be corrected."""

import json
import re
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QPlainTextEdit, QTableWidget, QTableWidgetItem, QWidget

from curtain.qt.style import Look
from curtain.qt.widgets import label, named, plain_tip
from curtain_home.control.commands import Activity, CommandRunner
from curtain_home.control.plans import NewStudyWish, look_plan
from curtain_home.pages.dialogs import FormDialog

_ENCODINGS = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp850", "mac_roman",
    "gb18030", "big5", "cp932", "cp949", "utf-16-le",
)  # fmt: skip
_LINES = 10
# Above the first rows of a table stand what is shown above each column, what it was taken for, and what to check.
_ABOVE = 3


class DatabaseForm(FormDialog):
    """Asks how files are to be read; each choice holds for the file of the table that is shown, and reads it again."""

    def __init__(self, look: Look, wish: NewStudyWish, parent: QWidget) -> None:
        assert wish.source is not None
        title = self.tr("What was read from {0}").format(wish.source.name)
        super().__init__(look, title, self.tr("Make the study"), "make_from_database", parent)
        self._wish, self._source = wish, wish.source
        self._tables: list[dict[str, Any]] = []
        self._doubts: list[str] = []
        self._chosen: dict[tuple[str, str], str] = {}
        self._problem = self.tr("The database is being read.")
        self._table = self._box("database_table", self.tr("Table"))
        self._rows = named(QTableWidget(), "database_rows", self.tr("First rows of the table"))
        # Only the headings can be edited: by a second click, F2, or typing over them. The arrow keys go on from there.
        triggers = QAbstractItemView.EditTrigger
        self._rows.setEditTriggers(triggers.AllEditTriggers & ~triggers.CurrentChanged)
        self._rows.itemChanged.connect(self._on_edited)
        self._headings: dict[str, str] = {}
        self._rows.setTabKeyNavigation(False)
        self._rows.setMinimumSize(640, 7 * self.fontMetrics().lineSpacing())
        self._read_as = label("", look, small=True, name="database_read_as", wraps=True)
        self._read_as.setMinimumHeight(2 * self._read_as.fontMetrics().lineSpacing())
        self._notes = named(
            QPlainTextEdit(readOnly=True, tabChangesFocus=True), "database_notes", self.tr("What to look at")
        )
        self._notes.setFixedHeight(4 * self.fontMetrics().lineSpacing())
        as_found = (self.tr("as found"), "")
        lines = [(self.tr("in line {0}").format(line), str(line)) for line in range(1, _LINES + 1)]
        self._options = {
            "header": self._choice(
                "database_header", self.tr("Names of columns"), as_found, *lines, (self.tr("nowhere"), "0"),
            ),
            "dates": self._choice(
                "database_dates", self.tr("Order of dates"), as_found, (self.tr("day, month, year"), "dmy"),
                (self.tr("month, day, year"), "mdy"), (self.tr("kept as text"), "text"),
            ),
            "decimal": self._choice(
                "database_decimal", self.tr("Decimal sign"), as_found, (self.tr("point"), "point"),
                (self.tr("comma"), "comma"),
            ),
            "encoding": self._choice(
                "database_encoding", self.tr("Encoding"), as_found, *((name, name) for name in _ENCODINGS),
            ),
        }  # fmt: skip
        self.add(self.tr("&Table that is shown"), self._table)
        self.form.addRow(self._rows)
        self.form.addRow(self._read_as)
        self.add(_with(self.tr("&Names of columns"), "--header"), self._options["header"])
        self.add(_with(self.tr("&Dates such as 01/02/2020"), "--dates"), self._options["dates"])
        self.add(_with(self.tr("De&cimal sign of 1.234 and 1,234"), "--decimal"), self._options["decimal"])
        self.add(_with(self.tr("Text that is not &UTF-8"), "--encoding"), self._options["encoding"])
        self.add(self.tr("&Look at this"), self._notes)
        self._table.currentIndexChanged.connect(self._show_table)
        self._runner = CommandRunner(self)
        self._runner.finished.connect(self._on_read)
        self.finished.connect(self._runner.close)
        self.finish(lambda: self._problem, self._table)
        self._read()

    @property
    def wish(self) -> NewStudyWish:
        """The study to make, with what was chosen for its files."""
        options = (
            (f"--{option}", f"{file}={value}" if file else value)
            for (file, option), value in self._chosen.items()
            if value
        )
        # Another reading may have other columns.
        columns = {f"{one['table']}.{column}" for one in self._tables for column in one["columns"]}
        wished = (("--heading", f"{column}={words}") for column, words in self._headings.items() if column in columns)
        read_as = tuple(part for pair in (*options, *wished) for part in pair)
        return NewStudyWish(self._wish.folder, self._wish.domain, self._source, read_as)

    def filled_in(self) -> object:
        """What was chosen for files and columns; the table that is shown is no part of it."""
        return {choice: value for choice, value in self._chosen.items() if value}, dict(self._headings)

    def _on_edited(self, item: QTableWidgetItem) -> None:
        column = list(self._shown["columns"])[item.column()]
        self._headings[f"{self._shown['table']}.{column}"] = item.text().strip()

    @property
    def _shown(self) -> dict[str, Any]:
        at = self._table.currentIndex()
        return self._tables[at] if 0 <= at < len(self._tables) else {}

    @property
    def _file(self) -> str:
        return str((self._shown.get("read_as") or {}).get("file", ""))

    def _box(self, name: str, spoken: str) -> QComboBox:
        return named(QComboBox(), name, spoken)

    def _choice(self, name: str, spoken: str, *choices: tuple[str, str]) -> QComboBox:
        box = self._box(name, spoken)
        for words, value in choices:
            box.addItem(words, value)
        box.activated.connect(self._on_chosen)
        return box

    @Slot()
    def _on_chosen(self) -> None:
        for option, box in self._options.items():
            self._chosen[self._file, option] = box.currentData()
        self._read()

    def _read(self) -> None:
        self._problem = self.tr("The database is being read.")
        self.look_again()
        self._runner.cancel()
        self._runner.run([look_plan(self._source, self.wish.read_as)])

    @Slot(object)
    def _on_read(self, activity: Activity) -> None:
        if activity.end == "stopped":
            return
        self._problem = "" if activity.end == "good" else activity.sentence
        if activity.end == "good":
            answer = json.loads(next(line for line in activity.lines if line.startswith("{")))
            self._tables = answer["tables"]
            self._doubts = answer["notes"]
            self._notes.setPlainText("\n".join(self._doubts) or self.tr("Nothing is in doubt."))
            before = self._table.currentText()
            self._table.blockSignals(True)
            self._table.clear()
            self._table.addItems([one["table"] for one in self._tables])
            self._table.setCurrentIndex(max(self._table.findText(before), 0))
            self._table.blockSignals(False)
            self._show_table()
        self.look_again()

    @Slot()
    def _show_table(self) -> None:
        columns, rows = self._shown.get("columns", {}), self._shown.get("rows", [])
        self._rows.blockSignals(True)
        self._rows.setRowCount(_ABOVE + len(rows) if columns else 0)
        self._rows.setColumnCount(len(columns))
        self._rows.setHorizontalHeaderLabels(list(columns))
        above = [self.tr("Shown as (edit)"), self.tr("Taken for"), self.tr("To check")]
        self._rows.setVerticalHeaderLabels([*above, *map(str, range(1, 1 + len(rows)))])
        headings = self._shown.get("headings", {})
        shown_as = [self._headings.get(f"{self._shown['table']}.{name}") or headings[name] for name in columns]
        taken_for = [self._taken_for(name, kind) for name, kind in columns.items()]
        to_check = ["\n".join(self._doubts_of(name)) for name in columns]
        for line, row in enumerate((shown_as, taken_for, to_check, *rows)):
            for at, cell in enumerate(row):
                item = QTableWidgetItem(cell)
                item.setToolTip(plain_tip(cell))
                if line:
                    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
                self._rows.setItem(line, at, item)
        # A note would make its column wider than the page, and the list below has it whole.
        self._rows.setRowHidden(_ABOVE - 1, True)
        self._rows.resizeColumnsToContents()
        self._rows.setRowHidden(_ABOVE - 1, not any(to_check))
        self._rows.blockSignals(False)
        self._read_as.setText(self._sentence(self._shown.get("read_as")))
        for option, box in self._options.items():
            # A DuckDB file says everything itself; of SQLite texts may be in another encoding.
            box.setEnabled(option == "encoding" or bool(self._file))
            # What was chosen before any file could be read holds for all of them.
            for_all = self._chosen.get(("", option), "")
            box.setCurrentIndex(max(box.findData(self._chosen.get((self._file, option), for_all)), 0))

    def _taken_for(self, column: str, kind: str) -> str:
        """What was understood of a column: its kind, and what it stands for in its table."""
        understood = self._shown.get("understood", {}).get(column, {})
        whole_key = len(self._shown.get("key", ())) == 1
        kinds = {"VARCHAR": self.tr("text"), "DATE": self.tr("date"), "TIME": self.tr("time of day"),
                 "TIMESTAMP": self.tr("date and time"), "BOOLEAN": self.tr("yes or no")}  # fmt: skip
        stands_for = {
            "key": self.tr("identifies the row") if whole_key else self.tr("identifies the row, with others"),
            "refers": self.tr("code of {0}").format(understood.get("refers")),
            "names": self.tr("name of the row"),
            "unit": self.tr("in {0}").format(understood.get("unit")),
            "private": self.tr("private"),
        }
        words = [kinds.get(kind.partition("(")[0], self.tr("number")), *map(stands_for.__getitem__, understood)]
        return ", ".join(words)

    def _doubts_of(self, column: str) -> list[str]:
        table = self._shown["table"]
        names = re.compile(rf"\b{re.escape(table)}\.{re.escape(column)}\b")
        return [note for note in self._doubts if names.search(note)]

    def _sentence(self, read_as: dict[str, Any] | None) -> str:
        if not read_as:
            return self.tr("The database itself says what its columns are.")
        line, separator = read_as["header"], read_as["separator"].replace("\t", self.tr("tab"))
        orders = {"dmy": self.tr("day, month, year"), "mdy": self.tr("month, day, year")}
        parts = (
            self.tr("names of columns in line {0}").format(line) if line else self.tr("no line with names"),
            self.tr("fields divided by “{0}”").format(separator) if separator else "",
            read_as["encoding"].upper(),
            self.tr("dates as {0}").format(orders[read_as["dates"]]) if read_as["dates"] else "",
        )
        return self.tr("{0} as it was read: {1}.").format(read_as["file"], "; ".join(filter(None, parts)))


def _with(label: str, option: str) -> str:
    """A label with the option by which notes and the terminal name what it asks for."""
    return f"{label}  ({option})"
