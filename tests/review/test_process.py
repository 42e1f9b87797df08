"""The annotator's window as a process: bad starts, killed in mid-edit, and 20 turns annotated by keys alone."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curtain.corpus.annotation.row import Layer
from curtain.corpus.annotation.tag_table import load_table
from curtain.corpus.model.corpus import open_corpus
from curtain.rehearsal.stations import RunningStation
from curtain.review.panels.keys import TAG_KEYS
from curtain.session.bundle.bundle import Bundle
from tests.corpus.toy import annotate, make_toy
from tests.corpus.toy_turns import SITTINGS, Said, Sitting
from tests.review.acting import layers_of, said
from tests.support.everywhere import Call

pytestmark = pytest.mark.stations


def test_killed_in_the_middle_of_editing_it_finds_everything_again(bare: Path, window: list[RunningStation]) -> None:
    first = start(bare, window)
    first.wait("window", utterance="0a1-01-001")
    press(first, "Ctrl+Return")
    first.wait("window", utterance="0a1-01-002", saved="0a1-01-001")
    press(first, "8", "Alt+1", "Ctrl+K", "Ctrl+T", "Ctrl+A")
    first.type("her [uh] home phone – déjà <vu> 北京")
    press(first, "F9")
    first.type("whose phone?")
    press(first, "Ctrl+M", "Ctrl+A")
    first.type("SELECT home_phone FROM emplo")
    first.wait("window", drafts_settled=True, dirty=True)
    first.kill()

    again = start(bare, window)
    again.wait("window", utterance="0a1-01-002", dirty=True, category="2", eval_class="D1", done=1)
    again.wait("sro", text="her [uh] home phone – déjà <vu> 北京")
    again.wait("note", text="whose phone?")
    again.wait("sql_min", text="SELECT home_phone FROM emplo")
    again.wait("tags", chosen="multi-sentence")
    press(again, "Ctrl+Return")
    again.wait("notice_text", text={"contains": "Kept as a draft."})
    press(again, "Ctrl+M", "Ctrl+A")
    again.type("SELECT home_phone FROM employee WHERE last_name = 'LEASE'")
    press(again, "Ctrl+Return")
    again.wait("window", utterance="0a1-01-003", saved="0a1-01-002", done=2, writing=False)
    assert again.quit() == 0
    layers = layers_of(bare, "0a1-01-002")
    assert [row.status for row in layers.standing("sql").by_utterance["0a1-01-002"] if row.value] == ["final"]
    assert Bundle(bare / "sessions" / "0a1-01").verify() == []


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
def test_the_command_refuses_what_makes_no_sense(bare: Path, call: Call, options: list[str], printed: str) -> None:
    code, _, refusal = call("annotate", bare, *options)
    assert code == 2 and printed in refusal and len(refusal.strip().splitlines()) == 1


def start(study: Path, window: list[RunningStation], *more: str) -> RunningStation:
    window.append(
        RunningStation("annotator", ["--study", str(study), "--by", "k1", *more], study.parent / "annotator.txt")
    )
    return window[-1]


def press(station: RunningStation, *keys: str) -> None:
    for one in keys:
        station.keys(one)


TURNS = (*SITTINGS[0].turns[1:], *(replace(turn, reasons=()) for turn in SITTINGS[1].turns))
SITTING = Sitting("k20-01", "2026-03-02", "balance", TURNS[:20])
Value = dict[str, Any]


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same session as its script says that it is annotated."""
    folder = make_toy(tmp_path_factory.mktemp("wanted") / "study", annotated=False, sittings=(SITTING,))
    annotate(Bundle(folder / "sessions" / SITTING.session_id), SITTING)
    return folder


