"""Spaces, sizes of text and colours have names: no page holds a value of its own. `test_nothing_cut` has windows."""

import ast
import re
from pathlib import Path

import pytest
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication

from curtain.qt import style

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("curtain", "wizard_app", "subject_app", "companions")
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


PAGES = (
    "companions/score/curtain_score/templates/page.html",
    "companions/experiments/curtain_experiments/report/drawing.py", "curtain/qt/windows/paper.py",
)  # fmt: skip


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_the_colours_and_sizes_of_the_windows(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert set(re.findall(r"#[0-9a-fA-F]{3,6}(?=[;\"])", text)) <= {*vars(style.LIGHT).values(), "#ffffff"}
    points = re.findall(r"font(?:-size)?: ([\d.]+)(px|pt)", text)
    assert {float(size) / (1 if unit == "px" else 0.75) for size, unit in points} <= set(style.SIZES)


def test_the_search_finds_numbers_and_local_style_sheets() -> None:
    source = "row(a, spacing={})\nlayout.setSpacing({})\nset_size(self, {})\nself.setStyleSheet('x')"
    assert (literals(source.format(7, 3, 12)), literals(source.format("GAP", "0", "pt"))) == ([1, 2, 3, 4], [4])


@pytest.mark.parametrize("room", ROOMS)
def test_no_page_holds_a_colour(room: str) -> None:
    """But for plots on paper."""
    named = {"style.py", "drawing.py", "test_drawing.py"}
    paths = [path for path in sorted((ROOT / room).rglob("*.py")) if path.name not in named]
    written = re.compile(r"""["']#[0-9a-fA-F]{3,8}["']|QColor\(\d|GlobalColor\.(?!transparent)""")
    assert [path.name for path in paths if written.search(path.read_text("utf-8"))] == []


def test_every_window_has_the_same_typeface_with_figures_of_one_width(qapp: QApplication) -> None:
    style.apply(qapp, "light")
    metrics = QApplication.fontMetrics()
    assert QFontInfo(QApplication.font()).family() == "Inter"
    assert len({metrics.horizontalAdvance(figure * 10) for figure in "0123456789"}) == 1
