"""The chart of a report: round numbers, and names that stay text."""

import xml.etree.ElementTree as ElementTree

import pytest

from curtain_experiments.report.drawing import Chart, scale


@pytest.mark.parametrize(
    ("low", "high", "texts"),
    [
        (0, 100, "0 20 40 60 80 100"),
        (-24, 104, "-20 0 20 40 60 80 100"),
        (0, 1, "0 0.2 0.4 0.6 0.8 1"),
        (0, 0.000_03, "0 5e-06 1e-05 1.5e-05 2e-05 2.5e-05 3e-05"),
        (0, 1_234_567, "0 200000 400000 600000 800000 1000000 1200000"),
    ],
)
def test_a_scale_has_round_numbers_within_its_ends(low: float, high: float, texts: str) -> None:
    assert " ".join(text for _, text in scale(low, high)) == texts


def test_any_name_is_text_and_each_mark_lies_within_the_picture() -> None:
    names = ["<b>&", "我想看所有的经理" * 9, "", "naïve “quotes” ' \""]
    chart = Chart((0, 10), (-1, 4), 200, "label", rows=list(enumerate(names)))
    chart.points([(0, -1), (10, 4)], "#000")
    drawing = ElementTree.fromstring(chart.figure("<caption> & “more”").svg)
    assert drawing.get("aria-label") == "<caption> & “more”"
    width, height = float(drawing.get("width", 0)), float(drawing.get("height", 0))
    for mark in drawing.findall(".//{*}circle"):
        assert 0 <= float(mark.get("cx", -1)) <= width and 0 <= float(mark.get("cy", -1)) <= height
    assert "<b>&" in [text.text for text in drawing.findall(".//{*}text")]
