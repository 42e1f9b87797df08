"""What is learned from the same examples is the same in every process, to the last figure of the confidence."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

SCRIPT = """
import tempfile
from pathlib import Path
from curtain.domain.pack.pack import database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.values import Request
from tests.drafting import ferry_pack as ferries

pack = load_pack(ferries.write_pack(Path(tempfile.mkdtemp()) / "ferries"))
drafter = LocalDrafter(pack, database(pack), ferries.examples())
for one in ferries.examples():
    for draft in drafter.drafts(Request("please " + one.question + " in the morning")):
        print(draft.confidence, draft.sql)
"""


def drafts_with(hash_seed: int) -> str:
    environment = os.environ | {"PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    return done.stdout


def test_the_order_of_sets_decides_nothing() -> None:
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(drafts_with, (1, 2))
    assert one == other
    assert one.count("\n") > 20
