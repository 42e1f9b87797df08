"""The adjudicator's page: what happened, and beside it what each annotator says where they differ."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from curtain.corpus.annotation.row import Layer
from curtain.qt.languages.translation import translate
from curtain.qt.style import LOOSE, PANEL, TIGHT, Look, mixed, set_text_colour
from curtain.qt.widgets import column, heading, label, named, row
from curtain.review.control.ruling import Ruled, Ruling
from curtain.review.control.wording import LAYER_NAMES, in_layer, shortened
from curtain.review.panels.earlier_list import EarlierList
from curtain.review.panels.listen_bar import ListenBar
from curtain.review.panels.live_turn import SeenPanel
from curtain.review.panels.scenario_panel import AnnotatedScenario

_MARGINS = PANEL


class _Cell(QFrame):
    """What one annotator says in one layer; the chosen one is framed and says so."""

    clicked = Signal()

    def __init__(self, text: str, chosen: bool, in_hand: bool, look: Look) -> None:
        super().__init__()
        self.in_hand = in_hand
        self._look, self._chosen = look, chosen
        field = label(text, look, small=True, within=True)
        field.setAlignment(Qt.AlignmentFlag.AlignTop)
        mark = label(self.tr("chosen") if chosen else "", look, small=True, bold=True)
        set_text_colour(mark, look.accent)
        self.setLayout(column(field, mark, margins=PANEL, spacing=TIGHT))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.clicked.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = self._look
        painter.setPen(QPen(QColor(look.accent if self._chosen else look.line), 2 if self._chosen else 1))
        ground = mixed(look.base, look.accent, 0.10) if self.in_hand and self._chosen else look.base
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -2, -2), TIGHT, TIGHT)


class RulingPage(QWidget):
    """Keys while the cursor is on the page: a number takes a side, arrows choose, Return rules, E edits."""

    side_taken = Signal(int)
    layer_moved = Signal(int)
    side_moved = Signal(int)
    cell_chosen = Signal(int, int)
    rule_requested = Signal()
    edit_requested = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        named(self, "ruling", self.tr("Ruling"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._look = look
        self.listen = ListenBar(look)
        self.seen = SeenPanel(look)
        self.scenario = AnnotatedScenario(look)
        self.earlier = EarlierList(look)
        self.earlier.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area = QScrollArea(widgetResizable=True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._said = label("", look, small=True, quiet=True, name="ruling_notice", within=True)
        self._lay_out()

    def show_ruling(self, ruling: Ruling | None, query: str | None) -> None:
        """Layers from top to bottom, annotators side by side."""
        # Made anew: two annotators' layers differ from turn to turn, and setWidget deletes what was there.
        body = QWidget()
        if ruling is not None:
            self._fill(QGridLayout(body), ruling, query)
            self.setProperty("picks", " ".join(f"{la}:{ruling.sides[p].by}" for la, p in self._picks(ruling)))
            self.setProperty("layer", ruling.layers[ruling.at] if ruling.layers else "")
        self._said.setText(_in_words(ruling, query))
        self._area.setWidget(body)
        self._show_in_hand(body)

    def _show_in_hand(self, body: QWidget) -> None:
        body.adjustSize()
        for cell in body.findChildren(_Cell):
            if cell.in_hand:
                self._area.ensureWidgetVisible(cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        sides = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        # A digit of the keypad comes with this modifier.
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        elif key in moves:
            self.layer_moved.emit(moves[key])
        elif key in sides:
            self.side_moved.emit(sides[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.rule_requested.emit()
        elif key == Qt.Key.Key_E:
            self.edit_requested.emit()
        elif Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
            self.side_taken.emit(int(key) - int(Qt.Key.Key_1))
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        left, middle, right = QWidget(), QWidget(), QWidget()
        earlier = heading(self.tr("Earlier in this session"), self._look)
        left.setLayout(column(self.scenario, earlier, (self.earlier, 1), spacing=TIGHT))
        left.setMaximumWidth(self._look.px(220))
        middle.setLayout(column(self.listen, self.seen, spacing=TIGHT))
        right.setLayout(
            column(heading(self.tr("What the annotators say"), self._look), self._said, self._area, spacing=TIGHT)
        )
        parts = row(left, middle, right, margins=_MARGINS, spacing=LOOSE)
        parts.setStretch(0, 4)
        parts.setStretch(1, 5)
        parts.setStretch(2, 5)
        self.setLayout(parts)

    def _picks(self, ruling: Ruling) -> list[tuple[str, int]]:
        return list(zip(ruling.layers, ruling.picks, strict=True))

    def _fill(self, grid: QGridLayout, ruling: Ruling, query: str | None) -> None:
        grid.setContentsMargins(0, 0, TIGHT, 0)
        grid.setSpacing(TIGHT)
        for side, shown_side in enumerate(ruling.sides):
            head: QLabel = label(f"{side + 1}   {shown_side.by}", self._look, bold=True)
            grid.addWidget(head, 0, side)
            grid.setColumnStretch(side, 1)
        for line, layer in enumerate(ruling.layers):
            name = heading(_layer_name(layer), self._look)
            grid.addWidget(name, 2 * line + 1, 0, 1, len(ruling.sides))
            for side, shown_side in enumerate(ruling.sides):
                chosen, in_hand = ruling.picks[line] == side, ruling.at == line
                cell = _Cell(in_layer(layer, shown_side.values, shown_side.work, query), chosen, in_hand, self._look)
                # Bound as defaults: a closure would see the last line and side of the loop.
                cell.clicked.connect(lambda line=line, side=side: self.cell_chosen.emit(line, side))
                grid.addWidget(cell, 2 * line + 2, side)
        grid.setRowStretch(2 * len(ruling.layers) + 3, 1)


def _layer_name(layer: Layer) -> str:
    return translate("Review", LAYER_NAMES[layer])


def _in_words(ruling: Ruling | None, query: str | None) -> str:
    if ruling is None:
        return translate("Review", "Fewer than two have annotated this turn.")
    if not ruling.layers:
        text = translate("Review", "They agree on this turn; there is nothing to rule.")
    else:
        text = translate("Review", "They differ in: {0}.").format(
            ", ".join(_layer_name(layer) for layer in ruling.layers)
        )
    again = [translate("Review", "Ruling again replaces that.")] if ruling.ruled else []
    return "\n".join([text, *(_of_earlier(one, query) for one in ruling.before), *again])


def _of_earlier(ruled: Ruled, query: str | None) -> str:
    """Who ruled on a layer, and how."""
    how = (
        translate("Review", "as said by {0}").format(translate("Review", " and ").join(ruled.sides))
        if ruled.sides
        else in_layer(ruled.layer, ruled.values, ruled.work, query)
    )
    return translate("Review", "{0} ruled by {1} on {2}: {3}.").format(
        _layer_name(ruled.layer), ruled.by, ruled.day, shortened(" ".join(how.split()), 160)
    )
