"""Puts a page of ours on paper: printed, or kept as a PDF, which needs no printer."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path
from unicodedata import category

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QRawFont,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.qt.languages.key_table import KeyTable
from curtain.qt.windows.dialog import FileDialog

_MARGINS_MM = QMarginsF(18, 18, 18, 18)
_DPI = 96
_FOOT = 40
_IN_PLACE = re.compile(r'<img[^>]* src="data:image/svg\+xml;base64,([^"]+)"[^>]*>')
_NO_LINE = re.compile(r'(<path id="[^"]*")(?! d=)')
_SHARPER = 3
_WIDEST = 640
_MOST_LETTERS = 12
# Every font has these and what is before them.
_LATIN = "\u024f"
# Variation selectors: they choose a shape and have none.
_SHAPES = frozenset(map(chr, range(0xFE00, 0xFE10)))
# Qt knows no variables, and a heading that must not break makes a table wider than a sheet.
_STYLE = """
body, h4 { font-size: 10.5pt; } h1 { font-size: 19.5pt; } h2 { font-size: 15pt; } h3 { font-size: 12pt; }
th, td { padding: 1px 8px 1px 0; text-align: right; font-size: 9pt; } td { white-space: nowrap; }
th.label, td.text { text-align: left; } td.text { white-space: normal; }
th { color: #5a6170; } figcaption, .method, .source { color: #5a6170; font-size: 9pt; } a { color: #171a20; }
"""


def keys_page(title: str, table: KeyTable) -> str:
    """All keys of a window as HTML, by what they are for."""
    return _page(title, [(group, "".join(
        f"<tr><td width=150><b>{escape(key)}</b></td><td>{escape(does)}</td></tr>" for key, does in steps
    )) for group, steps in table.groups])  # fmt: skip


def tasks_page(title: str, tasks: Sequence[tuple[str, str]]) -> str:
    """A page for each task, its title and its text, as HTML."""
    sheets = (
        f'<h1 style="page-break-before: {"always" if number else "auto"}">{escape(name)}</h1>'
        f'<p style="font-size: 15pt; white-space: pre-wrap">{escape(text)}</p>'
        for number, (name, text) in enumerate(tasks)
    )
    return f"<html><head><title>{escape(title)}</title></head><body>{''.join(sheets)}</body></html>"


def consent_page(words: Mapping[str, str], allowed: Sequence[str], study: str) -> str:
    """The form that a subject signs, as HTML: `words` in their language, `allowed` what they may tick."""
    parts = (name for name in ("about", "kept", "months", "free", "withdraw") if name in words)
    before = "".join(f"<p>{escape(words[name])}</p>" for name in parts)
    boxes = "".join(f"<tr><td width=24>☐</td><td>{escape(one)}</td></tr>" for one in allowed)
    asked = ("contact", "number", "name", "signed")
    lines = "".join(f"<p>{escape(words[name])}:<br><br>{'_' * 60}</p>" for name in asked)
    beside = f"<p>{escape(words['beside'])}</p><table cellpadding=4>{boxes}</table>" if boxes else ""
    title = escape(words["title"])
    return (
        f'<html><head><title>{title}</title></head><body style="font-size: 10.5pt"><h2>{title}</h2>'
        f"<p>{escape(study)}</p>{before}<p><b>{escape(words['agree'])}</b></p>{beside}{lines}</body></html>"
    )


def save_pdf(page: str, path: Path) -> str:
    """Write HTML as a PDF of A4 pages, upright or across, as wide as the page asks; its `missing_letters`. Raises
    CurtainError, and the file is as it was."""
    # In memory: Qt itself is silent about a disk that takes no file, or half of one.
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    missing = _draw(page, QPdfWriter(buffer))
    with os_errors_as(f"{path} cannot be written", CurtainError, " Make room, or choose another folder."):
        replace_file(path, bytes(buffer.data().data()))
    return missing


def missing_letters(text: str) -> str:
    """The letters and signs that no font of this computer has, each once: on paper they are blanks or boxes."""
    lost = [one for one in dict.fromkeys(text) if one > _LATIN and category(one)[0] in "LMNPS" and one not in _SHAPES]
    for family in QFontDatabase.families():
        if not lost:
            break
        font = QRawFont.fromFont(QFont(family))
        lost = [one for one in lost if not font.supportsCharacter(ord(one))]
    return "".join(lost)


def _draw(page: str, paper: QPdfWriter) -> str:
    paper.setResolution(_DPI)
    document = _document(page, paper)
    paper.setTitle(document.metaInformation(QTextDocument.MetaInformation.DocumentTitle))
    layout = paper.pageLayout()
    for orientation in (QPageLayout.Orientation.Portrait, QPageLayout.Orientation.Landscape):
        layout = QPageLayout(QPageSize(QPageSize.PageSizeId.A4), orientation, _MARGINS_MM, QPageLayout.Unit.Millimeter)
        document.setTextWidth(layout.paintRectPixels(_DPI).width())
        if document.size().width() <= document.textWidth():
            break
    paper.setPageLayout(layout)
    sheet = QSizeF(layout.paintRectPixels(_DPI).size())
    # What is wider than a sheet is drawn smaller, not cut.
    scale = max(1.0, document.size().width() / sheet.width())
    document.setPageSize(sheet * scale)
    keep_headings(document)
    pages = document.pageCount()
    painter = QPainter(paper)
    for number in range(pages):
        if number:
            paper.newPage()
        shown = QRectF(QPointF(0, number * document.pageSize().height()), document.pageSize())
        painter.save()
        painter.scale(1 / scale, 1 / scale)
        painter.translate(-shown.topLeft())
        document.drawContents(painter, shown)
        painter.restore()
        if pages > 1:
            foot = QRectF(0, sheet.height(), sheet.width(), _FOOT)
            corner = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
            painter.drawText(foot, corner, f"{number + 1} / {pages}")
    painter.end()
    return missing_letters(document.toPlainText())


def keep_headings(document: QTextDocument) -> None:
    """Begin a page before each heading whose text or table would begin on the next one. Qt knows no such rule."""
    first: QTextBlock | None = None
    block = document.begin()
    while block.isValid():
        if block.blockFormat().headingLevel():
            first = first or block
        elif block.text() and first is not None:
            if _page_of(document, first) != _page_of(document, block):
                layout = first.blockFormat()
                layout.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
                QTextCursor(first).setBlockFormat(layout)
            first = None
        block = block.next()


def _page_of(document: QTextDocument, block: QTextBlock) -> int:
    return int(document.documentLayout().blockBoundingRect(block).top() // document.pageSize().height())


def _document(page: str, paper: QPdfWriter) -> QTextDocument:
    """The page as Qt can set it: a style sheet of its own, folded parts open, drawings as pictures."""
    document = QTextDocument()
    document.setDocumentMargin(0)
    document.documentLayout().setPaintDevice(paper)
    pictures: list[str] = []

    def picture(drawing: re.Match[str]) -> str:
        # A blank is a letter without a line, which Qt takes for a fault.
        renderer = QSvgRenderer(_NO_LINE.sub(r'\1 d="M0 0"', drawing[0]).encode())
        size = renderer.defaultSize()
        image = QImage(size * _SHARPER, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        pictures.append(f"drawing-{len(pictures)}")
        document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(pictures[-1]), image)
        wide = min(size.width(), _WIDEST)
        return f'<br><img src="{pictures[-1]}" width="{wide}" height="{wide * size.height() // size.width()}"><br>'

    page = _IN_PLACE.sub(lambda image: b64decode(image[1]).decode(), page)
    page = re.sub(r"<svg.*?</svg>", picture, page, flags=re.DOTALL)
    page = re.sub(r"<style>.*?</style>", f"<style>{_STYLE}</style>", page, flags=re.DOTALL)
    for old, new in (("summary", "h3"), ("caption", "h4")):
        page = re.sub(rf"(</?){old}\b", rf"\1{new}", page)
    document.setHtml(page)
    return document


def ask_pdf(
    page: str, name: str, parent: QWidget, report: Callable[[str], object], announce: Callable[[str], object]
) -> None:
    """Ask where, save it there and `announce` it, or `report` a fault. Whoever wants paper prints the PDF."""

    def save(path: str) -> None:
        try:
            missing = save_pdf(page, Path(path))
        except CurtainError as fault:
            report(str(fault))
            return
        if missing:
            no_font = parent.tr("The PDF is {0}, but no font of this computer has {1}. Install one, and save it again.")
            report(no_font.format(path, " ".join(missing[:_MOST_LETTERS])))
        else:
            announce(parent.tr("The PDF is {0}.").format(path))

    dialog = FileDialog(parent, parent.tr("Save as PDF"), name, "PDF (*.pdf)", pick="save")
    dialog.setDefaultSuffix("pdf")
    dialog.fileSelected.connect(save)
    dialog.open()


def _page(title: str, groups: Sequence[tuple[str, str]]) -> str:
    tables = (f"<h3>{escape(group)}</h3><table cellpadding=2>{rows}</table>" for group, rows in groups)
    name = escape(title)
    return f"<html><head><title>{name}</title></head><body><h2>{name}</h2>{''.join(tables)}</body></html>"
