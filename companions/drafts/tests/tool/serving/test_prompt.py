"""What a served model reads of a schema as large as Chinook: what the query needs, and no private value."""

import json
from collections.abc import Mapping
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import msgspec
import pytest
from sqlglot import exp, parse_one

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain_drafts.drafting.values import Asked, Choice, Example, Request
from curtain_drafts.tool.serving.prompt import MOST_TOKENS, Prompt, tokens_in
from curtain_packs.new_pack import new_pack

FOREIGN = Path(__file__).parents[5] / "bench" / "foreign"
# What a chat template adds to each message, as Curtain's rule counts it.
TURN = 4


def cases() -> list[tuple[str, str]]:
    lines = [line.strip() for line in (FOREIGN / "chinook.cases").read_text("utf-8").splitlines()]
    return list(zip((line.removeprefix("~ ") for line in lines[::2]), lines[1::2], strict=True))


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("chinook")
    spec = spec_from_file_location("foreign_databases", FOREIGN / "databases.py")
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(databases := module_from_spec(spec))
    new_pack(databases.write("chinook", folder / "chinook.sqlite"), folder / "pack", lambda what, share: None)
    return load_pack(folder / "pack")


@pytest.fixture(scope="module")
def prompt(pack: Pack) -> Prompt:
    """With nothing answered yet."""
    return Prompt(pack, database(pack))


def tables_of(prompt: Prompt, question: str) -> set[str]:
    """Those of which the model reads the columns."""
    system = prompt.messages(Request(question))[0]["content"]
    return {line.split("(")[0] for line in system.partition("Tables:\n")[2].splitlines() if not line.startswith(" ")}


def test_it_holds_at_most_1500_tokens_and_the_tables_of_each_answer(pack: Pack, prompt: Prompt) -> None:
    taught = Prompt(pack, database(pack))
    for number, (question, sql) in enumerate(cases()):
        taught.learn(Example(question, sql, id=str(number)))
    for question, sql in (*cases(), ("how many customers from France " * 40, "SELECT 1 FROM Customer")):
        for one in (prompt, taught):
            messages = one.messages(Request(question, (Asked("list all genres", "SELECT Name FROM Genre"),)))
            assert sum(tokens_in(message["content"]) + TURN for message in messages) <= MOST_TOKENS
        wanted = {table.name.lower() for table in parse_one(sql, read="duckdb").find_all(exp.Table)}
        assert wanted <= tables_of(prompt, question), question


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("how many customers are there", {"track", "playlist", "album", "genre"}),
        ("list all genres", {"employee", "customer", "invoice", "playlist"}),
        ("which albums are by The Larks", {"employee", "customer", "invoice"}),
    ],
)
def test_tables_that_the_query_does_not_need_are_left_out(prompt: Prompt, question: str, absent: set[str]) -> None:
    assert absent.isdisjoint(tables_of(prompt, question))


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("how many tracks are there in the genre Jazz", ["“Jazz”: genre.name = 'Jazz'"]),
        ("albums of the larks", ["“the larks”: artist.name = 'The Larks'"]),
        ("tracks with an MPEG file", []),
        ("which customers are from germany", ["“germany”: customer.country = 'Germany' or "
                                              "invoice.billingcountry = 'Germany'"]),
        ("invoices of March 3 2011", ["“March 3 2011”: 2011-03-03"]),
        ("how many customers are there", []),
    ],
)  # fmt: skip
def test_values_of_the_query_stand_behind_it_with_their_columns(
    prompt: Prompt, question: str, lines: list[str]
) -> None:
    assert prompt.messages(Request(question))[-1]["content"].splitlines() == [question, *lines]


def test_a_value_that_the_wizard_took_away_is_not_named(prompt: Prompt) -> None:
    question = "how many Jazz tracks"
    (chip,) = ((at, at + 4) for at in [question.index("Jazz")])
    messages = prompt.messages(Request(question, choices=(Choice(*chip, "Jazz", None),)))
    assert messages[-1]["content"] == question


