"""The page on which one turn is annotated: what went before, what happened, what is said about it."""

import itertools
from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSplitter, QWidget

from curtain.base.speech.spoken_forms import spoken_forms
from curtain.corpus.annotation.sro import check_sro, lsn_of
from curtain.corpus.model.utterance import Redaction
from curtain.qt.languages.translation import sentence_here
from curtain.qt.style import CORNER, GAP, PANEL, TIGHT, Look, set_text_colour, sized
from curtain.qt.widgets import Hairline, OneLine, Scrolling, WrappingPanel, column, heading, label, plain_tip, row, say
from curtain.review.panels.earlier_list import EarlierList
from curtain.review.panels.listen_bar import ListenBar
from curtain.review.panels.live_turn import SeenPanel
from curtain.review.panels.readings_panel import ReadingsPanel
from curtain.review.panels.scenario_panel import AnnotatedScenario
from curtain.review.panels.tag_grid import TagGrid
from curtain.review.panels.text_field import Span, TextField

_MARGINS = PANEL
_MOST_PROBLEMS = 3
_WIDTHS = [240, 480, 520]
_THREE_COLUMNS = 840


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
        self.context = OneLine("context", look)
        self.reasons = OneLine("reasons_line", look)
        self._problems = label("", look, small=True, name="problems", within=True)
        self._problems.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()

    def _lay_out(self) -> None:
        self._columns = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False, handleWidth=9)
        self._what_was, middle, right = self._left(), self._middle(), self._right()
        for part, width in zip((self._what_was, Scrolling(middle), Scrolling(right)), _WIDTHS, strict=True):
            self._columns.addWidget(part)
            self._columns.setStretchFactor(self._columns.count() - 1, width)
        self._columns.setSizes(_WIDTHS)
        self._beside = True
        self.setLayout(column(self._columns, margins=_MARGINS))
        order = (self.tags, self.sro.field, self.readings.minimum, self.readings.maximum, self.note,
                 self.listen.wave, self.seen.query, self.scenario.text, self.earlier)  # fmt: skip
        for widget, following in itertools.pairwise(order):
            QWidget.setTabOrder(widget, following)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window, or with large letters, what was before stands below what happens now."""
        super().resizeEvent(event)
        beside = self.width() >= self._look.px(_THREE_COLUMNS)
        if beside != self._beside:
            self._beside = beside
            if beside:
                self._columns.insertWidget(0, self._what_was)
            else:
                self._now.addWidget(self._what_was)
            self._columns.setSizes(_WIDTHS if beside else _WIDTHS[1:])

    def _left(self) -> QWidget:
        made = WrappingPanel()
        made.setMinimumWidth(self._look.px(190))
        earlier = heading(self.tr("Earlier in this session"), self._look)
        made.setLayout(column(self.scenario, earlier, (self.earlier, 1), spacing=TIGHT))
        return made

    def _middle(self) -> QWidget:
        made = QWidget()
        self._now = column(self.listen, self.sro, self._hidden, (self.seen, 1), spacing=TIGHT)
        made.setLayout(self._now)
        return made

    def _right(self) -> QWidget:
        made = QWidget()
        tags = heading(self.tr("Tags  Esc"), self._look)
        parts = (self.banner, tags, self.tags, self.context, self.reasons, Hairline(self._look), (self.readings, 1))
        made.setLayout(column(*parts, self.note, self._problems, spacing=TIGHT))
        return made

    def show_hidden(self, text: str) -> None:
        """What is redacted; the line takes no room when nothing is."""
        say(self._hidden, text)

    def show_problems(self, blocking: list[str], warnings: list[str]) -> None:
        """What keeps it from being saved, then what might be wrong; the first few, and how many more."""
        shown_problems = [sentence_here(problem) for problem in (*blocking, *warnings)]
        lines = shown_problems[:_MOST_PROBLEMS]
        if len(shown_problems) > _MOST_PROBLEMS:
            lines[-1] += self.tr("  ({0} more)").format(len(shown_problems) - _MOST_PROBLEMS)
        self._problems.setText("\n".join(lines))
        self._problems.setToolTip(plain_tip("\n".join(shown_problems)))
        set_text_colour(self._problems, self._look.bad if blocking else self._look.warning)


_CAP = 72  # “Kategorie” is the longest word of it


class ClassBanner(QWidget):
    """Two caps, and beside them what they mean and why, whole; a word says it as well as the colour."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("class_banner")
        self.setAccessibleName(self.tr("class"))
        self._caps = _ClassCaps(look)
        self._means = label("", look, bold=True, wraps=True, name="class_means")
        self._why = label("", look, small=True, quiet=True, wraps=True, name="class_why")
        self.setLayout(row(self._caps, (column(self._means, self._why, 1, spacing=TIGHT), 1)))

    def show_class(self, eval_class: str, means: str, why: str, category: str, category_means: str) -> None:
        """Class (A, D1, D, X) and category with what they mean."""
        text = self.tr("Class {0}, {1}. {2} Category {3}: {4}.").format(
            eval_class, means, why, category, category_means
        )
        self.setAccessibleName(text)
        self.setProperty("text", text)
        self._caps.show_caps(eval_class, category)
        self._means.setText(
            means + (self.tr("; category of 1989: {0}").format(category_means) if category_means else "")
        )
        self._why.setText(why)


