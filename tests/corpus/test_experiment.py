"""An experiment in the corpus: every format names the condition, what the recogniser heard, and who answered."""

import gzip
import re
import subprocess
from pathlib import Path

import duckdb
import pytest

from curtain.base.edit_distance import edits
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_session
from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import read_journal, write_line
from tests.corpus.formats import FORMATS
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS

SESSION = "e00-01"
HEARD = "WHAT IS MERRY SMITH'S CELERY"
PLAN = {"number": 3, "runs": [{"scenario_id": "balance", "condition_id": "robust"}]}
CONDITIONS = [{"id": "robust", "who": "typist", "system": "drafts-robust", "recogniser": 0.3}]


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy with one session under a condition: its second turn was misheard and answered by a system."""
    made = make_toy(tmp_path_factory.mktemp("experiment") / "study", sittings=SITTINGS[:1])
    bundle = Bundle(made / "sessions" / SESSION)
    entries = [_under_condition(entry) for entry in read_journal(bundle.wizard_journal).entries]
    bundle.wizard_journal.write_bytes(b"".join(map(write_line, entries)))
    bundle.write_manifest()
    return made


def _under_condition(entry):  # type: ignore[no-untyped-def]
    added = {}
    if entry.type == "session_opened":
        added = {"plan": PLAN, "conditions": CONDITIONS}
    elif entry.type == "scenario_started":
        added = {"condition_id": "robust"}
    elif entry.type == "query_sent" and entry.turn == 2:
        added = {"recognised": HEARD.lower()}
    elif entry.type == "answer_sent" and entry.turn == 2:
        added = {"system": "drafts-robust", "late_ms": 40}
    entry.data.update(added)
    return entry


def test_the_corpus_tells_reference_and_hypothesis_apart(study: Path) -> None:
    turns = {one.turn: one for one in read_session(study / "sessions" / SESSION).utterances}
    misheard = turns[2]
    # What a system answered is no reference until somebody says so.
    assert misheard.sql_from != "live"
    assert misheard.lsn == "WHAT IS MARY SMITH'S SALARY"
    assert (misheard.hypothesis, misheard.condition_id) == (HEARD, "robust")
    assert (misheard.answered_by, misheard.late_ms) == ("drafts-robust", 40)
    others = [one for one in turns.values() if one.outcome == "answer" and one.turn != 2]
    assert others
    assert {one.answered_by for one in others} == {"wizard"}


@pytest.mark.parametrize("name", [one.name for one in FORMATS])
def test_every_format_names_the_condition(study: Path, tmp_path: Path, name: str) -> None:
    export(open_corpus([study], Filters(live=True)), name, tmp_path / name)
    assert any(_says(path, b"robust") for path in (tmp_path / name).rglob("*") if path.is_file())


def _says(path: Path, word: bytes) -> bool:
    if path.suffix == ".gz":
        return word in gzip.decompress(path.read_bytes())
    if path.suffix != ".parquet":
        return word in path.read_bytes()
    return bool(duckdb.sql(f"SELECT 1 FROM '{path}' WHERE condition_id = '{word.decode()}'").fetchall())


@pytest.mark.skipif(not Path("/usr/lib/sctk/bin/sclite").is_file(), reason="sctk is not installed (package sctk)")
def test_sclite_scores_what_was_heard_against_what_was_said(study: Path, tmp_path: Path) -> None:
    export(open_corpus([study], Filters(live=True)), "nist", tmp_path / "nist")
    (hypotheses,) = (tmp_path / "nist").glob("*.hyp.trn")
    reference = hypotheses.with_name(hypotheses.name.replace(".hyp", ""))
    said, heard = (dict(map(_sentence, path.read_text("utf-8").splitlines())) for path in (reference, hypotheses))
    assert len(said) > len(heard) > 1 and heard.keys() <= said.keys()
    files = ["-r", reference.name, "-h", hypotheses.name]
    command = ["/usr/lib/sctk/bin/sclite", *files, "-i", "spu_id", "-o", "rsum", "stdout"]
    report = subprocess.run(command, cwd=tmp_path / "nist", capture_output=True, text=True, check=True).stdout
    total = re.search(r"\| Sum +\| +(\d+) +(\d+) +\|(?: +\d+){4} +(\d+)", report)
    assert total, report
    errors = sum(edits(said[name], heard[name]) for name in heard)
    assert list(map(int, total.groups())) == [len(heard), sum(len(said[name]) for name in heard), errors]


def _sentence(line: str) -> tuple[str, list[str]]:
    words, _, name = line.rpartition("(")
    return name, words.split()


def test_an_atis_tree_brings_condition_and_hypothesis_back(study: Path, tmp_path: Path) -> None:
    from curtain_corpora.importing.run import import_tree

    export(open_corpus([study], Filters(live=True)), "atis", tmp_path / "tree")
    import_tree(tmp_path / "tree", tmp_path / "back")
    (bundle,) = (tmp_path / "back" / "sessions").iterdir()
    misheard = next(one for one in read_session(bundle).utterances if one.hypothesis)
    assert (misheard.hypothesis, misheard.condition_id, misheard.answered_by) == (HEARD, "robust", "drafts-robust")
