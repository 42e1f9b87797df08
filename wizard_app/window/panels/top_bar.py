"""What must always be in sight: the deadline, the link, the microphone, the disk, the recording."""

from functools import partial

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from curtain.qt import icons
from curtain.qt.languages.key_table import qt_keys
from curtain.qt.languages.translation import number_here, translate
from curtain.qt.level_meter import LevelMeter
from curtain.qt.style import BAR, LOOSE, TIGHT, Look, set_text_colour, sized
from curtain.qt.widgets import Band, button, label, mirrored, plain_tip, row
from wizard_app.desk.session.microphone_watch import MicrophoneWatch
from wizard_app.desk.turn.deadline import Deadline, Urgency
from wizard_app.keys.table import KEYS, key_of

_LOW_DISK_HOURS = 4.0


class DeadlineBar(QWidget):
    """Fills quietly while the oldest open turn waits; changes shade at three quarters and says so in words."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("deadline")
        self._look = look
        self._deadline = Deadline(0)
        self.setFont(sized(self.font(), look.small_pt, bold=True))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_deadline(self, deadline: Deadline) -> None:
        """How far the time of the oldest open turn is used up."""
        if deadline != self._deadline:
            self._deadline = deadline
            self.setProperty("urgency", deadline.urgency.value)
            self.setAccessibleName(self._words())
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, max(22, self.fontMetrics().height() + 2))

    def minimumSizeHint(self) -> QSize:
        """The words beside the end of the bar."""
        return QSize(self._words_width + self._look.px(24), self.sizeHint().height())

    @property
    def _words_width(self) -> int:
        longest = (self._words(), self.tr("Time is over  {0}").format("+00:00"))
        return max(map(self.fontMetrics().horizontalAdvance, longest)) + LOOSE

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        words = self._words()
        text_width = self._words_width
        bar = QRectF(0, self.height() / 2 - 5, self.width() - text_width, 10)
        whole = QRectF(self.rect())
        self._paint_bar(painter, mirrored(bar, whole, self.layoutDirection()))
        painter.setPen(QColor(self._shade(self._look.quiet)))
        side = mirrored(whole.adjusted(self.width() - text_width + 10, 0, 0, 0), whole, self.layoutDirection())
        painter.drawText(side, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)

    def _paint_bar(self, painter: QPainter, bar: QRectF) -> None:
        # Its ground is that of a field: the line of the contrast theme is as bright as the time that is used.
        painter.setPen(QColor(self._look.line))
        painter.setBrush(QColor(self._look.base))
        painter.drawRoundedRect(bar, TIGHT, TIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        used = QRectF(bar)
        used.setWidth(bar.width() * self._deadline.fraction)
        used = mirrored(used, bar, self.layoutDirection())
        painter.setBrush(QColor(self._shade(self._look.line)))
        painter.drawRoundedRect(used, TIGHT, TIGHT)

    def _shade(self, calm: str) -> str:
        # Looked up as it is painted: F10 changes the look.
        shades = {Urgency.CALM: self._look.accent, Urgency.SOON: self._look.warning, Urgency.OVER: self._look.bad}
        return shades.get(self._deadline.urgency, calm)

    def _words(self) -> str:
        match self._deadline.urgency:
            case Urgency.NONE:
                return self.tr("No turn waits")
            case Urgency.OVER:
                return self.tr("Time is over  {0}").format(self._deadline.text)
            case Urgency.SOON:
                return self.tr("Hurry  {0}").format(self._deadline.text)
        return self.tr("{0} to answer").format(self._deadline.text)


class Lamp(QWidget):
    """An icon and a word; the icon changes with the word, so that colour never speaks alone. Where there is no room for
    the word, it is a tip on the icon."""

    def __init__(self, name: str, look: Look, widest: str = "") -> None:
        super().__init__()
        self.icon = icons.Mark(share=0.85)
        self._word = label("", look, small=True, name=name)
        self._widest = widest
        self._shown: tuple[str, str, str] = ("", "", "")
        self.setLayout(row(self.icon, self._word, spacing=TIGHT))

    def show_state(self, icon: str, word: str, colour: str) -> None:
        """The name of an icon, a word, and the colour of both."""
        if (icon, word, colour) == self._shown:
            return
        self._shown = (icon, word, colour)
        self.icon.name = icon
        self.icon.setToolTip(plain_tip(word))
        self.setAccessibleName(word)
        set_text_colour(self.icon, colour)
        self._word.setText(word)
        set_text_colour(self._word, colour)

    @property
    def word_width(self) -> int:
        """The pixels that its longest word takes."""
        texts = (self._widest, self._word.text())
        return TIGHT + max(map(self._word.fontMetrics().horizontalAdvance, texts)) + self._word.fontMetrics().height()

    def show_word(self, shown: bool) -> None:
        """With its word, or the icon alone."""
        self._word.setVisible(shown)
        self._word.setMinimumWidth(self._word.fontMetrics().horizontalAdvance(self._widest))


class TopBar(QWidget):
    """One line across the window that never changes its place. `key_chosen(keys)`: a hand chose from the menu of all
    keys, in Qt's names."""

    key_chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._deadline = DeadlineBar(look)
        self._waiting = Lamp("waiting_lamp", look, self.tr("{0} wait").format(88))
        self._waiting.setToolTip(plain_tip(self.tr("So many questions wait beside the one at work.")))
        self._link = Lamp("link_lamp", look, self.tr("not connected"))
        self._microphone = Lamp("microphone_lamp", look, self.tr("mic missing"))
        self._level = LevelMeter()
        self._level.setFixedWidth(90)
        self._disk = Lamp("disk_lamp", look, self.tr("disk 1,000 h"))
        self._disk.setToolTip(plain_tip(self.tr("So many hours of speech still fit on the fuller of the two disks.")))
        self._recording = Lamp("recording_lamp", look, self.tr("REC"))
        self._menu = button(self.tr("Menu"), "session_menu", self.tr("Everything that has a key"))
        self._menu.clicked.connect(self._open_menu)
        # Those that matter least give up their words first.
        self._lamps = (self._disk, self._recording, self._microphone, self._waiting, self._link)
        lights = (self._waiting, self._link, self._level, self._microphone, self._disk, self._recording)
        self._line = row((self._deadline, 1), *lights, self._menu, margins=BAR, spacing=LOOSE)
        self.setLayout(self._line)
        self.show_waiting(0)
        self.show_link(False)
        self.show_microphone(MicrophoneWatch())
        self.show_recording(False)
        self.show_disk(None)

    def lead_with(self, tag: Band) -> None:
        """A short word that is always in sight, before everything else; the line becomes no higher."""
        tag.shrink()
        self._line.insertWidget(0, tag)

    def event(self, event: QEvent) -> bool:
        """A tag that comes takes room too."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        """Words go where the line is too narrow for all of them."""
        others = [part for part in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
                  if not isinstance(part, Lamp) and not part.isHidden()]  # fmt: skip
        least = sum(part.minimumSizeHint().expandedTo(part.minimumSize()).width() + LOOSE for part in others)
        room = self.width() - BAR.left() - BAR.right() - least
        room -= sum(lamp.icon.sizeHint().width() + LOOSE + lamp.word_width for lamp in self._lamps)
        for lamp in self._lamps:
            lamp.show_word(room >= 0)
            room += lamp.word_width if room < 0 else 0

    def _open_menu(self) -> None:
        """What each key does, for whoever works by mouse."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = menu
        for binding in KEYS.bindings:
            if binding.action and binding.group:
                title = translate("Keys", binding.group)
                if group.title() != title:
                    group = menu.addMenu(title)
                words = f"{translate('Keys', binding.does)}\t{binding.label}"
                group.addAction(words, partial(self.key_chosen.emit, qt_keys(binding.label)))
        # F1 is in no group: its list does not name itself.
        menu.addAction(f"{translate('Keys', 'keys')}\t{key_of('keys')}", partial(self.key_chosen.emit, key_of("keys")))
        menu.popup(self._menu.mapToGlobal(self._menu.rect().bottomLeft()))

    def show_deadline(self, deadline: Deadline) -> None:
        """How far the time of the oldest open turn is used up."""
        self._deadline.show_deadline(deadline)

    def show_waiting(self, count: int) -> None:
        """How many questions wait beside the one at work: in a long list they are below the edge."""
        text = self.tr("1 waits") if count == 1 else self.tr("{0} wait").format(count)
        self._waiting.show_state("pause", text, self._look.warning if count else self._look.quiet)

    def show_link(self, up: bool) -> None:
        """Whether the subject's station is connected; without it there is no level."""
        if up:
            self._link.show_state("link", self.tr("linked"), self._look.good)
        else:
            self._link.show_state("link_off", self.tr("not connected"), self._look.bad)
            self._level.show_silence()

    def show_microphone(self, watch: MicrophoneWatch) -> None:
        """The state of the subject's microphone; its name is in the tool tip."""
        self._microphone.setToolTip(plain_tip(watch.status.microphone) if watch.status is not None else "")
        look = self._look
        # Before a session nobody knows.
        known = look.text if watch.status is not None else look.quiet
        colour = look.bad if watch.bad else look.warning if watch.doubtful else known
        self._microphone.show_state("warning" if watch.bad else "microphone", watch.word, colour)

    def show_level(self, dbfs: float, clipped: bool) -> None:
        """The level of the subject's microphone in dBFS."""
        self._level.show_level(dbfs, clipped)

    def show_disk(self, hours: float | None) -> None:
        """How many hours of speech the fuller disk still takes; None if that is not known."""
        if hours is None:
            self._disk.show_state("disk", self.tr("disk"), self._look.quiet)
            return
        low = hours < _LOW_DISK_HOURS
        text = self.tr("disk {0} h").format(number_here(min(hours, 999), int(hours < 10)))
        self._disk.show_state("warning" if low else "disk", text, self._look.warning if low else self._look.text)

    def show_recording(self, recording: bool) -> None:
        """Whether the subject is being recorded now."""
        if recording:
            self._recording.show_state("record", self.tr("REC"), self._look.bad)
        else:
            self._recording.show_state("stop", self.tr("idle"), self._look.quiet)
