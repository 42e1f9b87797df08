"""All actions in one list with a search field, a form for each command, and what a command says before it does it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFontDatabase, QKeyEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QLayout,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from curtain.base.table import Table
from curtain.qt.command_text import CommandLine
from curtain.qt.languages.translation import PARTS, sentence_here, translate
from curtain.qt.style import Look, sized
from curtain.qt.widgets import label, named, open_outside, plain_tip, row, text_to_read
from curtain.qt.windows.dialog import TitledDialog
from curtain_home.control.actions import Action, OpenNow, missing_in
from curtain_home.control.commands import Activity
from curtain_home.control.week import SOUGHT, WEEK
from curtain_home.pages.dialogs import FormDialog
from curtain_home.pages.field_sheet import FieldSheet, help_here, label_here

_COMMAND = int(Qt.ItemDataRole.UserRole)


class ActionsDialog(TitledDialog):
    """Type to narrow the list, arrows choose, Enter or a double click opens the action's form."""

    chosen = Signal(object)
    is_search = True

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(look, self.tr("All actions"), parent)
        self._actions: Mapping[str, Action] = {}
        # Chosen before it is known what an action takes: its form opens as soon as it is.
        self._waited_for: QTreeWidgetItem | None = None
        self._groups: list[QTreeWidgetItem] = []
        self._items: list[QTreeWidgetItem] = []
        self._search = named(CommandLine(), "action_search", self.tr("Search the actions"))
        self._search.setPlaceholderText(self.tr("Search: words of what you want to do"))
        self._list = named(QTreeWidget(), "actions", self.tr("Actions"))
        self._list.setHeaderHidden(True)
        self._list.setColumnCount(2)
        self._list.setRootIsDecorated(False)
        self._list.header().setStretchLastSection(False)
        self._list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Large letters have fewer rows, or a low screen would cut the buttons off.
        line = self._list.fontMetrics().lineSpacing()
        self._list.setMinimumSize(min(look.px(700), self.room), max(9 * line, min(14 * line, 300)))
        self._list_week()
        reading = self.tr("What each action does is being read.")
        self._notice = label(reading, look, small=True, name="notice", wraps=True)
        # The longest sentence: the list must not move while somebody goes through it.
        self._notice.setMinimumHeight(2 * self._notice.fontMetrics().lineSpacing())
        self._search.textChanged.connect(self._narrow)
        self._search.installEventFilter(self)
        self._list.itemActivated.connect(lambda item: self._choose(item))
        self._list.currentItemChanged.connect(lambda now, _: self._on_current(now))
        self.fill(self._search, self._list, self._notice,
                  self.buttons(self.tr("Go on …"), "choose_action", self.tr("Go back  (Esc)")))  # fmt: skip
        self.do_button.clicked.disconnect()
        self.do_button.clicked.connect(lambda: self._choose(self._list.currentItem()))
        self._narrow()
        self._search.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_actions(self, actions: Sequence[Action]) -> None:
        """What each action does and takes is known from now on."""
        self._actions = {action.command: action for action in actions}
        for item in self._items:
            item.setToolTip(0, plain_tip(help_here(self._actions[item.data(0, _COMMAND)].help)))
        waited_for = self._waited_for
        self._narrow()
        self._choose(waited_for)

    def _list_week(self) -> None:
        """The actions under the parts of a lab's week, each with its name on the command line in small letters."""
        small = sized(self._list.font(), self.look.small_pt)
        for part, names in WEEK.items():
            group = QTreeWidgetItem(self._list, [translate(PARTS, part)])
            group.setFlags(Qt.ItemFlag.ItemIsEnabled)
            group.setFont(0, sized(self._list.font(), self.look.body_pt, bold=True))
            group.setFirstColumnSpanned(True)
            self._groups.append(group)
            for command, name in names.items():
                item = QTreeWidgetItem(group, [translate(PARTS, name), f"curtain {command}"])
                item.setData(0, _COMMAND, command)
                item.setFont(1, small)
                item.setForeground(1, QColor(self.look.quiet))
                self._items.append(item)
        self._list.expandAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down move in the list while one types."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and watched is self._search:
            if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
                self._list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self._list.currentItem())
                return True
        return super().eventFilter(watched, event)

    def _narrow(self) -> None:
        self._waited_for = None
        words = self._search.text().lower().split()
        for group in self._groups:
            inside = [item for item in self._items if item.parent() is group]
            for item in inside:
                sought = translate(PARTS, SOUGHT.get(item.data(0, _COMMAND), ""))
                text = f"{group.text(0)} {item.text(0)} {item.text(1)} {item.toolTip(0)} {sought}".lower()
                item.setHidden(not all(word in text for word in words))
            group.setHidden(all(item.isHidden() for item in inside))
        left = [item for item in self._items if not item.isHidden()]
        # What is called so comes before what only speaks of it.
        wanted, names = " ".join(words), [item.text(0).lower() for item in left]
        fit = [(wanted in name, all(word in name for word in words)) for name in names]
        first = left[fit.index(max(fit))] if left else None
        if first is not None:
            self._list.setCurrentItem(first)
        self._on_current(first)

    def _on_current(self, item: QTreeWidgetItem | None) -> None:
        action = self._action_of(item)
        self.do_button.setEnabled(action is not None)
        if self._actions:
            self._notice.setText(self.tr("No action has these words.") if action is None else help_here(action.help))

    def _action_of(self, item: QTreeWidgetItem | None) -> Action | None:
        return self._actions.get(item.data(0, _COMMAND)) if item is not None and not item.isHidden() else None

    def _choose(self, item: QTreeWidgetItem | None) -> None:
        if (action := self._action_of(item)) is not None:
            self.accept()
            self.chosen.emit(action)
        elif not self._actions:
            self._waited_for = item


