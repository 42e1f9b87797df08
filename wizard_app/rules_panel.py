"""The principles of interpretation: first what the statement breaks, then what the query calls for, then all others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from PySide6.QtWidgets import QTextBrowser, QWidget

from curtain.desk.style import Look, set_size
from curtain.domain.principles import Principle, RuleBook, Touch, Warned


class RulesPanel(QTextBrowser):
    """A text to read, written anew when something else is touched."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rules")
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        set_size(self, look.small_pt)
        self._look = look
        self._shown = ""

    def show_rules(self, book: RuleBook, touched: Sequence[Touch], warned: Sequence[Warned]) -> None:
        """The whole rule-book in the order of what matters now; nothing moves if nothing is different."""
        named = {touch.rule.id for touch in touched}
        parts = [self._warned(one) for one in warned]
        parts += [self._rule(touch.rule, touch.words) for touch in touched]
        others = [rule for rule in book.rules if rule.id not in named]
        if parts and others:
            parts.append("<hr>")
        html = "".join([*parts, *(self._rule(rule, (), quiet=bool(parts)) for rule in others)])
        if html != self._shown:
            self._shown = html
            self.setHtml(html)

    def _warned(self, one: Warned) -> str:
        return f'<p style="color:{self._look.warning}"><b>{escape(one.rule)}</b> {escape(one.sentence)}</p>'

    def _rule(self, rule: Principle, words: Iterable[str], quiet: bool = False) -> str:
        colour = self._look.quiet if quiet else self._look.text
        called = f" <i>{escape(', '.join(words))}</i>" if words else ""
        lines = [f"<b>{escape(rule.id)}</b>{called}<br>{escape(rule.reading)}"]
        lines += [f"<code>{escape(rule.sql)}</code>"] if rule.sql and not quiet else []
        lines += [escape(rule.outside)] if rule.outside else []
        return f'<p style="color:{colour}">{"<br>".join(lines)}</p>'
