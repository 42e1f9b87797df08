"""A trial session can be deleted, and only a trial."""

import shutil
from pathlib import Path

import pytest

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.corpus.redaction.erasure import delete_trial, plan_for_trial
from curtain.session.study.study import load_study


def test_a_trial_goes_with_its_copies_and_its_id_never_comes_again(toy: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(toy, tmp_path / "lab"))
    copy = Path(shutil.copytree(folder / "sessions" / "p00-01", folder / "spool" / "p00-01-0123"))
    others = {one.session_id for one in load_study(folder).sessions()} - {"p00-01"}
    delete_trial(plan_for_trial(load_study(folder), "p00-01"), "p00-01", Clock())
    study = load_study(folder)
    assert {one.session_id for one in study.sessions()} == others
    assert not copy.exists()
    assert study.next_session_id("p00") == "p00-02"


@pytest.mark.parametrize(("session", "sentence"), [
    ("e00-01", "The session e00-01 is no trial, so it stays."),
    ("x99-01", "There is no session x99-01 in"),
])  # fmt: skip
def test_nothing_but_a_trial_is_deleted(toy: Path, session: str, sentence: str) -> None:
    with pytest.raises(CurtainError, match=sentence):
        plan_for_trial(load_study(toy), session)
