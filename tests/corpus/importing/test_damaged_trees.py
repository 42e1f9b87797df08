"""A tree with any file damaged in any way is imported soundly or refused in a sentence."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from curtain.base.errors import CurtainError
from curtain.corpus.exports import atis_tree
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.importing.redactions import unhidden
from curtain.corpus.importing.run import import_tree
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_session
from curtain.corpus.model.utterance import ContextLink, Redaction, Reference
from curtain.corpus.redaction.texts import cut, leaving
from curtain.session.bundle.bundle import Bundle
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
    except CurtainError as told:
        assert str(told)
        return
    for bundle in (folder / "study" / "sessions").iterdir():
        assert Bundle(bundle).verify() == []
        read_session(bundle)


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("session", "session_id", 7),
        ("session", "speaker_id", ["e00"]),
        ("session", "site", {"a": 1}),
        ("utterance", "utterance_id", 12),
        ("utterance", "scenario_id", 3.5),
        ("utterance", "turn", "one"),
        (None, "scenario_id", 4),
        (None, "part", "9" * 5000),
        (None, "parts", 1e999),
        (None, "session", 5),
        (None, "query", 5),
        (None, "utterance", "e00"),
    ],
)
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


# What was redacted stays redacted through an import, and the same spans still say where.

TEXTS = st.text("ab [redct]", max_size=20)


@st.composite
def hidden_texts(draw):
    text = draw(st.text("abc de.", min_size=1, max_size=20))
    edges = draw(st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(1, 6)), max_size=3))
    replacement = draw(st.sampled_from(["[redacted]", "[x]", "*"]))
    spans = [
        Redaction("name", start_char=start, end_char=start + length, replacement=replacement) for start, length in edges
    ]
    return text, tuple(spans)


@given(hidden_texts())
def test_spans_inside_a_text_come_back_with_the_text(given_text):
    original, spans = given_text
    shown = cut(original, spans, "query")
    back = unhidden(utterance(1, query=shown, redactions=spans))
    assert back.redactions == spans
    assert cut(back.query, back.redactions, "query") == shown


@given(TEXTS, TEXTS, st.lists(st.builds(
    Redaction, st.just("name"), st.none() | st.integers(0, 90), st.none() | st.integers(0, 90),
    st.none() | st.integers(-3, 30), st.none() | st.integers(-3, 30), st.sampled_from(["[redacted]", "", "a"]),
    st.sampled_from(["query", "sro"])), max_size=3).map(tuple))  # fmt: skip
@example("[ [[[", "", (Redaction("name", end_char=-3, replacement="[redacted]", in_text="query"),))
def test_whatever_the_spans_are_the_texts_stay_as_they_came(query, sro, spans):
    back = unhidden(utterance(1, query=query, sro=sro, redactions=spans))
    left = leaving(back.query, back.sro, back.redactions)
    assert (left.query, left.sro) == (query, sro)
    assert len(back.redactions) == len(spans)


# An import that is killed leaves no half session, and the next one brings everything.

UNTIL = """
import os, sys
from pathlib import Path
from curtain.corpus.importing.run import import_tree

done = []

def step(sessions):
    done.append(sessions)
    if len(done) == int(sys.argv[3]):
        os.kill(os.getpid(), 9)

import_tree(Path(sys.argv[1]), Path(sys.argv[2]), watch=lambda sessions: step)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed with SIGKILL here")
@pytest.mark.parametrize("after", [1, 5])
def test_a_killed_import_is_completed_by_the_next(toy, tmp_path, after):
    given = open_corpus([toy], Filters(live=True))
    tree, study = tmp_path / "tree", tmp_path / "study"
    tree.mkdir()
    atis_tree.write(given, tree, ExportProgress())
    killed = subprocess.run([sys.executable, "-c", UNTIL, str(tree), str(study), str(after)], check=False)
    assert killed.returncode == -9
    for path in (study / "sessions").iterdir():
        assert path.name.startswith(".") or Bundle(path).verify() == []
    import_tree(tree, study)
    assert sorted(path.name for path in (study / "sessions").iterdir()) == [one.session_id for one in given.sessions()]
    assert [len(one.utterances) for one in open_corpus([study], Filters(live=True)).sessions()] == [
        len(one.utterances) for one in given.sessions()
    ]
