"""Another kind of subject's station: its link stands at the desk, too, until somebody is there."""

import sys

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from curtain_rooms.booths.other_station import OtherStationProcess
from curtain_rooms.booths.room_panel import OtherStationPanel

# Another link for a line; by the second one somebody comes, and with the next line it stops.
STATION = """
for said in '{"link":"https://lab/#1"}', '{"link":"https://lab/#2"}', '{"here":true}':
    print(said, flush=True)
    input()
"""


def test_the_link_stands_at_the_desk_until_somebody_is_there_and_again_when_the_station_has_stopped(
    qtbot: QtBot, look: Look
) -> None:
    panel, process = OtherStationPanel(look), OtherStationProcess(lambda: [sys.executable, "-c", STATION])
    qtbot.addWidget(panel)
    process.began.connect(panel.show_beginning)
    process.reported.connect(panel.show_report)
    process.ended.connect(panel.show_end)
    panel.link_requested.connect(process.start)
    panel.show_desk(True)
    assert panel.isHidden()
    for link in ("https://lab/#1", "https://lab/#2"):
        panel.link_requested.emit()
        qtbot.waitUntil(lambda link=link: panel.findChild(QLabel, "station_link").text() == link)
        assert not panel.isHidden()
    panel.link_requested.emit()
    qtbot.waitUntil(panel.isHidden)
    panel.link_requested.emit()
    qtbot.waitUntil(lambda: not panel.isHidden())
