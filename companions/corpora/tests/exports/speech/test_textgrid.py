"""Praat TextGrids of the toy corpus: read by Praat itself where it is installed, and by the rules of the format."""

import json
import re
import shutil
import subprocess
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
import soundfile

from curtain.corpus.model.utterance import Reference
from curtain.corpus.redaction.utterances import samples
from curtain_corpora.exports.speech import textgrid
from tests.corpus.given import corpus, session, tone, utterance, written_by

TIERS = ["subject", "words", "sro", "sql", "category", "origins", "wizard_shown", "events"]
SCRIPT = """form: "Read"
    infile: "Grid", ""
    infile: "Sound", ""
endform
Read from file: grid$
grid = selected ("TextGrid")
sound = Open long sound file: sound$
length = Get total duration
selectObject: grid
last = Get end time
tiers = Get number of tiers
writeInfoLine: tiers, " ", fixed$ (last, 3), " ", fixed$ (length, 3)
for tier to tiers
    selectObject: grid
    name$ = Get tier name: tier
    interval = Is interval tier: tier
    if interval
        count = Get number of intervals: tier
        for number to count
            label$ = Get label of interval: tier, number
            start = Get start time of interval: tier, number
            appendInfoLine: name$, tab$, fixed$ (start, 3), tab$, label$
        endfor
    else
        count = Get number of points: tier
        for number to count
            label$ = Get label of point: tier, number
            time = Get time of point: tier, number
            appendInfoLine: name$, tab$, fixed$ (time, 3), tab$, label$
        endfor
    endif
endfor
"""


exported = partial(written_by, textgrid.write)


@pytest.fixture(scope="module")
def made(given_toy, tmp_path_factory):
    return exported(given_toy, tmp_path_factory.mktemp("grid") / "out")[0]


def tiers_of(path):
    """[(name, [(start, end, text)])] of a file; a point has its time twice."""
    text = path.read_text("utf-8")
    found = []
    for part in re.split(r"    item \[\d+\]:\n", text)[1:]:
        name = re.search(r'name = "(.*)"', part)[1]
        spans = re.findall(r'xmin = ([\d.]+)\n +xmax = ([\d.]+)\n +text = "((?:[^"]|"")*)"', part)
        points = re.findall(r'number = ([\d.]+)\n +mark = "((?:[^"]|"")*)"', part)
        spans += [(at, at, mark) for at, mark in points]
        found.append((name, [(float(a), float(b), said.replace('""', '"')) for a, b, said in spans]))
    return found


def test_tiers_tile_the_whole_line_of_time(made, given_toy):
    for one in given_toy.sessions():
        path = made / f"{one.session_id}.TextGrid"
        end = float(re.search(r"\nxmax = ([\d.]+)", path.read_text("utf-8"))[1])
        tiers = tiers_of(path)
        assert [name for name, _ in tiers] == TIERS
        for name, spans in tiers[:-1]:
            assert spans[0][0] == 0 and spans[-1][1] == end, name
            assert all(before[1] == after[0] for before, after in pairwise(spans))
            assert all(start < stop for start, stop, _ in spans)


def test_the_subject_says_each_query_where_it_was_said(made, given_toy):
    for one in given_toy.sessions():
        spans = dict(tiers_of(made / f"{one.session_id}.TextGrid"))["subject"]
        said = {(row.start_ms / 1000, row.query) for row in one.utterances if row.query and row.start_ms is not None}
        assert said <= {(start, text) for start, _, text in spans}


def test_what_is_about_an_utterance_stands_over_it(made, given_toy):
    seen = 0
    for one in given_toy.sessions():
        tiers = {
            name: {span[:2]: span[2] for span in spans} for name, spans in tiers_of(made / f"{one.session_id}.TextGrid")
        }
        known = {row.query: row for row in one.utterances if row.query}
        for span, said in tiers["subject"].items():
            if (row := known.get(said)) is not None:
                assert tiers["category"][span].startswith(row.eval_class or "")
                assert tiers["sql"][span] == "\n-- OR\n".join(reading.sql_min for reading in row.references)
                seen += bool(row.eval_class)
    assert seen > 30


def test_the_recording_has_every_sample_at_its_place(made, given_toy):
    for one in given_toy.sessions():
        mix, rate = soundfile.read(made / f"{one.session_id}.wav", dtype="int16")
        for row in one.utterances:
            if row.audio is not None:
                sound, _ = samples(row)
                start = round(row.start_ms * rate / 1000)
                assert np.array_equal(mix[start : start + len(sound)], sound)