def test_a_session_of_20_turns_is_annotated_by_keys(tmp_path: Path, wanted: Path, window: list[RunningStation]) -> None:
    study = make_toy(tmp_path / "study", annotated=False, sittings=(SITTING,))
    station = RunningStation("annotator", ["--study", str(study), "--by", "k1"], tmp_path / "annotator.txt")
    window.append(station)
    annotator = Annotator(station, study)
    for number, turn in enumerate(SITTING.turns, 1):
        annotator.annotate(number, turn, said(wanted, f"{SITTING.session_id}-{number:03}", "w1"))
    station.wait("window", done=20, total=20, writing=False, dirty=False)
    assert station.quit() == 0

    for number in range(1, 21):
        one = f"{SITTING.session_id}-{number:03}"
        assert sorted_said(study, one, "k1") == sorted_said(wanted, one, "w1"), SITTING.turns[number - 1].query
    (session,) = open_corpus([study]).sessions()
    assert [one.eval_class for one in session.utterances] == [turn.eval_class for turn in SITTING.turns]
    assert Bundle(session.path).verify() == []


def sorted_said(study: Path, utterance_id: str, by: str) -> dict[Layer, Value]:
    """What was said; pointers stand in no order."""
    found = said(study, utterance_id, by)
    found["category"]["context"].sort(key=lambda link: (link["utterance_id"], link["to"]))
    return found


class Annotator:
    """Presses what it takes from the turn as it is pre-filled to the turn as it is wanted."""

    def __init__(self, station: RunningStation, study: Path) -> None:
        self._station = station
        self._keys = dict(zip(load_table(study).tags, TAG_KEYS, strict=False))

    def annotate(self, number: int, turn: Said, wanted: dict[Layer, Value]) -> None:
        utterance = f"{SITTING.session_id}-{number:03}"
        self._station.wait("window", utterance=utterance)
        self._transcribe(wanted.get("transcription", {"sro": ""})["sro"])
        self._judge(turn, wanted["category"])
        self._reasons(wanted["category"]["reasons"])
        self._read(turn.readings)
        self._station.wait("window", problems=0)
        self._press("Ctrl+Return")
        self._station.wait("window", saved=utterance)

    def _press(self, *keys: str) -> None:
        for one in keys:
            self._station.keys(one)

    def _transcribe(self, sro: str) -> None:
        if self._station.look()["widgets"]["sro"]["text"] != sro:
            self._press("Ctrl+T", "Ctrl+A")
            self._station.type(sro) if sro else self._press("Delete")
            self._press("Esc")

    def _judge(self, turn: Said, wanted: Value) -> None:
        chosen = set(self._station.look()["widgets"]["tags"]["chosen"].split())
        for name in chosen ^ {*wanted["tags"], *wanted["site_tags"]}:
            self._press(self._keys[name])
        for back, to in turn.context:
            self._press(*[f"Alt+{back}"] * (1 if to == "text" else 2))
        if wanted["category"] == "2":
            self._press("Ctrl+K")
        self._station.wait("window", eval_class=wanted["eval_class"], category=wanted["category"])

    def _reasons(self, wanted: list[str]) -> None:
        table = load_table().offered_reasons(1992)
        keys = {reason.name: key for reason, key in zip(table, TAG_KEYS, strict=False)}
        chosen = self._station.look()["widgets"]["window"]["reasons"].split()
        changes = {*chosen} ^ {*wanted}
        if changes:
            self._press("Ctrl+E")
            self._station.wait("reasons", focus=True)
            self._press(*(keys[name] for name in changes), "Return")

    def _read(self, readings: tuple[tuple[str, float, str], ...]) -> None:
        for number, (sql, _, _) in enumerate(readings[1:], 2):
            self._press("Ctrl+Shift+A", "Ctrl+M", "Ctrl+A")
            self._station.type(sql)
            self._press("F5")
            self._station.wait("window", sql_settled=True, reading=number)
        for _, weight, _ in reversed(readings):
            self._press("Ctrl+L")
            self._station.wait("weight", focus=True)
            self._station.type(f"{weight:g}\n")
            self._press("Alt+Up")
        self._press("Esc")
