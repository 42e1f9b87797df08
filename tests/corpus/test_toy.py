"""What exporters may rely on in the toy corpus, and the same corpus made truly by both stations: minutes long."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import new_study
from tests.corpus.toy import annotate
from tests.corpus.toy_scripts import playable, write_scripts

TAGS = {
    "arithmetic", "bad-db", "book", "cancelled", "disallowed", "hopelessly-vague", "ill-formed", "multi-sentence",
    "presupposition-failure", "responding", "testably-ambiguous", "trunc-utt", "uncooperative", "unanswerable",
    "underspecified", "ungrammatical", "wh-question", "wizard-error", "yes/no",
}  # fmt: skip


def test_the_toy_has_every_class_category_and_tag(toy: Path) -> None:
    sessions = list(open_corpus([toy], Filters(live=True)).sessions())
    turns = [one for session in sessions for one in session.utterances]
    assert (len(sessions), len({session.speaker_id for session in sessions})) == (6, 4)
    assert len(turns) >= 60
    assert {one.eval_class for one in turns} == {"A", "D1", "D", "X", None}
    assert {one.category for one in turns} == {"0", "1", "2", "3", "X", None}
    assert {tag for one in turns for tag in one.tags} == TAGS


@pytest.mark.soak
@pytest.mark.stations
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
def test_the_toy_corpus_can_be_played_and_annotated(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study", "personnel", practice="none")
    for speaker, script in write_scripts(tmp_path / "scripts"):
        command = ["rehearse", str(script), "--speaker", speaker, "--out", str(study.folder), "--headless"]
        done = subprocess.run(
            [sys.executable, "-m", "curtain", *command], env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
            capture_output=True, text=True, timeout=900, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    for sitting in playable():
        annotate(Bundle(study.sessions_folder / sitting.session_id), sitting)
    assert [problem for one in study.sessions() for problem in Bundle(one.path).verify()] == []
    sessions = list(open_corpus([study.folder], Filters(live=True)).sessions())
    turns = [one for session in sessions for one in session.utterances]
    assert (len(sessions), len({one.speaker_id for one in turns}), len(turns)) == (6, 4, 65)
    assert {one.eval_class for one in turns} == {"A", "D1", "D", "X", None}
    assert len({tag for one in turns for tag in one.tags}) == 19
    assert sum(one.audio is not None for one in turns) == 64
    assert all(one.frames and one.duration_s and one.duration_s > 0.5 for one in turns if one.audio)
