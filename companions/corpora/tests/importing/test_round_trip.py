"""Bundle, tree, bundle: the same rows; a tree with any file damaged comes in soundly or is refused in a sentence."""

import json
import re
import shutil
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.corpus.annotation.checks import check_study
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.exports.utterance_table import row_of
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_for_annotation, read_session
from curtain.corpus.model.utterance import ContextLink, Reference, Session, Utterance
from curtain.corpus.redaction.utterances import samples
from curtain.session.bundle.bundle import Bundle
from curtain.session.events.speaker import SpeakerDescription
from curtain_corpora.atis.sidecar import KIND
from curtain_corpora.exports import atis_tree
from curtain_corpora.importing.run import import_tree
from curtain_corpora.importing.scenes import read_scene
from curtain_corpora.importing.tree import SceneFiles, walk
from tests.corpus.given import corpus, session, tone, utterance

ALL = Filters(live=True)
NOT_OF_THE_ROWS = {"undisclosed", "path", "manifest_sha256", "annotations_sha256", "closed", "utterances"}
pytestmark = pytest.mark.filterwarnings("error")


def tree_of(sessions, folder: Path) -> Path:
    folder.mkdir()
    atis_tree.write(sessions, folder, ExportProgress())
    return folder


def rows(one: Session) -> list[Utterance]:
    # Of statements a tree keeps the references alone.
    return [replace(utterance, audio=None) for utterance in one.utterances]


def about(one: Session) -> dict[str, object]:
    return {field.name: getattr(one, field.name) for field in fields(one) if field.name not in NOT_OF_THE_ROWS}


def assert_same(before: Session, after: Session) -> None:
    assert about(after) == about(before)
    assert rows(after) == rows(before)
    for ours, theirs in zip(before.utterances, after.utterances, strict=True):
        assert (ours.audio is None) == (theirs.audio is None)
        if ours.audio is not None:
            assert samples(theirs)[0].tobytes() == samples(ours)[0].tobytes()


def test_a_study_of_two_sites_comes_back_as_it_was(own_toy, tmp_path):
    (own_toy / "splits.json").write_text('{"speakers": {"e00": "train", "zz9": "test"}}')
    other = Bundle(own_toy / "sessions" / "zz9-01")
    other.update_session_json(site="other")
    other.write_manifest()
    before = open_corpus([own_toy], ALL)
    done = import_tree(tree_of(before, tmp_path / "tree"), tmp_path / "back")
    after = open_corpus([tmp_path / "back"], ALL)
    for one, other in zip(before.sessions(), after.sessions(), strict=True):
        assert_same(one, other)
        assert [row_of(one, said) for said in one.utterances] == [row_of(other, said) for said in other.utterances]
        assert Bundle(other.path).verify() == []
        assert Bundle(other.path).state == "closed"
    assert done.utterances == sum(len(one.utterances) for one in before.sessions())
    assert {one.split for kept in before.sessions() for one in kept.utterances} == {"train", "test", "none"}


def test_a_tree_of_an_imported_study_is_the_same_tree(toy, tmp_path):
    first = tree_of(open_corpus([toy], ALL), tmp_path / "first")
    import_tree(first, tmp_path / "study")
    again = tree_of(open_corpus([tmp_path / "study"], ALL), tmp_path / "again")
    names = sorted(path.relative_to(first) for path in first.rglob("*.*") if path.suffix not in (f".{KIND}", ".doc"))
    assert names == sorted(p.relative_to(again) for p in again.rglob("*.*") if p.suffix not in (f".{KIND}", ".doc"))
    for name in names:
        assert (again / name).read_bytes() == (first / name).read_bytes(), name


