"""Before the first event filter, the types that it can meet are there."""

import subprocess
import sys

PROGRAM = """
from PySide6 import QtGui
from curtain.qt.binding_types import make_binding_types
before = "QPaintEvent" in vars(QtGui) and type(vars(QtGui)["QPaintEvent"]).__name__ == "ObjectType"
assert make_binding_types() > 50
assert type(vars(QtGui)["QPaintEvent"]).__name__ == "ObjectType"
print(before)
"""


def test_the_types_of_events_are_made():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "False"
