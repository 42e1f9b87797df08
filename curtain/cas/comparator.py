"""The Comparator: is a hypothesis right, given the reference and perhaps the maximum?

Sources: 000 section 4 and S-9 to S-11; 003 B.2.12; 001 sections 2.2.2, 2.2.3 and appendix A.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import partial
from itertools import combinations

from .errors import CasError
from .matching import (
    DEFAULT_LIMIT,
    CellColumn,
    MismatchEvidence,
    Nearness,
    OutOfWork,
    StepLimit,
    Tolerance,
    contains,
    decided_by_sets,
    is_exact_key,
    once,
    rows_agree,
    tolerance_of,
)
from .notation.dialects import Dialect, dialect_named
from .notation.literals import in_mixed_column, types_among
from .notation.reader import parse
from .options import ColumnRule, Options
from .reasons import why_beyond, why_different, why_rows_differ
from .values import TRUE, Alternatives, Answer, NoAnswer, Relation, Scalar
from .verdict import ANSWERED_NOTHING, CORRECT, INCORRECT, MALFORMED, UNDECIDED, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_Single = Scalar | Relation | NoAnswer

_RIGHT = Verdict(CORRECT)
_NOTHING = Verdict(ANSWERED_NOTHING)
CAS_RULES = Options()
_STEPS_PER_READING = 4  # for each cell
_LIMIT_REACHED = Verdict(UNDECIDED, "the limit on work was reached before the columns could be distinguished")


def compare(
    hypothesis: Answer | str | None,
    reference: Answer | str,
    maximum: Answer | str | None = None,
    *,
    dialect: str = "1992",
    epsilon: Decimal | str | float = "0.0001",
    yes_no: bool = False,
    limit: int = DEFAULT_LIMIT,
    options: Options = CAS_RULES,
) -> Verdict:
    """The verdict on a hypothesis; each answer is given as text or as a value, no answer also as None.

    `epsilon` is the share of a reference number that a hypothesis may be off; `yes_no` marks a yes/no question
    (dialect 1990); `limit` bounds the search, in steps of about 0.1 microseconds: beyond it the verdict is `undecided`.
    `options` adds an order and rules that benchmarks of SQL use; a maximum takes neither order nor absolute tolerance.
    Raises CasError if the reference or the maximum cannot be read, or has no column that the order names; a hypothesis
    that cannot be read is `malformed`.
    """
    rules = dialect_named(dialect)
    tolerance = tolerance_of(epsilon, options.absolute)
    if maximum is not None and tolerance.absolute:
        raise CasError("A maximum has no absolute tolerance; leave out one of them.")
    # Before the hypothesis: a reference that cannot be read must not hide behind an unanswered question.
    pairs = _in_pairs(_read(reference, dialect), None if maximum is None else _read(maximum, dialect))
    if options.sorted_by:
        for wanted, _ in pairs:
            if not isinstance(wanted, NoAnswer):
                options.keys(_table(wanted).width)
    if hypothesis is None:
        return _NOTHING
    try:
        answer = _read(hypothesis, dialect)
    except CasError as error:
        return Verdict(MALFORMED, str(error))
    if isinstance(answer, NoAnswer):
        return _NOTHING
    if isinstance(answer, Alternatives):
        # 001, appendix A leaves open how such a hypothesis scores. Right if any fits would reward guessing.
        return Verdict(MALFORMED, "a hypothesis cannot have alternatives (OR)")
    rest = (rules, tolerance, yes_no, StepLimit(limit), options)
    if rules.units:
        return _best(_InUnits(answer, *rest), pairs)
    return _best(_Comparison(options.normal(_table(answer)), *rest), pairs)


def _read(answer: Answer | str, dialect: str) -> Answer:
    if isinstance(answer, str):
        return parse(answer, dialect)
    if not isinstance(answer, Scalar | Relation | NoAnswer | Alternatives):
        kind = type(answer).__name__
        raise CasError(f"An answer is a text or what parse and from_rows give, not {kind}.")
    return answer


def _in_pairs(reference: Answer, maximum: Answer | None) -> list[tuple[_Single, _Single | None]]:
    """Each alternative of the reference with its maximum."""
    wanted = reference.answers if isinstance(reference, Alternatives) else (reference,)
    if maximum is None:
        return [(one, None) for one in wanted]
    allowed = maximum.answers if isinstance(maximum, Alternatives) else (maximum,)
    if len(wanted) != len(allowed):
        raise CasError(
            f"Alternatives go in pairs, but the reference has {len(wanted)} and the maximum has {len(allowed)}."
        )
    for least, most in zip(wanted, allowed, strict=True):
        if isinstance(least, NoAnswer) != isinstance(most, NoAnswer):
            raise CasError("NO_ANSWER stands in the reference or in the maximum, but not in both.")
    return list(zip(wanted, allowed, strict=True))


def _best(comparison: _Comparison | _InUnits, pairs: list[tuple[_Single, _Single | None]]) -> Verdict:
    """Correct if any alternative makes it so, else undecided if any is, else what is wrong with the first."""
    first = comparison.against(*pairs[0])
    undecided = first.outcome == UNDECIDED
    if first.outcome == CORRECT or len(pairs) == 1:
        return first
    for least, most in pairs[1:]:
        outcome = comparison.against(least, most).outcome
        if outcome == CORRECT:
            return _RIGHT
        undecided = undecided or outcome == UNDECIDED
    if undecided:
        return _LIMIT_REACHED
    return Verdict(INCORRECT, lambda: f"none of {len(pairs)} alternatives; of the first: {first.reason}")


def _table(answer: _Single) -> Relation:
    """A scalar is the table with this one cell."""
    assert not isinstance(answer, NoAnswer)
    return answer if isinstance(answer, Relation) else Relation(((answer.cell,),))


class _Comparison:
    """One hypothesis and the rules by which it is compared."""

    def __init__(
        self,
        hypothesis: Relation,
        rules: Dialect,
        tolerance: Tolerance,
        yes_no: bool,
        work: StepLimit,
        options: Options,
    ) -> None:
        self._hypothesis = hypothesis
        self._rules = rules
        self._tolerance = tolerance
        self._yes_no = yes_no
        self._work = work
        self._options = options

    def against(self, reference: _Single, maximum: _Single | None) -> Verdict:
        """The verdict for one alternative of the reference."""
        if isinstance(reference, NoAnswer):
            # The grammar allows this reference and no paper says what it means; here every answer to it is wrong.
            return Verdict(INCORRECT, "the reference is NO_ANSWER")
        wanted = self._options.normal(_table(reference))
        try:
            if self._rules.table_is_yes and (self._yes_no or wanted.is_boolean) and self._mixes_kinds(wanted):
                return self._as_yes_or_no(wanted, maximum)
            return self._by_tables(wanted, maximum)
        except OutOfWork:
            return _LIMIT_REACHED

    def within(self, maximum: Relation) -> Verdict:
        """The verdict for a maximum alone."""
        try:
            return self._within(_columns(self._options.normal(maximum)))
        except OutOfWork:
            return _LIMIT_REACHED

    def _mixes_kinds(self, wanted: Relation) -> bool:
        """Whether a table is involved where a boolean was wanted, or the other way round."""
        return not (self._hypothesis.is_boolean and wanted.is_boolean)

    def _as_yes_or_no(self, wanted: Relation, maximum: _Single | None) -> Verdict:
        """A table stands for YES unless it is empty (003, B.2.12).

        A maximum holds here too: it must say the same, and a table must lie within it if it is a table itself.
        """
        shown, right = self._hypothesis, _truth(wanted)
        if _truth(shown) != right:
            return Verdict(INCORRECT, f"the answer says {_yes_or_no(not right)}, the reference {_yes_or_no(right)}")
        most = None if maximum is None else self._options.normal(_table(maximum))
        if most is None or (_truth(most) == right and (shown.is_boolean or most.is_boolean)):
            return _RIGHT
        if _truth(most) != right:
            return Verdict(INCORRECT, f"the answer says {_yes_or_no(right)}, the maximum {_yes_or_no(not right)}")
        return self._within(_columns(most))

    @once
    def _columns(self) -> list[CellColumn]:
        return _columns(self._hypothesis)

    def _by_tables(self, reference: Relation, maximum: _Single | None) -> Verdict:
        most, least = self._hypothesis.width, reference.width
        if most > least > 0 and self._options.columns is ColumnRule.EXACT:
            return Verdict(INCORRECT, f"{most} columns, the reference has {least}")
        places = self._options.places(reference.height)
        by_rows = places is not None or bool(self._tolerance.absolute)
        # Small tables, which most answers are, are decided before anything is built for the search.
        plain = None if by_rows else decided_by_sets(reference.columns, self._hypothesis.columns, self._tolerance.ratio)
        keys = self._options.keys(least) if self._options.sorted_by else ()
        if plain and maximum is None and not keys:
            return _RIGHT
        evidence, shown, wanted = MismatchEvidence(), self._columns, _columns(reference)
        if by_rows:
            if not self._rows_agree(shown, wanted, places):
                return Verdict(INCORRECT, partial(why_rows_differ, shown, wanted, self._tolerance, places))
        elif plain is False or (plain is None and not self._has_minimum(shown, wanted, evidence)):
            return Verdict(INCORRECT, partial(why_different, shown, wanted, self._tolerance, evidence))
        if keys and not self._in_order(shown, wanted, keys, places is not None):
            return Verdict(INCORRECT, f"the right rows, but not in the order asked for, {self._options.sorted_by}")
        return _RIGHT if maximum is None else self._within(_columns(self._options.normal(_table(maximum))))

    def _within(self, allowed: list[CellColumn]) -> Verdict:
        evidence, before = MismatchEvidence(), self._work.left
        for number, shown in enumerate(_readings(self._columns, allowed)):
            if number:
                # There may be very many: they share what was left, whatever each of them allows its tables.
                cells = sum(len(column.cells) for column in (*shown, *allowed))
                self._work.spend(max(0, self._work.left - before) + _STEPS_PER_READING * cells)
                before = self._work.left
            if self._is_within(shown, allowed, evidence):
                return _RIGHT
        return Verdict(INCORRECT, partial(why_beyond, self._columns, allowed, self._tolerance, evidence))

    def _has_minimum(self, shown: list[CellColumn], wanted: list[CellColumn], evidence: MismatchEvidence) -> bool:
        """Whether the hypothesis, on some of its columns, is the reference (000, section 4)."""
        if not shown or not wanted or _same(shown, wanted):
            return _same(shown, wanted)
        if self._exactly_contains(shown, wanted, exactly=True):
            return True
        return contains(shown, wanted, True, self._tolerance, evidence, self._work)

    def _rows_agree(self, shown: list[CellColumn], wanted: list[CellColumn], places: list[int] | None) -> bool:
        if not shown or not wanted or _same(shown, wanted):
            return _same(shown, wanted)
        same_height = len(shown[0].cells) == len(wanted[0].cells)
        if (
            places is not None
            and same_height
            and len(set(places)) == 1
            and _has_exact_key(shown, wanted, self._tolerance)
        ):
            # Each row then has one possible partner: as many rows that are the same as sets are the same rows.
            return self._has_minimum(shown, wanted, MismatchEvidence())
        if places is None:
            # What is right by the share alone is right with an absolute tolerance, and sets are decided faster.
            by_share = tolerance_of(self._tolerance.epsilon)
            try:
                if contains(shown, wanted, True, by_share, MismatchEvidence(), self._attempt()):
                    return True
            except OutOfWork:
                pass
        return rows_agree(shown, wanted, places, self._tolerance, self._work)

    def _in_order(
        self, shown: list[CellColumn], wanted: list[CellColumn], keys: tuple[tuple[int, bool], ...], paired: bool
    ) -> bool:
        """Whether the rows agree under a mapping that has them in the order of the keys; `paired`: duplicates count."""
        # Here, since hardly any answer is asked for in an order.
        from .matching.sorted_rows import choices_in_order, marked, sorted_rows

        tolerance, work, dates = self._tolerance, self._work, self._rules.dates
        if paired:
            ordered = sorted_rows(wanted, keys, dates)
            return any(rows_agree(shown, columns, places, tolerance, work) for columns, places in ordered)
        columns = marked(wanted, [column for column, _ in keys])
        for chosen in choices_in_order(shown, wanted, keys, dates, tolerance, work):
            others = marked(shown, chosen)
            if (
                rows_agree(others, columns, None, tolerance, work)
                if tolerance.absolute
                else contains(others, columns, True, tolerance, MismatchEvidence(), work)
            ):
                return True
        return False

    def _attempt(self) -> StepLimit:
        """The limit of a short cut: where it fails, three quarters of the work are left."""
        return StepLimit(self._work.left // 4, self._work)

    def _is_within(self, shown: list[CellColumn], allowed: list[CellColumn], evidence: MismatchEvidence) -> bool:
        """Whether all the hypothesis shows is in the maximum (001, section 2.2.2)."""
        if not shown or not allowed or _same(shown, allowed):
            return not shown or _same(shown, allowed)
        if _stands_in(shown, allowed) or self._exactly_contains(allowed, shown, exactly=False):
            return True
        return contains(allowed, shown, False, self._tolerance, evidence, self._work)

    def _exactly_contains(self, others: list[CellColumn], placed: list[CellColumn], exactly: bool) -> bool:
        """Whether tables with reals agree to the last digit: then nothing has to be searched under tolerance.

        A mapping that carries every cell over unchanged satisfies any tolerance, so a yes is final; a no is not.
        """
        # Without a column of reals there is nothing to save; without equal columns the exact pass must fail.
        if not any(column.is_real for column in placed) or not _has_equals(placed, others, exactly):
            return False
        plain = (
            [CellColumn(_as_words(column)) for column in others],
            [CellColumn(_as_words(column)) for column in placed],
        )
        try:
            return contains(*plain, exactly, self._tolerance, MismatchEvidence(), self._attempt())
        except OutOfWork:
            return False


class _InUnits:
    """The same of values that may have units: a maximum has units if its reference has."""

    def __init__(self, hypothesis: Scalar | Relation, *rest: Any) -> None:
        self._hypothesis = hypothesis
        self._rest = rest

    def against(self, reference: _Single, maximum: _Single | None) -> Verdict:
        """The verdict for one alternative of the reference. Raises CasError for a maximum that lacks units."""
        # Here, since no other dialect has units.
        from .units import has_units

        if isinstance(reference, NoAnswer):
            return Verdict(INCORRECT, "the reference is NO_ANSWER")
        if maximum is None or isinstance(maximum, NoAnswer):
            return self._compared(reference, is_maximum=False)
        if _table(maximum).columns and has_units(reference) and not has_units(maximum):
            raise CasError("the reference has units and the maximum has none")
        verdict = self._compared(reference, is_maximum=False)
        return self._compared(maximum, is_maximum=True) if verdict.is_correct else verdict

    def _compared(self, wanted: Scalar | Relation, is_maximum: bool) -> Verdict:
        """The verdict for a reference, or for a maximum, each in its own units: a minimum may show none of them."""
        from .units import WITHOUT_PINT, SameUnits, differ_without_pint

        rules, tolerance, yes_no, work, options = self._rest
        same = SameUnits(self._hypothesis, wanted)
        if same.have_units and options.ties is not None:
            options = replace(options, ties=[object(), *options.ties])
        comparison = _Comparison(options.normal(same.hypothesis), rules, tolerance, yes_no, work, options)
        verdict = (comparison.within if is_maximum else partial(comparison.against, maximum=None))(same.wanted)
        if verdict.outcome != INCORRECT or not same.have_units:
            return verdict
        reason = verdict.reason if is_maximum else same.lacking or verdict.reason
        without = differ_without_pint((self._hypothesis, wanted))
        return Verdict(INCORRECT, f"{reason}. {WITHOUT_PINT}" if without else reason)


def _has_equals(placed: list[CellColumn], others: list[CellColumn], exactly: bool) -> bool:
    """Whether each column of reals has another one with the same cells, or with these among them."""
    return all(
        any(mine.distinct == its.distinct if exactly else mine.distinct <= its.distinct for its in others)
        for mine in placed
        if mine.is_real
    )


def _readings(shown: list[CellColumn], allowed: list[CellColumn]) -> Iterator[list[CellColumn]]:
    """The hypothesis as it is; then each choice of columns of reals to go only to a maximum's columns of several types.

    Those have no tolerance, and there 5.0 is 5: the chosen columns are written as theirs.
    """
    yield shown
    mixed = [its.distinct for its in allowed if len(types_among(its.cells)) > 1]
    exact = {
        place: CellColumn(tuple(map(in_mixed_column, mine.cells)))
        for place, mine in enumerate(shown)
        if mixed and mine.is_real
    }
    free = [place for place, mine in exact.items() if any(mine.distinct <= its for its in mixed)]
    for number in range(1, min(len(free), len(mixed)) + 1):
        for places in combinations(free, number):
            yield [exact[place] if place in places else mine for place, mine in enumerate(shown)]


def _has_exact_key(shown: list[CellColumn], wanted: list[CellColumn], tolerance: Tolerance) -> bool:
    """Whether a reference column that no tolerance touches has a value of its own in each row."""
    nearness = Nearness(tolerance, placed_is_reference=True)
    return any(
        len(column.distinct) == len(column.cells) and is_exact_key(column, shown, True, nearness) for column in wanted
    )


def _as_words(column: CellColumn) -> tuple[str, ...]:
    """The cells, those of numbers as strings: strings are equal or not, and a column of them may be a key."""
    return tuple([f'"{cell}' for cell in column.cells]) if column.is_number else column.cells


def _columns(table: Relation) -> list[CellColumn]:
    return [*map(CellColumn, table.columns)]


def _same(first: list[CellColumn], second: list[CellColumn]) -> bool:
    return first is second or [column.cells for column in first] == [column.cells for column in second]


def _stands_in(shown: list[CellColumn], allowed: list[CellColumn]) -> bool:
    """Whether the first columns of a maximum hold all rows as they are written: a maximum derived from a minimum
    begins with its columns, and then there is nothing to search."""
    if len(shown) > len(allowed):
        return False
    rows = set(zip(*(column.cells for column in allowed[: len(shown)]), strict=True))
    return rows.issuperset(zip(*(column.cells for column in shown), strict=True))


def _truth(table: Relation) -> bool:
    return table.columns[0][0] == TRUE if table.is_boolean else bool(table.columns)


def _yes_or_no(truth: bool) -> str:
    return "YES" if truth else "NO"