def said_in(folder):
    """(start, end, text) in ms of what the subject said."""
    spans = dict(tiers_of(folder / "e00-01.TextGrid"))["subject"]
    return [(round(1000 * start), round(1000 * end), text) for start, end, text in spans if text]


def test_a_session_that_went_on_the_next_day_is_not_a_day_long(tmp_path):
    day = 24 * 3600 * 1000
    first = utterance(1, query="a", start_ms=1000, end_ms=1250, **tone(tmp_path, "a"))
    second = utterance(2, query="b", start_ms=day, end_ms=day + 250, **tone(tmp_path, "b"))
    folder, _ = exported(corpus(session(first, second)), tmp_path / "out")
    assert said_in(folder) == [(1000, 1250, "a"), (601_250, 601_500, "b")]
    assert dict(tiers_of(folder / "e00-01.TextGrid"))["events"][0][2] == "pause shortened by 85798 s"
    assert soundfile.info(folder / "e00-01.wav").duration == pytest.approx(601.5, abs=0.01)


def test_takes_that_share_an_edge_are_written_once(tmp_path):
    first = utterance(1, query="a", start_ms=-100, end_ms=150, **tone(tmp_path, "a"))
    second = utterance(2, query="b", start_ms=50, end_ms=300, **tone(tmp_path, "b"))
    folder, _ = exported(corpus(session(first, second)), tmp_path / "out")
    assert said_in(folder) == [(0, 150, "a"), (150, 400, "b")]
    mix, _ = soundfile.read(folder / "e00-01.wav", dtype="int16")
    sound, _ = samples(first)
    assert np.array_equal(mix[: len(sound)], sound)
    assert np.array_equal(mix[len(sound) : 6400], samples(second)[0][1600:])


def test_what_has_no_place_in_time_is_counted(tmp_path):
    folder, shown = exported(corpus(session(utterance(1, query="a"))), tmp_path / "out")
    assert (shown.utterances, dict(shown.dropped)) == (0, {"has no place in time": 1})
    assert not list(folder.glob("*.wav"))


@pytest.mark.parametrize("odd", ["../../x", "Zoë ü", "con", "a" * 300, "half \ud800", "<&\"'>\x00\x07\ufffe"])
def test_odd_names_and_texts_stay_in_the_folder_and_come_back(tmp_path, odd):
    row = utterance(1, query=odd, start_ms=0, end_ms=5, references=(Reference(odd, "1"),), notes=(odd,))
    folder, _ = exported(corpus(session(row, session_id=odd)), tmp_path / "out")
    (path,) = folder.glob("*.TextGrid")
    changed = json.loads((folder / "names.jsonl").read_text("utf-8"))
    assert (changed["name"], changed["id"]) == (path.stem, odd)
    (said, *_) = dict(tiers_of(path))["subject"]
    assert len(said[2]) == len(odd)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["out"]


@pytest.mark.skipif(shutil.which("praat") is None, reason="praat is not installed")
def test_praat_reads_odd_signs(tmp_path):
    said = {"query": 'Zoë said "五"', "sro": "a [b] ((c))", "eval_class": "A"}
    one = utterance(1, start_ms=250, end_ms=500, **said, **tone(tmp_path, "a"))
    folder, _ = exported(corpus(session(one)), tmp_path / "out")
    check_with_praat(folder, "e00-01", tmp_path)


@pytest.mark.skipif(shutil.which("praat") is None, reason="praat is not installed")
def test_praat_reads_the_toy_corpus(made, given_toy, tmp_path):
    for one in given_toy.sessions():
        check_with_praat(made, one.session_id, tmp_path)


def check_with_praat(folder, name, tmp_path):
    script = tmp_path / "read.praat"
    script.write_text(SCRIPT, "utf-8")
    grid, sound = folder / f"{name}.TextGrid", folder / f"{name}.wav"
    command = ["praat", "--utf8", "--run", "--no-pref-files", str(script), str(grid), str(sound)]
    printed = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode("utf-8")
    first, *lines = printed.strip("\n").split("\n")
    count, end, length = first.split()
    expected = tiers_of(grid)
    assert int(count) == len(expected)
    assert float(end) >= float(length) - 0.001
    flat = [(tier, start, text) for tier, spans in expected for start, _, text in spans]
    rows = "\n".join(lines)
    for tier, start, text in flat:
        assert f"{tier}\t{f'{start:.3f}' if start else '0'}\t{text}" in rows
