"""The small windows over the home window; none of them stops anything behind it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QLayout, QPushButton, QWidget

from curtain.qt.command_text import CommandLine
from curtain.qt.languages.translation import sentence_here
from curtain.qt.style import Look, set_text_colour
from curtain.qt.widgets import label, named, row
from curtain.qt.windows.dialog import FileDialog, Scrolled, TitledDialog


class PathField(QWidget):
    """A path to type, and a button that lets one choose it.

    `pick` is “folder”, “new” (one to be made), “file”, or “either”, which has a button for each: no system's dialog
    lets one choose a folder where it also lets one choose a file.
    """

    def __init__(self, name: str, spoken: str, pick: str) -> None:
        super().__init__()
        self._spoken = spoken
        self.line = named(CommandLine(), name, spoken)
        self.line.setMinimumWidth(420)
        self.setFocusProxy(self.line)
        words = {
            "either": {"file": self.tr("File …"), "folder": self.tr("Folder …")},
            "file": {"file": self.tr("Choose …")},
        }.get(pick, {"folder": self.tr("Choose …")})
        self.setLayout(row(self.line, *(self._button(kind, text, name) for kind, text in words.items())))

    @property
    def text(self) -> str:
        """The path as it is typed, without blanks around it."""
        return self.line.text().strip()

    def _button(self, kind: str, text: str, name: str) -> QPushButton:
        def choose() -> None:
            dialog = FileDialog(self.window(), self._spoken, self.text, folder=kind == "folder")
            dialog.fileSelected.connect(self.line.setText)
            dialog.open()

        button = QPushButton(text, autoDefault=True)
        button.clicked.connect(choose)
        ending = "choose" if text == self.tr("Choose …") else kind
        return named(button, f"{name}_{ending}", f"{text.removesuffix(' …')}: {self._spoken}")


class FormDialog(TitledDialog):
    """Fields, a line that says what is missing, and a button that works once nothing is; then it emits `wished`."""

    wished = Signal(object)

    def __init__(self, look: Look, title: str, do: str, name: str, parent: QWidget) -> None:
        super().__init__(look, title, parent)
        # With large letters, what is too wide beside its label stands below it.
        self.form = QFormLayout(verticalSpacing=10, rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows,
                                fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)  # fmt: skip
        self.notice = label("", look, small=True, name="notice", wraps=True)
        self.notice.setMinimumHeight(2 * self.notice.fontMetrics().lineSpacing())
        self._do, self._do_name = do, name
        self.check: Callable[[], str] = lambda: ""

    @property
    def wish(self) -> object:
        """What was filled in."""
        raise NotImplementedError

    def finish(self, check: Callable[[], str], first: QWidget, *above: QWidget | QLayout) -> None:
        """Lay out, and begin to look; `check` gives a sentence on what is missing, or an empty text."""
        self.check = check
        self.accepted.connect(lambda: self.wished.emit(self.wish))
        parts = [*above, *([Scrolled(self.form)] if self.form.rowCount() else [])]
        self.fill(*parts, self.notice, self.buttons(self._do, self._do_name, self.tr("Go back  (Esc)")))
        first.setFocus(Qt.FocusReason.OtherFocusReason)
        self.look_again()
        self.fit()

    def add(self, text: str, field: QWidget) -> None:
        """A field with its label, whose mnemonic leads to it."""
        name = QLabel(text)
        # A letter that is underlined is drawn without kerning, so the text is a little wider than Qt has measured.
        name.setMinimumWidth(name.sizeHint().width() + name.fontMetrics().averageCharWidth() // 2)
        # Qt gives the focus only to a buddy that takes it itself, and a path's field is a part of its widget.
        name.setBuddy(field.line if isinstance(field, PathField) else field)
        self.form.addRow(name, field)
        if isinstance(field, PathField):
            field.line.textChanged.connect(self.look_again)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """In a field of several lines Enter begins the next one; Ctrl+Enter does it from there."""
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.do_button.click()
        else:
            super().keyPressEvent(event)

    def look_again(self) -> None:
        """Say what is missing now."""
        self.show_missing(self.check())

    def show_missing(self, missing: str) -> None:
        """Say what is missing, or that it can be done."""
        self.do_button.setEnabled(not missing)
        self.notice.setText(sentence_here(missing) or self.tr("Enter or Ctrl+Enter does it."))
        set_text_colour(self.notice, self.look.warning if missing else self.look.good)
