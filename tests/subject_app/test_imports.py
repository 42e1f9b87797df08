"""The subject's process cannot hold what must stay behind the curtain, and starts with little."""

import subprocess
import sys

EVERYTHING = """
import importlib, pkgutil, sys
import subject_app
for module in pkgutil.walk_packages(subject_app.__path__, "subject_app."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print("\\n".join(sorted(sys.modules)))
"""
FORBIDDEN = [
    "duckdb", "sqlglot", "curtain.domain", "curtain.cas", "curtain.session.events.wizard_events", "wizard_app",
    "sample_db",
]  # fmt: skip
HEAVY = ["numpy", "sounddevice", "soundfile", "msgspec", "PySide6.QtNetwork", "PySide6.QtTest", "platformdirs"]


def modules_after(code):
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_nothing_from_behind_the_curtain_is_loaded():
    loaded = modules_after(EVERYTHING)
    assert "subject_app.station" in loaded
    assert not [name for name in loaded for place in FORBIDDEN if name == place or name.startswith(place + ".")]


def test_before_the_first_paint_nothing_heavy_is_loaded():
    loaded = modules_after("import sys, subject_app.app; print('\\n'.join(sys.modules))")
    assert not loaded & set(HEAVY)


def test_the_station_itself_needs_no_window():
    loaded = modules_after("import sys, subject_app.station, subject_app.status; print('\\n'.join(sys.modules))")
    assert not [name for name in loaded if name in ("PySide6.QtWidgets", "PySide6.QtGui", "sounddevice", "soundfile")]
