"""A question with several readings: any of them will do, some are preferred, or all are asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ..comparator import CAS_RULES, compare
from ..errors import CasError
from ..matching import CellColumn, columns_without_partner, tolerance_of
from ..notation.dialects import dialect_named
from ..notation.reader import parse
from ..notation.writer import write
from ..options import Options
from ..units import SameUnits
from ..values import FAILURES, FALSE, NO_ANSWER, TRUE, Alternatives, Answer, Relation, Scalar
from ..verdict import ANSWERED_NOTHING, CORRECT, INCORRECT, MALFORMED, UNDECIDED, Verdict
from .score import Excess


@dataclass(frozen=True, slots=True)
class ComparisonRules:
    """How answers are compared; the same for all items of a run."""

    dialect: str = "1992"
    epsilon: str = "0.0001"
    all_readings: bool = False
    """An answer is right only if it matches every reading (papers/000, 3.3)."""

    def check(self) -> None:
        """Raises CasError for a dialect or a tolerance that there is not."""
        dialect_named(self.dialect)
        tolerance_of(self.epsilon)


@dataclass(frozen=True, slots=True)
class QuestionReading:
    """One reading of a question: the least and the most that an answer may hold, and what a match is worth."""

    reference: str
    maximum: str | None = None
    weight: Fraction = Fraction(1)
    sorted_by: str = ""
    """The order that was asked for, as in `Options`; none was if it is empty."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict; what it is worth (1 unless a less preferred reading was matched); why to take it with care."""

    verdict: Verdict
    credit: Fraction | int = 1
    empty_match: bool = False
    """Right, but so is every system that finds nothing (papers/004, table 1)."""
    chance_prone: bool = False
    """Right, but one guess in two would be (papers/001, 2.3)."""
    excess: Excess | None = None
    """What the answer shows beyond the reading that leaves least beyond it, if that was asked for."""


def judge(
    hypothesis: str | None,
    readings: Sequence[QuestionReading],
    rules: ComparisonRules,
    yes_no: bool = False,
    *,
    weighted: bool = False,
    with_excess: bool = False,
) -> Judgement:
    """The verdict on a hypothesis, `None` being no answer, given the readings of the question.

    `weighted` says that the readings carry weights of their own; the credit is that of the best one matched, over
    the largest weight. `with_excess` asks for columns beyond minimum and maximum, too.

    Raises CasError if a reference or a maximum cannot be read, even when there is no answer.
    """
    # A missing answer is none in every dialect, also in 1989, which has no word for it.
    answer: Answer | str = NO_ANSWER if hypothesis is None else hypothesis
    if rules.all_readings:
        readings = [part for reading in readings for part in split(reading, rules.dialect)]
    wanted = [_parsed(reading, rules.dialect) for reading in readings]
    answer = _readable(answer, rules.dialect)
    verdicts = [
        _verdict(answer, reference, maximum, rules, yes_no, reading.sorted_by)
        for (reference, maximum), reading in zip(wanted, readings, strict=True)
    ]
    verdict = _of_all(verdicts) if rules.all_readings else _of_any(verdicts, readings)
    right = [
        single
        for pair, reading, verdict_on in zip(wanted, readings, verdicts, strict=True)
        if verdict_on.is_correct
        for singles in [_singles(*pair)]
        for single in singles
        if len(singles) == 1 or _verdict(answer, *single, rules, yes_no, reading.sorted_by).is_correct
    ]
    bounds = right or [single for pair in wanted for single in _singles(*pair)]
    excess = _excess(answer, bounds, bool(right), rules) if with_excess else None
    if not verdict.is_correct:
        return Judgement(verdict, excess=excess)
    matched = [reading for reading, one in zip(readings, verdicts, strict=True) if one.is_correct]
    return Judgement(
        verdict,
        _credit(matched, readings) if weighted and not rules.all_readings else 1,
        empty_match=any(_is_empty(reference) for reference, _ in right),
        chance_prone=yes_no or any(_is_boolean(reference) for reference, _ in right),
        excess=excess,
    )


def _excess(
    answer: Answer | str, wanted: Sequence[tuple[Answer, Answer | None]], right: bool, rules: ComparisonRules
) -> Excess | None:
    """What a table shows beyond the alternative that leaves least; None if none is a table or value."""
    if not isinstance(answer, Relation) or not answer.columns or answer.is_boolean:
        return None
    excesses = []
    for least, most in wanted:
        if width := _width(least):
            beyond = max(0, answer.width - width)
            excesses.append((beyond, None if most is None else 0 if right else _beyond(answer, most, rules)))
    return Excess(answer.width, *min(excesses, key=lambda one: (one[0], one[1] or 0))) if excesses else None


