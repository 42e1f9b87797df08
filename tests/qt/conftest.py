import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from curtain.qt import style
from curtain.qt.background import Background


@pytest.fixture
def look(qapp: QApplication) -> style.Look:
    return style.apply(qapp, "light")


@pytest.fixture
def background(qtbot: QtBot) -> Iterator[Background]:
    made = Background(1)
    yield made
    made.close()
