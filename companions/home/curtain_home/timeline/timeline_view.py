"""A whole session in time: its sound, its keys, its replies and its people, under one hand."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from curtain.qt.languages.translation import number_here
from curtain.qt.style import GAP, TIGHT, Look, sized, washed
from curtain.session.turns.session_timeline import SessionTimeline, Span, TimelineTurn
from curtain_home.timeline.turn_sounds import TurnSound, TurnSounds

_LEAST_MS = 500
_REPAINT_MS = 150
_STEPS_S = (1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)
_NAMED = 34  # pixels from which on a bar has room for a few letters
_NUMBERED = 22  # pixels from which on a turn has room for its number and the letter of its reply


class TimelineView(QWidget):
    """The hand chooses a place: `place_chosen(turn, seconds)` into its recording, to be played from there.

    The mouse: a click chooses, the wheel scrolls, with Ctrl it zooms. Keys: Left and Right move the hand, PgUp and PgDn
    go from turn to turn, + and - zoom, 0 shows the whole session, Enter plays.
    """

    place_chosen = Signal(int, float)
    view_changed = Signal()
    hand_moved = Signal(object)

    def __init__(self, timeline: SessionTimeline, sounds: TurnSounds, look: Look) -> None:
        super().__init__()
        self.setObjectName("session_timeline")
        self.setAccessibleName(self.tr("Timeline of session {0}").format(timeline.session_id))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.timeline = timeline
        self._look = look
        self._sounds = sounds
        self._images: dict[int, QImage] = {}
        self.begin, self.span = 0.0, float(timeline.length_ms)
        self._hand = 0.0
        # Kept, since every place on the screen is computed with them.
        self._people = timeline.people
        self._left = self._width_of_names()
        self._loudest = 0.05
        # All but the hand, which moves with what plays, and the turn at the hand.
        self._picture: QPixmap | None = None
        self._repainting = QTimer(self, singleShot=True, interval=_REPAINT_MS)
        self._repainting.timeout.connect(self._paint_anew)
        self.turn: TimelineTurn | None = None
        self.levels = False
        sounds.drawn.connect(self._on_drawn)
        self._sounds.draw(timeline.turns, levels=False)

    # -- what is looked at ---------------------------------------------------------------------------------

    def show_turn(self, number: int, seconds: float = 0.0) -> None:
        """Put the hand on a turn, so many seconds into its recording, and bring it into sight."""
        turn = next((one for one in self.timeline.turns if one.number == number), None)
        if turn is not None:
            self._move_hand((turn.sound or turn.span)[0] + seconds * 1000, turn)

    def show_levels(self, wanted: bool) -> None:
        """The spectrogram in place of the outline, of the turns that are wide enough to show one. Where none is, the
        turn at the hand comes near."""
        self.levels = wanted
        self._look_at(self.begin, self.span)
        if wanted and not any(self._wide_turns()):
            self.show_closely()

    def zoom(self, factor: float, about: float | None = None) -> None:
        """Show a stretch `factor` times as long; the ms `about` stays where it is, without it that of the hand."""
        middle = self._hand if about is None and self._in_sight(self._hand) else about
        middle = self.begin + self.span / 2 if middle is None else middle
        share = (middle - self.begin) / self.span
        span = max(float(_LEAST_MS), min(float(self.timeline.length_ms), self.span * factor))
        self._look_at(middle - share * span, span)

    def show_all(self) -> None:
        """The whole session."""
        self._look_at(0.0, float(self.timeline.length_ms))

    def show_closely(self) -> None:
        """The turn at the hand in the whole width."""
        if self.turn is not None:
            begin, end = self.turn.span
            self._look_at(begin - 500.0, max(end - begin, _LEAST_MS) + 1000.0)

    def scroll_to(self, begin: float) -> None:
        """From this ms on, as long a stretch as now."""
        self._look_at(begin, self.span)

    def play_here(self) -> None:
        """Choose the place of the hand."""
        if self.turn is not None:
            start, end = self.turn.sound or self.turn.span
            self.place_chosen.emit(self.turn.number, max(0.0, (min(self._hand, end) - start) / 1000))

    def go_to_turn(self, by: int) -> None:
        """The turn so many behind the one at the hand."""
        turns = self.timeline.turns
        if turns:
            at = turns.index(self.turn) + by if self.turn in turns else 0
            self.show_turn(turns[max(0, min(len(turns) - 1, at))].number)

    def _look_at(self, begin: float, span: float) -> None:
        self.span = min(span, float(self.timeline.length_ms))
        self.begin = max(0.0, min(begin, self.timeline.length_ms - self.span))
        if self.levels:
            self._sounds.draw(self._wide_turns(), levels=True)
        self.view_changed.emit()
        self._paint_anew()

    def _move_hand(self, ms: float, turn: TimelineTurn | None) -> None:
        another = turn is not self.turn
        self._hand, self.turn = max(0.0, min(ms, float(self.timeline.length_ms))), turn
        if not self._in_sight(self._hand):
            self._look_at(self._hand - self.span / 5, self.span)
        self.setProperty("turn", turn.number if turn else 0)
        self.setProperty("place", round(self._hand))
        words = (self.tr("Turn {0}").format(turn.number) if turn else "", clock_text(self._hand))
        self.setAccessibleDescription(", ".join(filter(None, words)))
        if another:
            self.hand_moved.emit(turn)
        self.update()

    def _turn_at(self, ms: float) -> TimelineTurn | None:
        """The turn in which this is, else the nearest."""

        def away(turn: TimelineTurn) -> float:
            return max(turn.span[0] - ms, ms - turn.span[1], 0.0)

        return min(self.timeline.turns, key=away, default=None)

    def _in_sight(self, ms: float) -> bool:
        return self.begin <= ms <= self.begin + self.span

    def _wide_turns(self) -> Iterator[TimelineTurn]:
        """In sight, and wide enough for a spectrogram to show anything."""
        for turn in self.timeline.turns:
            begin, end = (self._x(ms) for ms in turn.sound or (0, 0))
            if end > self._left and begin < self.width() and end - begin > _NAMED:
                yield turn

    def _on_drawn(self, number: int) -> None:
        self._images.pop(number, None)
        sound = self._sounds.of(number)
        if sound is not None:
            # One scale for the whole session: a whispered turn is seen beside a loud one.
            self._loudest = max(self._loudest, -sound.lowest, sound.highest)
        if not self._repainting.isActive():
            self._repainting.start()

    def _paint_anew(self) -> None:
        self._picture = None
        self.update()

    # -- mouse and keys ------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        ms = self._ms(event.position().x())
        self._move_hand(ms, self._turn_at(ms))
        self.play_here()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y() or event.angleDelta().x()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(0.8 if turned > 0 else 1.25, self._ms(event.position().x()))
        else:
            self.scroll_to(self.begin - turned / 120 * self.span / 8)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = self.span / 50
        acts = {
            Qt.Key.Key_Left: lambda: self._step(-step), Qt.Key.Key_Right: lambda: self._step(step),
            Qt.Key.Key_PageUp: lambda: self.go_to_turn(-1), Qt.Key.Key_PageDown: lambda: self.go_to_turn(1),
            Qt.Key.Key_Home: lambda: self._step(-self._hand),
            Qt.Key.Key_End: lambda: self._step(float(self.timeline.length_ms)),
            Qt.Key.Key_Plus: lambda: self.zoom(0.5), Qt.Key.Key_Equal: lambda: self.zoom(0.5),
            Qt.Key.Key_Minus: lambda: self.zoom(2.0), Qt.Key.Key_0: self.show_all,
            Qt.Key.Key_Return: self.play_here, Qt.Key.Key_Enter: self.play_here, Qt.Key.Key_Space: self.play_here,
        }  # fmt: skip
        if (act := acts.get(Qt.Key(event.key()))) is not None and not event.modifiers() & ~_PLAIN:
            act()
        else:
            super().keyPressEvent(event)

    def _step(self, by: float) -> None:
        ms = self._hand + by
        self._move_hand(ms, self._turn_at(ms))

    # -- painting ------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(self._look.px(1000), self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._look.px(400), self._height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self._images.clear()
            self._left = self._width_of_names()
            self._picture = None
            self.updateGeometry()

    @property
    def _row(self) -> int:
        return self._look.px(22)

    def _width_of_names(self) -> int:
        names = (self.tr("Waiting"), self.tr("Talk key"), *self._people)
        return max(map(self.fontMetrics().horizontalAdvance, names)) + 2 * GAP

    def _height(self) -> int:
        return self._row * (6 + len(self._people)) + self._look.px(110)

    def _x(self, ms: float) -> float:
        return self._left + (ms - self.begin) / self.span * max(1, self.width() - self._left)

    def _ms(self, x: float) -> float:
        ms = self.begin + (x - self._left) / max(1, self.width() - self._left) * self.span
        return max(0.0, min(ms, float(self.timeline.length_ms)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._picture = None

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._picture is None:
            scale = self.devicePixelRatioF()
            self._picture = QPixmap(self.size() * scale)
            self._picture.setDevicePixelRatio(scale)
            with QPainter(self._picture) as inner:
                self._paint_session(inner)
        painter, look = QPainter(self), self._look
        painter.drawPixmap(0, 0, self._picture)
        if self.turn is not None:
            painter.save()
            painter.setFont(sized(self.font(), look.small_pt))
            painter.setClipRect(self._clip())
            self._paint_turn(painter, self.turn, self._rows(), look.accent)
            painter.restore()
        if (x := self._x(self._hand)) >= self._left:
            painter.setPen(QPen(QColor(look.bad if look.dark else look.accent), 2))
            painter.drawLine(QPointF(x, self._row), QPointF(x, self.height()))
        painter.setPen(QPen(QColor(look.accent if self.hasFocus() else look.edge), 2 if self.hasFocus() else 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _paint_session(self, painter: QPainter) -> None:
        look, row = self._look, self._row
        painter.setFont(sized(self.font(), look.small_pt))
        painter.fillRect(self.rect(), QColor(look.base))
        rows = self._rows()
        titles = [
            (self.tr("Scenario"), QRectF(0, row, 0, row)), (self.tr("Sound"), rows["sound"]),
            (self.tr("Talk key"), rows["key"]), (self.tr("Waiting"), rows["wait"]), (self.tr("Reply"), rows["reply"]),
            *((by, rows[f"person {by}"]) for by in self._people),
        ]  # fmt: skip
        painter.setPen(QColor(look.quiet))
        for title, box in titles:
            place = QRectF(GAP, box.top(), self._left - GAP, min(box.height(), 2 * row))
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, title)
        painter.setClipRect(self._clip())
        self._paint_ruler(painter)
        for span in self.timeline.pauses:
            painter.fillRect(self._box(span, QRectF(0, row, 0, self.height())), QBrush(QColor(look.line), _PAUSED))
        for span, name in self.timeline.tasks:
            box = self._box(span, QRectF(0, row, 0, row)).adjusted(0, 2, -1, -2)
            self._fill(painter, box)
            self._write(painter, box, name, look.text)
        for turn in self.timeline.turns:
            if self._x(turn.span[1]) >= self._left and self._x(turn.span[0]) <= self.width():
                self._paint_turn(painter, turn, rows)

    def _clip(self) -> QRectF:
        return QRectF(self._left, 0, self.width() - self._left, self.height())

    def _rows(self) -> dict[str, QRectF]:
        row, names = self._row, ("key", "wait", "reply", *(f"person {by}" for by in self._people))
        sound = QRectF(0, 2 * row, self.width(), self.height() - row * (3 + len(names)))
        places = {name: QRectF(0, sound.bottom() + n * row, self.width(), row) for n, name in enumerate(names)}
        return {"sound": sound, **places}

    def _paint_ruler(self, painter: QPainter) -> None:
        painter.setPen(QColor(self._look.quiet))
        room = painter.fontMetrics().horizontalAdvance("0:00:00") + 2 * GAP
        fitting = (s for s in _STEPS_S if s * 1000 / self.span * (self.width() - self._left) >= room)
        step = next(fitting, _STEPS_S[-1]) * 1000
        at = int(self.begin // step) * step
        while at <= self.begin + self.span:
            x = self._x(at)
            painter.drawLine(QPointF(x, 0), QPointF(x, self._row / 3))
            painter.drawText(QRectF(x + TIGHT, 0, room, self._row), Qt.AlignmentFlag.AlignVCenter, clock_text(at))
            at += step

    def _paint_turn(
        self, painter: QPainter, turn: TimelineTurn, rows: dict[str, QRectF], accent: str | None = None
    ) -> None:
        """With an `accent` as the turn at the hand, over what is painted of it already. What is narrower than a few
        letters is painted without words: at three hours in sight they would cover each other."""
        look, wave = self._look, rows["sound"]
        box = self._box(turn.span, wave)
        if accent is not None:
            ground = QColor(accent)
            ground.setAlpha(40)
            painter.fillRect(QRectF(box.left(), box.top(), box.width(), self.height()), ground)
        if turn.sound is not None:
            self._paint_sound(
                painter, turn, self._box(turn.sound, wave).adjusted(0, self._row, 0, -2), accent or look.quiet
            )
        if accent is not None or box.width() >= _NUMBERED:
            painter.setPen(QColor(accent or look.text))
            # Typed turns have no sound: their number is all that stands there.
            painter.drawText(QPointF(box.left() + 2, wave.top() + painter.fontMetrics().ascent()), str(turn.number))
        if turn.key is not None:
            painter.fillRect(self._box(turn.key, rows["key"]).adjusted(0, 5, 0, -5), QColor(look.accent))
        if turn.waited_ms is not None and turn.waited_ms > 0:
            end = turn.painted_ms if turn.painted_ms is not None else turn.reply_ms or 0
            seconds = self.tr("{0} s").format(number_here(turn.waited_ms / 1000, 1))
            self._paint_bar(painter, (end - turn.waited_ms, end), rows["wait"], seconds)
        if turn.reply_ms is not None:
            self._paint_reply(painter, turn, rows["reply"], wide=accent is not None or box.width() >= _NUMBERED)
        for step in turn.steps:
            ended = step.ended if step.ended is not None else turn.span[1]
            self._paint_bar(painter, (step.began, ended), rows[f"person {step.by}"], step.part)

    def _paint_bar(self, painter: QPainter, span: Span, row: QRectF, text: str) -> None:
        box = self._box(span, row).adjusted(0, 3, 0, -3)
        self._fill(painter, box)
        if box.width() >= _NAMED:
            self._write(painter, box, text, self._look.text)

    def _fill(self, painter: QPainter, box: QRectF) -> None:
        """An outline that is seen, and a ground on which text is read."""
        painter.fillRect(box, QColor(self._look.edge))
        if box.width() > _COLUMN:
            painter.fillRect(box.adjusted(1, 1, -1, -1), QColor(washed(self._look, self._look.text)))

    def _paint_reply(self, painter: QPainter, turn: TimelineTurn, row: QRectF, *, wide: bool) -> None:
        look, is_answer = self._look, turn.reply == "answer"
        box = self._box((turn.reply_ms or 0, turn.reply_ms or 0), row).adjusted(0, 3, 0, -3)
        if not wide:
            painter.fillRect(box, QColor(look.good if is_answer else look.text))
            return
        letter = self.tr("A", "answer") if is_answer else self.tr("M", "message")
        box.setWidth(painter.fontMetrics().horizontalAdvance(letter) + 2 * TIGHT)
        if box.left() < self.width():
            # The last reply is often at the very end of the session.
            box.moveRight(min(box.right(), self.width() - 2.0))
        painter.setPen(QPen(QColor(look.text), 1))
        # The letter says it too: filled for an answer, empty for a message.
        painter.setBrush(QColor(look.good if is_answer else look.base))
        painter.drawRoundedRect(box, TIGHT, TIGHT)
        painter.setPen(QColor(look.base if is_answer else look.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)

    def _paint_sound(self, painter: QPainter, turn: TimelineTurn, box: QRectF, colour: str) -> None:
        look, sound, middle = self._look, self._sounds.of(turn.number), box.center().y()
        painter.setPen(QColor(look.line))
        painter.drawLine(QLineF(box.left(), middle, box.right(), middle))
        if sound is not None and self.levels and sound.levels is not None and box.width() > _NAMED:
            painter.drawImage(box, self._image(turn.number, sound))
        elif sound is not None:
            painter.setPen(QColor(colour))
            painter.drawLines(list(_outline(sound, box, self._loudest, self._left, self.width())))
        for start, end in turn.hidden:
            scale = box.width() / max(1, turn.sound[1] - turn.sound[0]) if turn.sound else 0
            hatched = QRectF(box.left() + start * scale, box.top(), max(2.0, (end - start) * scale), box.height())
            painter.fillRect(hatched, QColor(look.base))
            painter.fillRect(hatched, QBrush(QColor(look.bad), Qt.BrushStyle.BDiagPattern))

    def _image(self, number: int, sound: TurnSound) -> QImage:
        if number not in self._images:
            assert sound.levels is not None
            high, wide = sound.levels.shape
            grey = QImage(sound.levels.tobytes(), wide, high, wide, QImage.Format.Format_Indexed8)
            low, loud = QColor(self._look.base), QColor(self._look.text)
            grey.setColorTable([_between(low, loud, n / 255).rgb() for n in range(256)])
            # A copy, since the bytes belong to nobody.
            self._images[number] = grey.copy()
        return self._images[number]

    def _box(self, span: Span, row: QRectF) -> QRectF:
        left, right = self._x(span[0]), self._x(span[1])
        return QRectF(left, row.top(), max(2.0, right - left), row.height())

    def _write(self, painter: QPainter, box: QRectF, text: str, colour: str) -> None:
        """As much of the text as fits into what is in sight of the box."""
        seen = box.intersected(QRectF(self._left, 0, self.width() - self._left, self.height())).adjusted(TIGHT, 0, 0, 0)
        if seen.width() >= _NAMED:
            painter.setPen(QColor(colour))
            fitting = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(seen.width()))
            painter.drawText(seen, Qt.AlignmentFlag.AlignVCenter, fitting)


_PLAIN = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
_COLUMN = 2.0  # pixels that take a single line
_PAUSED = Qt.BrushStyle.Dense5Pattern


def clock_text(ms: float) -> str:
    """Hours, minutes and seconds since the session began."""
    seconds = int(ms // 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _outline(sound: TurnSound, box: QRectF, loudest: float, left: float, right: float) -> Iterator[QLineF]:
    """One line for each column of pixels in sight, from the lowest to the highest value in it."""
    import numpy as np

    middle, half = box.center().y(), box.height() / 2 / loudest
    if box.width() <= _COLUMN:
        # With three hours in sight every turn is as narrow.
        yield QLineF(box.left(), middle - sound.highest * half, box.left(), middle - sound.lowest * half)
        return
    columns = np.arange(max(box.left(), left), min(box.right(), right))
    if not len(columns) or not len(sound.low):
        return
    edges = ((columns - box.left()) / box.width() * len(sound.low)).astype(np.int64).clip(0, len(sound.low) - 1)
    # One more stretch, so that the last column does not take all that is out of sight.
    ends = min(len(sound.low), int(edges[-1]) + max(1, round(len(sound.low) / box.width())))
    low = np.minimum.reduceat(sound.low[:ends], edges)
    high = np.maximum.reduceat(sound.high[:ends], edges)
    for x, under, over in zip(columns, low, high, strict=True):
        yield QLineF(x, middle - float(over) * half, x, middle - float(under) * half)


def _between(low: QColor, high: QColor, share: float) -> QColor:
    pairs = ((low.red(), high.red()), (low.green(), high.green()), (low.blue(), high.blue()))
    return QColor(*(round(a + (b - a) * share) for a, b in pairs))
