"""The small windows over the home window; none of them stops anything behind it."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFormLayout, QLabel, QLayout, QPlainTextEdit, QPushButton, QWidget

from curtain.qt.command_text import CommandLine
from curtain.qt.languages.translation import sentence_here, translate
from curtain.qt.style import Look, set_text_colour
from curtain.qt.widgets import label, named, row
from curtain.qt.windows.dialog import FileDialog, Scrolled, TitledDialog


def choosers(
    name: str, spoken: str, pick: str, text: str, start: Callable[[], str], take: Callable[[str], object]
) -> list[QPushButton]:
    """Buttons with this text that let one choose a path and `take` it.

    `pick` is “folder”, “file”, “new” or “save” for one that is to be made, or “either”, which has a button for each: no
    system's dialog lets one choose a folder where it also lets one choose a file. Without a pick there is none.
    """

    def made(kind: str, words: str, ending: str) -> QPushButton:
        def choose() -> None:
            dialog = FileDialog(button.window(), spoken, start(), pick=kind)
            dialog.fileSelected.connect(take)
            dialog.open()

        button = QPushButton(words, autoDefault=True)
        button.clicked.connect(choose)
        return named(button, f"{name}_{ending}", f"{words.removesuffix(' …')}: {spoken}")

    if pick == "either":
        both = {"folder": translate("PathField", "Folder …"), "file": translate("PathField", "File …")}
        return [made(kind, words, kind) for kind, words in both.items()]
    return [made(pick, text, "choose")] if pick else []


class PathField(QWidget):
    """A path to type, and a button that lets one choose it, as `pick` of `choosers` says."""

    def __init__(self, name: str, spoken: str, pick: str) -> None:
        super().__init__()
        self.line = named(CommandLine(), name, spoken)
        self.line.setMinimumWidth(420)
        self.setFocusProxy(self.line)
        buttons = choosers(name, spoken, pick, self.tr("Choose …"), lambda: self.text, self.line.setText)
        self.setLayout(row(self.line, *buttons))

    @property
    def text(self) -> str:
        """The path as it is typed, without blanks around it."""
        return self.line.text().strip()


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

    def show_missing(self, missing: str, advice: str = "") -> None:
        """Say what is missing, or that it can be done, with what is hardly meant."""
        self.do_button.setEnabled(not missing)
        begins_lines = any(not field.isReadOnly() for field in self.findChildren(QPlainTextEdit))
        does_it = self.tr("Ctrl+Enter does it.") if begins_lines else self.tr("Enter or Ctrl+Enter does it.")
        self.notice.setText(sentence_here(missing or advice) or does_it)
        set_text_colour(self.notice, self.look.warning if missing or advice else self.look.good)
