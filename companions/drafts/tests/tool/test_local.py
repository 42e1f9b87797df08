"""The drafter that comes with Curtain, on a small domain of its own; its cache is read back whole or written anew."""

import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from companions.drafts.tests.tool import ferry_pack as ferries
from curtain.domain.pack.pack import Pack, PackError, database, load_pack
from curtain_drafts.drafting.values import Asked, Choice, Example, Request, Value
from curtain_drafts.tool.algebra.reading import SqlReader
from curtain_drafts.tool.algebra.writing import write
from curtain_drafts.tool.drafter.local import LocalDrafter, Shelf, words_and_values
from curtain_drafts.tool.examples.reader import Reader
from curtain_drafts.tool.ranking.candidate import START
from curtain_drafts.tool.ranking.training import Kept, learned_from, parsed


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def drafter(pack: Pack, shelf: Path) -> LocalDrafter:
    """One for all tests that teach it nothing."""
    return LocalDrafter(pack, database(pack), ferries.examples(), shelf)


def first(drafter: LocalDrafter, question: str, **more: object) -> str:
    return drafter.drafts(Request(question, reading="published", **more))[0].sql  # type: ignore[arg-type]


def same(pack: Pack, sql: str, other: str) -> bool:
    reader = SqlReader(pack.tables, "ferry", pack.keys.primary)
    one, two = reader.read(sql), reader.read(other)
    return one is not None and two is not None and one.sense == two.sense


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("Show me ferries from Iona to Skye, please.", ferries.between("IONA", "SKYE")),
        ("which ferries go to north rona from eigg", ferries.between("EIGG", "NORTH RONA")),
        ("ferries from iona to mull on kestrel", ferries.between("IONA", "MULL", " AND ferry.company_code = 'KS'")),
        (
            "ferries from iona to mull after six p m",
            ferries.between("IONA", "MULL", " AND ferry.departure_time > 1800"),
        ),
        (
            "ferries from skye to iona before half past seven in the morning",
            ferries.between("SKYE", "IONA", " AND ferry.departure_time < 730"),
        ),
        ("ferries from skye to iona on sunday", ferries.between("SKYE", "IONA", " AND ferry.day_name = 'SUNDAY'")),
        # Misspelled
        ("feries from iona to norht rona", ferries.between("IONA", "NORTH RONA")),
    ],
)
def test_the_values_of_the_query_take_their_places(drafter: LocalDrafter, pack: Pack, question: str, sql: str) -> None:
    assert same(pack, first(drafter, question), sql)


@pytest.mark.parametrize("combined", [True, False])
def test_clauses_that_never_stood_together_are_put_together_where_a_store_gains_by_it(
    pack: Pack, combined: bool
) -> None:
    more = " AND ferry.company_code = 'RL' AND ferry.day_name = 'MONDAY' AND ferry.stops = 0"
    reader, (_, _, recogniser) = SqlReader(pack.tables, "ferry"), words_and_values(pack, database(pack))
    learned = learned_from(parsed(ferries.examples(), recogniser, reader), pack.tables, lambda what, share: None)
    learned.combined = combined
    reading = recogniser.read("nonstop ferries from mull to skye on red line on monday")
    made = [write(one.query) for one in learned.answered(reading)[1]]
    assert any(same(pack, sql, ferries.between("MULL", "SKYE", more)) for sql in made) == combined


def test_a_period_has_its_ends_as_the_reading_says(drafter: LocalDrafter) -> None:
    question = "evening ferries from iona to eigg"
    strict, loose = (drafter.drafts(Request(question, reading=reading))[0] for reading in ("pack", "published"))
    assert "departure_time > 1800 AND ferry.departure_time < 2200" in strict.sql
    assert "BETWEEN 1800 AND 2200" in loose.sql
    assert strict.example == loose.example is not None


