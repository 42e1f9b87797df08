"""A tree with any file damaged in any way is imported soundly or refused in a sentence."""

import json
import re
import shutil

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curtain.base.errors import CurtainError
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.reader import read_session
from curtain.corpus.model.utterance import ContextLink, Reference
from curtain.session.bundle.bundle import Bundle
from curtain_corpora.exports import atis_tree
from curtain_corpora.importing.run import import_tree
from tests.corpus.given import corpus, session, tone, utterance


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
