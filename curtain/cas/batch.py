"""The Comparator over a batch of pairs, for engines that work on many machines: Ray Data, Dask, Spark.

dataset.map_batches(score_batch)                                        Ray Data
frame.map_partitions(score_batch)                                       Dask
frame.mapInPandas(score_batches, schema)                                Spark
"""

import importlib
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from .errors import CasError
from .scoring.readings import ComparisonRules, QuestionReading, judge

Batch = TypeVar("Batch")
_TEXTS = ("ref", "hyp", "max", "sorted_by")
_NO_TEXT = 0
_Row = tuple[str | int | None, ...]


def score_batch(batch: Batch, *, dialect: str = "1992", epsilon: str = "0.0001", reasons: bool = False) -> Batch:
    """The same batch with one more column of strings, `verdict`, and with `reasons` another, `reason`.

    A batch is a pandas DataFrame, an Arrow table, or a dict of columns. It has the columns `ref` and `hyp`, and may
    have `max`, `yes_no` and `sorted_by`; others, such as `id`, are passed through, and the rows keep their order. Equal
    rows are judged once. A missing `hyp` is no answer. Where a reference or a maximum cannot be read the verdict is
    null and the reason says why: a bad row does not end a run.
    Raises CasError for a batch without the columns, a dialect or a tolerance that there is not.
    """
    rules = ComparisonRules(dialect, str(epsilon))
    rules.check()
    table: Any = batch
    names = list(getattr(table, "column_names", getattr(table, "columns", table)))
    for name in ("ref", "hyp"):
        if name not in names:
            raise CasError(f"The batch has no column “{name}”; it has {', '.join(map(str, names)) or 'none'}.")
    rows = _rows(batch, names)
    judged = {row: _judged(row, rules, reasons) for row in set(rows)}
    shown = ("verdict", "reason") if reasons else ("verdict",)
    scored: Batch = _with_columns(batch, {name: [judged[row][at] for row in rows] for at, name in enumerate(shown)})
    return scored


def score_batches(batches: Iterable[Batch], **settings: Any) -> Iterator[Batch]:
    """`score_batch` with its settings over a stream of batches, as Spark's `mapInPandas` wants it."""
    return map(partial(score_batch, **settings), batches)


def _rows(batch: Any, names: Sequence[Any]) -> list[_Row]:
    """The texts of each row and whether it is marked yes/no."""
    count = len(batch["ref"])
    columns = [_values(batch[name]) if name in names else [None] * count for name in (*_TEXTS, "yes_no")]
    *texts, marks = columns
    marked = [not _is_missing(mark) and bool(mark) for mark in marks]
    return list(zip(*([_text(value) for value in column] for column in texts), marked, strict=True))


def _values(column: Any) -> Sequence[Any]:
    """The values of a pandas, numpy or Arrow column as Python's own."""
    as_values = getattr(column, "to_pylist", getattr(column, "tolist", None))
    return list(as_values() if as_values else column)


def _text(value: object) -> str | int | None:
    return value if isinstance(value, str) else None if _is_missing(value) else _NO_TEXT


def _is_missing(value: object) -> bool:
    """None, NaN, and pandas' NA, which cannot even be compared."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


def _judged(row: _Row, rules: ComparisonRules, reasons: bool) -> tuple[str | None, str]:
    *texts, marked = row
    ref, hyp, most, order = (text if isinstance(text, str) else None for text in texts)
    wrong = [name for name, text in zip(_TEXTS, texts, strict=True) if text == _NO_TEXT]
    try:
        if ref is None or wrong:
            raise CasError(f"“{wrong[0] if wrong else 'ref'}” is no text")
        verdict = judge(hyp, [QuestionReading(ref, most, sorted_by=order or "")], rules, bool(marked)).verdict
    except CasError as error:
        return None, f"not judged: {error}"
    return verdict.outcome, verdict.reason if reasons else ""


def _with_columns(batch: Any, columns: dict[str, list[str | None]]) -> Any:
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
    return {**batch, **columns}
