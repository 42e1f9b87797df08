import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QTreeWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from curtain.session.events.speaker import SpeakerDescription
from curtain.session.study.order import speaker_order
from wizard_app.desk.session.scenario_choice import ScenarioChoice, ScenarioOffer
from wizard_app.desk.session.session_rows import SessionRow
from wizard_app.window.pages.start_page import StartPage

CHOICES = [ScenarioChoice("a", "First"), ScenarioChoice("b", "Second"), ScenarioChoice("c", "Third", chosen=False)]
OFFER = ScenarioOffer(tuple(CHOICES), ("a", "b"), 2)


@pytest.fixture
def page(qtbot: QtBot, look: Look) -> StartPage:
    made = StartPage(look)
    qtbot.addWidget(made)
    made.show()
    return made


JOINING = {
    "output": True, "missing": True, "speaker_id": False, "wizard_id": False, "consent": False, "consent_id": False,
    "pilot": False, "scenarios": False, "start_session": False, "resume_session": False, "sessions": False,
}  # fmt: skip


def fill(page: StartPage) -> None:
    page.show_study("Personnel", OFFER, ScenarioChoice("p", "Practice"))
    for name, text in {"speaker_id": "e00", "wizard_id": "mb", "consent_id": "C-1"}.items():
        field = page.findChild(QLineEdit, name)
        field.setText(text)
    consent = page.findChild(QCheckBox, "consent")
    consent.setChecked(True)


@pytest.fixture
def filled(page: StartPage) -> StartPage:
    fill(page)
    return page


def shown(page: StartPage) -> str:
    label = page.findChild(QLabel, "missing")
    return label.text()


def test_start_waits_until_nothing_is_missing_and_says_what_is(page: StartPage) -> None:
    page.show_study("Personnel", OFFER, None)
    assert not page.ready
    assert shown(page).startswith("Still missing: the speaker id")
    fill(page)
    assert page.ready


def test_the_plan_holds_what_the_page_shows(qtbot: QtBot, filled: StartPage) -> None:
    start = filled.findChild(QPushButton, "start_session")
    assert start is not None
    with qtbot.waitSignal(filled.start_requested) as started:
        qtbot.mouseClick(start, Qt.MouseButton.LeftButton)
    (plan,) = started.args
    assert plan.all_ids == ["p", "a", "b"]
    assert (plan.speaker_id, plan.wizard_id, plan.consent_id, plan.pilot) == ("e00", "mb", "C-1", False)


FIELDS = [
    "speaker_id", "wizard_id", "consent", "consent_id", "pilot", "output", "soft_tones", "about_speaker", "practice",
    "scenarios", "start_session",
]  # fmt: skip


def test_enter_starts_once_from_every_field(qtbot: QtBot, filled: StartPage) -> None:
    filled.activateWindow()
    started: list[object] = []
    filled.start_requested.connect(started.append)
    for at, name in enumerate(FIELDS, 1):
        field = filled.findChild(QWidget, name)
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        assert shown(filled) == "Everything is filled in. Enter: start the session."
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert len(started) == at, name


def test_ctrl_enter_starts_where_the_window_has_it_for_another_page(qtbot: QtBot, filled: StartPage) -> None:
    filled.activateWindow()
    shortcut = QShortcut(QKeySequence("Ctrl+Return"), filled)
    for name in FIELDS:
        field = filled.findChild(QWidget, name)
        field.setFocus()
        with qtbot.assertNotEmitted(shortcut.activated), qtbot.waitSignal(filled.start_requested):
            qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_a_study_without_a_session_says_so(page: StartPage) -> None:
    empty = page.findChild(QLabel, "sessions_empty")
    for rows, words in (([], "There is none yet."), ([SessionRow("e01-01", True, "2026-01-02", 4)], "")):
        page.show_sessions(rows)
        assert empty.text() == words


