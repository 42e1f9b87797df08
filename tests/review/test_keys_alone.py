"""A session of 20 turns annotated through the window's keys alone; then its layers are read."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curtain.corpus.annotation.row import Layer
from curtain.corpus.annotation.tag_table import load_table
from curtain.corpus.model.corpus import open_corpus
from curtain.review.panels.keys import TAG_KEYS
from curtain.session.bundle.bundle import Bundle
from tests.corpus.toy import annotate, make_toy
from tests.corpus.toy_turns import SITTINGS, Said, Sitting
from tests.review.acting import said
from tests.support.driven_station import DrivenStation

pytestmark = pytest.mark.stations

TURNS = (*SITTINGS[0].turns[1:], *(replace(turn, reasons=()) for turn in SITTINGS[1].turns))
SITTING = Sitting("k20-01", "2026-03-02", "balance", TURNS[:20])
Value = dict[str, Any]


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same session as its script says that it is annotated."""
    folder = make_toy(tmp_path_factory.mktemp("wanted") / "study", annotated=False, sittings=(SITTING,))
    annotate(Bundle(folder / "sessions" / SITTING.session_id), SITTING)
    return folder


def test_a_session_of_20_turns_is_annotated_by_keys(tmp_path: Path, wanted: Path, window: list[DrivenStation]) -> None:
    study = make_toy(tmp_path / "study", annotated=False, sittings=(SITTING,))
    station = DrivenStation("annotator", ["--study", str(study), "--by", "k1"], tmp_path / "annotator.txt")
    window.append(station)
    annotator = Annotator(station, study)
    for number, turn in enumerate(SITTING.turns, 1):
        annotator.annotate(number, turn, said(wanted, f"{SITTING.session_id}-{number:03}", "w1"))
    station.until(done=20, total=20, writing=False, dirty=False)
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

    def __init__(self, station: DrivenStation, study: Path) -> None:
        self._station = station
        self._keys = dict(zip(load_table(study).tags, TAG_KEYS, strict=False))

    def annotate(self, number: int, turn: Said, wanted: dict[Layer, Value]) -> None:
        utterance = f"{SITTING.session_id}-{number:03}"
        self._station.until(utterance=utterance)
        self._transcribe(wanted.get("transcription", {"sro": ""})["sro"])
        self._judge(turn, wanted["category"])
        self._reasons(wanted["category"]["reasons"])
        self._read(turn.readings)
        self._station.until(faults=0)
        self._press("Ctrl+Return")
        self._station.until(saved=utterance)

    def _press(self, *keys: str) -> None:
        for one in keys:
            self._station.must(do="keys", keys=one)

    def _transcribe(self, sro: str) -> None:
        if self._station.must(do="look")["widgets"]["sro"]["text"] != sro:
            self._press("Ctrl+T", "Ctrl+A")
            self._station.must(do="type", text=sro) if sro else self._press("Delete")
            self._press("Esc")

    def _judge(self, turn: Said, wanted: Value) -> None:
        chosen = set(self._station.must(do="look")["widgets"]["tags"]["chosen"].split())
        for name in chosen ^ {*wanted["tags"], *wanted["site_tags"]}:
            self._press(self._keys[name])
        for back, to in turn.context:
            self._press(*[f"Alt+{back}"] * (1 if to == "text" else 2))
        if wanted["category"] == "2":
            self._press("Ctrl+K")
        self._station.until(eval_class=wanted["eval_class"], category=wanted["category"])

    def _reasons(self, wanted: list[str]) -> None:
        table = load_table().offered_reasons(1992)
        keys = {reason.name: key for reason, key in zip(table, TAG_KEYS, strict=False)}
        chosen = self._station.must(do="look")["widgets"]["window"]["reasons"].split()
        changes = {*chosen} ^ {*wanted}
        if changes:
            self._press("Ctrl+E")
            self._station.until("reasons", focus=True)
            self._press(*(keys[name] for name in changes), "Return")

    def _read(self, readings: tuple[tuple[str, float, str], ...]) -> None:
        for number, (sql, _, _) in enumerate(readings[1:], 2):
            self._press("Ctrl+Shift+A", "Ctrl+M", "Ctrl+A")
            self._station.must(do="type", text=sql)
            self._press("F5")
            self._station.until(sql_settled=True, reading=number)
        for _, weight, _ in reversed(readings):
            self._press("Ctrl+L")
            self._station.until("weight", focus=True)
            self._station.must(do="type", text=f"{weight:g}\n")
            self._press("Alt+Up")
        self._press("Esc")
