"""The NL tool's service, with drafters that a lab might plug in: good, slow, silent, dying and hostile ones."""

import gc
import json
import queue
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

from companions.drafts.tests.tool.plugged import plug_in
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain_drafts.drafting.values import Draft, Example, Request
from curtain_drafts.tool.service import DrafterChoice, DraftService, DraftSettings, Standing
from curtain_drafts.tool.serving.pending_request import Round, Trust
from curtain_drafts.tool.serving.settings import OURS, agreements_of

PATIENCE_S = 20.0
ENDLESS = "SELECT count(*) FROM employee a, employee b, employee c, employee d"
EXAMPLE = Example("who is there", "SELECT employee_id FROM employee", id="one")


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("personnel")


@pytest.fixture(scope="module")
def db(pack: Pack) -> Path:
    return database(pack)


class Opened:
    """A service with what it reported."""

    def __init__(self, pack: Pack, db: Path, settings: DraftSettings, examples: Sequence[Example] = (EXAMPLE,)) -> None:
        self.problems: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.standings: queue.SimpleQueue[Standing] = queue.SimpleQueue()
        self.ready = threading.Event()
        for agreement in (one for choice in settings.drafters for one in agreements_of(choice)):
            agreement.give()
        self.service = DraftService(pack, db, examples, settings, self.problems.put, self._on_standing)

    def _on_standing(self, standing: Standing) -> None:
        self.standings.put(standing)
        if standing.settled:
            self.ready.set()

    def sql(self, question: str, **options: Any) -> list[str]:
        return [draft.sql for draft in self.drafts(question, **options)]

    def drafts(self, question: str, **options: Any) -> tuple[Draft, ...]:
        return self.service.draft(Request(question, **options)).result(PATIENCE_S)

    def standing(self) -> Standing:
        return self.standings.get(timeout=PATIENCE_S)

    def problem(self) -> str:
        return self.problems.get(timeout=PATIENCE_S)


Open = Callable[..., Opened]


