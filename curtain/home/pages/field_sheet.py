"""Rows of a form that are made from a description of their values: of a command, or of a study's settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)  # fmt: skip

from curtain.home.control.actions import Field, Value
from curtain.home.control.outcome import in_our_words
from curtain.home.pages.dialogs import PathField
from curtain.qt.command_text import CommandLine
from curtain.qt.languages.translation import FIELDS, translate
from curtain.qt.style import GAP, TIGHT, Look
from curtain.qt.widgets import column, label, named, plain_tip, row
from curtain.qt.windows.dialog import FileDialog, Scrolled

_WIDE = 420


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
        self._pick, self._spoken = pick, spoken
        self.lines = named(QPlainTextEdit(tabChangesFocus=True), name, spoken)
        self.lines.setFixedHeight(2 * self.lines.fontMetrics().lineSpacing() + 14)
        self.lines.setMinimumWidth(_WIDE)
        self.lines.setPlaceholderText(self.tr("one a line"))
        self.setFocusProxy(self.lines)
        add = named(
            QPushButton(self.tr("Add …"), autoDefault=True), f"{name}_choose", self.tr("Add: {0}").format(spoken)
        )
        add.setVisible(bool(pick))
        add.clicked.connect(self._choose)
        self.setLayout(row(self.lines, add))

    @property
    def values(self) -> tuple[str, ...]:
        """The lines that are not empty."""
        return tuple(line.strip() for line in self.lines.toPlainText().splitlines() if line.strip())

    def _choose(self) -> None:
        dialog = FileDialog(self.window(), self._spoken, folder=self._pick not in ("file", "save"))
        dialog.fileSelected.connect(self.lines.appendPlainText)
        dialog.open()


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
        for field in fields:
            self._add(field, given.get(field.name, field.default))

    @property
    def first(self) -> QWidget:
        """The first editor, for the cursor."""
        return next(iter(self._editors.values()), self)

    def first_empty(self, names: Sequence[str]) -> QWidget:
        """The first of these editors that is to be filled in, for the cursor; without one the first editor."""
        values = self.values
        return next((self._editors[name] for name in names if not values[name]), self.first)

    @property
    def values(self) -> dict[str, Value]:
        """What was filled in, by field."""
        return {name: _value_of(editor) for name, editor in self._editors.items()}

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
    if field.many:
        lines = LinesField(name, spoken, field.pick)
        lines.lines.setPlainText("\n".join(value) if isinstance(value, tuple) else str(value))
        return lines
    if field.choices:
        choice = named(QComboBox(), name, spoken)
        # Without a default there is a way to leave it open.
        choice.addItems([*([] if field.default else [""]), *field.choices])
        choice.setCurrentText(str(value))
        return choice
    if field.kind == "path":
        path = PathField(name, spoken, field.pick)
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
    if isinstance(editor, LinesField):
        return editor.values
    assert isinstance(editor, PathField | CommandLine)
    return editor.text if isinstance(editor, PathField) else editor.text().strip()


def _connect(editor: QWidget, act: Callable[[], object]) -> None:
    """Call `act` when a person changes what the editor holds."""
    if isinstance(editor, QCheckBox):
        editor.toggled.connect(lambda _: act())
    elif isinstance(editor, QComboBox):
        editor.currentIndexChanged.connect(lambda _: act())
    elif isinstance(editor, LinesField):
        editor.lines.textChanged.connect(lambda: act())
    elif isinstance(editor, PathField | CommandLine):
        line = editor.line if isinstance(editor, PathField) else editor
        line.textChanged.connect(lambda _: act())
