"""The ATIS tree of the toy corpus: its files are what the specifications say, and hold what the corpus holds."""

import csv
from pathlib import Path

import pytest
import soundfile

from curtain.base.errors import CurtainError
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import ContextLink, Redaction, Reference
from curtain.session.events.speaker import SpeakerDescription
from curtain_corpora.atis.cat_file import read_cat
from curtain_corpora.atis.documents import read_speakers
from curtain_corpora.atis.names import read_name
from curtain_corpora.atis.session_log import field_of, read_log, stamp
from curtain_corpora.atis.sphere import read_header
from curtain_corpora.exports import atis_tree
from tests.corpus.given import corpus, session, tone, utterance


def tree_of(given, folder: Path) -> Path:
    folder.mkdir()
    atis_tree.write(given, folder, ExportProgress())
    return folder


def pairs_of(tree: Path):
    """(path, name, type) of every file of a session."""
    for path in sorted(tree.glob("spon/*/*/*")):
        yield path, *read_name(path.name)


@pytest.fixture(scope="module")
def tree(given_toy, tmp_path_factory):
    return tree_of(given_toy, tmp_path_factory.mktemp("atis") / "tree")


@pytest.fixture(scope="module")
def by_name(tree, given_toy):
    """The utterances by the stem of their annotation files, through the map that the tree carries."""
    known = {one.utterance_id: one for kept in given_toy.sessions() for one in kept.utterances}
    with (tree / "doc" / "ids.tsv").open(encoding="utf-8", newline="") as file:
        return {row["name"]: known[row["utterance_id"]] for row in csv.DictReader(file, delimiter="\t")}


def test_every_utterance_is_in_the_map_and_every_file_under_its_name(tree, given_toy, by_name):
    assert len(by_name) == sum(len(one.utterances) for one in given_toy.sessions())
    for path, name, _ in pairs_of(tree):
        assert path.parent == tree / name.folder
        assert name.query == "00" or f"{name.stem[:-1]}x" in by_name


def test_a_recordings_header_has_its_21_fields(tree):
    path = next(tree.glob("spon/e00/1/*.wav"))
    fields = read_header(path).fields
    assert len(fields) == 21
    assert (fields["speaker_id"], fields["utterance_id"]) == ("e00", path.stem)
    assert fields["recording_date"].count("-") == 2


def test_texts_are_the_transcriptions(tree, by_name):
    for stem, one in by_name.items():
        for kind, text in (("sro", one.sro), ("lsn", one.lsn), ("win", one.nl_input)):
            path = tree / read_name(f"{stem}.{kind}")[0].folder / f"{stem}.{kind}"
            assert (path.read_text("utf-8") if path.exists() else None) == (None if text is None else f"{text}\n")


def test_a_session_with_three_scenarios_becomes_three_scenario_sessions(tmp_path):
    names = ["a", "b", "a", None, "b"]
    turns = [utterance(turn, scenario_id=name, query=str(turn)) for turn, name in enumerate(names, 1)]
    tree = tree_of(corpus(session(*turns)), tmp_path / "tree")
    logs = {path.parent.name: read_log(path.read_text("utf-8")) for path in tree.glob("spon/e00/*/*.log")}
    shown = {name: [field_of(fields, "Query") for _, fields in log.queries] for name, log in logs.items()}
    assert shown == {"1": ["1", "3"], "2": ["2", "5"], "3": ["4"]}


def test_more_sessions_than_digits_are_told_of(tmp_path):
    many = [session(utterance(1, f"e00-{n:02}"), session_id=f"e00-{n:02}") for n in range(1, 37)]
    tree_of(corpus(*many[:35]), tmp_path / "fits")
    assert len(list(tmp_path.glob("fits/spon/e00/*"))) == 35
    with pytest.raises(CurtainError, match="e00 has more than 35 scenario-sessions"):
        tree_of(corpus(*many), tmp_path / "full")


def test_more_queries_than_two_digits_name_are_told_of(tmp_path):
    many = tuple(utterance(1, utterance_id=f"e00-01-{n}") for n in range(1296))
    with pytest.raises(CurtainError, match="1,296 queries"):
        tree_of(corpus(session(*many)), tmp_path / "tree")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"eval_class": "X", "outcome": "message"}, ("X", ("unanswerable",))),
        ({"eval_class": "X", "outcome": "answer"}, ("X", ("disallowed",))),
        ({"eval_class": "X", "outcome": "cancelled"}, ("X", ("cancelled",))),
        ({"eval_class": "X", "tags": ("book", "damaged")}, ("X", ("book",))),
        ({"eval_class": "A"}, ("A", ())),
    ],
)
def test_class_x_never_stands_alone(tmp_path, values, expected):
    tree = tree_of(corpus(session(utterance(1, **values))), tmp_path / "tree")
    found = read_cat((tree / "spon/e00/1/e00011sx.cat").read_text("utf-8"))
    assert (found.eval_class, found.tags) == expected


def test_a_dependent_query_without_pointers_points_to_the_one_before(tmp_path):
    turns = [utterance(1, eval_class="A"), utterance(2, eval_class="D1")]
    tree = tree_of(corpus(session(*turns)), tmp_path / "tree")
    assert read_cat((tree / "spon/e00/1/e00021sx.cat").read_text("utf-8")).pointers == (1,)


def test_a_context_in_another_scenario_is_reported_in_a_comment_alone(tmp_path):
    link = (ContextLink("e00-01-001", "text"),)
    turns = [utterance(1, scenario_id="a"), utterance(2, scenario_id="b", eval_class="D", tags=("book",), context=link)]
    tree = tree_of(corpus(session(*turns)), tmp_path / "tree")
    found = read_cat((tree / "spon/e00/2/e00012sx.cat").read_text("utf-8"))
    assert (found.pointers, found.comments) == ((), ("context: e00-01-001 text",))