def test_a_draft_says_where_its_values_stand(drafter: LocalDrafter) -> None:
    draft = drafter.drafts(Request("ferries from Mull to Skye on Blue Line"))[0]
    assert [(chip.said, chip.kind, chip.value.value) for chip in draft.chips] == [
        ("Mull", "island", "MULL"), ("Skye", "island", "SKYE"), ("Blue Line", "company", "BLUE LINE"),
    ]  # fmt: skip
    assert draft.rests_on == ((13, 17), (21, 25), (29, 38))
    assert "IONA" in [value.label for value in draft.chips[0].others]
    assert all(chip.value.label not in [value.label for value in chip.others] for chip in draft.chips)


def test_a_swapped_chip_changes_the_sql(drafter: LocalDrafter, pack: Pack) -> None:
    swap = Choice(13, 17, "Mull", Value("island.island_name", "IONA", "IONA"))
    assert same(pack, first(drafter, "ferries from Mull to Skye", choices=(swap,)), ferries.between("IONA", "SKYE"))


def test_a_removed_chip_leaves_the_sql(drafter: LocalDrafter) -> None:
    question = "ferries from mull to skye on friday"
    gone = Choice(29, 35, "friday", None)
    assert "FRIDAY" in first(drafter, question)
    assert all("FRIDAY" not in draft.sql for draft in drafter.drafts(Request(question, choices=(gone,))))


def test_a_value_taken_out_does_not_come_back_with_an_example(pack: Pack) -> None:
    taught = Example("late boats", "SELECT ferry_id FROM ferry WHERE day_name = 'SUNDAY'")
    drafter = LocalDrafter(pack, database(pack), [taught])
    assert "SUNDAY" in first(drafter, "late boats on sunday")
    gone = Choice(14, 20, "sunday", None)
    drafts = drafter.drafts(Request("late boats on sunday", choices=(gone,)))
    assert all("SUNDAY" not in draft.sql for draft in drafts)


def test_a_follow_up_takes_a_join_that_no_key_gives_from_answered_questions(drafter: LocalDrafter, pack: Pack) -> None:
    before = Asked("ferries from mull to skye", ferries.between("MULL", "SKYE"))
    assert same(pack, first(drafter, "at low tide", previous=(before,)), ferries.at_tide("MULL", "SKYE", "LOW TIDE"))


@pytest.mark.parametrize("question", ["the one on friday", "any one on friday"])
def test_a_one_that_stands_for_a_thing_is_no_number(pack: Pack, question: str) -> None:
    rows = ferries.between("MULL", "SKYE", " AND ferry.stops = 1")
    taught = [Example(f"{said} from mull to skye", rows) for said in ("one stop ferries", "ferries with one stop")]
    drafter = LocalDrafter(pack, database(pack), [*ferries.examples(), *taught])
    found = first(drafter, question, previous=(Asked("ferries from mull to skye", ferries.between("MULL", "SKYE")),))
    assert same(pack, found, ferries.between("MULL", "SKYE", " AND ferry.day_name = 'FRIDAY'"))


@pytest.mark.parametrize("question", ["who runs them", "and who runs those", "tell me who runs them all"])
def test_a_follow_up_shows_of_the_same_rows_what_an_answered_question_shows(
    drafter: LocalDrafter, pack: Pack, question: str
) -> None:
    rows = ferries.between("MULL", "SKYE", " AND ferry.stops = 0")
    drafter = LocalDrafter(
        pack, database(pack), [*ferries.examples(), Example("who runs the ferries", ferries.runs(""))]
    )
    drafts = drafter.drafts(Request(question, (Asked("nonstop ferries from mull to skye", rows),)))
    assert same(pack, drafts[0].sql, ferries.runs(rows.partition(" WHERE ")[2]))
    assert sum(draft.confidence for draft in drafts[:2]) <= 1


RED = " AND ferry.company_code = 'RL'"
NONSTOP = " AND ferry.stops = 0"
CHEAP = " AND ferry.price > 15"
LOWEST = (
    "ferry.price = (SELECT MIN(f.price) FROM ferry AS f, island AS a, island AS b WHERE f.from_island = a.island_code "
)
LOWEST += (
    "AND a.island_name = 'MULL' AND f.to_island = b.island_code AND b.island_name = 'SKYE' AND f.company_code = 'RL')"
)
FRIDAY = " AND ferry.day_name = 'FRIDAY'"
EVENING = " AND ferry.departure_time > 1800"
RANGES = ("BETWEEN 600 AND 1200", "> 600 AND ferry.departure_time < 1200", ">= 600 AND ferry.departure_time <= 1200")
WAYS_BACK = ("and the way back", "now the other direction", "what about the return trip")


