"""The settings of a study as a form asks for them, and study.toml with other values in which every remark stays.

What there is to set stands once, in the remarks of a new study.toml; what must not be written is refused here.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

import tomlkit

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import parse_toml
from curtain.base.settings_file import text_if_any
from curtain.domain.pack.pack import agreed_pack
from curtain.domain.pack.reader import Pack, pack_folder
from curtain.domain.pack.trust import is_agreed
from curtain.domain.rules.principles import under_rule_book
from curtain.session.questionnaires.instrument import load_instruments
from curtain.session.study.messages import load_message_set
from curtain.session.study.settings import advice_on_messages, problem_of_scenarios
from curtain.session.study.study import Study, example_text, study_of, wanted_values
from curtain_home.control.actions import Value

_OF_DOMAIN: tuple[Literal["scenarios", "practice"], ...] = ("scenarios", "practice")


@dataclass(frozen=True)
class SettingsCheck:
    """`text` is the new study.toml, `problem` a sentence on what it must not hold, `scenarios` the titles of those that
    the domain has, by id, `advice` what may be written and is hardly meant."""

    text: str = ""
    problem: str = ""
    scenarios: Mapping[str, str] = field(default_factory=dict)
    advice: str = ""


class SettingsChecker:
    """Checks values of a form over the file `path`, which holds `text`. It is slow: a thread of its own calls it."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._text = path, text
        self._packs: dict[str, Pack | None] = {}

    def check(self, values: Mapping[str, Value]) -> SettingsCheck:
        """What comes of these values."""
        text, scenarios = "", dict[str, str]()
        try:
            text = changed(self._text, {key: self._beside(value) for key, value in values.items()})
            study = study_of(self._path, text)
            # A pack to which nobody agreed is not read: “curtain check” says so.
            if (pack := self._pack(study.domain)) is not None:
                scenarios = {one.id: one.title for one in pack.scenarios}
                self._ensure_fits(study, pack)
            load_message_set(study.messages)
            load_instruments(study.questionnaires, study.folder)
        except CurtainError as error:
            return SettingsCheck(text, str(error).replace(f"{self._path.parent}/", ""), scenarios)
        return SettingsCheck(text, "", scenarios, advice_on_messages(study).replace(f"{self._path.parent}/", ""))

    def _ensure_fits(self, study: Study, pack: Pack) -> None:
        under_rule_book(pack, study.rule_book, "“rule_book”")
        there = [one.id for one in pack.scenarios]
        for problem in (problem_of_scenarios(key, study, pack.title, there) for key in _OF_DOMAIN):
            if problem:
                raise CurtainError(problem)

    def _pack(self, domain: str) -> Pack | None:
        """Read once: the sum over a large database takes long."""
        if domain not in self._packs:
            self._packs[domain] = agreed_pack(domain) if is_agreed(pack_folder(domain)) else None
        return self._packs[domain]

    def _beside(self, value: Value) -> Value:
        """A file of the study's own folder by its name there."""
        if not isinstance(value, tuple):
            return value
        return tuple(one.removeprefix(f"{self._path.parent}/") for one in value)


def write_settings(path: Path, before: str | None, text: str) -> None:
    """Put the new text in place of the one it was made from, None where there was no file. Raises CurtainError: the
    file was changed meanwhile."""
    if text_if_any(path) != before:
        raise CurtainError(f"{path} was changed meanwhile, so it was not written; open it again.")
    with os_errors_as(f"{path} cannot be written"):
        path.parent.mkdir(exist_ok=True)
        replace_file(path, text.encode())


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
