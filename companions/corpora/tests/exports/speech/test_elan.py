"""ELAN files of the toy corpus: read as XML by the rules of the format, and by pympi where it is installed."""

import json
from functools import partial
from itertools import pairwise
from xml.etree import ElementTree as xml

import numpy as np
import pytest
import soundfile

from curtain.corpus.model.utterance import Reference
from curtain.corpus.redaction.utterances import samples
from curtain_corpora.exports.speech import elan
from tests.corpus.given import corpus, session, tone, utterance, written_by

TIERS = ["subject", "words", "sro", "sql", "category", "origins", "wizard_shown", "events"]


exported = partial(written_by, elan.write)


@pytest.fixture(scope="module")
def made(given_toy, tmp_path_factory):
    return exported(given_toy, tmp_path_factory.mktemp("elan") / "out")[0]


def aligned(root, tier):
    """(start, end, text) of each annotation of a tier."""
    at = {slot.get("TIME_SLOT_ID"): int(slot.get("TIME_VALUE")) for slot in root.iter("TIME_SLOT")}
    found = root.iterfind(f"TIER[@TIER_ID='{tier}']/ANNOTATION/ALIGNABLE_ANNOTATION")
    return [
        (at[one.get("TIME_SLOT_REF1")], at[one.get("TIME_SLOT_REF2")], one.findtext("ANNOTATION_VALUE"))
        for one in found
    ]


def test_every_session_has_its_tiers_and_its_recording(made, given_toy):
    for one in given_toy.sessions():
        root = xml.parse(made / f"{one.session_id}.eaf").getroot()
        assert [tier.get("TIER_ID") for tier in root.iter("TIER")] == TIERS
        (media,) = root.iter("MEDIA_DESCRIPTOR")
        assert media.get("MEDIA_URL") == f"file:///{one.session_id}.wav"
        assert media.get("RELATIVE_MEDIA_URL") == f"./{one.session_id}.wav"
        assert (made / f"{one.session_id}.wav").is_file()


def test_the_subject_says_each_query_where_it_was_said(made, given_toy):
    for one in given_toy.sessions():
        root = xml.parse(made / f"{one.session_id}.eaf").getroot()
        # A withdrawn turn has no recording and begins where its key went down.
        begun = [row.start_ms if row.start_ms is not None else dict(row.times)["key_down"] for row in one.utterances]
        said = [row.query or row.lsn or "" for row in one.utterances]
        found = [(start, text or "") for start, _, text in aligned(root, "subject")]
        assert found == sorted(zip(begun, said, strict=True))


def test_what_is_about_an_utterance_hangs_on_it(made, given_toy):
    seen = 0
    for one in given_toy.sessions():
        root = xml.parse(made / f"{one.session_id}.eaf").getroot()
        value = {e.get("ANNOTATION_ID"): e.findtext("ANNOTATION_VALUE") for e in root.iter("ALIGNABLE_ANNOTATION")}
        known = {row.query: row for row in one.utterances if row.query}
        for tier in ("sql", "category", "sro"):
            (found,) = root.iterfind(f"TIER[@TIER_ID='{tier}']")
            assert (found.get("PARENT_REF"), found.get("LINGUISTIC_TYPE_REF")) == ("subject", "about")
            for annotation in found.iter("REF_ANNOTATION"):
                row = known.get(value[annotation.get("ANNOTATION_REF")])
                text = annotation.findtext("ANNOTATION_VALUE")
                if row is not None and tier == "category":
                    assert text.startswith(row.eval_class)
                    seen += 1
                elif row is not None and tier == "sql":
                    assert text.split("\n-- OR\n") == [reading.sql_min for reading in row.references]
    assert seen > 30


