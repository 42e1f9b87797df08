"""A command that makes a folder and is killed leaves the folder whole or absent, and the next run makes it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS

pytestmark = pytest.mark.skipif(os.name != "posix", reason="processes are killed with SIGKILL here")

# One process imports everything once; each run is a fork of it, killed at the n-th request to the disk below a folder.
KILLING = """
import os, signal, sys
from pathlib import Path
import duckdb, pyarrow
from curtain.commands import cli
from curtain.commands.table import ALL

home, kills, *command = sys.argv[1:]
DISK = {"open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "shutil.copyfile"}

def run(folder, killed_at=None):
    if not (child := os.fork()):
        seen = 0
        def watch(event, arguments):
            nonlocal seen
            if event in DISK and home in str(arguments[0]):
                seen += 1
                if seen == killed_at:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(watch)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.argv = ["curtain", *(word.replace("OUT", str(folder)) for word in command)]
        try:
            cli.main()
        finally:
            sys.stderr.flush()
            Path(home).parent.joinpath("seen").write_text(str(seen))
            os._exit(sys.exc_info()[1].code or 0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))

whole = Path(home, "whole", "out")
assert run(whole) == 0
moments = int(Path(home).parent.joinpath("seen").read_text())
kills = min(int(kills), moments - 2)
for at in sorted({2 + (moments - 3) * part // kills for part in range(1, kills + 1)}):
    out = Path(home, str(at), "out")
    out.parent.mkdir()
    assert run(out, at) == -9, at
    if out.exists() and names(out) == names(whole):
        continue
    left = names(out.parent)
    assert run(out) == 0, (at, left)
    assert names(out.parent) == names(whole.parent), (at, left)
print(moments)
"""


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What the commands read: a study, an ATIS tree of it, and a table of one's own."""
    home = tmp_path_factory.mktemp("given")
    made = {"TOY": make_toy(home / "toy", sittings=SITTINGS[:2]), "TREE": home / "tree", "OWN": home / "own"}
    export(open_corpus([made["TOY"]]), "atis", made["TREE"])
    made["OWN"].mkdir()
    (made["OWN"] / "town.csv").write_text("name,people\nUlm,126000\nBonn,330000\n")
    return made


@pytest.mark.parametrize("kills", [2, pytest.param(12, marks=pytest.mark.soak)])
@pytest.mark.parametrize(
    "command",
    [
        "study new OUT",
        "domain new OWN --out OUT",
        "judge new TOY --judges ann,ben --out OUT --without-consent",
        "import TREE --out OUT",
        "report TOY --out OUT",
    ],
)
def test_a_killed_command_hinders_no_next_run(given: dict[str, Path], tmp_path: Path, command: str, kills: int) -> None:
    (home := tmp_path / "home").joinpath("whole").mkdir(parents=True)
    words = [str(given.get(word, word)) for word in command.split()]
    child = [sys.executable, "-c", KILLING, str(home), str(kills), *words]
    run = subprocess.run(child, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
