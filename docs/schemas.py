"""Draws the tables of the bundled packs for docs/domains.md: `python docs/schemas.py`.

Each table stands where PLACES says; an arrow goes from a column to the key that it refers to. Keys are bold.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, Rectangle
from shots import PICTURES, keep

from curtain.domain.pack.keys import ForeignKey
from curtain.domain.pack.pack import Pack, load_pack

WIDTH, LINE, HEAD = 2.5, 0.22, 0.3
INK, LINE_INK, HEAD_FILL, FILL = "#1f2933", "#7b8794", "#1d5fa8", "#f7f9fb"

# Column of the drawing, and the top of the table in lines.
PLACES = {
    "personnel": {
        "division": (0, 1), "department": (0, 7), "employee": (1, 0), "degree": (2, 2),
        "school": (3, 0), "major": (3, 8), "state": (2, 13), "country": (3, 13),
    },
    "atis": {
        "time_zone": (0, 0), "state": (0, 6), "month": (0, 12), "date_day": (0, 17), "days": (0, 24),
        "time_interval": (0, 29), "code_description": (0, 35),
        "city": (1, 0), "airport_service": (1, 8), "ground_service": (1, 16), "airline": (1, 23),
        "dual_carrier": (1, 29),
        "airport": (2, 0), "flight": (2, 11), "flight_leg": (2, 30), "compartment_class": (2, 36),
        "flight_stop": (3, 0), "flight_fare": (3, 15), "fare": (3, 20), "food_service": (3, 33),
        "aircraft": (4, 0), "equipment_sequence": (4, 18), "fare_basis": (4, 23), "class_of_service": (4, 35),
        "restriction": (5, 20),
    },
}  # fmt: skip


def main() -> None:
    for name, places in PLACES.items():
        path = PICTURES / f"schema-{name}.png"
        draw(load_pack(name), places, path)
        keep(path, path.stem)


def draw(pack: Pack, places: dict[str, tuple[int, int]], path: Path) -> None:
    """One picture; a table without a place is a fault of this script."""
    assert set(places) == set(pack.tables)
    columns = 1 + max(column for column, _ in places.values())
    lines = max(top + 2 + len(pack.tables[table]) for table, (_, top) in places.items())
    figure, axes = plt.subplots(figsize=(columns * WIDTH * 1.35, lines * LINE + 0.4))
    for table, place in places.items():
        _table(axes, pack, table, place)
    for reference in pack.keys.references:
        _arrow(axes, pack, reference, places)
    axes.set_xlim(-0.3, columns * WIDTH * 1.35)
    axes.set_ylim(-lines * LINE - 0.2, 0.2)
    axes.axis("off")
    figure.savefig(path, dpi=110, bbox_inches="tight", pad_inches=0.1)
    plt.close(figure)


def _left(place: tuple[int, int]) -> float:
    return place[0] * WIDTH * 1.35


def _top(place: tuple[int, int]) -> float:
    return -place[1] * LINE


def _table(axes: Axes, pack: Pack, table: str, place: tuple[int, int]) -> None:
    x, y = _left(place), _top(place)
    names = list(pack.tables[table])
    axes.add_patch(Rectangle((x, y - HEAD - len(names) * LINE - 0.06), WIDTH, HEAD + len(names) * LINE + 0.06,
                             facecolor=FILL, edgecolor=LINE_INK, linewidth=0.8))  # fmt: skip
    axes.add_patch(Rectangle((x, y - HEAD), WIDTH, HEAD, facecolor=HEAD_FILL, edgecolor=HEAD_FILL))
    axes.text(x + 0.1, y - HEAD / 2, table, color="white", weight="bold", size=10, va="center")
    key = pack.keys.primary.get(table, ())
    for number, name in enumerate(names):
        weight = "bold" if name in key else "normal"
        axes.text(x + 0.1, _row(place, number), name, color=INK, weight=weight, size=8.5, va="center")


def _row(place: tuple[int, int], number: int) -> float:
    return _top(place) - HEAD - (number + 0.55) * LINE


def _arrow(axes: Axes, pack: Pack, reference: ForeignKey, places: dict[str, tuple[int, int]]) -> None:
    for here, there in reference.pairs[:1]:
        own, other = places[reference.table], places[reference.to_table]
        start = _row(own, list(pack.tables[reference.table]).index(here))
        end = _row(other, list(pack.tables[reference.to_table]).index(there))
        rightward = other[0] > own[0]
        x0 = _left(own) + (WIDTH if rightward or own[0] == other[0] else 0)
        x1 = _left(other) + (0 if rightward else WIDTH)
        bend = f"arc3,rad={-0.35 if end < start else 0.35}" if own[0] == other[0] else "arc3,rad=0.05"
        axes.add_patch(FancyArrowPatch((x0, start), (x1, end), arrowstyle="-|>", mutation_scale=8,
                                       connectionstyle=bend, color=LINE_INK, linewidth=0.8, zorder=0))  # fmt: skip


if __name__ == "__main__":
    main()
