import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QTableView

from curtain.base.table import Table
from curtain.qt.answer_table import AnswerTable


def table_of(rows, columns=3, total=None, heading="Heading"):
    return Table(
        headings=[f"{heading} {n}" for n in range(columns)],
        rows=[[f"cell {row} {column}" for column in range(columns)] for row in range(rows)],
        numeric=[column == 1 for column in range(columns)],
        total=rows if total is None else total,
    )


@pytest.fixture
def shown(put_up):
    widget = AnswerTable()
    put_up(widget, 700, 400)
    return widget


def rows_of(widget):
    return widget.findChild(QTableView, "answer_rows")


def text_of(widget, name):
    return widget.findChild(QLabel, name)


def test_it_shows_headings_and_cells_numbers_to_the_right_and_texts_to_the_left(shown):
    shown.show_table(table_of(2))
    model = rows_of(shown).model()
    assert model.headerData(0, Qt.Orientation.Horizontal) == "Heading 0"
    assert model.index(1, 2).data() == "cell 1 2"
    role = Qt.ItemDataRole.TextAlignmentRole
    assert model.index(0, 1).data(role) & Qt.AlignmentFlag.AlignRight
    assert model.index(0, 0).data(role) & Qt.AlignmentFlag.AlignLeft


@pytest.mark.parametrize(
    ("rows", "total", "words", "note"),
    [
        (200, 512, "", "First 200 of 512"), (200, 200, "", ""), (14, 14, "{total} rows", "14 rows"),
        (1, 1, "{total} rows", ""),
    ],
)  # fmt: skip
def test_a_table_says_its_rows_if_it_is_cut_or_there_are_words_for_that(qtbot, rows, total, words, note):
    qtbot.addWidget(shown := AnswerTable(row_count=words))
    shown.show_table(table_of(rows, total=total))
    assert text_of(shown, "answer_note").text() == note
    assert text_of(shown, "answer_note").isVisibleTo(shown) == bool(note)


def test_a_table_that_is_too_large_by_its_padding_alone_has_no_bar(shown, qtbot):
    rows = rows_of(shown)
    shown.show_table(table_of(6))
    whole = shown.sizeHint()
    bars = rows.horizontalScrollBar(), rows.verticalScrollBar()
    for less, scrolls in ((0, False), (20, False), (whole.width() // 2, True)):
        shown.resize(whole.width() - less, whole.height() - 25 if less == 20 else whole.height())
        qtbot.waitUntil(lambda scrolls=scrolls: (bars[0].maximum() > 0) == scrolls)
        assert bars[1].maximum() == 0 or scrolls


def test_an_empty_table_says_so(put_up):
    widget = AnswerTable()
    put_up(widget)
    widget.show_table(table_of(0))
    assert text_of(widget, "answer_empty").isVisible()
    assert text_of(widget, "answer_empty").text() == "Nothing was found."


def test_a_long_heading_is_wrapped(shown):
    heading = "The total number of employees who were hired"
    shown.show_table(Table(headings=[heading], rows=[["7"]], numeric=[True], total=1))
    lines = rows_of(shown).model().headerData(0, Qt.Orientation.Horizontal).split("\n")
    assert " ".join(lines) == heading
    assert max(map(len, lines)) <= 40


def test_a_column_is_as_wide_as_its_widest_cell_though_others_have_more_letters(shown):
    narrow = [f"{'i' * (20 + n)}" for n in range(8)]
    widest = "W" * 18
    shown.show_table(Table(headings=["A"], rows=[[text] for text in [*narrow, widest]], numeric=[False], total=9))
    rows = rows_of(shown)
    assert rows.columnWidth(0) > rows.fontMetrics().horizontalAdvance(widest)


def test_a_long_cell_gets_the_lines_it_needs(shown):
    text = "a remark of many words " * 8
    rows = [["short"], [text]]
    shown.show_table(Table(headings=["Remark"], rows=rows, numeric=[False], total=2))
    assert rows_of(shown).rowHeight(1) > 2 * rows_of(shown).rowHeight(0)


@pytest.mark.parametrize("key, moves", [(Qt.Key.Key_Down, True), (Qt.Key.Key_End, True), (Qt.Key.Key_A, False)])
def test_keys_scroll_it_and_the_next_table_begins_at_its_top(qtbot, shown, key, moves):
    shown.show_table(table_of(200))
    qtbot.keyClick(rows_of(shown), key)
    assert (rows_of(shown).verticalScrollBar().value() > 0) == moves
    shown.show_table(table_of(150))
    assert rows_of(shown).verticalScrollBar().value() == 0


def test_a_larger_scale_gives_larger_letters(shown):
    shown.show_table(table_of(2), step=1)
    before = rows_of(shown).rowHeight(0)
    shown.show_table(table_of(2), step=4)
    assert rows_of(shown).rowHeight(0) > 1.5 * before


@pytest.mark.parametrize(
    "table",
    [
        Table(headings=["A", "B"], rows=[["only one"]], numeric=[], total=1),
        Table(headings=[], rows=[], numeric=[], total=0),
        Table(headings=[""], rows=[[""]], numeric=[False], total=1),
        Table(headings=["日本語", "العربية"], rows=[["東京", "القاهرة"]], numeric=[False, False], total=1),
    ],
    ids=["ragged", "nothing", "empty texts", "other scripts"],
)
def test_odd_tables_are_shown_all_the_same(shown, table):
    shown.show_table(table)
    shown.grab()


def test_a_word_without_a_heading_stands_by_itself(shown):
    shown.show_table(Table(headings=[""], rows=[["Yes"]], numeric=[False], total=1))
    assert rows_of(shown).horizontalHeader().isHidden()
    alone = shown.sizeHint().height()
    shown.show_table(table_of(1, columns=1))
    assert not rows_of(shown).horizontalHeader().isHidden()
    assert alone < shown.sizeHint().height()
