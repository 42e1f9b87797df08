"""A task, a message, a question or a text as a form over its file, with what the subject will see beside it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QPushButton, QWidget

from curtain.base.errors import CurtainError
from curtain.base.settings_file import read_text
from curtain.qt.background import Background, or_else
from curtain.qt.style import Look
from curtain.qt.widgets import label, named, row
from curtain_home.control.actions import Value
from curtain_home.control.study_words import Words, answer_of
from curtain_home.control.word_files import Changes, Part, given_in, written
from curtain_home.pages.dialogs import FormDialog
from curtain_home.pages.field_sheet import FieldSheet


class WordsForm(FormDialog):
    """One field a key. What the file must not hold is said as “curtain check” says it, and is not written."""

    def __init__(self, look: Look, study: Path, words: Words, parts: tuple[Part, ...], parent: QWidget) -> None:
        super().__init__(look, words.name, self.tr("Write the file"), "write_words", parent)
        self._study, self._parts = study, parts
        self._before = {part.path: read_text(part.path) if part.path.exists() else None for part in parts}
        given: dict[str, Value] = {}
        for part in parts:
            given |= given_in(part, words.text)
        self._sheet = FieldSheet([field for part in parts for field in part.fields], given, look)
        self._sheet.edited.connect(self.look_again)
        self._answer = label("", look, small=True, name="answer_found", wraps=True)
        self._background = Background(1, self)
        self.finished.connect(self._background.close)
        run = named(QPushButton(self.tr("Run the SQL"), autoDefault=True), "run_sql")
        run.clicked.connect(self._run)
        run.setVisible("sql" in given)
        self.finish(self._fault, self._sheet.first, self._sheet, row(run, (self._answer, 1)))

    @property
    def wish(self) -> Changes:
        """The file before and its new text, for each that changes."""
        values = self._sheet.values
        texts = {part.path: (self._before[part.path], written(part, values)) for part in self._parts}
        return {path: (before, text) for path, (before, text) in texts.items() if text != (before or "")}

    def filled_in(self) -> object:
        """The values of all fields."""
        return self._sheet.values

    def _fault(self) -> str:
        try:
            _ = self.wish
        except CurtainError as fault:
            return str(fault).replace(f"{self._study}/", "")
        return ""

    def _run(self) -> None:
        self._answer.setText(self.tr("The database is being asked."))
        work = partial(answer_of, self._study, str(self._sheet.values["sql"]))
        self._background.run(work, or_else(self._show_answer, lambda fault: self._answer.setText(str(fault))))

    def _show_answer(self, answer: str) -> None:
        self._answer.setText(answer)
        self._sheet.fill("answer", answer)
