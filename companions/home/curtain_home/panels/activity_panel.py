"""What runs, how far it is, what came of it, and all that ran before: each can be opened again."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QProgressBar, QSizePolicy, QTreeWidget, QTreeWidgetItem, QWidget

from curtain.qt.languages.translation import PARTS, sentence_here, translate
from curtain.qt.style import GAP, LOOSE, PAGE, TIGHT, Look, set_size, set_text_colour
from curtain.qt.widgets import column, heading, label, named, plain_tip, row
from curtain_home.control.commands import Activity
from curtain_home.panels.action_buttons import action_button

_STEPS, _MOST_LINES = 1000, 6
_TASK = int(Qt.ItemDataRole.UserRole)
_JOB, _RESULT, _STUDY, _WIDEST = 1, 2, 3, 170


class ActivityPanel(QWidget):
    """Keeps its height from the first command on, so that nothing jumps when one begins or ends."""

    action_requested = Signal(str)
    task_opened = Signal(object)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._tasks: tuple[Activity, ...] = ()
        self._sentence = label("", look, name="activity_text", wraps=True)
        self._sentence.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._bar = named(QProgressBar(textVisible=False), "progress", self.tr("How far the command is"))
        self._bar.setFixedWidth(180)
        self._cancel = action_button("cancel", self.tr("Stop (X)"))
        self._open = action_button("open_result", self.tr("Go to the result"))
        for button in (self._cancel, self._open):
            button.clicked.connect(partial(self.action_requested.emit, button.objectName()))
        self.tasks = named(QTreeWidget(), "tasks", self.tr("Jobs"))
        self.tasks.setRootIsDecorated(False)
        self.tasks.setUniformRowHeights(True)
        self.tasks.setHeaderLabels([self.tr("State"), self.tr("Job"), self.tr("Result"), self.tr("Study"),
                                    self.tr("Ended (UTC)")])  # fmt: skip
        self.tasks.header().setStretchLastSection(False)
        self.tasks.header().setSectionResizeMode(_RESULT, QHeaderView.ResizeMode.Stretch)
        self.tasks.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tasks.setToolTip(plain_tip(self.tr("Enter or a double click opens what came of a job")))
        self.tasks.itemActivated.connect(lambda item: self.task_opened.emit(item.data(0, _TASK)))
        set_size(self.tasks, look.small_pt)
        line = row(heading(self.tr("Jobs"), look), (self._sentence, 1), self._bar, self._cancel, self._open,
                   spacing=LOOSE)  # fmt: skip
        self.setLayout(column(line, self.tasks, margins=PAGE, spacing=TIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.show_activity(None, (), None)

    def show_activity(self, activity: Activity | None, tasks: tuple[Activity, ...], result: Path | None) -> None:
        """What runs or ran last, and what ran before; `result` is what can be opened now."""
        runs = activity is not None and activity.end is None
        self._bar.setVisible(runs)
        self._cancel.setVisible(runs)
        self._open.setVisible(result is not None)
        # Before the first command the sessions have its room.
        self.tasks.setVisible(bool(tasks))
        self._show_tasks(tasks)
        self._fit()
        if activity is None:
            self._sentence.setText(self.tr("Nothing is running."))
            set_text_colour(self._sentence, self._look.quiet)
            return
        colour = {"good": self._look.good, "bad": self._look.bad, "stopped": self._look.warning}
        set_text_colour(self._sentence, colour.get(activity.end or "", self._look.text))
        waiting = self.tr("  ({0} more waiting)").format(activity.waiting) if activity.waiting else ""
        # What runs is named by its title at first, as in the list.
        begins = runs and activity.sentence == activity.plan.title
        words = translate(PARTS, activity.sentence) if begins else sentence_here(activity.sentence)
        self._sentence.setText(words + waiting)
        self._fit()
        # A range of 0 to 0 moves: something happens, and nobody knows how long.
        self._bar.setRange(0, 0 if activity.share is None else _STEPS)
        self._bar.setValue(round(_STEPS * (activity.share or 0)))

    def say(self, sentence: str) -> None:
        """Something that comes in a moment, until the next is shown."""
        self._sentence.setText(sentence)
        set_text_colour(self._sentence, self._look.text)

    def changeEvent(self, event: QEvent) -> None:
        """Two lines of result and three tasks, at each size of text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            # Behind the change: the parts have their new fonts by then.
            QTimer.singleShot(0, self._fit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window needs more lines."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        needed = self._sentence.heightForWidth(self._sentence.width()) // self._sentence.fontMetrics().lineSpacing()
        header, line = self.tasks.header(), max(self.tasks.sizeHintForRow(0), self.tasks.fontMetrics().lineSpacing())
        # Large letters in a low window leave it fewer lines: the sessions need them, too.
        rows = min(3, max(1, self.window().height() // line // 8))
        lines = 1 if self.tasks.isHidden() else min(max(rows - 1, needed, 1), _MOST_LINES)
        self._sentence.setFixedHeight(lines * self._sentence.fontMetrics().lineSpacing() + 2)
        self.tasks.setFixedHeight(header.sizeHint().height() + rows * line + 2 * self.tasks.frameWidth())
        self._fit_columns()

    def _fit_columns(self) -> None:
        """State and time are never cut. The study goes where the result has no room for its heading beside it, and what
        is too long in a job has its end cut."""
        header, wide = self.tasks.header(), self._look.px(_WIDEST)
        self.tasks.setColumnHidden(_STUDY, False)
        for at in {*range(5)} - {_RESULT}:
            self.tasks.resizeColumnToContents(at)
            most = wide if at in (_JOB, _STUDY) else self.tasks.columnWidth(at)
            self.tasks.setColumnWidth(at, min(self.tasks.columnWidth(at) + GAP, most + GAP))
        result = header.sectionSizeHint(_RESULT) + GAP
        left = self.tasks.viewport().width() - sum(map(self.tasks.columnWidth, {*range(5)} - {_RESULT}))
        if left < result:
            left += self.tasks.columnWidth(_STUDY)
            self.tasks.setColumnHidden(_STUDY, True)
        self.tasks.setColumnWidth(_JOB, self.tasks.columnWidth(_JOB) - max(0, result - left))

    def _show_tasks(self, tasks: tuple[Activity, ...]) -> None:
        if tasks == self._tasks:
            return
        self._tasks = tasks
        words = {"good": self.tr("done"), "bad": self.tr("not done"), "stopped": self.tr("stopped")}
        colours = {"good": self._look.good, "bad": self._look.bad, "stopped": self._look.warning}
        self.tasks.clear()
        for task in tasks:
            end, title = task.end or "stopped", translate(PARTS, task.plan.title)
            ended = task.ended[:16].replace("T", " ")
            result = sentence_here(task.sentence) or self.tr("what it printed is not kept")
            item = QTreeWidgetItem([words[end], title, result, task.study, ended])
            item.setToolTip(_RESULT, plain_tip(item.text(_RESULT)))
            item.setForeground(0, QColor(colours[end]))
            item.setData(0, _TASK, task)
            self.tasks.addTopLevelItem(item)
        self.tasks.setCurrentIndex(self.tasks.model().index(0, 0))
