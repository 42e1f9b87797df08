import tomllib
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTableView,
    QWidget,
)

from curtain.base.table import Table
from curtain.link.messages import ScenarioShown
from curtain.qt import style
from curtain.qt.level_meter import LevelMeter
from curtain.qt.looks.recolouring import change
from curtain.qt.style import LIGHT
from curtain.session.study.languages import bundled_languages
from subject_app.pages.main_page import MainPage, shared_height
from subject_app.pages.mic_page import MicPage
from subject_app.pages.plain_pages import BriefingPage
from subject_app.session.screen_state import Exchange, ScreenState
from subject_app.session.texts import texts_in
from subject_app.talk.mic_test import MicTestStage
from subject_app.talk.microphone import Readiness
from subject_app.window import Window

TEXTS = texts_in("en").with_key("space")
TABLE = Table(headings=["Name"], rows=[["Ada"], ["Grace"]], numeric=[False], total=2)
TASK = ScenarioShown(seq=1, scenario_id="s1", number=2, of=4, practice=False, text="Find Ada and her supervisor.")
FIRST = Exchange(1, query="who is there", query_seq=2, table=TABLE, answer_seq=3)
SECOND = Exchange(2, query="and who else", query_seq=4, message="Please say that again.", answer_seq=5)


def shown(*exchanges, **changes):
    newest = exchanges[-1].turn if exchanges else 0
    return ScreenState(scenario=TASK, exchanges=exchanges, newest=newest, **changes)


class OnScreen:
    """A page on a screen, and its parts by name."""

    def __init__(self, qtbot, page):
        self.qtbot, self.page = qtbot, page
        page.resize(1200, 700)
        qtbot.addWidget(page)
        with qtbot.waitExposed(page):
            page.show()

    def part(self, name, kind=QWidget):
        return self.page.findChild(kind, name)

    def text(self, name):
        return self.part(name).text()

    def seen(self, name):
        return self.part(name).isVisible()

    def click(self, name):
        self.qtbot.mouseClick(self.part(name), Qt.MouseButton.LeftButton)


@pytest.fixture
def main(qtbot):
    return OnScreen(qtbot, MainPage(LIGHT, TEXTS))


@pytest.fixture
def painted(main):
    reported = []
    main.page.painted.connect(lambda *what: reported.append(what))
    return reported


@pytest.mark.parametrize(
    "state, word, level_shown",
    [("idle", "Hold SPACE to talk", False), ("listening", "Listening", True), ("one_moment", "One moment", False)],
)
def test_the_one_indicator_says_what_is_going_on(main, state, word, level_shown):
    main.page.show_state(state)
    assert main.text("talk") == word
    assert main.part("talk").property("state") == state
    assert main.seen("level") == level_shown
    assert main.seen("cancel") == level_shown
    main.page.bar.show_level(-10.0, False)
    assert main.part("level", LevelMeter).property("level") == (-10.0 if level_shown else -60.0)


def test_what_keeps_the_session_from_going_on_is_reported_and_nothing_moves(main):
    before = main.part("talk").geometry()
    main.page.show_notice("The connection is interrupted.")
    assert main.text("notice") == "The connection is interrupted."
    assert main.part("talk").geometry() == before


def test_the_task_stands_on_top_with_its_number_or_as_practice(main):
    main.page.show_shown(shown())
    assert main.text("task") == "Task 2 of 4"
    assert main.text("scenario") == TASK.text
    practice = ScenarioShown(seq=1, scenario_id="p", number=1, of=4, practice=True, text="Try it.")
    main.page.show_shown(ScreenState(scenario=practice))
    assert main.text("task") == "Practice"


def test_the_task_folds_to_one_line_and_a_new_one_unfolds(main):
    main.page.show_shown(shown())
    main.click("task_sheet")
    assert not main.seen("scenario")
    assert main.text("task_line").startswith("Find Ada")
    following = ScenarioShown(seq=9, scenario_id="s3", number=3, of=4, practice=False, text="x")
    main.page.show_shown(ScreenState(scenario=following))
    assert main.seen("scenario")


