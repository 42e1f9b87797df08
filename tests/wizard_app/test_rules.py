"""The rules beside the SQL: noticed a moment after the last key, shown in the order of what matters."""

from concurrent.futures import Future
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from curtain.base.errors import CurtainError
from curtain.domain.pack.pack import Pack, load_pack
from curtain.domain.rules.principles import RuleBook, Touch, Warned, load_rules, touching
from curtain.domain.rules.statement_facts import Facts, OutputColumn
from curtain.qt.background import Background
from curtain.qt.style import Look
from curtain.session.study.study import Study
from wizard_app.desk.preparation import read_domain
from wizard_app.desk.turn.rule_watch import RuleWatch
from wizard_app.window.pages.work_page import WorkPage
from wizard_app.window.panels.schema_panel import RulesPanel

NAMES = Facts(tables=["employee"], columns=["employee.last_name"], shown=[OutputColumn(column="employee.last_name")])


class Reader:
    """Stands for the worker's child: every statement shows last names, but a broken one."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def look(self, sql: str) -> Future[Facts | None]:
        self.read.append(sql)
        future: Future[Facts | None] = Future()
        future.set_result(None if sql.endswith("FROM") else NAMES)
        return future


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("personnel")


@pytest.fixture
def watch(qtbot: QtBot, background: Background, pack: Pack) -> RuleWatch:
    watch = RuleWatch(background, pause_ms=1)
    watch.set_rules(pack, load_rules(pack))
    return watch


def noticed(qtbot: QtBot, watch: RuleWatch, query: str, sql: str) -> tuple[list[str], list[str]]:
    with qtbot.waitSignal(watch.noticed) as seen:
        watch.follow(query, sql)
    touched, warned = seen.args
    return [touch.rule.id for touch in touched if touch.words], [one.rule for one in warned]


def test_words_alone_touch_rules_before_the_database_is_open(qtbot: QtBot, watch: RuleWatch) -> None:
    assert noticed(qtbot, watch, "which employees", "SELECT last_name FROM employee") == (
        ["T1.employees", "S-3.wh"], [],
    )  # fmt: skip


def test_a_statement_is_read_once_by_the_worker_and_breaks_rules_only_when_it_is_whole(
    qtbot: QtBot, watch: RuleWatch
) -> None:
    reader, whole = Reader(), "SELECT last_name FROM employee"
    with qtbot.waitSignal(watch.noticed):
        watch.set_looker(reader)
    for query, broken in (("which", []), ("which employees", ["T1.employees"])):
        assert noticed(qtbot, watch, query, whole)[1] == broken
    assert reader.read == [whole]
    assert noticed(qtbot, watch, "which employees", "SELECT last_name FROM")[1] == []


@pytest.fixture
def panel(qtbot: QtBot, look: Look) -> RulesPanel:
    panel = RulesPanel(look)
    qtbot.addWidget(panel)
    return panel


def follow_link(panel: RulesPanel) -> str:
    """What is shown after the panel's link was followed with the keyboard."""
    panel.show()
    QTest.keyClick(panel, Qt.Key.Key_Tab)
    QTest.keyClick(panel, Qt.Key.Key_Return)
    return panel.toPlainText()


def test_what_is_broken_comes_first_then_the_few_rules_that_matter_and_no_others(panel: RulesPanel, pack: Pack) -> None:
    book = load_rules(pack)
    touched = touching(book, "which clerks and engineers are in the same departments as programmers", None)
    panel.show_rules(book, touched, [Warned("S-6.clerk", "Not <so>.")])
    text = panel.toPlainText()
    assert text.startswith("S-6.clerk Not <so>.")
    assert text.index("S-6.programmer programmers") < text.index("S-6.clerk clerks")
    assert "S-3.wh" not in text and "S-8.sorting" not in text
    assert f"Show the other rules ({len(book.rules) - 4})" in text


def test_the_other_rules_unfold_and_fold_again(panel: RulesPanel, pack: Pack) -> None:
    book = load_rules(pack)
    panel.show_rules(book, touching(book, "the clerks", None), [])
    text = follow_link(panel)
    assert text.index("S-6.clerk clerks") < text.index("Hide them") < text.index("S-3.wh")
    assert all(rule.id in text for rule in book.rules)
    panel.show_rules(book, touching(book, "the engineers", None), [])
    assert "S-3.wh" in panel.toPlainText()
    assert "S-3.wh" not in follow_link(panel)


def test_without_a_query_all_rules_can_be_unfolded(panel: RulesPanel, pack: Pack) -> None:
    book = load_rules(pack)
    panel.show_rules(book, [], [])
    assert panel.toPlainText() == f"Show all rules ({len(book.rules)})"
    assert all(rule.id in follow_link(panel) for rule in book.rules[:1])


def test_a_rule_tells_its_numbers_elsewhere(panel: RulesPanel) -> None:
    book = load_rules(load_pack("atis"))
    panel.show_rules(book, touching(book, "how many stops", None), [])
    assert "2.2.3 (B.2.11) stops" in panel.toPlainText()


def test_the_study_names_the_rule_book_of_the_panel_and_of_the_answers(tmp_path: Path) -> None:
    domain = read_domain(Study(folder=tmp_path, domain="atis", rule_book=1990))
    assert (domain.book.year, domain.pack.dialect, domain.pack.yes_no) == (1990, "1990", "boolean")
    assert [touch.rule.id for touch in touching(domain.book, "the stops", None)] == ["B.2.11"]
    with pytest.raises(CurtainError, match=r"^“rule_book” in .*study\.toml: .* known are 1990, 1991, 1992 and 1993\.$"):
        read_domain(Study(folder=tmp_path, domain="atis", rule_book=1989))


def test_the_tab_counts_the_rules_that_the_query_calls_for(qtbot: QtBot, look: Look, pack: Pack) -> None:
    book = load_rules(pack)
    page = WorkPage(look)
    qtbot.addWidget(page)
    page.show_rules(RuleBook(None, ()), [], [])
    assert page.findChild(QPushButton, "tab_rules").isHidden()
    page.show_rules(book, [Touch(book.rules[0], ("which",)), Touch(book.rules[1])], [])
    tab = page.findChild(QPushButton, "tab_rules")
    assert tab.text() == "Rules (1)" and not tab.isHidden()
