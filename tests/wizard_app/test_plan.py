from __future__ import annotations

from dataclasses import replace

import pytest

from wizard_app.plan import SessionPlan, missing, one_sentence

WHOLE = SessionPlan("e00", "mb", ("a", "b"), "p", True, "C-1")


def test_a_whole_plan_misses_nothing() -> None:
    assert missing(WHOLE) == []
    assert one_sentence([]) == ""


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"speaker_id": ""}, "speaker id"),
        ({"speaker_id": "E00"}, "speaker id"),
        ({"speaker_id": "e0"}, "speaker id"),
        ({"wizard_id": " "}, "wizard id"),
        ({"scenario_ids": (), "practice_id": None}, "scenario"),
        ({"consent": False}, "consent"),
        ({"consent_id": ""}, "consent id"),
    ],
)
def test_what_is_missing_is_named(change: dict[str, object], told: str) -> None:
    found = missing(replace(WHOLE, **change))  # type: ignore[arg-type]
    assert len(found) == 1
    assert told in found[0]


def test_a_trial_needs_no_consent_id_but_the_consent() -> None:
    trial = replace(WHOLE, pilot=True, consent_id="")
    assert missing(trial) == []
    assert missing(replace(trial, consent=False)) != []


def test_the_practice_scenario_comes_first_and_once() -> None:
    assert replace(WHOLE, scenario_ids=("a", "p", "b")).all_ids == ["p", "a", "b"]
