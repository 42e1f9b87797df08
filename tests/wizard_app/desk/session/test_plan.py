from dataclasses import replace

import pytest

from wizard_app.desk.session.plan import SessionPlan, missing, one_sentence, wrong

WHOLE = SessionPlan("e00", "mb", ("a", "b"), "p", True, "C-1")


def test_a_whole_plan_misses_nothing() -> None:
    assert missing(WHOLE) == []
    assert one_sentence([]) == ""


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"speaker_id": ""}, "speaker id"), ({"wizard_id": " "}, "wizard id"),
        ({"scenario_ids": (), "practice_id": None}, "scenario"), ({"consent": False}, "consent"),
        ({"consent_id": ""}, "consent id"),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(change: dict[str, object], shown: str) -> None:
    found = missing(replace(WHOLE, **change))  # type: ignore[arg-type]
    assert len(found) == 1
    assert shown in found[0]


@pytest.mark.parametrize(
    ("speaker", "shown"),
    [
        ("E00", "small letters: e00"), ("e0", "too short"), ("v" * 33, "has 33 characters; 32 at most"),
        ("e 00", "may only contain letters, digits"), ("-e00", "may only contain letters, digits"), ("vp12", ""),
        ("ÄÖÜ", ""), ("e00", ""),
    ],
)  # fmt: skip
def test_a_speaker_id_that_cannot_be_taken_says_what_is_wrong_with_it(speaker: str, shown: str) -> None:
    plan = replace(WHOLE, speaker_id=speaker)
    assert missing(plan) == []
    assert shown in wrong(plan)
    assert bool(wrong(plan)) is bool(shown)


def test_a_trial_needs_no_consent() -> None:
    assert missing(replace(WHOLE, pilot=True, consent=False, consent_id="")) == []


def test_the_practice_scenario_comes_first_and_once() -> None:
    assert replace(WHOLE, scenario_ids=("a", "p", "b")).all_ids == ["p", "a", "b"]
