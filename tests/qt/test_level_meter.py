import pytest

from curtain.qt.level_meter import LevelMeter


@pytest.mark.parametrize("dbfs, level", [(-20.0, -20.0), (-200.0, -60.0), (3.0, 0.0)])
def test_the_level_stays_within_its_scale(qtbot, dbfs, level):
    meter = LevelMeter()
    qtbot.addWidget(meter)
    meter.show_level(dbfs)
    assert meter.property("level") == level


def test_a_louder_level_lights_more(qtbot):
    meter = LevelMeter()
    qtbot.addWidget(meter)
    meter.resize(200, 14)
    meter.show_level(-50)
    quiet = meter.grab().toImage()
    meter.show_level(-10)
    assert meter.grab().toImage() != quiet


def test_clipping_is_seen(qtbot):
    meter = LevelMeter()
    qtbot.addWidget(meter)
    meter.resize(200, 14)
    meter.show_level(0, False)
    clean = meter.grab().toImage()
    meter.show_level(0, True)
    assert meter.grab().toImage() != clean
