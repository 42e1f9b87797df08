"""Text files that people edit: UTF-8 with or without a byte order mark, or UTF-16 with one, as PowerShell writes.

Every refusal is an `OSError` whose `strerror` names the line, as in `input_file`. `csv_text` writes tables for them.
"""

from __future__ import annotations

import codecs
import csv
import errno
import io
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import IO

from .input_file import LARGEST, read_input

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LATIN = ("cp1252", "cp1250", "mac_roman", "cp850")
_OTHER = ("cp1251", "cp1253", "cp1255", "cp1256", "gb18030", "cp932", "big5", "cp949")
# Of Greek and Russian with their neighbours. Other scripts write few vowels or none.
_VOWELS = frozenset("αεηιουωάέήίόύώϊϋΐΰаеёиоуыэюяіїєў")
_WITH_VOWELS = ("GREEK", "CYRILLIC")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]+")
_MOST, _SHOWN = 3, 30
# OWASP, “CSV Injection”, with the wide signs that Excel takes for these in East Asia.
_FORMULA = re.compile(r"'*\s*[=+\-@＝＋－＠]|'*[\t\r\n]")
# The first line with which Excel names the separator.
_SEPARATOR = re.compile(r'"?sep=([^"\r\n])"?[ ,;\t]*(?:\r?\n|$)')
_QUOTED = re.compile(r'[,"\r\n]')
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


def read_text(path: Path, at_most: int = LARGEST) -> str:
    """The text of a file, without its byte order mark. Raises OSError, also for what is no text and for NUL."""
    data = read_input(path, at_most)
    try:
        text = data.decode("utf-16" if data.startswith(_UTF16) else "utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise OSError(errno.EILSEQ, f"line {line}: the text is not UTF-8; save the file as UTF-8", str(path)) from fault
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
        except UnicodeDecodeError as fault:
            raise OSError(errno.EILSEQ, "it begins as UTF-16 and goes on as something else") from fault
    if begin.startswith(codecs.BOM_UTF8):
        file.read(len(codecs.BOM_UTF8))
    return file


def csv_text(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A CSV file for people; None becomes an empty value, and lines end with a line feed on every system.

    The byte order mark shows Excel that it is UTF-8. An apostrophe keeps a text that begins with `=`, `+`, `-`, `@`, a
    tab or a line end from being a formula; numbers have none.
    """
    return "".join(csv_lines(headings, rows))


def csv_lines(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The same line by line."""
    yield "\ufeff"
    for row in chain((headings,), rows):
        yield f"{','.join(map(_csv_value, row))}\n"


def csv_reader(text: str, needed: Collection[str]) -> Iterator[list[str]]:
    """Reads CSV of any spreadsheet from its line of headings on; values are separated as Excel's `sep=` says, or by the
    comma, semicolon or tab that finds most of the headings `needed`. What is no CSV raises csv.Error as it is read.
    """
    if "\n" not in text:
        text = text.replace("\r", "\n")  # as spreadsheets of old Macs end lines

    def rows(separator: str, strict: bool) -> Iterator[list[str]]:
        return csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True, strict=strict)

    def fits(separator: str) -> tuple[int, int]:
        try:
            headings = [csv_cell(heading).strip() for heading in next(rows(separator, strict=False), [])]
        except csv.Error:
            return 0, 0
        return len({*needed} & {*headings}), len(headings)

    announced = _SEPARATOR.match(text)
    reader = rows(announced[1] if announced else max(",;\t", key=fits), strict=True)
    if announced:
        next(reader)
    return reader


def _csv_value(value: object) -> str:
    text = "" if value is None else str(value)
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    # Python's csv leaves a lone carriage return without quotes, which its own reader then refuses.
    return '"{}"'.format(text.replace('"', '""')) if _QUOTED.search(text) else text


def csv_cell(text: str) -> str:
    """A value as it was before `csv_text` wrote it."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def advice_on_encoding(texts: Sequence[bytes]) -> str:
    """What to add to a command for texts that are not UTF-8: the likely encodings, likeliest first, each with what it
    makes of the first word in question. “--encoding cp1252, which reads “Größe””."""
    words = [word for text in texts for word in _WORD.findall(text) if not word.isascii()][:1000]
    if not words:
        return "--encoding cp1252"
    # In Greek or Russian whole words lie above ASCII; in French or Czech a few letters of them do.
    whole = sum(len(word) > 1 and min(word) > 0x7F for word in words)
    names = _OTHER if 2 * whole > len(words) else _LATIN
    ranked = sorted(((_share_of_words(name, words), name) for name in names), key=lambda pair: -pair[0])
    readings: dict[str, str] = {}
    for share, name in ranked:
        if share >= 0.7 * ranked[0][0]:
            readings.setdefault(words[0].decode(name, "replace")[:_SHOWN], name)
    offers = [f"--encoding {name}, which reads “{text}”" for text, name in list(readings.items())[:_MOST]]
    return ", or ".join(offers) or "--encoding cp1252"


def _share_of_words(encoding: str, words: Sequence[bytes]) -> float:
    try:
        return sum(_is_like_a_word(word.decode(encoding)) for word in words) / len(words)
    except UnicodeDecodeError:
        return 0.0


def _is_like_a_word(text: str) -> float:
    """1 for letters of one script that may follow each other in a word, less for other letters, else 0."""
    categories = [unicodedata.category(sign)[0] for sign in text]
    if not {*categories} <= {"L", "M"}:
        return 0
    scripts = {unicodedata.name(sign, "").partition(" ")[0] for sign in text}
    cased = text.isupper() or text[1:] == text[1:].lower()
    # Between a third and two thirds of a word are vowels; short words may have none.
    vowels = sum(sign in _VOWELS for sign in text.lower()) / len(text)
    spoken = not scripts & {*_WITH_VOWELS} or len(text) < 4 or 0.2 < vowels < 0.8
    # A mark stands on a letter, and a final sigma at the end.
    placed = categories[0] == "L" and 2 * categories.count("M") <= len(text) and "ς" not in text[:-1]
    return 1 if cased and spoken and placed and len(scripts) == 1 else 0.5
