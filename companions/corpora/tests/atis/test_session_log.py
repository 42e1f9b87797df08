"""The notations of logs and of categories: our own come back exactly, others lose no word."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain_corpora.atis.cat_file import BASIC_TAGS, BadCategory, Categorised, read_cat, write_cat
from curtain_corpora.atis.names import base36
from curtain_corpora.atis.session_log import SessionLog, field_of, milliseconds, read_log, stamp, write_log

KEYWORDS = st.text("abcdefgh_XYZ", min_size=1, max_size=8)
VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).map(lambda text: text.strip(" \t"))
FIELDS = st.lists(st.tuples(KEYWORDS, VALUES), min_size=1, max_size=4).map(tuple)
QUERIES = st.dictionaries(st.integers(1, 1295).map(lambda n: base36(n, 2)), FIELDS, max_size=4)


@given(FIELDS, QUERIES)
def test_a_log_of_ours_comes_back_exactly(header, queries):
    log = SessionLog(header, tuple(queries.items()))
    assert read_log(write_log(log)) == log


FOREIGN = """[Site: BBN] [Speaker: e00]
   [Wizard Mood: calm]
Recorded on a Tuesday

01 [Begin Speech: 14:02:11.320] [Query: show me flights
  from boston] heard at once
[End Speech: 14:02:13]
0e: [Room: B [back]
[Left open: never closed
02 [begin-speech: 14:03:00.5]
"""


def test_a_log_of_another_laboratory_is_read_as_far_as_it_can_be():
    log = read_log(FOREIGN)
    queries = dict(log.queries)
    assert log.header == (("Site", "BBN"), ("Speaker", "e00"), ("Wizard Mood", "calm"))
    assert field_of(queries["01"], "Begin_Speech") == "14:02:11.320"
    assert field_of(queries["01"], "End_Speech") == "14:02:13"
    assert field_of(queries["01"], "Query") == "show me flights\n  from boston"
    assert field_of(queries["02"], "Begin_Speech") == "14:03:00.5"


@pytest.mark.parametrize("text", [FOREIGN, FOREIGN.replace("\n", "\r\n"), "[: ]", "[[[]]", "01", "[a:\n01 [b: c]"])
def test_no_word_of_a_foreign_log_is_lost(text):
    log = read_log(text)
    kept = [
        *log.loose,
        *(part for fields in (log.header, *(f for _, f in log.queries)) for pair in fields for part in pair),
    ]
    kept += [query for query, _ in log.queries]
    assert set(re.findall(r"\w+", text)) <= set(re.findall(r"\w+", " ".join(kept)))


@given(st.text(st.sampled_from("[]:01a \n\\x"), max_size=40))
def test_any_text_at_all_is_read(text):
    read_log(text)


@given(st.integers(-(10**9), 10**9))
def test_stamps_come_back(ms):
    assert milliseconds(stamp(ms)) == ms


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A:", Categorised("A")),
        ("X: ill-formed\n", Categorised("X", ("ill-formed",))),
        ("D1: context-dependent:Q2", Categorised("D1", (), (2,))),
        (
            "; seen twice\nD: wh-question context-dependent:Q2|Qa",
            Categorised("D", ("wh-question",), (2, 10), (), ("seen twice",)),
        ),
        ("A : yes/no", Categorised("A", ("yes/no",))),
        ("A: wh-question i1 testably-ambiguous", Categorised("A", ("wh-question",), (), ("i1", "testably-ambiguous"))),
    ],
)
def test_a_text_of_the_specification_is_read(text, found):
    assert read_cat(text) == found


@pytest.mark.parametrize("text", ["X:", "D1:", "D:", "B: book", "", "wh-question", "A wh-question"])
def test_what_the_grammar_forbids_is_refused(text):
    with pytest.raises(BadCategory):
        read_cat(text)


@pytest.mark.parametrize("category", [Categorised("X"), Categorised("D1"), Categorised("A", ("no-such-tag",))])
def test_what_the_grammar_forbids_is_not_written(category):
    with pytest.raises(BadCategory):
        write_cat(category)


@given(
    st.builds(
        Categorised,
        st.sampled_from(["A", "D1", "D", "X"]),
        st.lists(st.sampled_from(BASIC_TAGS), min_size=1, unique=True).map(tuple),
        st.lists(st.integers(1, 1295), unique=True, max_size=4).map(tuple),
        st.just(()),
        st.lists(st.text("abc: é"), max_size=3).map(
            lambda lines: tuple(line.strip() for line in lines if line.strip(": "))
        ),
    )
)
def test_what_is_written_is_read_again(category):
    assert read_cat(write_cat(category)).tags == category.tags
    assert read_cat(write_cat(category)) == category
