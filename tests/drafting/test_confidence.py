"""Ranking and confidence, on made-up evidence."""

from __future__ import annotations

import numpy as np

from curtain.drafting.learned.confidence import Confidence
from curtain.drafting.learned.models import Choices, Flags
from curtain.drafting.learned.rank import Group, Ranker


def _groups(many: int) -> list[Group]:
    """Of five candidates the one with the greatest first feature is right; the second feature is noise."""
    dice = np.random.default_rng(5)
    groups = []
    for _ in range(many):
        features = dice.normal(size=(5, 2))
        groups.append(Group(features, np.arange(5) == features[:, 0].argmax()))
    return groups


def test_the_ranker_learns_what_tells_right_from_wrong() -> None:
    ranker = Ranker([0.0, 1.0])
    ranker.fit(_groups(200))
    hits = [group.right[ranker.scores(group.features).argmax()] for group in _groups(50)]
    assert sum(hits) >= 48


def test_with_few_questions_the_weights_stay_as_they_were() -> None:
    ranker = Ranker([0.0, 1.0])
    ranker.fit(_groups(10))
    assert ranker.scores(np.array([[5.0, 0.0], [0.0, 1.0]])).argmax() == 1


def test_of_drafts_with_a_confidence_that_share_is_right() -> None:
    dice = np.random.default_rng(3)
    rows = dice.normal(size=(4000, 2))
    right = dice.random(4000) < 1 / (1 + np.exp(-2 * rows[:, 0]))
    confidence = Confidence()
    confidence.fit(rows[:2000], right[:2000])
    said = confidence.of(rows[2000:])
    for low in (0.1, 0.3, 0.5, 0.7):
        chosen = (said >= low) & (said < low + 0.2)
        assert abs(said[chosen].mean() - right[2000:][chosen].mean()) < 0.06


def test_confidence_rises_with_the_evidence() -> None:
    rows = np.linspace(-2, 2, 100)[:, None]
    confidence = Confidence()
    confidence.fit(rows, rows[:, 0] > 0.3)
    assert (np.diff(confidence.of(rows)) >= 0).all()


def test_without_experience_the_confidence_is_middling() -> None:
    assert Confidence().of(np.zeros((2, 3))).tolist() == [0.5, 0.5]


def test_one_more_example_is_learned_at_once() -> None:
    model = Choices()
    model.fit([(["red", "bias"], "stop"), (["green", "bias"], "go")] * 5)
    model.fit([(["amber", "bias"], "wait")], rounds=4)
    chances = model.chances(["amber", "bias"])
    assert max(chances, key=lambda label: chances[label]) == "wait"
    assert abs(sum(chances.values()) - 1) < 1e-5


def test_flags_apply_each_for_itself() -> None:
    model = Flags()
    model.fit([(["nonstop"], ["a"]), (["cheap"], ["b"]), (["nonstop", "cheap"], ["a", "b"]), (["x"], [])] * 10)
    chances = model.chances(["nonstop", "cheap"])
    assert chances["a"] > 0.8 and chances["b"] > 0.8
    assert model.chances(["x"])["a"] < 0.3
