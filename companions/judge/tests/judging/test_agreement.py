"""Judges of log files: the figures of papers/004, and coefficients against the libraries of the field."""

import random
import re
from pathlib import Path

import krippendorff
import numpy as np
import pytest

from curtain_judge.agreement import fleiss_of, ordinal_alpha_of, question_agreement
from curtain_judge.agreement_page import agreement_table, print_agreement
from curtain_judge.labels import CLARITY, CORRECTNESS, PAIR, Label, label_sets
from tests.support.printed_runs import counts_printed_as

PAGE = Path(__file__).resolve().parents[4] / "docs" / "evaluation.md"
JUDGES = ("a", "b", "c", "d", "e", "f", "g")


def rows(units, question=CORRECTNESS):
    return [
        Label(f"item-{number:03}", judge, question, label)
        for number, unit in enumerate(units)
        for judge, label in zip(JUDGES, unit, strict=False)
        if label is not None
    ]


def agreement_of(units, question=CORRECTNESS):
    return question_agreement(label_sets(rows(units, question))[0])


def test_seven_judges_on_115_pairs_give_the_82_and_92_per_cent_that_the_paper_prints():
    """papers/004, "Log file evaluation": 94 pairs without dissent, 12 with one, 9 with more, as only these can be."""
    # One whole number of 115 each is printed as 82 % and as 92 %.
    [unanimous], [at_most_one] = counts_printed_as(82, 115), counts_printed_as(92, 115)
    assert (unanimous, at_most_one - unanimous, 115 - at_most_one) == (94, 12, 9)
    units = [["correct"] * 7] * unanimous + [["correct"] * 6 + ["incorrect"]] * (at_most_one - unanimous)
    units += [["correct"] * 4 + ["incorrect"] * 3] * (115 - at_most_one)

    agreement = agreement_of(units)

    assert (agreement.unanimity.count, agreement.unanimity.items) == (94, 115)
    assert round(100 * agreement.unanimity.share) == 82
    assert (round(100 * agreement.unanimity.low), round(100 * agreement.unanimity.high)) == (74, 88)
    assert agreement.at_most_one_dissent.count == 106
    assert round(100 * agreement.at_most_one_dissent.share) == 92
    assert agreement.sizes == {7: 94, 6: 12, 4: 9}


def test_three_lone_dissents_show_why_kappa_never_stands_alone():
    units = [["correct"] * 7] * 112 + [["correct"] * 6 + ["incorrect"]] * 3

    agreement = agreement_of(units)

    assert round(100 * agreement.unanimity.share) == 97
    assert agreement.gwet_ac1.value == pytest.approx(0.99, abs=0.005)
    assert agreement.fleiss_kappa.value == pytest.approx(-0.004, abs=0.0005)


def test_where_nothing_varies_no_coefficient_is_defined():
    agreement = agreement_of([["correct"] * 7] * 20)

    assert agreement.unanimity.share == 1
    assert agreement.mean_pairwise.value == 1
    for estimate in (agreement.fleiss_kappa, agreement.krippendorff_alpha, agreement.gwet_ac1):
        assert (estimate.value, estimate.low, estimate.items) == (None, None, 20)


def matrices(count):
    """Label matrices (items, judges) of all shapes, with gaps in two of three."""
    chosen = random.Random(1992)
    for number in range(count):
        items, judges, labels = chosen.randint(3, 40), chosen.randint(2, 7), chosen.randint(2, 5)
        gaps = (0.0, 0.1, 0.3)[number % 3]
        yield [
            [None if chosen.random() < gaps else chosen.randrange(labels) for _ in range(judges)] for _ in range(items)
        ]


def counts_of(units):
    from curtain.corpus.annotation.label_counts import count_table

    return count_table([[label for label in unit if label is not None] for unit in units], range(5))


def test_alpha_is_that_of_krippendorff_on_a_thousand_matrices_with_missing_labels():
    from curtain.corpus.annotation.label_counts import alpha_of, once_each

    compared = 0
    for units in matrices(1000):
        table = counts_of(units)
        data = np.array([[np.nan if label is None else label for label in unit] for unit in units]).T
        pairable = table[table.sum(axis=1) > 1]
        if (pairable.sum(axis=0) > 0).sum() < 2:
            continue
        for level, ours in (("nominal", alpha_of), ("ordinal", ordinal_alpha_of)):
            theirs = krippendorff.alpha(data, level_of_measurement=level, value_domain=list(range(5)))
            assert ours(table, once_each(table))[0] == pytest.approx(theirs, abs=1e-9)
        compared += 1
    assert compared > 950


def test_kappa_is_that_of_statsmodels_on_the_items_that_all_judges_labelled():
    from statsmodels.stats import inter_rater

    from curtain.corpus.annotation.label_counts import once_each

    compared = 0
    for units in matrices(1000):
        complete = [unit for unit in units if None not in unit]
        if len(complete) < 2 or len({label for unit in complete for label in unit}) < 2:
            continue
        table = counts_of(complete)
        theirs = inter_rater.fleiss_kappa(inter_rater.aggregate_raters(np.array(complete), n_cat=5)[0])
        assert fleiss_of(table, once_each(table))[0] == pytest.approx(theirs, abs=1e-9)
        compared += 1
    assert compared > 700


