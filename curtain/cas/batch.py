"""The Comparator over a batch of pairs, for engines that work on many machines: Ray Data, Dask, Spark.

dataset.map_batches(score_batch)                                        Ray Data
frame.map_partitions(score_batch)                                       Dask
frame.mapInPandas(score_batches, schema)                                Spark
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from .errors import CasError
from .scoring.readings import ComparisonRules, QuestionReading, judge
from .verdict import Verdict

Batch = TypeVar("Batch")


def score_batch(batch: Batch, *, dialect: str = "1992", epsilon: str = "0.0001") -> Batch:
    """The same batch with two more columns of strings, `verdict` and `reason`; the rows keep their order.

    A batch is a pandas DataFrame, an Arrow table, or a dict of columns. It has the columns `ref` and `hyp`, and may
    have `max`, `yes_no` and `sorted_by`; others, such as `id`, are passed through. A missing `hyp` is no answer. Where
    a reference or a maximum cannot be read the verdict is null and the reason says why: a bad row does not end a run.
    Raises CasError for a batch without the columns, a dialect or a tolerance that there is not.
    """
    rules = ComparisonRules(dialect, str(epsilon))
    rules.check()
    names = _names(batch)
    for name in ("ref", "hyp"):
        if name not in names:
            raise CasError(f"The batch has no column “{name}”; it has {', '.join(map(str, names)) or 'none'}.")
    verdicts = [_verdict(hyp, ref, most, mark, order, rules) for hyp, ref, most, mark, order in _rows(batch, names)]
    judged: Batch = _with_columns(
        batch,
        verdict=[verdict.outcome or None for verdict in verdicts],
        reason=[verdict.reason for verdict in verdicts],
    )
    return judged


def score_batches(batches: Iterable[Batch], *, dialect: str = "1992", epsilon: str = "0.0001") -> Iterator[Batch]:
    """`score_batch` over a stream of batches, as Spark's `mapInPandas` wants it."""
    for batch in batches:
        yield score_batch(batch, dialect=dialect, epsilon=epsilon)


def _names(batch: Any) -> Sequence[Any]:
    if hasattr(batch, "column_names"):
        return list(batch.column_names)
    return list(batch.columns if hasattr(batch, "columns") else batch)


def _rows(batch: Any, names: Sequence[Any]) -> Iterator[tuple[object, ...]]:
    count = len(batch["ref"])
    wanted = ("hyp", "ref", "max", "yes_no", "sorted_by")
    columns = [_values(batch[name]) if name in names else [None] * count for name in wanted]
    return zip(*columns, strict=True)


def _values(column: Any) -> Sequence[Any]:
    """The values of a pandas, numpy or Arrow column as Python's own."""
    for name in ("to_pylist", "tolist"):
        if hasattr(column, name):
            values: Sequence[Any] = getattr(column, name)()
            return values
    return list(column)


def _is_missing(value: object) -> bool:
    """None, NaN, and pandas' NA, which cannot even be compared."""
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _verdict(
    hyp: object, ref: object, maximum: object, yes_no: object, sorted_by: object, rules: ComparisonRules
) -> Verdict:
    try:
        most = None if _is_missing(maximum) else _text("max", maximum)
        order = "" if _is_missing(sorted_by) else _text("sorted_by", sorted_by)
        reading = QuestionReading(_text("ref", ref), most, sorted_by=order)
        hypothesis = None if _is_missing(hyp) else _text("hyp", hyp)
        marked = not _is_missing(yes_no) and bool(yes_no)
        return judge(hypothesis, [reading], rules, marked).verdict
    except CasError as error:
        return Verdict("", f"not judged: {error}")


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    raise CasError(f"“{name}” is no text")


def _with_columns(batch: Any, **columns: list[str | None]) -> Any:
    if hasattr(batch, "append_column"):
        # Whoever hands in an Arrow table has pyarrow; nobody else needs it.
        arrow = importlib.import_module("pyarrow")
        for name, values in columns.items():
            # Arrow would append a second column of the same name, for instance when a batch is scored again.
            batch = batch.drop_columns([name]) if name in batch.column_names else batch
            batch = batch.append_column(name, arrow.array(values, arrow.string()))
        return batch
    if hasattr(batch, "assign"):
        # Of the type of a column of texts, also when there is no row: Dask asks with an empty frame.
        series = type(batch["ref"])
        return batch.assign(**{name: series(v, index=batch.index, dtype="string") for name, v in columns.items()})
    return {**batch, **{name: _like(batch["ref"], values) for name, values in columns.items()}}


def _like(column: Any, values: list[str | None]) -> Any:
    if type(column).__module__ != "numpy":
        return values
    numpy = importlib.import_module("numpy")
    # Left alone, numpy takes a type as wide as the longest text, and batches of one run would differ in type.
    return numpy.array(values, dtype=object)
