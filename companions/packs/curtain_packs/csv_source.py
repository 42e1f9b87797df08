"""A CSV file, read line by line: every line is a row, or a sentence says why it is none."""

import codecs
import csv
import gzip
import io
import re
import sys
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import duckdb

from curtain.base.input_file import open_unpacked
from curtain.base.plural import count_of
from curtain_packs.guessed_encoding import advice_on_encoding
from curtain_packs.guessed_types import AS_READ, guessed_type, looks_like
from curtain_packs.plain_tables import (
    Brought,
    FileReading,
    FileWishes,
    SourceColumn,
    SourceError,
    copy_table,
    ensure_few_columns,
    load_rows,
)

# Where two divide all lines alike, the comma is the one in numbers.
_DELIMITERS = ("\t", ";", "|", ",")
# Divides nothing.
_NONE = "\x1f"
_SEPARATOR = re.compile(r"\ufeff?sep=(.?)\s*$")
_SAMPLE = 1000
_YEAR = re.compile(r"(19|20)\d\d")
# Not those that DOS and databases leave in texts.
_CONTROLS = re.compile(rb"[\0-\x08\x0e-\x19]")
NOT_ONE_TABLE = "is not written as one table: its lines cannot be divided into fields. Look at the quotes in it."


@dataclass(frozen=True)
class _Writing:
    """How a CSV file is written; `quote` and `escape` are "" where there is none."""

    encoding: str
    delimiter: str
    quote: str = '"'
    escape: str = ""


@dataclass(frozen=True)
class _Line:
    """The fields of a line, and its number in the file, from 1."""

    number: int
    fields: Sequence[str]


@dataclass
class _LeftOut:
    """Lines that are no rows: how many, and where the first is."""

    first: dict[str, int] = field(default_factory=dict)
    count: Counter[str] = field(default_factory=Counter)

    def add(self, why: str, number: int) -> None:
        self.first.setdefault(why, number)
        self.count[why] += 1

    def notes(self, file: Path) -> Iterator[str]:
        for why, first in self.first.items():
            lines = "1 line" if self.count[why] == 1 else f"{self.count[why]} lines"
            where = f"line {first}" if self.count[why] == 1 else f"the first is line {first}"
            yield f"{file.name}: {lines} {why} left out; {where}."


def bring_csv(
    into: duckdb.DuckDBPyConnection, file: Path, name: str, written: str, wishes: FileWishes, brought: Brought
) -> None:
    """Makes a table of a CSV file. Every line is looked at before a column is called a number. Raises SourceError."""
    writing = _writing(file, wishes)
    sample = list(islice(_lines(file, writing), _SAMPLE))
    head = _head(file, sample, wishes.header)
    if head is None:
        brought.notes.append(f"{file.name} is empty and was left out.")
        return
    named = wishes.header > 0 if wishes.header is not None else _is_named(sample, head)
    left_out = _LeftOut()
    load_rows(into, ["VARCHAR"] * len(head.fields), _rows(file, writing, head, named, left_out))
    columns: list[SourceColumn] = []
    orders: list[str] = []
    for at, cell in enumerate(head.fields):
        label = (cell.strip() if named else "") or f"column{at}"
        # A spreadsheet saves columns in which nothing was ever written.
        if named and not cell.strip() and not into.execute(f"SELECT count(c{at}) FROM {AS_READ}").fetchall()[0][0]:
            continue
        # Spreadsheets divide by semicolons where the comma is the decimal sign.
        decimal = wishes.decimal or ("," if writing.delimiter == ";" else ".")
        guessed = guessed_type(into, f"c{at}", wishes.dates, decimal)
        columns.append(SourceColumn(label, guessed.sql, guessed.kind, guessed.note, guessed.format))
        orders += filter(None, [guessed.order])
    names_at, separator = head.number if named else 0, writing.delimiter if len(head.fields) > 1 else ""
    encoding = writing.encoding.removesuffix("-sig")
    brought.readings[name] = FileReading(file.name, names_at, separator, encoding, "".join(orders[:1]))
    brought.notes += _notes(file, sample, head, named or wishes.header is not None, left_out)
    copy_table(into, name, written, f"SELECT * FROM {AS_READ}", columns, brought)


