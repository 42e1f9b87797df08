"""Trees that Curtain did not write: old layouts, missing files, odd files; nothing they hold is lost."""

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest
import soundfile

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.corpus.model.reader import read_session
from curtain.corpus.redaction.erasure import forget, plan_for
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import load_study
from curtain.session.untrusted_files import look_through
from curtain_corpora.atis import sphere
from curtain_corpora.commands import importing as commands
from curtain_corpora.importing.run import import_tree

SOUND = (2000 * np.sin(np.arange(3200) / 7)).astype(np.int16)

LOG = """[Site: BBN] [Speaker: e00] [Session: 1] [Scenario: 3] [Date: 1992-10-14] [Mode: wizard]
[Humidity: 40]
0e [Begin_Speech: 14:02:11.320] [End_Speech: 14:02:13.320] [Query: show me flights to boston] [Mood: calm]
0f [Begin_Speech: 14:03:00.000] [End_Speech: 14:03:02.000]
"""


def put(tree: Path, name: str, content: str | bytes | None = None) -> Path:
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if content is None:
        with path.open("wb") as file:
            sphere.write(file, SOUND, 16_000, {"speaker_id": "e00", "microphone": "Sennheiser HMD-414"})
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.fixture
def atis2(tmp_path):
    """As on the discs of ATIS2: recordings apart from texts."""
    tree = tmp_path / "atis2"
    sound, text = "spon/train/bbn/e00/1", "text/train/bbn/e00/1"
    for query in ("0e", "0f"):
        put(tree, f"{sound}/e00{query}1ss.wav")
    put(tree, f"{text}/e00001sx.log", LOG)
    put(tree, f"{text}/e000e1sx.sro", "show me [uh] flights to boston\r\n")
    put(tree, f"{text}/e000e1sx.cat", "A: wh-question\n")
    put(tree, f"{text}/e000e1sx.sql", "SELECT flight_id FROM flight;\n")
    put(tree, f"{text}/e000e1sx.ref", "((100) (101))\n")
    put(tree, f"{text}/e000f1sx.sro", "and to denver\n")
    put(tree, f"{text}/e000f1sx.cat", "D1: context-dependent:Q0e\n")
    put(tree, f"{text}/e000f1sx.ref", "(((200)) OR ((300)))\n")
    put(tree, "doc/readme.doc", b"caf\xe9\n")
    put(tree, "test.ndx", "spon/...\n")
    return tree


def imported(tree, tmp_path, name="e00-01", **options):
    import_tree(tree, tmp_path / "study", **options)
    return read_session(tmp_path / "study" / "sessions" / name)


def test_a_disc_of_atis2_becomes_a_session(atis2, tmp_path):
    one = imported(atis2, tmp_path)
    first, second = one.utterances
    assert (one.domain, one.recorded, one.rule_book) == ("atis", "1992-10-14", "")
    assert [row.utterance_id for row in one.utterances] == ["e00-01-014", "e00-01-015"]
    assert (first.query, first.sro, first.lsn) == (
        "show me flights to boston", "show me [uh] flights to boston", "SHOW ME FLIGHTS TO BOSTON",
    )  # fmt: skip
    assert (first.eval_class, first.tags, first.scenario_id) == ("A", ("wh-question",), "3")
    assert (first.references[0].sql_min, first.references[0].cas_min) == (
        "SELECT flight_id FROM flight",
        "((100) (101))",
    )
    assert [link.utterance_id for link in second.context] == ["e00-01-014"]
    assert [reading.cas_min for reading in second.references] == ["((200))", "((300))"]
    assert (first.start_ms, second.start_ms, first.end_ms) == (0, 48_680, 200)
    assert np.array_equal(soundfile.read(first.audio, dtype="int16")[0], SOUND)
    assert Bundle(one.path).verify() == []


