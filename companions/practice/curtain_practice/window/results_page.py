"""The two pages of practice: how a reply was judged, and at the end of a sitting the measures of all sittings."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFormLayout, QPlainTextEdit, QPushButton, QSizePolicy, QWidget

from curtain.base.table import Table
from curtain.qt.answer_table import AnswerTable
from curtain.qt.languages.translation import PARTS, translate
from curtain.qt.style import SHEET, WIDE, Look, set_text_colour
from curtain.qt.widgets import column, label, named, row
from curtain_practice.judgement import ANSWER
from curtain_practice.recorded.control import JudgedTurn
from curtain_practice.sittings import PracticeSitting


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


def _beside(ms: int | None) -> str:
    return "" if ms is None else f" ({ms / 1000:.1f})"


class ResultsPage(QWidget):
    """`leave_requested`: the window may close."""

    leave_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._title = label("", look, name="results_title", bold=True, pt=look.large_pt)
        self._summary = label("", look, name="results_summary", wraps=True)
        self._table = AnswerTable()
        self._table.set_name(self.tr("Sittings"))
        self._curve = LearningCurve(look)
        self._leave = named(QPushButton(self.tr("Close  (Enter)")), "results_leave")
        self._leave.clicked.connect(self.leave_requested)
        margins = SHEET
        self.setLayout(
            column(
                self._title, self._summary, self._table, self._curve, row(self._leave, 1), margins=margins, spacing=WIDE
            )
        )

    def show_sittings(self, wizard: str, sittings: Sequence[PracticeSitting], level: float | None) -> None:
        """The sittings, the latest last; `level` is what the study asks for, if anything."""
        self._title.setText(self.tr("Practice of {0}").format(wizard))
        self._summary.setText(_summary(sittings, level))
        self._table.show_table(_table(sittings))
        self._curve.show_sittings(sittings, level)
        self._leave.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Esc leave."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.leave_requested.emit()
        else:
            super().keyPressEvent(event)


class LearningCurve(QWidget):
    """The accuracy of each sitting with its 95 % interval; the line is the level that the study asks for."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._sittings: Sequence[PracticeSitting] = ()
        self._level: float | None = None
        self.setMinimumHeight(look.px(150))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_sittings(self, sittings: Sequence[PracticeSitting], level: float | None) -> None:
        """Paint these."""
        self._sittings, self._level = sittings, level
        shares = ", ".join(f"{100 * one.accuracy:.0f} %" for one in sittings)
        self.setAccessibleName(self.tr("Accuracy of each sitting: {0}").format(shares))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Two axes, a point and an interval for each sitting, and a line between the points."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self._look.quiet), 1))
        for share in (0.0, 0.5, 1.0):
            painter.drawText(QPointF(0, self._y(share) + self.fontMetrics().capHeight() / 2), f"{100 * share:.0f} %")
            painter.drawLine(QPointF(self._x(-0.4), self._y(share)), QPointF(self.width() - 8, self._y(share)))
        if self._level is not None:
            painter.setPen(QPen(QColor(self._look.good), 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(
                QPointF(self._x(-0.4), self._y(self._level)), QPointF(self.width() - 8, self._y(self._level))
            )
        self._paint_points(painter)

    def _paint_points(self, painter: QPainter) -> None:
        accent = QColor(self._look.accent)
        points = [QPointF(self._x(at), self._y(sitting.accuracy)) for at, sitting in enumerate(self._sittings)]
        painter.setPen(QPen(accent, 1.5))
        painter.drawPolyline(points)
        for at, sitting in enumerate(self._sittings):
            low, high = sitting.interval.low / 100, sitting.interval.high / 100
            painter.drawLine(QPointF(self._x(at), self._y(low)), QPointF(self._x(at), self._y(high)))
        painter.setBrush(accent)
        for point in points:
            painter.drawEllipse(point, 4, 4)

    def _x(self, at: float) -> float:
        left, right = self.fontMetrics().horizontalAdvance("100 %") + 16.0, float(self.width() - 24)
        return left + (right - left) * (at + 0.5) / max(1, len(self._sittings))

    def _y(self, share: float) -> float:
        half = self.fontMetrics().height() / 2
        return half + (self.height() - 2 * half) * (1 - share)


def _summary(sittings: Sequence[PracticeSitting], level: float | None) -> str:
    if not sittings:
        return translate("Training", "No turn was answered.")
    last = sittings[-1]
    text = translate("Training", "{0} of {1} replies were right in this sitting.").format(last.right, last.turns)
    if last.missed:
        text += " " + translate("Training", "{0} came after the deadline.").format(last.missed)
    if level is not None:
        reached = translate("Training", "The level of {0} that the study asks for is reached.")
        missing = translate("Training", "The level of {0} that the study asks for is not reached yet.")
        text += " " + (reached if last.accuracy >= level else missing).format(f"{100 * level:.0f} %")
    return text


def _table(sittings: Sequence[PracticeSitting]) -> Table:
    headings = [
        translate("Training", "Began (UTC)"), translate("Training", "Turns"), translate("Training", "Right"),
        translate("Training", "95 % interval"), translate("Training", "Seconds to the query"),
        translate("Training", "Seconds to the reply"), translate("Training", "Seconds in all"),
        translate("Training", "Original wizard"), translate("Training", "Late"),
        translate("Training", "Kappa of messages"),
    ]  # fmt: skip
    rows = [
        [
            sitting.began[:16].replace("T", " "), str(sitting.turns), f"{100 * sitting.accuracy:.0f} %",
            f"{sitting.interval.low:.0f} to {sitting.interval.high:.0f} %", _seconds(sitting.transcribe_ms),
            _seconds(sitting.answer_ms), _seconds(sitting.median_ms), _seconds(sitting.original_median_ms),
            str(sitting.missed), "–" if sitting.kappa is None else f"{sitting.kappa:.2f}",
        ]
        for sitting in sittings
    ]  # fmt: skip
    return Table(headings=headings, rows=rows, numeric=[False, *[True] * 9], total=len(rows))


def _seconds(ms: float | None) -> str:
    return "–" if ms is None else f"{ms / 1000:.1f}"
