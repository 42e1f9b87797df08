"""The panel by its own: keys in the list and among the values, room that never changes, odd texts."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from curtain.qt.style import Look
from curtain_drafts.desk.rows import DraftRow
from curtain_drafts.desk.value_choices import ShownChip
from curtain_drafts.drafting.values import Chip, Choice, Value
from curtain_drafts.window.panel import DraftsPanel
from tests.wizard_app.draft_stand_in import city
from wizard_app.window.panels.query_panel import QueryPanel

ROWS = [DraftRow(number, 1 - number / 10, f"count: department {number}", "1 row") for number in range(1, 6)]
BOSTON = city(5, 11, "boston", "BOSTON", "DALLAS", "DENVER")
SUNDAY = Chip(16, 22, "sunday", "day", Value("days.day_name", "SUNDAY", "Sunday"))


@pytest.fixture
def panel(qtbot: QtBot, look: Look) -> DraftsPanel:
    made = DraftsPanel(look)
    qtbot.addWidget(made)
    made.resize(740, made.sizeHint().height())
    made.show()
    made.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is made)
    return made


def test_a_driver_reads_number_confidence_sql_in_short_and_rows(panel: DraftsPanel) -> None:
    panel.show_rows([replace(ROWS[0], word="sure")], False, "", "")
    assert panel.list.property("rows") == ["1 .90 sure count: department 1 1 row"]


@pytest.mark.parametrize(("key", "number"), [(Qt.Key.Key_Return, 1), (Qt.Key.Key_3, 3)])
def test_enter_takes_the_draft_pointed_at_and_a_number_its_own(
    qtbot: QtBot, panel: DraftsPanel, key: Qt.Key, number: int
) -> None:
    panel.show_rows(ROWS, False, "", "")
    panel.list.setFocus()
    with qtbot.waitSignal(panel.list.take_requested) as taken:
        qtbot.keyClick(panel.list, key)
    assert taken.args == [number]


def test_the_row_pointed_at_goes_with_its_statement_and_what_is_new_says_so(panel: DraftsPanel) -> None:
    rows = [replace(row, sql=f"SELECT {row.number}") for row in ROWS[:3]]
    panel.show_rows(rows, False, "", "")
    panel.list.setFocus()
    panel.list.select(2)
    late = replace(rows[0], sql="SELECT 9", new="new")
    panel.show_rows([late, *(replace(row, number=row.number + 1) for row in rows)], False, "", "")
    assert panel.list.selected == 3
    assert panel.list.property("rows")[0].startswith("1 new .90")
    panel.show_rows([late], False, "", "")
    assert panel.list.selected == 0


def test_a_click_takes_a_draft(qtbot: QtBot, panel: DraftsPanel) -> None:
    panel.show_rows(ROWS, False, "", "")
    place = panel.list.visualRect(panel.list.model().index(1, 0)).center()
    with qtbot.waitSignal(panel.list.take_requested) as taken:
        qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert taken.args == [2]


def test_the_row_pointed_at_outlasts_a_row_count_that_comes(qtbot: QtBot, panel: DraftsPanel) -> None:
    panel.show_rows(ROWS, False, "", "")
    panel.list.setFocus()
    qtbot.keyClick(panel.list, Qt.Key.Key_Down)
    panel.show_rows([*ROWS[:4], DraftRow(5, 0.5, "count", "9 rows")], False, "", "")
    assert panel.list.selected == 2
    panel.list.clearFocus()
    assert panel.list.selected == 0


@pytest.mark.parametrize("shown", ["nothing", "drafts", "stale", "long"])
def test_the_panel_keeps_its_height_whatever_it_shows(qtbot: QtBot, panel: DraftsPanel, shown: str) -> None:
    before = panel.sizeHint().height()
    if shown != "nothing":
        panel.show_rows(ROWS, shown == "stale", "for earlier words" if shown == "stale" else "", "")
        panel.show_chips([ShownChip(BOSTON), ShownChip(SUNDAY)], False)
    if shown == "long":
        panel.show_chips([ShownChip(BOSTON)] * 30, False)
        panel.show_details("x " * 3000)
        panel.show_rows([DraftRow(1, 0.5, "y " * 400, "z" * 400)], False, "", "")
    qtbot.waitUntil(lambda: panel.layout() is not None)
    assert panel.sizeHint().height() == before
    assert panel.minimumSizeHint().width() < 700


@pytest.mark.parametrize(("less", "rows"), [(0, 5), (1, 4), (30, 3), (200, 1)])
def test_in_less_room_fewer_drafts_are_seen_and_each_is_whole(
    qtbot: QtBot, panel: DraftsPanel, less: int, rows: int
) -> None:
    panel.show_rows(ROWS, False, "", "")
    for text in (None, "flights from boston", None):
        panel.show_rewording(text)
        panel.resize(740, max(panel.minimumSizeHint().height(), panel.sizeHint().height() - less))
        qtbot.waitUntil(lambda: whole_rows(panel) == rows and panel.list.viewport().height() % rows == 0)
        assert panel.rewording == (text is not None)


def whole_rows(panel: DraftsPanel) -> int:
    """How many drafts are seen from top to bottom without scrolling."""
    room = panel.list.viewport().rect()
    return sum(room.contains(panel.list.visualRect(panel.list.model().index(at, 0))) for at in range(len(ROWS)))


def test_a_draft_chosen_by_keys_is_scrolled_to_where_not_all_are_seen(qtbot: QtBot, panel: DraftsPanel) -> None:
    panel.show_rows(ROWS, False, "", "")
    panel.resize(740, panel.minimumSizeHint().height())
    panel.list.setFocus()
    assert panel.list.verticalScrollBar().isVisible()
    for number in range(2, 6):
        qtbot.keyClick(panel.list, Qt.Key.Key_Down)
        chosen = panel.list.visualRect(panel.list.model().index(number - 1, 0))
        assert panel.list.viewport().rect().contains(chosen)


def towns(count: int) -> list[ShownChip]:
    return [ShownChip(city(9 * at, 9 * at + 8, f"bosto{at:03}", f"BOSTO{at:03}")) for at in range(count)]


def test_values_that_do_not_fit_are_counted_and_come_into_sight_with_the_keys(qtbot: QtBot, panel: DraftsPanel) -> None:
    chips = panel.chips
    panel.show_chips(towns(30), False)
    first = chips.in_sight
    assert first.start == 0 and 2 <= len(first) < 30
    chips.setFocus()
    for key, places in ((Qt.Key.Key_Right, range(1, 30)), (Qt.Key.Key_Left, range(28, -1, -1))):
        for place in places:
            qtbot.keyClick(chips, key)
            assert chips.current == towns(30)[place]
            assert place in chips.in_sight
    qtbot.keyClick(chips, Qt.Key.Key_End)
    assert chips.in_sight.stop == 30
    chips.clearFocus()
    assert chips.in_sight == first


def test_a_click_on_what_tells_of_more_values_brings_the_next_one(qtbot: QtBot, panel: DraftsPanel) -> None:
    chips = panel.chips
    panel.show_chips(towns(30), False)
    chips.setFocus()
    before = chips.in_sight
    qtbot.mouseClick(chips, Qt.MouseButton.LeftButton, pos=QPoint(chips.width() - 3, chips.height() // 2))
    assert chips.current == towns(30)[before.stop]
    qtbot.keyClick(chips, Qt.Key.Key_End)
    before = chips.in_sight
    qtbot.mouseClick(chips, Qt.MouseButton.LeftButton, pos=QPoint(3, chips.height() // 2))
    assert chips.current == towns(30)[before.start - 1]


def test_the_values_are_walked_swapped_and_taken_out_by_keys(qtbot: QtBot, panel: DraftsPanel) -> None:
    chips = panel.chips
    panel.show_chips([ShownChip(BOSTON), ShownChip(SUNDAY)], False)
    assert chips.property("chips") == ["city Boston", "day Sunday"]
    chips.setFocus()
    qtbot.keyClick(chips, Qt.Key.Key_Right)
    with qtbot.waitSignal(chips.remove_requested) as removed:
        qtbot.keyClick(chips, Qt.Key.Key_Delete)
    assert removed.args == [SUNDAY]
    qtbot.keyClick(chips, Qt.Key.Key_Left)
    qtbot.keyClick(chips, Qt.Key.Key_Return)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [act.text() for act in menu.actions() if act.text()] == ["Dallas", "Denver", "Without it  (Del)"]
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    with qtbot.waitSignal(chips.swap_requested) as swapped:
        qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert swapped.args == [BOSTON, BOSTON.others[1]]


def opened_list(qtbot: QtBot, panel: DraftsPanel, shown: ShownChip) -> QMenu:
    panel.show_chips([shown], False)
    panel.chips.setFocus()
    qtbot.keyClick(panel.chips, Qt.Key.Key_Return)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def seen_in(menu: QMenu) -> list[str]:
    return [act.text() for act in menu.actions() if act.isVisible() and act.text()]


def test_typing_in_the_list_finds_a_value_also_one_far_down(qtbot: QtBot, panel: DraftsPanel) -> None:
    others = [*(f"TOWN {number}" for number in range(60)), "CHARLOTTE", "CHICAGO/O'HARE", "SAN FRANCISCO"]
    shown = ShownChip(city(5, 11, "boston", "BOSTON", *others))
    menu = opened_list(qtbot, panel, shown)
    assert len(seen_in(menu)) < 25
    qtbot.keyClicks(menu, "chi")
    assert seen_in(menu) == ["chi…", "Chicago/O'Hare", "Without it  (Del)"]
    qtbot.keyClicks(menu, "x")
    assert seen_in(menu)[0] == "chi…"
    qtbot.keyClick(menu, Qt.Key.Key_Backspace)
    assert seen_in(menu)[1:3] == ["Charlotte", "Chicago/O'Hare"]
    for _ in "ch":
        qtbot.keyClick(menu, Qt.Key.Key_Backspace)
    qtbot.keyClicks(menu, "o'h")
    assert seen_in(menu)[1] == "Chicago/O'Hare"
    for _ in "o'h":
        qtbot.keyClick(menu, Qt.Key.Key_Backspace)
    qtbot.keyClicks(menu, "san fr")
    with qtbot.waitSignal(panel.chips.swap_requested) as swapped:
        qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert swapped.args == [shown.chip, shown.chip.others[-1]]


def test_a_changed_value_is_brought_back_first_and_not_offered_again(qtbot: QtBot, panel: DraftsPanel) -> None:
    dallas = city(5, 11, "boston", "DALLAS", "BOSTON", "DALLAS")
    shown = ShownChip(dallas, Choice(5, 11, "boston", dallas.value))
    menu = opened_list(qtbot, panel, shown)
    assert seen_in(menu) == ["As it was found  (Del)", "Boston"]
    with qtbot.waitSignal(panel.chips.put_back_requested) as back:
        qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert back.args == [dallas]


def test_a_value_can_be_taken_by_the_mouse(qtbot: QtBot, panel: DraftsPanel) -> None:
    panel.show_chips([ShownChip(BOSTON)], False)
    qtbot.mouseClick(
        panel.chips, Qt.MouseButton.LeftButton, pos=panel.chips.rect().topLeft() + panel.chips.rect().center() / 20
    )
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    menu.close()


def test_enter_keeps_the_other_words_and_leaves_their_field(qtbot: QtBot, panel: DraftsPanel) -> None:
    panel.show_rewording("flights")
    panel.field.setFocus()
    with qtbot.waitSignal(panel.reworded) as reworded:
        qtbot.keyClicks(panel.field, "s")
    assert reworded.args == ["flightss"]
    with qtbot.waitSignal(panel.field.left):
        qtbot.keyClick(panel.field, Qt.Key.Key_Return)
    assert panel.field.toPlainText() == "flightss"


@pytest.mark.parametrize(
    ("text", "spans"),
    [("from boston", [(5, 11)]), ("\U0001f600 an emoji and boston", [(15, 21)]), ("short", [(2, 400)]), ("", [(0, 5)])],
)
def test_the_words_a_draft_rests_on_are_underlined_in_the_query(
    qtbot: QtBot, look: Look, text: str, spans: list[tuple[int, int]]
) -> None:
    query = QueryPanel(look)
    qtbot.addWidget(query)
    query.field.setPlainText(text)
    query.mark(spans)
    marked = [one.cursor.selectedText() for one in query.field.extraSelections()]
    assert marked == [text[start:end] for start, end in spans]
    query.mark(())
    assert query.field.extraSelections() == []
