"""Texts of speakers and packs stand in tooltips as they are."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QTextDocumentFragment

from curtain.qt.style import Look
from curtain.qt.widgets import OneLine, button, plain_tip

ROOT = Path(__file__).resolve().parents[2]


TEXTS = ["<b>bold</b>", "a < b and b > c", "<img src='/etc/passwd'>", "two\nlines <i>", "plain"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_tip_shows_the_text_as_it_stands(text: str) -> None:
    assert QTextDocumentFragment.fromHtml(plain_tip(text)).toPlainText() == text


def test_what_is_no_markup_stays_unchanged_in_the_tip() -> None:
    assert plain_tip("who earns > 500 & more\nnow") == "who earns > 500 & more\nnow"


def test_the_shared_parts_escape_their_tips(qtbot, look: Look) -> None:
    line, press = OneLine("line", look), button("Go", "go", "<b>now</b>")
    qtbot.addWidget(line)
    qtbot.addWidget(press)
    line.setText("<b>now</b>")
    assert "&lt;b&gt;" in line.toolTip()
    assert "&lt;b&gt;" in press.toolTip()


def test_no_window_sets_a_tip_that_may_be_markup() -> None:
    calls = [(path.name, call) for path in sources() for call in tips_of(path)]
    assert [f"{name}:{call.lineno}" for name, call in calls if not is_escaped(call.args[-1])] == []


def sources() -> list[Path]:
    tops = ("curtain", "wizard_app", "subject_app", "companions")
    return [path for top in tops for path in sorted((ROOT / top).rglob("*.py"))]


def tips_of(path: Path) -> Iterator[ast.Call]:
    source = path.read_text("utf-8")
    # Most files have no tip at all, and need not be parsed.
    for node in ast.walk(ast.parse(source)) if "setToolTip" in source else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "setToolTip":
            yield node


def is_escaped(given: ast.expr) -> bool:
    if isinstance(given, ast.IfExp):
        return is_escaped(given.body) and is_escaped(given.orelse)
    if isinstance(given, ast.Constant):
        return True
    return isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "plain_tip"