def test_where_enter_does_something_else_the_page_says_what(qtbot: QtBot, filled: StartPage) -> None:
    filled.show_sessions([SessionRow("e01-01", False, "2026-01-02", 4)])
    filled.activateWindow()
    resume, sessions = filled.findChild(QPushButton, "resume_session"), filled.findChild(QTreeWidget, "sessions")
    qtbot.waitUntil(resume.hasFocus)
    assert shown(filled) == "Everything is filled in. Enter: resume session e01-01."
    assert filled.enter_label == "resume session e01-01"
    sessions.setFocus()
    assert shown(filled) == "Everything is filled in. Enter: open the chosen session."
    with qtbot.assertNotEmitted(filled.start_requested), qtbot.waitSignal(filled.resume_requested):
        qtbot.keyClick(sessions, Qt.Key.Key_Down)
        qtbot.keyClick(sessions, Qt.Key.Key_Return)


def test_a_wrong_speaker_id_is_reported_in_place_of_what_is_missing(filled: StartPage) -> None:
    speaker = filled.findChild(QLineEdit, "speaker_id")
    speaker.setText("E00")
    assert not filled.ready
    assert shown(filled) == "Write the speaker id “E00” in small letters: e00."


def test_a_wizard_below_the_level_needs_a_reason_and_one_who_reached_it_none(filled: StartPage) -> None:
    wizard, reason = filled.findChild(QLineEdit, "wizard_id"), filled.findChild(QLineEdit, "level_reason")
    stands = filled.findChild(QLabel, "wizard_level")
    assert wizard is not None and reason is not None and stands is not None
    assert not stands.isVisibleTo(filled) and filled.ready
    filled.show_levels(0.9, {"kim": 0.93, "lee": 0.6})
    assert "mb has not practised" in stands.text() and not filled.ready
    assert "the reason for a wizard below the level" in shown(filled)
    wizard.setText("kim")
    assert stands.text() == "kim has 93 % right in practice; the study asks for 90 %."
    assert filled.ready and not reason.isVisibleTo(filled)
    assert (filled.plan.wizard_level, filled.plan.level_reason) == (0.93, None)
    wizard.setText("lee")
    reason.setText("nobody else is here today")
    assert filled.ready
    assert (filled.plan.wizard_level, filled.plan.level_reason) == (0.6, "nobody else is here today")


def test_on_a_low_screen_no_field_is_squashed(qtbot: QtBot, filled: StartPage) -> None:
    filled.show_sessions([SessionRow("e01-01", False, "2026-01-02", 4)])
    filled.resize(900, 480)
    qtbot.waitUntil(lambda: filled.height() <= 500)
    for name in (*FIELDS, "resume_session", "sessions"):
        field = filled.findChild(QWidget, name)
        assert field.height() >= field.minimumSizeHint().height(), name
    sheet = filled.findChild(QScrollArea, "start_sheet")
    assert sheet.horizontalScrollBar().maximum() == 0


