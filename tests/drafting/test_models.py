"""The small linear models: what they learned survives the disk, and they learn on after it."""

from __future__ import annotations

import pickle

import pytest

from curtain.drafting.learned.models import Choices, Flags

FARES = [(("cheap", "fare"), "fare"), (("cheap", "flight"), "flight"), (("late", "flight"), "flight")] * 4


def taught() -> Choices[str]:
    model: Choices[str] = Choices()
    model.fit(FARES)
    return model


def test_what_was_learned_survives_the_disk() -> None:
    model = taught()
    again = pickle.loads(pickle.dumps(model))
    assert again.chances(["fare"]) == pytest.approx(model.chances(["fare"]), abs=0.01)


def test_a_model_from_the_disk_learns_on() -> None:
    model = pickle.loads(pickle.dumps(taught()))
    before = model.chances(["ferry"])
    model.fit([(("cheap", "ferry"), "ferry")])
    assert "ferry" not in before
    assert max(model.chances(["cheap", "ferry"]), key=model.chances(["cheap", "ferry"]).__getitem__) == "ferry"
    assert model.chances(["fare"])["fare"] > 0.5


def test_flags_from_the_disk_learn_on_and_are_written_again() -> None:
    model: Flags[str] = Flags()
    model.fit([(("nonstop",), ["direct"]), (("daily",), [])] * 4)
    model = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(model))))
    model.fit([(("nonstop", "breakfast"), ["direct", "meal"])])
    chances = model.chances(["breakfast"])
    assert set(chances) == {"direct", "meal"}
    assert chances["meal"] > model.chances(["daily"])["meal"]
