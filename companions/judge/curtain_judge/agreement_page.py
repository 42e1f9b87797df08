"""The agreement of judges on the terminal and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from curtain.base.plural import count_of
from curtain.base.terminal import print_line, print_table
from curtain_judge.agreement import Estimate, ItemShare, QuestionAgreement
from curtain_score.score_tables import TextTable

_NO_VARIATION = "n/a, no variation"
_TWO_JUDGES = "n/a, two judges are needed"
_MOST_DISPUTED = 10
_HEADINGS = ("measure", "value", "95 %", "items")


def agreement_json(agreements: Sequence[QuestionAgreement]) -> dict[str, Any]:
    """One object a question, by its name; shares and coefficients are from 0 to 1, unrounded."""
    return {agreement.question: _question_json(agreement) for agreement in agreements}


def _question_json(agreement: QuestionAgreement) -> dict[str, Any]:
    return {
        **asdict(agreement),
        "pairwise": [{"judges": list(pair), "agreement": share} for pair, share in agreement.pairwise.items()],
        "disputed": [
            {"item": one.item, "agreement": one.agreement, "labels": dict(one.labels)} for one in agreement.disputed
        ],
    }


def agreement_table(agreement: QuestionAgreement) -> TextTable:
    """The measures of one question; the table has the question's name."""
    return TextTable(agreement.question, next(_head(agreement)), _HEADINGS, tuple(_measures(agreement)))


def print_agreement(agreements: Sequence[QuestionAgreement]) -> None:
    """Tables and sentences for a person."""
    for agreement in agreements:
        for line in _head(agreement):
            print_line(line)
        print_table(_HEADINGS, list(_measures(agreement)), right=(False, True, True, True))
        for line in _tail(agreement):
            print_line(line)
        print_line("")


def _head(agreement: QuestionAgreement) -> Iterator[str]:
    labels = ", ".join(f"{label} {count}" for label, count in agreement.labels.items())
    items, judges = count_of(agreement.items, "item"), count_of(len(agreement.judges), "judge")
    yield f"{agreement.question}: {items}, {judges} ({labels})"


def _measures(agreement: QuestionAgreement) -> Iterator[tuple[str, ...]]:
    full, some = _Row(agreement, "by all judges"), _Row(agreement, "by two or more")
    yield full.share("all judges agree", agreement.unanimity)
    yield full.share("at most one dissents", agreement.at_most_one_dissent)
    yield some.estimate("mean of pairs of judges", agreement.mean_pairwise)
    yield full.estimate("Fleiss' kappa", agreement.fleiss_kappa)
    yield some.estimate("Krippendorff's alpha", agreement.krippendorff_alpha)
    if agreement.krippendorff_alpha_ordinal is not None:
        yield some.estimate("Krippendorff's alpha, ordinal", agreement.krippendorff_alpha_ordinal)
    yield _Row(agreement, "by one or more").estimate("Gwet's AC1", agreement.gwet_ac1)


class _Row:
    """Rows of measures over the same items, which are named where some items lack labels."""

    def __init__(self, agreement: QuestionAgreement, which: str) -> None:
        self._alone = len(agreement.judges) < 2
        self._which = which
        self._differs = agreement.unanimity.items != agreement.krippendorff_alpha.items

    def share(self, name: str, share: ItemShare) -> tuple[str, ...]:
        if share.share is None or share.low is None or share.high is None:
            return self._none(name, share.items)
        interval = f"[{100 * share.low:.0f}, {100 * share.high:.0f}]"
        return name, f"{100 * share.share:.0f} %", interval, self._items(share.items)

    def estimate(self, name: str, estimate: Estimate) -> tuple[str, ...]:
        if estimate.value is None or estimate.low is None or estimate.high is None:
            return self._none(name, estimate.items)
        # No minus before a zero.
        interval = f"[{estimate.low:z.3f}, {estimate.high:z.3f}]"
        return name, f"{estimate.value:z.3f}", interval, self._items(estimate.items)

    def _none(self, name: str, items: int) -> tuple[str, ...]:
        if self._alone:
            return name, _TWO_JUDGES, "", "0"
        return name, _NO_VARIATION if items else f"n/a, no item labelled {self._which}", "", self._items(items)

    def _items(self, items: int) -> str:
        return f"{items} {self._which}" if self._differs else str(items)


def _tail(agreement: QuestionAgreement) -> Iterator[str]:
    if agreement.sizes:
        judges = len(agreement.judges)
        groups = ", ".join(f"{size} of {judges}: {count}" for size, count in agreement.sizes.items())
        yield f"  items by the size of the largest group that agrees: {groups}"
    for pair, share in agreement.pairwise.items():
        if share is not None:
            yield f"  {pair[0]} and {pair[1]} agree on {100 * share:.0f} %"
    for item in agreement.disputed[:_MOST_DISPUTED]:
        yield f"  {item.item}: " + ", ".join(f"{judge} {label}" for judge, label in item.labels)
    more = len(agreement.disputed) - _MOST_DISPUTED
    if more > 0:
        yield f"  and {count_of(more, 'more item', 'more items')} on which judges differ; --json lists them all"
