"""`curtain split`, `pool` and `forget` as a person calls them: one sentence and exit 2 for bad input."""

import subprocess
import sys
from pathlib import Path

import pytest


def curtain(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "curtain", *arguments]
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, check=False)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["split", "nowhere"], "There is no study in nowhere"),
        (["split", "STUDY", "--test", "1.5"], "The share of test is 1.5"),
        (["pool", "STUDY", "--out", "no/where/pool.json"], "cannot be written"),
        (["forget", "STUDY", "e0"], "speaker id 'e0' cannot be used"),
        (["forget", "STUDY", "e00"], "Nothing was erased"),
    ],
)
def test_bad_input_is_one_sentence(toy: Path, arguments: list[str], part: str) -> None:
    done = curtain(*(str(toy) if one == "STUDY" else one for one in arguments))
    assert done.returncode == 2 and part in done.stderr and "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert (toy / "sessions" / "e00-01").exists()