@pytest.mark.parametrize(
    ("question", "line"),
    [
        ("list the invoices by total", "  total: 0.99 to 22.77"),
        ("list the invoices by total", "  invoicedate: 2009-01-05 to 2013-12-18"),
        ("list all genres", "  name: such as 'Classical', 'Jazz', 'Metal'"),
        ("list all genres", "  genreid: genre.name says what it means"),
        ("the artist of each album",
         "album(albumid BIGINT, title VARCHAR, artistid BIGINT, PRIMARY KEY (albumid), "
         "artistid REFERENCES artist(artistid))"),
        ("playlist tracks",
         "playlisttrack(playlistid BIGINT, trackid BIGINT, PRIMARY KEY (playlistid, trackid), "
         "trackid REFERENCES track(trackid), playlistid REFERENCES playlist(playlistid))"),
    ],
)  # fmt: skip
def test_columns_are_described_by_ranges_samples_codes_and_keys(prompt: Prompt, question: str, line: str) -> None:
    assert line in prompt.messages(Request(question))[0]["content"].splitlines()


def test_the_nearest_example_asks_alike_with_another_value(pack: Pack) -> None:
    prompt = Prompt(pack, database(pack))
    alike = Example("how many tracks are there in the genre Jazz", "SELECT 1", id="alike")
    for example in (
        alike,
        Example("which tracks are on the album Ember", "SELECT 2", id="words"),
        Example("gone", "SELECT 3", id="gone"),
        Example("who is employed", "SELECT 4", id="far"),
    ):
        prompt.learn(example)
    prompt.withdraw("gone")
    *_, question, sql, _ = prompt.messages(Request("how many tracks are there in the genre Metal"))
    assert (question["content"], sql["content"]) == (alike.question, alike.sql)
    prompt.learn(replace(alike, sql="SELECT 5"))
    texts = [message["content"] for message in prompt.messages(Request("how many tracks are there in the genre Metal"))]
    assert "SELECT 5" in texts and not {"SELECT 1", "SELECT 3"} & set(texts)


def test_no_value_of_a_private_column_is_sent(pack: Pack) -> None:
    columns = {"customer.city", "customer.country", "customer.lastname", "invoice.total"}
    columns |= {"invoice.billingcountry", "invoice.billingcity"}
    hidden = replace(pack, private=frozenset(columns))
    before = (Asked("which ones live in Oslo", "SELECT FirstName FROM Customer WHERE City = 'Trondheim'"),)
    asked = Request("customers in germany and their invoices", before)
    sent: dict[bool, str] = {}
    for one in (pack, hidden):
        prompt = Prompt(one, database(one))
        prompt.learn(Example("customers of france", "SELECT FirstName FROM Customer WHERE Country = 'France'", id="1"))
        prompt.learn(Example("customers and their cities", "SELECT FirstName, City FROM Customer", id="2"))
        sent[one is hidden] = json.dumps(prompt.messages(asked), ensure_ascii=False)
    for value in ("France", "Germany", "Trondheim", "London", "22.77"):
        assert value in sent[False]
        assert value not in sent[True]
    assert "Cora" in sent[True] and "SELECT FirstName, City FROM Customer" in sent[True]
    problem = "This statement fails: The text '{}' is not a date. Write a correct one."
    for value in ("O'Hara “x” is not a date", "7"):
        assert prompt.without_values(problem.format(value), "SELECT 77") == problem.format("?")
    assert prompt.without_values(problem.format("7"), "SELECT '7'") == problem.format("7")
    # Addresses of people are private in every pack.
    assert "@" not in sent[False]


def test_rules_that_the_query_touches_stand_behind_it() -> None:
    pack = load_pack("personnel")
    text = Prompt(pack, database(pack)).messages(Request("What is Sharon Lease's phone number?"))[-1]["content"]
    assert "A telephone is the work phone" in text
    assert "degree" not in text


def test_what_is_said_of_a_small_schema_is_the_same_for_each_query(pack: Pack, tmp_path: Path, prompt: Prompt) -> None:
    """So a server need not read it again."""
    tables: Mapping[str, Mapping[str, str]] = {name: pack.tables[name] for name in ("artist", "genre")}
    references = tuple(one for one in pack.keys.references if {one.table, one.to_table} <= tables.keys())
    small = replace(pack, tables=tables, codes={}, keys=msgspec.structs.replace(pack.keys, references=references))
    systems = {Prompt(small, database(pack)).messages(Request(one))[0]["content"] for one in ("genres", "artists")}
    assert len(systems) == 1
    assert tables_of(prompt, "list all genres") != tables_of(prompt, "how many customers are there")