def test_the_file_follows_the_rules_of_the_format(made, given_toy):
    for one in given_toy.sessions():
        root = xml.parse(made / f"{one.session_id}.eaf").getroot()
        ids = [e.get("ANNOTATION_ID") for kind in ("ALIGNABLE_ANNOTATION", "REF_ANNOTATION") for e in root.iter(kind)]
        assert len(set(ids)) == len(ids) == int(root.findtext("HEADER/PROPERTY[@NAME='lastUsedAnnotationId']"))
        types = {e.get("LINGUISTIC_TYPE_ID"): e.get("CONSTRAINTS") for e in root.iter("LINGUISTIC_TYPE")}
        assert types == {"utterance": None, "moment": None, "about": "Symbolic_Association"}
        assert {tier.get("LINGUISTIC_TYPE_REF") for tier in root.iter("TIER")} <= set(types)
        for tier in ("subject", "wizard_shown", "events"):
            spans = aligned(root, tier)
            assert all(start < end for start, end, _ in spans)
            assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_the_recording_has_every_sample_at_its_place(made, given_toy):
    for one in given_toy.sessions():
        mix, rate = soundfile.read(made / f"{one.session_id}.wav", dtype="int16")
        for row in one.utterances:
            if row.audio is not None:
                sound, _ = samples(row)
                start = round(row.start_ms * rate / 1000)
                assert np.array_equal(mix[start : start + len(sound)], sound)


def test_pympi_reads_tiers_and_annotations(made, given_toy):
    elan_reader = pytest.importorskip("pympi.Elan", reason="pympi-ling is not installed")
    for one in given_toy.sessions():
        eaf = elan_reader.Eaf(str(made / f"{one.session_id}.eaf"))
        assert list(eaf.get_tier_names()) == TIERS
        assert len(eaf.get_annotation_data_for_tier("subject")) == len(one.utterances)
        classes = [text.split()[0].rstrip(":") for _, _, text, *_ in eaf.get_ref_annotation_data_for_tier("category")]
        assert sorted(classes) == sorted(row.eval_class for row in one.utterances if row.eval_class)


def test_a_session_that_went_on_the_next_day_is_not_a_day_long(tmp_path):
    day = 24 * 3600 * 1000
    first = utterance(1, query="a", start_ms=1000, end_ms=1250, **tone(tmp_path, "a"))
    second = utterance(2, query="b", start_ms=day, end_ms=day + 250, **tone(tmp_path, "b"))
    folder, _ = exported(corpus(session(first, second)), tmp_path / "out")
    root = xml.parse(folder / "e00-01.eaf").getroot()
    assert aligned(root, "subject") == [(1000, 1250, "a"), (601_250, 601_500, "b")]
    assert aligned(root, "events")[0][2] == "pause shortened by 85798 s"
    assert soundfile.info(folder / "e00-01.wav").duration == pytest.approx(601.5, abs=0.01)


def test_takes_that_share_an_edge_are_written_once(tmp_path):
    first = utterance(1, query="a", start_ms=-100, end_ms=150, **tone(tmp_path, "a"))
    second = utterance(2, query="b", start_ms=50, end_ms=300, **tone(tmp_path, "b"))
    folder, _ = exported(corpus(session(first, second)), tmp_path / "out")
    root = xml.parse(folder / "e00-01.eaf").getroot()
    assert aligned(root, "subject") == [(0, 150, "a"), (150, 400, "b")]
    mix, _ = soundfile.read(folder / "e00-01.wav", dtype="int16")
    sound, _ = samples(first)
    assert np.array_equal(mix[: len(sound)], sound)
    assert np.array_equal(mix[len(sound) : 6400], samples(second)[0][1600:])


def test_what_has_no_place_in_time_is_counted(tmp_path):
    folder, shown = exported(corpus(session(utterance(1, query="a"))), tmp_path / "out")
    assert (shown.utterances, dict(shown.dropped)) == (0, {"has no place in time": 1})
    assert sorted(path.name for path in folder.iterdir()) == ["e00-01.eaf"]


@pytest.mark.parametrize("odd", ["../../x", "Zoë ü", "con", "a" * 300, "half \ud800", "<&\"'>\x00\x07\ufffe"])
def test_odd_names_and_texts_stay_in_the_folder_and_come_back(tmp_path, odd):
    row = utterance(1, query=odd, start_ms=0, end_ms=5, references=(Reference(odd, "1"),), notes=(odd,))
    folder, _ = exported(corpus(session(row, session_id=odd)), tmp_path / "out")
    (path,) = folder.glob("*.eaf")
    changed = json.loads((folder / "names.jsonl").read_text("utf-8"))
    assert (changed["name"], changed["id"]) == (path.stem, odd)
    (said,) = aligned(xml.parse(path).getroot(), "subject")
    assert len(said[2]) == len(odd)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["out"]
