"""What the table [drafters] of a study.toml may say."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.algebra.reading import SqlReader
from curtain.drafting.algebra.writing import write
from curtain.drafting.serving.checks import Checked
from curtain.drafting.serving.pending_request import merge
from curtain.drafting.settings import BadDrafters, DrafterChoice, read_settings
from curtain.drafting.values import Draft, Standing, together


def read(text: str) -> tuple[DrafterChoice, ...]:
    return read_settings(tomllib.loads(text)).drafters


CHAT = 'chat.address = "http://localhost:8000/v1/chat/completions"\nchat.model = "m"\n'


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ["curtain"]),
        ("curtain = true", ["curtain"]),
        ("curtain = false", []),
        ("mine = true", ["curtain", "mine"]),
        ("curtain = false\nmine.folder = 'x'", ["mine"]),
        ("mine = false", ["curtain"]),
        (CHAT, ["curtain", "chat"]),
        ('[curtain]\nexamples = ["more.jsonl"]', ["curtain"]),
    ],
)
def test_ours_is_on_unless_it_is_switched_off_and_others_only_if_they_are_named(text: str, names: list[str]) -> None:
    assert [choice.name for choice in read(text)] == names


def test_a_drafter_gets_its_own_keys_and_the_service_those_of_time_and_surroundings() -> None:
    _, mine = read('mine.folder = "x"\nmine.limit_s = 5\nmine.start_s = 90\nmine.environment = ["DEVICES"]')
    assert mine == DrafterChoice("mine", {"folder": "x"}, 5.0, 90.0, ("DEVICES",))


def test_the_chat_drafter_gets_its_key_and_more_time() -> None:
    _, chat = read(CHAT + 'chat.key_from = "CURTAIN_KEY_LAB"')
    assert (chat.limit_s, chat.environment) == (20.0, ("CURTAIN_KEY_LAB",))


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("mine = 3", "[drafters] “mine” must be true, false or a table of its settings."),
        ("mine.limit_s = 0", "[drafters.mine] “limit_s” must be a number of seconds up to 600."),
        ("mine.limit_s = true", "[drafters.mine] “limit_s” must be a number of seconds up to 600."),
        ("mine.start_s = nan", "[drafters.mine] “start_s” must be a number of seconds up to 600."),
        ("mine.environment = 'A'", "[drafters.mine] “environment” must be a list of names of variables in quotes."),
        ("chat = true", "[drafters.chat] needs “address”"),
        ("chat.address = 'http://localhost:1'", "[drafters.chat] needs “model”"),
        ("chat.address = 'localhost'\nchat.model = 'm'", "“address” must be a web address"),
        ("chat.address = 'file:///etc/passwd'\nchat.model = 'm'", "“address” must be a web address"),
        ("chat.address = 'http://[::/v1'\nchat.model = 'm'", "“address” must be a web address"),
        ("chat.address = 'http://h:99999'\nchat.model = 'm'", "“address” must be a web address"),
        (CHAT + "chat.replies = 'x'", "[drafters.chat] “replies” must be a number."),
        (CHAT + "chat.key_from = 'HOME'", "“key_from” must be a variable whose name begins with CURTAIN_KEY_."),
        (CHAT + "chat.key_from = 'CURTAIN_KEY_'", "“key_from” must be a variable whose name begins with CURTAIN_KEY_."),
        (CHAT + "chat.key_from = 'CURTAIN_KEY_A B'", "“key_from” must be a variable whose name begins with"),
        (
            "chat.address = 'http://h/\\u001b[2K'".replace("'", '"') + "\nchat.model = 'm'",
            "“address” must be a web address",
        ),
        ("chat.address = 'http://сhat.example/'\nchat.model = 'm'", "“address” must be a web address"),
        (CHAT + "chat.key = 'secret'", "[drafters.chat] has no key “key”, only: address, model, key_from"),
        ("curtain.model = 'x'", "[drafters.curtain] has no key “model”"),
        ("curtain.examples = 'x'", "[drafters.curtain] “examples” must be a list of files in quotes."),
    ],
)
def test_a_table_that_cannot_be_used_is_reported_in_one_sentence(text: str, reported: str) -> None:
    with pytest.raises(BadDrafters) as refused:
        read(text)
    assert reported in str(refused.value)


# What several drafters are together: one is enough to draft, and a fault counts when there is nothing else.

LOADING, READY = Standing(), Standing(ready=True)
HALF, QUARTER = Standing(4000, 0.5), Standing(200, 0.25)
BROKEN, ABSENT = Standing(fault="It is broken."), Standing(fault="It is not installed.")


@pytest.mark.parametrize(
    ("each", "whole"),
    [
        ([], LOADING),
        ([LOADING, LOADING], LOADING),
        ([HALF, LOADING], HALF),
        ([HALF, QUARTER], QUARTER),
        ([READY, HALF], Standing(4000, 0.5, ready=True)),
        ([BROKEN, READY], READY),
        ([BROKEN, LOADING], LOADING),
        ([BROKEN, HALF], HALF),
        ([BROKEN, ABSENT], BROKEN),
    ],
)
def test_several_drafters_stand_as_the_best_of_them_and_learn_as_the_slowest(
    each: list[Standing], whole: Standing
) -> None:
    assert together(each) == whole


# Statements read into the algebra and written again: the same statement, and the same answer.


def statements(pack: Pack) -> list[str]:
    """All SQL that a pack publishes."""
    return [sql for example in pack.examples() for sql in example.statements]


@pytest.mark.parametrize(("domain", "opaque"), [("personnel", 1), ("atis", 4)])
def test_published_statements_come_back_the_same(domain: str, opaque: int) -> None:
    """What is written reads as what was read; at most so many statements stay as they are."""
    pack = load_pack(domain)
    reader = SqlReader(pack.tables, "", pack.keys.primary)
    changed, untaken = [], []
    for sql in statements(pack):
        read = reader.read(sql)
        assert read is not None, sql
        again = reader.read(write(read))
        if again is None or again.key != read.key:
            changed.append(sql)
        if not read.root:
            untaken.append(sql)
    assert not changed
    assert len(untaken) <= opaque, untaken


def test_published_statements_answer_the_same_when_written_again() -> None:
    """No row of an answer is lost or added."""
    pack = load_pack("personnel")
    reader = SqlReader(pack.tables, "", pack.keys.primary)
    with duckdb.connect(str(database(pack)), read_only=True) as connection:
        for sql in statements(pack):
            read = reader.read(sql)
            assert read is not None, sql
            assert set(connection.execute(write(read)).fetchall()) == set(connection.execute(sql).fetchall()), sql


# One list of several drafters' drafts.


def checked(sql: str, confidence: float, key: str = "") -> Checked:
    return Checked(Draft(sql, confidence), key or sql)


def sqls(merged: tuple[Checked, ...]) -> list[str]:
    return [one.draft.sql for one in merged]


def test_the_surer_draft_comes_first_and_of_equals_the_earlier_drafters() -> None:
    one, other = [checked("a", 0.9), checked("b", 0.5)], [checked("c", 0.5), checked("d", 0.4)]
    assert sqls(merge([one, other], 3)) == ["a", "b", "c"]


def test_a_statement_that_two_drafters_found_comes_once_where_it_is_surest() -> None:
    assert sqls(merge([[checked("a", 0.3, "x")], [checked("A", 0.6, "x"), checked("b", 0.1)]], 5)) == ["A", "b"]


def test_what_is_shown_keeps_its_order_and_new_drafts_come_behind() -> None:
    shown = merge([[checked("a", 0.5), checked("b", 0.4), checked("c", 0.1)]], 3)
    assert sqls(merge([[checked("z", 0.9)], [one for one in shown]], 3, shown)) == ["a", "b", "z"]


def test_what_two_drafters_say_is_likelier_than_what_one_says_more_surely() -> None:
    merged = merge([[checked("a", 0.6), checked("b", 0.5)], [checked("b", 0.5)]], 5)
    assert sqls(merged) == ["b", "a"]
    assert merged[0].draft.confidence == pytest.approx(0.75)


def test_a_drafter_that_is_trusted_little_stands_behind() -> None:
    sure, other = replace(checked("a", 0.9).draft, drafter="chat"), checked("b", 0.5)
    merged = merge([[Checked(sure, "a")], [other]], 5, trust=lambda drafter: 0.3 if drafter == "chat" else 1.0)
    assert sqls(merged) == ["b", "a"]


drafts = st.lists(st.builds(checked, st.sampled_from("abcdefgh"), st.floats(0, 1)), max_size=6)


@given(st.lists(drafts, max_size=3), st.integers(1, 6))
def test_no_statement_comes_twice_none_is_made_up_and_the_surest_is_there(found: list[list[Checked]], n: int) -> None:
    merged = merge(found, n)
    given_keys = {one.key for drafts in found for one in drafts}
    assert len(merged) == min(n, len(given_keys))
    assert len({one.key for one in merged}) == len(merged)
    heads = [drafts[0].draft.confidence for drafts in found if drafts]
    assert not heads or merged[0].draft.confidence >= max(heads) - 1e-4
