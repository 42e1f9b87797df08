"""NIST's own tools read the reference files and count every utterance."""

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import Filters
from tests.corpus.exports.small import HeldCorpus, session, sound, utterance

BIN = Path("/usr/lib/sctk/bin")
pytestmark = pytest.mark.skipif(not (BIN / "sclite").is_file(), reason="sctk is not installed (package sctk)")
Exported = Callable[[str], Path]


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    tool, *options = command
    return subprocess.run([BIN / tool, *options], cwd=folder, capture_output=True, text=True, timeout=60, check=False)


def counts(report: str) -> tuple[int, int, float]:
    """Sentences, words and error rate of the sum line."""
    found = re.search(r"Sum/Avg\|\s*(\d+)\s+(\d+)\s*\|(?:\s*[\d.]+){4}\s+([\d.]+)", report)
    assert found, report
    return int(found[1]), int(found[2]), float(found[3])


def expected(corpus: BundleCorpus, split: str, hidden: int = 0) -> tuple[int, int]:
    """Sentences and words, less those that are hidden and may be missing."""
    kept = [
        one for found in corpus.sessions() for one in found.utterances if one.split == split and one.lsn and one.audio
    ]
    return len(kept), sum(len((one.lsn or "").split()) for one in kept) - hidden


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_sclite_counts_every_reference_of_the_trn(exported: Exported, corpus: BundleCorpus, split: str) -> None:
    trn = f"{split}.trn"
    score = run(exported("nist"), "sclite", "-i", "spu_id", "-r", trn, "-h", trn, "-e", "utf-8", "-o", "sum", "stdout")
    sentences, words, error = counts(score.stdout)
    assert (sentences, words) == expected(corpus, split)
    assert error == 0.0


def test_sclite_scores_the_ctm_on_the_stm(exported: Exported, corpus: BundleCorpus) -> None:
    options = ("-r", "train.stm", "stm", "-h", "train.ctm", "ctm", "-e", "utf-8", "-o", "sum", "stdout")
    printed = run(exported("nist"), "sclite", *options)
    assert counts(printed.stdout) == (*expected(corpus, "train", hidden=1), 0.0)


def test_the_validators_accept_a_session_in_letters(split_toy: Path, tmp_path: Path) -> None:
    corpus = open_corpus([split_toy], Filters(sessions=frozenset(["e00-01", "m10-01"])))
    export(corpus, "nist", tmp_path / "out")
    for split in ("train", "dev"):
        stm = run(tmp_path / "out", "stmValidator.pl", "-i", f"{split}.stm")
        ctm = run(tmp_path / "out", "ctmValidator.pl", "-i", f"{split}.ctm")
        assert "Validated" in stm.stdout and "Fail" not in stm.stdout + stm.stderr
        assert ctm.returncode == 0 and "ERROR" not in ctm.stdout + ctm.stderr


def test_the_validators_accept_other_scripts_as_another_language(exported: Exported) -> None:
    for split in ("train", "dev", "test"):
        stm = run(exported("nist"), "stmValidator.pl", "-l", "other", "-i", f"{split}.stm")
        assert "Validated" in stm.stdout, stm.stdout


def test_an_utterance_without_words_keeps_its_line(tmp_path: Path) -> None:
    audio = sound(tmp_path / "a.wav")
    held = HeldCorpus([session(utterance(audio, lsn=""), utterance(audio, "e00-01-002"))])
    export(held, "nist", tmp_path / "out")
    assert (tmp_path / "out" / "train.trn").read_text().splitlines()[0] == "(e00-01-001)"
    options = ("-i", "spu_id", "-r", "train.trn", "-h", "train.trn", "-o", "sum", "stdout")
    assert counts(run(tmp_path / "out", "sclite", *options).stdout)[0] == 2


def test_the_words_of_a_ctm_fill_the_recording(tmp_path: Path) -> None:
    audio = sound(tmp_path / "a.wav", frames=16007)
    export(HeldCorpus([session(utterance(audio, frames=16007))]), "nist", tmp_path / "out")
    rows = [line.split() for line in (tmp_path / "out" / "train.ctm").read_text().splitlines() if line[0] != ";"]
    ends = [round(float(row[2]) + float(row[3]), 3) for row in rows]
    assert [row[4] for row in rows] == ["who", "works", "in", "department", "45"]
    assert [float(row[2]) for row in rows] == [0.0, *ends[:-1]]
    assert ends[-1] == 1.0
