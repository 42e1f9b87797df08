"""What a pack lacks, in plain words: what `curtain domain check` reports, also where schema.sql and tables differ."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import duckdb

from curtain.base.input_file import parse_toml
from curtain.base.progress_bar import Report
from curtain.base.sql_names import folded, quoted
from curtain.base.text_file import read_text
from curtain.cas import Alternatives, CasError, compare, parse
from curtain.domain.pack.cells import unsayable
from curtain.domain.pack.keys import ForeignKey
from curtain.domain.pack.lexicon import FILE as LEXICON
from curtain.domain.pack.lexicon import read_pack_lexicon
from curtain.domain.pack.pack import (
    Pack,
    PackError,
    PackExample,
    Scenario,
    Solution,
    database,
    load_pack,
    loading_problems,
)
from curtain.domain.pack.schema import passed_over
from curtain.domain.rules.principles import RuleBook, load_rules, rule_books
from curtain.domain.worker.worker import Result, SqlWorker
from curtain_packs.findings import PackFinding, Weight, fine, lack, of_file, problem, some
from curtain_packs.orphans import orphans
from curtain_packs.pack_text import OWN_WISH_ID

_TAKEN = "a scenario is taken for a closed one whose subject hands in an answer"


StatementRunner = Callable[..., Result]
"""Runs a statement, for a yes/no question or not."""


def look_over(
    name_or_folder: str | Path, cache: Path | None = None, report: Report = lambda what, share: None
) -> list[PackFinding]:
    """Everything that is to be said about a pack, problems first. Builds its database if need be."""
    if problems := loading_problems(name_or_folder):
        return [of_file(one) for one in problems]
    pack = load_pack(name_or_folder)
    try:
        path = database(pack, cache, progress=report)
    except PackError as error:
        return sorted([of_file(error), *_of_meaning(pack)], key=_place)
    worker = SqlWorker(path, pack, with_spare=False)
    try:
        ask: StatementRunner = lambda sql, yes_no=False: worker.run(sql, yes_no).result()  # noqa: E731
        # A file that is no database fails at each statement alike: it is said once.
        if unopened := ask("SELECT 1").error:
            return sorted([problem(path.name, str(unopened)), *_of_meaning(pack)], key=_place)
        findings = [*_of_meaning(pack), *findings_of_tables(pack, path), *_of_data(pack, ask, report)]
    finally:
        worker.close()
    return sorted(findings, key=_place)


def _place(finding: PackFinding) -> int:
    return list(Weight).index(finding.weight)


def _of_meaning(pack: Pack) -> Iterator[PackFinding]:
    yield from _domain(pack)
    yield from _keys(pack)
    yield from _lexicon(pack)
    yield from _rules(pack)
    yield from _scenarios(pack)


def _of_data(pack: Pack, ask: StatementRunner, report: Report) -> Iterator[PackFinding]:
    yield from _tables(pack, ask)
    yield from _solutions(pack, ask)
    yield from _examples(pack, ask, report)


def _domain(pack: Pack) -> Iterator[PackFinding]:
    if not pack.description:
        yield lack("domain.toml", "There is no description for the subject to read.")
    elif pack.description.startswith("You can ask about what is in this database."):
        yield lack("domain.toml", "The description for the subject is still the generated one.")
    bare = [
        f"{table}.{column}"
        for table, columns in pack.tables.items()
        for column in columns
        if column not in pack.headings and f"{table}.{column}" not in pack.headings
    ]
    if bare:
        yield lack("domain.toml", f"[headings] says nothing of {some(bare)}; the subject reads the name of the column.")
    codes = [*pack.codes, *pack.codes.values()]
    for part, places in (("vague", pack.vague.values()), ("codes", codes), ("private", pack.private)):
        lost = [str(place) for place in places if isinstance(place, str) and not _is_column(pack, place)]
        if lost:
            yield problem("domain.toml", f"[{part}] names {some(lost)}, and there is no such column.")


def _keys(pack: Pack) -> Iterator[PackFinding]:
    keyless = [table for table in pack.tables if table not in pack.keys.primary]
    if keyless:
        yield lack("schema.sql", f"There is no PRIMARY KEY in {some(keyless)}, so its rows cannot be distinguished.")
    things = {entity.table for entity in pack.entities.all}
    nameless = [table for table in pack.keys.primary if table not in things]
    if nameless:
        yield lack("domain.toml", f"[canonical] does not say what identifies a row of {some(nameless)}.")
    poor = [entity.name for entity in pack.entities.all if not entity.shows_more]
    if poor:
        yield lack("domain.toml", f"[maximum] shows nothing of {some(poor)} but the key: nothing else may be shown.")
    unread = [entity.name for entity in pack.entities.all if entity.shows_more and not entity.readable]
    if unread:
        yield lack("domain.toml", f"[readable] does not say how people know {some(unread)}: the subject reads the key.")
    yield from (problem("domain.toml", f"{lost}.") for lost in pack.problems_of_entities)


def _lexicon(pack: Pack) -> Iterator[PackFinding]:
    try:
        words = read_pack_lexicon(pack)
    except PackError as error:
        yield of_file(error)
        return
    if words.values or words.names:
        yield fine(LEXICON, f"Columns and tables with words of their own: {len(words.values) + len(words.names)}.")


def _rules(pack: Pack) -> Iterator[PackFinding]:
    try:
        book = load_rules(pack)
    except PackError as error:
        yield problem("principles.toml", f"{error.problem}.")
        return
    if not book.rules:
        yield lack("principles.toml", "There are no principles of interpretation: two wizards may answer differently.")
        return
    lost = [f"{place} ({rule.id})" for rule in book.rules for place in rule.columns if not _is_column(pack, place)]
    if lost:
        yield problem("principles.toml", f"There is no such column: {some(lost)}.")
    unshown = _not_among_examples(pack, book)
    if unshown:
        yield lack("principles.toml", f"The example is not in examples.jsonl: {some(unshown)}.")
    yield fine("principles.toml", f"Principles of interpretation: {len(book.rules)}.")


def _not_among_examples(pack: Pack, book: RuleBook) -> list[str]:
    """The rules whose example nobody runs."""
    try:
        answered = {(example.question, example.sql) for example in pack.examples()}
    except PackError:
        return []  # reported where the examples are run
    rules = [rule for rule in book.rules if rule.example]
    return [rule.id for rule in rules if rule.example and (rule.example.question, rule.example.sql) not in answered]


def _scenarios(pack: Pack) -> Iterator[PackFinding]:
    if not pack.scenarios:
        yield lack("scenarios", "There is no scenario, so a session has nothing to work on.")
        return
    unsolved = [one.id for one in pack.scenarios if one.kind == "closed" and not _solution(pack, one)]
    if unsolved:
        yield lack("solutions", f"No solution is given for {some(unsolved)}.")
    for path in sorted((pack.folder / "scenarios").glob("*.toml")):
        unsaid = [key for key in ("kind", "asks_answer") if key not in parse_toml(read_text(path))]
        if unsaid:
            yield lack(f"scenarios/{path.name}", f"It does not say {' and '.join(unsaid)}; {_TAKEN}.")
    if all(one.practice for one in pack.scenarios):
        yield lack("scenarios", "There is a scenario for practice only, so a session cannot begin.")
    elif all(one.practice or one.id == OWN_WISH_ID for one in pack.scenarios):
        yield lack("scenarios", "There are only the scenarios that were written by themselves.")
    yield fine("scenarios", f"Scenarios: {len(pack.scenarios)}.")


def _tables(pack: Pack, ask: StatementRunner) -> Iterator[PackFinding]:
    empty = []
    unsaid: dict[str, list[str]] = {}
    for table, columns in pack.tables.items():
        counted = ask(f"SELECT COUNT(*) FROM {quoted(table)}")
        if counted.error:
            yield problem("schema.sql", counted.error)
            continue
        empty += [table] if counted.rows[0][0] == "0" else []
        for column, kind in columns.items():
            what, odd = unsayable(quoted(column), kind)
            counts = ask(f"SELECT COUNT(*) FROM {quoted(table)} WHERE {odd}") if odd else None
            if counts and counts.error is None and counts.rows[0][0] != "0":
                unsaid.setdefault(what, []).append(f"{table}.{column}")
    if empty:
        yield lack("database", f"There are no rows in {some(empty)}.")
    for what, places in unsaid.items():
        yield lack("database", f"{what} cannot be written in an answer; there are some in {some(places)}.")


def _solutions(pack: Pack, ask: StatementRunner) -> Iterator[PackFinding]:
    for scenario in pack.scenarios:
        file = f"solutions/{scenario.id}.toml"
        solution = _solution(pack, scenario)
        if isinstance(solution, PackError):
            yield of_file(solution)
        elif solution and solution.sql:
            yield from _of_solution(file, solution, ask(solution.sql), pack.dialect)


def _of_solution(file: str, solution: Solution, result: Result, dialect: str) -> Iterator[PackFinding]:
    if result.error:
        yield problem(file, f"Its SQL does not run: {result.error}")
    elif not result.total:
        yield lack(file, "Its SQL finds nothing.")
    elif wrong := _wrong_in(solution.answer or None, result, dialect):
        yield problem(file, f"Its SQL and its answer do not fit: {wrong}")


def _solution(pack: Pack, scenario: Scenario) -> Solution | PackError | None:
    try:
        return pack.solution(scenario.id)
    except PackError as error:
        return error


def _examples(pack: Pack, ask: StatementRunner, report: Report) -> Iterator[PackFinding]:
    try:
        examples = pack.examples()
    except PackError as error:
        yield problem("examples.jsonl", f"{error.problem}.")
        return
    if not examples:
        yield lack("examples.jsonl", "There are no questions with their SQL to begin with.")
        return
    yield from _of_other_questions(pack, examples)
    narrow = 0
    for number, example in enumerate(examples):
        report("running the examples", number / len(examples))
        results = [ask(sql, example.yes_no) for sql in example.statements]
        wrong = (_wrong_in(example.answer, result, pack.dialect) for result in results)
        yield from (problem("examples.jsonl", f"“{example.question}”: {one}") for one in wrong if one)
        narrow += results[0].error is None and results[0].cas_max is None
    if narrow:
        yield lack("examples.jsonl", f"No maximum could be derived for {narrow} of {len(examples)} examples.")
    yield fine("examples.jsonl", f"Examples that were run: {len(examples)}.")


def _of_other_questions(pack: Pack, examples: Sequence[PackExample]) -> Iterator[PackFinding]:
    """What examples say of one another and of the rules."""
    questions = {example.question for example in examples}
    books = _known_books(pack)
    for example in examples:
        lost = [question for question in example.context if question not in questions]
        if lost:
            text = f"“{example.question}”: its context “{lost[0]}” is no question of this file."
            yield problem("examples.jsonl", text)
        if example.rule_book is not None and example.rule_book not in books:
            text = f"“{example.question}”: there is no rule-book of {example.rule_book}."
            yield problem("examples.jsonl", text)


def _known_books(pack: Pack) -> list[int]:
    try:
        return rule_books(pack)
    except PackError:
        return []  # reported already, where the rules are looked at


def _wrong_in(stated: str | None, result: Result, dialect: str) -> str:
    """Why a statement does not give the answer that is stated; nothing if it does, or if none is."""
    if result.error:
        return result.error
    if stated is None or result.cas_min is None:
        return result.cas_error or ""
    try:
        answer = parse(result.cas_min, dialect)
        forms = answer.answers if isinstance(answer, Alternatives) else (answer,)
        # A hypothesis may have no alternatives, so each form of the answer is compared by itself.
        verdicts = [compare(form, stated, dialect=dialect) for form in forms]
    except CasError as error:
        return f"its answer cannot be read: {error}"
    wrong = [verdict.reason for verdict in verdicts if not verdict.is_correct]
    return f"the answer is another one now: {wrong[0]}." if wrong else ""


def _is_column(pack: Pack, place: str) -> bool:
    table, _, column = folded(place).partition(".")
    return column in pack.tables.get(table, {})


_SCHEMA = "schema.sql"


def findings_of_tables(pack: Pack, path: Path) -> Iterator[PackFinding]:
    """What schema.sql and the database at `path` say differently."""
    yield from _passed_over(pack)
    try:
        yield from _compared(pack, path)
    except duckdb.Error:
        yield problem("database", f"{path} cannot be read; it is damaged or no DuckDB file.")


def _compared(pack: Pack, path: Path) -> Iterator[PackFinding]:
    with duckdb.connect(str(path), read_only=True) as connection:
        there = _columns(connection)
        yield from _lost(pack, there)
        yield from _types(pack, there, connection)
        whole = {table for table, columns in pack.tables.items() if columns.keys() <= there.get(table, {}).keys()}
        yield from _primary_keys(pack, whole, connection)
        yield from _references(pack, whole, there, connection)


def _passed_over(pack: Pack) -> Iterator[PackFinding]:
    for beginning in passed_over(read_text(pack.folder / _SCHEMA)):
        yield lack(_SCHEMA, f"“{beginning} ...” was passed over: only CREATE TABLE is read.")


def _columns(connection: duckdb.DuckDBPyConnection) -> dict[str, dict[str, str]]:
    """Table -> column -> type as they are in the database."""
    columns_of: dict[str, dict[str, str]] = {}
    query = "SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal"
    for table, column, kind in connection.execute(query).fetchall():
        columns_of.setdefault(folded(table), {})[folded(column)] = str(kind)
    return columns_of


def _lost(pack: Pack, there: dict[str, dict[str, str]]) -> Iterator[PackFinding]:
    for table, columns in pack.tables.items():
        lost = [f"{table}.{column}" for column in columns if table in there and column not in there[table]]
        if lost:
            yield problem(_SCHEMA, f"The database has no column {some(lost)}.")


def _types(
    pack: Pack, there: dict[str, dict[str, str]], connection: duckdb.DuckDBPyConnection
) -> Iterator[PackFinding]:
    for table, columns in pack.tables.items():
        for column, declared in columns.items():
            kind = there.get(table, {}).get(column)
            if kind and _meant(declared, connection) != kind:
                yield lack(_SCHEMA, f"{table}.{column} is {declared} here and {kind} in the database.")


def _meant(declared: str, connection: duckdb.DuckDBPyConnection) -> str:
    """What DuckDB calls a type: INT is INTEGER, TEXT is VARCHAR; what it does not know stays as it is."""
    try:
        described = connection.execute(f"DESCRIBE SELECT CAST(NULL AS {declared})").fetchall()
    except duckdb.Error:
        return declared
    return str(described[0][1])


def _primary_keys(pack: Pack, whole: set[str], connection: duckdb.DuckDBPyConnection) -> Iterator[PackFinding]:
    for table, key in pack.keys.primary.items():
        lost = [column for column in key if column not in pack.tables.get(table, {})]
        if lost:
            yield problem(_SCHEMA, f"The key of {table} names {some(lost)}, and there is no such column.")
        elif table in whole and _double(connection, table, key):
            yield problem(_SCHEMA, f"{', '.join(key)} is no key of {table}: rows share it, or it is empty in some.")


def _double(connection: duckdb.DuckDBPyConnection, table: str, key: tuple[str, ...]) -> bool:
    listed = ", ".join(map(quoted, key))
    full = " AND ".join(f"{quoted(column)} IS NOT NULL" for column in key)
    different = f"(SELECT count(*) FROM (SELECT DISTINCT {listed} FROM {quoted(table)} WHERE {full}))"
    return connection.execute(f"SELECT count(*) <> {different} FROM {quoted(table)}").fetchall() == [(True,)]


def _references(
    pack: Pack, whole: set[str], there: dict[str, dict[str, str]], connection: duckdb.DuckDBPyConnection
) -> Iterator[PackFinding]:
    for reference in pack.keys.references:
        if (
            {reference.table, reference.to_table} <= whole
            and _columns_exist(pack, reference)
            and (lost := orphans(connection, reference, there))
        ):
            left = f"{reference.table}.{', '.join(reference.columns)}"
            right = f"{reference.to_table}.{', '.join(reference.to_columns)}"
            yield lack(
                _SCHEMA,
                f"Not every row has its other side in the reference between {left} and {right}: {lost:,} have none.",
            )


def _columns_exist(pack: Pack, reference: ForeignKey) -> bool:
    ours, theirs = pack.tables[reference.table], pack.tables[reference.to_table]
    return set(reference.columns) <= ours.keys() and set(reference.to_columns) <= theirs.keys()