def test_the_newest_exchange_is_shown_with_its_words_and_its_table_or_message(main):
    main.page.show_shown(shown(FIRST))
    assert main.text("query") == "who is there"
    assert main.part("answer_rows", QTableView).model().rowCount() == 2
    assert not main.seen("replaced")
    main.page.show_shown(shown(SECOND))
    assert main.text("message") == "Please say that again."
    assert main.seen("message")
    assert not main.seen("answer_rows")
    main.page.show_shown(shown(Exchange(1, query="q", query_seq=2, message="m", answer_seq=9, replaced=True)))
    assert main.seen("replaced")
    # What looks like markup stays words.
    main.page.show_shown(shown(Exchange(1, query="<b>x</b> & y", query_seq=2)))
    assert main.part("query", QLabel).textFormat() == Qt.TextFormat.PlainText
    assert main.text("query") == "<b>x</b> & y"
    main.page.show_shown(shown(Exchange(2, message="Please say that again.", answer_seq=5)))
    assert not main.seen("caption")
    main.page.show_shown(shown(SECOND))
    assert main.text("caption") == "You said" and main.seen("caption")


def test_what_reached_the_screen_is_reported(qtbot, main, painted):
    main.page.show_shown(shown(FIRST))
    qtbot.waitUntil(lambda: len(painted) == 3)
    assert set(painted) == {("scenario", 1, 0), ("query", 2, 1), ("answer", 3, 1)}


def test_what_was_replaced_before_it_could_be_seen_is_not_reported(qtbot, main, painted):
    main.page.show_shown(shown(FIRST))
    main.page.show_shown(shown(FIRST, SECOND))
    qtbot.waitUntil(lambda: ("message", 5, 2) in painted)
    assert ("answer", 3, 1) not in painted


def test_one_moment_is_reported_when_it_is_painted(qtbot, main, painted):
    main.page.show_state("one_moment")
    main.page.bar.report_one_moment(4)
    assert painted == []
    qtbot.waitUntil(lambda: ("one_moment", 0, 4) in painted)


def test_earlier_questions_are_folded_below_and_can_be_read_again(qtbot, main):
    main.page.show_shown(shown(FIRST, SECOND))
    assert main.text("earlier") == "Earlier questions (1)"
    assert not main.seen("history")
    main.click("earlier")
    history = main.part("history", QListWidget)
    assert history.item(0).text() == "who is there"
    qtbot.keyClick(history, Qt.Key.Key_Return)
    assert main.text("query") == "who is there"
    assert main.text("caption") == "Earlier question"
    main.click("back_to_newest")
    assert main.text("query") == "and who else"
    # A new answer comes before the earlier one that is being read.
    main.click("earlier")
    qtbot.keyClick(history, Qt.Key.Key_Return)
    main.page.show_shown(shown(FIRST, SECOND, Exchange(3, query="third", query_seq=7)))
    assert main.text("query") == "third"


def test_a_new_question_joins_the_earlier_ones_at_the_top(main):
    main.page.show_shown(shown(FIRST, SECOND))
    history = main.part("history", QListWidget)
    oldest = history.item(0)
    main.page.show_shown(shown(FIRST, SECOND, Exchange(3, query="third", query_seq=7)))
    assert [history.item(row).text() for row in range(history.count())] == ["and who else", "who is there"]
    assert history.item(1) is oldest


def test_starting_over_asks_once_before_it_is_a_wish(qtbot, main):
    assert not main.seen("start_over")
    main.page.show_shown(shown(FIRST))
    with qtbot.assertNotEmitted(main.page.bar.start_over_requested):
        main.click("start_over")
    assert main.text("start_over") == "Clear what is shown?\nPress again"
    with qtbot.waitSignal(main.page.bar.start_over_requested):
        main.click("start_over")
    assert main.text("start_over") == "Start over"


def test_a_call_for_help_goes_out_once_and_the_button_says_so(qtbot, main):
    with qtbot.waitSignal(main.page.bar.help_requested):
        main.click("help")
    assert main.text("help") == "You have called for help"
    with qtbot.assertNotEmitted(main.page.bar.help_requested):
        main.click("help")


@pytest.mark.parametrize(
    "happens",
    [lambda page: page.show_state("listening"), lambda page: page.show_shown(shown(FIRST, SECOND))],
    ids=["somebody talks", "an answer comes"],
)
def test_what_happens_meanwhile_takes_the_question_back(main, happens):
    main.page.show_shown(shown(FIRST))
    main.click("start_over")
    happens(main.page)
    assert main.text("start_over") == "Start over"


