"""The few questions the station asks in a window of their own; none of them stops anything behind it."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QComboBox, QFormLayout, QListWidget, QListWidgetItem, QPushButton, QWidget

from curtain.qt.command_text import CommandLine
from curtain.qt.languages.translation import translate
from curtain.qt.style import Look
from curtain.qt.widgets import label, line_within, named, say
from curtain.qt.windows.dialog import TitledDialog
from wizard_app.desk.session.scenario_choice import ScenarioChoice
from wizard_app.keys.table import KEYS

Reason = Literal["answered", "given_up", "next"]
_ID = int(Qt.ItemDataRole.UserRole)


class EndScenarioDialog(TitledDialog):
    """The answer that the subject stated, and why the scenario is over."""

    end_requested = Signal(str, str, str, bool)

    def __init__(
        self,
        look: Look,
        title: str,
        stated: tuple[str, Literal["typed", "spoken"]],
        left: str,
        parent: QWidget,
        then: str = "",
        asks: bool = True,
    ) -> None:
        """`stated` is the answer and how it was stated; `left` says in a sentence which tasks remain. `then` is the
        title of the task that may begin at once: Enter ends the one and begins the other, if there is one. A task that
        does not ask for an answer is done without one."""
        answer, how = stated
        super().__init__(look, self.tr("End of scenario {0}").format(title), parent)
        self._asks = asks
        self._how = how
        self._answer = CommandLine(answer, name="end_answer", placeholder=self.tr("nothing was stated"))
        self._answer.setMinimumWidth(360)
        self._reason = named(QComboBox(), "end_reason")
        answered = self.tr("answered") if self._asks else translate("Turns", "done")
        word_of = {"answered": answered, "given_up": self.tr("given up"), "next": self.tr("put aside")}
        for reason, text in word_of.items():
            self._reason.addItem(text, reason)
        form = QFormLayout()
        form.addRow(self.tr("Answer stated"), self._answer)
        form.addRow(self.tr("The scenario was"), self._reason)
        form.setRowVisible(self._answer, self._asks)
        source = self.tr("The subject typed it.") if how == "typed" else self.tr("Taken from the query.")
        from_where = label(source if answer else "", look, small=True, quiet=True)
        alone = self.tr("End the scenario  ({0})").format(KEYS.key_of("end_scenario"))
        buttons = self.buttons(alone, "end_scenario_confirmed", self.tr("Go back  (Esc)"), default=not then)
        self._begins = False
        if then:
            both = named(QPushButton(self.tr("End it, begin “{0}”  (Enter)").format(then)), "end_and_begin_next")
            both.setDefault(True)
            both.clicked.connect(self._on_both)
            buttons.insertWidget(buttons.indexOf(self.do_button), both)
        remain = label(left, look, small=True, name="tasks_left", wraps=True)
        self.fill(form, from_where, remain, buttons)
        self._answer.textChanged.connect(self._follow_answer)
        self.accepted.connect(self._on_accepted)
        self._follow_answer()
        (self._answer if self._asks else self._reason).setFocus(Qt.FocusReason.OtherFocusReason)

    def _follow_answer(self) -> None:
        wanted = "answered" if self._answer.text().strip() or not self._asks else "given_up"
        self._reason.setCurrentIndex(self._reason.findData(wanted))

    def _on_accepted(self) -> None:
        self.end_requested.emit(self._answer.text().strip(), self._how, self._reason.currentData(), self._begins)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The key that opened this, once more: Enter may do more than end.
        if QKeySequence(event.keyCombination()) == QKeySequence(KEYS.bound["end_scenario"].keys[0]):
            self.accept()
        else:
            super().keyPressEvent(event)

    def _on_both(self) -> None:
        self._begins = True
        self.accept()


class NextScenarioDialog(TitledDialog):
    """The scenarios of this session; the next one is chosen already."""

    scenario_chosen = Signal(str)
    is_search = True

    def __init__(self, look: Look, choices: Sequence[ScenarioChoice], next_id: str | None, parent: QWidget) -> None:
        super().__init__(look, self.tr("Next scenario"), parent)
        self.resize(520, 320)
        self._choices = list(choices)
        letters = self.tr("letters of its id or title; Enter begins it")
        self._filter = CommandLine(name="scenario_filter", spoken=self.tr("Search for a scenario"), placeholder=letters)
        self._list = named(QListWidget(), "scenario_choice", self.tr("Scenarios"))
        self._list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._empty = line_within(self._list, look)
        buttons = self.buttons(self.tr("Begin it"), "begin_scenario", self.tr("Go back  (Esc)"))
        self.fill(self._filter, self._list, buttons)
        self._filter.textChanged.connect(self._narrow)
        self._filter.installEventFilter(self)
        self._list.itemDoubleClicked.connect(lambda _: self.accept())
        self.accepted.connect(self._on_accepted)
        self._narrow("")
        self._select(next_id)
        self._filter.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in moves:
            to = self._list.currentRow() + moves[Qt.Key(event.key())]
            self._list.setCurrentRow(max(0, min(self._list.count() - 1, to)))
            return True
        return False

    def _narrow(self, letters: str) -> None:
        low = letters.strip().lower()
        self._list.clear()
        fits = [one for one in self._choices if low in f"{one.id} {one.title}".lower()]
        for choice in sorted(fits, key=lambda one: one.id.lower() != low):
            item = QListWidgetItem(f"{choice.id}   {choice.title}{self._standing(choice)}")
            item.setData(_ID, choice.id)
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        self.do_button.setEnabled(bool(fits))
        say(self._empty, "" if fits else self.tr("No scenario has these letters."))

    def _standing(self, choice: ScenarioChoice) -> str:
        if choice.now:
            return self.tr("   (now)")
        if choice.done:
            return self.tr("   (done)")
        return self.tr("   (to come)") if choice.chosen else self.tr("   (not chosen for this session)")

    def _select(self, scenario_id: str | None) -> None:
        for at in range(self._list.count()):
            if self._list.item(at).data(_ID) == scenario_id:
                self._list.setCurrentRow(at)

    def _on_accepted(self) -> None:
        self.scenario_chosen.emit(self._list.currentItem().data(_ID))


class NoteDialog(TitledDialog):
    """A note on one turn. It never leaves the wizard's station."""

    note_written = Signal(int, str)

    def __init__(self, look: Look, turn: int, earlier: Sequence[str], parent: QWidget) -> None:
        super().__init__(look, self.tr("Note on turn {0}").format(turn), parent)
        self._turn = turn
        self._text = CommandLine(name="note_text", spoken=self.tr("Note"), placeholder=self.tr("Enter keeps it"))
        self._text.setMinimumWidth(460)
        before = label("\n".join(earlier), look, small=True, quiet=True, wraps=True)
        before.setVisible(bool(earlier))
        self.fill(before, self._text, self.buttons(self.tr("Keep the note"), "keep_note", self.tr("Go back  (Esc)")))
        self.accepted.connect(self._on_accepted)
        self._text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_accepted(self) -> None:
        if self._text.text().strip():
            self.note_written.emit(self._turn, self._text.text().strip())
