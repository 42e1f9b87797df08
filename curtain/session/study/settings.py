"""The settings of a study as a form asks for them, and study.toml with other values in which every remark stays.

What there is to set stands once, in the remarks of a new study.toml.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit

from curtain.base.input_file import parse_toml
from curtain.session.study.study import Study, example_text, wanted_values

Given = str | bool | tuple[str, ...]
_QUOTED = re.compile(r'\A"(.*)"\Z')
_ALTERNATIVES = re.compile(r'"[\w-]+"(?:(?:, | or )"[\w-]+")+')


@dataclass(frozen=True)
class Setting:
    """A key of study.toml: its remark in whole sentences, what it is when it is left out, and what it may be, if that
    is one of a few words."""

    key: str
    remark: str
    left_out: Any
    choices: tuple[str, ...] = ()


def settings() -> list[Setting]:
    """All keys that hold a plain value or a list, in the order of the file."""
    return [_setting(block) for block in example_text().split("\n\n") if re.search(r"^[a-z_]+ = ", block, re.M)]


def _setting(block: str) -> Setting:
    (key, example), *_ = parse_toml(block).items()
    remark = " ".join(line.lstrip("# ") for line in block.splitlines() if line.startswith("#"))
    wanted = wanted_values(key)
    choices = tuple(re.findall(r'"([^"]+)"', wanted)) if _ALTERNATIVES.fullmatch(wanted) else ()
    default = getattr(Study(folder=Path()), key)
    return Setting(key, remark, example if default is None or isinstance(default, tuple) else default, choices)


def given_in(text: str) -> dict[str, Any]:
    """What stands in study.toml, by key. Raises ValueError: it is no TOML."""
    return parse_toml(text)


def changed(text: str, values: Mapping[str, Given]) -> str:
    """study.toml with these values, as a form has them; what is as before is not touched.

    A number that is none stays the text that it is, so that reading it says what it must be. Quotation marks around
    a value are TOML's, since the remarks show values so. Raises ValueError.
    """
    document = tomlkit.parse(text)
    before = given_in(text)
    for setting in settings():
        if setting.key not in values:
            continue
        value = _as_toml(setting, values[setting.key])
        if value != before.get(setting.key, setting.left_out):
            document[setting.key] = value
    return tomlkit.dumps(document)


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
