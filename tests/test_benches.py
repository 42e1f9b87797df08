"""Every bench runs to its end; what it measures is for `make bench`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCHES = sorted(path.name for path in (ROOT / "bench").glob("*.py") if "__main__" in path.read_text("utf-8"))


@pytest.mark.soak
@pytest.mark.parametrize("name", BENCHES)
def test_a_bench_runs_to_its_end(name: str, tmp_path: Path) -> None:
    env = {**os.environ, "CURTAIN_BENCH": "small", "QT_QPA_PLATFORM": "offscreen", "TMPDIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, str(ROOT / "bench" / name)], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
