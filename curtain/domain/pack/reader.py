"""A domain pack as a value: what a folder says about a database and about the words used for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property, partial
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import msgspec

from curtain.base.errors import CurtainError
from curtain.base.hearing import Input
from curtain.base.input_file import parse_json, parse_toml
from curtain.base.settings_file import Struct, problem_of
from curtain.base.sql_names import folded
from curtain.base.text_file import read_text

from .entities import Entities, read_entities
from .formats import Formats, read_formats
from .keys import Keys, read_keys
from .schema import SchemaError, read_schema


class PackError(CurtainError):
    """A pack that cannot be used: names the file and the problem."""

    def __init__(self, file: Path | str, problem: str) -> None:
        super().__init__(f"{file}: {problem}.")
        self.file = Path(file)
        self.problem = problem


class Scenario(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a subject works on. It holds nothing that the subject may not see. `input` is how they ask; None is as the
    study says."""

    id: str
    title: str
    text: str
    kind: Literal["closed", "open"] = "closed"
    asks_answer: bool = True
    practice: bool = False
    input: Input | None = None


class Solution(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a scenario is solved, behind the curtain: `accepted` are further wordings of the answer."""

    sql: str = ""
    answer: str = ""
    accepted: list[str] = []


class PackExample(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answered question. `other` are the statements of further readings, `context` the questions before it, oldest
    first, without which it cannot be understood; `rule_book` is the year of its rules if they are not the pack's own.
    """

    question: str
    sql: str
    answer: str | None = None
    other: list[str] = []
    yes_no: bool = False
    context: list[str] = []
    rule_book: int | None = None
    source: str = ""
    note: str = ""

    @property
    def statements(self) -> list[str]:
        """One for each reading."""
        return [self.sql, *self.other]


class _Document(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """domain.toml as it stands."""

    title: str
    as_of: date
    dialect: Literal["1989", "1990", "1992", "curtain"] = "1992"
    description: str = ""
    yes_no: Literal["boolean", "alternates"] = "boolean"
    allowed_functions: list[str] = []
    private: list[str] = []
    headings: dict[str, Any] = {}
    canonical: dict[str, list[str]] = {}
    vague: dict[str, Any] = {}
    codes: dict[str, Any] = {}
    periods: dict[str, Any] = {}
    maximum: dict[str, Any] = {}
    readable: dict[str, dict[str, str]] = {}
    formats: dict[str, str | list[str]] = {}
    units: dict[str, Any] = {}
    # Only people read it: the rules have these words. Without the field, packs with the key would be refused.
    professions: Any = None


class _ScenarioWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: str = ""
    text: str = ""


class _Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`languages/de.toml`: what the subject reads of a pack, in another language. `readable` gives a heading of the
    pack's [readable] its translation, `scenarios` the words of a scenario by its id."""

    title: str = ""
    description: str = ""
    boolean: tuple[str, str, str] | None = None
    headings: dict[str, Any] = {}
    readable: dict[str, str] = {}
    scenarios: dict[str, _ScenarioWords] = {}


@dataclass(frozen=True)
class Pack:
    """A loaded pack. `tables` maps table -> column -> declared type; `headings` maps `table.column` or `column`
    (lower case) to what the subject reads; `yes_no` is `boolean` or `alternates` (how a yes/no answer is written);
    `rule_book` is the year whose rules hold, None for the one that principles.toml names; `private` are the columns
    whose values never leave the machine."""

    name: str
    folder: Path
    title: str
    as_of: date
    dialect: str
    description: str
    yes_no: str
    allowed_functions: tuple[str, ...]
    headings: Mapping[str, str]
    canonical: Mapping[str, list[str]]
    vague: Mapping[str, Any]
    codes: Mapping[str, Any]
    periods: Mapping[str, Any]
    maximum: Mapping[str, Any]
    tables: Mapping[str, Mapping[str, str]]
    keys: Keys
    scenarios: tuple[Scenario, ...]
    rule_book: int | None = None
    readable: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    private: frozenset[str] = frozenset()
    formats: Formats = field(default_factory=Formats)
    units: Mapping[str, str] = field(default_factory=dict)
    """The unit of a column, by `table.column`."""

    @property
    def lasting_name(self) -> str:
        """What `load_pack` takes from whatever folder one is in: a bundled pack's name, else its folder in full."""
        return self.name if self.folder == _bundled() / self.name else str(self.folder)

    @property
    def entities(self) -> Entities:
        """What the database is about, with what may be shown of each."""
        return self._entities[0]

    @property
    def problems_of_entities(self) -> list[str]:
        """What in [canonical], [maximum] and [readable] leads nowhere, one sentence each."""
        return self._entities[1]

    @cached_property
    def _entities(self) -> tuple[Entities, list[str]]:
        return read_entities(self.canonical, self.maximum, self.keys, self.tables, self.readable)

    def scenario(self, scenario_id: str) -> Scenario:
        """The scenario of this id; raises PackError naming those there are."""
        for scenario in self.scenarios:
            if scenario.id == scenario_id:
                return scenario
        ids = ", ".join(scenario.id for scenario in self.scenarios) or "none"
        raise PackError(self.folder / "scenarios", f"there is no scenario “{scenario_id}”, only: {ids}")

    def in_language(self, language: str) -> Pack:
        """This pack in the words of its `languages/LANGUAGE.toml`: what the file leaves out, and all without a file,
        stays as it is. Raises PackError."""
        path = self.folder / "languages" / f"{language}.toml"
        if not path.is_file():
            return self
        words = as_struct(path, _toml(path), _Words)
        if lost := words.scenarios.keys() - {scenario.id for scenario in self.scenarios}:
            raise PackError(path, f"[scenarios] names “{min(lost)}”, which is no scenario of this pack")
        entities = {
            entity: {words.readable.get(heading, heading): column for heading, column in columns.items()}
            for entity, columns in self.readable.items()
        }
        return replace(
            self,
            title=words.title or self.title,
            description=words.description.strip() or self.description,
            headings={**self.headings, **_headings(path, words.headings, self.tables)},
            readable=entities,
            formats=msgspec.structs.replace(self.formats, truth=words.boolean or self.formats.truth),
            scenarios=tuple(_in_words(one, words.scenarios.get(one.id, _ScenarioWords())) for one in self.scenarios),
        )

    def solution(self, scenario_id: str) -> Solution | None:
        """The solution kept apart for a scenario, if the pack has one."""
        path = self.folder / "solutions" / f"{self.scenario(scenario_id).id}.toml"
        return as_struct(path, _toml(path), Solution) if path.exists() else None

    def examples(self) -> tuple[PackExample, ...]:
        """The answered questions of examples.jsonl, read now; none without the file."""
        path = self.folder / "examples.jsonl"
        return tuple(_examples(path)) if path.exists() else ()

    def principles(self) -> Mapping[str, Any]:
        """principles.toml as it stands, read now; empty without the file."""
        path = self.folder / "principles.toml"
        return _toml(path) if path.exists() else {}


def load_pack(name_or_folder: str | Path) -> Pack:
    """The bundled pack of this name, or the pack in this folder; raises PackError."""
    folder = pack_folder(name_or_folder)
    document = _document(folder)
    tables = _tables(folder / "schema.sql")
    return Pack(
        name=folder.name,
        folder=folder,
        title=document.title,
        as_of=document.as_of,
        dialect=document.dialect,
        description=document.description.strip(),
        yes_no=document.yes_no,
        allowed_functions=tuple(folded(function) for function in document.allowed_functions),
        headings=_headings(folder / "domain.toml", document.headings, tables),
        canonical=document.canonical,
        vague=document.vague,
        codes=document.codes,
        periods=document.periods,
        maximum=document.maximum,
        tables=tables,
        keys=_keys(folder / "schema.sql"),
        scenarios=tuple(_scenarios(folder / "scenarios")),
        readable=document.readable,
        private=frozenset(folded(column) for column in document.private),
        formats=_formats(folder / "domain.toml", document.formats, tables),
        units=_units(folder / "domain.toml", document.units, tables),
    )


def loading_problems(name_or_folder: str | Path) -> list[PackError]:
    """Everything that keeps `load_pack` from loading, file by file; it raises only the first of it itself."""
    problems = [*_problems(lambda: pack_folder(name_or_folder))]
    if problems:
        return problems
    folder = pack_folder(name_or_folder)
    parts: list[Callable[[], object]] = [lambda: _document(folder), lambda: _tables(folder / "schema.sql")]
    parts += [partial(_scenario, path) for path in sorted((folder / "scenarios").glob("*.toml"))]
    problems = [problem for part in parts for problem in _problems(part)]
    languages = [partial(_in_language, folder, path.stem) for path in sorted((folder / "languages").glob("*.toml"))]
    return problems or [problem for part in [partial(load_pack, folder), *languages] for problem in _problems(part)]


def _problems(part: Callable[[], object]) -> Iterator[PackError]:
    try:
        part()
    except PackError as error:
        yield error


def bundled_packs() -> list[str]:
    """The names of the packs that come with Curtain."""
    # `os.path`, which takes a folder that only somebody else may enter for one that holds no pack.
    return sorted(path.name for path in _bundled().iterdir() if os.path.isfile(path / "domain.toml"))


def _bundled() -> Path:
    return Path(str(resources.files("sample_db")))


def pack_folder(name_or_folder: str | Path) -> Path:
    """The folder of the bundled pack of this name, or this folder; nothing of it is read. Raises PackError."""
    if isinstance(name_or_folder, str) and name_or_folder in bundled_packs():
        return _bundled() / name_or_folder
    folder = Path(name_or_folder).expanduser().absolute()
    if os.path.isfile(folder / "domain.toml"):
        return folder
    bundled = ", ".join(bundled_packs()) or "none"
    raise PackError(str(name_or_folder), f"no domain pack here; give a folder with a domain.toml or one of: {bundled}")


def _text(path: Path) -> str:
    try:
        return read_text(path)
    except OSError as error:
        raise PackError(path, f"cannot be read: {error.strerror}") from error


def _toml(path: Path) -> dict[str, Any]:
    try:
        return parse_toml(_text(path))
    except ValueError as error:
        raise PackError(path, f"is not TOML: {error}") from error


def as_struct(path: Path, values: object, kind: type[Struct], what: str = "") -> Struct:
    """Values of a file as a value of this kind; raises PackError with one sentence, which begins with `what`."""
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        _, item, sentence = problem_of(error, values, kind)
        raise PackError(path, f"{what}{f'{item}: ' if item else ''}{sentence.removesuffix('.')}") from error


def _document(folder: Path) -> _Document:
    path = folder / "domain.toml"
    return as_struct(path, _toml(path), _Document)


def _tables(path: Path) -> dict[str, dict[str, str]]:
    try:
        tables = read_schema(_text(path))
    except SchemaError as error:
        raise PackError(path, str(error)) from error
    if not tables:
        raise PackError(path, "there is no CREATE TABLE in it")
    return tables


def _keys(path: Path) -> Keys:
    try:
        return read_keys(_text(path))
    except (SchemaError, ValueError) as error:
        raise PackError(path, f"its keys cannot be read: {error}") from error


def _headings(path: Path, given: Mapping[str, Any], tables: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    headings = dict(_flat(path, given))
    _refuse_lost(path, "headings", headings, tables)
    return headings


def _refuse_lost(path: Path, part: str, names: Iterable[str], tables: Mapping[str, Mapping[str, str]]) -> None:
    columns = {column for table in tables.values() for column in table}
    columns_known = columns | {f"{table}.{column}" for table, names in tables.items() for column in names}
    for name in names:
        if name not in columns_known:
            raise PackError(path, f"[{part}] names “{name}”, which is no column of schema.sql")


def _units(path: Path, given: Mapping[str, Any], tables: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    units = dict(_flat(path, given))
    for column, unit in units.items():
        table, _, name = column.partition(".")
        if name not in tables.get(table, ()):
            raise PackError(path, f"[units] names “{column}”, which is no “table.column” of schema.sql")
        if set(unit) & set(' []()"') or not unit:
            raise PackError(path, f"[units] gives {column} the unit “{unit}”; write one without blanks, such as lb")
    return units


def _formats(path: Path, given: Mapping[str, str | list[str]], tables: Mapping[str, Mapping[str, str]]) -> Formats:
    try:
        formats = read_formats(given)
    except ValueError as error:
        raise PackError(path, f"[formats] {error}") from error
    _refuse_lost(path, "formats", formats.columns, tables)
    return formats


def _flat(path: Path, given: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Headings by name in lower case; `employee.city = "City"` without quotes is a table in TOML and means the same."""
    for name, value in given.items():
        if isinstance(value, dict) and not prefix:
            yield from _flat(path, value, f"{folded(name)}.")
        elif isinstance(value, str):
            yield prefix + folded(name), value
        else:
            raise PackError(path, f"the heading of “{prefix}{name}” is not a text")


def _scenarios(folder: Path) -> Iterator[Scenario]:
    yield from map(_scenario, sorted(folder.glob("*.toml")))


def _scenario(path: Path) -> Scenario:
    scenario = as_struct(path, _toml(path), Scenario)
    return msgspec.structs.replace(scenario, text=scenario.text.strip())


def _in_words(scenario: Scenario, words: _ScenarioWords) -> Scenario:
    return msgspec.structs.replace(
        scenario, title=words.title or scenario.title, text=words.text.strip() or scenario.text
    )


def _in_language(folder: Path, language: str) -> Pack:
    return load_pack(folder).in_language(language)


def _examples(path: Path) -> Iterator[PackExample]:
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            values = parse_json(line, object)
        except msgspec.DecodeError as error:
            raise PackError(path, f"line {number} is not JSON: {error}") from error
        yield as_struct(path, values, PackExample, f"line {number}: ")
