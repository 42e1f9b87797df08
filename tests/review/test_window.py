"""The window itself, over the toy corpus: pressed by keys, its recordings heard as they may leave."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from curtain.base.clock import Clock
from curtain.corpus.annotation.first_words import BY
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.annotation.recompute import Recomputer
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.utterance import Redaction, Utterance
from curtain.ports import discovery
from curtain.qt.key_strip import KeyStrip
from curtain.qt.style import Look
from curtain.qt.windows.dialog import AskDialog
from curtain.review.app import ReviewApp, ReviewOptions
from curtain.review.control.listening import silenced
from curtain.review.control.shelf import Person
from curtain.review.panels.keys import KEYS, Now, next_steps
from curtain.review.panels.text_field import TextField
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import load_study
from tests.review.acting import Hands, control_over, said
from tests.support.visible_focus import poor_stops

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


class Room:
    """A window and the hands on its keyboard."""

    def __init__(self, qtbot: QtBot, app: ReviewApp) -> None:
        self._qtbot = qtbot
        self.window = app.window

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        self._qtbot.keyClick(self.window.focusWidget() or self.window, key, modifiers)

    def type(self, text: str) -> None:
        self._qtbot.keyClicks(self.window.focusWidget(), text)

    def wait(self, **wanted: object) -> None:
        self._qtbot.waitUntil(lambda: {name: self.window.property(name) for name in wanted} == wanted)

    def wait_for(self, name: str, holds: Callable[[str], bool]) -> None:
        """Until the text of a label is as wanted."""
        labels = self.window.findChildren(QLabel, name)
        self._qtbot.waitUntil(lambda: any(one.isVisible() and holds(one.text()) for one in labels))

    def find(self, name: str) -> QWidget:
        found = next(one for one in self.window.findChildren(QWidget, name) if one.isVisible())
        assert isinstance(found, QWidget)
        return found

    def text(self, name: str) -> str:
        found = self.find(name)
        assert isinstance(found, QPlainTextEdit)
        return found.toPlainText()


def opened(qtbot: QtBot, look: Look, study: Path, person: Person) -> ReviewApp:
    app = ReviewApp(load_study(study), look, person, ReviewOptions())
    qtbot.addWidget(app.window)
    with qtbot.waitSignal(app.ready):
        app.begin()
    app.window.activateWindow()
    return app


class Lasting(Recomputer):
    """Stays open from one window to the next: to start its child takes longer than most tests."""

    def close(self) -> None:
        self.interrupt()

    def end(self) -> None:
        super().close()


@pytest.fixture(scope="module")
def database() -> Iterator[Lasting]:
    """Of all sessions in which a test of this file runs a statement."""
    made = Lasting(Domains().pack_under("personnel", 1992))
    yield made
    made.end()


@pytest.fixture
def room(qtbot: QtBot, look: Look, bare: Path, database: Lasting, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setattr("curtain.review.app.open_recomputer", lambda *_: database)
    app = opened(qtbot, look, bare, Person("k1"))
    made = Room(qtbot, app)
    made.wait(utterance="0a1-01-001")
    yield made
    app.close()


@pytest.mark.parametrize(("toml", "part"), [("[tag.x y]", "annotation.toml"), ("[tag.ours]\nexcludes = 3", "excludes")])
def test_a_table_that_cannot_be_used_is_reported_in_the_window(
    qtbot: QtBot, look: Look, bare: Path, toml: str, part: str
) -> None:
    (bare / "annotation.toml").write_text(toml, "utf-8")
    app = ReviewApp(load_study(bare), look, Person("k1"), ReviewOptions())
    qtbot.addWidget(app.window)
    app.begin()
    room = Room(qtbot, app)
    room.wait(state="failed")
    assert part in room.window.findChild(QLabel, "loading").text()
    app.close()


def test_a_plain_turn_takes_one_key_and_later_ones_are_not_to_be_seen(room: Room, bare: Path) -> None:
    room.wait(utterance="0a1-01-001", eval_class="A")
    assert room.find("scenario_title").text().startswith("Scenario: ")  # type: ignore[attr-defined]
    assert len(room.text("scenario_text")) > 40
    assert room.find("earlier").count() == 0  # type: ignore[attr-defined]
    room.key(Qt.Key.Key_Return)
    room.wait(utterance="0a1-01-002", saved="0a1-01-001", done=1, writing=False)
    assert room.find("earlier").count() == 1  # type: ignore[attr-defined]
    assert said(bare, "0a1-01-001", "k1")["transcription"]["lsn"] == "WHAT IS SHARON LEASE'S PHONE NUMBER"


def test_where_no_companion_has_a_timeline_its_key_says_so(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "installed", lambda: discovery.Installed(()))
    room.key(Qt.Key.Key_J, CONTROL)
    room.wait_for("notice_text", lambda text: "needs the companion “home”" in text)


def test_the_timeline_goes_along_and_opens_the_turn_that_is_chosen_in_it(qtbot: QtBot, room: Room) -> None:
    room.key(Qt.Key.Key_J, CONTROL)
    qtbot.waitUntil(lambda: any(one.isVisible() for one in room.window.findChildren(QWidget, "session_timeline")))
    timeline = room.find("session_timeline")
    assert timeline.property("turn") == 1
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageDown, Qt.Key.Key_Return):
        qtbot.keyClick(timeline, key)
    room.wait(utterance="0a1-01-003")
    room.window.activateWindow()
    qtbot.waitUntil(room.window.isActiveWindow)
    room.key(Qt.Key.Key_PageUp, CONTROL)
    room.wait(utterance="0a1-01-002")
    assert timeline.property("turn") == 2


def test_what_tab_reaches_shows_its_focus_and_has_a_name(qapp: QApplication, room: Room, look: Look) -> None:
    assert poor_stops(qapp, look, room.window) == ([], [])


def test_keys_of_the_window_work_while_a_text_is_written(room: Room) -> None:
    room.key(Qt.Key.Key_PageDown, CONTROL)
    room.wait(utterance="0a1-01-002")
    room.key(Qt.Key.Key_T, CONTROL)
    room.type(" uh")
    room.key(Qt.Key.Key_1, ALT)
    room.key(Qt.Key.Key_K, CONTROL)
    room.wait(eval_class="D1", category="2")
    assert room.text("sro").endswith(" uh")
    room.key(Qt.Key.Key_PageUp, CONTROL)
    room.wait(utterance="0a1-01-001")


def test_figures_keep_a_turn_open_until_a_person_takes_the_spoken_form(room: Room, bare: Path) -> None:
    room.key(Qt.Key.Key_T, CONTROL)
    room.type(" at 5:20")
    room.wait(problems=2)
    offer, reported = room.find("sro_offer"), room.find("sro_problems")
    assert isinstance(offer, QLabel) and offer.text() == "Ctrl+W writes the figures as “five twenty”."
    assert isinstance(reported, QLabel) and reported.text() and "Ctrl+W" not in reported.text()
    assert offer.palette().windowText().color() != reported.palette().windowText().color()
    room.key(Qt.Key.Key_Return, CONTROL)
    assert said(bare, "0a1-01-001", "k1") == {}
    room.key(Qt.Key.Key_W, CONTROL)
    room.wait(problems=0)
    room.key(Qt.Key.Key_Return, CONTROL)
    room.wait(saved="0a1-01-001", writing=False)
    assert said(bare, "0a1-01-001", "k1")["transcription"]["sro"].endswith("phone number at five twenty")


def test_hidden_words_take_their_sound_along(qtbot: QtBot, look: Look, bare: Path) -> None:
    words = "what is sharon lease's phone number"
    value = {"sro": words, "lsn": words.upper(), "times": [[200 * at, 200 * at + 150] for at in range(6)]}
    layers = Layers(Bundle(bare / "sessions" / "0a1-01"))
    layers.add(new_row("0a1-01-001", "transcription", value, BY, Clock(), status="draft"))
    app = opened(qtbot, look, bare, Person("k1"))
    room = Room(qtbot, app)
    room.wait(utterance="0a1-01-001")
    room.find("query").setFocus()
    room.key(Qt.Key.Key_Right, CONTROL)
    room.key(Qt.Key.Key_Right, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    room.key(Qt.Key.Key_R, CONTROL)
    assert room.find("hidden").text() == "hidden: 0.00 – 0.70 s, “is ” in the query"  # type: ignore[attr-defined]
    app.close()


def test_words_that_the_recogniser_doubts_are_marked_until_somebody_saves_them(
    qtbot: QtBot, look: Look, bare: Path
) -> None:
    words = "what is sharon lee's phone number"
    value = {"sro": words, "lsn": words.upper(), "times": [[200 * at, 200 * at + 150] for at in range(6)]}
    layers, doubts = Layers(Bundle(bare / "sessions" / "0a1-01")), [0.9, 0.9, 0.3, 0.2, 0.9, 0.4]
    layers.add(new_row("0a1-01-001", "transcription", value | {"confidences": doubts}, BY, Clock(), status="draft"))
    app = opened(qtbot, look, bare, Person("k1"))
    room = Room(qtbot, app)
    room.wait(utterance="0a1-01-001")
    field = room.find("sro")
    assert isinstance(field, TextField)
    # The text is the query, in which somebody wrote another word for one of them.
    assert [mark.cursor.selectedText() for mark in field.extraSelections()] == ["sharon", "number"]
    room.key(Qt.Key.Key_Return, CONTROL)
    room.wait(saved="0a1-01-001", writing=False)
    room.key(Qt.Key.Key_PageUp, CONTROL)
    room.wait(utterance="0a1-01-001")
    assert not field.extraSelections()
    app.close()


def test_words_and_a_part_of_the_recording_are_hidden_as_one(room: Room) -> None:
    room.wait_for("listening", lambda reported: "/" in reported)
    room.find("waveform").setFocus()
    for _ in range(4):
        room.key(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    room.find("query").setFocus()
    room.key(Qt.Key.Key_End, Qt.KeyboardModifier.ShiftModifier)
    room.key(Qt.Key.Key_R, CONTROL)
    reported = room.find("hidden").text()  # type: ignore[attr-defined]
    assert " s, “" in reported and "in the query" in reported
    room.key(Qt.Key.Key_D, CONTROL)
    assert not room.window.findChild(QWidget, "hidden").isVisible()  # type: ignore[union-attr]


@pytest.mark.parametrize("field", ["query", "sro"])
def test_undo_shows_again_what_was_just_hidden_and_not_what_was_typed_before(room: Room, field: str) -> None:
    room.key(Qt.Key.Key_T, CONTROL)
    room.type(" uh")
    room.find(field).setFocus()
    room.key(Qt.Key.Key_Home, CONTROL)
    for _ in range(4):
        room.key(Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    room.key(Qt.Key.Key_R, CONTROL)
    assert room.find("hidden").isVisible()
    room.key(Qt.Key.Key_Z, CONTROL)
    assert not room.window.findChild(QWidget, "hidden").isVisible()  # type: ignore[union-attr]
    assert room.text("sro").endswith(" uh")
    room.key(Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert room.find("hidden").isVisible()


def test_a_turn_is_opened_from_the_list_by_arrows_and_by_its_words(qtbot: QtBot, room: Room) -> None:
    room.wait(utterance="0a1-01-001", unread=0)
    room.key(Qt.Key.Key_F, CONTROL)
    search = room.find("turn_search")
    qtbot.keyClick(search, Qt.Key.Key_Down)
    qtbot.keyClick(search, Qt.Key.Key_Down)
    qtbot.keyClick(search, Qt.Key.Key_Return)
    room.wait(utterance="0a1-01-003")
    qtbot.waitUntil(room.window.isActiveWindow)
    room.key(Qt.Key.Key_G, CONTROL)
    search, dialog = room.find("turn_search"), room.find("turns_dialog")
    qtbot.keyClicks(search, "password OF system")
    assert dialog.property("found") == 1
    qtbot.keyClick(search, Qt.Key.Key_Return)
    room.wait(utterance="0a1-01-008")


def test_a_statement_that_fails_is_reported_under_it_and_underlined(room: Room) -> None:
    room.key(Qt.Key.Key_M, CONTROL)
    room.key(Qt.Key.Key_A, CONTROL)
    room.type("SELECT sallary FROM employee")
    room.key(Qt.Key.Key_Escape)
    room.key(Qt.Key.Key_F5)
    room.wait(sql_settled=True)
    assert "sallary" in room.find("sql_status").text()  # type: ignore[attr-defined]
    (mark,) = room.find("sql_min").extraSelections()  # type: ignore[attr-defined]
    assert mark.cursor.selectedText() == "sallary"


def test_everything_fits_a_small_screen(room: Room) -> None:
    room.key(Qt.Key.Key_T, CONTROL)
    room.type("<oops [ ) 12")
    room.key(Qt.Key.Key_Return, CONTROL)
    size = room.window.minimumSizeHint()
    assert (size.width() <= 1280, size.height() <= 720) == (True, True), size


def test_closing_waits_for_what_is_unsaved(qtbot: QtBot, room: Room, bare: Path) -> None:
    room.key(Qt.Key.Key_3)
    room.window.close()
    qtbot.waitUntil(lambda: not room.window.isVisible())
    assert "book" in control_over(bare, Hands(), "k1").work.tags


def test_what_the_disk_does_not_take_keeps_the_window_open_once(qtbot: QtBot, room: Room, bare: Path) -> None:
    (bare / "sessions" / "0a1-01" / "annotations").write_text("no folder can be made here")
    room.key(Qt.Key.Key_3)
    room.window.close()
    room.wait_for("notice_text", lambda reported: "Close again" in reported)
    assert room.window.isVisible() and room.find("problem_text").text()  # type: ignore[attr-defined]
    room.window.close()
    assert not room.window.isVisible()


def test_answers_from_another_database_are_reported(room: Room) -> None:
    room.key(Qt.Key.Key_F5)
    room.wait_for("sql_status", lambda reported: reported == "1 row. ")
    room.wait_for("other_database", lambda reported: "not the database" in reported)


def test_an_adjudicator_rules_with_one_key_and_is_asked_before_picks_without_a_ruling_go(
    qtbot: QtBot, look: Look, annotated: Path
) -> None:
    second = control_over(annotated, Hands(), "w9", second=True)
    second.open("e00-01-002")
    second.toggle_tag("ungrammatical")
    second.save_and_next()
    app = opened(qtbot, look, annotated, Person("judge", adjudicates=True))
    room = Room(qtbot, app)
    room.wait(state="ruling", utterance="e00-01-002", done=2, total=3)
    assert room.find("ruling").property("picks") == "category:w1"
    room.key(Qt.Key.Key_Right)
    assert room.find("ruling").property("picks") == "category:w9"
    assert not room.window.close()
    (asked,) = room.window.findChildren(AskDialog)
    with qtbot.waitSignal(asked.finished):
        asked.reject()
    qtbot.waitUntil(room.window.isActiveWindow)
    room.key(Qt.Key.Key_2)
    room.wait(saved="e00-01-002", done=3, writing=False)
    assert room.window.close()
    app.close()


def test_what_is_hidden_is_heard_as_silence_of_equal_length(annotated: Path, tmp_path: Path) -> None:
    wav = annotated / "sessions" / "e00-01" / "audio" / "e00-01-002.wav"
    before, rate = soundfile.read(wav, dtype="int16")
    turn = Utterance("e00-01-002", "e00-01", "e00", 2, audio=wav, redactions=(Redaction("private", 100, 200),))
    after, _ = soundfile.read(silenced(turn, tmp_path), dtype="int16")
    start, end = rate // 10, rate // 5
    assert len(after) == len(before) and not after[start:end].any()
    assert np.array_equal(np.delete(after, range(start, end)), np.delete(before, range(start, end)))


@pytest.mark.parametrize(
    ("now", "first"),
    [
        (Now(), ("Enter", "save, next")),
        (Now(place="sro"), ("Ctrl+Enter", "save, next")),
        (Now(place="minimum", must_run=True), ("F5", "run it")),
        (Now(running=True), ("", "the statement is running")),
        (Now(blocked=True, figures=True), ("Ctrl+W", "figures as words")),
        (Now(blocked=True), ("", "see what is wrong; it stays a draft")),
        (Now(ruling=True), ("1  2  3", "take one side")),
        (Now(ruling=True, editing_ruling=True), ("Ctrl+Enter", "rule, next")),
    ],
)
def test_the_strip_names_the_next_key(now: Now, first: tuple[str, str]) -> None:
    assert next_steps(now)[0] == first


def test_every_key_of_the_strip_is_among_the_listed_ones(look: Look, qtbot: QtBot) -> None:
    listed = " ".join(key for _, steps in KEYS.groups for key, _ in steps)
    shown = [
        *next_steps(Now(part_marked=True, can_undo=True)),
        *next_steps(Now(blocked=True, figures=True, part_marked=True)),
    ]
    strip = KeyStrip(look)
    qtbot.addWidget(strip)
    strip.show_steps(shown)
    assert all(key in listed or key in ("F1", "Enter") for key, _ in shown), strip.accessibleName()


def test_what_is_typed_behind_a_new_reading_is_its_statement(room: Room) -> None:
    room.key(Qt.Key.Key_A, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    room.wait(reading=2, readings=2)
    room.type(" -- two")
    assert room.text("sql_min").endswith(" -- two")
    assert room.window.property("eval_class") == "A"


def test_keys_of_the_window_work_at_once_when_the_reasons_are_closed(room: Room, qtbot: QtBot) -> None:
    room.key(Qt.Key.Key_PageDown, CONTROL)
    room.wait(utterance="0a1-01-002")
    room.key(Qt.Key.Key_E, CONTROL)
    dialog = room.find("reasons_dialog")
    with qtbot.waitSignal(dialog.finished):  # type: ignore[attr-defined]
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(room.window.isActiveWindow)
    room.key(Qt.Key.Key_1, ALT)
    room.wait(eval_class="D1")