class _ClassCaps(QWidget):
    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._class = self._category = ""
        self.setAccessibleName(self.tr("category"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_caps(self, eval_class: str, category: str) -> None:
        self._class, self._category = eval_class, category
        self.setAccessibleName(f"{eval_class} {category}")
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(2 * self._look.px(_CAP) + GAP, self._look.px(52))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look, cap, high = self._look, self._look.px(_CAP), self._look.px(48)
        colour = look.quiet if self._class == "X" else look.good
        self._cap(painter, QRectF(0, 2, cap, high), self._class, self.tr("class"), colour)
        self._cap(painter, QRectF(cap + GAP, 2, cap, high), self._category, self.tr("category"), look.accent)

    def _cap(self, painter: QPainter, box: QRectF, text: str, under: str, colour: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(box, CORNER, CORNER)
        painter.setPen(QColor(self._look.base))
        painter.setFont(sized(self.font(), self._look.large_pt, bold=True))
        painter.drawText(box.adjusted(0, 1, 0, -self._look.px(14)), Qt.AlignmentFlag.AlignCenter, text)
        painter.setFont(sized(self.font(), self._look.small_pt))
        painter.drawText(box.adjusted(0, self._look.px(30), 0, -2), Qt.AlignmentFlag.AlignCenter, under)


_MOST_SHOWN = 2


class SroPanel(QWidget):
    """Faults stand under the field in plain words and are underlined in it."""

    text_edited = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.field = TextField("sro", self.tr("Transcription"), look, 3)
        self.field.setPlaceholderText(self.tr("what was said: <repaired> *mispronounced* frag- [cough]"))
        self._problems = label("", look, small=True, name="sro_problems", within=True)
        self._offer = label("", look, small=True, quiet=True, name="sro_offer", within=True)
        self._words = OneLine("lsn", look)
        title = row(heading(self.tr("Transcription  Ctrl+T"), look), 1)
        self.setLayout(column(title, self.field, self._words, self._offer, self._problems, spacing=TIGHT))
        self.field.textChanged.connect(self._on_edited)

    def show_sro(self, sro: str, redactions: Sequence[Redaction], doubtful: Sequence[Span]) -> None:
        """The text as it stands, its words, its problems, what is hidden in it, and which words a recogniser doubts."""
        self.field.show_text(sro)
        problems = check_sro(sro)
        hidden = [(one.start_char or 0, one.end_char or len(sro)) for one in redactions if one.in_text == "sro"]
        self.field.show_marks(
            [(one.start, one.end) for one in problems if one.blocks],
            [(one.start, one.end) for one in problems if not one.blocks],
            hidden,
            doubtful,
        )
        self._words.setText(lsn_of(sro))
        blocking_first = sorted(problems, key=lambda one: not one.blocks)
        sentences = list(dict.fromkeys(sentence_here(one.sentence) for one in blocking_first))
        offered = self._offered(sro)
        say(self._offer, offered)
        # The offer takes a line, so that the panel keeps its height.
        most = _MOST_SHOWN - bool(offered)
        rest = len(sentences) - most
        self._problems.setText("\n".join(sentences[:most]) + (self.tr("\n{0} more").format(rest) if rest > 0 else ""))
        self._problems.setVisible(bool(sentences))
        blocks = any(one.blocks for one in problems)
        set_text_colour(self._problems, self._look.bad if blocks else self._look.warning)

    def _offered(self, sro: str) -> str:
        """A help and no problem: it stands apart, in a quiet colour."""
        forms = [one.words.strip() for one in spoken_forms(sro)]
        return self.tr("Ctrl+W writes the figures as “{0}”.").format("”, “".join(forms)) if forms else ""

    def _on_edited(self) -> None:
        self.text_edited.emit(self.field.toPlainText())