@pytest.mark.parametrize(
    ("had", "question", "ends", "has"),
    [
        (RED, "any company will do", ("MULL", "SKYE"), ""),
        (RED + NONSTOP, "forget about red line", ("MULL", "SKYE"), NONSTOP),
        (NONSTOP, "it doesn't have to be nonstop", ("MULL", "SKYE"), ""),
        (CHEAP + FRIDAY, "never mind the price", ("MULL", "SKYE"), FRIDAY),
        (CHEAP + FRIDAY, "I don't care about the day", ("MULL", "SKYE"), CHEAP),
        (RED, "no, from iona", ("IONA", "SKYE"), RED),
        (RED, "to north rona, not skye", ("MULL", "NORTH RONA"), RED),
        (FRIDAY, "sorry, I meant sunday", ("MULL", "SKYE"), " AND ferry.day_name = 'SUNDAY'"),
        (RED, "the company is all the same to me", ("MULL", "SKYE"), ""),
        (RED, "without the ones on friday", ("MULL", "SKYE"), f"{RED} AND ferry.day_name <> 'FRIDAY'"),
        (FRIDAY, "sunday as well", ("MULL", "SKYE"), " AND ferry.day_name IN ('FRIDAY', 'SUNDAY')"),
        (FRIDAY, "and coming home on sunday", ("SKYE", "MULL"), " AND ferry.day_name = 'SUNDAY'"),
        (RED, "just the lowest", ("MULL", "SKYE"), f"{RED} AND {LOWEST}"),
        (CHEAP, "make it 12", ("MULL", "SKYE"), " AND ferry.price > 12"),
        (CHEAP, "up to 30", ("MULL", "SKYE"), " AND ferry.price > 15 AND ferry.price <= 30"),
        (FRIDAY, "I'd like one that is nonstop", ("MULL", "SKYE"), FRIDAY + NONSTOP),
        ("", "and on friday", ("MULL", "SKYE"), FRIDAY),
        ("", "which of those are nonstop", ("MULL", "SKYE"), NONSTOP),
        ("", "only those on red line", ("MULL", "SKYE"), RED),
        (RED, "how about blue line", ("MULL", "SKYE"), " AND ferry.company_code = 'BL'"),
        *((f" AND ferry.departure_time {day}", "how about after 6 pm", ("MULL", "SKYE"), EVENING) for day in RANGES),
        # Two bounds stand beside each other only where something is between them.
        (CHEAP, "under 20", ("MULL", "SKYE"), f"{CHEAP} AND ferry.price < 20"),
        (CHEAP, "under 10", ("MULL", "SKYE"), " AND ferry.price < 10"),
        (CHEAP, "above 30", ("MULL", "SKYE"), " AND ferry.price > 30"),
        *((NONSTOP, back, ("SKYE", "MULL"), NONSTOP) for back in WAYS_BACK),
    ],
)
def test_a_follow_up_adds_conditions_gives_them_up_corrects_them_or_keeps_their_columns(
    drafter: LocalDrafter, pack: Pack, had: str, question: str, ends: tuple[str, str], has: str
) -> None:
    before = Asked("ferries from mull to skye", ferries.between("MULL", "SKYE", had))
    assert same(pack, first(drafter, question, previous=(before,)), ferries.between(*ends, has))


@pytest.mark.parametrize(
    "question",
    [
        "what ferries go from iona to eigg",
        "are there ferries from iona to eigg",
        "show me the ferries from iona to eigg",
    ],
)
def test_a_question_that_stands_alone_comes_before_what_the_turn_before_makes_of_it(
    drafter: LocalDrafter, question: str
) -> None:
    before = Asked("evening ferries", "SELECT ferry_id FROM ferry WHERE departure_time > 1800 AND stops = 0")
    alone = drafter.drafts(Request(question))
    after = drafter.drafts(Request(question, previous=(before,)))
    assert after[0].sql == alone[0].sql
    assert after[0].confidence == pytest.approx(alone[0].confidence, abs=0.1)


