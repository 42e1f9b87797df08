"""Which drafts are shown for which text, and what becomes of a draft that was wished too early."""

import re
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from curtain.domain.pack.pack import load_pack
from curtain.domain.wire import Result
from curtain.qt.background import Background
from curtain_drafts.desk.control import DraftsControl, DraftState, Places, sketches
from curtain_drafts.drafting.values import Asked, Choice, Draft
from curtain_drafts.tool.algebra.description import sketched
from curtain_drafts.tool.algebra.reading import SqlReader
from tests.wizard_app.draft_stand_in import MEN, WOMEN, DraftStandIn, city

FIRST, SECOND = Draft(WOMEN, 0.9), Draft(MEN, 0.3)
TABLES = {"t": ["a", "b", "c", "d", "e", "f", "g", "h", "x", "column_b"], "school": ["x"]}
SMALL = SqlReader({table: dict.fromkeys(columns, "VARCHAR") for table, columns in TABLES.items()})


class Tried:
    now = 0.0

    def __init__(self, qtbot: QtBot, control: DraftsControl) -> None:
        self.qtbot = qtbot
        self.control = control
        self.tool = DraftStandIn(FIRST, SECOND, slow=True)
        self.taken: list[tuple[int, str]] = []
        self.notices: list[str] = []
        control.taken.connect(lambda number, draft: self.taken.append((number, draft.sql)))
        control.notice.connect(self.notices.append)

    def begin(self, query: str = "how many women") -> None:
        self.control.set_service(self.tool)
        self.control.begin_turn(1, query, ())

    def begin_with_drafts(self) -> None:
        self.begin()
        self.drafts_come()

    def until(self, state: DraftState) -> None:
        self.qtbot.waitUntil(lambda: self.control.state is state)

    def ask_next(self) -> None:
        """The pause after the last key is over."""
        asked = len(self.tool.asked)
        self.qtbot.waitUntil(lambda: len(self.tool.asked) > asked)

    def drafts_come(self) -> None:
        self.tool.answer()
        self.until(DraftState.HERE)


@pytest.fixture
def tried(qtbot: QtBot, background: Background) -> Iterator[Tried]:
    control = DraftsControl(background, pause_ms=0, clock=lambda: tried.now)
    tried = Tried(qtbot, control)
    yield tried
    control.deleteLater()


def test_drafts_of_an_older_text_are_stale_at_once_and_replaced_when_new_ones_come(tried: Tried) -> None:
    tried.begin_with_drafts()
    tried.control.set_query("how many men")
    assert tried.control.state is DraftState.STALE
    assert tried.control.shown.drafts == (FIRST, SECOND)
    tried.ask_next()
    tried.tool.drafts = (SECOND,)
    tried.drafts_come()
    assert tried.control.shown.drafts == (SECOND,)


def test_an_answer_to_an_older_text_is_not_shown_and_its_text_can_be_asked_again(tried: Tried) -> None:
    tried.begin("how many men")
    tried.control.set_query("how many women")
    tried.ask_next()
    tried.control.set_query("how many men")
    tried.tool.answer(0)
    tried.ask_next()
    tried.tool.answer(1)
    assert tried.control.state is DraftState.WAITING
    tried.drafts_come()
    assert tried.control.shown.request.question == "how many men"


def test_typing_asks_once_when_it_pauses(qtbot: QtBot, background: Background) -> None:
    control = DraftsControl(background, pause_ms=30)
    tool = DraftStandIn(FIRST)
    control.set_service(tool)
    control.begin_turn(1, "", ())
    for end in range(1, 9):
        control.set_query("how many"[:end])
    qtbot.waitUntil(lambda: control.state is DraftState.HERE)
    assert [request.question for request in tool.asked] == ["how many"]


def test_a_draft_wished_while_the_text_is_newer_is_taken_if_it_keeps_its_number(tried: Tried) -> None:
    tried.begin_with_drafts()
    tried.control.set_query("how many women now")
    tried.tool.drafts = (FIRST,)
    tried.control.take(1)
    assert tried.taken == []
    assert tried.tool.asked[-1].question == "how many women now"
    tried.drafts_come()
    assert tried.taken == [(1, WOMEN)]


@pytest.mark.parametrize("seen", [True, False], ids=["another was seen", "none was seen"])
def test_a_draft_that_nobody_has_seen_is_shown_and_not_taken(tried: Tried, seen: bool) -> None:
    tried.begin()
    if seen:
        tried.drafts_come()
        tried.control.set_query("how many men")
    tried.tool.drafts = (SECOND, FIRST)
    tried.control.take(1)
    tried.drafts_come()
    assert tried.taken == []
    assert tried.notices == ["Draft 1 has changed. Check it, then take it."]
    tried.control.take(1)
    assert tried.taken == [(1, MEN)]


def test_a_wish_is_given_up_with_the_next_key(tried: Tried) -> None:
    tried.begin()
    tried.control.take(1)
    tried.control.set_query("how many women are")
    tried.ask_next()
    tried.drafts_come()
    assert tried.taken == []


