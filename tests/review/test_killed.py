"""The window as a process: bad starts, and being killed in the middle of editing."""

import subprocess
import sys
from pathlib import Path

import pytest

from curtain.session.bundle.bundle import Bundle
from tests.review.acting import layers_of
from tests.support.driven_station import DrivenStation

pytestmark = pytest.mark.stations


def test_killed_in_the_middle_of_editing_it_finds_everything_again(bare: Path, window: list[DrivenStation]) -> None:
    first = start(bare, window)
    first.until(utterance="0a1-01-001")
    press(first, "Ctrl+Return")
    first.until(utterance="0a1-01-002", saved="0a1-01-001")
    press(first, "8", "Alt+1", "Ctrl+K", "Ctrl+T", "Ctrl+A")
    first.must(do="type", text="her [uh] home phone – déjà <vu> 北京")
    press(first, "F9")
    first.must(do="type", text="whose phone?")
    press(first, "Ctrl+M", "Ctrl+A")
    first.must(do="type", text="SELECT home_phone FROM emplo")
    first.until(drafts_settled=True, dirty=True)
    first.kill()

    again = start(bare, window)
    again.until(utterance="0a1-01-002", dirty=True, category="2", eval_class="D1", done=1)
    again.until("sro", text="her [uh] home phone – déjà <vu> 北京")
    again.until("note", text="whose phone?")
    again.until("sql_min", text="SELECT home_phone FROM emplo")
    again.until("tags", chosen="multi-sentence")
    press(again, "Ctrl+Return")
    again.until("notice_text", text={"contains": "Kept as a draft."})
    press(again, "Ctrl+M", "Ctrl+A")
    again.must(do="type", text="SELECT home_phone FROM employee WHERE last_name = 'LEASE'")
    press(again, "Ctrl+Return")
    again.until(utterance="0a1-01-003", saved="0a1-01-002", done=2, writing=False)
    assert again.quit() == 0
    layers = layers_of(bare, "0a1-01-002")
    assert [row.status for row in layers.standing("sql").by_utterance["0a1-01-002"] if row.value] == ["final"]
    assert Bundle(bare / "sessions" / "0a1-01").verify() == []


@pytest.mark.parametrize(("toml", "part"), [("[tag.x y]", "annotation.toml"), ("[tag.ours]\nexcludes = 3", "excludes")])
def test_a_table_that_cannot_be_used_is_reported_in_the_window(
    bare: Path, window: list[DrivenStation], toml: str, part: str
) -> None:
    (bare / "annotation.toml").write_text(toml)
    station = start(bare, window)
    station.until(state="failed")
    station.until("loading", text={"contains": part})


def test_a_folder_that_is_no_study_is_reported_in_one_sentence(tmp_path: Path) -> None:
    arguments = ["--study", str(tmp_path), "--by", "w1"]
    ended = subprocess.run(
        [sys.executable, "-m", "curtain.review", *arguments], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 2
    assert len(ended.stderr.strip().splitlines()) == 1 and "study.toml" in ended.stderr


@pytest.mark.parametrize(
    ("options", "printed"),
    [(["--second", "--adjudicate"], "either --second or --adjudicate"), (["--theme", "pink"], "'pink' is not one of")],
)
def test_the_command_refuses_what_makes_no_sense(bare: Path, options: list[str], printed: str) -> None:
    command = [sys.executable, "-m", "curtain", "annotate", str(bare), *options]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert printed in ended.stderr and len(ended.stderr.strip().splitlines()) == 1


def start(study: Path, window: list[DrivenStation], *more: str) -> DrivenStation:
    window.append(
        DrivenStation("annotator", ["--study", str(study), "--by", "k1", *more], study.parent / "annotator.txt")
    )
    return window[-1]


def press(station: DrivenStation, *keys: str) -> None:
    for one in keys:
        station.must(do="keys", keys=one)