@pytest.fixture(scope="module")
def shared(pack: Pack, db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """One service for all that does no harm: its drafter says SELECT 5 to “mine”."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOY_SECRET", "set")
        plug_in(tmp_path_factory.mktemp("site"), patch)
        named = DrafterChoice("other", {"me": "other"}, 10.0, environment=("TOY_SECRET",))
        toy = DrafterChoice("toy", {"me": "toy", "says": {"SELECT 5": 0.5}}, 10.0)
        one = Opened(pack, db, DraftSettings((toy, named), PATIENCE_S, PATIENCE_S, preview_s=10 * PATIENCE_S))
        yield one
        one.service.close()


@pytest.fixture(scope="module")
def tough(pack: Pack, db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """One service whose drafter fails again and again; it has 1.5 s for a request."""
    with pytest.MonkeyPatch.context() as patch:
        plug_in(tmp_path_factory.mktemp("site"), patch)
        one = Opened(pack, db, DraftSettings((DrafterChoice("toy", {}, 1.5),)))
        yield one
        one.service.close()


@pytest.fixture
def opened(pack: Pack, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens services with toy drafters: `toy={...}`, `other={...}` give their options."""
    plug_in(tmp_path / "site", monkeypatch)
    services: list[DraftService] = []

    def open_one(limit_s: float = 10.0, patience_s: float = 0.3, **drafters: Mapping[str, Any]) -> Opened:
        choices = tuple(DrafterChoice(name, options, limit_s) for name, options in (drafters or {"toy": {}}).items())
        one = Opened(pack, db, DraftSettings(choices, patience_s, PATIENCE_S))
        services.append(one.service)
        return one

    yield open_one
    for service in services:
        service.close()


def test_a_station_that_imports_the_service_stays_light() -> None:
    heavy = "{'duckdb', 'sqlglot', 'numpy', 'PySide6'}"
    check = f"import sys, curtain_drafts.tool.service; print({heavy} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


def test_making_the_service_and_asking_never_waits(opened: Open, tmp_path: Path) -> None:
    gate = tmp_path / "loaded"
    one = opened(toy={"loads_with": str(gate)})
    asked = one.service.draft(Request("who is there"))
    assert not one.ready.is_set() and not asked.done()
    gate.touch()
    assert [draft.sql for draft in asked.result(PATIENCE_S)] == [EXAMPLE.sql]
    assert one.ready.wait(PATIENCE_S)


def each_says(**drafters: Mapping[str, Any]) -> str:
    """A question to which each drafter has these drafts."""
    return json.dumps(drafters)


def test_drafts_are_ranked_over_all_drafters_and_each_statement_comes_once(shared: Opened) -> None:
    question = each_says(
        toy={"says": {"SELECT 1": 0.9, "SELECT 2": 0.4, "SELECT 3": 0.8}},
        other={"says": {"select  1 -- the same": 0.6, "SELECT 4": 0.5}},
    )
    # What a drafter ranks third counts no more than its second.
    assert [(draft.sql, draft.drafter) for draft in shared.drafts(question)] == [
        ("SELECT 1", "toy"), ("SELECT 4", "other"), ("SELECT 2", "toy"), ("SELECT 3", "toy"),
    ]  # fmt: skip
    assert shared.sql(question, n=2) == ["SELECT 1", "SELECT 4"]


def test_drafts_with_one_answer_are_one_draft_whoever_says_it_and_however_it_is_spelt(shared: Opened) -> None:
    count = "SELECT count(*) FROM employee WHERE sex = 'F'"
    same = 'SELECT SUM(CASE WHEN `sex` = "F" THEN 1 ELSE 0 END) FROM `employee`'
    question = each_says(toy={"says": {"SELECT 7": 0.6, count: 0.4}}, other={"says": {same: 0.5}})
    first, second = shared.drafts(question)
    assert "CASE WHEN employee.sex = 'F'" in first.sql and second.sql == "SELECT 7"
    assert 0.5 >= first.confidence >= second.confidence


def test_a_model_is_believed_more_with_each_answer_that_it_gave_in_other_words(opened: Open) -> None:
    says = {"SELECT 1 + 1": 0.5, "SELECT 7": 0.4}
    one = opened(patience_s=PATIENCE_S, toy={"model": "new", "says": says}, other={})
    before = one.drafts("mine")[0].confidence
    for _ in range(3):
        one.service.learn(Example("mine", "SELECT 2", id="two"))
        after = one.drafts("mine")[0].confidence
    assert after > before


def test_only_statements_that_could_run_come_back(shared: Opened) -> None:
    # A clock is read as the day of the data, and a name among numbers as no value.
    *corrected, sound = sorted(shared.sql("hostile", n=20), key=len, reverse=True)
    assert sound == "SELECT city FROM employee"
    assert corrected == [
        "SELECT employee.salary + TRY_CAST(employee.first_name AS DOUBLE) FROM employee",
        "SELECT TRY_CAST('1989-08-19' AS TIMESTAMP)",
    ]


def test_each_draft_has_a_sketch_whoever_drafted_it(shared: Opened) -> None:
    question = each_says(toy={"says": {"SELECT COUNT(*) FROM employee WHERE sex = 'F'": 0.5}})
    assert [draft.sketch for draft in shared.drafts(question)] == ["how many employees with sex F (female)"]


def test_rubbish_is_left_out_and_numbers_and_places_are_put_right(shared: Opened) -> None:
    seven, eight = shared.drafts("rubbish")
    assert (seven.sql, seven.confidence) == ("SELECT 7", 0.5)
    assert (eight.sql, eight.confidence, eight.rests_on) == ("SELECT 8", 0.0, ((0, 4),))
    assert len(eight.because) == 200 and "\n" not in eight.because


def test_a_drafter_that_never_stops_to_propose_is_cut_off(shared: Opened) -> None:
    assert shared.sql("endless", n=3) == ["SELECT 0", "SELECT 1", "SELECT 2"]


def test_a_drafter_that_prints_and_reads_does_not_disturb_the_pipes(shared: Opened) -> None:
    assert shared.sql("loud") == ["SELECT ''"]


def test_a_drafter_sees_the_variables_that_are_named_for_it_alone(shared: Opened) -> None:
    assert {(draft.drafter, draft.sql) for draft in shared.drafts("variable")} == {
        ("toy", "SELECT 'unset'"),
        ("other", "SELECT 'set'"),
    }


@pytest.mark.parametrize(
    ("question", "reported"),
    [
        ("hang", "The drafter “toy” took longer than 1.5 seconds and is started anew."),
        ("die", "The drafter “toy” stopped by itself and is started anew."),
        ("exit", "The drafter “toy” stopped by itself and is started anew."),
        ("raise", "The drafter “toy” failed with ValueError: no luck today."),
        ("nothing", "The drafter “toy” failed with TypeError: 'NoneType' object is not iterable."),
    ],
)
def test_a_drafter_that_fails_costs_its_own_drafts_alone(tough: Opened, question: str, reported: str) -> None:
    assert tough.sql("who is there") == [EXAMPLE.sql]
    tough.service.learn(Example(f"after {question}", "SELECT 2", id="two"))
    assert tough.sql(question) == []
    assert tough.problem() == reported
    # Back, with what it had learnt before.
    assert tough.sql(f"after {question}") == ["SELECT 2"]
    assert tough.problems.empty()


def test_a_drafter_that_dies_between_requests_costs_none(opened: Open) -> None:
    before = {child.pid for child in psutil.Process().children()}
    one = opened()
    assert one.sql("who is there") == [EXAMPLE.sql]
    (drafter,) = (
        child
        for child in psutil.Process().children()
        if child.pid not in before
        and "curtain_drafts.tool.serving.drafter_child" in child.as_dict(["cmdline"], [])["cmdline"]
    )
    drafter.kill()
    psutil.wait_procs([drafter], PATIENCE_S)
    assert one.sql("who is there") == [EXAMPLE.sql]
    assert one.problem() == "The drafter “toy” stopped by itself and is started anew."


def test_a_drafter_that_dies_at_every_request_rests_longer_and_longer(opened: Open, tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    one = opened(toy={"starts": str(starts)})
    for _ in range(20):
        assert one.sql("die") == []
    # Most requests met a drafter at rest, and no process was started for them.
    assert 2 <= len(starts.read_text().splitlines()) <= 6
    assert one.problem() and one.problems.empty()


@pytest.mark.parametrize(
    ("toy", "start_s", "reported"),
    [
        ({"broken": True}, 60.0, "The drafter “toy” failed with RuntimeError: the model is missing."),
        ({"stuck": True}, 1.0, "The drafter “toy” took longer than 1 second and is started anew."),
    ],
)
def test_a_drafter_that_does_not_load_holds_nobody_up(
    opened: Open, pack: Pack, db: Path, toy: Mapping[str, Any], start_s: float, reported: str
) -> None:
    bad = DrafterChoice("toy", toy, start_s=start_s)
    good = DrafterChoice("other", {"says": {"SELECT 1": 1}})
    one = Opened(pack, db, DraftSettings((bad, good), PATIENCE_S))
    with closing(one.service):
        # The one that loads is enough to begin with.
        assert one.ready.wait(PATIENCE_S)
        assert one.sql("mine") == ["SELECT 1"]
        assert one.problem() == reported


def test_a_drafter_that_is_not_installed_is_named_with_those_that_are(opened: Open) -> None:
    one = opened(absent={})
    reported = "The drafter “absent” is not installed; installed besides ours: other, toy."
    assert one.problem() == reported
    assert one.ready.wait(PATIENCE_S)
    assert one.standing() == Standing(problem=reported)
    assert one.sql("who is there") == []


def test_how_much_a_drafter_has_learnt_is_reported_until_it_can_draft(opened: Open, pack: Pack, db: Path) -> None:
    examples = [Example(f"question {number}", "SELECT 1", id=str(number)) for number in range(4)]
    one = Opened(pack, db, DraftSettings((DrafterChoice("toy"),)), examples)
    with closing(one.service):
        reported = [one.standing() for _ in range(5)]
    assert reported == [*(Standing(4, share) for share in (0.0, 0.25, 0.5, 0.75)), Standing(ready=True)]


def test_the_newest_request_wins_and_older_ones_are_cancelled(opened: Open, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    # Nobody's patience ends before the newest request is there.
    one = opened(patience_s=PATIENCE_S, toy={"says": {"SELECT 5": 0.5}})
    assert one.sql("who is there") == [EXAMPLE.sql]
    # Whichever of these the drafter begins with, it waits.
    older = [one.service.draft(Request(f"until {gate}")) for _ in range(50)]
    newest = one.service.draft(Request("mine"))
    gate.touch()
    assert [draft.sql for draft in newest.result(PATIENCE_S)] == ["SELECT 5"]
    assert all(old.cancelled() for old in older)


def test_slow_drafts_come_where_they_belong(opened: Open, tmp_path: Path) -> None:
    hasty, gate = opened(patience_s=0.05, toy={"me": "toy"}, other={"me": "other"}), tmp_path / "gate"
    more: queue.SimpleQueue[tuple[Draft, ...]] = queue.SimpleQueue()
    quick, slow = {"SELECT 1": 0.5, "SELECT 2": 0.4, "SELECT 3": 0.1}, {"SELECT 9": 0.9, "SELECT 2": 0.2}
    question = each_says(toy={"says": quick}, other={"says": slow, "gate": str(gate)})
    drafts = hasty.service.draft(Request(question, n=3), more.put).result(PATIENCE_S)
    assert [draft.sql for draft in drafts] == list(quick)
    gate.touch()
    # Both say the second, and nobody has measured them.
    assert [draft.sql for draft in more.get(timeout=PATIENCE_S)] == ["SELECT 2", "SELECT 1", "SELECT 9"]


def test_nobody_reads_that_nothing_fits_while_a_drafter_still_works(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    asked = Round(["chat", OURS], Request("who"), None, Trust(tmp_path / "trust.json"), DraftSettings(patience_s=0))
    # As a model does that nobody serves any more.
    asked.put("chat", [])
    for timer in set(threading.enumerate()) - before:
        timer.join()
    assert not asked.future.done()
    asked.put(OURS, [Draft("SELECT 1", 0.5, key="1")])
    assert [draft.sql for draft in asked.future.result(0)] == ["SELECT 1"]


def test_what_is_learnt_is_drafted_and_what_is_withdrawn_is_not(shared: Opened) -> None:
    assert shared.sql("how many") == []
    shared.service.learn(Example("how many", "SELECT 1", id="a"), Example("how many", "SELECT 2", id="b"))
    assert shared.sql("how many") == ["SELECT 1", "SELECT 2"]
    shared.service.withdraw("a")
    assert shared.sql("how many") == ["SELECT 2"]
    shared.service.learn(Example("how many", "SELECT 3", id="b"))
    assert shared.sql("how many") == ["SELECT 3"]


@pytest.mark.parametrize(
    "question", ["", " \n", "x" * 10_000, "SELECT * FROM employee; --", "\ud800", "何人いますか", "\0"]
)
def test_odd_questions_give_no_drafts_and_no_problem(shared: Opened, question: str) -> None:
    assert shared.sql(question) == []
    assert shared.problems.empty()


def test_a_preview_counts_the_rows_and_shows_the_first_ones(shared: Opened) -> None:
    found = shared.service.preview("SELECT employee_id, last_name FROM employee ORDER BY 1").result(PATIENCE_S)
    assert (found.total, len(found.rows), len(found.headings), found.numeric) == (423, 200, 2, [True, False])
    assert found.error is None


@pytest.mark.parametrize(
    ("sql", "reported"),
    [
        ("DROP TABLE employee", "Only a single SELECT is allowed here: DROP is not."),
        ("SELECT nam FROM employee", "nam"),
        ("SELECT '\ud800' FROM nowhere", "nowhere"),
    ],
)
def test_a_preview_that_cannot_be_given_says_why(shared: Opened, sql: str, reported: str) -> None:
    found = shared.service.preview(sql).result(PATIENCE_S)
    assert reported in (found.error or "")
    assert (found.total, found.rows) == (0, [])


def test_a_preview_that_takes_too_long_says_so(tough: Opened) -> None:
    found = tough.service.preview(ENDLESS).result(PATIENCE_S)
    assert "took longer than 1 seconds" in (found.error or "")
    assert (found.total, found.rows) == (0, [])


def test_previews_end_with_the_next_request_and_delay_no_drafts(shared: Opened) -> None:
    one = shared
    assert one.sql("mine") == ["SELECT 5"]
    previews = [one.service.preview(ENDLESS) for _ in range(5)]
    # One preview alone takes longer than anybody waits here for drafts.
    assert one.sql("mine") == ["SELECT 5"]
    for preview in previews:
        with pytest.raises(CancelledError):
            preview.result(PATIENCE_S)
    assert one.service.preview("SELECT 1").result(PATIENCE_S).total == 1


def test_a_preview_that_nobody_holds_any_more_is_gone_without_a_garbage_collection(shared: Opened) -> None:
    gc.disable()
    try:
        preview = shared.service.preview("SELECT 1")
        assert preview.result(PATIENCE_S).total == 1
        kept = weakref.ref(preview)
        del preview
        # The worker lets go of an order when it takes the next one.
        shared.service.preview("SELECT 2").result(PATIENCE_S)
        assert kept() is None
    finally:
        gc.enable()


def test_closing_ends_every_process_and_what_was_waiting(opened: Open) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    one = opened(limit_s=600.0, toy={}, other={})
    assert one.sql("who is there") == [EXAMPLE.sql]
    waiting, preview = one.service.draft(Request("hang")), one.service.preview(ENDLESS)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(one.service.close).result(PATIENCE_S)
    # A statement that had begun says how it ended.
    assert waiting.cancelled() and (preview.cancelled() or preview.result().error)
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before
    assert one.problems.empty()
