"""Colours the words of a statement."""

from __future__ import annotations

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from curtain.desk.sql_text import WordKind, words
from curtain.desk.style import Look


class SqlColours(QSyntaxHighlighter):
    """Keywords stand out, strings and numbers keep their own shade; a block comment may span lines."""

    def __init__(self, document: QTextDocument, look: Look) -> None:
        super().__init__(document)
        self._formats = {
            WordKind.KEYWORD: _format(look.accent, bold=True),
            WordKind.STRING: _format(look.good),
            WordKind.NUMBER: _format(look.warning),
            WordKind.COMMENT: _format(look.quiet),
        }

    def highlightBlock(self, text: str) -> None:
        for start, length, kind in words(text):
            if kind in self._formats:
                self.setFormat(_utf16(text[:start]), _utf16(text[start : start + length]), self._formats[kind])


def _format(colour: str, bold: bool = False) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(QColor(colour))
    if bold:
        made.setFontWeight(QFont.Weight.DemiBold)
    return made


def _utf16(text: str) -> int:
    """Qt counts a letter beyond the basic plane twice."""
    return len(text.encode("utf-16-le")) // 2
