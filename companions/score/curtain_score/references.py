"""The two files of `curtain score`, JSON lines or Parquet: what counts as right, and what a system answered."""

import math
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError
from curtain.base.input_file import STANDARD_INPUT
from curtain.base.text_file import NumberedLine
from curtain.cas.errors import CasError
from curtain.cas.notation.dialects import dialect_named
from curtain.cas.options import sort_keys
from curtain.cas.scoring.readings import QuestionReading
from curtain.cas.scoring.score import CLASSES
from curtain.cas.values import FAILURES
from curtain.corpus.model.references import rows_of
from curtain_score.files.json_lines import (
    Advance,
    BadFile,
    RejectedLine,
    check_keys,
    id_of,
    json_bytes,
    read_lines,
    read_object,
    shown_id,
    text_of,
    truth_of,
)

REFERENCE_KEYS = (
    "ref", "max", "yes_no", "weights", "alternatives",
    "class", "tags", "context", "speaker", "scenario", "site", "dialect", "words", "sorted_by",
)  # fmt: skip
# The names of the utterance view, so that an export can be scored as it is.
OTHER_NAMES = {
    "utterance_id": "id", "cas_min": "ref", "cas_max": "max", "eval_class": "class",
    "speaker_id": "speaker", "scenario_id": "scenario", "answer": "hyp", "cas": "hyp",
}  # fmt: skip
# What a system may say of an answer; it is not scored.
_UNSCORED_KEYS = ("sql", "latency_ms", "hyp_text", "ms", "message", "text", "partial", "fault", "context")
# What an export says of a reference.
_BESIDE_REFERENCE = ("sql", "sql_min", "sql_max", "question")
_ALTERNATIVE_KEYS = ("max", "weight")
# The columns that are read of a table; it may have others.
_READ = {"id", "hyp", *REFERENCE_KEYS, *_UNSCORED_KEYS, *_BESIDE_REFERENCE}
# By these keys a line is of an exported utterance table.
_EXPORTED = (b'"utterance_id":', b'"session_id":', b'"references":')
_NO_ANSWER = "NO_ANSWER"
FAILURE_TAG = "presupposition-failure"


@dataclass(frozen=True, slots=True)
class ReferenceItem:
    """One utterance of the test set. `weights` goes with the alternatives of the single reading, in their order."""

    line: int
    id: str
    readings: tuple[QuestionReading, ...]
    weights: tuple[Fraction, ...] | None = None
    weighted: bool = False
    yes_no: bool = False
    eval_class: str | None = None
    tags: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    speaker: str | None = None
    scenario: str | None = None
    site: str | None = None
    dialect: str | None = None
    """In which its answers and those of a system are written; None is the dialect of the run."""

    @property
    def failure(self) -> str:
        """The presupposition failure that its only reference says, such as `contingent-failure`; empty if none."""
        words = [one.reference.strip().lower() for one in self.readings]
        return words[0] if len(words) == 1 and words[0] in FAILURES else ""


@dataclass(frozen=True, slots=True)
class SystemAnswer:
    """What a system answered; None says that it has no answer."""

    line: int
    text: str | None


def read_references(path: Path, advance: Advance = lambda size: None) -> dict[str, ReferenceItem]:
    """The references of a file by id, in its order.

    Raises BadFile with one sentence, naming the file and the line, for the first problem; also for no line at all.
    """
    items: dict[str, ReferenceItem] = {}
    for line in _lines_of(path, advance):
        try:
            item = _reference_item(read_object(line.data), line.number)
            _check_new(item.id, items)
        except RejectedLine as error:
            raise BadFile(f"{path} line {line.number} {error}.") from None
        items[item.id] = item
    if not items:
        raise BadFile(f"{path} has no references; give one JSON object a line.")
    # After all lines: a context may stand below what refers to it.
    _check_contexts(path, items)
    return items


def read_answers(
    path: Path, reference_ids: Container[str], references: Path, advance: Advance = lambda size: None
) -> dict[str, SystemAnswer]:
    """The answers of a file by id: JSON objects, or lines of plain text: the id, white space, the answer.

    `reference_ids` holds the ids of the file `references`; another id is a problem. Raises BadFile for the first.
    """
    answered: dict[str, SystemAnswer] = {}
    for line in _lines_of(path, advance):
        try:
            identity, answer = _answer(line)
            _check_new(identity, answered)
            if identity not in reference_ids:
                raise RejectedLine(f"answers “{shown_id(identity)}”, which is not in {references}")
        except RejectedLine as error:
            raise BadFile(f"{path} line {line.number} {error}.") from None
        answered[identity] = answer
    return answered