@pytest.mark.parametrize(
    "question",
    [
        "how many of the scientists are women",
        "who is the oldest engineer",
        "which of the scientists earn more than 50000",
        "what is the average salary of the women",
        "is paul tai a manager",
        "list the engineers hired before 1980",
        "show me all the managers",
        "average salary of the engineers",
        "who was hired in 1985",
    ],
)
def test_a_question_with_a_subject_of_its_own_carries_nothing_unless_it_says_so(
    personnel: LocalDrafter, question: str
) -> None:
    person = "SELECT employee_id FROM employee WHERE first_name = 'SHARON' AND last_name = 'LEASE'"
    alone, after = (personnel.drafts(Request(question, before)) for before in ((), (Asked("sharon lease", person),)))
    assert [draft.sql for draft in after] == [draft.sql for draft in alone]


LEASE = "first_name = 'SHARON' AND last_name = 'LEASE'"
SHARON = "employee.first_name = 'SHARON' AND employee.last_name = 'LEASE'"
LEVEL = "FROM employee WHERE level = 31"
MAJOR = "employee_id FROM degree JOIN major USING (major_code) WHERE major_name"
AGE = "DATE_DIFF('day', birth_date, CAST('1989-08-19' AS DATE)) / 365.25"


@pytest.mark.parametrize(
    ("before", "question", "sql"),
    [
        (
            f"supervisor_id FROM employee WHERE {LEASE}",
            "how much does he make",
            f"b.salary FROM employee, employee AS b WHERE employee.supervisor_id = b.employee_id AND {SHARON}",
        ),
        (
            f"department FROM employee WHERE {LEASE}",
            "what is its name",
            f"department_name FROM employee, department AS d WHERE employee.department = d.department AND {SHARON}",
        ),
        (
            f"b.last_name FROM employee, employee AS b WHERE employee.supervisor_id = b.employee_id AND {SHARON}",
            "when was he hired",
            f"b.hire_date FROM employee, employee AS b WHERE employee.supervisor_id = b.employee_id AND {SHARON}",
        ),
        (f"AVG(salary) {LEVEL}", "and the total", f"SUM(salary) {LEVEL}"),
        (f"employee_id {LEVEL}", "how many of each job title", f"job_title, COUNT(*) {LEVEL} GROUP BY job_title"),
        (
            f"DISTINCT department {LEVEL}",
            "how many does each of them have",
            f"department, COUNT(*) {LEVEL} GROUP BY department",
        ),
        (f"employee_id {LEVEL}", "how old are they on average", f"ROUND(AVG({AGE}), 2) {LEVEL}"),
        (f"AVG(salary) {LEVEL}", "in each department please", f"department, AVG(salary) {LEVEL} GROUP BY department"),
        (f"employee_id {LEVEL}", "how many per department", f"department, COUNT(*) {LEVEL} GROUP BY department"),
        (
            f"employee_id {LEVEL}",
            "leave out the scientists",
            f"employee_id {LEVEL} AND job_title NOT LIKE '%SCIENTIST%'",
        ),
        (
            f"employee_id {LEVEL} AND department = 45",
            "make that thirty",
            "employee_id FROM employee WHERE level = 30 AND department = 45",
        ),
        (f"{MAJOR} = 'STATISTICS'", "statistics or history would both do", f"{MAJOR} IN ('STATISTICS', 'HISTORY')"),
    ],
)
def test_a_follow_up_asks_of_what_was_shown_or_sums_it_up(
    personnel: LocalDrafter, before: str, question: str, sql: str
) -> None:
    drafts = personnel.drafts(Request(question, (Asked("", f"SELECT {before}"),)))
    pack = load_pack("personnel")
    with duckdb.connect(str(database(pack)), read_only=True) as connection:
        answers = [set(connection.execute(one).fetchall()) for one in (drafts[0].sql, f"SELECT {sql}")]
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    "question", ["how old is she", "what is its salary", "show me only the managers", "is there a manager"]
)
def test_a_draft_that_leaves_out_what_the_words_point_back_to_is_not_sure(
    personnel: LocalDrafter, question: str
) -> None:
    person = "SELECT employee_id FROM employee WHERE first_name = 'SHARON' AND last_name = 'LEASE'"
    drafts = personnel.drafts(Request(question, (Asked("sharon lease", person),)))
    assert any("LEASE" in draft.sql for draft in drafts)
    for draft in drafts:
        assert "LEASE" in draft.sql or (draft.confidence <= 0.5 and "the question before is left out" in draft.because)


