"""An import that is killed leaves no half session, and the next one brings everything."""

import subprocess
import sys

import pytest

from curtain.corpus.exports import atis_tree
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.importing.run import import_tree
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.session.bundle.bundle import Bundle

UNTIL = """
import os, sys
from pathlib import Path
from curtain.corpus.importing.run import import_tree

done = []

def step(sessions):
    done.append(sessions)
    if len(done) == int(sys.argv[3]):
        os.kill(os.getpid(), 9)

import_tree(Path(sys.argv[1]), Path(sys.argv[2]), watch=lambda sessions: step)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed with SIGKILL here")
@pytest.mark.parametrize("after", [1, 5])
def test_a_killed_import_is_completed_by_the_next(toy, tmp_path, after):
    given = open_corpus([toy], Filters(live=True))
    tree, study = tmp_path / "tree", tmp_path / "study"
    tree.mkdir()
    atis_tree.write(given, tree, ExportProgress())
    killed = subprocess.run([sys.executable, "-c", UNTIL, str(tree), str(study), str(after)], check=False)
    assert killed.returncode == -9
    for path in (study / "sessions").iterdir():
        assert path.name.startswith(".") or Bundle(path).verify() == []
    import_tree(tree, study)
    assert sorted(path.name for path in (study / "sessions").iterdir()) == [one.session_id for one in given.sessions()]
    assert [len(one.utterances) for one in open_corpus([study], Filters(live=True)).sessions()] == [
        len(one.utterances) for one in given.sessions()
    ]
