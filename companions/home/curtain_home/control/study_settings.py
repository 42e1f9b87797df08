"""The settings of a study as a form asks for them, and study.toml with other values in which every remark stays.

What there is to set stands once, in the remarks of a new study.toml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import tomlkit

from curtain.base.input_file import parse_toml
from curtain.session.study.study import Study, example_text, wanted_values

Given = str | bool | tuple[str, ...]
_QUOTED = re.compile(r'\A"(.*)"\Z')
# What a list over several lines is made of: texts, remarks, and ends of lines.
_PARTS = re.compile(r""""(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|\n""")
_INDENT = re.compile(r"\n([ \t]+)\S")
_ALTERNATIVES = re.compile(r'"[\w-]+"(?:(?:, | or )"[\w-]+")+')


@dataclass(frozen=True)
class Setting:
    """A key of study.toml: its remark in whole sentences, what it is when it is left out, and what it may be, if that
    is one of a few words."""

    key: str
    remark: str
    left_out: Any
    choices: tuple[str, ...] = ()


@cache
def settings() -> tuple[Setting, ...]:
    """All keys that hold a plain value or a list, in the order of the file."""
    blocks = example_text().split("\n\n")
    return tuple(_setting(block) for block in blocks if re.search(r"^[a-z_]+ = ", block, re.M))


def _setting(block: str) -> Setting:
    (key, example), *_ = parse_toml(block).items()
    remark = " ".join(line.lstrip("# ") for line in block.splitlines() if line.startswith("#"))
    wanted = wanted_values(key)
    choices = tuple(re.findall(r'"([^"]+)"', wanted)) if _ALTERNATIVES.fullmatch(wanted) else ()
    default = getattr(Study(folder=Path()), key)
    return Setting(key, remark, example if default is None or isinstance(default, tuple) else default, choices)


def changed(text: str, values: Mapping[str, Given]) -> str:
    """study.toml with these values, as a form has them; what is as before is not touched.

    A number that is none stays the text that it is, so that reading it says what it must be. Quotation marks around
    a value are TOML's, since the remarks show values so. Raises ValueError.
    """
    document, new = tomlkit.parse(text), tomlkit.document()
    before = parse_toml(text)
    for setting in settings():
        if setting.key not in values:
            continue
        value = _as_toml(setting, values[setting.key])
        if value != before.get(setting.key, setting.left_out):
            stands = setting.key in document
            was = document[setting.key].as_string() if stands and isinstance(value, list) else ""
            (document if stands else new)[setting.key] = _listed(was, value) if "\n" in was else value
    rest = tomlkit.dumps(document)
    return _with_lines(rest, tomlkit.dumps(new)) if new else rest


def _with_lines(text: str, lines: str) -> str:
    """The text with more lines: behind its last key in front of the tables, else in front of the first table's
    remark."""
    rows = (text if text.endswith("\n") or not text else f"{text}\n").splitlines(keepends=True)
    headings = (at for at, row in enumerate(rows) if row.lstrip().startswith("[") and _is_whole("".join(rows[:at])))
    place = tables = next(headings, len(rows))
    while place and (not rows[place - 1].strip() or _is_remark(rows[place - 1])):
        place -= 1
    if not place and tables < len(rows):
        place, lines = tables, f"{lines}\n"
        while place and _is_remark(rows[place - 1]):
            place -= 1
    return "".join((*rows[:place], lines, *rows[place:]))


def _is_whole(text: str) -> bool:
    """Whether a text does not end within a list or a text of several lines."""
    try:
        parse_toml(text)
    except ValueError:
        return False
    return True


def _is_remark(row: str) -> bool:
    return row.lstrip().startswith("#")


def _listed(before: str, values: Sequence[str]) -> Any:
    """A list over several lines with other values and all its remarks. One beside a value, or above it, goes where the
    value goes; those of a value that is taken out stay at their place."""
    above, beside, free, last = dict[str, list[str]](), dict[str, list[str]](), list[str](), ""
    for part in _PARTS.findall(before):
        if part.startswith("#"):
            (beside[last] if last else free).append(part)
        elif part == "\n":
            last = ""
        else:
            last = parse_toml(f"x = {part}")["x"]
            above[last], beside[last], free = free, [], []
    end, free = free, []
    for value in above:
        free += above[value]
        if value in values:
            above[value], free = free, []
        else:
            free += beside[value]
    indent = indented[1] if (indented := _INDENT.search(before)) else "  "
    rows: list[str] = []
    for value in values:
        rows += above.get(value, [])
        rows.append("  ".join([f"{tomlkit.item(value).as_string()},", *beside.get(value, [])]))
    return tomlkit.parse("".join(("x = [", *(f"\n{indent}{row}" for row in (*rows, *free, *end)), "\n]")))["x"]


def _as_toml(setting: Setting, value: Given) -> Any:
    if isinstance(value, tuple):
        return [_QUOTED.sub(r"\1", one) for one in value]
    if isinstance(value, str):
        value = _QUOTED.sub(r"\1", value)
    if isinstance(value, str) and isinstance(setting.left_out, int | float):
        for number in (int, float):
            try:
                return number(value)
            except ValueError:
                continue
    return value