def _notes(file: Path, sample: Sequence[_Line], head: _Line, named: bool, left_out: _LeftOut) -> Iterator[str]:
    before = ["".join(line.fields) for line in sample if line.number < head.number]
    if any(text.strip() and not _SEPARATOR.match(text) for text in before):
        yield f"{file.name}: the text before line {head.number} was taken for comments and left out."
    yield from left_out.notes(file)
    if not named:
        yield (
            f"{file.name} has no line with the names of its columns; they are called column0 and so on. "
            f"If line {head.number} holds the names, add --header {head.number}."
        )


def _writing(file: Path, wishes: FileWishes) -> _Writing:
    encoding = _encoding(file, wishes.encoding)
    with _decoded(file, encoding) as text:
        start = list(islice(filter(str.strip, text), _SAMPLE))
    first = start[0] if start else ""
    if (separator := _SEPARATOR.match(first)) and separator[1]:
        return _Writing(encoding, separator[1])
    best, chosen = 0.0, None
    for delimiter in _DELIMITERS:
        for quote, escape in _quotes("".join(start), delimiter):
            way = _Writing(encoding, delimiter, quote, escape)
            share = _share_alike(file, way, wishes.header)
            if share > best:
                best, chosen = share, way
    # Where no sign divides most lines alike, the first line decides; a sentence names the line that differs.
    signs = [sign for sign in _DELIMITERS if sign in first and wishes.header is None]
    return chosen or _Writing(encoding, max(signs, key=first.count) if signs else _NONE)


def _quotes(text: str, delimiter: str) -> Iterator[tuple[str, str]]:
    """The quotes that may be in use, each with what is written before one that belongs to the text."""
    yield '"', ""
    if '\\"' in text:
        yield '"', "\\"
    if "'" in text and '"' not in text:
        yield "'", ""
    # A table of tabs needs no quotes: there they may be part of the text.
    if delimiter == "\t":
        yield "", ""