def test_a_bootstrap_weight_of_two_is_the_item_standing_twice():
    from curtain.corpus.annotation.label_counts import ac1_of, alpha_of, once_each

    units = [[0, 0, 1], [1, 1, 1], [2, 0, 1], [0, 0, 0]]
    twice = counts_of([units[0], units[0], *units[1:3]])
    for coefficient in (alpha_of, ac1_of, fleiss_of, ordinal_alpha_of):
        weighted = coefficient(counts_of(units), np.array([[2.0, 1.0, 1.0, 0.0]]))
        assert weighted[0] == pytest.approx(coefficient(twice, once_each(twice))[0], abs=1e-12)


def test_the_order_of_clarity_counts_and_a_near_miss_weighs_less():
    near = [["clear", "unclear"]] * 5 + [["clear", "clear"]] * 10 + [["unintelligible"] * 2] * 5
    far = [["clear", "unintelligible"]] * 5 + [["clear", "clear"]] * 10 + [["unintelligible"] * 2] * 5

    ordinal = [agreement_of(units, CLARITY).krippendorff_alpha_ordinal for units in (near, far)]

    assert ordinal[0].value > 0.7
    # Two of the three labels alone are in no order that could be measured.
    assert ordinal[1] is None or ordinal[1].value < ordinal[0].value
    assert agreement_of(near, CORRECTNESS).krippendorff_alpha_ordinal is None


def table_of(units):
    """The rows of the table by their measure: (value, items)."""
    return {row[0]: (row[1], row[3]) for row in agreement_table(agreement_of(units)).rows}


def test_missing_labels_count_where_they_can_and_every_figure_says_over_how_many_items():
    units = [["correct", "correct", None]] * 4 + [["correct", "incorrect", "correct"]] * 6

    agreement, table = agreement_of(units), table_of(units)

    assert agreement.unanimity.items == agreement.fleiss_kappa.items == 6
    assert agreement.krippendorff_alpha.items == 10
    assert (table["Fleiss' kappa"][1], table["Gwet's AC1"][1]) == ("6 by all judges", "10 by one or more")
    assert table_of([["correct", "incorrect"]] * 4)["Gwet's AC1"][1] == "4"


def test_a_lone_label_counts_towards_chance_in_ac1_alone():
    agreement = agreement_of([["correct", "correct"], ["incorrect", "correct"]] * 3 + [["incorrect", None]] * 7)

    estimates = (agreement.fleiss_kappa, agreement.krippendorff_alpha, agreement.gwet_ac1, agreement.mean_pairwise)
    assert [estimate.items for estimate in estimates] == [6, 6, 13, 6]


def test_the_labels_of_one_judge_ask_for_a_second_one():
    assert {value for value, _ in table_of([["correct"], ["incorrect"]]).values()} == {"n/a, two judges are needed"}


def test_a_zero_has_no_minus_and_one_item_is_no_plural(capsys):
    # Kappa is a hair below zero here.
    print_agreement([agreement_of([["correct"] * 7] * 399 + [["correct"] * 6 + ["incorrect"]])])
    print_agreement([agreement_of([["correct"]])])
    printed = capsys.readouterr().out
    assert "-0.000" not in printed
    assert "correctness: 1 item, 1 judge (correct 1)" in printed
    print_agreement([agreement_of([["correct", "incorrect"]] * 11)])
    assert "and 1 more item on which judges differ" in capsys.readouterr().out


def test_the_items_with_the_least_agreement_come_first():
    units = [["correct"] * 6 + ["incorrect"], ["correct"] * 4 + ["incorrect"] * 3, ["correct"] * 7]

    disputed = agreement_of(units).disputed

    assert [item.item for item in disputed] == ["item-001", "item-000"]
    assert ("g", "incorrect") in disputed[1].labels


def test_clarity_and_correctness_together_are_a_third_question():
    labels = rows([["clear"] * 7], CLARITY) + rows([["correct"] * 6 + ["incorrect"]], CORRECTNESS)

    sets = {one.question: one for one in label_sets(labels)}

    assert list(sets) == [CLARITY, CORRECTNESS, PAIR]
    assert sets[PAIR].units[0][-1] == "clear / incorrect"


def test_labels_of_another_tool_are_read_as_the_page_shows(tmp_path, monkeypatch, capsys):
    """Each label that was given, whatever stands before the headings."""
    [code] = re.findall(r"^```python\n(import csv\n.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "labels.csv").write_text("\ufeffitem,judge,question,label\ni,a,q,x\ni,b,q,\ni,c,q,x\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, str(PAGE), "exec"), {})
    assert "q: 1 item, 2 judges (x 2)" in capsys.readouterr().out