def test_without_our_own_files_what_the_others_hold_comes_back(toy, tmp_path):
    before = open_corpus([toy], ALL)
    tree = tree_of(before, tmp_path / "tree")
    for path in tree.rglob(f"*.{KIND}"):
        path.unlink()
    import_tree(tree, tmp_path / "study")
    held = (
        "utterance_id", "session_id", "speaker_id", "turn", "scenario_id", "frames", "sample_rate_hz", "start_ms",
        "end_ms", "yes_no", "query", "sro", "nl_input", "category", "eval_class", "tags", "site_tags", "reasons",
        "context", "references", "outcome", "message_id", "message", "counts_as", "wizard_latency_ms",
        "history_cleared", "clipped", "recovered", "cut_short", "notes", "times",
    )  # fmt: skip
    for one, other in zip(before.sessions(), open_corpus([tmp_path / "study"], ALL).sessions(), strict=True):
        of_rows = {row.scenario_id for row in one.utterances}
        assert other.scenarios == tuple(run for run in one.scenarios if run.scenario_id in of_rows)
        for ours, theirs in zip(one.utterances, other.utterances, strict=True):
            # Preferences among readings, and whether a reading needs the context, have no place in the other files.
            plain = tuple(replace(reading, weight=1.0, reads="any") for reading in ours.references)
            expected = {name: getattr(ours, name) for name in held} | {"references": plain}
            # When a recogniser was done has no place in a session's log.
            expected["times"] = tuple(moment for moment in ours.times if moment[0] != "words_shown")
            if "wizard-error" in ours.tags:
                # Of the reply that was corrected only our own file has the moment.
                times = dict(ours.times)
                expected["wizard_latency_ms"] = times[f"{ours.outcome}_sent"] - times["key_up"]
            assert {name: getattr(theirs, name) for name in held} == expected
        assert Bundle(other.path).verify() == []


# -- generated corpora -----------------------------------------------------------------------------------

TEXT = st.text(max_size=12)
NAMES = st.text(min_size=1, max_size=8)
REFERENCES = st.lists(st.builds(Reference, *4 * [TEXT | st.none()], st.floats(0, 2), st.just("any")), max_size=3).map(
    tuple
)


@st.composite
def any_utterance(draw, number: int) -> Utterance:
    """Any row at all, also one that no session could have."""
    name = draw(NAMES)
    return Utterance(
        utterance_id=f"{name}{number}",
        session_id=draw(NAMES),
        speaker_id=draw(NAMES),
        turn=number,
        scenario_id=draw(st.none() | st.sampled_from(["a", "../b", ""])),
        start_ms=draw(st.none() | st.integers(-(10**6), 10**6)),
        end_ms=draw(st.none() | st.integers(-(10**6), 10**6)),
        query=draw(TEXT | st.none()),
        sro=draw(TEXT | st.none()),
        lsn=draw(TEXT | st.none()),
        category=draw(st.sampled_from([None, "0", "1", "X"])),
        eval_class=draw(st.sampled_from([None, "A", "D1", "D", "X"])),
        tags=draw(st.lists(st.sampled_from(["book", "yes/no", "damaged", "é,;"]), unique=True).map(tuple)),
        reasons=draw(st.lists(TEXT, max_size=2).map(tuple)),
        references=draw(REFERENCES),
        outcome=draw(st.sampled_from(["answer", "message", "open", "cancelled"])),
        message=draw(TEXT | st.none()),
        notes=draw(st.lists(TEXT, max_size=2).map(tuple)),
        times=draw(st.dictionaries(NAMES, st.integers(-9, 10**9), max_size=3).map(lambda times: tuple(times.items()))),
        nl_input=draw(TEXT | st.none()),
    )


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_row_at_all_comes_back_from_the_tree(tmp_path_factory, data):
    count = data.draw(st.integers(1, 4))
    given_rows = tuple(data.draw(any_utterance(number)) for number in range(1, count + 1))
    one = session(
        *given_rows, session_id=data.draw(NAMES), site=data.draw(TEXT), questionnaire=((data.draw(TEXT), "x"),)
    )
    tree = tree_of(corpus(one), tmp_path_factory.mktemp("any") / "tree")
    walked, shelf = walk(tree), SceneFiles()
    read = [read_scene(scene.key, shelf.files_of(scene)) for scene in walked.scenes]
    back = sorted((row for scene in read for row in scene.utterances), key=lambda row: row.turn)
    assert back == list(given_rows)
    assert all(about(scene.session) == about(one) for scene in read)


