"""Tables, columns and some values, to put into the statement; the task; the rules to follow."""

from collections.abc import Iterable, Sequence
from html import escape

from PySide6.QtCore import Qt, QUrl, Signal, Slot
from PySide6.QtWidgets import QTextBrowser, QTreeWidget, QTreeWidgetItem, QWidget

from curtain.base.sql_names import sql_literal
from curtain.domain.rules.principles import Principle, RuleBook, Touch, Warned
from curtain.qt.command_text import CommandLine
from curtain.qt.sql_text import EditorSchema
from curtain.qt.style import TIGHT, Look, set_size
from curtain.qt.widgets import column, line_within, named, say
from wizard_app.desk.session.subject.outbox import ScenarioText

_VALUES_SHOWN = 200


class SchemaPanel(QWidget):
    """A tree that can be narrowed by letters; a double click or Return puts the name into the statement."""

    name_chosen = Signal(str)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._schema = EditorSchema()
        words = self.tr("Find a table or a column")
        self._filter = CommandLine(name="schema_filter", spoken=words, placeholder=words)
        self._filter.setClearButtonEnabled(True)
        self._tree = named(QTreeWidget(), "schema", self.tr("Tables, columns and values"))
        self._tree.setHeaderHidden(True)
        self._tree.setFrameShape(QTreeWidget.Shape.NoFrame)
        self._tree.setExpandsOnDoubleClick(False)
        self._empty = line_within(self._tree, look)
        for part in (self._filter, self._tree):
            set_size(part, look.small_pt)
        self.setFocusProxy(self._filter)
        self.setLayout(column(self._filter, self._tree, spacing=TIGHT))
        self._filter.textChanged.connect(self._narrow)
        self._tree.itemActivated.connect(self._on_activated)
        self._tree.itemDoubleClicked.connect(self._on_activated)

    def show_schema(self, schema: EditorSchema) -> None:
        """The tables with their columns and values."""
        self._schema = schema
        self._tree.clear()
        for table, columns in schema.tables.items():
            item = QTreeWidgetItem([table])
            item.addChildren([self._column_item(table, name) for name in columns])
            self._tree.addTopLevelItem(item)
        self._narrow(self._filter.text())

    def _column_item(self, table: str, name: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem([name])
        values = self._schema.values.get((table, name), ())
        for value in values[:_VALUES_SHOWN]:
            child = QTreeWidgetItem([value])
            child.setData(0, Qt.ItemDataRole.UserRole, True)
            item.addChild(child)
        return item

    def _narrow(self, letters: str) -> None:
        low = letters.strip().lower()
        tables = filter(None, map(self._tree.topLevelItem, range(self._tree.topLevelItemCount())))
        shown = [_narrow_table(table, low) for table in tables]
        say(self._empty, self.tr("No table or column has these letters.") if low and not any(shown) else "")

    def _on_activated(self, item: QTreeWidgetItem) -> None:
        name = item.text(0)
        is_value = item.data(0, Qt.ItemDataRole.UserRole)
        self.name_chosen.emit(sql_literal(name) if is_value else name)


def _narrow_table(table: QTreeWidgetItem, low: str) -> bool:
    named = low in table.text(0).lower()
    any_shown = False
    for child in (table.child(at) for at in range(table.childCount())):
        fits = child is not None and low in child.text(0).lower()
        any_shown |= fits
        if child is not None:
            child.setHidden(not (named or fits))
    table.setHidden(not (named or any_shown))
    table.setExpanded(bool(low) and any_shown)
    return named or any_shown


class TaskPanel(QTextBrowser):
    """A text to read; the arrows scroll it."""

    def __init__(self, look: Look, name: str) -> None:
        super().__init__()
        named(self, name, self.tr("The scenario as the subject reads it"))
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setOpenLinks(False)
        set_size(self, look.body_pt)
        self._shown = ""

    def show_task(self, heading: str, task: ScenarioText | None, before: Sequence[str]) -> None:
        """The task with its heading, None if no task is on the subject's screen; and what was said before. Nothing
        moves if it is the same."""
        parts = [heading]
        if task is not None:
            asks = self.tr("The subject states an answer at its end.")
            parts += [task.text, asks if task.asks_answer else self.tr("No answer is asked for at its end.")]
        if before:
            parts.append("\n".join((self.tr("Said before"), *before)))
        text = "\n\n".join(parts)
        if text != self._shown:
            self._shown = text
            words = escape(text).replace(escape(heading), f"<b>{escape(heading)}</b>", 1)
            self.setHtml(f'<p style="white-space: pre-wrap">{words}</p>')


_FEW = 4


class RulesPanel(QTextBrowser):
    """A text to read, written anew when something else is touched. A link unfolds the rules that matter less."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        named(self, "rules", self.tr("Principles of interpretation"))
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._on_link)
        set_size(self, look.small_pt)
        self._look = look
        self.book = RuleBook(None, ())
        self._touched: Sequence[Touch] = ()
        self._warned: Sequence[Warned] = ()
        self._unfolded = False
        self._shown = ""

    def show_rules(self, book: RuleBook, touched: Sequence[Touch], warned: Sequence[Warned]) -> None:
        """The rule-book in the order of what matters now; nothing moves if nothing is different."""
        self.book, self._touched, self._warned = book, touched, warned
        self._write()

    @Slot(QUrl)
    def _on_link(self, _link: QUrl) -> None:
        self._unfolded = not self._unfolded
        self._write()

    def _write(self) -> None:
        few = self._few()
        parts = [self._warning(one) for one in self._warned]
        parts += [self._rule(touch.rule, touch.words) for touch in few]
        parts += [self._fold(len(self.book.rules) - len(few))] if len(few) < len(self.book.rules) else []
        parts += self._rest([touch.rule.id for touch in few]) if self._unfolded else []
        html = "".join(parts)
        if html != self._shown:
            self._shown = html
            self.setHtml(html)

    def _few(self) -> Sequence[Touch]:
        """What words of the query call for; what only columns call for if there is nothing else."""
        return ([touch for touch in self._touched if touch.words] or self._touched)[:_FEW]

    def _rest(self, shown: Sequence[str]) -> list[str]:
        called = [touch for touch in self._touched if touch.rule.id not in shown]
        named = {*shown, *(touch.rule.id for touch in called)}
        others = [rule for rule in self.book.rules if rule.id not in named]
        line = ["<hr>"] if called and others else []
        return [
            *(self._rule(touch.rule, touch.words) for touch in called),
            *line,
            *(self._rule(rule, (), quiet=True) for rule in others),
        ]

    def _fold(self, others: int) -> str:
        show = self.tr("Show the other rules ({0})") if self._few() else self.tr("Show all rules ({0})")
        text = self.tr("Hide them") if self._unfolded else show.format(others)
        return f'<p><a href="fold" style="color:{self._look.accent}">{escape(text)}</a></p>'

    def _warning(self, warned: Warned) -> str:
        return f'<p style="color:{self._look.warning}"><b>{escape(warned.rule)}</b> {escape(warned.sentence)}</p>'

    def _rule(self, rule: Principle, words: Iterable[str], quiet: bool = False) -> str:
        colour = self._look.quiet if quiet else self._look.text
        called = f" <i>{escape(', '.join(words))}</i>" if words else ""
        elsewhere = self.book.other_numbers(rule)
        numbers = escape(f" ({', '.join(elsewhere)})") if elsewhere else ""
        lines = [f"<b>{escape(rule.id)}</b>{numbers}{called}<br>{escape(rule.reading)}"]
        lines += [f"<code>{escape(rule.sql)}</code>"] if rule.sql and not quiet else []
        lines += [escape(rule.outside)] if rule.outside else []
        return f'<p style="color:{colour}">{"<br>".join(lines)}</p>'
