"""Stories play both real stations as processes; the rehearsal of `tests/data/rehearsal.jsonl` is shared."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from curtain.session.bundle.bundle import Bundle
from curtain.session.turns.turns import read_turns

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tests" / "data" / "rehearsal.jsonl"


def run_curtain(*arguments: str, timeout: float = 300, **env: str) -> subprocess.CompletedProcess[str]:
    """The command as a program would call it."""
    return subprocess.run(
        [sys.executable, "-m", "curtain", *arguments], env=os.environ | {"QT_QPA_PLATFORM": "offscreen"} | env,
        capture_output=True, text=True, timeout=timeout, check=False,
    )  # fmt: skip


@dataclass(frozen=True)
class Rehearsed:
    """A finished rehearsal: its bundle and its turns as `curtain turns` tells them."""

    bundle: Bundle
    turns: list[dict[str, Any]]


@pytest.fixture(scope="session")
def rehearse() -> Callable[..., Rehearsed]:
    def play(script: Path, study: Path, *more: str, **env: str) -> Rehearsed:
        done = run_curtain("rehearse", str(script), "--out", str(study), "--headless", *more, **env)
        assert done.returncode == 0, done.stderr
        bundle = Bundle(Path(done.stdout.strip().splitlines()[-1]))
        return Rehearsed(bundle, json.loads(json.dumps([turn.as_json() for turn in read_turns(bundle)])))

    return play


@pytest.fixture(scope="session")
def rehearsed(rehearse: Callable[..., Rehearsed], tmp_path_factory: pytest.TempPathFactory) -> Rehearsed:
    return rehearse(SCRIPT, tmp_path_factory.mktemp("rehearsal") / "study")
