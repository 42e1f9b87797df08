"""Every bench runs to its end; what it measures is for `make bench`."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCHES = sorted(path.name for path in (ROOT / "bench").glob("*.py") if "__main__" in path.read_text("utf-8"))


@pytest.mark.soak
@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_runs_to_its_end(name: str) -> None:
    command = [sys.executable, str(ROOT / "bench" / name)]
    # The path of a local socket holds 107 bytes; the folder of a test takes most of them.
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch:
        env = {**os.environ, "CURTAIN_BENCH": "small", "QT_QPA_PLATFORM": "offscreen", "TMPDIR": scratch}
        done = subprocess.run(command, cwd=scratch, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
