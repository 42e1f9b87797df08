import dataclasses
import re
from pathlib import Path

import pytest

from curtain.session.study.text_names import SCREEN_TEXTS, SESSION_TEXTS, TEXT_NAMES
from subject_app.pages.texts import Texts, fill

BEHIND = ["sql", "query", "wizard", "database error", "error", "exception", "select", "traceback", "link", "socket"]


def test_a_study_may_change_any_sentence():
    assert Texts().changed({"waiting": "Bitte warten."}).waiting == "Bitte warten."


def test_a_name_that_does_not_exist_is_left_aside():
    assert Texts().changed({"nothing": "x"}) == Texts()


def test_a_blank_is_filled_and_other_braces_stay():
    assert fill("Hold {key} {oops}", key="F9") == "Hold F9 {oops}"


@pytest.mark.parametrize("field", dataclasses.fields(Texts), ids=lambda field: field.name)
def test_no_sentence_names_what_is_behind_the_curtain(field):
    words = re.findall(r"[a-z]+", str(field.default).lower())
    assert not set(words) & set(BEHIND)
    assert "!" not in str(field.default)


def test_a_study_may_name_exactly_the_sentences_there_are():
    assert tuple(field.name for field in dataclasses.fields(Texts)) == SCREEN_TEXTS
    assert set(SCREEN_TEXTS) <= set(TEXT_NAMES)


def test_the_list_of_texts_shows_every_key_with_what_stands_without_it():
    page = (Path(__file__).parents[2] / "docs" / "texts.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.MULTILINE))
    assert set(rows) == set(TEXT_NAMES)
    for field in dataclasses.fields(Texts):
        if field.name not in SESSION_TEXTS:
            assert rows[field.name] == str(field.default).replace("\n", "<br>")