def unscored(references: dict[str, ReferenceItem], dialect: str) -> dict[str, tuple[str, ...]]:
    """Why utterances are not scored, by id: the tags of class X, a presupposition failure where the dialect has no word
    for it (papers/000, S-8), or a context that is not scored itself. `dialect` is that of the run."""
    reasons = {one.id: one.tags for one in references.values() if one.eval_class == "X"}
    for item in references.values():
        if item.failure and not dialect_named(item.dialect or dialect).failures:
            reasons.setdefault(item.id, (FAILURE_TAG,))
    waiting = [one for one in references.values() if one.id not in reasons and one.context]
    # Until nothing changes: a context may lean on another context.
    while newly := [one for one in waiting if any(before in reasons for before in one.context)]:
        reasons |= {one.id: ("context not evaluable",) for one in newly}
        waiting = [one for one in waiting if one.id not in reasons]
    return reasons


def _check_new(identity: str, earlier: Mapping[str, ReferenceItem | SystemAnswer]) -> None:
    if identity in earlier:
        raise RejectedLine(f"has the id “{shown_id(identity)}” again; it is already in line {earlier[identity].line}")


def _check_contexts(path: Path, items: dict[str, ReferenceItem]) -> None:
    for item in items.values():
        for before in item.context:
            if before not in items:
                raise BadFile(
                    f"{path} line {item.line} names “{shown_id(before)}” in “context”, which is not in the file."
                )


def _renamed(row: dict[str, Any]) -> dict[str, Any]:
    """The row under the short names; the names of the utterance view are understood too."""
    renamed: dict[str, Any] = {}
    for name, value in row.items():
        short = OTHER_NAMES.get(name, name)
        if short in renamed:
            raise RejectedLine(f"has “{short}” under two names")
        renamed[short] = value
    return renamed


def _reference_item(row: dict[str, Any], number: int = 0) -> ReferenceItem:
    """The reference in an object of a file, or of a corpus. Raises RejectedLine."""
    row = _renamed(row)
    check_keys(row, ("id",), (*REFERENCE_KEYS, *_BESIDE_REFERENCE))
    eval_class = _class(row)
    # Class X is not scored, so it needs no reference.
    readings, weighted = ((), False) if eval_class == "X" else _readings(row)
    weights = _weights(row) if readings else None
    return ReferenceItem(
        number,
        str(id_of(row)),
        readings,
        weights,
        weighted or weights is not None,
        truth_of(row, "yes_no"),
        eval_class,
        _texts(row, "tags"),
        _texts(row, "context"),
        _name(row, "speaker"),
        _name(row, "scenario"),
        _name(row, "site"),
        _dialect(row),
    )


def _dialect(row: dict[str, Any]) -> str | None:
    name = _name(row, "dialect")
    try:
        if name is not None:
            dialect_named(name)
    except CasError:
        raise RejectedLine(
            f"has the dialect “{shown_id(name or '')}”; there are 1989, 1990, 1992 and curtain"
        ) from None
    return name


def _class(row: dict[str, Any]) -> str | None:
    name = text_of(row, "class")
    if name is not None and name not in CLASSES:
        raise RejectedLine(f"has the class “{shown_id(name)}”; there are {', '.join(CLASSES)}")
    return name


def _name(row: dict[str, Any], name: str) -> str | None:
    # A speaker or site may be a number, but true is none.
    return str(row[name]) if type(row.get(name)) is int else text_of(row, name)


def _texts(row: dict[str, Any], name: str) -> tuple[str, ...]:
    value = row.get(name) or []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise RejectedLine(f"has no list of texts for “{name}”")
    return tuple(value)


def _readings(row: dict[str, Any]) -> tuple[tuple[QuestionReading, ...], bool]:
    alternatives, sorted_by = row.get("alternatives"), sorted_by_of(row)
    if alternatives is None:
        ref = text_of(row, "ref")
        if ref is None:
            raise RejectedLine("has neither “ref” nor “alternatives”")
        return (QuestionReading(ref, text_of(row, "max"), sorted_by=sorted_by),), False
    if any(row.get(name) is not None for name in ("ref", "max", "weights")):
        raise RejectedLine("has “alternatives” beside “ref”, “max” or “weights”; give one or the other")
    if not isinstance(alternatives, list) or not alternatives:
        raise RejectedLine("has no list of objects for “alternatives”")
    readings = tuple(_alternative(one, sorted_by) for one in alternatives)
    return readings, any("weight" in one for one in alternatives)


