"""Which numbers a column can be compared with."""

from __future__ import annotations

from curtain.domain.pack import Pack, database
from curtain.drafting.lexicon import load_lexicon
from curtain.drafting.pack_schema import kind_of, schema_of
from curtain.drafting.spans import spans_of


def test_times_of_day_and_keys_have_no_ends_and_are_no_money(pack: Pack) -> None:
    spans = spans_of(schema_of(pack, load_lexicon(pack, database(pack))), database(pack))
    assert spans.ends["ferry.price"] == (9.0, 30.0)
    assert "ferry.departure_time" not in spans.ends
    assert spans.money == {"ferry.price"}


def test_a_length_of_time_is_no_number() -> None:
    assert kind_of("lasts", "INTERVAL") == "other"
    assert kind_of("lasts", "INTEGER") == "number"