def test_after_starting_over_enter_presses_nothing(qtbot, main):
    main.page.bar.start_over_requested.connect(lambda: main.page.show_shown(shown()))
    main.page.show_shown(shown(FIRST))
    main.page.activateWindow()
    main.part("start_over").setFocus()
    for _ in range(2):
        qtbot.keyClick(main.part("start_over"), Qt.Key.Key_Return)
    assert not main.seen("start_over")
    assert not isinstance(main.page.window().focusWidget(), QPushButton)


# -- the briefing


@pytest.fixture
def briefing(qtbot):
    return OnScreen(qtbot, BriefingPage(LIGHT, TEXTS))


def test_the_briefing_says_what_the_session_is_what_there_is_and_how_to_talk(briefing):
    briefing.page.show_briefing("Finding people", "", "The system knows people.")
    assert briefing.text("briefing") == texts_in("en").briefing_session
    assert briefing.text("database_description") == "The system knows people."
    assert "SPACE" in briefing.text("briefing_talk")
    briefing.page.show_briefing("Finding people", "Our own words.", "")
    assert briefing.text("briefing") == "Our own words."
    assert not briefing.seen("briefing_database_title")


def too_high(briefing):
    """How many pixels of the text the page has no room for."""
    sheet = briefing.part("briefing_sheet", QScrollArea)
    return max(0, sheet.widget().heightForWidth(sheet.viewport().width()) - sheet.viewport().height())


@pytest.mark.parametrize("domain", ["personnel", "atis"])
def test_the_briefing_of_each_domain_fits_on_a_small_screen(briefing, domain):
    text = tomllib.loads((Path("sample_db") / domain / "domain.toml").read_text())["description"]
    briefing.page.resize(1280, 690)
    briefing.page.show_briefing("Finding out", "", text)
    assert too_high(briefing) == 0


def test_a_briefing_of_any_length_scrolls_as_one_page_by_the_arrow_keys(qtbot, briefing):
    briefing.page.show_briefing("Finding out", "Much to say. " * 300, "And more. " * 500)
    sheet = briefing.part("briefing_sheet", QScrollArea)
    assert too_high(briefing) > 0
    qtbot.waitUntil(lambda: sheet.verticalScrollBar().maximum() > 0)
    qtbot.keyClick(sheet, Qt.Key.Key_PageDown)
    assert sheet.verticalScrollBar().value() > 0
    assert briefing.seen("start")
    assert briefing.page.focusProxy() is sheet


@pytest.mark.parametrize("hidden", [True, False])
def test_no_part_of_the_briefing_is_cut_when_its_text_grows(qtbot, qapp, put_up, hidden):
    look = style.apply(qapp, "light")
    page = BriefingPage(look, texts_in("de").with_key("space"))
    page.show_briefing("Finding out", "", "You can ask about this. " * 20)
    stack = QStackedWidget()
    for each in (QWidget(), page):
        stack.addWidget(each)
    stack.setCurrentIndex(0 if hidden else 1)
    put_up(stack, 1280, 690)
    change(qapp, look, "light", 150)
    stack.setCurrentWidget(page)
    words = [page.findChild(QLabel, name) for name in ("briefing", "briefing_talk", "database_description")]
    qtbot.waitUntil(lambda: all(each.height() >= each.heightForWidth(each.width()) for each in words))
    # One below the other: large letters leave no room for two columns.
    assert words[0].mapTo(page, QPoint()).x() == words[2].mapTo(page, QPoint()).x()
    change(qapp, look, "light", 100)


