"""What every bundled pack says about words, and that what its demonstration shows a wizard do is done by the rules."""

import re
from collections.abc import Iterator

import pytest

from curtain.domain.pack.pack import Pack, bundled_packs, database, load_pack
from curtain.domain.rules.principles import load_rules, warnings
from curtain.domain.worker.worker import SqlWorker
from curtain.rehearsal.script import ScriptStep, read_script

SOURCES = {"personnel": r"papers/000 section", "atis": r"papers/00[013] (appendix|section)|SQL"}
OPENING = r"(?i)(show|list|give|which|who|what|when|where|how|count|is|are|does|do|did|display|tell me)\b"


@pytest.fixture(params=bundled_packs())
def pack(request: pytest.FixtureRequest) -> Pack:
    return load_pack(request.param)


def test_everything_domain_toml_names_is_in_the_schema_and_every_column_has_a_heading(pack: Pack) -> None:
    columns = {f"{table}.{column}" for table, names in pack.tables.items() for column in names}
    named = {column for columns in [*pack.canonical.values(), *pack.maximum.values()] for column in columns}
    named |= {*pack.vague.values(), *pack.codes, *(value for value in pack.codes.values() if isinstance(value, str))}
    assert named <= columns
    assert {column for column in columns if {column, column.split(".")[1]}.isdisjoint(pack.headings)} == set()
    assert all(set(pack.canonical[entity]) <= set(shown) for entity, shown in pack.maximum.items())


def test_the_description_for_the_subject_names_no_table_and_holds_no_question(pack: Pack) -> None:
    assert not re.search(r"_|\?|\b(SELECT|SQL|table|column|database)\b", pack.description, re.IGNORECASE)


def test_a_rule_has_its_source_its_reading_and_a_form_or_the_reason_why_there_is_none(pack: Pack) -> None:
    rules = {rule["id"]: rule for rule in pack.principles()["principle"]}
    answered = {(example.question, example.sql) for example in pack.examples()}
    assert len(rules) == len(pack.principles()["principle"])
    for name, rule in rules.items():
        assert re.match(SOURCES[pack.name], rule["source"]) and rule["reading"].endswith((".", "))."))
        assert ("sql" in rule and "example" in rule) != ("outside" in rule), name
        assert set(rule.get("tables", [])) <= set(pack.tables)
        assert {place.split(".")[1] in pack.tables[place.split(".")[0]] for place in rule["columns"]} <= {True}, name
        # A rule that ended names what came instead.
        assert ("until" in rule) == ("replaced_by" in rule), name
        if "until" in rule:
            after = rules[rule["replaced_by"]]
            assert after.get("since", 0) <= rule["until"] + 1 <= after.get("until", 9999), name
        if "example" in rule:
            question = rule["example"]["question"]
            assert (question, rule["example"]["sql"]) in answered, name
            has_word = any(re.search(rf"\b{re.escape(word)}\b", question, re.IGNORECASE) for word in rule["words"])
            assert has_word or not rule["words"] or name == "B.1.day", name


def test_a_scenario_cannot_be_read_aloud_as_a_query_and_does_not_hold_its_own_solution(pack: Pack) -> None:
    """papers/000, section 6.1, and papers/004: details, so that reading them verbatim gets no response."""
    for scenario in pack.scenarios:
        sentences = re.split(r"(?<=[.?!:])\s+", scenario.text)
        assert not [sentence for sentence in sentences if re.match(OPENING, sentence)], scenario.id
        assert not re.search(r"\?|\b(table|column|record|SELECT)\b", scenario.text), scenario.id
        solution = pack.solution(scenario.id)
        accepted = solution.accepted if solution else []
        assert not [words for words in accepted if re.search(rf"\b{re.escape(words)}\b", scenario.text)], scenario.id


def test_closed_scenarios_ask_an_answer_and_have_a_solution_and_open_ones_neither(pack: Pack) -> None:
    for scenario in pack.scenarios:
        solution = pack.solution(scenario.id)
        assert scenario.asks_answer == (scenario.kind == "closed") == (solution is not None), scenario.id
        if solution is not None:
            # None is made unique by cutting off.
            assert solution.accepted and not re.search(r"\bLIMIT\b|\b(FIRST|\w+_VALUE)\s*\(", solution.sql), scenario.id
    kinds = [scenario.kind for scenario in pack.scenarios if not scenario.practice]
    assert len(kinds) == len(pack.scenarios) - 1 and min(kinds.count("closed"), kinds.count("open")) >= 12


@pytest.fixture(scope="module", params=bundled_packs())
def opened(request: pytest.FixtureRequest) -> Iterator[tuple[Pack, SqlWorker, list[ScriptStep]]]:
    pack = load_pack(request.param)
    worker = SqlWorker(database(pack), pack, with_spare=False)
    scripts = [pack.folder / "demo.jsonl", *sorted((pack.folder / "study").glob("*.jsonl"))]
    yield pack, worker, [step for script in scripts for step in read_script(script)]
    worker.close()


def test_the_last_statement_of_every_step_runs_and_has_a_maximum(
    opened: tuple[Pack, SqlWorker, list[ScriptStep]],
) -> None:
    _, worker, steps = opened
    for step in (step for step in steps if step.statements):
        result = worker.run(step.statements[-1]).result(timeout=30)
        assert (result.error, result.max_error, result.total > 0) == (None, None, True), step.query


def test_no_statement_breaks_a_rule_of_the_pack(opened: tuple[Pack, SqlWorker, list[ScriptStep]]) -> None:
    pack, worker, steps = opened
    book, query, broken = load_rules(pack), "", []
    for step in steps:
        query = step.query or query
        facts = [worker.look(sql).result(timeout=30) for sql in step.statements]
        broken += [(query, warned) for found in facts for warned in warnings(pack, book, query, found)]
    assert broken == []
