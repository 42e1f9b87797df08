from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.corpus.annotation.values import BadValue
from curtain.corpus.model.utterance import ContextLink, Redaction, Utterance
from curtain.review.control.work import EditedReading, TurnAnnotation, judged, values_of, work_of

TURN = Utterance("e00-01-005", "e00-01", "e00", 5, query="Who?", outcome="answer")
texts = st.text("ab<> [é北]", max_size=8).map(str.strip)
names = st.lists(st.sampled_from(["book", "wh-question", "yes/no"]), unique=True).map(tuple)
readings = st.builds(
    EditedReading,
    sql_min=texts.filter(bool),
    sql_max=texts,
    cas_min=st.sampled_from(["((1))", "YES"]),
    cas_max=st.none() | st.just("((1 2))"),
    weight=st.floats(0.05, 9),
    reads=st.sampled_from(["any", "with_context", "without_context"]),
)
works = st.builds(
    TurnAnnotation,
    sro=texts,
    tags=names,
    site_tags=names,
    reasons=names,
    context=st.lists(st.builds(ContextLink, st.just("e00-01-004"), st.sampled_from(["text", "answer"]))).map(tuple),
    ellipsis=st.booleans(),
    readings=st.lists(readings, min_size=1, max_size=6).map(tuple),
    yes_no=st.booleans(),
    note=texts,
    redactions=st.lists(st.builds(Redaction, texts, start_ms=st.integers(0, 99))).map(tuple),
)


@given(works)
def test_what_is_said_comes_back_from_its_rows(work: TurnAnnotation) -> None:
    annotation = replace(judged(work, TURN), category="2" if work.ellipsis else "0", eval_class="A")
    assert work_of(values_of(work, annotation), TurnAnnotation()) == work


def test_answers_without_a_statement_stay_answers_by_hand() -> None:
    work = TurnAnnotation(readings=(EditedReading(cas_min="((1))"),))
    values = values_of(work, judged(work, TURN))
    assert "sql" not in values and values["cas"]["references"][0]["cas_min"] == "((1))"
    assert work_of(values, TurnAnnotation()) == work


def test_a_row_that_holds_something_else_is_reported_with_its_layer() -> None:
    with pytest.raises(BadValue, match="category"):
        work_of({"category": {"tags": 3}}, TurnAnnotation())