def sorted_by_of(row: dict[str, Any]) -> str:
    """The order that a line asks for, “sorted_by”; empty if none. Raises RejectedLine for what is no order."""
    order = text_of(row, "sorted_by") or ""
    try:
        sort_keys(order)
    except CasError:
        raise RejectedLine(f"has the order “{shown_id(order)}” in “sorted_by”; an order is “2 desc, 1”") from None
    return order


def _alternative(row: object, sorted_by: str) -> QuestionReading:
    if not isinstance(row, dict):
        raise RejectedLine("has an alternative that is no object")
    check_keys(row, ("ref",), _ALTERNATIVE_KEYS)
    ref = text_of(row, "ref")
    if ref is None:
        raise RejectedLine("has null for “ref” where a text belongs")
    return QuestionReading(ref, text_of(row, "max"), _weight(row.get("weight", 1)), sorted_by)


def _weights(row: dict[str, Any]) -> tuple[Fraction, ...] | None:
    value = row.get("weights")
    if value is None:
        return None
    if not isinstance(value, list):
        raise RejectedLine("has no list of numbers for “weights”")
    return tuple(map(_weight, value))


def _weight(value: object) -> Fraction:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value > 0:
        # By its text: 0.1 is a tenth, not the nearest binary number.
        return Fraction(str(value))
    raise RejectedLine("has a weight that is no number over 0")


def _answer(line: NumberedLine) -> tuple[str, SystemAnswer]:
    data = line.data
    # Also after a byte order mark, and where a whole file is one list.
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        row = _renamed(read_object(data))
        check_keys(row, ("id",), ("hyp", *_UNSCORED_KEYS))
        return str(id_of(row)), SystemAnswer(line.number, _answered(text_of(row, "hyp")))
    try:
        parts = data.decode("utf-8-sig").split(maxsplit=1)
    except UnicodeDecodeError as error:
        raise RejectedLine(f"is not UTF-8 text (byte {error.start + 1})") from None
    if not parts:
        raise RejectedLine("is empty")
    # An id alone is an utterance without an answer.
    return parts[0], SystemAnswer(line.number, _answered(parts[1].rstrip()) if len(parts) > 1 else None)


def _answered(text: str | None) -> str | None:
    # Whatever the dialect of the line: 1989 has no word for it, but a system writes one for all lines.
    return None if text is not None and text.strip() == _NO_ANSWER else text


def _lines_of(path: Path, advance: Advance) -> Iterable[NumberedLine]:
    """The lines of a file; a row of a Parquet file is one, as JSON. Raises BadFile."""
    if _is_parquet(path):
        return _rows_as_lines(path)
    lines = read_lines(path, advance)
    first = next(lines, None)
    if first is None:
        return ()
    whole = chain([first], lines)
    return _exported_lines(path, whole) if all(key in first.data for key in _EXPORTED) else whole


def _exported_lines(path: Path, lines: Iterable[NumberedLine]) -> Iterator[NumberedLine]:
    """The references in the lines of an exported utterance table, as in those of its Parquet file."""
    from curtain.corpus.exports.tables.parquet_table import sessions_of_rows

    try:
        rows = sorted(map(_exported_row, lines), key=lambda row: str(row["session_id"]))
        references = (row for session in sessions_of_rows(path, rows) for row in rows_of(session))
        for number, row in enumerate(references, 1):
            yield NumberedLine(number, json_bytes(row))
    except (CurtainError, KeyError, TypeError, ValueError) as error:
        raise BadFile(f"{path} is no utterance table as it was exported; give the .parquet file beside it.") from error


def _exported_row(line: NumberedLine) -> dict[str, Any]:
    from curtain.corpus.exports.utterance_table import COLUMNS

    row = read_object(line.data)
    return {name: row.get(name) for name in COLUMNS}


def _is_parquet(path: Path) -> bool:
    """Whether a file is one by its first bytes."""
    if str(path) == STANDARD_INPUT or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"PAR1"


def _rows_as_lines(path: Path) -> Iterator[NumberedLine]:
    # Here alone: DuckDB takes longer to load than most scores to compute.
    from curtain.corpus.exports.tables.parquet_table import column_names, rows_in, sessions_in

    try:
        names = column_names(path)
        if "references" in names:
            rows: Iterator[dict[str, Any]] = (row for session in sessions_in(path) for row in rows_of(session))
        else:
            rows = rows_in(path, [name for name in names if OTHER_NAMES.get(name, name) in _READ])
        for number, row in enumerate(rows, 1):
            yield NumberedLine(number, json_bytes({name: value for name, value in row.items() if value is not None}))
    except CurtainError as error:
        raise BadFile(str(error)) from error