@pytest.mark.parametrize("question", ["ferries from mull to skye", "morning ferries", "what does the red line cost"])
@pytest.mark.parametrize("previous", [(), (Asked("from mull", ferries.between("MULL", "SKYE")),)])
def test_what_stands_first_is_believed_most(drafter: LocalDrafter, question: str, previous: tuple[Asked, ...]) -> None:
    sure = [draft.confidence for draft in drafter.drafts(Request(question, previous=previous))]
    assert sure == sorted(sure, reverse=True)


def test_one_answered_turn_is_enough(pack: Pack, shelf: Path) -> None:
    drafter = LocalDrafter(pack, database(pack), ferries.examples(), shelf)
    tables = "ferry, island WHERE ferry.to_island = island.island_code"
    sql = f"SELECT MIN(ferry.price) FROM {tables} AND island.island_name = '{{}}'"
    drafter.learn(Example("what would the cheapest ticket to skye set me back", sql.format("SKYE"), id="new"))
    assert same(pack, first(drafter, "what would the cheapest ticket to eigg set me back, please"), sql.format("EIGG"))
    drafter.withdraw("new")
    assert not same(pack, first(drafter, "what would the cheapest ticket to eigg set me back"), sql.format("EIGG"))


def test_a_few_new_examples_are_learned_without_the_rest(pack: Pack, shelf: Path, drafter: LocalDrafter) -> None:
    reported: list[str] = []
    more = Example("list all companies", "SELECT company.company_code FROM company", id="study-1")
    grown = LocalDrafter(
        pack, database(pack), [*ferries.examples(), more], shelf, lambda what, share: reported.append(what)
    )
    assert "Learning to rank" not in reported
    assert grown.drafts(Request("list all companies"))[0].sql == more.sql


@pytest.mark.parametrize(
    "question",
    [
        "", "   \n ", "ferry " * 2000, "1 " * 5000, "mull " * 2000, "SELECT * FROM ferry; DROP TABLE ferry",
        "ferries from ' OR 1=1 -- to skye", "Welche Fähren fahren nach Skye?", "どのフェリーがありますか",
        "\x00\ufffd\U0001f6a2" * 50, "half past to at quarter a of the",
        "between and between 99999999999999999999999 and", "may the 45th of march 0 am",
    ],
)  # fmt: skip
def test_odd_queries_are_answered_at_once_and_without_error(drafter: LocalDrafter, question: str) -> None:
    began = time.process_time()
    drafts = drafter.drafts(Request(question))
    assert time.process_time() - began < 0.5
    assert len(drafts) <= 5
    assert all(draft.sql.startswith("SELECT") and 0 < draft.confidence < 1 for draft in drafts)


def test_a_store_without_examples_has_drafts_from_the_schema(pack: Pack) -> None:
    drafter = LocalDrafter(pack, database(pack), [])
    sql = first(drafter, "which ferries cost less than 20")
    assert same(pack, sql, "SELECT ferry_id FROM ferry WHERE price < 20")
    assert drafter.drafts(Request("good morning to you")) == []


def test_queries_in_another_language_are_drafted_from_what_was_answered_to_subjects_alone(pack: Pack) -> None:
    sql = "SELECT ferry_id FROM ferry WHERE price < 30"
    answered = Example("welche Fähren kosten weniger als 30", sql, id="e00-01-001", source="study")
    other = "was fährt am Montag von Skye"
    before = (Asked(answered.question, sql),)
    store = [*ferries.examples(), answered]
    german = LocalDrafter(pack, database(pack), store, english=False)
    assert LocalDrafter(pack, database(pack), store).drafts(Request(other, before))
    assert [one for one in german.drafts(Request(other, before)) if one.example != answered] == []
    drafts = german.drafts(Request("welche Fähren kosten weniger als 25"))
    assert [(one.example, same(pack, one.sql, sql.replace("30", "25"))) for one in drafts] == [(answered, True)]
    known = ferries.examples()[0]
    assert german.drafts(Request(known.question))[0].sql == known.sql, "a pack may be in the language of its study"


