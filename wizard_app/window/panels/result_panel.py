"""The answer before it is sent: the table as the subject will read it, and the answers by which it is judged."""

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QRectF, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QColor, QIcon, QMouseEvent, QPainter, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QCheckBox, QStackedLayout

from curtain.base.table import Table
from curtain.qt.answer_table import AnswerTable
from curtain.qt.style import TIGHT, Look, SubjectFrame, set_size
from curtain.qt.widgets import (
    LowButton,
    OneLine,
    Veil,
    WrappingPanel,
    box,
    column,
    heading,
    label,
    named,
    plain_tip,
    row,
    say,
)
from wizard_app.keys.table import key_of

_RING = 14


class SendButton(LowButton):
    """Says what it sends. For the seconds after that it takes the reply back, and its ring shows how many are left."""

    send_requested = Signal()
    take_back_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__("", "send_answer", look)
        self._look = look
        self._turn, self._whole_s = 0, 0.0
        self._ring = QVariantAnimation(self, startValue=1.0, endValue=0.0)
        self._ring.valueChanged.connect(self._draw)
        self.clicked.connect(self._on_clicked)
        self.show_send("")

    def show_send(self, words: str) -> None:
        """What a click sends; empty where there is nothing to send."""
        self._turn = 0
        self._ring.stop()
        self.setAccessibleDescription("")
        self.setIcon(QIcon())
        self._say(words or self.tr("Send answer"), key_of("send_answer"), bool(words))

    def show_take_back(self, turn: int, left_s: float, whole_s: float) -> None:
        """For so many seconds of `whole_s` a click takes the reply to this turn back."""
        if turn == self._turn:
            return
        self._turn, self._whole_s = turn, whole_s
        self._ring.stop()
        self._ring.setStartValue(left_s / whole_s)
        self._ring.setDuration(max(1, round(1000 * left_s)))
        self._ring.start()
        self._say(self.tr("Take back turn {0}").format(turn), key_of("take_back"), True)

    def _say(self, words: str, key: str, enabled: bool) -> None:
        self.setText(words)
        self.setToolTip(plain_tip(f"{words}  {key}"))
        self.setAccessibleName(f"{words}  {key}")
        self.setEnabled(enabled)

    def _draw(self, share: float) -> None:
        # The ring in words: the seconds that are left, and no change in between.
        self.setAccessibleDescription(self.tr("{0} s").format(ceil(share * self._whole_s)))
        ratio = self.devicePixelRatioF()
        made = QPixmap(round(_RING * ratio), round(_RING * ratio))
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        around = QRectF(1.5, 1.5, _RING - 3, _RING - 3)
        painter.setPen(QPen(QColor(self._look.line), 2.5))
        painter.drawEllipse(around)
        painter.setPen(QPen(QColor(self._look.warning), 2.5))
        # In sixteenths of a degree, from the top.
        painter.drawArc(around, 90 * 16, round(360 * 16 * share))
        painter.end()
        self.setIcon(QIcon(made))

    def _on_clicked(self) -> None:
        (self.take_back_requested if self._turn else self.send_requested).emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        # The second click of a hasty hand must not take back what the first one sent.
        event.accept()


class ResultPanel(WrappingPanel):
    """Shows one result; a result that no longer belongs to the statement stays, greyed."""

    failure_chosen = Signal(bool)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._table = named(AnswerTable(), "result_table")
        self._table.let_copy()
        self._table.set_name(self.tr("Answer as the subject will see it"))
        words = self.tr("Run a statement to see its answer here.")
        self._nothing = label(words, look, small=True, quiet=True, wraps=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._summary = OneLine("result_summary", look, whole=True)
        self._problem = label("", look, small=True, name="shown_problem", wraps=True, colour=look.warning)
        self._codes = OneLine("result_codes", look)
        self._failure = OneLine("failure_reason", look)
        self._failed = named(QCheckBox(self.tr("Presupposition failure  {0}").format(key_of("failure"))), "failure")
        self._failed.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it has a key; Tab and Space would mark it by accident
        set_size(self._failed, look.small_pt)
        self._failed.clicked.connect(self.failure_chosen)
        self.show_failure("", False)
        self.send = SendButton(look)
        self._pages = QStackedLayout()
        self._lay_out()
        self._veil = Veil(self.tr("From an earlier statement"), look, self)
        self.show_nothing()

    def show_result(self, table: Table, text: str, problem: str = "", codes: Sequence[str] = ()) -> None:
        """The table and a few words on it; `problem` says why it is not the table that the study wants. What its
        `codes` mean stands above it, for the wizard alone."""
        self._codes.setText(", ".join(codes))
        self._codes.setVisible(bool(codes))
        self._table.show_table(table)
        self._summary.setText(text)
        say(self._problem, problem)
        self._pages.setCurrentIndex(1)
        self.show_stale(False)

    def show_failure(self, reason: str, marked: bool) -> None:
        """Why an empty answer may be a presupposition failure, if it may; and whether it is marked so."""
        self._failure.setText(reason)
        self._failure.setVisible(bool(reason))
        self._failed.setVisible(bool(reason))
        self._failed.setChecked(marked)

    def toggle_failure(self) -> None:
        """As a hand would; nothing where none is offered."""
        if not self._failed.isHidden():
            self._failed.click()

    def show_nothing(self) -> None:
        """No statement of this turn has given a result yet."""
        self._pages.setCurrentIndex(0)
        self._summary.clear()
        self._problem.hide()
        self._codes.hide()
        self.show_stale(False)

    def show_stale(self, stale: bool) -> None:
        """Grey what belongs to an earlier statement."""
        self._veil.setGeometry(self.rect())
        self._veil.setVisible(stale)
        self._veil.raise_()
        self.setProperty("stale", stale)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._veil.setGeometry(self.rect())

    def _lay_out(self) -> None:
        page = box(self._pages)
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self._table)
        note = self.tr("as the subject will see it")
        title = row(heading(self.tr("Result"), self._look, note), self._summary, self.send)
        failure = column(self._failed, self._failure, spacing=TIGHT)
        shown = SubjectFrame(page, self._look)
        self.setLayout(column(title, self._problem, failure, self._codes, (shown, 1), spacing=TIGHT))
