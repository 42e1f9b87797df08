"""A million pairs: all judged, in order, in little memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PAIRS = 1_000_000
MOST_MIB = 100

# The peak of the process that reads and writes, and of the largest worker; in KiB on Linux. The first by its own count
# of pages: `ru_maxrss` begins with the peak of whoever started it, which is all of pytest.
RUN = """
import re, resource, sys
from pathlib import Path
from curtain.cas.scoring.readings import ComparisonRules
from curtain_score.compare_files import compare_pairs
if __name__ == "__main__":
    code = compare_pairs(Path(sys.argv[1]), rules=ComparisonRules())
    own = int(re.search(r"VmHWM:\\s+([0-9]+) kB", Path("/proc/self/status").read_text())[1])
    workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(code, max(own, workers) // 1024, file=sys.stderr)
"""


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="peaks of memory are read as Linux gives them")
def test_a_million_pairs_are_judged_in_order_and_in_little_memory(tmp_path: Path) -> None:
    pairs, judged = tmp_path / "pairs.jsonl", tmp_path / "judged.jsonl"
    with pairs.open("w", encoding="utf-8") as file:
        for number in range(PAIRS):
            wrong = number % 5 == 0
            file.write(f'{{"id": {number}, "ref": "(({number} 7) (1 2))", "hyp": "((2 1) ({7 + wrong} {number}))"}}\n')
    script = tmp_path / "run.py"
    script.write_text(RUN, encoding="utf-8")
    with judged.open("wb") as out:
        done = subprocess.run([sys.executable, str(script), str(pairs)], stdout=out, stderr=subprocess.PIPE, check=True)
    code, peak = map(int, done.stderr.split())
    assert code == 0
    assert peak < MOST_MIB
    with judged.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            one = json.loads(line)
            assert (one["id"], one["verdict"]) == (number, "correct" if number % 5 else "incorrect")
    assert number == PAIRS - 1
