"""What the panel of drafts says, as tables: no widget."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication

from curtain.domain.wire import Result
from curtain.qt.languages.translation import SentenceTranslator, sentences_of
from curtain_drafts.desk.control import DraftsOnScreen, DraftState
from curtain_drafts.desk.rows import calm_line, draft_details, draft_rows, fitted, heading_note, repeated, start_line
from curtain_drafts.drafting.values import Chip, Draft, Example, Value
from curtain_drafts.tool.service import Spent, Standing

FIRST = Draft(sql="select 1", confidence=0.95, because="the words")
SECOND = Draft(sql="select 2", confidence=0.3)
TWO = (("1203", "CO"), ("98", "UA"))
LEARNING = Standing(learning=2000, share=0.256)


def preview(sql: str, *rows: tuple[str, ...], **facts: Any) -> Result:
    return Result(sql=sql, rows=list(map(list, rows)), **facts)


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (None, ""), (preview("select 1", error="too slow"), "not counted"), (preview("select 1", total=0), "no rows"),
        (preview("select 1", ("a", "b"), total=1), "a, b"), (preview("select 1", ("16",), total=1), "16"),
        (preview("select 1", ("a", "b"), total=1, yes_no=True, cas_min="(TRUE OR ((a b)))"), "Yes"),
        (preview("select 1", ("0",), total=1, yes_no=True, cas_min="FALSE"), "No"),
        (preview("select 1", ("",), total=1, yes_no=True, cas_min="NIL"), "neither yes nor no"),
        (preview("select 1", ("",), total=1), "1 empty row"), (preview("select 1", ("a",), total=1234), "1,234 rows"),
    ],
)  # fmt: skip
def test_a_row_says_what_its_draft_would_answer(seen: Result | None, words: str) -> None:
    shown = DraftsOnScreen(drafts=(FIRST,), previews={} if seen is None else {seen.sql: seen})
    assert [row.rows for row in draft_rows(shown)] == [words]


def test_a_draft_whose_answer_a_better_one_gives_has_no_row_and_the_others_keep_their_numbers() -> None:
    third = Draft(sql="select 3", confidence=0.1)
    same = {sql: preview(sql, ("ADA",), total=1) for sql in ("select 1", "select 2")}
    shown = DraftsOnScreen(drafts=(FIRST, SECOND, third), previews=same)
    rows = draft_rows(shown, taken_sql="select 3")
    assert [(row.number, row.word, row.taken) for row in rows] == [(1, "sure", False), (3, "guess", True)]
    # While a hand points at a row, none that is on the screen goes.
    assert [row.number for row in draft_rows(shown, kept=["select 2"])] == [1, 2, 3]


@pytest.mark.parametrize(
    ("state", "standing", "note", "calm", "start"),
    [
        (DraftState.OFF, Standing(), "", "off by the study", "off by the study"),
        (DraftState.STARTING, Standing(), "", "Preparing drafts…", "Being prepared. A session may begin meanwhile."),
        (DraftState.STARTING, LEARNING, "", "Drafts: learning 2,000 examples, 25 %",
         "Learning 2,000 examples, 25 %. A session may begin meanwhile."),
        (DraftState.EMPTY, Standing(ready=True), "", "Drafts come as you type the query.", ""),
        (DraftState.EMPTY, Standing(problem="It broke."), "", "No drafts: It broke.", "It broke."),
        (DraftState.WAITING, Standing(ready=True), "drafting", "", ""),
        (DraftState.STALE, Standing(ready=True), "for earlier words", "", ""),
        (DraftState.HERE, Standing(ready=True, learning=9, share=0.5), "learning, 50 %", "",
         "Learning 9 examples, 50 %. A session may begin meanwhile."),
        (DraftState.NONE, Standing(ready=True), "",
         "No draft fits these words. Write the SQL below, or try other words with Ctrl+R.", ""),
    ],
)  # fmt: skip
def test_the_panel_and_the_start_page_say_how_far_the_tool_is(
    state: DraftState, standing: Standing, note: str, calm: str, start: str
) -> None:
    problem = "off by the study" if state is DraftState.OFF else ""
    assert heading_note(state, standing) == note
    assert calm_line(state, standing, problem, has_turn=True) == calm
    assert start_line(state, standing, problem) == start


@pytest.mark.parametrize("state", [DraftState.EMPTY, DraftState.NONE])
def test_where_subjects_speak_no_english_a_line_says_that_the_rules_read_nothing_else(state: DraftState) -> None:
    assert "the rules read only English" in calm_line(state, Standing(ready=True), "", has_turn=True, english=False)


@pytest.mark.parametrize(
    ("room", "lines"),
    [
        (80, ["id of clerks with job CHIEF CLERK and salary {} 30", "city of clerks"]),
        (40, ["id of clerks with job CHIEF … {} 30", "city of clerks"]),
        (15, ["id of … {} …", "city of clerks"]),
    ],
)
def test_however_little_room_there_is_the_words_in_which_drafts_differ_are_seen(room: int, lines: list[str]) -> None:
    texts = [f"id of clerks with job CHIEF CLERK and salary {sign} 30" for sign in ("above", "below")]
    drafts = [Draft(text, 0.5, sketch=text) for text in (*texts, "city of clerks")]
    rows = draft_rows(DraftsOnScreen(drafts=tuple(drafts)))
    seen = [fitted(row, lambda words: len(words) <= room) for row in rows]
    assert seen == [lines[0].format("above"), lines[0].format("below"), lines[1]]


def test_the_reason_to_doubt_a_draft_comes_first_in_its_line() -> None:
    seen = preview("select 1", ("ADA", "1"), ("BOB", "2"), total=7)
    line = draft_details(FIRST, seen, ["on Sunday"]).split("      ")
    last = "no chips: change its SQL"
    assert line == ["ignored: on Sunday", "confidence 0.95", "gives ADA  1  |  BOB  2 ...", "rules: the words", last]


@pytest.mark.parametrize(
    ("draft", "source"),
    [
        (Draft("select 1", 0.9, because="like “who”", example=Example("who", "select 1")), "asked before: like “who”"),
        (Draft("select 1", 0.9, because="the names"), "rules: the names"),
        (Draft("select 1", 0.5, drafter="chat", because="it said so"), "model: it said so"),
        (Draft("select 1", 0.5, drafter="ours_at_the_lab"), "model"),
    ],
)
def test_a_draft_says_where_it_comes_from(draft: Draft, source: str) -> None:
    whole = replace(draft, chips=(Chip(-1, -1, "salary", "shows", Value("shows", "salary", "salary")),))
    assert draft_details(whole, None, []).split("      ")[-1] == source


@pytest.mark.parametrize(("yes_no", "word"), [(False, "maybe"), (True, "sure")])
def test_a_draft_without_rows_is_not_likely_unless_yes_or_no_is_asked_for(yes_no: bool, word: str) -> None:
    shown = DraftsOnScreen(drafts=(FIRST,), previews={"select 1": preview("select 1", total=0, yes_no=yes_no)})
    assert [row.word for row in draft_rows(shown)] == [word]


def test_tokens_and_cost_of_served_models_stand_beside_the_title() -> None:
    note = heading_note(DraftState.HERE, Standing(ready=True), Spent(1_200, 34, 0.0021))
    assert note == "model: 1,234 tokens   cost 0.0021"


def drafts(*confidences: float) -> list[Draft]:
    return [Draft(f"SELECT {number}", confidence) for number, confidence in enumerate(confidences, 1)]


def previews(*rows: tuple[tuple[str, ...], ...], total: int | None = None) -> dict[str, Result]:
    return {
        f"SELECT {number}": Result(
            sql=f"SELECT {number}", total=len(one) if total is None else total, rows=list(map(list, one))
        )
        for number, one in enumerate(rows, 1)
    }


@pytest.mark.parametrize(
    ("sure", "answers", "hidden"),
    [
        ((0.5, 0.7, 0.2), (TWO, TWO, TWO), {1: 2, 3: 2}), ((0.5, 0.5), (TWO, TWO), {2: 1}),
        ((0.5, 0.4), (TWO, TWO[::-1]), {2: 1}), ((0.5, 0.4), (TWO, TWO[:1]), {}),
        # Two questions often have these in common.
        *(((0.5, 0.4), (rows, rows), {}) for rows in ((), (("0",),), (("Yes",),), (("",),))),
    ],
)  # fmt: skip
def test_of_drafts_with_one_answer_in_any_order_the_surest_stays_or_the_first(
    sure: tuple[float, ...], answers: tuple[tuple[tuple[str, ...], ...], ...], hidden: dict[int, int]
) -> None:
    assert repeated(drafts(*sure), previews(*answers)) == hidden


def test_answers_that_are_not_known_whole_are_not_compared() -> None:
    assert repeated(drafts(0.5, 0.4), previews(TWO, TWO, total=900)) == {}
    assert repeated(drafts(0.5, 0.4), {}) == {}
    problem = {
        "SELECT 1": Result(sql="SELECT 1", error="too slow"),
        "SELECT 2": Result(sql="SELECT 2", error="too slow"),
    }
    assert repeated(drafts(0.5, 0.4), problem) == {}


def test_a_reason_is_in_the_language_of_the_window_and_what_it_quotes_is_not(qapp: QApplication) -> None:
    german = SentenceTranslator(sentences_of(QLocale("de"), None) or {}, qapp)
    qapp.installTranslator(german)
    because = "“old; new” is left out; put together, nearest: “who and what”"
    said = draft_details(replace(SECOND, because=because), None, ())
    qapp.removeTranslator(german)
    assert "Regeln: „old; new“ fehlt; zusammengesetzt, am nächsten: „who and what“" in said
