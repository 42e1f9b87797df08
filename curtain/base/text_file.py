"""Text files that people edit: UTF-8 with or without a byte order mark, or UTF-16 with one, as PowerShell writes.

Every refusal is an `OSError` whose `strerror` names the line, as in `input_file`. `csv_text` writes tables,
`read_table` reads them.
"""

import codecs
import csv
import errno
import io
import re
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from .errors import CurtainError, os_errors_as
from .input_file import LARGEST, parse_json, read_input, real_path
from .terminal import print_error, shown_name

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# OWASP, “CSV Injection”, with the wide signs that Excel takes for these in East Asia.
_FORMULA = re.compile(r"'*\s*[=+\-@＝＋－＠]|'*[\t\r\n]")
# The first line with which Excel names the separator.
_SEPARATOR = re.compile(r'"?sep=([^"\r\n])"?[ ,;\t]*(?:\r?\n|$)')
_QUOTED = re.compile(r'[,"\r\n]')
_MARK, _LINE_END = "\ufeff", "\n"
# Who quotes all headings is no Curtain.
_OURS = re.compile(_MARK + r'"[^",\r\n]*",(?!")')
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


# Not written yet; of one thread alone.
_READ_INSTEAD: ContextVar[Mapping[Path, str]] = ContextVar("_READ_INSTEAD")


@contextmanager
def reading_instead(texts: Mapping[Path, str]) -> Iterator[None]:
    """Files are read as if these texts stood in them: what is to be written is read before it is."""
    before = _READ_INSTEAD.set({real_path(path): text for path, text in texts.items()})
    try:
        yield
    finally:
        _READ_INSTEAD.reset(before)


def is_there(path: Path) -> bool:
    """Whether there is such a file, or its text is there to be read instead."""
    return path.exists() or real_path(path) in _READ_INSTEAD.get({})


def read_text(path: Path, at_most: int = LARGEST) -> str:
    """The text of a file, without its byte order mark. Raises OSError, also for what is no text and for NUL."""
    if (texts := _READ_INSTEAD.get({})) and (text := texts.get(real_path(path))) is not None:
        return text
    return _marked_text(path, at_most).removeprefix(_MARK)