def test_nothing_the_tree_holds_is_lost(atis2, tmp_path):
    put(atis2, "spon/train/bbn/e00/1/e000e1cs.wav")  # no microphone of this name: no file of a session
    second_microphone = put(atis2, "spon/train/bbn/e00/1/e000e1sc.wav")
    odd = {f"doc/{name}": name.encode() for name in ("Notizen – größer.txt", " a b ")}
    for name, content in odd.items():
        put(atis2, name, content)
    one = imported(atis2, tmp_path)
    assert {name: (tmp_path / "study/imported/atis2" / name).read_bytes() for name in odd} == odd
    there = {hashlib.sha256(p.read_bytes()).hexdigest() for p in look_through(tmp_path / "study").plain.values()}
    for path in look_through(atis2).plain.values():
        recording = path.suffix == ".wav" and path != second_microphone and "cs" not in path.name
        if not recording:
            assert hashlib.sha256(path.read_bytes()).hexdigest() in there, path
    header = one.path / "imported/spon/train/bbn/e00/1/e000e1ss.wav.header"
    assert b"Sennheiser HMD-414" in header.read_bytes()
    shown = Bundle(one.path).read_session_json()["imported"]
    assert shown["log"]["e00/1/s"] == {"": [["Humidity", "40"]], "0e": [["Mood", "calm"]]}
    assert shown["ids"] == {"e00-01-014": "e000e1s", "e00-01-015": "e000f1s"}


def test_of_three_copies_of_a_test_set_the_final_one_counts(tmp_path):
    tree = tmp_path / "atis3"
    put(tree, "sp_tst/nov93/e00/1/e00011ss.wav")
    for stage, text in (("initial", None), ("prelim", "A: book"), ("final", "X: book")):
        put(tree, f"sp_tst/nov93/{stage}/e00/1/e00001sx.log", "[Site: BBN]\n")
        if text:
            put(tree, f"sp_tst/nov93/{stage}/e00/1/e00011sx.cat", text)
    one = imported(tree, tmp_path)
    assert one.utterances[0].eval_class == "X"
    kept = sorted(p.relative_to(one.path).as_posix() for p in (one.path / "imported").rglob("*.cat"))
    assert [name.split("/")[3] for name in kept] == ["final", "prelim"]


def test_log_recordings_and_transcriptions_are_enough(tmp_path):
    tree = tmp_path / "flat"
    for query in ("01", "02"):
        put(tree, f"BF0{query}1SS.WAV;1")
        put(tree, f"BF0{query}1SX.SRO;1", "hello\n")
    put(tree, "BF0001SS.LOG;1", "Recorded on a Tuesday\n")
    one = imported(tree, tmp_path, "bf0-01")
    assert [row.sro for row in one.utterances] == ["hello", "hello"]
    assert [row.start_ms for row in one.utterances] == [0, 1200]
    assert {row.eval_class for row in one.utterances} == {None}
    assert Bundle(one.path).read_session_json()["imported"]["times"] == "not told: turns end to end"
    assert Bundle(one.path).read_session_json()["imported"]["log"]["bf0/1/s"][""] == [["", "Recorded on a Tuesday"]]


def test_read_speech_is_a_session_of_its_own(tmp_path):
    tree = tmp_path / "tree"
    put(tree, "spon/e00/1/e00011ss.wav")
    put(tree, "read/e00/1/e00011rs.wav")
    import_tree(tree, tmp_path / "study")
    assert sorted(path.name for path in (tmp_path / "study/sessions").iterdir()) == ["e00-01", "e00-36"]


def test_answers_and_categories_that_break_their_notation_are_not_taken_but_reported(tmp_path, capsys):
    tree = tmp_path / "tree"
    put(tree, "e00011sx.ref", "((1 2\n")
    put(tree, "e00011sx.sql", "SELECT 1")
    put(tree, "e00011sx.cat", "A:")
    put(tree, "e00021sx.cat", "X:\n")
    commands.run(tree, tmp_path / "study", None)
    printed = capsys.readouterr().out
    first, second = read_session(tmp_path / "study" / "sessions" / "e00-01").utterances
    assert [(one.sql_min, one.cas_min) for one in first.references] == [("SELECT 1", None)]
    assert (second.eval_class, second.reasons) == (None, ())
    assert "2 answers or categories are not in the notation" in printed
    assert "e00011sx.ref: " in printed and "e00021sx.cat: Class X needs a tag" in printed
    assert next((tmp_path / "study").rglob("e00011sx.ref")).read_text() == "((1 2\n"


