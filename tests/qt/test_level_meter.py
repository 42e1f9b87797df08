import pytest

from curtain.qt.level_meter import LevelMeter


@pytest.mark.parametrize("dbfs, level", [(-20.0, -20.0), (-200.0, -60.0), (3.0, 0.0)])
def test_the_level_stays_within_its_scale(qtbot, dbfs, level):
    meter = LevelMeter()
    qtbot.addWidget(meter)
    meter.show_level(dbfs)
    assert meter.property("level") == level


@pytest.mark.parametrize("shown", [[(-50, False), (-10, False)], [(0, False), (0, True)]], ids=["louder", "clipped"])
def test_a_louder_level_lights_more_and_clipping_is_seen(qtbot, shown):
    meter = LevelMeter()
    qtbot.addWidget(meter)
    meter.resize(200, 14)
    pictures = []
    for dbfs, clipped in shown:
        meter.show_level(dbfs, clipped)
        pictures.append(meter.grab().toImage())
    assert pictures[0] != pictures[1]
