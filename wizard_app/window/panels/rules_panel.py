"""The principles of interpretation: what the statement breaks, the few that the query calls for; the rest on demand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from PySide6.QtCore import QUrl, Slot
from PySide6.QtWidgets import QTextBrowser

from curtain.desk.style import Look, set_size
from curtain.domain.rules.principles import Principle, RuleBook, Touch, Warned

_FEW = 4


class RulesPanel(QTextBrowser):
    """A text to read, written anew when something else is touched. A link unfolds the rules that matter less."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("rules")
        self.setAccessibleName(self.tr("Principles of interpretation"))
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._on_link)
        set_size(self, look.small_pt)
        self._look = look
        self._book = RuleBook(None, ())
        self._touched: Sequence[Touch] = ()
        self._warned: Sequence[Warned] = ()
        self._unfolded = False
        self._shown = ""

    def show_rules(self, book: RuleBook, touched: Sequence[Touch], warned: Sequence[Warned]) -> None:
        """The rule-book in the order of what matters now; nothing moves if nothing is different."""
        self._book, self._touched, self._warned = book, touched, warned
        self._write()

    @Slot(QUrl)
    def _on_link(self, _link: QUrl) -> None:
        self._unfolded = not self._unfolded
        self._write()

    def _write(self) -> None:
        few = self._few()
        parts = [self._warning(one) for one in self._warned]
        parts += [self._rule(touch.rule, touch.words) for touch in few]
        parts += [self._fold(len(self._book.rules) - len(few))] if len(few) < len(self._book.rules) else []
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
        others = [rule for rule in self._book.rules if rule.id not in named]
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
        elsewhere = self._book.other_numbers(rule)
        numbers = escape(f" ({', '.join(elsewhere)})") if elsewhere else ""
        lines = [f"<b>{escape(rule.id)}</b>{numbers}{called}<br>{escape(rule.reading)}"]
        lines += [f"<code>{escape(rule.sql)}</code>"] if rule.sql and not quiet else []
        lines += [escape(rule.outside)] if rule.outside else []
        return f'<p style="color:{colour}">{"<br>".join(lines)}</p>'
