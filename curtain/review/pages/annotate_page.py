"""The page on which one turn is annotated: what went before, what happened, what is said about it."""

from __future__ import annotations

import itertools

from PySide6.QtCore import QMargins, Qt
from PySide6.QtWidgets import QSplitter, QWidget

from curtain.desk.style import Look, set_text_colour
from curtain.desk.widgets import Hairline, OneLine, column, heading, label, plain_tip
from curtain.review.panels.class_banner import ClassBanner
from curtain.review.panels.earlier_list import EarlierList
from curtain.review.panels.listen_bar import ListenBar
from curtain.review.panels.live_turn import SeenPanel
from curtain.review.panels.readings_panel import ReadingsPanel
from curtain.review.panels.scenario_panel import AnnotatedScenario
from curtain.review.panels.sro_panel import SroPanel
from curtain.review.panels.tag_grid import TagGrid
from curtain.review.panels.text_field import TextField, wrapped

_MARGINS = QMargins(10, 6, 10, 4)
_MOST_FAULTS = 3


class AnnotatePage(QWidget):
    """Holds the panels; has no opinion."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.scenario = AnnotatedScenario(look)
        self.earlier = EarlierList(look)
        self.listen = ListenBar(look)
        self.sro = SroPanel(look)
        self.seen = SeenPanel(look)
        self.banner = ClassBanner(look)
        self.tags = TagGrid(look)
        self.readings = ReadingsPanel(look)
        self.note = TextField("note", self.tr("Note"), look, 2)
        self.note.setPlaceholderText(self.tr("note  F9"))
        self._hidden = OneLine("hidden", look)
        self._context = OneLine("context", look)
        self._reasons = OneLine("reasons_line", look)
        self._faults = label("", look, small=True)
        self._faults.setObjectName("faults")
        wrapped(self._faults)
        self._faults.setIndent(4)
        self._faults.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()

    def _lay_out(self) -> None:
        columns = QSplitter(Qt.Orientation.Horizontal)
        columns.setChildrenCollapsible(False)
        columns.setHandleWidth(9)
        for part, width in ((self._left(), 240), (self._middle(), 480), (self._right(), 520)):
            columns.addWidget(part)
            columns.setStretchFactor(columns.count() - 1, width)
        columns.setSizes([240, 480, 520])
        self.setLayout(column(columns, margins=_MARGINS))
        order = (self.tags, self.sro.field, self.readings.minimum, self.readings.maximum, self.note,
                 self.listen.wave, self.seen.query, self.scenario.text, self.earlier)  # fmt: skip
        for widget, following in itertools.pairwise(order):
            QWidget.setTabOrder(widget, following)

    def _left(self) -> QWidget:
        made = QWidget()
        made.setMinimumWidth(190)
        earlier = heading(self.tr("Earlier in this session"), self._look)
        made.setLayout(column(self.scenario, earlier, self.earlier, spacing=3))
        made.layout().setStretch(2, 1)  # type: ignore[union-attr]
        return made

    def _middle(self) -> QWidget:
        made = QWidget()
        made.setLayout(column(self.listen, self.sro, self._hidden, self.seen, spacing=4))
        made.layout().setStretch(3, 1)  # type: ignore[union-attr]
        return made

    def _right(self) -> QWidget:
        made = QWidget()
        tags = heading(self.tr("Tags  Esc"), self._look)
        parts = (self.banner, tags, self.tags, self._context, self._reasons, Hairline(self._look), self.readings)
        made.setLayout(column(*parts, self.note, self._faults, spacing=3))
        made.layout().setStretch(parts.index(self.readings), 1)  # type: ignore[union-attr]
        return made

    def show_context(self, text: str) -> None:
        """Which earlier turns this one depends on, in words."""
        self._context.setText(text)

    def show_reasons(self, text: str) -> None:
        """The reasons for class X that are given."""
        self._reasons.setText(text)

    def show_hidden(self, text: str) -> None:
        """What is redacted; the line takes no room when nothing is."""
        self._hidden.setText(text)
        self._hidden.setVisible(bool(text))

    def show_faults(self, blocking: list[str], warnings: list[str]) -> None:
        """What keeps it from being saved, then what might be wrong; the first few, and how many more."""
        shown_faults = [*blocking, *warnings]
        lines = shown_faults[:_MOST_FAULTS]
        if len(shown_faults) > _MOST_FAULTS:
            lines[-1] += self.tr("  ({0} more)").format(len(shown_faults) - _MOST_FAULTS)
        self._faults.setText("\n".join(lines))
        self._faults.setToolTip(plain_tip("\n".join(shown_faults)))
        set_text_colour(self._faults, self._look.bad if blocking else self._look.warning)
