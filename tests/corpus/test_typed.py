"""Every row says how its question was asked and where words and answers come from; formats leave out what they must."""

import gzip
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from curtain.corpus.exports.recordings import TYPED
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_session, read_timeline
from curtain.corpus.model.utterance import Redaction, Utterance
from curtain.session.bundle.bundle import Bundle
from curtain.session.turns.pace import pace_of
from curtain.session.turns.turns import read_turns
from curtain_corpora.importing.run import import_tree
from tests.corpus.formats import FORMATS
from tests.corpus.given import utterance
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import Said, Sitting
from tests.corpus.two_sites import TURNS

SPOKEN = Said("Show me all the divisions.", "SELECT division FROM division", "A", "0")
TYPED_TURN = replace(SPOKEN, typed=True, annotated=False)
AS_TYPED = ("Show me ALL the divisions of iPhone & Co, please!", "which divisions has McKay? thx")
NEEDS_SOUND = {"huggingface", "kaldi", "nist"}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sitting = Sitting("e00-01", "2026-03-01", "balance", (SPOKEN, TYPED_TURN))
    return make_toy(tmp_path_factory.mktemp("typed") / "study", sittings=(sitting,))


@pytest.fixture
def typed(study: Path) -> Utterance:
    return read_session(study / "sessions" / "e00-01").utterances[1]


def test_a_typed_turn_has_words_and_no_sound_and_its_waits_begin_with_enter(study: Path, typed: Utterance) -> None:
    assert (typed.modality, typed.audio, typed.query, typed.text_from) == ("text", None, SPOKEN.query, "typed")
    turns = read_turns(Bundle(study / "sessions" / "e00-01"))
    assert [(turn.modality, turn.query_by) for turn in turns] == [("speech", "wizard"), ("text", "subject")]
    keys = [turn.key is not None for turn in read_timeline(study / "sessions" / "e00-01").turns]
    assert keys == [True, False], "no key was held"
    times = turns[1].times
    entered, began = times["key_up"], times["key_down"]
    assert entered is not None and began is not None
    assert entered - began == 3000
    assert turns[1].reply is not None
    assert typed.wizard_latency_ms == turns[1].reply.sent - entered
    pace = pace_of(turns)
    assert (pace.queries, pace.typed, len(pace.to_reply_ms), len(pace.typed_to_reply_ms)) == (2, 1, 1, 1)
    assert "Queries: 2. Typed: 1." in pace.sentence() and "From Enter: 6.5 s" in pace.sentence()
    assert pace.to_reply_ms[0] > pace.typed_to_reply_ms[0]


def _said(folder: Path) -> Iterator[bytes]:
    for path in (path for path in folder.rglob("*") if path.is_file()):
        yield str(path).encode()
        yield gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


@pytest.fixture(scope="module")
def typed_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One question of which only the subject knows the words, and one that was annotated."""
    turns = [replace(SPOKEN, query=text, typed=True, annotated=at > 0) for at, text in enumerate(AS_TYPED)]
    sitting = Sitting("e00-01", "2026-03-01", "balance", (SPOKEN, *turns))
    return make_toy(tmp_path_factory.mktemp("as_typed") / "study", sittings=(sitting,))


@pytest.mark.parametrize("name", [one.name for one in FORMATS])
def test_a_format_has_each_question_as_it_was_typed_or_counts_it_as_left_out(
    typed_study: Path, tmp_path: Path, name: str
) -> None:
    report = export(open_corpus([typed_study], Filters(live=True)), name, tmp_path / name)
    left_out, (live, judged) = dict(report.dropped), AS_TYPED
    assert left_out.get(TYPED, 0) == 2 * (name in NEEDS_SOUND)
    # A copy of the whole session says it in the journal.
    said = b"\n".join(_said(tmp_path / name)).replace(b"&amp;", b"&")
    assert b"modality" in said or b"turn_typed" in said
    # Nobody has classed the first, which some formats need.
    kept = () if name in NEEDS_SOUND else (judged,) if left_out else (live, judged)
    assert [text for text in kept if text.encode() not in said] == []


def test_a_tree_brings_typed_turns_back(study: Path, tmp_path: Path, typed: Utterance) -> None:
    export(open_corpus([study], Filters(live=True)), "atis", tmp_path / "tree")
    import_tree(tmp_path / "tree", tmp_path / "back")
    (back,) = (tmp_path / "back" / "sessions").iterdir()
    again = read_session(back).utterances[1]
    names = ("modality", "query", "text_from", "wizard_latency_ms", "audio", "outcome")
    assert [getattr(again, one) for one in names] == [getattr(typed, one) for one in names]
    times = dict(typed.times)
    assert all(dict(again.times)[one] == times[one] for one in ("key_down", "key_up"))


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


def test_a_row_says_who_says_what(rows: dict[str, Utterance]) -> None:
    assert {name: (rows[name].text_from, rows[name].sql_from, rows[name].class_from) for name in ORIGINS} == ORIGINS


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
