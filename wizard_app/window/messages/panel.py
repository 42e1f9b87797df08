"""The canned messages: seen all the time, chosen by number or letters, their blanks filled in place."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFormLayout, QListWidgetItem, QSizePolicy, QWidget

from curtain.qt.command_text import CommandLine, commit_composition
from curtain.qt.style import TIGHT, Look, SubjectFrame
from curtain.qt.widgets import button, column, heading, label
from curtain.session.study.messages import CannedMessage, MessageSet
from wizard_app.desk.message_suggestion import fitting
from wizard_app.window.messages.rows import MessageRows


class MessagePanel(QWidget):
    """Asks to send a message with its blanks filled; remembers the last value of each blank, which Enter shows before
    it sends it again. In an empty search the key of a favourite sends it at once; a blank before it begins a search."""

    send_requested = Signal(str, dict)
    picking_began = Signal()
    picking_ended = Signal()
    choice_changed = Signal()

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._messages = MessageSet(())
        self._last: dict[str, str] = {}
        self._fields: dict[str, CommandLine] = {}
        # The fields that hold what was said before, as long as nobody has looked at them.
        self._of_before: set[CommandLine] = set()
        # Whether a message is being chosen or its blanks are being filled.
        self.picking = False
        # The field in which a message is searched for by its letters.
        self.filter = CommandLine(
            name="message_filter",
            spoken=self.tr("Search for a message"),
            placeholder=self.tr("Ctrl+M, then number or letters"),
        )
        # Enter sends from here: nobody may come here by a Tab too many.
        self.filter.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._list = MessageRows(look)
        self._preview = label("", look, name="message_preview", wraps=True)
        self._preview.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._preview.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self._send = button("", "send_message")
        self._send.clicked.connect(self._go_on)
        self._details = QWidget()
        self._form = QWidget()
        self._blanks = QFormLayout(self._form)
        self._lay_out()
        self._connect()

    @property
    def ready(self) -> bool:
        """Enter would send: a message is chosen and no blank is empty."""
        return self._chosen() is not None and self._field_ahead() is None

    @property
    def in_empty_blank(self) -> bool:
        """The cursor is in a blank that still has to be filled."""
        return any(field.hasFocus() and not field.text().strip() for field in self._fields.values())

    @property
    def blanks(self) -> dict[str, str]:
        """The last value of every blank, to be kept over a restart."""
        return dict(self._last)

    def set_messages(self, messages: MessageSet, last: Mapping[str, str]) -> None:
        """The messages of the study; `last` are the blanks as they were filled last, by name."""
        self._messages = messages
        self._last = dict(last)
        self._narrow()

    def preselect(self, message_id: str) -> None:
        """Point at a message, or with an empty id at none, without taking the cursor from anybody."""
        self.filter.clear()
        self._list.setCurrentRow(-1)
        for at in range(self._list.count()):
            if self._list.id_at(at) == message_id:
                self._list.setCurrentRow(at)

    def pick(self, message_id: str | None = None) -> None:
        """Take the cursor: from now on a number, letters, Tab, Enter and Esc choose and send."""
        self.filter.clear()
        if message_id is not None:
            self.preselect(message_id)
        elif self._list.currentRow() < 0:
            self._list.setCurrentRow(0)
        self.picking = True
        self.filter.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._show_chosen()
        self._details.setVisible(True)
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.picking_began.emit()

    def leave(self) -> bool:
        """Esc: close the list. False if it was not open."""
        was_open = self.picking
        self.close_picker()
        return was_open

    def close_picker(self) -> None:
        """Stop choosing; blanks that were filled in are so the next time."""
        if self.picking:
            self._keep_blanks()
            self.picking = False
            self.filter.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            # First the focus goes where it belongs, then its fields: Qt would pass it to the next widget in line.
            self.picking_ended.emit()
            self._details.setVisible(False)
            self.filter.clear()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_preview()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows, Enter and Esc mean the same in the filter and in every blank."""
        if isinstance(event, QFocusEvent) and event.gotFocus():
            self._on_focus(watched, event.reason())
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and not event.modifiers():
            return self._on_key(Qt.Key(event.key()), watched) or self._is_favourite(event.text(), watched)
        return False

    def _lay_out(self) -> None:
        self._list.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._blanks.setContentsMargins(0, 0, 0, 0)
        sends = heading(self.tr("Sends"), self._look)
        preview = SubjectFrame(self._preview, self._look)
        self._details.setLayout(column(self._form, sends, preview, self._send, spacing=TIGHT))
        self._details.setVisible(False)
        self.setLayout(column(self.filter, (self._list, 1), self._details, spacing=TIGHT))

    def _connect(self) -> None:
        self.filter.installEventFilter(self)
        self.filter.textChanged.connect(self._narrow)
        self._list.currentRowChanged.connect(self._show_chosen)
        self._list.itemClicked.connect(self._on_clicked)

    def _narrow(self) -> None:
        chosen = self._chosen()
        messages = fitting(self._messages, self.filter.text())
        self._list.clear()
        keys = {message.id: key for key, message in self._messages.favourites.items()}
        for message in messages:
            self._list.add(message, keys.get(message.id, ""))
        stays = chosen in messages and not self.filter.text()
        self._list.setCurrentRow(messages.index(chosen) if stays and chosen else 0 if self.filter.text() else -1)
        self._show_chosen()

    def _chosen(self) -> CannedMessage | None:
        return self._messages.by_id.get(self._list.chosen_id)

    def _show_chosen(self) -> None:
        message = self._chosen()
        wanted = list(message.blanks) if message and self.picking else []
        if list(self._fields) != wanted:
            self._build_fields(wanted)
        self._show_preview()

    def _build_fields(self, names: list[str]) -> None:
        while self._blanks.rowCount():
            self._blanks.removeRow(0)
        self._fields, self._of_before = {}, set()
        for name in names:
            field = CommandLine(self._last.get(name, ""), name=f"blank_{name}")
            field.installEventFilter(self)
            field.textChanged.connect(self._show_preview)
            self._blanks.addRow(name.replace("_", " ").capitalize(), field)
            # Not only when the layout comes to it: Tab may be pressed before.
            field.show()
            self._fields[name] = field
            self._of_before |= {field} if field.text() else set()
        before: QWidget = self.filter
        for field in self._fields.values():
            self.setTabOrder(before, field)
            before = field

    def _show_preview(self) -> None:
        message = self._chosen()
        text = message.fill(self._shown_values()) if message else ""
        self._preview.setText(text or self.tr("No message fits."))
        words = self.tr("Send message {0}: {1}").format(message.number, text) if message else self.tr("Send message")
        room = self.width() - 24
        self._send.setText(self._send.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room))
        self._send.setAccessibleName(words)
        self._send.setEnabled(self.ready)
        self.choice_changed.emit()

    def _shown_values(self) -> dict[str, str]:
        return {name: field.text().strip() or "…" for name, field in self._fields.items()} or self._dots()

    def _dots(self) -> dict[str, str]:
        message = self._chosen()
        return dict.fromkeys(message.blanks, "…") if message else {}

    def _on_focus(self, at: QObject, reason: Qt.FocusReason) -> None:
        """A hand that comes here by mouse wants to choose; a focus that falls here by itself does not."""
        if at in self._of_before:
            self._of_before -= {at}
            self._show_preview()
        elif at is self.filter and not self.picking and reason is Qt.FocusReason.MouseFocusReason:
            self.pick()

    def _on_clicked(self, item: QListWidgetItem) -> None:
        self.pick(self._list.id_at(self._list.row(item)))

    def _is_favourite(self, typed: str, watched: QObject) -> bool:
        """Whether the key was that of a favourite, which leaves then, or asks for its first blank."""
        message = self._messages.favourites.get(typed) if typed else None
        if message is None or watched is not self.filter or self.filter.text() or not self.picking:
            return False
        self.preselect(message.id)
        if message.blanks:
            self._fields[message.blanks[0]].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self._go_on()
        return True

    def _on_key(self, key: Qt.Key, watched: QObject) -> bool:
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go_on()
        elif key == Qt.Key.Key_Escape:
            self.close_picker()
        elif key == Qt.Key.Key_Tab and self.picking:
            # Behind the last blank comes the first: nobody leaves the messages by a Tab too many.
            around = [self.filter, *self._fields.values()]
            at = around.index(watched) + 1 if watched in around else 0
            around[at % len(around)].setFocus(Qt.FocusReason.TabFocusReason)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and watched is self.filter and self._list.count():
            step = 1 if key == Qt.Key.Key_Down else -1
            self._list.setCurrentRow((self._list.currentRow() + step) % self._list.count())
        else:
            return False
        return True

    def _go_on(self) -> None:
        """Enter: to the first blank that is empty or says what was said before, or send."""
        commit_composition()
        ahead, message = self._field_ahead(), self._chosen()
        if ahead is not None:
            ahead.setFocus(Qt.FocusReason.TabFocusReason)
        elif message is not None:
            self.send_requested.emit(message.id, self._keep_blanks())

    def _field_ahead(self) -> CommandLine | None:
        fields = self._fields.values()
        return next((field for field in fields if field in self._of_before or not field.text().strip()), None)

    def _keep_blanks(self) -> dict[str, str]:
        values = {name: field.text().strip() for name, field in self._fields.items()}
        self._last |= values
        return values
