"""Spaces and sizes of text have names: no page holds a number for them."""

import ast
from pathlib import Path

import pytest

from curtain.qt import style

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("curtain", "wizard_app", "subject_app")
SPACES = {"setContentsMargins", "QMargins", "setSpacing", "setHorizontalSpacing", "setVerticalSpacing", "addSpacing"}
SIZES = {"set_size", "sized", "setPointSize", "setPointSizeF", "setPixelSize"}
ARGUMENTS = {"spacing", "margins", "pt"}


def _numbers(*nodes: ast.expr) -> bool:
    parts = [part for node in nodes for part in ast.walk(node)]
    return any(isinstance(part, ast.Constant) and type(part.value) in (int, float) and part.value for part in parts)


def literals(source: str) -> list[int]:
    """The lines in which a number stands for a space or a size."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    lines = []
    for call in calls:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        given = [each.value for each in call.keywords if each.arg in ARGUMENTS]
        given += call.args if name in SPACES else call.args[1:2] if name in SIZES else []
        if _numbers(*given) or name == "setStyleSheet":
            lines.append(call.lineno)
    return lines


@pytest.mark.parametrize("room", ROOMS)
def test_no_page_holds_a_number_for_a_space_or_a_size_of_text(room: str) -> None:
    found = []
    for path in sorted((ROOT / room).rglob("*.py")):
        text = path.read_text("utf-8")
        if "PySide6" in text and path.name != "style.py":
            found += [f"{path.relative_to(ROOT)}:{line}" for line in literals(text)]
    assert found == []


def test_the_search_finds_numbers_and_local_style_sheets() -> None:
    assert literals("row(a, spacing=7)\nlayout.setSpacing(3)\nset_size(self, 12)\nself.setStyleSheet('x')") == [
        1,
        2,
        3,
        4,
    ]
    assert literals("row(a, spacing=GAP)\nlayout.setContentsMargins(0, 0, GAP, 0)\nset_size(self, look.read_pt)") == []


def test_every_space_is_on_the_grid() -> None:
    assert all(space % 4 == 0 for space in (style.TIGHT, style.GAP, style.LOOSE, style.WIDE, style.LONE))
