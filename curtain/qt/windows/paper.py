"""Puts a page of ours on paper: printed, or kept as a PDF, which needs no printer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from PySide6.QtCore import QMarginsF
from PySide6.QtGui import QPageLayout, QPageSize, QPdfWriter, QTextDocument
from PySide6.QtWidgets import QWidget

from curtain.base.errors import CurtainError
from curtain.qt.key_table import KeyTable
from curtain.qt.windows.dialog import FileDialog

_MARGINS_MM = QMarginsF(18, 18, 18, 18)


def keys_page(title: str, table: KeyTable) -> str:
    """All keys of a window as HTML, by what they are for."""
    return _page(title, [(group, "".join(
        f"<tr><td width=150><b>{escape(key)}</b></td><td>{escape(does)}</td></tr>" for key, does in steps
    )) for group, steps in table.groups])  # fmt: skip


def tasks_page(title: str, tasks: Sequence[tuple[str, str]]) -> str:
    """A page for each task, its title and its text, as HTML."""
    sheets = (
        f'<div style="page-break-after: {"always" if number < len(tasks) else "auto"}"><h1>{escape(name)}</h1>'
        f'<p style="font-size: 14pt; white-space: pre-wrap">{escape(text)}</p></div>'
        for number, (name, text) in enumerate(tasks, 1)
    )
    return f"<html><head><title>{escape(title)}</title></head><body>{''.join(sheets)}</body></html>"


def save_pdf(page: str, path: Path) -> None:
    """Write HTML as a PDF of A4 pages. Raises CurtainError."""
    document = QTextDocument()
    document.setHtml(page)
    paper = QPdfWriter(str(path))
    paper.setTitle(document.metaInformation(QTextDocument.MetaInformation.DocumentTitle))
    layout = QPageLayout(
        QPageSize(QPageSize.PageSizeId.A4), QPageLayout.Orientation.Portrait, _MARGINS_MM, QPageLayout.Unit.Millimeter
    )
    paper.setPageLayout(layout)
    document.print_(paper)
    del paper
    # Qt itself says nothing where a disk takes no file.
    if not path.is_file() or not path.stat().st_size:
        raise CurtainError(f"{path} cannot be written. Choose another folder.")


def ask_pdf(page: str, name: str, parent: QWidget, report: Callable[[str], object]) -> None:
    """Ask where, save it there and `report` a fault. Whoever wants paper prints the PDF with what the system has."""

    def save(path: str) -> None:
        try:
            save_pdf(page, Path(path))
        except CurtainError as fault:
            report(str(fault))

    dialog = FileDialog(parent, parent.tr("Save as PDF"), name, "PDF (*.pdf)")
    dialog.setFileMode(FileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(FileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("pdf")
    dialog.fileSelected.connect(save)
    dialog.open()


def _page(title: str, groups: Sequence[tuple[str, str]]) -> str:
    tables = (f"<h3>{escape(group)}</h3><table cellpadding=2>{rows}</table>" for group, rows in groups)
    name = escape(title)
    return f"<html><head><title>{name}</title></head><body><h2>{name}</h2>{''.join(tables)}</body></html>"
