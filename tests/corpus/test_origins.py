"""Every row says where its words, its answers and its class come from, and how much of it is hidden."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from curtain.commands.people.consent import list_consents
from curtain.commands.sessions import questionnaires
from curtain.corpus.exports.description.census import Census
from curtain.corpus.exports.whole_folder import OutExists
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import NOT_CLASSED, NOT_TRANSCRIBED, Filters
from curtain.corpus.model.reader import read_session
from curtain.corpus.model.utterance import Redaction, Utterance
from curtain.corpus.redaction.export_log import read_exports
from tests.corpus.given import utterance
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS
from tests.corpus.two_sites import ANNOTATED, LIVE, TURNS

ALL = Filters(live=True)


@pytest.fixture(scope="module")
def rows(two_sites: list[Path]) -> dict[str, Utterance]:
    kept = [one for held in open_corpus(two_sites, ALL).sessions() for one in held.utterances]
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


def test_what_nobody_annotated_is_left_out_and_counted(two_sites: list[Path]) -> None:
    corpus = open_corpus(two_sites)
    kept = [one for held in corpus.sessions() for one in held.utterances]
    assert len(kept) == ANNOTATED and {one.text_from for one in kept} == {"annotated"}
    assert corpus.counts.dropped == {NOT_TRANSCRIBED: LIVE - 1, NOT_CLASSED: 1}
    assert open_corpus(two_sites, ALL).count().kept == ANNOTATED + LIVE


def test_only_what_a_person_has_judged_stands_alone(rows: dict[str, Utterance]) -> None:
    assert [name for name, one in rows.items() if one.stands_alone] == [
        "stands alone", "hidden in part", "silenced", "ruled", "hidden under another text",
    ]  # fmt: skip


def test_hidden_words_leave_a_mark_in_the_words(rows: dict[str, Utterance]) -> None:
    assert rows["hidden in part"].lsn == "THIS IS [redacted] SPEAKING WHAT IS THE NAME OF DEPARTMENT FORTY FIVE"
    assert rows["silenced"].lsn == "LIST THE [redacted] WITH THEIR SALARIES"
    one = rows["hidden under another text"]
    assert (one.query, one.sro, one.lsn) == (
        "How many people work here?",
        "how many people work here",
        "HOW MANY [redacted] WORK HERE",
    )


def test_a_row_says_how_much_of_it_is_hidden(rows: dict[str, Utterance]) -> None:
    hidden = {name: one.redacted for name, one in rows.items() if one.redacted != "none"}
    assert hidden == {"hidden in part": "part", "silenced": "whole", "hidden under another text": "part"}


SPANS = [
    ((), "none"),
    (((0, 0),), "part"),
    (((0, 999),), "part"),
    (((0, 1000),), "whole"),
    (((None, None),), "whole"),
    (((500, None), (None, 500)), "whole"),
    (((0, 400), (500, 1000)), "part"),
    (((0, 600), (500, 1000), (3000, 4000)), "whole"),
]


@pytest.mark.parametrize(("spans", "expected"), SPANS)
def test_a_recording_is_hidden_as_a_whole_where_spans_cover_it(
    spans: tuple[tuple[int | None, int | None], ...], expected: str
) -> None:
    one = replace(utterance(), frames=16000, sample_rate_hz=16000)
    redactions = tuple(Redaction("name", start_ms=start, end_ms=end) for start, end in spans)
    assert replace(one, redactions=redactions).redacted == expected


# Papers/003, footnote 1 on page 103: 23 of the 90 queries of the June 1990 test set ask what a code means.

TAG = "abbreviation"


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_toy(tmp_path_factory.mktemp("june") / "toy")


def test_a_corpus_of_90_queries_tells_that_23_ask_what_an_abbreviation_means(toy: Path) -> None:
    session = read_session(toy / "sessions" / "e00-01")
    asked = session.utterances[0]
    queries = tuple(
        replace(
            asked, utterance_id=f"e00-01-{number:03}", turn=number, eval_class="A",
            site_tags=(TAG,) if number <= 23 else (),
        )
        for number in range(1, 91)
    )  # fmt: skip
    census = Census()
    census.add(replace(session, utterances=queries))
    assert (census.tags[TAG], census.utterances) == (23, 90)


# `curtain questionnaires` over a study: listed, written, noted in the study, and refused in a sentence.

OWN = questionnaires.filters_for("own", without_consent=True, pilot=False)


def test_answers_and_scores_become_tables_that_the_study_notes(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "answers"
    assert questionnaires.write([own_toy], out, OWN) == 0
    assert sorted(path.name for path in out.iterdir()) == [
        "answers.csv", "answers.parquet", "scores.csv", "scores.parquet",
    ]  # fmt: skip
    with (out / "answers.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows and {row["asks"] for row in rows} == {"subject"}
    assert f"{len(rows)} answer" in capsys.readouterr().out
    noted = next(one for one in read_exports(own_toy) if one.format == "questionnaires")
    assert {row["session_id"] for row in rows} <= set(noted.sessions)
    with pytest.raises(OutExists):
        questionnaires.write([own_toy], out, OWN)


def test_what_the_consents_do_not_cover_is_left_out_and_said(own_toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    publish = questionnaires.filters_for("publish", without_consent=False, pilot=False)
    questionnaires.list_scores([own_toy], publish)
    assert "left out: " in capsys.readouterr().err


def test_what_was_left_out_is_listed_as_unanswered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also of the page at the end, which an earlier station let pass."""
    left_out = replace(SITTINGS[0], questionnaire={"sus.q1": "4", "sus.q2": "", "disclosure.who": ""})
    study = make_toy(tmp_path / "study", sittings=[left_out])
    questionnaires.list_scores([study], OWN)
    assert "q2" in capsys.readouterr().out
    questionnaires.list_scores([study], OWN, as_json=True)
    rows = {row["questionnaire"]: row["unanswered"] for row in json.loads(capsys.readouterr().out)}
    assert rows["sus"] == ["q2"] and "data" in rows["disclosure"]
    questionnaires.write([study], tmp_path / "out", OWN)
    with (tmp_path / "out" / "answers.csv").open(encoding="utf-8-sig", newline="") as file:
        answers = {(row["questionnaire"], row["item"]): row["answer"] for row in csv.DictReader(file)}
    assert answers[("sus", "q1")] == "4" and answers[("sus", "q2")] == ""
    capsys.readouterr()
    list_consents(study)
    assert "not answered" in capsys.readouterr().out


def test_one_object_tells_a_session(own_toy: Path) -> None:
    told = questionnaires.session_object(own_toy / "sessions" / "e00-01")
    assert json.loads(json.dumps(told)) == told
    assert (told["session_id"], told["speaker_id"], told["withdrawn"]) == ("e00-01", "e00", False)
    assert told["scenarios"]