def test_a_speaker_whom_the_study_has_erased_does_not_come_back(atis2, tmp_path):
    put(atis2, "spon/train/bbn/f00/1/f00011ss.wav")
    import_tree(atis2, tmp_path / "study")
    forget(plan_for(load_study(tmp_path / "study"), "e00"), Clock())
    again = import_tree(atis2, tmp_path / "study")
    assert (again.sessions, again.already_there, again.forgotten) == (0, 1, 1)
    assert [path.name for path in (tmp_path / "study" / "sessions").iterdir()] == ["f00-01"]


def test_several_answers_to_one_statement_stay_together(tmp_path):
    tree = tmp_path / "tree"
    put(tree, "e00011sx.ref", "(TRUE OR ((100)))")
    put(tree, "e00011sx.sql", "SELECT flight_id FROM flight")
    put(tree, "e00011sx.cat", "A: yes/no")
    (reading,) = imported(tree, tmp_path).utterances[0].references
    assert (reading.sql_min, reading.cas_min) == ("SELECT flight_id FROM flight", "(TRUE OR ((100)))")


@pytest.mark.parametrize("name", ["nowhere", "empty"])
def test_no_tree_is_reported_in_a_sentence(tmp_path, name):
    (tmp_path / "empty").mkdir()
    with pytest.raises(CurtainError, match=name):
        import_tree(tmp_path / name, tmp_path / "study")
    assert not (tmp_path / "study").exists()


def test_another_session_of_the_same_id_is_never_touched(atis2, tmp_path):
    import_tree(atis2, tmp_path / "study")
    before = look_through(tmp_path / "study").plain
    put(atis2, "spon/train/bbn/e00/1/e000g1ss.wav")
    with pytest.raises(CurtainError, match="another session e00-01"):
        import_tree(atis2, tmp_path / "study")
    assert look_through(tmp_path / "study").plain == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_links_and_special_files_are_left_where_they_are(atis2, tmp_path):
    (atis2 / "e00091ss.wav").symlink_to("/etc/passwd")
    os.mkfifo(atis2 / "e000a1ss.wav")
    assert import_tree(atis2, tmp_path / "study").left == 2


def test_sessions_before_one_that_is_refused_are_there_and_whole(tmp_path):
    tree = tmp_path / "tree"
    put(tree, "spon/e00/1/e00011ss.wav")
    broken = put(tree, "spon/f00/1/f00011ss.wav")
    broken.write_bytes(broken.read_bytes()[:-1000])
    with pytest.raises(CurtainError, match=r"f00011ss\.wav ends early"):
        import_tree(tree, tmp_path / "study")
    sessions = tmp_path / "study/sessions"
    assert [path.name for path in sessions.iterdir()] == ["e00-01"]
    assert Bundle(sessions / "e00-01").verify() == []
    put(tree, "spon/f00/1/f00011ss.wav")
    done = import_tree(tree, tmp_path / "study")
    assert (done.sessions, done.already_there) == (1, 1)


def test_a_recording_with_something_behind_its_samples_is_kept_whole(tmp_path):
    tree = tmp_path / "tree"
    path = put(tree, "e00011ss.wav")
    path.write_bytes(path.read_bytes() + b"a footnote")
    one = imported(tree, tmp_path)
    assert (one.path / "imported/e00011ss.wav").read_bytes() == path.read_bytes()
    assert np.array_equal(soundfile.read(one.utterances[0].audio, dtype="int16")[0], SOUND)


@pytest.mark.parametrize("site", ['A "quoted" lab', "Łódź\\n#", "tab\there"])
def test_the_site_of_a_tree_becomes_the_studys(tmp_path, site):
    tree = tmp_path / "tree"
    put(tree, "e00011ss.wav")
    put(tree, "e00001sx.log", f"[Site: {site.replace(chr(92), chr(92) * 2)}]\n[Domain: personnel]\n")
    import_tree(tree, tmp_path / "study")
    study = load_study(tmp_path / "study")
    assert (study.site, study.domain) == (site, "personnel")
