"""After each reply in practice: right or not, why, the reference, and the time beside the original wizard's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFormLayout, QPlainTextEdit, QPushButton, QWidget

from curtain.qt.languages.translation import PARTS, translate
from curtain.qt.style import SHEET, WIDE, Look, set_text_colour
from curtain.qt.widgets import column, label, named, row
from curtain_practice.judgement import ANSWER
from curtain_practice.recorded.control import JudgedTurn


class JudgedPage(QWidget):
    """`go_on_requested`: to the next recorded turn."""

    go_on_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._messages: Mapping[str, str] = {}
        self._verdict = label("", look, name="verdict", bold=True, pt=look.large_pt)
        self._reason = label("", look, "reason", wraps=True)
        self._place = label("", look, small=True, quiet=True, name="place")
        self._said = label("", look, "said", wraps=True)
        self._typed = label("", look, "typed", wraps=True)
        self._reference = _statement("reference")
        self._given = _statement("given")
        self._times = label("", look, "times", wraps=True)
        self._go_on = named(QPushButton(self.tr("Next turn  (Enter)")), "go_on")
        self._go_on.setProperty("primary", True)
        self._go_on.clicked.connect(self.go_on_requested)
        self._lay_out()

    def set_messages(self, messages: Mapping[str, str]) -> None:
        """The texts of the canned messages by their ids."""
        self._messages = messages

    def show_turn(self, turn: JudgedTurn, broken: Sequence[str] = ()) -> None:
        """Show how a reply was judged; `broken` are sentences on rules that its statement breaks."""
        judgement = turn.judgement
        self._verdict.setText(self.tr("Right") if judgement.right else self.tr("Not right"))
        set_text_colour(self._verdict, self._look.good if judgement.right else self._look.bad)
        reason = translate(PARTS, judgement.reason) if judgement.reason else ""
        self._reason.setText("\n".join(filter(None, (reason, *(() if judgement.right else broken)))))
        self._reason.setVisible(bool(self._reason.text()))
        self._place.setText(self.tr("turn {0} of {1}").format(turn.place, turn.of))
        self._said.setText(turn.exercise.query)
        self._typed.setText(turn.query if turn.exercise.audio else self.tr("The subject typed it."))
        reference = judgement.reference.sql_min or judgement.reference.cas_min if judgement.reference else ""
        self._reference.setPlainText(reference or self._reply_text(judgement.expected))
        self._given.setPlainText(turn.reply.sql or self._reply_text(judgement.given))
        self._times.setText(self._times_text(turn))
        self._go_on.setText(self.tr("Next turn  (Enter)") if turn.place < turn.of else self.tr("Results  (Enter)"))
        self._go_on.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes on."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go_on_requested.emit()
        else:
            super().keyPressEvent(event)

    def _reply_text(self, name: str) -> str:
        return self.tr("an answer from the database") if name == ANSWER else f"“{self._messages.get(name, name)}”"

    def _times_text(self, turn: JudgedTurn) -> str:
        measured, original = turn.row.times, turn.row.original
        parts = [
            self.tr("{0} s to the query{1}").format(_seconds(measured.transcribe_ms), _beside(original.transcribe_ms)),
            self.tr("{0} s to the reply{1}").format(_seconds(measured.answer_ms), _beside(original.answer_ms)),
            self.tr("{0} s in all{1}").format(_seconds(measured.total_ms), _beside(original.total_ms)),
        ]
        late = [self.tr("after the deadline")] if turn.row.missed else []
        return "; ".join(parts + late)

    def _lay_out(self) -> None:
        rows = QFormLayout(horizontalSpacing=18, verticalSpacing=10)
        for title, widget in (
            (self.tr("Recorded query"), self._said),
            (self.tr("You typed"), self._typed),
            (self.tr("Reference"), self._reference),
            (self.tr("You sent"), self._given),
            (self.tr("Time"), self._times),
        ):
            widget.setAccessibleName(title)
            rows.addRow(label(title, self._look, quiet=True), widget)
        top = row(self._verdict, 1, self._place)
        margins = SHEET
        self.setLayout(column(top, self._reason, rows, row(self._go_on, 1), 1, margins=margins, spacing=WIDE))


def _statement(name: str) -> QPlainTextEdit:
    made = named(QPlainTextEdit(readOnly=True, tabChangesFocus=True), name)
    made.setMaximumHeight(110)
    return made


def _seconds(ms: int | None) -> str:
    return "–" if ms is None else f"{ms / 1000:.1f}"


def _beside(ms: int | None) -> str:
    return "" if ms is None else f" ({ms / 1000:.1f})"
