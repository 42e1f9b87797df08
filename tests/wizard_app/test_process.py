"""The wizard's station as a process: bad starts, and being killed in the middle of a turn."""

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from curtain.session.bundle.bundle import Bundle
from curtain.session.journal.lines import read_journal
from curtain.session.study.study import Study
from tests.support.driven_station import DrivenStation, pause
from tests.support.studies import without_drafts
from tests.wizard_app.stand_in import StandIn

pytestmark = pytest.mark.stations
KEPT_WITHIN_MS = 2200


def test_a_study_that_cannot_be_used_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text("deadline_s = -1")
    command = [sys.executable, "-m", "wizard_app", "--study", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, len(ended.stderr.strip().splitlines())) == (2, 1)
    assert "deadline_s" in ended.stderr and "Traceback" not in ended.stderr


def begin_session(wizard: DrivenStation) -> None:
    wizard.until(name="missing", text={"contains": "Still missing"})
    wizard.until(link="up")
    for text in ("k00", "mb"):
        wizard.must(do="type", text=text)
        wizard.must(do="keys", keys="Tab")
    wizard.must(do="keys", keys="Space")
    wizard.must(do="keys", keys="Tab")
    wizard.must(do="type", text="C-1")
    wizard.until(name="start_session", enabled=True)
    wizard.must(do="keys", keys="Return")
    wizard.until(state="idle")


def test_killed_in_the_middle_of_a_turn_it_goes_on_with_the_same_turn_and_what_was_typed(
    qtbot: QtBot, study: Study, stand_in: Callable[[], StandIn], link_name: str
) -> None:
    subject = stand_in()
    subject.dial(link_name)
    arguments = ["--study", str(without_drafts(study.folder)), "--listen", link_name]
    log = study.folder / "logs" / "driven.txt"
    wizard = DrivenStation("wizard", arguments, log)
    begin_session(wizard)
    qtbot.waitUntil(lambda: subject.session_id != "")
    subject.speak()
    wizard.until(state="transcribe", turn=1)
    wizard.must(do="type", text="how many women")
    pause(KEPT_WITHIN_MS)
    wizard.kill()

    wizard = DrivenStation("wizard", [*arguments, "--resume"], log)
    wizard.until(state="transcribe", turn=1, session="k00-01", link="up")
    wizard.until(name="query", text="how many women", focus=True)
    wizard.must(do="keys", keys="Ctrl+Return")
    wizard.until(state="answer")
    wizard.until(name="sql", focus=True)
    wizard.must(do="type", text="SELECT 1")
    # Ended politely, it keeps what was typed in this very moment.
    wizard.process.send_signal(signal.SIGTERM)
    assert wizard.quit() == 0

    subject.speak()
    wizard = DrivenStation("wizard", [*arguments, "--resume"], log)
    wizard.until(state="answer", turn=1, open_turns=2, link="up")
    wizard.until(name="query", text="how many women")
    wizard.until(name="sql", text="SELECT 1")
    wizard.must(do="keys", keys="Ctrl+M")
    wizard.must(do="type", text="3")
    wizard.must(do="keys", keys="Return")
    wizard.until(turn=2, answered_turn=1)
    wizard.process.send_signal(signal.SIGINT)
    assert wizard.quit() == 0
    bundle = Bundle(study.sessions_folder / "k00-01")
    journal = read_journal(bundle.wizard_journal)
    assert journal.torn_bytes == 0
    types = [entry.type for entry in journal.entries]
    assert types.count("epoch") == 3
    assert types.count("query_sent") == types.count("message_sent") == 1
    assert len(read_journal(bundle.subject_journal).entries) >= 7
