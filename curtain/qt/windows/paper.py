"""Pages of ours for paper: a browser shows them, and prints them or keeps them as a PDF."""

from collections.abc import Callable, Mapping, Sequence
from html import escape
from pathlib import Path

from PySide6.QtWidgets import QWidget

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.qt.languages.key_table import KeyTable
from curtain.qt.widgets import open_outside
from curtain.qt.windows.dialog import FileDialog


def keys_page(title: str, table: KeyTable) -> str:
    """All keys of a window as HTML, by what they are for."""
    groups = (f"<h3>{escape(group)}</h3><table cellpadding=2>" + "".join(
        f"<tr><td width=150><b>{escape(key)}</b></td><td>{escape(does)}</td></tr>" for key, does in steps
    ) + "</table>" for group, steps in table.groups)  # fmt: skip
    return _page(title, f"<h2>{escape(title)}</h2>{''.join(groups)}")


def tasks_page(title: str, tasks: Sequence[tuple[str, str]]) -> str:
    """A page for each task, its title and its text, as HTML."""
    return _page(title, "".join(
        f'<h1 style="page-break-before: {"always" if number else "auto"}">{escape(name)}</h1>'
        f'<p style="font-size: 15pt; white-space: pre-wrap">{escape(text)}</p>'
        for number, (name, text) in enumerate(tasks)
    ))  # fmt: skip


def consent_page(words: Mapping[str, str], allowed: Sequence[str], study: str) -> str:
    """The form that a subject signs, as HTML: `words` in their language, `allowed` what they may tick."""
    parts = (name for name in ("about", "kept", "months", "free", "withdraw") if name in words)
    before = "".join(f"<p>{escape(words[name])}</p>" for name in parts)
    boxes = "".join(f"<tr><td width=24>☐</td><td>{escape(one)}</td></tr>" for one in allowed)
    asked = ("contact", "number", "name", "signed")
    lines = "".join(f"<p>{escape(words[name])}:<br><br>{'_' * 60}</p>" for name in asked)
    beside = f"<p>{escape(words['beside'])}</p><table cellpadding=4>{boxes}</table>" if boxes else ""
    heading = f"<h2>{escape(words['title'])}</h2><p>{escape(study)}</p>"
    return _page(words["title"], f"{heading}{before}<p><b>{escape(words['agree'])}</b></p>{beside}{lines}")


def _page(title: str, body: str) -> str:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f'<html><head>{head}</head><body style="font: 10.5pt sans-serif">{body}</body></html>'


def save_page(page: str, path: Path) -> None:
    """Write HTML. Raises CurtainError, and the file is as it was."""
    with os_errors_as(f"{path} cannot be written", CurtainError, " Make room, or choose another folder."):
        replace_file(path, page.encode())


def ask_page(page: str, name: str, parent: QWidget, report: Callable[[str], object]) -> None:
    """Ask where, save it there and open it, or `report` a problem."""

    def save(path: str) -> None:
        try:
            save_page(page, Path(path))
        except CurtainError as error:
            report(str(error))
        else:
            open_outside(Path(path), report)

    dialog = FileDialog(parent, parent.tr("Save to print it"), name, "HTML (*.html)", pick="save")
    dialog.setDefaultSuffix("html")
    dialog.fileSelected.connect(save)
    dialog.open()