class CommandForm(FormDialog):
    """What a command takes, filled in as far as it is clear; the rest of its choices are shown on demand."""

    def __init__(self, look: Look, action: Action, around: OpenNow, parent: QWidget) -> None:
        super().__init__(look, translate(PARTS, action.title), parent=parent, name="do_action",
                         do=self.tr("Look what it would do …") if action.asks_first else self.tr("Do it"))  # fmt: skip
        self._action = action
        given = around.filled_in(action)
        always = ("", "--by")
        self._shown = [
            field.name for field in action.asked if field.required or given.get(field.name) or field.option in always
        ]
        self._sheet = FieldSheet(action.asked, given, look)
        self._sheet.edited.connect(self.look_again)
        self._more = named(QPushButton(autoDefault=True), "more_choices")
        self._more.setCheckable(True)
        rest = len(action.asked) - len(self._shown)
        self._more.setText(self.tr("1 more choice") if rest == 1 else self.tr("{0} more choices").format(rest))
        self._more.setVisible(rest > 0)
        self._more.toggled.connect(self._on_more)
        about = label(help_here(action.help), look, wraps=True)
        command = label(action.call, look, small=True, quiet=True)
        self._sheet.show_rows(self._shown)
        first = self._sheet.first_empty(self._shown)
        self.finish(self._missing, first, command, about, self._sheet, row(self._more, 1))
        if all(self._sheet.values[name] for name in self._shown):
            # Enter does it at once; in a field of several lines it would begin a line.
            self.do_button.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def wish(self) -> object:
        """The values by field."""
        return self._sheet.values

    def _missing(self) -> str:
        missing = missing_in(self._action, self._sheet.values)
        if missing is None:
            return ""
        return self.tr("“{0}” is missing: {1}").format(label_here(missing), help_here(missing.help))

    def _on_more(self, all_of_them: bool) -> None:
        self._sheet.show_rows([one.name for one in self._action.asked] if all_of_them else self._shown)
        self.fit()
        if all_of_them:
            more = [one.name for one in self._action.asked if one.name not in self._shown]
            self._sheet.first_empty(more).setFocus(Qt.FocusReason.OtherFocusReason)


class TableView(QTableWidget):
    """A table that a command gave."""

    def __init__(self, table: Table, look: Look) -> None:
        super().__init__(len(table.rows), len(table.headings))
        named(self, "table", self.tr("Result"))
        self.setEditTriggers(self.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.setFont(sized(self.font(), look.small_pt))
        for at, (heading, to_the_right) in enumerate(zip(table.headings, table.numeric, strict=True)):
            side = Qt.AlignmentFlag.AlignRight if to_the_right else Qt.AlignmentFlag.AlignLeft
            for line, cells in enumerate((table.headings, *table.rows)):
                item = QTableWidgetItem(heading if not line else cells[at])
                item.setTextAlignment(side | Qt.AlignmentFlag.AlignVCenter)
                self.setHorizontalHeaderItem(at, item) if not line else self.setItem(line - 1, at, item)
        self.resizeColumnsToContents()


class ReadDialog(TitledDialog):
    """All that a command printed, in a window of its own."""

    def __init__(self, look: Look, done: Activity, parent: QWidget) -> None:
        super().__init__(look, translate(PARTS, done.plan.title), parent)
        self._done = done
        text = text_to_read("printed", self.tr("What the command printed"), look)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        text.setFont(sized(fixed, look.small_pt))
        text.setPlainText("\n".join(done.lines))
        size = min(look.px(760), self.room), 320 if not done.tables else 120
        text.setMinimumSize(*size)
        if any("───" in line for line in done.lines):
            # The columns of a table stand below each other only where no line is broken.
            text.setLineWrapMode(text.LineWrapMode.NoWrap)
            widest = max(map(text.fontMetrics().horizontalAdvance, done.lines))
            around = text.verticalScrollBar().sizeHint().width() + 2 * round(text.document().documentMargin())
            text.setMinimumWidth(min(max(size[0], widest + around + 2 * text.frameWidth()), self.room))
        text.setVisible(bool(done.lines))
        tables = [TableView(table, look) for table in done.tables]
        for table in tables:
            table.setMinimumSize(size[0], 240)
        self._outcome = label(sentence_here(done.question or done.sentence), look, name="printed_sentence", wraps=True)
        self.fill(*tables, text, self._outcome, self._answers())

    def _answers(self) -> QWidget | QLayout:
        close = named(QPushButton(self.tr("Close  (Esc)"), default=True), "close_printed")
        close.clicked.connect(self.reject)
        made = self._done.result.made
        show = named(QPushButton(self.tr("Go to the result"), autoDefault=True), "open_made")
        show.clicked.connect(lambda: open_outside(Path(made[-1]), self._outcome.setText))
        show.setVisible(bool(made))
        return row(1, show, close)


class AgreeDialog(ReadDialog):
    """What a command would do, and the question whether it may; accepted means yes."""

    def _answers(self) -> QWidget | QLayout:
        return self.buttons(self.tr("Yes, do it"), "agreed", self.tr("No, change nothing  (Esc)"), default=False)