def test_what_is_redacted_is_silent_in_the_tree(tmp_path):
    hidden = utterance(1, **tone(tmp_path, "a"), redactions=(Redaction("name", 0, 100),))
    tree = tree_of(corpus(session(hidden)), tmp_path / "tree")
    sound, rate = soundfile.read(tree / "spon/e00/1/e00011ss.wav", dtype="int16")
    assert not sound[: rate // 10].any()
    assert sound[rate // 10 :].any()


def test_no_maximum_is_reported_where_one_reading_has_none(tmp_path):
    one = utterance(1, references=(Reference("SELECT 1", "1", None, "((1 2))"), Reference("SELECT 3", "3")))
    tree = tree_of(corpus(session(one)), tmp_path / "tree")
    folder = tree / "spon/e00/1"
    assert (folder / "e00011sx.ref").read_text("utf-8") == "(1 OR 3)\n"
    assert (folder / "e00011sx.sql").read_text("utf-8") == "SELECT 1\n-- OR\nSELECT 3\n"
    assert not (folder / "e00011sx.rf2").exists()


ODD = ["../../etc/passwd", "Zoë Ünïcode", "a b\tc\nd", "x" * 300, "con", ".", "日本語", "half \ud800"]


def _odd(odd, sound):
    one = utterance(1, utterance_id=f"{odd}!1", session_id=odd, speaker_id=odd, scenario_id=odd, query=odd, **sound)
    return session(one, session_id=odd, speaker_id=odd, site=odd)


def test_odd_names_stay_in_the_folder_and_in_the_map(tmp_path):
    sessions = [_odd(odd, tone(tmp_path, str(number))) for number, odd in enumerate(ODD)]
    (tmp_path / "deep" / "er").mkdir(parents=True)
    tree = tree_of(corpus(*sessions), tmp_path / "deep" / "er" / "tree")
    everywhere = {path for path in tmp_path.rglob("*") if path.is_file() and path.parent != tmp_path}
    assert all(path.is_relative_to(tree) for path in everywhere)
    assert all(path.name.isascii() and len(path.name) < 30 for path in everywhere)
    assert len(list(tree.glob("spon/*/1/*.wav"))) == len(ODD)


def test_an_utterance_without_recording_or_transcription_has_neither_file(tmp_path):
    tree = tree_of(corpus(session(utterance(1, query="hello"))), tmp_path / "tree")
    assert {path.suffix for path in tree.glob("spon/e00/1/*")} == {".log", ".jsonl"}
    assert "Queries without a detailed transcription: 1" in (tree / "doc/readme.doc").read_text("utf-8")


def test_the_log_tells_the_stated_answer_and_when_it_was_found(given_toy, tree):
    session = next(one for one in given_toy.sessions() if one.session_id == "e00-01")
    (run,) = (one for one in session.scenarios if one.answer is not None)
    logs = [read_log(path.read_text("utf-8")).header for path in sorted(tree.glob("spon/e00/*/*.log"))]
    header = next(one for one in logs if field_of(one, "Scenario") == "balance")
    names = ("End_to_end", "Solution", "Scenario_Ended", "Scenario_Start", "Scenario_End", "Answer_Found")
    assert run.started_ms is not None and run.ended_ms is not None and run.answered_ms is not None
    assert run.started_ms < run.answered_ms < run.ended_ms
    moments = (stamp(run.started_ms), stamp(run.ended_ms), stamp(run.answered_ms))
    assert [field_of(header, name) for name in names] == ["yes", "typed: 52000", "answered", *moments]


def test_a_scenario_that_was_given_up_is_not_end_to_end(tree):
    logs = [read_log(path.read_text("utf-8")).header for path in tree.glob("spon/0a1/*/*.log")]
    header = next(one for one in logs if field_of(one, "Scenario") == "call-list")
    assert (field_of(header, "End_to_end"), field_of(header, "Scenario_Ended")) == ("no", "given_up")
    assert field_of(header, "Answer_Found") is None


def test_the_list_of_speakers_holds_what_they_stated_in_any_of_their_sessions(tmp_path):
    first = session(utterance(), speaker=SpeakerDescription(age="20-29", region="New\tEngland"))
    second = session(
        utterance(session_id="e00-02"), session_id="e00-02", speaker=SpeakerDescription(sex="female", age="30-39")
    )
    other = session(utterance(session_id="e01-01"), session_id="e01-01", questionnaire=(("Sex", "male"), ("Age", "")))
    last = session(
        utterance(session_id="e02-01"), session_id="e02-01", speaker=SpeakerDescription(native_english=False)
    )
    tree = tree_of(corpus(first, second, other, last), tmp_path / "tree")
    file = tree / "doc" / "spkrinfo.log"
    assert [line.split("\t") for line in file.read_text("utf-8").splitlines()] == [
        [";; speaker", "id", "site", "sex", "age", "dialect", "native_english"],
        ["e00", "e00", "lab", "female", "20-29", "New\\tEngland", "unknown"],
        ["e01", "e01", "lab", "male", "unknown", "unknown", "unknown"],
        ["e02", "e02", "lab", "unknown", "unknown", "unknown", "no"],
    ]
    assert read_speakers(file)["e00"] == SpeakerDescription("20-29", "female", "New\tEngland")
    assert "Speakers 3," in (tree / "doc/readme.doc").read_text("utf-8")