def test_a_draft_that_is_not_there_is_told_of(tried: Tried) -> None:
    tried.begin_with_drafts()
    tried.control.take(5)
    assert tried.taken == []
    assert tried.notices == ["There is no draft 5."]


def test_before_the_tool_is_ready_a_wish_says_so_and_without_the_tool_why(tried: Tried) -> None:
    tried.control.begin_turn(1, "how many women", ())
    assert tried.control.state is DraftState.STARTING
    tried.control.take(1)
    tried.control.give_up("The lexicon cannot be read.")
    tried.control.take(1)
    assert tried.notices == ["The drafts are not ready yet.", "The lexicon cannot be read."]
    assert tried.control.state is DraftState.OFF


def test_row_counts_arrive_on_their_own_and_stay_with_their_statement(tried: Tried) -> None:
    tried.begin_with_drafts()
    assert [sql for sql, _ in tried.tool.previewed] == [WOMEN, MEN]
    tried.tool.previewed[1][1].set_result(Result(sql=MEN, total=1, rows=[["240"]]))
    tried.qtbot.waitUntil(lambda: MEN in tried.control.shown.previews)
    assert WOMEN not in tried.control.shown.previews
    tried.control.set_query("how many of each")
    tried.ask_next()
    tried.drafts_come()
    assert tried.control.shown.previews[MEN].total == 1
    assert [sql for sql, _ in tried.tool.previewed] == [WOMEN, MEN, WOMEN]


@pytest.mark.parametrize(
    ("pointed", "late", "shown"),
    [
        ("", (SECOND, FIRST), (MEN, WOMEN)),
        ("", (FIRST, Draft(MEN, 0.04)), (WOMEN,)),
        (MEN, (SECOND, FIRST), (WOMEN, MEN)),
        (MEN, (FIRST, Draft(MEN, 0.04)), (WOMEN, MEN)),
        (MEN, tuple(Draft(sql, 0.9) for sql in "abcde"), ("a", MEN, "b", "c", "d")),
    ],
)
def test_a_late_list_comes_whole_and_moves_or_removes_nothing_that_is_pointed_at(
    tried: Tried, pointed: str, late: tuple[Draft, ...], shown: tuple[str, ...]
) -> None:
    tried.begin_with_drafts()
    tried.control.pointed = pointed
    tried.tool.more[-1](late)
    tried.qtbot.waitUntil(lambda: tuple(draft.sql for draft in tried.control.shown.drafts) == shown)


def test_a_swapped_value_drafts_again_at_once_and_is_kept_while_the_query_grows(tried: Tried) -> None:
    chip = city(5, 11, "boston", "BOSTON", "DALLAS")
    tried.begin("from boston")
    tried.control.swap(chip, chip.others[0])
    chosen = Choice(5, 11, "boston", chip.others[0])
    assert tried.tool.asked[-1].choices == (chosen,)
    tried.control.set_query("from boston to denver")
    tried.ask_next()
    assert tried.tool.asked[-1].choices == (chosen,)
    tried.control.put_back(chip)
    assert tried.tool.asked[-1].choices == ()


def test_a_choice_that_leaves_no_draft_can_be_taken_back(tried: Tried) -> None:
    boston, denver = city(5, 11, "boston", "BOSTON", "DALLAS"), city(15, 21, "denver", "DENVER")
    tried.tool.drafts = (Draft(WOMEN, 0.9, chips=(boston, denver)),)
    tried.begin("from boston to denver")
    tried.drafts_come()
    tried.tool.drafts = ()
    tried.control.swap(boston, boston.others[0])
    tried.tool.answer()
    tried.until(DraftState.NONE)
    shown = tried.control.chips_of(1)
    assert [one.chip.said for one in shown] == ["boston", "denver"]
    assert [one.choice is not None for one in shown] == [True, False]
    tried.control.put_back(shown[0].chip)
    assert tried.tool.asked[-1].choices == ()


def test_a_choice_that_a_draft_does_not_use_is_shown_all_the_same(tried: Tried) -> None:
    boston = city(5, 11, "boston", "BOSTON", "DALLAS")
    tried.tool.drafts = (Draft(WOMEN, 0.9, chips=(boston,)),)
    tried.begin("from boston")
    tried.drafts_come()
    tried.tool.drafts = (SECOND,)
    tried.control.swap(boston, boston.others[0])
    tried.drafts_come()
    assert [one.in_words for one in tried.control.chips_of(1)] == ["city Dallas"]


def test_other_words_are_for_the_tool_alone_and_belong_to_their_turn(tried: Tried) -> None:
    tried.begin("i wanna go there")
    tried.control.reword("flights to denver")
    tried.ask_next()
    assert tried.tool.asked[-1].question == "flights to denver"
    assert tried.control.wanted.query == "i wanna go there"
    tried.control.begin_turn(2, "and back", ())
    assert tried.control.wanted.reworded is None
    tried.control.begin_turn(1, "i wanna go there", ())
    assert tried.control.wanted.question == "flights to denver"
    tried.control.reword(None)
    assert tried.control.wanted.question == "i wanna go there"


