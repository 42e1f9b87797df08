"""All commands with their parameters, as JSON for a window that makes a form of each.

`python -m curtain.commands.description` prints it: whoever may not import the commands starts this as a child.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from typer.core import TyperOption

from curtain.base.errors import CurtainError
from curtain.base.terminal import print_json
from curtain.commands.layout import built, help_of
from curtain.commands.table import ALL
from curtain.ports.companion import Family

Entry = tuple[str, str] | Family
_KINDS: Mapping[Any, str] = {bool: "flag", Path: "path", int: "number", float: "number"}


def actions() -> Iterator[dict[str, Any]]:
    """Each command: `path` are the words that call it, `help` is what it does, `fields` are its parameters.

    A field has the `option` that gives it ("" for an argument) and the one that takes it back (`off`), its `kind`
    (flag, choice, number, path or text) and `purpose` (see `curtain.commands.purposes`), `choices`, `default` as a
    text, and whether it is `required` and `many`.
    """
    for entries in ALL.values():
        for name, entry in entries.items():
            yield from _of_entry((name,), entry)


def _of_entry(path: tuple[str, ...], entry: Entry) -> Iterator[dict[str, Any]]:
    if isinstance(entry, Family):
        for name, inner in entry.commands.items():
            yield from _of_entry((*path, name), inner)
        return
    try:
        command = built(path[-1], entry)
    except CurtainError:
        return
    named = {one.name: _field(one) for one in command.params if one.name != "help"}
    listed = [{**field, "purpose": command.purposes[name]} for name, field in named.items()]
    yield {"path": path, "help": help_of(entry), "fields": listed}


def _field(parameter: Any) -> dict[str, Any]:
    is_option = isinstance(parameter, TyperOption)
    annotation = parameter.type_descriptor.annotation
    many = get_origin(annotation) is list
    kind = get_args(annotation)[0] if many else annotation
    choices = _choices(kind)
    return {
        "name": parameter.name,
        "option": parameter.opts[0] if is_option else "",
        "off": parameter.secondary_opts[0] if is_option and parameter.secondary_opts else "",
        "help": parameter.help or "",
        "kind": "choice" if choices else _KINDS.get(kind, "text"),
        "choices": choices,
        "default": _text(parameter.default),
        "required": parameter.required,
        "many": many,
    }


def _choices(kind: Any) -> list[str]:
    if get_origin(kind) is Literal:
        return list(map(str, get_args(kind)))
    return [str(one.value) for one in kind] if isinstance(kind, type) and issubclass(kind, Enum) else []


def _text(default: Any) -> str:
    if isinstance(default, Enum):
        return str(default.value)
    # An empty list and a flag that is not set are as if nothing was given.
    return str(default) if default else ""


if __name__ == "__main__":
    print_json(list(actions()))
