"""What a subject reads stands in one page, as it is seen, with its file, and follows the file."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QTreeWidget

from companions.home.tests.conftest import Hands
from companions.home.tests.test_word_files import MESSAGE
from curtain.session.study.study import new_study
from curtain_home.control.study_words import words_of


@pytest.fixture
def study(tmp_path: Path) -> Path:
    made = new_study(tmp_path / "lab", "personnel").folder
    (made / "mine.toml").write_text(MESSAGE, "utf-8")
    (made / "pt.toml").write_text('one_moment = "Um momento"\n', "utf-8")
    own = 'domain = "personnel"\nscenarios = ["balance", "complaint"]\nmessages = ["mine.toml"]\nlanguage = "pt.toml"\n'
    (made / "study.toml").write_text(f'{own}[texts]\nplease_wait = "Wait"\n', "utf-8")
    return made


@pytest.mark.parametrize(("kind", "name", "above", "text", "file"), [
    ("task", "practice", "Practice", "A parcel", ""),
    ("task", "complaint", "Task 2 of 2", "Paul Hayes", ""),
    ("message", "no_moon", "", "Nothing is known of {place}.", "mine.toml"),
    ("text", "one_moment", "", "Um momento", "pt.toml"),
    ("text", "please_wait", "", "Wait", "study.toml"),
])  # fmt: skip
def test_words_are_those_of_the_study_each_with_its_file(
    kind: str, name: str, above: str, text: str, file: str, study: Path
) -> None:
    one = next(one for one in words_of(study).words if (one.kind, one.name) == (kind, name))
    assert one.text.startswith(text)
    assert (one.above, one.path.name if one.path is not None else "") == (above, file)


def test_the_page_follows_the_file_and_opens_it_by_keys(
    make_home: Callable[..., Hands], study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    hands = make_home(study)
    hands.keys("Ctrl+Shift+M")
    hands.until("words_above", text="Practice")
    hands.keys("n")
    hands.until("words_text", text="Nothing is known of {place}.")
    hands.home.window.findChild(QPushButton, "open_words_file").click()
    assert opened == [str(study / "mine.toml")]
    # “New” is written once its form is confirmed, and the cursor goes on from the list.
    hands.home.window.findChild(QPushButton, "new_words").menu().actions()[1].trigger()
    hands.until("write_words", visible=True)
    hands.keys("Escape")
    words = hands.home.window.findChild(QTreeWidget, "words")
    assert ((study / "mine.toml").read_text("utf-8"), words.window().focusWidget()) == (MESSAGE, words)
    # An editor puts a whole new file in the place of the old one.
    for words in ("of the moon", "of any place"):
        (study / "new").write_text(MESSAGE.replace("of {place}", words).replace('["place"]', "[]"), "utf-8")
        (study / "new").replace(study / "mine.toml")
        hands.until("words_text", text=f"Nothing is known {words}.")
