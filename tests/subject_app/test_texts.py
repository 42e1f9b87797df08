import ast
import re
from pathlib import Path

import pytest

from curtain.session.study.languages import bundled_languages, bundled_texts
from curtain.session.study.text_names import DISCLOSURE_TEXTS, SCREEN_TEXTS, SESSION_TEXTS, TEXT_NAMES
from subject_app.session.texts import Texts, fill, texts_in

ROOT = Path(__file__).parents[2]
BEHIND = ["sql", "query", "wizard", "database error", "error", "exception", "select", "traceback", "link", "socket"]


def test_a_study_may_change_any_sentence_and_blanks_are_filled():
    english = texts_in("en")
    assert english.changed({"waiting": "Bitte warten."}).waiting == "Bitte warten."
    assert english.changed({"nothing": "x"}) == english
    assert fill("Hold {key} {oops}", key="F9") == "Hold F9 {oops}"


def test_no_sentence_names_what_is_behind_the_curtain():
    texts = {name: bundled_texts("en")[name] for name in SCREEN_TEXTS}
    hidden = {*BEHIND, "our", "us", "somebody", "replaces"}
    assert [name for name, text in texts.items() if hidden & set(re.findall(r"[a-z]+", text.lower()))] == []
    assert [name for name, text in texts.items() if "!" in text] == []


def test_a_study_may_name_exactly_the_sentences_there_are():
    assert tuple(vars(Texts())) == SCREEN_TEXTS
    assert set(SCREEN_TEXTS) <= set(TEXT_NAMES)


@pytest.mark.parametrize("language", bundled_languages())
def test_every_language_has_every_key_once_with_its_blanks(language):
    english, texts = bundled_texts("en"), bundled_texts(language)
    assert tuple(texts) == (*SCREEN_TEXTS, *DISCLOSURE_TEXTS)
    blanks = {name: sorted(re.findall(r"\{\w+\}", text)) for name, text in english.items()}
    assert {name: sorted(re.findall(r"\{\w+\}", text)) for name, text in texts.items()} == blanks
    assert all(text.strip() and "!" not in text and "！" not in text for text in texts.values())
    assert [name for name in texts if english[name].count("\n") != texts[name].count("\n")] == []


@pytest.mark.parametrize("language", sorted(set(bundled_languages()) - {"en"}))
def test_no_sentence_of_another_language_is_left_english(language):
    english, texts = bundled_texts("en"), bundled_texts(language)
    same = {name for name in texts if texts[name] == english[name]}
    # “Pause” is German, too.
    assert same <= {"paused_title"}


def test_the_four_languages_come_with_curtain():
    assert bundled_languages() == ("de", "en", "es", "zh")


def test_the_list_of_texts_shows_every_key_with_what_stands_without_it():
    page = (ROOT / "docs" / "texts.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page, re.MULTILINE))
    assert set(rows) == set(TEXT_NAMES)
    for name, text in bundled_texts("en").items():
        if name not in SESSION_TEXTS:
            assert rows[name] == text.replace("\n", "<br>")


def test_the_code_holds_no_sentence_of_its_own():
    """A sentence has two words or more in one text; those for the lab go to the terminal and the log."""
    for path in sorted((ROOT / "subject_app").rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for_the_lab = {id(inner) for node in ast.walk(tree) if _is_for_the_lab(node) for inner in ast.walk(node)}
        sentences = [
            node.value for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in for_the_lab
            and re.search(r"[A-Za-z]{2,}[,.]? [A-Za-z]", node.value)
        ]  # fmt: skip
        assert sentences == [], path


def _is_for_the_lab(node):
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True  # a docstring
    if isinstance(node, ast.Raise):
        return True  # a problem reaches the log and the terminal, never the screen
    if isinstance(node, ast.Assign):
        return any(isinstance(each, ast.Name) and each.id == "sentence" for each in node.targets)
    if not isinstance(node, ast.Call):
        return False
    called = ast.unparse(node.func)
    return called.startswith(("log.", "parser.", "argparse.", "super().__init__", "os_errors_as"))
