"""Before the first event filter, the types that it can meet are there."""

import subprocess
import sys

PROGRAM = """
from PySide6 import QtGui
from curtain.qt.windows.window_program import make_binding_types
before = "QTabletEvent" in vars(QtGui) and type(vars(QtGui)["QTabletEvent"]).__name__ == "ObjectType"
assert make_binding_types() > 50
assert type(vars(QtGui)["QTabletEvent"]).__name__ == "ObjectType"
print(before)
"""


def test_the_types_of_events_are_made():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "False"
