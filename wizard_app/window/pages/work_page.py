"""The page of a running session: left what happened, middle what to do now, right what may help."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QMargins, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QLayout, QSizePolicy, QSplitter, QWidget

from curtain.domain.rules.principles import RuleBook, Touch, Warned
from curtain.domain.wire import Result
from curtain.qt.command_text import SearchLine
from curtain.qt.style import GAP, PANEL, ROOMY, TIGHT, Look, set_size
from curtain.qt.widgets import Scrolling, box, column, label, line_within, say
from wizard_app.desk.desk_view import DeskView, WizardState
from wizard_app.desk.turn.answer import table_of
from wizard_app.desk.turn.offered_text import OfferedText
from wizard_app.desk.turn.turn_rows import TurnRow, found_rows
from wizard_app.window.messages.panel import MessagePanel
from wizard_app.window.panels.answers_panel import AnswersPanel
from wizard_app.window.panels.listen_panel import ListenPanel
from wizard_app.window.panels.query_panel import QueryPanel
from wizard_app.window.panels.result_panel import ResultPanel
from wizard_app.window.panels.schema_panel import RulesPanel, SchemaPanel, TaskPanel
from wizard_app.window.panels.side_panel import SidePanel
from wizard_app.window.panels.sql_panel import SqlPanel
from wizard_app.window.panels.turn_list import TurnList

_NARROW, _LARGE = 1180, 1000
_LOW, _LOWEST = 600, 420
_BOTH = 645
_LEFT, _RIGHT = 170, 250
_SAID = 5


class WorkPage(QWidget):
    """Puts the panels in their places, and shows a `DeskView` on them.

    Borders can be dragged. Where the window is small, or its letters are large, there gives way in this order: the
    right column, which folds; rows of result, drafts and query, by their layouts; then, while the cursor is elsewhere,
    the list of turns, and the statement beside an open right column. A low window has statement and result side by
    side. Where what stands above them is still too high, it scrolls."""

    def __init__(self, look: Look, drafts: QWidget | None = None, operator: QWidget | None = None) -> None:
        super().__init__()
        self.look, self._scale = look, look.scale
        self.turns = TurnList(look)
        self.search = SearchLine(
            name="turn_search", placeholder=self.tr("Find a turn"), spoken=self.tr("Find a turn by query or SQL")
        )
        self.search.setClearButtonEnabled(True)
        self._no_turn = line_within(self.turns, look)
        set_size(self.search, look.small_pt)
        self.details = label("", look, "turn_details", small=True, quiet=True, within=True)
        self.scenario = label("", look, "scenario_line", small=True, within=True)
        self.listen = ListenPanel(look)
        self.query = QueryPanel(look)
        self.drafts, self.operator = drafts or QWidget(), operator or QWidget()
        self.sql = SqlPanel(look)
        self.result = ResultPanel(look)
        self.messages = MessagePanel(look)
        self.schema = SchemaPanel(look)
        self.task, self.calm = TaskPanel(look, "task"), TaskPanel(look, "calm")
        self.rules = RulesPanel(look)
        self.answers = AnswersPanel(look)
        self.side = SidePanel(look)
        self.columns = QSplitter(Qt.Orientation.Horizontal)
        self.work = _Work(Qt.Orientation.Vertical)
        # Whether a hand folded the right column; None if the width of the window decides.
        self.folded_by_hand: bool | None = None
        self._view: DeskView | None = None
        self.showing = False
        """A view is being shown: what the fields report now was typed by nobody."""
        self.search.textChanged.connect(self._show_turns)
        self._lay_out()
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._show_cursor)

    def show_view(self, view: DeskView) -> None:
        """Everything on this page. What is as before is not touched, so that cursor, marks and places stay."""
        before, self._view = self._view, view
        # Words that go shows the page once more before this is over.
        within, self.showing = self.showing, True
        if before is None or view.typed_on != before.typed_on:
            self.query.field.show_offer(OfferedText())
        if before is None or (view.work, view.coming) != (before.work, before.coming) or self._is_put_in(view, before):
            self.query.show_turn(view.fields.query, view.typed_on is not None)
            self.sql.show_turn(view.fields.sql, view.work[0] is not None)
            self._show_no_result()
            before = replace(before or DeskView(), good=None)
        if view.placeholder != before.placeholder:
            self.query.show_placeholder(view.placeholder)
        self.query.show_sent(view.sent, by_subject=view.turn is not None and view.turn.typed is not None)
        self.sql.show_yes_no(view.turn is not None and view.fields.yes_no)
        if (view.sql, view.run) != (before.sql, before.run):
            self.sql.show_run(view.sql, view.run)
        if view.problem_at != before.problem_at:
            self.sql.show_problem(view.problem_at)
        self._show_result(view, before)
        self.result.show_failure(view.failure, view.failed)
        # What can be sent comes first; the strip still takes the last reply back.
        if view.take_back and not view.send:
            self.result.send.show_take_back(view.take_back, view.take_back_s, view.grace_s)
        else:
            self.result.send.show_send(view.send)
        self.showing = within
        self._show_turns()
        say(self.details, view.details)
        self._show_account()
        self._show_calm(view)

    @Slot()
    def _show_turns(self) -> None:
        """The turns that hold the words in the search field; all where it is empty."""
        if self._view is not None:
            rows = found_rows(self._view.rows, self._view.progress, self.search.text())
            self.turns.show_rows(rows)
            say(self._no_turn, self.tr("No turn has these words.") if self._view.rows and not rows else "")

    def _show_account(self) -> None:
        if self._view is not None:
            task = "" if self._turns_column.isHidden() else self._view.task_heading
            say(self.scenario, "\n".join(filter(None, (task, self._view.account))))

    def show_rules(self, book: RuleBook, touched: list[Touch], warned: list[Warned]) -> None:
        """The rules that query and statement touch, and those that the statement breaks."""
        called = sum(bool(touch.words) for touch in touched)
        title = self.tr("Rules ({0})").format(called) if called else self.tr("Rules")
        self.side.offer(self.rules, title, bool(book.rules))
        self.rules.show_rules(book, touched, warned)
        self.sql.show_warnings([f"{one.rule}: {one.sentence}" for one in warned])

    def _show_calm(self, view: DeskView) -> None:
        """While nothing waits and no reply can be taken back: the scenario and what was said in it, without tools."""
        rows = (row for row in view.rows if isinstance(row, TurnRow) and row.task == view.scenario)
        earlier = [f"{row.number}  {row.text}" for row in rows if row.text][-_SAID:]
        for panel in (self.task, self.calm):
            panel.show_task(view.task_heading, view.task, earlier)
        calm = view.state in (WizardState.IDLE, WizardState.WAITING) and view.coming is None and not view.take_back
        self._quiet.setVisible(calm)
        for tool in (self.drafts, self._tools):
            tool.setHidden(calm)

    def _show_no_result(self) -> None:
        self.result.show_nothing()
        self.answers.show_nothing()
        self.side.mark(self.answers, "")

    def _is_put_in(self, view: DeskView, before: DeskView) -> bool:
        """Another hand than the one at this desk has changed what the fields hold."""
        texts = view.fields.query, view.fields.sql
        held = self.query.field.toPlainText(), self.sql.editor.toPlainText()
        return texts != (before.fields.query, before.fields.sql) and texts != held

    def _show_result(self, view: DeskView, before: DeskView) -> None:
        if view.good is None or view.answers is None:
            if before.good is not None:
                self._show_no_result()
            return
        if before.good is None or not _same_table(view.good, before.good):
            result = view.good
            self.result.show_result(table_of(result), view.table, view.table_problem, result.codes)
        if before.good is None or view.answers != before.answers:
            self.answers.show_answers(view.answers)
            self.side.mark(self.answers, self.answers.warning)
        self.result.show_stale(not view.fresh)

    @property
    def splitters(self) -> dict[str, QSplitter]:
        """The borders that can be dragged, by name."""
        return {"columns": self.columns, "work": self.work}

    @property
    def right_shown(self) -> bool:
        """Whether the right column is unfolded."""
        return not self.side.isHidden()

    def fold_right(self, folded: bool) -> None:
        """Hide or show the right column, and remember that a hand did it."""
        self.folded_by_hand = folded
        self._fold(folded)

    def unfold(self) -> None:
        """Unfold the right column; the wizard's own choice is not changed."""
        if not self.right_shown:
            self._fold(False)

    def fold_again(self) -> None:
        """After something in it was used, as it was before."""
        self._fold(self.folded_by_hand if self.folded_by_hand is not None else self._is_narrow)

    def follow_size(self) -> None:
        """Fold what has no room in a window of this size."""
        self._turns_column.setMinimumWidth(self.look.px(_LEFT))
        self.sql.follow_room(2 if self._is_as_low_as(_LOW) else 3)
        # What has the cursor never goes away.
        if self.folded_by_hand is None and not self.messages.picking and not self.side.has_cursor:
            self._fold(self._is_narrow)
        self._give_way()
        self._arrange()

    def bring(self, widget: QWidget) -> None:
        """Unfold what gave way, if this is a part of it: the cursor is about to go there."""
        for each in (self._turns_column, self.sql):
            each.setHidden(each.isHidden() and not each.isAncestorOf(widget))

    def _is_as_low_as(self, height: int) -> bool:
        return self.window().height() < self.look.px(height)

    @property
    def _is_narrow(self) -> bool:
        return self.width() < max(_NARROW, self.look.px(_LARGE))

    @Slot()
    def _give_way(self) -> None:
        least = self._area.minimumSizeHint().width() + self.look.px(_LEFT) + self.look.px(_RIGHT) + 4 * GAP
        lowest, now = self._is_as_low_as(_LOWEST), QApplication.focusWidget()
        self.sql.setHidden(lowest and self.right_shown and not (now is not None and self.sql.isAncestorOf(now)))
        small = lowest or (self.right_shown and self.width() < least)
        folded = small and not (now is not None and self._turns_column.isAncestorOf(now))
        if folded == self._turns_column.isHidden():
            return
        self._turns_column.setHidden(folded)
        # What is wrong stays in sight.
        rows = (self._middle if folded else self._turns_column).layout()
        assert isinstance(rows, QBoxLayout)
        rows.insertWidget(0, self.scenario)
        self._show_account()

    def event(self, event: QEvent) -> bool:
        """Another size of the window or of its letters."""
        done = super().event(event)
        if event.type() is QEvent.Type.FontChange:
            self.columns.setSizes([round(size * self.look.scale / self._scale) for size in self.columns.sizes()])
            self._scale = self.look.scale
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            self.follow_size()
        return done

    @Slot()
    def _arrange(self) -> None:
        """Statement and result side by side where the window is low and the middle is wide enough for both."""
        alone = self._turns_column.isHidden() and not self.right_shown
        beside = self._is_as_low_as(_LOW) and (alone or self._area.width() >= self.look.px(_BOTH))
        wanted = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if self.work.orientation() is not wanted:
            self.work.setOrientation(wanted)
            self.work.setStretchFactor(0, int(beside))
            self.work.setSizes([1, 1] if beside else [1, 3000])

    def _fold(self, folded: bool) -> None:
        self.side.setVisible(not folded)
        self._give_way()
        if not folded and self.columns.sizes()[2] == 0:
            left, _, _ = self.columns.sizes()
            right = self.look.px(_RIGHT)
            self.columns.setSizes([left, max(400, self.columns.width() - left - right), right])

    def _lay_out(self) -> None:
        self.details.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details.setMinimumHeight(5 * self.details.fontMetrics().lineSpacing())
        self._turns_column = self._left()
        self.columns.addWidget(self._turns_column)
        self.columns.addWidget(self._middle_column())
        self._fill_side()
        self.columns.addWidget(self.side)
        for at, stretch in enumerate((0, 1, 0)):
            self.columns.setStretchFactor(at, stretch)
            self.columns.setCollapsible(at, False)
        self.columns.setSizes([self.look.px(210), 730, self.look.px(340)])
        self.columns.setChildrenCollapsible(False)
        layout = column(self.columns)
        # Whoever is too wide folds, and does not widen the window.
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.setLayout(layout)

    def _left(self) -> QWidget:
        left = box(column(self.scenario, (self.turns, 1), self.details, self.search, margins=PANEL))
        left.setAutoFillBackground(True)
        left.setBackgroundRole(QPalette.ColorRole.Base)
        return left

    def _middle_column(self) -> QWidget:
        self.work.addWidget(self.sql)
        self.work.addWidget(self.result)
        # The answer gets what the statement leaves.
        self.work.setSizes([1, 3000])
        self.work.setStretchFactor(1, 1)
        self.work.setChildrenCollapsible(False)
        above = self.operator, self.listen, self.query, self.drafts
        self._middle = box(column(*above, margins=QMargins(ROOMY, TIGHT, ROOMY, 0), spacing=GAP))
        self._area = _Middle(self._middle)
        self._area.resized.connect(self._arrange)
        # What is reported above it must not push what is being written out of sight.
        self._area.verticalScrollBar().rangeChanged.connect(self._show_cursor)
        self._tools = box(column(self.work, margins=QMargins(ROOMY, 0, ROOMY, TIGHT)))
        self._quiet = box(column(self.calm, margins=QMargins(ROOMY, 0, ROOMY, GAP)))
        self._quiet.hide()
        return box(column(self._area, (self._tools, 1), (self._quiet, 1), spacing=GAP))

    @Slot()
    def _show_cursor(self) -> None:
        self._give_way()
        # Keys go straight to a field; Qt itself scrolls to it for Tab alone.
        now = QApplication.focusWidget()
        if now is not None and self._middle.isAncestorOf(now):
            if self.query.isAncestorOf(now):
                # What is transcribed is listened to above it.
                self._area.ensureWidgetVisible(self.listen)
            # Of a text field, Qt brings the line of the cursor alone into sight: first the whole, then that line.
            half = now.rect().center()
            centre = now.mapTo(self._middle, half)
            self._area.ensureVisible(centre.x(), centre.y(), half.x(), half.y() + 2)
            self._area.ensureWidgetVisible(now)

    def _fill_side(self) -> None:
        self.side.add(self.messages, "messages", self.tr("Messages"))
        self.side.add(self.schema, "schema", self.tr("Schema"))
        self.side.add(self.task, "task", self.tr("Scenario"))
        self.side.add(self.rules, "rules", self.tr("Rules"))
        self.side.add(self.answers, "answers", self.tr("CAS"))
        self.side.offer(self.rules, "", False)
        self.side.setMinimumWidth(_RIGHT)


def _same_table(result: Result, other: Result) -> bool:
    same = result.rows is other.rows and result.shown is other.shown
    return same and (result.show_fault, result.codes) == (other.show_fault, other.codes)


class _Work(QSplitter):
    """Statement and result: they get what the rest leaves, and never less than they need."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()


class _Middle(Scrolling):
    """As high as its content, if there is room. `resized`: it has another width or height now."""

    resized = Signal()

    def __init__(self, content: QWidget) -> None:
        super().__init__(content)
        self.setObjectName("middle")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def sizeHint(self) -> QSize:
        content = self.widget()
        assert content is not None
        height = content.heightForWidth(self.viewport().width())
        return QSize(content.sizeHint().width(), height if height > 0 else content.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()
