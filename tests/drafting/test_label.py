"""A new domain about which nothing was ever answered: what is so or not, times, months, years, and lengths."""

from __future__ import annotations

import pytest

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.sql.parsing import Parser
from curtain.drafting.sql.statements import write
from curtain.drafting.values import Asked, Draft, Request
from tests.drafting.answers import opened
from tests.drafting.label_pack import write_pack

ALBUMS = "SELECT album_id FROM album WHERE"
ARTISTS = "SELECT artist_id FROM artist WHERE"
CONCERTS = "SELECT concert_id FROM concert WHERE"
TRACKS = "SELECT track_id FROM track WHERE"
IN_LONDON = f"{CONCERTS} venue_id = 1"


@pytest.fixture(scope="module")
def label(tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return load_pack(write_pack(tmp_path_factory.mktemp("label")))


@pytest.fixture(scope="module")
def untaught_label(label: Pack) -> LocalDrafter:
    return LocalDrafter(label, database(label), [])


def rows(pack: Pack, sql: str) -> list[tuple[object, ...]]:
    with opened(pack.folder) as connection:
        return sorted(connection.execute(sql).fetchall())


def first(drafter: LocalDrafter, question: str, *before: str) -> Draft:
    return next(iter(drafter.drafts(Request(question, tuple(Asked("", sql) for sql in before)))))


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("explicit albums", f"{ALBUMS} explicit"),
        ("albums that are not explicit", f"{ALBUMS} NOT explicit"),
        ("which concerts are sold out", f"{CONCERTS} sold_out"),
        ("how many concerts are not sold out", "SELECT COUNT(*) FROM concert WHERE NOT sold_out"),
        ("inactive artists", f"{ARTISTS} NOT active"),
        ("active artists from Ireland", f"{ARTISTS} active AND country = 'Ireland'"),
        ("albums before june", f"{ALBUMS} MONTH(release_date) < 6"),
        ("albums after june", f"{ALBUMS} MONTH(release_date) > 6"),
        ("albums since june", f"{ALBUMS} MONTH(release_date) >= 6"),
        ("albums between june and october", f"{ALBUMS} MONTH(release_date) BETWEEN 6 AND 10"),
        ("albums released before 2001", f"{ALBUMS} release_date < DATE '2001-01-01'"),
        ("albums released between 2000 and 2005", f"{ALBUMS} YEAR(release_date) BETWEEN 2000 AND 2005"),
        ("albums from 1998", f"{ALBUMS} YEAR(release_date) = 1998"),
        ("albums from 2001 on", f"{ALBUMS} YEAR(release_date) >= 2001"),
        ("concerts at eight", f"{CONCERTS} start_time = '20:00'"),
        ("concerts after nine", f"{CONCERTS} start_time > '21:00'"),
        ("concerts before 8 pm", f"{CONCERTS} start_time < '20:00'"),
        ("concerts after 2000 hours", f"{CONCERTS} start_time > '20:00'"),
        ("evening concerts", f"{CONCERTS} start_time BETWEEN '18:00' AND '22:00'"),
        ("concerts in London", IN_LONDON),
        ("tracks over five minutes", f"{TRACKS} length_seconds > 300"),
        ("how many tracks are longer than four minutes", "SELECT COUNT(*) FROM track WHERE length_seconds > 240"),
    ],
)
def test_what_the_columns_tell_is_read(label: Pack, untaught_label: LocalDrafter, question: str, wanted: str) -> None:
    draft = first(untaught_label, question)
    assert rows(label, draft.sql) == rows(label, wanted), draft.sql
    assert draft.confidence >= 0.7


@pytest.mark.parametrize(
    ("before", "question", "wanted"),
    [
        (f"{CONCERTS} sold_out", "how many of them", "SELECT COUNT(*) FROM concert WHERE sold_out"),
        (f"{CONCERTS} sold_out", "in may", f"{CONCERTS} sold_out AND MONTH(concert_date) = 5"),
        (f"{CONCERTS} sold_out", "and not sold out", f"{CONCERTS} NOT sold_out"),
        (f"{CONCERTS} NOT sold_out", "sold out ones", f"{CONCERTS} sold_out"),
        (IN_LONDON, "which of them are sold out", f"{IN_LONDON} AND sold_out"),
        (f"{ARTISTS} active", "from Ireland", f"{ARTISTS} active AND country = 'Ireland'"),
        (f"{ARTISTS} country = 'Ghana'", "in Ireland", f"{ARTISTS} country = 'Ireland'"),
        (f"{CONCERTS} artist_id = 1", "in London", f"{IN_LONDON} AND artist_id = 1"),
        (f"{CONCERTS} artist_id = 3", "over 50", f"{CONCERTS} artist_id = 3 AND ticket_price_eur > 50"),
        (f"{CONCERTS} start_time < '20:00'", "at eight", f"{CONCERTS} start_time = '20:00'"),
        (f"{ALBUMS} release_date > DATE '2000-12-31'", "in june", f"{ALBUMS} YEAR(release_date) > 2000 AND "
         "MONTH(release_date) = 6"),
        (f"{ALBUMS} release_date > DATE '2000-12-31'", "what about 2003", f"{ALBUMS} YEAR(release_date) > 2003"),
        (f"{CONCERTS} concert_date BETWEEN '2024-05-01' AND '2024-08-31'", "after june",
         f"{CONCERTS} concert_date > '2024-06-30'"),
    ],
)  # fmt: skip
def test_follow_ups_keep_what_was_asked_and_read_the_rest(
    label: Pack, untaught_label: LocalDrafter, before: str, question: str, wanted: str
) -> None:
    draft = first(untaught_label, question, before)
    assert rows(label, draft.sql) == rows(label, wanted), draft.sql


def test_both_readings_of_an_hour_are_offered(untaught_label: LocalDrafter) -> None:
    (chip,) = first(untaught_label, "concerts at eight").chips
    assert chip.value.label == "20:00"
    assert "8:00" in [other.label for other in chip.others]


@pytest.mark.parametrize("condition", ["sold_out", "NOT sold_out", "sold_out = TRUE AND ticket_price_eur > 20"])
def test_a_column_that_says_yes_or_no_is_kept_when_a_statement_is_written_again(label: Pack, condition: str) -> None:
    sql = f"{CONCERTS} {condition}"
    statement = Parser(label.tables).parse(sql)
    assert statement is not None
    assert rows(label, write(statement)) == rows(label, sql)
