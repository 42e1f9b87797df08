"""The answer before it is sent: the table as the subject will read it, and the answers by which it is judged."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedLayout, QWidget

from curtain.base.table import Table
from curtain.qt.answer_table import AnswerTable
from curtain.qt.style import TIGHT, Look, SubjectFrame
from curtain.qt.widgets import OneLine, Veil, box, column, heading, label, named, row, say
from wizard_app.desk.turn.answer import Answers
from wizard_app.window.panels.answers_panel import AnswersPanel


class ResultPanel(QWidget):
    """Shows one result; a result that no longer belongs to the statement stays, greyed."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._table = named(AnswerTable(), "result_table")
        self._table.set_name(self.tr("Answer as the subject will see it"))
        self._nothing = label(self.tr("Run a statement to see its answer here."), look, quiet=True, wraps=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._summary = label("", look, small=True, quiet=True, name="result_summary")
        self._fault = label("", look, small=True, name="shown_fault", wraps=True, colour=look.warning)
        self._codes = OneLine("result_codes", look)
        self.answers = AnswersPanel(look)
        self._pages = QStackedLayout()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self._veil = Veil(self.tr("From an earlier statement"), look, self)
        self.show_nothing()

    def show_result(
        self, table: Table, text: str, answers: Answers, fault: str = "", codes: Sequence[str] = ()
    ) -> None:
        """The table, a few words on it, and the answers; `fault` says why it is not the table that the study wants.
        What its `codes` mean stands above it, for the wizard alone."""
        self._codes.setText(", ".join(codes))
        self._codes.setVisible(bool(codes))
        self._table.show_table(table)
        self._summary.setText(text)
        say(self._fault, fault)
        self.answers.show_answers(answers)
        self._pages.setCurrentIndex(1)
        self.show_stale(False)

    def show_nothing(self) -> None:
        """No statement of this turn has given a result yet."""
        self._pages.setCurrentIndex(0)
        self._summary.clear()
        self._fault.hide()
        self._codes.hide()
        self.answers.show_nothing()
        self.show_stale(False)

    def show_stale(self, stale: bool) -> None:
        """Grey what belongs to an earlier statement."""
        self._veil.setGeometry(self.rect())
        self._veil.setVisible(stale)
        self._veil.raise_()
        self.setProperty("stale", stale)

    def put_answers_below(self, below: bool) -> None:
        """Where the panel is narrow the answers lie below the table, folded until they are asked for."""
        self.splitter.setOrientation(Qt.Orientation.Vertical if below else Qt.Orientation.Horizontal)
        self.splitter.setSizes([1000, 1000] if below else [3000, 1000])
        self.answers.setVisible(not below)

    def unfold_answers(self) -> None:
        """Make room for the answers, if they are folded."""
        self.answers.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._veil.setGeometry(self.rect())

    def _lay_out(self) -> None:
        page = box(self._pages)
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self._table)
        note = self.tr("as the subject will see it")
        title = row(heading(self.tr("RESULT"), self._look, note), self._summary)
        left = box(column(title, self._fault, self._codes, (SubjectFrame(page, self._look), 1), spacing=TIGHT))
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.answers)
        self.splitter.setStretchFactor(0, 3)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([600, 200])
        self.splitter.setChildrenCollapsible(True)
        self.splitter.setCollapsible(0, False)
        self.setLayout(column(self.splitter))