def test_what_is_hidden_breaks_no_rule_after_import(own_toy, tmp_path):
    bundle = Bundle(own_toy / "sessions" / "e00-02")
    said = [one for one in read_for_annotation(bundle.path)[0].utterances if one.query]
    # A word, several words, or all of them, with a part of the recording or without.
    rows_to_add = []
    for turn, one in enumerate(said):
        heard = {"start_ms": 10, "end_ms": 50} if turn % 2 else {}
        end = len(one.query) if turn % 3 else max(1, one.query.find(" "))
        span = {"kind": "name", "start_char": one.query.rfind(" ") + 1 if turn % 3 == 2 else 0, "end_char": end}
        value = {"spans": [{**span, **heard, "in_text": "query"}]}
        rows_to_add.append(new_row(one.utterance_id, "redaction", value, "w9", Clock()))
    Layers(bundle).add_all(rows_to_add)
    tree = tree_of(open_corpus([bundle.path], ALL), tmp_path / "tree")
    import_tree(tree, tmp_path / "back")
    for path in tree.rglob(f"*.{KIND}"):
        path.unlink()
    import_tree(tree, tmp_path / "without our own files")
    for study in (own_toy, tmp_path / "back", tmp_path / "without our own files"):
        assert check_study(study).annotated and check_study(study).findings == []


# -- files that somebody changed -------------------------------------------------------------------------


def test_a_transcription_that_was_corrected_in_the_tree_counts(tmp_path):
    first = utterance(1, query="a", sro="a b", eval_class="A", tags=("wh-question",), category="0",
                      annotators=("p-00000001",), times=(("key_down", 0), ("key_up", 250)),
                      **tone(tmp_path, "a"))  # fmt: skip
    tree = tree_of(corpus(session(first)), tmp_path / "tree")
    folder = tree / "spon/e00/1"
    (folder / "e00011sx.sro").write_text("a [cough] c\n")
    (folder / "e00011sx.cat").write_text("X: ill-formed\n")
    (folder / "e00011sx.ref").write_text("((1) (2))\n")
    import_tree(tree, tmp_path / "study")
    (back,) = open_corpus([tmp_path / "study"], ALL).sessions()
    (row,) = back.utterances
    assert (row.sro, row.lsn) == ("a [cough] c", "A C")
    assert (row.eval_class, row.tags, row.category) == ("X", ("ill-formed",), None)
    assert (row.query, row.annotators) == ("a", ("p-00000001",))


def test_a_recording_that_was_taken_out_of_the_tree_is_missing_and_nothing_else(tmp_path):
    first = utterance(
        1, query="a", annotators=("p-00000001",), **tone(tmp_path, "a"), times=(("key_down", 0), ("key_up", 250))
    )
    tree = tree_of(corpus(session(first)), tmp_path / "tree")
    next(tree.rglob("*.wav")).unlink()
    import_tree(tree, tmp_path / "study")
    (back,) = open_corpus([tmp_path / "study"], ALL).sessions()
    assert (back.utterances[0].audio, back.utterances[0].query) == (None, "a")
    assert Bundle(back.path).verify() == []


@pytest.mark.parametrize("held", ["by the rows beside", "by the list of speakers", "in another notation"])
def test_what_a_speaker_stated_comes_back(tmp_path, held):
    """A list in another notation states nothing."""
    stated = SpeakerDescription("20-29", "female", "New England", False)
    tree = tree_of(corpus(session(utterance(query="who is it"), speaker=stated)), tmp_path / "tree")
    for path in tree.rglob(f"*.{KIND}") if held != "by the rows beside" else ():
        path.unlink()
    if held == "in another notation":
        (tree / "doc" / "spkrinfo.log").write_text("e00 F 25\n")
    import_tree(tree, tmp_path / "study")
    (back,) = open_corpus([tmp_path / "study"], ALL).sessions()
    assert back.speaker == (stated if held != "in another notation" else None)


