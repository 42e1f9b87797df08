"""The Comparator: is a hypothesis right, given the reference?"""

from __future__ import annotations

from decimal import Context, Decimal, Inexact
from itertools import permutations

from .dialects import Dialect, dialect_named
from .errors import CasError
from .reading import parse
from .values import FALSE, TRUE, Alternatives, Answer, Cell, NoAnswer, Relation, Scalar
from .verdict import ANSWERED_NOTHING, CORRECT, INCORRECT, MALFORMED, Verdict

_EXACT = Context(prec=100_000, traps=[Inexact])


def compare(
    hypothesis: Answer | str,
    reference: Answer | str,
    maximum: Answer | str | None = None,
    *,
    dialect: str = "1992",
    epsilon: Decimal | str = "0.0001",
    yes_no: bool = False,
) -> Verdict:
    """The verdict on a hypothesis, given as text or as an answer.

    Raises CasError if the reference or the maximum cannot be read; a hypothesis that cannot is `malformed`.
    """
    rules = dialect_named(dialect)
    references = _alternatives(parse(reference, dialect) if isinstance(reference, str) else reference)
    if isinstance(maximum, str):
        maximum = parse(maximum, dialect)
    maxima = _alternatives(maximum) if maximum is not None else (None,) * len(references)
    if len(maxima) != len(references):
        raise CasError(f"the reference has {len(references)} alternatives, the maximum has {len(maxima)}")
    if isinstance(hypothesis, str):
        try:
            hypothesis = parse(hypothesis, dialect)
        except CasError as error:
            return Verdict(MALFORMED, str(error))
    if isinstance(hypothesis, NoAnswer):
        return Verdict(ANSWERED_NOTHING)
    if isinstance(hypothesis, Alternatives):
        return Verdict(MALFORMED, "a hypothesis has no alternatives")
    tolerance = Decimal(epsilon)
    verdict = Verdict(INCORRECT, "the reference is NO_ANSWER")
    for one, most in zip(references, maxima, strict=True):
        verdict = _against(hypothesis, one, most, rules, tolerance, yes_no)
        if verdict.outcome == CORRECT:
            break
    return verdict


def _alternatives(answer: Answer) -> tuple[Answer, ...]:
    return answer.answers if isinstance(answer, Alternatives) else (answer,)


def _table(answer: Answer) -> Relation:
    if isinstance(answer, Scalar):
        return Relation(((answer.cell,),))
    assert isinstance(answer, Relation)
    return answer


def _is_boolean(table: Relation) -> bool:
    return table.width == table.height == 1 and table.columns[0][0] in (TRUE, FALSE)


def _truth(table: Relation) -> Relation:
    return Relation(((TRUE if table.height else FALSE,),))


def _against(
    hypothesis: Answer, reference: Answer, maximum: Answer | None, rules: Dialect, epsilon: Decimal, yes_no: bool
) -> Verdict:
    if isinstance(reference, NoAnswer):
        return Verdict(INCORRECT, "the reference is NO_ANSWER")
    hyp, ref = _table(hypothesis), _table(reference)
    if rules.table_is_yes and _is_boolean(ref) and not _is_boolean(hyp):
        hyp, maximum = _truth(hyp), None
    elif rules.table_is_yes and yes_no and _is_boolean(hyp) and not _is_boolean(ref):
        ref, maximum = _truth(ref), None
    if hyp.width < ref.width and hyp.height and ref.height:
        return Verdict(INCORRECT, "too few columns")
    if not any(
        _covers(hyp, ref, mapping, epsilon, both=True) for mapping in permutations(range(hyp.width), ref.width)
    ):
        return Verdict(INCORRECT, "the rows differ")
    if maximum is None or isinstance(maximum, NoAnswer):
        return Verdict(CORRECT)
    most = _table(maximum)
    identity = tuple(range(hyp.width))
    for mapping in permutations(range(most.width), hyp.width):
        shown = Relation(tuple(most.columns[index] for index in mapping))
        if _covers(hyp, shown, identity, epsilon, both=False):
            return Verdict(CORRECT)
    return Verdict(INCORRECT, "a column beyond the maximum")


def _covers(hyp: Relation, ref: Relation, mapping: tuple[int, ...], epsilon: Decimal, both: bool) -> bool:
    rows = set(zip(*(hyp.columns[index] for index in mapping), strict=True))
    wanted = set(ref.rows())
    if rows == wanted:
        return True
    right = all(any(_match(row, one, epsilon) for one in wanted) for row in rows)
    return right and (not both or all(any(_match(row, one, epsilon) for row in rows) for one in wanted))


def _match(row: tuple[Cell, ...], ref: tuple[Cell, ...], epsilon: Decimal) -> bool:
    return all(left == right or _close(left, right, epsilon) for left, right in zip(row, ref, strict=True))


def _close(hyp: Cell, ref: Cell, epsilon: Decimal) -> bool:
    if '"' in hyp + ref or hyp[0] in "TFN" or ref[0] in "TFN" or "." not in hyp + ref:
        return False
    distance = _EXACT.abs(_EXACT.subtract(Decimal(hyp), Decimal(ref)))
    return distance <= _EXACT.multiply(epsilon, _EXACT.abs(Decimal(ref)))
