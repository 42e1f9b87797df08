"""Every row says where its words, its answers and its class come from, and how much of it is hidden."""

from dataclasses import replace
from pathlib import Path

import pytest

from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import NOT_CLASSED, NOT_TRANSCRIBED, Filters
from curtain.corpus.model.utterance import Redaction, Utterance
from tests.corpus.given import counted, utterance
from tests.corpus.two_sites import ANNOTATED, LIVE, TURNS

ALL = Filters(live=True)


@pytest.fixture(scope="module")
def rows(two_sites: Path) -> dict[str, Utterance]:
    kept = [one for held in open_corpus([two_sites], ALL).sessions() for one in held.utterances]
    by_id = {one.utterance_id: one for one in kept}
    return {name: by_id[utterance_id] for name, utterance_id in TURNS.items()}


ORIGINS = {
    "stands alone": ("annotated", "annotated", "annotated"),
    "follow-up that nobody annotated": ("live", "live", None),
    "excluded": ("annotated", None, "annotated"),
    "ruled": ("annotated", "annotated", "ruled"),
    "transcribed, not classed": ("annotated", "live", None),
}


@pytest.mark.parametrize("name", ORIGINS)
def test_a_row_says_who_says_what(rows: dict[str, Utterance], name: str) -> None:
    one = rows[name]
    assert (one.text_from, one.sql_from, one.class_from) == ORIGINS[name]


def test_what_nobody_annotated_is_left_out_and_counted(two_sites: Path) -> None:
    corpus = open_corpus([two_sites])
    kept = [one for held in corpus.sessions() for one in held.utterances]
    assert len(kept) == ANNOTATED and {one.text_from for one in kept} == {"annotated"}
    assert corpus.counts.dropped == {NOT_TRANSCRIBED: LIVE - 1, NOT_CLASSED: 1}
    assert counted(open_corpus([two_sites], ALL)).kept == ANNOTATED + LIVE


def test_only_what_a_person_has_judged_stands_alone(rows: dict[str, Utterance]) -> None:
    assert [name for name, one in rows.items() if one.stands_alone] == [
        "stands alone", "hidden in part", "silenced", "ruled", "hidden under another text",
    ]  # fmt: skip


def test_hidden_words_leave_a_mark_and_a_row_says_how_much_of_it_is_hidden(rows: dict[str, Utterance]) -> None:
    assert rows["hidden in part"].lsn == "THIS IS [redacted] SPEAKING WHAT IS THE NAME OF DEPARTMENT FORTY FIVE"
    assert rows["silenced"].lsn == "LIST THE [redacted] WITH THEIR SALARIES"
    one = rows["hidden under another text"]
    assert (one.query, one.sro, one.lsn) == (
        "How many people work here?", "how many people work here", "HOW MANY [redacted] WORK HERE",
    )  # fmt: skip
    hidden = {name: one.redacted for name, one in rows.items() if one.redacted != "none"}
    assert hidden == {"hidden in part": "part", "silenced": "whole", "hidden under another text": "part"}


SPANS = [
    ((), "none"), (((0, 0),), "part"), (((0, 999),), "part"), (((0, 1000),), "whole"), (((None, None),), "whole"),
    (((500, None), (None, 500)), "whole"), (((0, 400), (500, 1000)), "part"),
    (((0, 600), (500, 1000), (3000, 4000)), "whole"),
]  # fmt: skip


@pytest.mark.parametrize(("spans", "expected"), SPANS)
def test_a_recording_is_hidden_as_a_whole_where_spans_cover_it(
    spans: tuple[tuple[int | None, int | None], ...], expected: str
) -> None:
    one = replace(utterance(), frames=16000, sample_rate_hz=16000)
    redactions = tuple(Redaction("name", start_ms=start, end_ms=end) for start, end in spans)
    assert replace(one, redactions=redactions).redacted == expected