def test_what_was_learned_and_what_the_schema_says_is_surer_together(pack: Pack) -> None:
    questions = [("ferries under 30 pounds", "SELECT ferry_id FROM ferry WHERE price < 30")]
    question = Request("ferries under 25 pounds")
    alone = LocalDrafter(pack, database(pack), []).drafts(question)[0]
    both = LocalDrafter(pack, database(pack), [Example(*one) for one in questions]).drafts(question)[0]
    assert same(pack, alone.sql, both.sql)
    assert both.confidence > alone.confidence


def test_a_denial_is_not_turned_into_its_opposite(drafter: LocalDrafter, pack: Pack) -> None:
    sql = first(drafter, "ferries not on friday")
    assert "<>" in sql or "NOT" in sql or "DISTINCT FROM" in sql


def test_examples_that_are_no_sql_are_passed_over(pack: Pack) -> None:
    odd = [Example("what is this", "DELETE FROM ferry", id="1"), Example("and this", "not SQL (", id="2")]
    drafter = LocalDrafter(pack, database(pack), [*odd, *ferries.examples()[:10]])
    assert drafter.drafts(Request("ferries from mull to skye"))


@pytest.mark.parametrize("text", ["[[[", '["ferry.colour"]\nRED = ["red"]\n', '["ferry.day_name"]\nMONDAY = "mon"\n'])
def test_a_lexicon_that_cannot_be_read_is_named(tmp_path: Path, text: str) -> None:
    folder = ferries.write_pack(tmp_path / "ferries")
    (folder / "lexicon.toml").write_text(text)
    pack = load_pack(folder)
    with pytest.raises(PackError, match=r"lexicon\.toml"):
        LocalDrafter(pack, database(pack), [])


EXAMPLES = [Example("which ferries are there", "SELECT 1", id="1")]
KEPT = Kept(frozenset(one.digest for one in EXAMPLES), list(START), False, Reader())


@pytest.mark.parametrize(
    "asked, found",
    [(1, True), (2, True), (3, False), (0, False)],
    ids=["the same", "one more", "most are new", "one is gone"],
)
def test_the_weights_of_a_store_hold_for_few_more_examples(asked: int, found: bool, pack: Pack, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, pack, database(pack))
    shelf.keep(KEPT)
    more = [Example(f"question {n}", "SELECT 1", id=f"more {n}") for n in range(asked - 1)]
    kept = shelf.find([*EXAMPLES, *more] if asked else [])
    assert (kept is not None) == found
    assert kept is None or kept == KEPT


def test_what_was_learned_drafts_as_before(pack: Pack, drafter: LocalDrafter, tmp_path: Path) -> None:
    examples = ferries.examples()
    LocalDrafter(pack, database(pack), examples, tmp_path)
    (path,) = tmp_path.iterdir()
    written = path.stat().st_ino
    again = LocalDrafter(pack, database(pack), examples, tmp_path)
    assert path.stat().st_ino == written, "It learned anew."
    for example in examples[:20]:
        before, now = (one.drafts(Request(f"please {example.question}"))[0] for one in (drafter, again))
        assert (now.sql, now.chips, now.example) == (before.sql, before.chips, before.example)


def flipped(data: bytes) -> bytes:
    return data[:100] + bytes([data[100] ^ 1]) + data[101:]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: data[:-1], id="cut off"),
        pytest.param(lambda data: data[:100], id="its beginning"),
        pytest.param(flipped, id="a bit"),
    ],
)
def test_another_file_is_made_anew_without_a_word(damage: Callable[[bytes], bytes], pack: Pack, tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, pack, database(pack))
    shelf.keep(KEPT)
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert shelf.find(EXAMPLES) is None
    shelf.keep(KEPT)
    assert shelf.find(EXAMPLES) is not None
