"""A chart as an SVG element that stands inside a page: a scale across, and down it named rows.

Places are those of the data; the chart alone knows pixels. The same marks give the same bytes.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from unicodedata import east_asian_width

from curtain_score.score_page import typeset

INK, FAINT = "#171a20", "#5a6170"
COLOURS = ("#1f5fbf", "#8a5a00")
"""Of two conditions."""
_GRID = "#dfe3e9"
_WIDTH, _FONT, _TOP, _BELOW, _RIGHT = 730, 12, 8, 42, 18
# Letters of system fonts are rather narrower; a name must have room in each of them.
_LETTER, _MOST_LETTERS = 7.0, 40

Place = tuple[float, float]
Ticks = Sequence[tuple[float, str]]


@dataclass(frozen=True)
class Figure:
    """An SVG element, and what it shows in words for those who do not see it."""

    svg: str
    caption: str


def scale(low: float, high: float) -> list[tuple[float, str]]:
    """Round numbers from `low` to `high`, five to ten of them, with their texts; `low` must be below `high`."""
    rough = (high - low) / 8
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= 0.999 * rough)
    numbers = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return [(number * step, f"{number * step:.10g}") for number in numbers]


@dataclass
class Chart:
    """A chart whose marks lie between the ends of `across` (left, right) and `down` (top, bottom).

    `height` is that of the marks in pixels. `rows` name places down the chart.
    """

    across: Place
    down: Place
    height: float
    label: str
    rows: Ticks = ()
    _parts: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        names = [(place, _shortened(name)) for place, name in self.rows]
        self._left = 12 + max((_width(name) for _, name in names), default=0)
        self._bottom = _TOP + self.height
        for place, text in scale(*self.across):
            self.line((place, self.down[0]), (place, self.down[1]), _GRID)
            self._write(self._x(place), self._bottom + 16, text)
        for place, text in names:
            self._write(self._left - 8, self._y(place) + 4, text, anchor="end")
        self._write((self._left + _WIDTH - _RIGHT) / 2, self._bottom + 34, self.label)

    def line(self, start: Place, end: Place, colour: str, width: float = 1) -> None:
        """A straight line, `width` pixels wide."""
        x1, y1, x2, y2 = self._x(start[0]), self._y(start[1]), self._x(end[0]), self._y(end[1])
        ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        self._parts.append(f'<line {ends} stroke="{colour}" stroke-width="{width:g}"/>')

    def points(self, places: Iterable[Place], colour: str) -> None:
        """A mark at each place."""
        for across, down in places:
            place = f'cx="{self._x(across):.1f}" cy="{self._y(down):.1f}" r="4"'
            self._parts.append(f'<circle {place} fill="{colour}" fill-opacity="0.75"/>')

    def text(self, place: Place, text: str, above: float = 0) -> None:
        """A text whose middle is at `place`, or `above` pixels higher."""
        self._write(self._x(place[0]), self._y(place[1]) + 4 - above, text)

    def figure(self, caption: str) -> Figure:
        """The element with all marks so far."""
        height = f"{self._bottom + _BELOW:.0f}"
        opening = (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(caption)}" width="{_WIDTH}" '
            f'height="{height}" viewBox="0 0 {_WIDTH} {height}" font-size="{_FONT}">'
        )
        return Figure("\n".join((opening, *self._parts, "</svg>")), caption)

    def _write(self, x: float, y: float, text: str, *, anchor: str = "middle") -> None:
        if text:
            start = f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{INK}">'
            self._parts.append(f"{start}{escape(typeset(text))}</text>")

    def _x(self, value: float) -> float:
        left, right = self.across
        return self._left + (value - left) / (right - left) * (_WIDTH - _RIGHT - self._left)

    def _y(self, value: float) -> float:
        top, bottom = self.down
        return _TOP + (value - top) / (bottom - top) * self.height


def _width(text: str) -> float:
    return _LETTER * sum(1.9 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _shortened(name: str) -> str:
    return name if len(name) <= _MOST_LETTERS else f"{name[: _MOST_LETTERS - 1]}…"