def _beyond(answer: Relation, maximum: Answer, rules: ComparisonRules) -> int:
    """How many columns are none of a maximum's, by their values alone, and at least as many as it has too few."""
    if not isinstance(maximum, Relation | Scalar) or _is_empty(maximum):
        return answer.width
    same = SameUnits(answer, maximum)
    shown, allowed = ([*map(CellColumn, table.columns)] for table in (same.hypothesis, same.wanted))
    alone = columns_without_partner(shown, allowed, tolerance_of(rules.epsilon))
    return max(len(alone), answer.width - same.wanted.width)


def split(reading: QuestionReading, dialect: str, weights: Sequence[Fraction] | None = None) -> list[QuestionReading]:
    """One reading for each alternative of the reference, paired with those of the maximum and with the weights.

    Raises CasError if a text cannot be read or the numbers of alternatives differ.
    """
    references = _alternatives(reading.reference, dialect)
    maxima = [None] * len(references) if reading.maximum is None else _alternatives(reading.maximum, dialect)
    if len(maxima) != len(references):
        raise CasError(f"the reference has {len(references)} alternatives, the maximum has {len(maxima)}")
    if weights is not None and len(weights) != len(references):
        raise CasError(f"the reference has {len(references)} alternatives, “weights” has {len(weights)}")
    shares = weights or [reading.weight] * len(references)
    return [QuestionReading(*one, reading.sorted_by) for one in zip(references, maxima, shares, strict=True)]


def _alternatives(text: str, dialect: str) -> list[str]:
    answer = parse(text, dialect)
    return [write(one, dialect) for one in answer.answers] if isinstance(answer, Alternatives) else [text]


def _parsed(reading: QuestionReading, dialect: str) -> tuple[Answer, Answer | None]:
    """The reference and the maximum of a reading, parsed once for everything that is asked of them."""
    reference = parse(reading.reference, dialect)
    return reference, None if reading.maximum is None else parse(reading.maximum, dialect)


def _readable(text: Answer | str, dialect: str) -> Answer | str:
    """The answer in a text; the text as it is if it cannot be read, since the verdict says why."""
    if not isinstance(text, str):
        return text
    try:
        return parse(text, dialect)
    except CasError:
        return text


def _verdict(
    answer: Answer | str, reference: Answer, maximum: Answer | None, rules: ComparisonRules, yes_no: bool,
    sorted_by: str,
) -> Verdict:  # fmt: skip
    options = Options(sorted_by=sorted_by) if sorted_by else CAS_RULES
    return compare(
        answer, reference, maximum, dialect=rules.dialect, epsilon=rules.epsilon, yes_no=yes_no, options=options
    )


def _of_any(verdicts: Sequence[Verdict], readings: Sequence[QuestionReading]) -> Verdict:
    """The verdict of the best reading; undecided if a better one than the best match may yet match."""
    # Sorting is stable: of equal weights the reading that was written first counts, and gives the reason.
    order = sorted(range(len(verdicts)), key=lambda index: -readings[index].weight)
    for index in order:
        if verdicts[index].outcome in (CORRECT, UNDECIDED):
            return verdicts[index]
    return verdicts[order[0]]


def _of_all(verdicts: Sequence[Verdict]) -> Verdict:
    # What is wrong with the hypothesis alone is the same for each reading.
    if len(verdicts) == 1 or verdicts[0].outcome in (MALFORMED, ANSWERED_NOTHING):
        return verdicts[0]
    # One reading that fails settles it, whatever the undecided ones would have said.
    for outcome in (INCORRECT, UNDECIDED):
        for number, verdict in enumerate(verdicts, 1):
            if verdict.outcome == outcome:
                return Verdict(outcome, partial(_reason_of, number, verdict))
    return verdicts[0]


def _reason_of(number: int, verdict: Verdict) -> str:
    return f"reading {number}: {verdict.reason}"


def _credit(matched: Sequence[QuestionReading], readings: Sequence[QuestionReading]) -> Fraction:
    return max(reading.weight for reading in matched) / max(reading.weight for reading in readings)


def _singles(reference: Answer, maximum: Answer | None) -> list[tuple[Answer, Answer | None]]:
    """Each alternative of a reading with its maximum."""
    wanted = reference.answers if isinstance(reference, Alternatives) else (reference,)
    if maximum is None:
        return [(one, None) for one in wanted]
    return [*zip(wanted, maximum.answers if isinstance(maximum, Alternatives) else (maximum,), strict=True)]


def _width(answer: Answer) -> int:
    """How many columns a table has, or a value; 0 for what no table would be an answer to."""
    if isinstance(answer, Scalar):
        return 0 if _is_boolean(answer) or answer.cell in FAILURES.values() else 1
    return answer.width if isinstance(answer, Relation) and not answer.is_boolean else 0


def _is_empty(answer: Answer) -> bool:
    return isinstance(answer, Relation) and not answer.height


def _is_boolean(answer: Answer) -> bool:
    return (isinstance(answer, Scalar) and answer.cell in (TRUE, FALSE)) or (
        isinstance(answer, Relation) and answer.is_boolean
    )
