"""A window speaks the language that was asked for, else the study's, else the system's."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QRectF, Qt, QTranslator
from PySide6.QtWidgets import QApplication, QLabel

from curtain.base.errors import CurtainError
from curtain.qt.languages.translation import (
    SentenceTranslator,
    WindowLanguage,
    install_language,
    number_here,
    sentence_here,
    translate,
)
from curtain.qt.sql_editor import SqlEditor
from curtain.qt.style import Look
from curtain.qt.widgets import direction_of, mirrored

OWN = """
"send query" = "Frage abschicken"
"Session {0} was not ended. Go on." = "Sitzung {0} ist noch offen. Machen Sie weiter."
"{0} of {1} wait to be annotated." = "Von {1} warten noch {0}."
"{0} cannot be read. Correct the file." = "{0} ist nicht lesbar. Korrigieren Sie die Datei."
"There is no file {0}; look for {0}." = "Die Datei {0} fehlt; suchen Sie {0}."
"{0}: {1}" = "{1} ({0})"
"Close it with Ctrl+M or F11." = "Mit Strg+M oder F11 schließen."

[Parts]
"{0} turns" = "{0} Runden"

[Steps]
"shut" = "zu"
"""


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    """The application; what a test installs is taken out again."""
    yield qapp
    for made in qapp.findChildren(QTranslator):
        qapp.removeTranslator(made)
        made.deleteLater()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def study(folder: Path, **files: str) -> Path:
    (folder / "translations").mkdir()
    for name, text in files.items():
        (folder / "translations" / f"{name}.toml").write_text(text, "utf-8")
    return folder


@pytest.mark.parametrize(
    ("asked", "of_study", "spoken", "missing"),
    [
        ("de", "en", "de", False),
        ("de_AT", "en", "de", False),
        ("", "de", "de", False),
        ("en", "de", "en", False),
        ("", "und", "en", False),
        ("", "tlh", "en", False),
        ("fr", "de", "de", True),
        ("fr", "en", "en", True),
    ],
)
def test_the_language_asked_for_comes_before_the_study_s(
    app: QApplication, tmp_path: Path, asked: str, of_study: str, spoken: str, missing: bool
) -> None:
    sentence = install_language(app, WindowLanguage(asked, of_study, study(tmp_path, de=OWN)))
    assert translate("Steps", "send query") == ("Frage abschicken" if spoken == "de" else "send query")
    assert ("There is no translation “fr”." in sentence) == missing
    # Austrians group by a space.
    assert number_here(345.5, 1) == ("345,5" if spoken == "de" else "345.5")


def test_qt_s_own_words_follow_the_window_and_an_unknown_sentence_stays(app: QApplication, tmp_path: Path) -> None:
    install_language(app, WindowLanguage("de", folder=study(tmp_path, de=OWN)))
    assert QCoreApplication.translate("QWidgetTextControl", "&Undo") == "&Rückgängig"
    assert translate("Steps", "a sentence of tomorrow") == "a sentence of tomorrow"
    assert (translate("Steps", "shut"), translate("Archive", "shut")) == ("zu", "shut")


class Derived(QLabel):
    """Its `tr` has a context of its own."""


def test_a_sentence_is_found_from_any_class(app: QApplication, tmp_path: Path) -> None:
    install_language(app, WindowLanguage("de", folder=study(tmp_path, de=OWN)))
    assert Derived().tr("send query") == "Frage abschicken"


@pytest.mark.parametrize(
    ("finished", "words"),
    [
        ("Session e00-01 was not ended. Go on.", "Sitzung e00-01 ist noch offen. Machen Sie weiter."),
        ("3 turns of 9 wait to be annotated.", "Von 9 warten noch 3 Runden."),
        ("Strange. Session 7 was not ended. Go on.", "Strange. Sitzung 7 ist noch offen. Machen Sie weiter."),
        ("send query", "Frage abschicken"),
        ("There is no file a {b}; look for a {b}.", "Die Datei a {b} fehlt; suchen Sie a {b}."),
        ("There is no file a; look for b.", "There is no file a; look for b."),
        ("4 turns of send query wait to be annotated.", "Von send query warten noch 4 Runden."),
        ("key: value", "key: value"),
        # A blank takes in no second sentence, also where that begins with a figure.
        ("2 of 3 wait to be annotated. 4 of 9 wait to be annotated.", "Von 3 warten noch 2. Von 9 warten noch 4."),
    ],
)
def test_a_finished_sentence_is_found_by_what_stands_around_its_blanks(
    app: QApplication, tmp_path: Path, finished: str, words: str
) -> None:
    install_language(app, WindowLanguage("de", folder=study(tmp_path, de=OWN)))
    assert sentence_here(finished) == words


@pytest.mark.parametrize("name", ["pilot", "audio", "text", "Share", "output", "none", "behind", "microphone"])
def test_what_a_person_has_named_keeps_its_name(app: QApplication, name: str) -> None:
    install_language(app, WindowLanguage("de"))
    assert sentence_here(f"There is no study in {name}: study.toml is missing.").startswith(f"In {name} ist")
    assert sentence_here(f"Making {name}: it is done.").startswith(f"{name} wird angelegt")


@pytest.mark.parametrize(
    ("figure", "words"), [("3.0 s", "3,0 s"), ("1,234.50", "1.234,50"), ("1.2.0", "1.2.0"), ("v1.5", "v1.5")]
)
def test_a_figure_in_a_finished_sentence_is_written_as_here(app: QApplication, figure: str, words: str) -> None:
    install_language(app, WindowLanguage("de"))
    assert sentence_here(f"Connected now: {figure}.") == f"Angeschlossen sind: {words}."


def test_a_word_of_ours_in_a_blank_is_translated(app: QApplication) -> None:
    install_language(app, WindowLanguage("de"))
    said = sentence_here("The microphone “output” is not connected. Connected now: none.")
    assert said == "Das Gerät „output“ (Mikrofon) ist nicht angeschlossen. Angeschlossen sind: keine."


@pytest.mark.parametrize(
    ("language", "direction"), [("he", "RightToLeft"), ("ar", "RightToLeft"), ("de", "LeftToRight")]
)
def test_a_window_runs_as_its_language_does(app: QApplication, tmp_path: Path, language: str, direction: str) -> None:
    install_language(app, WindowLanguage(language, folder=study(tmp_path, **{language: '"keys" = "מקשים"'})))
    assert app.layoutDirection() == Qt.LayoutDirection[direction]


def test_what_is_painted_is_mirrored_and_sql_is_not(app: QApplication, look: Look) -> None:
    whole, part = QRectF(0, 0, 100, 10), QRectF(4, 1, 20, 8)
    assert mirrored(part, whole, Qt.LayoutDirection.LeftToRight) == part
    assert mirrored(part, whole, Qt.LayoutDirection.RightToLeft) == QRectF(76, 1, 20, 8)
    app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert QLabel().layoutDirection() == Qt.LayoutDirection.RightToLeft
    editor = SqlEditor(look)
    assert editor.layoutDirection() == Qt.LayoutDirection.LeftToRight
    assert editor.document().defaultTextOption().textDirection() == Qt.LayoutDirection.LeftToRight


@pytest.mark.parametrize(
    ("text", "direction"),
    [("אנא המתן", "RightToLeft"), ("“السؤال” SELECT", "RightToLeft"), ("Wait", "LeftToRight"), ("12 …", "LeftToRight")],
)
def test_a_page_runs_as_its_sentences_do(text: str, direction: str) -> None:
    assert direction_of(text) == Qt.LayoutDirection[direction]


def test_a_damaged_file_is_named_with_its_line(app: QApplication, tmp_path: Path) -> None:
    with pytest.raises(CurtainError, match=r"de\.toml is not readable as TOML: .*line 1"):
        install_language(app, WindowLanguage("de", folder=study(tmp_path, de='"a" = b')))


@pytest.mark.parametrize(
    ("text", "on_a_mac"),
    [
        ("send query", "send query"),
        ("Close it with Ctrl+M or F11.", "Close it with Cmd+U or Control+Cmd+F."),
        ("Depends on (Alt+1 ... Alt+9):", "Depends on (Cmd+1 ... Cmd+9):"),
        ("Send  (Ctrl+Enter)", "Send  (Cmd+Return)"),
    ],
)
def test_a_mac_s_keys_are_named_in_every_sentence(qapp: QApplication, text: str, on_a_mac: str) -> None:
    translator = SentenceTranslator({}, qapp, "darwin")
    assert translator.translate("Any", text) == on_a_mac
    assert SentenceTranslator({}, qapp, "linux").translate("Any", text) is None