def test_the_answer_to_the_task_is_typed_in_a_field_of_its_own(qtbot, main):
    main.page.show_shown(shown())
    assert not any(main.seen(each.objectName()) for each in main.page.findChildren(QLineEdit))
    assert all(button.objectName() for button in main.page.findChildren(QPushButton))
    assert not main.seen("solution")
    main.click("have_answer")
    qtbot.keyClick(main.part("solution"), Qt.Key.Key_Escape)
    assert main.seen("talk")
    main.click("have_answer")
    # Neither an answer that comes nor a click that sends nothing takes the cursor away.
    main.page.show_shown(shown(FIRST))
    assert main.part("solution").hasFocus()
    main.part("solution_send").setFocus()
    main.click("solution_send")
    assert main.part("solution").hasFocus()
    # From the buttons beside it letters go there, and Esc leaves it.
    main.part("solution_send").setFocus()
    qtbot.keyClick(main.part("solution_send"), Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(main.part("solution"), "da")
    qtbot.keyClick(main.part("solution_back"), Qt.Key.Key_Escape)
    assert main.seen("talk")
    main.click("have_answer")
    # What was begun before is still there.
    assert main.part("solution").text() == "ada"
    main.part("solution").selectAll()
    qtbot.keyClicks(main.part("solution"), "Ada Byron")
    with qtbot.waitSignal(main.page.bar.solution_entered) as reported:
        qtbot.keyClick(main.part("solution"), Qt.Key.Key_Return)
    assert reported.args == ["Ada Byron"]
    assert main.seen("talk")


def test_between_tasks_no_answer_is_asked_for(main):
    main.page.show_shown(shown(FIRST))
    assert main.seen("have_answer")
    main.page.show_shown(shown(FIRST, scenario_over=True))
    assert not main.seen("have_answer")
    assert main.text("scenario") == texts_in("en").task_over


# -- the microphone's page


@pytest.fixture
def mic(qtbot):
    return OnScreen(qtbot, MicPage(LIGHT, TEXTS))


def test_a_missing_microphone_is_named_another_is_taken_by_enter_and_none_is_red(mic, qtbot):
    mic.page.show_microphone(Readiness.CHOOSE, ["desk", "head"], "stage")
    assert "“stage” is not connected" in mic.text("mic_hint")
    assert mic.part("microphones", QListWidget).count() == 2
    mic.page.show_microphone(Readiness.CHOOSE, ["desk", "head"], "")
    qtbot.keyClick(mic.part("microphones"), Qt.Key.Key_Down)
    with qtbot.waitSignal(mic.page.choose_requested) as reported:
        mic.page.enter()
    assert reported.args == ["head"]
    mic.page.show_microphone(Readiness.CHOOSE, [], "")
    assert mic.text("mic_hint") == texts_in("en").mic_none
    assert mic.part("mic_hint").palette().windowText().color().name() == LIGHT.bad
    mic.page.show_microphone(Readiness.READY, [], "")
    assert mic.part("mic_hint").palette().windowText().color().name() == LIGHT.text


def test_one_goes_on_only_after_the_microphone_was_tried_and_heard(qtbot, mic):
    mic.page.show_microphone(Readiness.READY, [], "")
    with qtbot.assertNotEmitted(mic.page.continue_requested):
        mic.page.enter()
    mic.page.show_test(MicTestStage.SILENT)
    assert mic.text("mic_result") == texts_in("en").mic_silent
    with qtbot.assertNotEmitted(mic.page.continue_requested):
        mic.page.enter()
    mic.page.show_test(MicTestStage.GOOD)
    with qtbot.waitSignal(mic.page.continue_requested):
        mic.page.enter()


def test_every_state_of_the_test_has_a_sentence(mic):
    for readiness, heard in product(Readiness, MicTestStage):
        mic.page.show_microphone(readiness, ["desk"], "")
        mic.page.show_test(heard)
        assert mic.text("mic_hint") and "{" not in mic.text("mic_hint") + mic.text("mic_result"), (readiness, heard)


def test_the_dots_take_turns_only_while_one_waits(qtbot, main):
    talk = main.part("talk")
    main.page.show_state("one_moment")
    first = talk.grab().toImage()
    qtbot.waitUntil(lambda: talk.grab().toImage() != first)
    main.page.show_state("idle")
    assert not [timer for timer in talk.findChildren(QTimer) if timer.isActive()]


def test_a_notice_comes_before_the_noted_answer_and_gives_its_place_back(main):
    main.page.show_solution_noted("United 203")
    assert main.seen("solution_noted") and "United 203" in main.text("solution_noted")
    main.page.show_notice("Hold SPACE while you speak.")
    assert main.seen("notice") and not main.seen("solution_noted")
    main.page.show_notice("")
    assert main.seen("solution_noted")


@pytest.mark.parametrize("language", bundled_languages())
def test_every_button_shows_its_words_whole_in_every_language(qtbot, language):
    """Of 1280x720, 1366x768 and 1920x1080 at twice the size, less a title bar."""
    texts = texts_in(language).with_key("space")
    window, page = Window(LIGHT, texts), MainPage(LIGHT, texts)
    window.add_page("main", page)
    window.show_page("main")
    qtbot.addWidget(window)
    task = ScenarioShown(seq=1, scenario_id="1", text="Find it.", asks_answer=True, practice=False, number=1, of=4)
    page.show_shown(ScreenState(scenario=task, exchanges=(Exchange(1, query="q", query_seq=2),), newest=1, seq=2))
    window.resize(960, 500)
    window.show()
    for state in ("idle", "listening", "one_moment"):
        page.show_state(state)
        qtbot.waitUntil(lambda: _cut(page) == [])
    assert (window.width(), window.height()) == (960, 500)


def _cut(page):
    """The visible buttons that have less room than their words need, or stand beyond the edge of the page."""
    buttons = [each for each in page.findChildren(QPushButton) if each.isVisible()]
    inside = page.rect().adjusted(-1, -1, 1, 1)
    return [
        each.objectName() for each in buttons
        if each.width() < each.sizeHint().width() or each.height() < each.fontMetrics().height()
        or not inside.contains(each.rect().translated(each.mapTo(page, each.rect().topLeft())))
    ]  # fmt: skip


@pytest.mark.parametrize(
    "task, answer, space, least, heights",
    [
        (50, 100, 500, 80, (50, 450)),
        (300, 200, 500, 80, (300, 200)),
        (50, 900, 500, 80, (50, 450)),
        (900, 100, 500, 80, (400, 100)),
        (900, 900, 500, 80, (200, 300)),
        (200, 301, 500, 80, (200, 300)),
        (201, 300, 500, 80, (200, 300)),
        (900, 900, 500, 350, (150, 350)),
        (900, 900, 300, 350, (0, 300)),
    ],
)
def test_a_part_that_needs_little_leaves_its_room_to_the_other(task, answer, space, least, heights):
    assert shared_height(task, answer, space, least) == heights


LONG_TASK = "Find a flight that suits. " * 40
LONG_TABLE = Table(headings=["Name"], rows=[["ADA"]] * 60, numeric=[False], total=60)


@pytest.mark.parametrize(
    "text, table, task_scrolls, table_scrolls",
    [
        (LONG_TASK, None, False, False),
        (LONG_TASK, TABLE, False, False),
        ("Find Ada.", LONG_TABLE, False, True),
        (LONG_TASK * 3, TABLE, True, False),
        (LONG_TASK * 3, LONG_TABLE, True, True),
    ],
)
def test_task_and_answer_share_the_height_by_need(qtbot, main, text, table, task_scrolls, table_scrolls):
    task = ScenarioShown(seq=1, scenario_id="1", text=text, asks_answer=False, practice=False, number=1, of=1)
    size = main.page.size()
    asked = (Exchange(1, query="q", query_seq=2, table=table, answer_seq=3),) if table else ()
    main.page.show_shown(ScreenState(scenario=task, exchanges=asked, newest=len(asked), seq=3))
    texts, rows = main.part("task_text", QScrollArea), main.part("answer_rows", QTableView)

    def scrolls():
        return [each.isVisible() and each.verticalScrollBar().maximum() > 0 for each in (texts, rows)]

    qtbot.waitUntil(lambda: scrolls() == [task_scrolls, table_scrolls])
    assert main.page.size() == size, "the window does not grow"


def test_the_talk_key_looks_as_it_behaves(main):
    talk = main.part("talk")

    def has_edge() -> bool:
        # Below the icon and the words: the middle of the lower edge.
        return talk.grab().toImage().pixelColor(talk.width() // 2, talk.height() - 3).name() != LIGHT.window

    main.page.show_input("speech", False, True)
    assert talk.isVisible()
    main.page.show_state("one_moment")
    assert (talk.isEnabled(), has_edge()) == (True, True)
    main.page.show_input("speech", False, False)
    assert (talk.isEnabled(), has_edge()) == (False, False)
    main.page.show_input("text", True, False)
    assert talk.isVisible()
    main.page.show_state("idle")
    assert not talk.isVisible()
    assert main.seen("question")


@pytest.mark.parametrize("given, talks", [("text", False), ("both", True)])
@pytest.mark.parametrize("at", ["question_send", "answer_rows", "talk", "have_answer"])
def test_behind_an_answer_the_cursor_is_in_the_field_and_letters_go_there_from_everywhere(
    qtbot, main, given, talks, at
):
    main.page.show_input(given, True, talks)
    field = main.part("question", QLineEdit)
    qtbot.keyClicks(field, "who")
    with qtbot.waitSignal(main.page.bar.question_entered):
        main.click("question_send")
    main.page.show_shown(shown(FIRST))
    assert field.hasFocus() and not field.text()
    main.part(at).setFocus()
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_W)
    assert field.hasFocus() and field.text() == "w"