def test_what_was_answered_before_goes_with_the_request(tried: Tried) -> None:
    tried.begin()
    earlier = (Asked("how many men", MEN),)
    tried.control.set_previous(earlier)
    tried.ask_next()
    assert tried.tool.asked[-1].previous == earlier


def test_a_query_of_any_length_is_cut_before_it_is_asked(tried: Tried) -> None:
    tried.begin("x" * 10_000)
    assert len(tried.tool.asked[-1].question) == 2000


def test_an_empty_query_is_not_asked(tried: Tried) -> None:
    tried.begin("   \n ")
    assert tried.control.state is DraftState.EMPTY
    assert tried.tool.asked == []


@pytest.mark.parametrize(
    ("after_s", "number", "pointed", "taken"),
    [
        (0.29, 1, False, FIRST.sql),
        (0.31, 1, False, "SELECT 3"),
        (0.29, 3, False, SECOND.sql),
        (0.29, 2, True, FIRST.sql),
    ],
)
def test_a_key_pressed_as_the_list_changes_means_the_draft_that_stood_there(
    tried: Tried, after_s: float, number: int, pointed: bool, taken: str
) -> None:
    tried.begin_with_drafts()
    tried.now = 10
    tried.tool.more[-1]((Draft("SELECT 3", 0.95), FIRST, SECOND))
    tried.qtbot.waitUntil(lambda: len(tried.control.shown.drafts) == 3)
    tried.now += after_s
    tried.control.take(number, pointed)
    assert [sql for _, sql in tried.taken] == [taken]
    assert tried.control.shown.new == {"SELECT 3"}


def test_a_draft_that_has_just_gone_is_not_replaced_by_another_under_the_hand(tried: Tried) -> None:
    tried.begin_with_drafts()
    tried.tool.more[-1]((Draft("SELECT 3", 0.95), SECOND))
    tried.qtbot.waitUntil(lambda: tried.control.shown.drafts[0].sql == "SELECT 3")
    tried.control.take(1)
    assert tried.taken == []
    assert tried.notices == ["Draft 1 has changed. Check it, then take it."]


def test_what_a_hand_aims_at_is_what_it_saw_as_it_set_out() -> None:
    now = 0.0
    places = Places(lambda: now)
    aimed = []
    for shown_at, statements in ((0.0, "ab"), (1.0, "cab"), (1.2, "dcab")):
        now = shown_at
        places.show(statements, afresh=shown_at == 0)
    for pressed_at in (1.25, 1.35, 1.6):
        now = pressed_at
        aimed.append(places.aimed(1))
    assert aimed == ["a", "c", "d"]
    places.show("xy", afresh=True)
    assert (places.aimed(1), places.aimed(3)) == ("x", None)


def drafted(*statements: str, reader: SqlReader = SMALL) -> list[Draft]:
    return [Draft(sql, 0.5, sketch=sketched(sql, reader)) for sql in statements]


def nearly(sql: str) -> list[str]:
    changes = [
        (r"'(\w)", r"'X\1"), (r" = '", " <> '"), (r"\bAND\b", "OR"), (r"SELECT DISTINCT", "SELECT"),
        (r"COUNT\(\*\)", "COUNT(*) > 0"), (r"MIN\(", "MAX("), (r"$", " LIMIT 1"), (r"WHERE (.*)", r"WHERE NOT (\1)"),
        (r" > ", " >= "), (r"SELECT (DISTINCT )?(\w+)", r"SELECT \1 COUNT(\2)"), (r" NOT IN ", " IN "),
        (r"DATE '", "TIMESTAMP '"), (r" FROM (\w+)", r" FROM \1 NATURAL JOIN more_of_it"),
    ]  # fmt: skip
    changed = (re.sub(pattern, to, sql, count=1) for pattern, to in changes)
    return [one for one in dict.fromkeys(changed) if one != sql]


@pytest.mark.parametrize(
    ("name", "every"), [("personnel", 1), ("atis", 15), pytest.param("atis", 1, marks=pytest.mark.soak)]
)
def test_no_two_drafts_that_stand_together_read_alike(name: str, every: int) -> None:
    pack = load_pack(name)
    reader = SqlReader(pack.tables, "", pack.keys.primary)
    statements = [example.sql for example in pack.examples()]
    rows = [list(dict.fromkeys(statements[at : at + 5])) for at in range(0, len(statements), 5)]
    changed = [[sql, *nearly(sql)] for sql in sorted(set(statements))]
    for together in [*rows[::every], *changed[::every]]:
        lines = sketches(drafted(*together, reader=reader))
        assert len(set(lines)) == len(together), together[0]


def test_drafts_that_would_read_alike_show_what_only_they_have() -> None:
    lines = sketches(drafted("SELECT a FROM t WHERE a = 1", "SELECT DISTINCT a FROM t WHERE a = 1", "SELECT b FROM t"))
    assert lines == ["[plain]  a of ts with a 1", "[DISTINCT]  a of ts with a 1", "b of all ts"]


def test_a_draft_without_a_sketch_shows_its_statement() -> None:
    assert sketches([Draft("SELECT  1", 0.5)]) == ["SELECT 1"]
