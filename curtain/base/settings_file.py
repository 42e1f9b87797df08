"""Settings files: read one, and say in one sentence what is wrong with a key, and on which line."""

import difflib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from curtain.base import text_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import parse_toml

LONGEST = 4 * 1024 * 1024

Struct = TypeVar("Struct", bound=msgspec.Struct)

# msgspec's kinds in a person's words, where a field has no description.
_KINDS = {"str": "a text in quotes", "bool": "true or false", "int": "a whole number", "float": "a number"}
_KINDS |= {"date": "a date such as 1992-06-01", "array": "a list", "object": "a table"}


def read_text(path: Path) -> str:
    """The text of a settings file. Raises CurtainError."""
    with os_errors_as(f"{path} cannot be read", CurtainError):
        return text_file.read_text(path, LONGEST)


def text_if_any(path: Path) -> str | None:
    """The same, None where there is no such file. Raises CurtainError."""
    return read_text(path) if text_file.is_there(path) else None


def named_path(name: str, study: Path | None) -> Path:
    """The place that a study.toml names: paths count from the folder of the study."""
    return (study or Path()).joinpath(name).absolute()


def parse(name: str, text: str) -> dict[str, Any]:
    """The keys of a TOML text; `name` is how a person knows the file. Raises CurtainError with line and column."""
    try:
        return parse_toml(text)
    except ValueError as error:
        raise CurtainError(f"{name} is not readable as TOML: {error}.") from error


def convert(name: str, text: str, keys: Mapping[str, Any], kind: type[Struct]) -> Struct:
    """The keys of a TOML text as a value of this kind.

    A field says by `msgspec.Meta(description=...)` what it must be, and by `extra={"fits": check}` what no type can.
    Raises CurtainError, which says where the first problem is and what to write instead.
    """
    try:
        settings = msgspec.convert(keys, kind)
    except msgspec.ValidationError as error:
        key, item, sentence = problem_of(error, keys, kind)
        raise CurtainError(f"{f'{name}, {item}' if item else place(name, text, key)}: {sentence}") from error
    for key, field in _fields(inspect.type_info(kind)).items():
        fits = (getattr(field, "extra", None) or {}).get("fits")
        if key in keys and fits and not fits(keys[key]):
            raise CurtainError(f"{place(name, text, key)}: “{key}” must be {_wanted(field)}.")
    return settings


def problem_of(error: msgspec.ValidationError, keys: Any, kind: type[msgspec.Struct]) -> tuple[str, str, str]:
    """The problem that msgspec found: its key, the table that has it if that is one of several (`message “a”`), and a
    sentence that says what to write instead."""
    reason, _, path = str(error).partition(" - at `$")
    key, item, node = "", "", inspect.type_info(kind)
    for step in re.findall(r"\w+|\.{3}", path):
        if step in _fields(node):
            key, node, keys = step, _fields(node)[step], keys and keys[step]
        elif step == "..." and not _wanted(node):
            # msgspec does not say which entry of a table it means.
            node, keys = getattr(_bare(node), "value_type", node), None
        elif step.isdecimal() and _fields(table := getattr(_bare(node), "item_type", node)):
            item, node, keys = f"{key} {_name_of(keys, int(step))}", table, keys and keys[int(step)]
    if isinstance(error.__cause__, ValueError):
        # A check of the type itself, in its own words.
        return key, item, f"{error.__cause__}."
    if match := re.search(r"unknown field `(.*)`", reason):
        return match[1], item, _not_known(match[1], _fields(node))
    if match := re.search(r"missing required field `(.*)`", reason):
        wanted = _wanted(_fields(node)[match[1]])
        return "", item, f"“{match[1]}” is missing; add it{f': {wanted}' if wanted else ''}."
    return (
        key,
        item,
        _not_fitting(reason, f"“{key}”" if key else "this", node, is_entry=path.endswith("]`") and not _fields(node)),
    )


def _not_fitting(reason: str, key: str, node: inspect.Type, *, is_entry: bool) -> str:
    if match := re.match(r"Invalid enum value '?(.*?)'?\Z", reason):
        return f"{key} is “{match[1]}”; it must be {_wanted(node)}."
    if wanted := _wanted(node):
        return f"{key} must be {wanted}."
    kind = re.match(r"Expected `(\w+)", reason)
    entry = "every entry of " if is_entry else ""
    return f"{entry}{key} must be {_KINDS.get(kind[1], 'of another kind') if kind else 'of another kind'}."


def _wanted(node: inspect.Type) -> str:
    """What a key must be, as its type describes it; "" if it does not."""
    if isinstance(node, inspect.Metadata):
        return str((node.extra_json_schema or {}).get("description", ""))
    values = [str(value) for value in node.values if value != ""] if isinstance(node, inspect.LiteralType) else []
    return f"{', '.join(values[:-1])} or {values[-1]}" if values else ""


def _bare(node: inspect.Type) -> inspect.Type:
    return node.type if isinstance(node, inspect.Metadata) else node


def _fields(node: inspect.Type) -> dict[str, inspect.Type]:
    return {field.encode_name: field.type for field in node.fields} if isinstance(node, inspect.StructType) else {}


def _name_of(tables: Any, at: int) -> str:
    name = tables[at].get("id") if tables and isinstance(tables[at], dict) else None
    return f"“{name}”" if isinstance(name, str) and name else f"{at + 1} from the top"


def refuse_unknown(name: str, text: str, keys: Iterable[str], allowed: Iterable[str]) -> None:
    """Raises CurtainError naming the first of `keys` that is not `allowed`, its line, and what may have been meant."""
    allowed = list(allowed)
    for key in keys:
        if key not in allowed:
            raise CurtainError(f"{place(name, text, key)}: {_not_known(key, allowed)}")


def _not_known(key: str, allowed: Iterable[str]) -> str:
    near = difflib.get_close_matches(key, allowed := list(allowed), 1)
    advice = f"Did you mean “{near[0]}”?" if near else f"Known are: {', '.join(allowed)}."
    return f"“{key}” is not known here. {advice}"


def place(name: str, text: str, key: str) -> str:
    """`study.toml, line 3`, or the name alone where the key's line cannot be found."""
    # A key in a table or with quotes is found too; the parser reports no lines.
    pattern = re.compile(rf"""^\s*\[*\s*["']?{re.escape(key)}["']?\s*(=|\.|\])""")
    for number, line in enumerate(text.splitlines(), 1):
        if pattern.match(line):
            return f"{name}, line {number}"
    return name


def toml_text(value: str | list[str]) -> str:
    """A text or a list of texts as TOML."""
    # JSON's are TOML's, but for the one character that TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