@pytest.fixture(scope="module")
def sound_tree(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sound")
    times = (("key_down", 300), ("key_up", 500), ("query_sent", 900), ("answer_sent", 2000))
    common = {"query": "a b", "sro": "a [cough] b", "eval_class": "D", "tags": ("book",), "annotators": ("ann",)}
    common |= {"references": (Reference("SELECT 1", "((1))", "SELECT 2", "((1 2))"),), "outcome": "answer"}
    common |= {"times": times, "notes": ("n",), "nl_input": "x"}
    first = utterance(1, **common, **tone(folder, "1", 400))
    second = utterance(2, context=(ContextLink("e00-01-001", "text"),), **common, **tone(folder, "2", 400))
    tree = folder / "tree"
    tree.mkdir()
    atis_tree.write(corpus(session(first, second, questionnaire=(("q.a", "b"),))), tree, ExportProgress())
    return tree


@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_a_damaged_file_is_no_traceback(sound_tree, tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("damaged")
    tree = shutil.copytree(sound_tree, folder / "tree")
    paths = sorted(path for path in tree.rglob("*") if path.is_file())
    for path in data.draw(st.lists(st.sampled_from(paths), min_size=1, max_size=3, unique=True)):
        content = path.read_bytes()
        start = data.draw(st.integers(0, len(content)))
        end = data.draw(st.integers(start, min(len(content), start + 40)))
        put = data.draw(
            st.binary(max_size=8) | st.sampled_from([b"9" * 5000, b"[", b"]", b'"', b"{}\n", b"\xff\xfe", b"-"])
        )
        path.write_bytes(content[:start] + put + content[end:])
    try:
        import_tree(tree, folder / "study")
    except CurtainError as shown:
        assert str(shown)
        return
    for bundle in (folder / "study" / "sessions").iterdir():
        assert Bundle(bundle).verify() == []
        read_session(bundle)


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("session", "session_id", 7), ("session", "speaker_id", ["e00"]), ("session", "site", {"a": 1}),
        ("utterance", "utterance_id", 12), ("utterance", "scenario_id", 3.5), ("utterance", "turn", "one"),
        (None, "scenario_id", 4), (None, "part", "9" * 5000), (None, "parts", 1e999), (None, "session", 5),
        (None, "query", 5), (None, "utterance", "e00"),
    ],
)  # fmt: skip
def test_a_record_with_another_kind_of_value_is_named(sound_tree, tmp_path, part, key, value):
    tree = shutil.copytree(sound_tree, tmp_path / "tree")
    [beside] = tree.rglob("*.jsonl")
    lines = [json.loads(line) for line in beside.read_text("utf-8").splitlines()]
    for line in lines:
        where = line if part is None else line.get(part)
        if where is not None and (part or key in line):
            where[key] = value
    beside.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    with pytest.raises(CurtainError, match=beside.name):
        import_tree(tree, tmp_path / "study")


@pytest.mark.parametrize(
    ("kind", "name", "was", "now"),
    [
        ("log", "Speaker", "e00", "e05"), ("log", "Speaker_Id", "e00", "e05"), ("log", "Dialect", "1992", "1994"),
        ("jsonl", "Domain", "personnel", "atis"),
    ],
)  # fmt: skip
def test_parts_of_one_session_that_contradict_each_other_are_named(tmp_path, kind, name, was, now):
    (tree := tmp_path / "tree").mkdir()
    atis_tree.write(corpus(session(*(utterance(at, scenario_id=f"{at}") for at in (1, 2)))), tree, ExportProgress())
    first, second = sorted((tree / "spon").rglob(f"*.{kind}"))
    second.write_text(changed := re.sub(rf'({name}: |": "){was}', rf"\g<1>{now}", second.read_text()))
    sentence = f"{first} and {second} are of one session, e00-01, but differ in {name}: “{was}” and “{now}”."
    with pytest.raises(CurtainError, match=sentence):
        import_tree(tree, tmp_path / "study")
    second.rename(copy := tree / second.name)
    second.write_text(f"{changed}\n")
    with pytest.raises(CurtainError, match=f"{copy} and {second} differ"):
        import_tree(tree, tmp_path / "study")
    assert not (tmp_path / "study").exists()