def test_alt_and_an_arrow_move_a_scenario_and_space_leaves_it_out(qtbot: QtBot, filled: StartPage) -> None:
    scenarios = filled.findChild(QListWidget, "scenarios")
    qtbot.keyClick(scenarios, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert filled.plan.scenario_ids == ("b", "a")
    qtbot.keyClick(scenarios, Qt.Key.Key_Space)
    assert filled.plan.scenario_ids == ("b",)


def test_a_problem_keeps_a_complete_page_from_starting(filled: StartPage) -> None:
    filled.hinder("disk", "The disk is full.")
    assert not filled.ready
    assert shown(filled) == "The disk is full."
    filled.hinder("disk", "")
    assert filled.ready


def test_one_unfinished_session_is_offered_with_one_key(qtbot: QtBot, page: StartPage) -> None:
    rows = [SessionRow("e00-01", True, "2026-01-01", 9), SessionRow("e01-01", False, "2026-01-02", 4)]
    page.show_sessions(rows)
    resume = page.findChild(QPushButton, "resume_session")
    assert resume.isVisible()
    with qtbot.waitSignal(page.resume_requested) as resumed:
        qtbot.keyClick(resume, Qt.Key.Key_Return)
    assert resumed.args == ["e01-01"]


def test_sessions_that_are_read_while_another_page_is_in_front_leave_the_cursor_there(qtbot: QtBot, look: Look) -> None:
    pages, start, other = QStackedWidget(), StartPage(look), QLineEdit()
    qtbot.addWidget(pages)
    for each in (start, other):
        pages.addWidget(each)
    pages.setCurrentWidget(other)
    with qtbot.waitActive(pages):
        pages.show()
    other.setFocus()
    start.show_sessions([SessionRow("e00-01", True, "2026-01-01", 9)])
    assert pages.focusWidget() is other


def test_a_closed_session_is_looked_at_and_a_broken_one_is_left_alone(qtbot: QtBot, page: StartPage) -> None:
    page.show_sessions(
        [SessionRow("e00-01", True, "", 9), SessionRow("e02-01", False, "", 0, problem="It is damaged.")]
    )
    resume = page.findChild(QPushButton, "resume_session")
    assert not resume.isVisible()
    sessions = page.findChild(QTreeWidget, "sessions")
    with qtbot.waitSignal(page.look_requested) as looked:
        sessions.itemActivated.emit(sessions.topLevelItem(0), 0)
    assert looked.args == ["e00-01"]
    with qtbot.assertNotEmitted(page.resume_requested):
        sessions.itemActivated.emit(sessions.topLevelItem(1), 0)


ALLOWED = [f"consent_{what}" for what in ("keep_audio", "video", "share", "publish", "quote", "signed_on")]
ABOUT = ["speaker_age", "speaker_sex", "speaker_region", "speaker_native"]


def describe(page: StartPage) -> None:
    """Fill in the group about the speaker, which must be open."""
    for name, index in {"speaker_age": 3, "speaker_sex": 1, "speaker_native": 2}.items():
        box = page.findChild(QComboBox, name)
        box.setCurrentIndex(index)
    region = page.findChild(QLineEdit, "speaker_region")
    region.setText("  New   England ")


def test_about_the_speaker_nothing_is_stated_until_somebody_does(filled: StartPage) -> None:
    assert filled.plan.speaker is None
    assert not any(filled.findChild(QWidget, name).isVisible() for name in ABOUT)


def test_the_plan_holds_what_the_speaker_stated_and_the_next_subject_begins_anew(
    qtbot: QtBot, filled: StartPage
) -> None:
    fold = filled.findChild(QToolButton, "about_speaker")
    assert fold is not None
    qtbot.keyClick(fold, Qt.Key.Key_Space)
    assert all(filled.findChild(QWidget, name).isVisible() for name in ABOUT)
    describe(filled)
    assert filled.plan.speaker == SpeakerDescription("30-39", "female", "New England", False)
    filled.clear_for_next()
    assert filled.plan.speaker is None


def test_tab_goes_through_the_page_from_top_to_bottom(qtbot: QtBot, filled: StartPage) -> None:
    fold = filled.findChild(QToolButton, "about_speaker")
    fold.setChecked(True)
    filled.activateWindow()
    filled.take_focus()
    names = []
    for _ in range(20):
        at = filled.window().focusWidget()
        names.append(at.objectName())
        qtbot.keyClick(at, Qt.Key.Key_Tab)
    assert names == [*FIELDS[:4], *ALLOWED, *FIELDS[4:8], *ABOUT, "practice", "scenarios"]


def scenarios(page: StartPage) -> QListWidget:
    found = page.findChild(QListWidget, "scenarios")
    assert found is not None
    return found


def listed(page: StartPage) -> list[str]:
    return [scenarios(page).item(at).text() for at in range(scenarios(page).count())]


def type_speaker(page: StartPage, speaker: str) -> None:
    field = page.findChild(QLineEdit, "speaker_id")
    field.setText(speaker)


def test_what_a_speaker_has_done_is_marked_and_not_offered_again(filled: StartPage) -> None:
    filled.show_sessions([
        SessionRow("e00-01", True, "2026-01-01 10:00", 3, done=("a",)),
        SessionRow("e00-02", True, "2026-01-02 10:00", 3, pilot=True, done=("b",)),
    ])  # fmt: skip
    assert filled.plan.scenario_ids == ("b",)
    assert [text for text in listed(filled) if "done by this speaker" in text] == ["a   First   (done by this speaker)"]
    type_speaker(filled, "e01")
    assert filled.plan.scenario_ids == ("a", "b")
    assert not [text for text in listed(filled) if "done" in text]


def test_with_a_seed_speakers_meet_the_scenarios_in_orders_of_their_own(page: StartPage) -> None:
    pool = tuple("abcdefgh")
    fill(page)
    offer = ScenarioOffer(tuple(ScenarioChoice(one, one) for one in pool), pool, 4, seed=7)
    page.show_study("Personnel", offer, None)
    orders = set()
    for speaker in ("e00", "e01", "e02"):
        type_speaker(page, speaker)
        assert page.plan.scenario_ids == speaker_order(pool, speaker, 7)[:4]
        orders.add(page.plan.scenario_ids)
    assert len(orders) == 3


def test_a_list_that_a_hand_has_changed_stays_until_the_next_subject(filled: StartPage) -> None:
    scenarios(filled).item(0).setCheckState(Qt.CheckState.Unchecked)
    type_speaker(filled, "e01")
    assert filled.plan.scenario_ids == ("b",)
    filled.clear_for_next()
    assert filled.plan.scenario_ids == ("a", "b")


def test_what_the_form_allows_is_asked_where_it_was_signed_and_counts_as_it_is_ticked(
    qtbot: QtBot, page: StartPage
) -> None:
    boxes = [page.findChild(QWidget, name) for name in ALLOWED]
    assert not any(box.isVisible() for box in boxes)
    fill(page)
    assert all(box.isVisible() for box in boxes)
    assert (page.plan.scopes, page.plan.signed_on) == (("take_part",), "")
    qtbot.keyClick(page.findChild(QCheckBox, "consent_keep_audio"), Qt.Key.Key_Space)
    qtbot.keyClicks(page.findChild(QLineEdit, "consent_signed_on"), "2026-03-01")
    assert (page.plan.scopes, page.plan.signed_on) == (("take_part", "keep_audio"), "2026-03-01")
    page.clear_for_next()
    assert (page.plan.scopes, page.plan.signed_on) == (("take_part",), "")


def test_a_day_that_is_none_is_reported_before_the_session_begins(qtbot: QtBot, filled: StartPage) -> None:
    qtbot.keyClicks(filled.findChild(QLineEdit, "consent_signed_on"), "1.3.2026")
    assert not filled.ready
    assert shown(filled) == "Write the day of the signature as 2026-03-01, not as “1.3.2026”."


def test_a_desk_that_joins_is_asked_for_nothing_but_its_output(page: StartPage) -> None:
    page.show_joining()
    page.show_sessions([SessionRow("e00-01", False, "2026-03-01 09:30", 2)])
    page.hinder("chair", "You join as answerer.")
    parts = {name: page.findChild(QWidget, name) for name in JOINING}
    assert {name: part is not None and part.isVisibleTo(page) for name, part in parts.items()} == JOINING


def test_a_laboratorys_own_id_is_kept_whole_beside_the_short_one(filled: StartPage) -> None:
    """“vp10” to “vp19” are ten people, and each keeps the short id of the first session."""
    row = SessionRow("v11-01", True, "", 3, lab_speaker_id="vp11")
    filled.reserve({"v12"})
    filled.show_sessions([row])
    speaker, note = filled.findChild(QLineEdit, "speaker_id"), filled.findChild(QLabel, "speaker_note")
    short = {}
    for typed in ("e00", "vp10", "vp11", "vp12", "kim-2026.b", "v" * 33):
        speaker.setText(typed)
        assert speaker.text() == typed
        short[typed] = (filled.plan.speaker_id, filled.plan.lab_speaker_id)
        assert (typed in note.text()) is (typed not in ("e00", "v" * 33))
    assert short["e00"] == ("e00", "")
    assert short["vp10"] == ("v10", "vp10") and short["vp11"] == ("v11", "vp11")
    assert short["vp12"][0] not in ("v10", "v11", "v12") and short["kim-2026.b"][1] == "kim-2026.b"
    assert "33 characters; 32 at most" in shown(filled) and not filled.ready
    speaker.setText("v11")
    assert "vp11" in note.text()


def test_what_exports_will_leave_out_stands_below_the_consent(filled: StartPage) -> None:
    effect = filled.findChild(QLabel, "consent_effect")
    assert effect.text() == "No export will contain the sound of this session."
    filled.findChild(QLineEdit, "consent_id").setText("none")
    assert effect.text() == "“none” stands for no signed form: exports leave this session out."
    filled.findChild(QLineEdit, "consent_id").setText("C-1")
    filled.findChild(QCheckBox, "consent_keep_audio").setChecked(True)
    assert effect.text() == "" and not effect.isVisible()