def _marked_text(path: Path, at_most: int = LARGEST) -> str:
    """With the byte order mark of UTF-8, where it has one."""
    data = read_input(path, at_most)
    try:
        text = data.decode("utf-16" if data.startswith(_UTF16) else "utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise OSError(errno.EILSEQ, f"line {line}: the text is not UTF-8; save the file as UTF-8", str(path)) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise OSError(errno.EILSEQ, f"line {line}: the text holds the sign NUL; save the file as UTF-8", str(path))
    return text


def read_lines_of_text(path: Path, at_most: int = LARGEST) -> list[str]:
    """The lines of a text file. Unlike `str.splitlines` this takes no sign inside a JSON text for the end of a line."""
    return [line.removesuffix("\r") for line in read_text(path, at_most).removesuffix("\n").split("\n")]


def as_utf8(file: IO[bytes]) -> IO[bytes]:
    """An open file, to be read as UTF-8 from behind its byte order mark on. Raises OSError."""
    begin = file.peek(4)[:4] if hasattr(file, "peek") else b""
    if begin.startswith(_UTF16):
        try:
            return io.BytesIO(file.read().decode("utf-16").encode())
        except UnicodeDecodeError as error:
            raise OSError(errno.EILSEQ, "it begins as UTF-16 and goes on as something else") from error
    if begin.startswith(codecs.BOM_UTF8):
        file.read(len(codecs.BOM_UTF8))
    return file


class NumberedLine(NamedTuple):
    """A line with its number, from 1."""

    number: int
    data: bytes


def numbered_lines(
    path: Path,
    opened: AbstractContextManager[IO[bytes]],
    longest: int,
    error: type[CurtainError],
    advance: Callable[[int], object] = lambda size: None,
) -> Iterator[NumberedLine]:
    """The lines of a file of JSON lines, empty ones left out; `advance` hears how many bytes were read.

    Raises the `error` for what the system does not let us read, a damaged archive and a line of more bytes than
    `longest`.
    """
    try:
        with opened as packed:
            file, number = as_utf8(packed), 0
            while data := file.readline(longest + 1):
                number += 1
                # A line that is cut would look like broken JSON and name the wrong problem.
                if len(data) > longest:
                    raise error(f"{path} line {number} is longer than {longest >> 20} MiB.")
                advance(len(data))
                if data.strip():
                    yield NumberedLine(number, data)
    except (OSError, EOFError, zlib.error) as problem:
        raise error(f"{path} cannot be read: {reason_in(problem)}.") from problem


def numbered_objects(
    path: Path, opened: AbstractContextManager[IO[bytes]], longest: int, error: type[CurtainError]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects in these lines. Raises the `error`, also for a line that is no object."""
    for number, data in numbered_lines(path, opened, longest, error):
        try:
            value = parse_json(data, object)
        except msgspec.DecodeError as problem:
            raise error(f"{path} line {number} is not JSON: write one object a line.") from problem
        if not isinstance(value, dict):
            raise error(f"{path} line {number} is not an object with keys in braces.")
        yield number, value


def reason_in(error: Exception) -> str:
    """Why a file cannot be read, in words that follow a colon and go before a full stop."""
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).rstrip(".")


def csv_text(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A CSV file for people; None becomes an empty value, and lines end with a line feed on every system.

    Its first heading is in quotes, which shows it as ours, and its last line is empty: a file that was cut lacks that.
    The byte order mark shows Excel that it is UTF-8. An apostrophe keeps a text that begins with `=`, `+`, `-`, `@`, a
    tab or a line end from being a formula; numbers have none.
    """
    return "".join(csv_lines(headings, rows))


def csv_lines(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The same line by line."""
    first, *others = map(_csv_value, headings)
    quoted = first if first.startswith('"') else f'"{first}"'
    yield f"{_MARK}{','.join((quoted, *others))}\n"
    for row in rows:
        yield f"{','.join(map(_csv_value, row))}\n"
    yield "\n"


class TableLine(NamedTuple):
    """A line by its headings, without blanks around the values, and its number in the file, from 1."""

    number: int
    values: Mapping[str, str]
    decimal_comma: bool = False
    """Whether numbers may have a comma: spreadsheets that write semicolons between values write them so."""


def read_table(
    path: Path, needed: Sequence[str], problem: type[CurtainError], remark: Callable[[str], object] = print_error
) -> Iterator[TableLine]:
    """The lines of a CSV file of any spreadsheet, whose headings hold the `needed` ones; lines without any value are
    left out. Values are separated as Excel's `sep=` says, or by the comma, semicolon or tab that finds most headings.

    Raises the `problem` for a file that cannot be read or is cut short, a heading that is missing or stands twice, and
    a line with more values than headings. `remark` takes a sentence about a last line that may be cut.
    """
    with os_errors_as(f"{path} cannot be read", problem):
        text = _marked_text(path)
    if _OURS.match(text) and not text.endswith(("\n\n", "\r\n\r\n")):
        raise problem(
            f"{path} is cut short in line {text.count(_LINE_END) + 1}: a table of Curtain ends with an empty line. "
            "Copy it again, or add that line if you changed the file yourself."
        )
    text = text.removeprefix(_MARK)
    if "\n" not in text:
        text = text.replace("\r", "\n")  # as spreadsheets of old Macs end lines
    # A copy that was cut short ends without a line end.
    maybe_cut = 0 if text.endswith("\n") else text.count("\n") + 1
    reader: Any = _csv_reader(text, needed)
    try:
        headings = _csv_cells(next(reader, []))
        missing = [heading for heading in needed if heading not in headings]
        if missing:
            raise problem(f"{path} line 1 lacks the column {missing[0]}; its headings must hold {', '.join(needed)}.")
        twice = next((heading for heading in headings if headings.count(heading) > 1), None)
        if twice is not None:
            raise problem(f"{path} line 1 has the column {shown_name(twice, 60)} twice; keep one of them.")
        for values in map(_csv_cells, reader):
            place, lacking = f"{path} line {reader.line_num}", len(headings) - len(values)
            if lacking < 0:
                raise problem(f"{place} has {len(values)} values for {len(headings)} columns.")
            if any(values):
                # A short line lacks the values at its end.
                if lacking and reader.line_num == maybe_cut:
                    raise problem(
                        f"{place}, the last one, has {len(values)} values for {len(headings)} columns and no line end: "
                        "the file may be cut short. Copy it again, or end the line if it is whole."
                    )
                if reader.line_num == maybe_cut:
                    remark(f"{place}, the last one, has no line end; look whether “{values[-1]}” is whole.")
                padded = [*values, *[""] * lacking]
                yield TableLine(
                    reader.line_num, dict(zip(headings, padded, strict=True)), reader.dialect.delimiter == ";"
                )
    except csv.Error as error:
        raise problem(f"{path} line {reader.line_num} is no CSV: {error}.") from error


def _csv_reader(text: str, needed: Collection[str]) -> Iterator[list[str]]:
    def rows(separator: str, strict: bool) -> Iterator[list[str]]:
        return csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True, strict=strict)

    def fits(separator: str) -> tuple[int, int]:
        try:
            headings = _csv_cells(next(rows(separator, strict=False), []))
        except csv.Error:
            return 0, 0
        return len({*needed} & {*headings}), len(headings)

    announced = _SEPARATOR.match(text)
    reader = rows(announced[1] if announced else max(",;\t", key=fits), strict=True)
    if announced:
        next(reader)
    return reader


def _csv_cells(values: Iterable[str]) -> list[str]:
    """Values as they were before `csv_text` wrote them, without blanks around them."""
    return [(text[1:] if text.startswith("'") and _FORMULA.match(text) else text).strip() for text in values]


def _csv_value(value: object) -> str:
    text = "" if value is None else str(value)
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    # Python's csv leaves a lone carriage return without quotes, which its own reader then refuses.
    return '"{}"'.format(text.replace('"', '""')) if _QUOTED.search(text) else text
