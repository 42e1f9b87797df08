"""The coefficients give what their authors print."""

import pytest

from curtain.corpus.annotation.agreement import ac1, alpha, kappa

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", four observers and twelve units; 0 is missing.
OBSERVERS = ["123321412000", "123322412503", "033323422510", "123324412510"]
UNITS = [[label for label in unit if label != "0"] for unit in zip(*OBSERVERS, strict=True)]


def test_alpha_and_ac1_are_those_of_the_published_example() -> None:
    assert alpha(UNITS) == pytest.approx(0.743, abs=5e-4)
    assert ac1(UNITS) == pytest.approx(0.77544, abs=5e-6)


def test_ac1_stays_high_where_a_label_is_rare_and_kappa_does_not() -> None:
    pairs = [("y", "y")] * 118 + [("y", "n")] * 5 + [("n", "y")] * 2
    assert kappa(pairs) == pytest.approx(-0.0234, abs=5e-5)
    assert ac1(pairs) == pytest.approx(0.9408, abs=5e-4)


@pytest.mark.parametrize("units", [[], [("A", "A")] * 4])
def test_where_nothing_varies_no_coefficient_is_defined(units: list[tuple[str, str]]) -> None:
    assert (kappa(units), alpha(units), ac1(units)) == (None, None, None)


def test_full_disagreement_is_worse_than_chance() -> None:
    units = [("A", "X"), ("X", "A")]
    assert kappa(units) == ac1(units) == -1.0
    assert alpha(units) == pytest.approx(-0.5)