def _share_alike(file: Path, way: _Writing, header: int | None) -> float:
    """The share of lines that a way of reading divides into as many fields as most of them, if those are several."""
    try:
        lines = list(islice(_lines(file, way), _SAMPLE // 2))
    except SourceError:
        return 0.0
    if header and not any(len(line.fields) > 1 for line in lines if line.number == header):
        return 0.0
    width = _width(lines)
    return sum(len(line.fields) == width for line in lines) / len(lines) if width > 1 else 0.0


def _width(lines: Sequence[_Line]) -> int:
    counted = Counter(len(line.fields) for line in lines)
    return counted.most_common(1)[0][0] if counted else 0


def _encoding(file: Path, wished: str) -> str:
    # Of UTF-16 each second byte may pass for UTF-8.
    if codecs.lookup(wished or "utf-8").name.startswith("utf-16"):
        return wished
    with _opened(file) as raw:
        for number, line in enumerate(raw, start=1):
            if number == 1 and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                return "utf-16"
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                sample = [line, *islice(raw, _SAMPLE)]
                _ensure_text(file, b"".join(sample))
                if codecs.lookup(wished or "utf-8").name != "utf-8":
                    return wished
                advice = advice_on_encoding(sample)
                sentence = f"{file}, line {number} is not UTF-8 text. Save the file as UTF-8, or add {advice}."
                raise SourceError(sentence) from error
    return "utf-8-sig"


def _lines(file: Path, writing: _Writing) -> Iterator[_Line]:
    """The lines with anything in them; a text in quotes may go on over several."""
    # Python's csv refuses fields above 128 KiB unless set otherwise, and only for the whole process.
    with _decoded(file, writing.encoding) as text, _fields_of_any_size():
        rows = csv.reader(
            text,
            delimiter=writing.delimiter,
            quotechar=writing.quote or None,
            escapechar=writing.escape or None,
            quoting=csv.QUOTE_MINIMAL if writing.quote else csv.QUOTE_NONE,
            strict=True,
        )
        before = 0
        try:
            for row in rows:
                if row:
                    ensure_few_columns(f"{file}, line {before + 1}", len(row))
                    yield _Line(before + 1, row)
                before = rows.line_num
        except csv.Error as error:
            raise SourceError(f"{file} {NOT_ONE_TABLE} The first such line is {before + 1}.") from error


def _head(file: Path, lines: Sequence[_Line], wished: int | None) -> _Line | None:
    """The line with the names, or the first row where no line has them; None if there is nothing in the file."""
    if wished:
        line_wished = next((line for line in lines if line.number == wished), None)
        if line_wished is None:
            raise SourceError(f"{file} has nothing in line {wished} or not within its first {_SAMPLE} lines.")
        return line_wished
    width = _width(lines)
    for line in lines:
        first, *others = (cell.strip() for cell in line.fields)
        # A title stands alone in its line; so does a comment, whatever signs are in it.
        alone = width > 1 and (not any(others) or (first.startswith("#") and len(line.fields) != width))
        if any((first, *others)) and not alone and not _SEPARATOR.match("".join(line.fields)):
            return line
    return None


def _is_named(lines: Sequence[_Line], head: _Line) -> bool:
    """Whether a line holds names: over numbers or dates stand other things, or over texts stand texts."""
    looks = [looks_like(cell) for cell in head.fields]
    rows = [line.fields for line in lines if line.number > head.number and len(line.fields) == len(head.fields)]
    years = [bool(_YEAR.fullmatch(cell.strip())) for cell in head.fields]
    against = False
    for at, look in enumerate(looks):
        below = [row[at] for row in rows if row[at].strip()]
        kinds = {looks_like(cell) for cell in below} or {"text"}
        if len(kinds) > 1 or look == "" or (kinds == {"text"} and below):
            continue
        # A year is a name over anything but years, and so are several that follow each other.
        is_name = years[at] and (sum(years) > 1 or not all(_YEAR.fullmatch(cell.strip()) for cell in below))
        if below and (is_name or look not in kinds):
            return True
        against = against or look != "text"
    return not against


def _rows(
    file: Path, writing: _Writing, head: _Line, named: bool, left_out: _LeftOut
) -> Iterator[tuple[str | None, ...]]:
    """The rows, each as wide as the table. Raises SourceError for the first line of another width."""
    width = len(head.fields)
    # A spreadsheet saves empty cells behind the names or the values; neither makes a line wider.
    least = max((at + 1 for at, cell in enumerate(head.fields) if cell.strip()), default=width) if named else width
    for line in _lines(file, writing):
        cells = line.fields
        if line.number < head.number or (named and line.number == head.number):
            continue
        filled = max((at + 1 for at, cell in enumerate(cells) if cell), default=0)
        if not filled:
            left_out.add("without any value", line.number)
        elif filled <= width and len(cells) >= least:
            yield tuple(cell.replace("\0", "") or None for cell in (*cells, *[""] * width)[:width])
        elif cells[0].startswith("#"):
            left_out.add("beginning with “#”, with another number of fields than the table,", line.number)
        else:
            raise SourceError(
                f"{file}, line {line.number} has {count_of(len(cells), 'field')}, and line {head.number} has {width}. "
                f"Correct the line; a text with {_called(writing.delimiter)} in it needs quotes."
            )


@contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    try:
        with open_unpacked(file) as raw:
            yield raw
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SourceError(f"{file} cannot be unpacked: it is damaged or cut short.") from error


@contextmanager
def _decoded(file: Path, encoding: str) -> Iterator[io.TextIOWrapper]:
    """The text of the file; raises SourceError where it is in another encoding."""
    with _opened(file) as raw, io.TextIOWrapper(raw, encoding, newline="") as text:
        try:
            yield text
        except UnicodeError as error:
            name = encoding.removesuffix("-sig")
            raise SourceError(f"{file} is not {name} text. Choose another encoding, or save it as UTF-8.") from error


def _ensure_text(file: Path, sample: bytes) -> None:
    """Raises SourceError for a picture, a program, an archive: no encoding makes a table of it."""
    # UTF-16 without its mark has a NUL in almost each second byte, and so much is in nothing else.
    if len(_CONTROLS.findall(sample)) * 50 > len(sample) > sample.count(0) * 4:
        raise SourceError(f"{file} is no text: it holds bytes of some other kind of file. Take it out of the folder.")


@contextmanager
def _fields_of_any_size() -> Iterator[None]:
    before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _called(delimiter: str) -> str:
    return "a tab" if delimiter == "\t" else f"“{delimiter}”"
