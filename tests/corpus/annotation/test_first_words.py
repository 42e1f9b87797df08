"""The recogniser's drafts: a first transcription where nobody wrote one, and the times of words that somebody wrote."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pympi
import pytest

from curtain.base.clock import Clock
from curtain.base.hearing import HeardWord, Hearing
from curtain.corpus.annotation.first_words import (
    BY,
    draft_words,
    of_recogniser,
    sound_of,
    times_of_words,
    write_first_words,
)
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.annotation.row import LayerRow
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.reader import read_with_record
from curtain.corpus.model.utterance import Redaction, Session
from curtain.review.control.ledger import Ledger
from curtain.session.bundle.bundle import Bundle
from tests.corpus.toy import make_toy


def heard(words: Sequence[str]) -> Future[Hearing]:
    done: Future[Hearing] = Future()
    spoken = tuple(HeardWord(word, at, at + 0.5, 0.9) for at, word in enumerate(words))
    done.set_result(Hearing(spoken, "tiny.en", "test 1"))
    return done


def hear(wav: Path) -> Future[Hearing]:
    return heard(["list", "everybody"])


def align(wav: Path, words: Sequence[str]) -> Future[Hearing]:
    return heard(words)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Of the toy corpus, with one turn whose words nobody wrote."""
    study = make_toy(tmp_path / "toy")
    whole, _ = read_with_record(min((study / "sessions").iterdir()), Domains())
    silent, *others = (turn for turn in whole.utterances if turn.audio is not None)
    return replace(whole, utterances=(replace(silent, lsn=None, sro=None, query=None), *others))


def row(session: Session, utterance_id: str) -> LayerRow | None:
    return of_recogniser(Layers(Bundle(session.path)).standing("transcription"), utterance_id)


def test_a_turn_without_words_gets_a_draft_and_other_words_get_their_times(session: Session) -> None:
    done = dict(write_first_words(session, hear, align, Clock()))
    silent, *others = session.utterances
    assert done[silent.utterance_id] == "transcribed"
    draft = row(session, silent.utterance_id)
    assert draft is not None and (draft.by, draft.status) == (BY, "draft")
    assert (draft.value["sro"], draft.value["times"]) == ("list everybody", [[0, 500], [1000, 1500]])
    assert draft.value["confidences"] == [0.9, 0.9] and [word.confidence for word in draft_words(draft)] == [0.9, 0.9]
    timed = [turn for turn in others if turn.lsn]
    assert timed and all(done[turn.utterance_id] == "timed" for turn in timed)
    for turn in timed:
        placed = row(session, turn.utterance_id)
        assert placed is not None and len(placed.value["times"]) == len(str(turn.lsn).split())
        assert draft_words(placed) == ()


def test_nothing_is_done_twice_until_a_text_changes_and_no_text_of_a_person_is_touched(session: Session) -> None:
    before = Layers(Bundle(session.path)).rows("transcription")
    assert list(write_first_words(session, hear, align, Clock()))
    assert list(write_first_words(session, hear, align, Clock())) == []
    rows = Layers(Bundle(session.path)).rows("transcription")
    assert rows[: len(before)] == before and {one.by for one in rows[len(before) :]} == {BY}
    silent, *others = session.utterances
    changed = replace(session, utterances=(replace(silent, lsn="LIST ALL"), *others))
    assert dict(write_first_words(changed, hear, align, Clock())) == {silent.utterance_id: "timed"}


def test_it_counts_as_nobodys_word_until_an_annotator_saves_it(session: Session) -> None:
    list(write_first_words(session, hear, align, Clock()))
    silent = session.utterances[0].utterance_id
    written = Ledger(Layers(Bundle(session.path)), "ann", Clock()).look()
    assert written.first_words(silent) == "list everybody"
    assert BY not in written.annotators(silent)
    current = written.current(silent).get("transcription", {})
    assert current.get("sro") != "list everybody"


def test_a_row_of_a_person_is_none_of_the_recogniser(session: Session) -> None:
    utterance_id = session.utterances[0].utterance_id
    Layers(Bundle(session.path)).add(new_row(utterance_id, "transcription", {"sro": "mine"}, "ann", Clock()))
    assert row(session, utterance_id) is None


def test_words_are_placed_in_praat_and_ctm_unless_one_is_hidden(session: Session, tmp_path: Path) -> None:
    study = session.path.parent.parent
    whole, _ = read_with_record(session.path, Domains())
    list(write_first_words(whole, hear, align, Clock()))
    words = {word for timed in times_of_words(whole).values() for word, _, _ in timed}
    assert words and all(
        times_of_words(replace(whole, utterances=(replace(turn, redactions=(Redaction("person"),)),))) == {}
        for turn in whole.utterances
    )
    corpus = open_corpus([study], Filters(live=True))
    for name in ("textgrid", "nist"):
        export(corpus, name, tmp_path / name)
    grid = pympi.Praat.TextGrid(str(tmp_path / "textgrid" / f"{whole.session_id}.TextGrid"))
    placed = {text for _, _, text in grid.get_tier("words").get_all_intervals() if text}
    assert placed and placed <= words
    assert (tmp_path / "textgrid" / f"{whole.session_id}.vtt").read_text("utf-8").startswith("WEBVTT\n\n1\n00:")
    lines = [line for path in (tmp_path / "nist").glob("*.ctm") for line in path.read_text("utf-8").splitlines()]
    assert any(line.split()[2:4] == ["1.000", "0.500"] for line in lines)


TIMED = [("is", 400, 600), ("miss", 600, 1000), ("lee", 1000, 1300), ("in", 1700, 1800), ("sales", 1800, 2500)]


@pytest.mark.parametrize(
    ("text", "hidden", "sound"),
    [
        ("is miss lee in sales", "miss lee", (300, 2000)),
        # How the hidden words were heard, and how many there are, does not matter.
        ("is mary ann leigh in sales", "mary ann leigh", (300, 2000)),
        ("Is Miss Lee in Sales?", "Lee", (700, 2000)),
        # Where no word before or behind was heard as it is written, all on that side is silent.
        ("uh miss lee in sales", "miss lee", (0, 2000)),
        ("is miss lee in salsa", "in salsa", (1000, None)),
        ("is miss lee in sales", "is", (0, 900)),
        ("nothing of it", "of", (0, None)),
    ],
)
def test_the_sound_of_hidden_words_lies_between_their_neighbours(text, hidden, sound):
    first = text.index(hidden)
    assert sound_of(text, first, first + len(hidden), TIMED) == sound
    assert sound_of(text, first, first + len(hidden), []) is None
