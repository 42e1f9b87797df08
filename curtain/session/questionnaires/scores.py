"""Scores of questionnaires by their published keys. A missing or impossible answer gives no score.

Answers are texts, as they are journaled: item id to what was chosen.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean

Answers = Mapping[str, str]


def sus_score(answers: Answers) -> float | None:
    """The System Usability Scale, 0 to 100, of ten items `q1` to `q10` from 1 to 5; None if one is missing.

    Source: Brooke, SUS: a quick and dirty usability scale (1996). Odd items give x - 1, even ones 5 - x.
    """
    items = _numbers(answers, [f"q{n}" for n in range(1, 11)], 1, 5)
    if items is None:
        return None
    return 2.5 * sum(x - 1 if n % 2 else 5 - x for n, x in enumerate(items, 1))


def ueq_s_scores(answers: Answers) -> dict[str, float]:
    """The two scales of the UEQ-S, -3 to 3, of eight items `q1` to `q8` from 1 to 7; a scale with a missing item is
    left out.

    Source: Schrepp, Hinderks and Thomaschewski, Design and evaluation of a short version of the UEQ (2017). Items 1 to
    4 are pragmatic, 5 to 8 hedonic quality.
    """
    scales = {"pragmatic": range(1, 5), "hedonic": range(5, 9)}
    read = {name: _numbers(answers, [f"q{n}" for n in span], 1, 7) for name, span in scales.items()}
    return {name: fmean(items) - 4 for name, items in read.items() if items is not None}


def nasa_tlx_score(answers: Answers) -> float | None:
    """The raw task load index, 0 to 100: the mean of six items from 0 to 100 in steps of 5; None if one is missing.

    Source: Hart, NASA-Task Load Index (NASA-TLX); 20 years later (2006). Performance runs from good (0) to poor (100).
    """
    names = ("mental", "physical", "temporal", "performance", "effort", "frustration")
    items = _numbers(answers, names, 0, 100)
    return None if items is None or any(x % 5 for x in items) else fmean(items)


def scores_of(questionnaire: Iterable[tuple[str, str]]) -> dict[str, float]:
    """The scores of a session's answers, by name; what has no published key has no score.

    `questionnaire` holds pairs such as ("sus.q1", "4"); a form of a scenario is called ("nasa-tlx@3.mental", "55"), and
    so is its score. Of an item that was answered twice, the later answer counts.
    """
    scores: dict[str, float] = {}
    for form, answers in _by_form(questionnaire).items():
        key = _KEYS.get(form.partition("@")[0])
        scores |= key(form, answers) if key else {}
    return scores


def _by_form(questionnaire: Iterable[tuple[str, str]]) -> dict[str, dict[str, str]]:
    forms: dict[str, dict[str, str]] = {}
    for name, value in questionnaire:
        form, _, item = name.rpartition(".")
        forms.setdefault(form, {})[item] = value
    return forms


def _numbers(answers: Answers, names: Sequence[str], low: int, high: int) -> list[int] | None:
    """The answers to all of these items; None if one is missing or no whole number from `low` to `high`."""
    texts = [answers.get(name, "") for name in names]
    # isdecimal alone takes digits of other scripts, too.
    if not all(text.isascii() and text.isdecimal() and len(text) <= 3 for text in texts):
        return None
    numbers = [int(text) for text in texts]
    return numbers if all(low <= x <= high for x in numbers) else None


def _sus(form: str, answers: Answers) -> dict[str, float]:
    score = sus_score(answers)
    return {} if score is None else {form: score}


def _ueq_s(form: str, answers: Answers) -> dict[str, float]:
    name, at, scenario = form.partition("@")
    return {f"{name}_{scale}{at}{scenario}": score for scale, score in ueq_s_scores(answers).items()}


def _nasa_tlx(form: str, answers: Answers) -> dict[str, float]:
    score = nasa_tlx_score(answers)
    return {} if score is None else {form: score}


_KEYS: Mapping[str, Callable[[str, Answers], dict[str, float]]] = {"sus": _sus, "ueq-s": _ueq_s, "nasa-tlx": _nasa_tlx}
