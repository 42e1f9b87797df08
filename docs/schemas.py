"""Draws the tables of the bundled packs for docs/domains.md: `python docs/schemas.py`.

Each table stands where PLACES says; an arrow goes from a column to the key that it refers to. Keys are bold.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QPainterPath, QPolygonF
from shots import PICTURES, keep

from curtain.domain.pack.keys import ForeignKey
from curtain.domain.pack.pack import Pack, load_pack

# Pixels.
WIDTH, LINE, HEAD, STEP, MARGIN = 212, 18, 26, 286, 24
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
    app = QGuiApplication([])
    for name, places in PLACES.items():
        path = PICTURES / f"schema-{name}.png"
        draw(load_pack(name), places, path)
        keep(path, path.stem)
    del app


def draw(pack: Pack, places: dict[str, tuple[int, int]], path: Path) -> None:
    """One picture; a table without a place is a problem of this script."""
    assert set(places) == set(pack.tables)
    wide = STEP * max(column for column, _ in places.values()) + WIDTH
    high = max(_row(place, len(pack.tables[table])) for table, place in places.items())
    picture = QImage(wide + 2 * MARGIN, int(high) + 2 * MARGIN, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(MARGIN, MARGIN)
    for reference in pack.keys.references:
        _arrow(painter, pack, reference, places)
    for table, place in places.items():
        _table(painter, pack, table, place)
    painter.end()
    picture.save(str(path))


def _table(painter: QPainter, pack: Pack, table: str, place: tuple[int, int]) -> None:
    x, y, names = place[0] * STEP, place[1] * LINE, list(pack.tables[table])
    painter.setPen(QColor(LINE_INK))
    painter.setBrush(QColor(FILL))
    painter.drawRect(QRectF(x, y, WIDTH, HEAD + len(names) * LINE + 5))
    painter.fillRect(QRectF(x, y, WIDTH, HEAD), QColor(HEAD_FILL))
    _write(painter, QRectF(x, y, WIDTH, HEAD), table, "white", 15, bold=True)
    for number, name in enumerate(names):
        row = QRectF(x, _row(place, number) - LINE / 2, WIDTH, LINE)
        _write(painter, row, name, INK, 13, bold=name in pack.keys.primary.get(table, ()))


def _write(painter: QPainter, area: QRectF, text: str, colour: str, size: int, bold: bool) -> None:
    font = painter.font()
    font.setPixelSize(size)
    font.setBold(bold)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    painter.drawText(area.adjusted(8, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)


def _row(place: tuple[int, int], number: int) -> float:
    return place[1] * LINE + HEAD + (number + 0.55) * LINE


def _arrow(painter: QPainter, pack: Pack, reference: ForeignKey, places: dict[str, tuple[int, int]]) -> None:
    here, there = reference.pairs[0]
    own, other = places[reference.table], places[reference.to_table]
    rightward = other[0] > own[0]
    start = QPointF(own[0] * STEP + (WIDTH if other[0] >= own[0] else 0),
                    _row(own, list(pack.tables[reference.table]).index(here)))  # fmt: skip
    end = QPointF(other[0] * STEP + (0 if rightward else WIDTH),
                  _row(other, list(pack.tables[reference.to_table]).index(there)))  # fmt: skip
    out, back = (QPointF(30 if other[0] >= own[0] else -30, 0), QPointF(-30 if rightward else 30, 0))
    path = QPainterPath(start)
    path.cubicTo(start + out, end + back, end)
    painter.setPen(QColor(LINE_INK))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(path)
    painter.setBrush(QColor(LINE_INK))
    tip = 7 if back.x() > 0 else -7
    painter.drawPolygon(QPolygonF([end, end + QPointF(tip, -3), end + QPointF(tip, 3)]))


if __name__ == "__main__":
    main()
