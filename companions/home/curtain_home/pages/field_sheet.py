"""Rows of a form that are made from a description of their values: of a command, or of a study's settings."""

import re
from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QSizePolicy,
    QWidget,
)  # fmt: skip

from curtain.qt.command_text import CommandLine
from curtain.qt.languages.translation import FIELDS, translate
from curtain.qt.style import GAP, TIGHT, Look
from curtain.qt.widgets import column, heading, label, named, plain_tip, row
from curtain.qt.windows.dialog import Scrolled
from curtain_home.control.actions import Field, Value
from curtain_home.control.plans import in_our_words
from curtain_home.pages.dialogs import PathField, choosers

_WIDE, _MOST_ROWS = 420, 5
_VALUE = int(Qt.ItemDataRole.UserRole)
_KEY, _PLACE = re.compile("“([a-z_]+)”"), re.compile(r"\A[^“:]+\.toml(?:, line \d+)?: (?=“)")


def help_here(text: str) -> str:
    """The sentence of a command or a setting in the words and the language of the window."""
    return translate("Help", in_our_words(text))


def label_here(field: Field) -> str:
    """The field's name in the language of the window."""
    return translate(FIELDS, field.label)


class LinesField(QWidget):
    """Several values, one a line; those that are paths can be chosen."""

    def __init__(self, name: str, spoken: str, pick: str) -> None:
        super().__init__()
        self.lines = named(QPlainTextEdit(tabChangesFocus=True), name, spoken)
        self.lines.setFixedHeight(2 * self.lines.fontMetrics().lineSpacing() + 14)
        self.lines.setMinimumWidth(_WIDE)
        self.lines.setPlaceholderText(self.tr("one a line"))
        self.setFocusProxy(self.lines)
        add = choosers(name, spoken, pick, self.tr("Add …"), str, self.lines.appendPlainText)
        self.setLayout(row(self.lines, *add))

    @property
    def values(self) -> tuple[str, ...]:
        """The lines that are not empty."""
        return tuple(line.strip() for line in self.lines.toPlainText().splitlines() if line.strip())


class TickList(QWidget):
    """Some of a few values, to tick in their order. `edited` when a person ticks or moves one."""

    edited = Signal()

    def __init__(self, name: str, spoken: str, open_ended: bool) -> None:
        super().__init__()
        self.list = named(_Ticks(), name, spoken)
        self.list.setToolTip(plain_tip(self.tr("Space ticks, Alt with Up or Down moves")))
        self.list.itemChanged.connect(lambda _: self.edited.emit())
        self.list.model().rowsMoved.connect(lambda *_: self.edited.emit())
        self.setFocusProxy(self.list)
        add = choosers(name, spoken, "file" if open_ended else "", self.tr("Add …"), str, self._add_file)
        self.setLayout(row((self.list, 1), *add))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    @property
    def values(self) -> tuple[str, ...]:
        """Those that are ticked, in the order of the list."""
        items = map(self.list.item, range(self.list.count()))
        return tuple(str(one.data(_VALUE)) for one in items if one.checkState() == Qt.CheckState.Checked)

    def offer(self, choices: Mapping[str, str], ticked: Sequence[str]) -> None:
        """Show the choices with their titles; those that are ticked come first, also where they are no choice."""
        self.list.blockSignals(True)
        # Before it is known what there is, there is room for all that will be in sight.
        self._add("–")
        rows = min(len(choices) or _MOST_ROWS, _MOST_ROWS)
        self.list.setFixedHeight(rows * self.list.sizeHintForRow(0) + 2 * self.list.frameWidth())
        self.list.clear()
        for value in dict.fromkeys((*ticked, *choices)):
            self._add(value, choices.get(value, ""), value in ticked)
        self.list.setCurrentRow(0)
        self.list.blockSignals(False)

    def _add(self, value: str, title: str = "", is_ticked: bool = True) -> None:
        item = QListWidgetItem(f"{value}   {title}".rstrip())
        item.setData(_VALUE, value)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
        self.list.addItem(item)

    def _add_file(self, path: str) -> None:
        self._add(path)
        self.edited.emit()


