"""What was redacted stays redacted through an import, and the same spans still say where."""

from hypothesis import example, given
from hypothesis import strategies as st

from curtain.corpus.model.utterance import Redaction
from curtain.corpus.redaction.texts import cut, leaving
from curtain_corpora.importing.redactions import unhidden
from tests.corpus.given import utterance

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
