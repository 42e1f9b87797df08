"""Settings files: read one, and say in one sentence what is wrong with a key, and on which line."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError
from curtain.base.input_file import parse_toml, read_input

LONGEST = 4 * 1024 * 1024


class BadSettings(CurtainError):
    """A settings file that cannot be read or holds something it must not."""


def read_text(path: Path) -> str:
    """The text of a settings file. Raises BadSettings."""
    try:
        data = read_input(path, LONGEST)
    except OSError as fault:
        raise BadSettings(f"{path} cannot be read: {fault.strerror}.") from fault
    try:
        return data.decode()
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise BadSettings(f"{path}, line {line}: the text is not UTF-8. Save the file as UTF-8.") from fault


def parse(name: str, text: str) -> dict[str, Any]:
    """The keys of a TOML text; `name` is how a person knows the file. Raises BadSettings with line and column."""
    try:
        return parse_toml(text)
    except ValueError as fault:
        raise BadSettings(f"{name} is not readable as TOML: {fault}.") from fault


def refuse_unknown(name: str, text: str, keys: Iterable[str], allowed: Iterable[str]) -> None:
    """Raises BadSettings naming the first of `keys` that is not `allowed`, its line, and what may have been meant."""
    allowed = list(allowed)
    for key in keys:
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, 1)
            advice = f"Did you mean “{near[0]}”?" if near else f"Known are: {', '.join(allowed)}."
            raise BadSettings(f"{place(name, text, key)}: “{key}” is not known here. {advice}")


def place(name: str, text: str, key: str) -> str:
    """`study.toml, line 3`, or the name alone where the key's line cannot be told."""
    # A key in a table or with quotes is found too; the parser tells no lines.
    pattern = re.compile(rf"""^\s*\[*\s*["']?{re.escape(key)}["']?\s*(=|\.|\])""")
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.match(line):
            return f"{name}, line {number}"
    return name
