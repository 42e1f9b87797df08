"""A task, a message, a question or a text as a form over its file, with what the subject will see beside it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QPushButton, QWidget

from curtain.base.errors import CurtainError
from curtain.base.settings_file import text_if_any
from curtain.base.text_file import reading_instead
from curtain.qt.background import Background, or_else
from curtain.qt.style import Look
from curtain.qt.widgets import label, named, row
from curtain_home.control.actions import Value
from curtain_home.control.study_words import Words, answer_of
from curtain_home.control.word_files import Changes, given_in, parts_of, write_checked, written
from curtain_home.pages.dialogs import FormDialog
from curtain_home.pages.field_sheet import FieldSheet


class WordsForm(FormDialog):
    """One field a key; `begun` is what makes a new entry. What would keep the study from being read is said as
    “curtain check” says it, and is not written. Raises CurtainError."""

    def __init__(self, look: Look, study: Path, words: Words, begun: Changes, parent: QWidget) -> None:
        super().__init__(look, words.name, self.tr("Write the file"), "write_words", parent)
        self._study, self._begun = study, begun
        given: dict[str, Value] = {}
        with self._as_begun():
            self._parts = parts = parts_of(study, words)
            for part in parts:
                given |= given_in(part, words.text)
        before = {part.path: text_if_any(part.path) for part in parts}
        self._before = before | {path: was for path, (was, _) in begun.items()}
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
        texts = {path: text for path, (_, text) in self._begun.items()}
        with self._as_begun():
            texts |= {part.path: written(part, values) for part in self._parts}
        before = self._before
        return {path: (before[path], text) for path, text in texts.items() if text != (before[path] or "")}

    def _as_begun(self) -> AbstractContextManager[None]:
        return reading_instead({path: text for path, (_, text) in self._begun.items()})

    def accept(self) -> None:
        """Write what the study can read, away from the window; the form stays with a sentence on what it cannot."""
        if not self._fault():
            self.show_missing(self.tr("The file is being checked."))
            self._background.run(
                partial(write_checked, self._study, self.wish, self._sheet.values),
                or_else(lambda _: super(WordsForm, self).accept(), lambda fault: self.show_missing(self._said(fault))),
            )

    def filled_in(self) -> object:
        """The values of all fields."""
        return self._sheet.values

    def _fault(self) -> str:
        try:
            _ = self.wish
        except CurtainError as fault:
            return self._said(fault)
        return ""

    def _said(self, fault: CurtainError) -> str:
        return self._sheet.fault_here(str(fault).replace(f"{self._study}/", ""))

    def _run(self) -> None:
        self._answer.setText(self.tr("The database is being asked."))
        work = partial(answer_of, self._study, str(self._sheet.values["sql"]))
        self._background.run(work, or_else(self._show_answer, lambda fault: self._answer.setText(self._said(fault))))

    def _show_answer(self, answer: str) -> None:
        self._answer.setText(answer)
        self._sheet.fill("answer", answer)
