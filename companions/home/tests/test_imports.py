"""The window is painted before anything heavy is loaded."""

import subprocess
import sys

HEAVY = ("numpy", "duckdb", "sqlglot", "rich", "typer", "curtain.corpus", "curtain.domain", "curtain.session.bundle",
         "curtain.session.turns", "curtain_score.score_files", "PySide6.QtSvg", "PySide6.QtNetwork")  # fmt: skip


def test_before_the_first_paint_nothing_heavy_is_loaded() -> None:
    code = "import sys, curtain_home.program; print('\\n'.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert "curtain_home.pages.window" in loaded
    assert [name for name in loaded for heavy in HEAVY if name == heavy or name.startswith(heavy + ".")] == []
