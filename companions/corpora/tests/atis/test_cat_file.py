"""The notation of categories, as its specification of 1991 has it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain_corpora.atis.cat_file import BASIC_TAGS, BadCategory, Categorised, read_cat, write_cat


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