class _Ticks(QListWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setDragDropMode(QListWidget.DragDropMode.InternalMove)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt with Up or Down moves a row, Space ticks it."""
        steps, at = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}, self.currentRow()
        step = steps.get(Qt.Key(event.key())) if event.modifiers() & Qt.KeyboardModifier.AltModifier else None
        if step is None:
            super().keyPressEvent(event)
        elif 0 <= at + step < self.count():
            self.insertItem(at + step, self.takeItem(at))
            self.setCurrentRow(at + step)
            self.itemChanged.emit(self.currentItem())


class FieldSheet(Scrolled):
    """One row a field, its sentence below it. `edited` when a person changes anything."""

    edited = Signal()

    def __init__(self, fields: Sequence[Field], given: Mapping[str, Value], look: Look) -> None:
        self._form = QFormLayout(verticalSpacing=GAP, rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows,
                                 fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)  # fmt: skip
        super().__init__(self._form)
        self._look = look
        self._editors: dict[str, QWidget] = {}
        self._rows: dict[str, QWidget] = {}
        self._called = {field.name: label_here(field) for field in fields}
        group = ""
        for field in fields:
            if field.group != group:
                self._form.addRow(heading(translate(FIELDS, group := field.group), look))
            self._add(field, given.get(field.name, field.default))

    @property
    def first(self) -> QWidget:
        """The first editor, for the cursor."""
        return next(iter(self._editors.values()), self)

    def editor(self, name: str) -> QWidget:
        """The editor of this field, or the first one, for the cursor."""
        return self._editors.get(name, self.first)

    def first_empty(self, names: Sequence[str]) -> QWidget:
        """The first of these editors that is to be filled in, for the cursor; without one the first editor."""
        values = self.values
        return next((self._editors[name] for name in names if not values[name]), self.first)

    @property
    def values(self) -> dict[str, Value]:
        """What was filled in, by field."""
        return {name: _value_of(editor) for name, editor in self._editors.items()}

    def problem_here(self, problem: str) -> str:
        """A sentence on a problem with the fields as they are called here. One of a field needs no line of a file."""
        named = _KEY.sub(lambda key: f"“{self._called.get(key[1], key[1])}”", problem)
        return named if named == problem else _PLACE.sub("", named)

    def fill(self, name: str, text: str) -> None:
        """Put a text into a field of one line."""
        editor = self._editors[name]
        assert isinstance(editor, CommandLine)
        editor.setText(text)

    def offer(self, name: str, choices: Mapping[str, str]) -> None:
        """Other choices, with their titles, for a field whose values are ticked; what is ticked stays."""
        editor = self._editors[name]
        assert isinstance(editor, TickList)
        editor.offer(choices, editor.values)

    def show_rows(self, names: Sequence[str]) -> None:
        """Show the rows of these fields, and hide the others."""
        for name, line in self._rows.items():
            self._form.setRowVisible(line, name in names)
        self.updateGeometry()

    def _add(self, field: Field, value: Value) -> None:
        editor = self._editors[field.name] = _editor(field, value)
        sentence = help_here(field.help)
        note = label(sentence, self._look, small=True, quiet=True, wraps=True)
        line = self._rows[field.name] = QWidget()
        line.setLayout(column(editor, *([note] if sentence else []), spacing=TIGHT))
        name = QLabel("" if field.kind == "flag" else label_here(field))
        name.setBuddy(editor.line if isinstance(editor, PathField) else editor)
        self._form.addRow(name, line)
        editor.setAccessibleDescription(sentence)
        # As the documentation names it.
        editor.setToolTip(plain_tip(field.option or field.name))
        _connect(editor, self.edited.emit)


def _editor(field: Field, value: Value) -> QWidget:
    spoken, name = label_here(field), f"field_{field.name}"
    if field.kind == "flag":
        tick = named(QCheckBox(spoken), name, spoken)
        tick.setChecked(value is True or value in ("True", "true"))
        return tick
    if field.kind == "ticks":
        ticks = TickList(name, spoken, field.open_ended)
        ticks.offer(dict.fromkeys(field.choices, ""), value if isinstance(value, tuple) else ())
        return ticks
    if field.kind == "prose":
        prose = named(QPlainTextEdit(str(value), tabChangesFocus=True), name, spoken)
        prose.setMinimumWidth(_WIDE)
        prose.setFixedHeight(5 * prose.fontMetrics().lineSpacing() + 14)
        return prose
    if field.many:
        lines = LinesField(name, spoken, field.purpose)
        lines.lines.setPlainText("\n".join(value) if isinstance(value, tuple) else str(value))
        return lines
    if field.choices:
        choice = named(QComboBox(), name, spoken)
        # Without a default there is a way to leave it open.
        choice.addItems([*([] if field.default else [""]), *field.choices])
        choice.setEditable(field.open_ended)
        choice.setCurrentText(str(value))
        return choice
    if field.kind == "path":
        path = PathField(name, spoken, field.purpose)
        path.line.setText(str(value))
        return path
    line = named(CommandLine(str(value)), name, spoken)
    line.setMinimumWidth(_WIDE)
    return line


def _value_of(editor: QWidget) -> Value:
    if isinstance(editor, QCheckBox):
        return editor.isChecked()
    if isinstance(editor, QComboBox):
        return editor.currentText()
    if isinstance(editor, LinesField | TickList):
        return editor.values
    if isinstance(editor, QPlainTextEdit):
        return editor.toPlainText().strip()
    assert isinstance(editor, PathField | CommandLine)
    return editor.text if isinstance(editor, PathField) else editor.text().strip()


def _connect(editor: QWidget, act: Callable[[], object]) -> None:
    """Call `act` when a person changes what the editor holds."""
    if isinstance(editor, QCheckBox):
        editor.toggled.connect(lambda _: act())
    elif isinstance(editor, QComboBox):
        editor.currentTextChanged.connect(lambda _: act())
    elif isinstance(editor, TickList):
        editor.edited.connect(lambda: act())
    elif isinstance(editor, QPlainTextEdit):
        editor.textChanged.connect(lambda: act())
    elif isinstance(editor, LinesField):
        editor.lines.textChanged.connect(lambda: act())
    elif isinstance(editor, PathField | CommandLine):
        line = editor.line if isinstance(editor, PathField) else editor
        line.textChanged.connect(lambda _: act())
