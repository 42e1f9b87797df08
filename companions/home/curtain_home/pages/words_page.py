"""All that a subject reads in a study, with the file of each text, and the form in which the file is changed."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QMenu, QPushButton, QScrollArea, QTreeWidget, QTreeWidgetItem, QWidget

from curtain.base.errors import CurtainError
from curtain.base.settings_file import text_if_any
from curtain.base.text_file import reading_instead
from curtain.qt.background import Background, or_else
from curtain.qt.forms.form_sheet import FormSheet
from curtain.qt.languages.translation import sentence_here
from curtain.qt.style import PANEL, Look, SubjectFrame
from curtain.qt.widgets import box, column, direction_of, heading, label, named, open_outside, row, say
from curtain.qt.windows.dialog import TitledDialog
from curtain_home.control.actions import Value
from curtain_home.control.study_words import StudyWords, Words, WordsKind, answer_of, words_of
from curtain_home.control.word_files import Changes, given_in, new_entry, own_messages, parts_of, write_checked, written
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
        self.finish(self._problem, self._sheet.first, self._sheet, row(run, (self._answer, 1)))

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
        if not self._problem():
            self.show_missing(self.tr("The file is being checked."))
            self._background.run(
                partial(write_checked, self._study, self.wish, self._sheet.values),
                or_else(lambda _: super(WordsForm, self).accept(), self._show_refusal),
            )

    def _show_refusal(self, error: CurtainError) -> None:
        # The button stays: what could not be written may be tried again as it is.
        self.show_missing("", self._said(error))

    def filled_in(self) -> object:
        """The values of all fields."""
        return self._sheet.values

    def _problem(self) -> str:
        try:
            _ = self.wish
        except CurtainError as error:
            return self._said(error)
        return ""

    def _said(self, error: CurtainError) -> str:
        return self._sheet.problem_here(str(error).replace(f"{self._study}/", ""))

    def _run(self) -> None:
        self._answer.setText(self.tr("The database is being asked."))
        work = partial(answer_of, self._study, str(self._sheet.values["sql"]))
        self._background.run(
            work, or_else(self._show_answer, lambda problem: self._answer.setText(self._said(problem)))
        )

    def _show_answer(self, answer: str) -> None:
        self._answer.setText(answer)
        self._sheet.fill("answer", answer)


_AT = int(Qt.ItemDataRole.UserRole)
_LIST = QSize(300, 330)
_PAGE = QSize(440, 200)


class WordsPage(TitledDialog):
    """Arrows choose on the left; Enter, a double click or the button opens the file with what the system has for it."""

    def __init__(self, look: Look, study: Path, parent: QWidget) -> None:
        super().__init__(look, self.tr("What the subject reads in {0}").format(study.name), parent)
        self.setObjectName("words_page")
        self._study = study
        self._shown: StudyWords | None = None
        # What was made last: it is chosen once it is read.
        self._begun: tuple[WordsKind, str] | None = None
        self._background = Background(1, self)
        self.finished.connect(self._background.close)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._read)
        self._list = named(QTreeWidget(), "words", self.tr("Scenarios, messages and texts"))
        self._list.setHeaderHidden(True)
        self._list.setMinimumSize(_LIST)
        self._list.currentItemChanged.connect(self._show_current)
        # Enter reaches the button by itself.
        self._list.itemDoubleClicked.connect(self._edit)
        self._above = label("", look, bold=True, colour=look.accent, pt=look.read_pt, name="words_above", wraps=True)
        self._text = label("", look, pt=look.title_pt, name="words_text", wraps=True)
        page = QScrollArea(widgetResizable=True)
        page.setFrameShape(QFrame.Shape.NoFrame)
        named(page, "words_as_seen", self.tr("As the subject sees it"))
        self._form = FormSheet(look)
        page.setWidget(box(column(self._above, self._text, (self._form, 1), margins=PANEL)))
        page.setMinimumSize(_PAGE)
        self._note = label("", look, small=True, name="words_note", wraps=True)
        seen = heading(self.tr("As the subject sees it"), look)
        right = column(seen, (SubjectFrame(page, look), 1), self._note)
        self._file = named(QPushButton(self.tr("Open the file"), autoDefault=True), "open_words_file")
        self._file.clicked.connect(self._open)
        menu = QMenu(self)
        kinds: dict[str, WordsKind] = {
            self.tr("Scenario"): "task", self.tr("Message"): "message", self.tr("Question"): "question"
        }  # fmt: skip
        for words, kind in kinds.items():
            menu.addAction(words, partial(self._begin, kind))
        new = named(QPushButton(self.tr("New"), autoDefault=True), "new_words")
        new.setMenu(menu)
        self.fill(row((self._list, 1), (right, 2)), row(new, self._file, 1),
                  self.buttons(self.tr("Edit …"), "edit_words", self.tr("Go back  (Esc)")))  # fmt: skip
        # The page stays: it shows what is saved.
        self.do_button.clicked.disconnect()
        self.do_button.clicked.connect(self._edit)
        self.do_button.setEnabled(False)
        self._list.setFocus(Qt.FocusReason.OtherFocusReason)
        self._read()

    def _read(self) -> None:
        self._background.run(partial(words_of, self._study), or_else(self._show, self._show_problem))

    def _show_problem(self, error: CurtainError) -> None:
        # What was read before stays in sight: the file is being written, or its error is being corrected.
        self._note.setText(sentence_here(str(error)))
        self._watch([])

    def _watch(self, paths: list[Path]) -> None:
        # An editor puts a new file in the place of the old one, which ends the watch on it.
        self._watcher.addPaths(list(map(str, {self._study / "study.toml", *paths, *self._paths})))

    @property
    def _paths(self) -> list[Path]:
        return self._shown.paths if self._shown is not None else []

    @property
    def _chosen(self) -> Words | None:
        item = self._list.currentItem()
        at = item.data(0, _AT) if item is not None else None
        return self._shown.words[at] if self._shown is not None and at is not None else None

    def _show(self, words: StudyWords) -> None:
        before, chosen = self._paths, self._chosen
        faulty = next((one for one in words.words if one.problem), None)
        is_there = self._begun in [(entry.kind, entry.name) for entry in words.words]
        first = faulty and (faulty.kind, faulty.name)
        wanted = self._begun if is_there else (chosen and (chosen.kind, chosen.name)) or first
        # A reading of before may come first.
        self._begun = None if is_there else self._begun
        self._shown = words
        self._watch(before)
        self._list.blockSignals(True)
        self._list.clear()
        kinds = {"task": self.tr("Scenarios"), "message": self.tr("Messages"), "question": self.tr("Questionnaires"),
                 "text": self.tr("Texts")}  # fmt: skip
        now: QTreeWidgetItem | None = None
        for kind, title in kinds.items():
            group = QTreeWidgetItem(self._list, [title])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for at, entry in enumerate(words.words):
                if entry.kind == kind:
                    item = QTreeWidgetItem(group, [entry.name])
                    if entry.problem:
                        item.setForeground(0, QColor(self.look.warning))
                    item.setData(0, _AT, at)
                    now = item if now is None or (entry.kind, entry.name) == wanted else now
        self._list.expandAll()
        if now is not None:
            self._list.setCurrentItem(now)
        self._list.blockSignals(False)
        self._show_current()

    def _show_current(self) -> None:
        entry = self._chosen
        self._file.setEnabled(entry is not None and entry.path is not None)
        can_edit = entry is not None and not entry.problem and (entry.path is not None or entry.kind == "message")
        self.do_button.setEnabled(can_edit)
        if entry is None or self._shown is None:
            return
        say(self._above, entry.above)
        self._text.setText(sentence_here(entry.problem) or entry.text)
        self._text.setVisible(entry.form is None)
        self._form.setVisible(entry.form is not None)
        self._form.show_form(entry.form, {})
        for shown in (self._above, self._text):
            shown.setLayoutDirection(direction_of(entry.text))
        where = str(entry.path or self.tr("This comes with Curtain. Name files of your own in study.toml."))
        if entry.path is None and entry.kind == "message":
            where = self.tr("This comes with Curtain. “Edit” takes all messages into the study.")
        language = self.tr("Language: {0}").format(self._shown.language) if entry.kind == "text" else ""
        blanks = self.tr("Filled in as it is sent: {0}").format(", ".join(entry.blanks)) if entry.blanks else ""
        self._note.setText("\n".join(filter(None, (entry.note, blanks, language, where))))

    def _open(self) -> None:
        entry = self._chosen
        if entry is not None and entry.path is not None:
            open_outside(entry.path, self._note.setText)

    def _edit(self) -> None:
        """A form over the entry's file. Messages that come with Curtain are taken into the study first."""
        entry = self._chosen
        try:
            if entry is not None and entry.path is not None:
                self._fill_in(entry, {})
            elif entry is not None and entry.kind == "message":
                self._fill_in(replace(entry, path=self._study / "messages.toml"), own_messages(self._study))
        except CurtainError as error:
            self._note.setText(sentence_here(str(error)))

    def _begin(self, kind: WordsKind, _checked: bool = False) -> None:
        try:
            self._fill_in(*new_entry(self._study, kind))
        except CurtainError as error:
            self._note.setText(sentence_here(str(error)))

    def _fill_in(self, entry: Words, begun: Changes) -> None:
        """Nothing is written before the form is confirmed."""
        form = WordsForm(self.look, self._study, entry, begun, self)
        form.wished.connect(partial(self._on_written, entry))
        form.finished.connect(lambda _: self._list.setFocus(Qt.FocusReason.OtherFocusReason))
        form.open()

    def _on_written(self, entry: Words, _: object) -> None:
        self._begun = entry.kind, entry.name
        self._read()
