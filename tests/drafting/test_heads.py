"""What answered questions taught about heads is unlearned when one of them is withdrawn."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from curtain.drafting.followups.heads import HeadWords


def test_a_withdrawn_question_counts_no_more() -> None:
    fares = SimpleNamespace(live=True, words=["how", "dear"], shape="s")
    names = SimpleNamespace(live=True, words=["what", "name"], shape="t")
    shapes = {"s": SimpleNamespace(head="ferry|fare"), "t": SimpleNamespace(head="ferry|name")}
    memory = cast(Any, SimpleNamespace(entries=[fares, names], shapes=shapes))
    heads = HeadWords()
    heads.seen(memory)
    assert heads.times == {"ferry|fare": 1, "ferry|name": 1}
    assert heads.likely(["dear"], frozenset({"dear"}), "ferry")
    fares.live = False
    heads.seen(memory)
    heads.seen(memory)
    assert heads.times == {"ferry|name": 1}
    assert not heads.likely(["dear"], frozenset({"dear"}), "ferry")
