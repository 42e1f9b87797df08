"""How `--help` is laid out: whole sentences at any width, and kinds of values in words for a person."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args, get_origin

import typer
from typer._coercion import RuntimeParam, build_runtime_param
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

__all__ = ["HelpCommand", "HelpGroup", "lay_out"]

_KINDS: dict[Any, str] = {Path: "PATH", int: "NUMBER", float: "NUMBER"}


def lay_out(*apps: typer.Typer) -> None:
    """Let all commands of these show their help in our way."""
    for app in apps:
        for command in app.registered_commands:
            # By the class of the command: Typer has no other place to change its help.
            command.cls = HelpCommand


class HelpGroup(TyperGroup):
    """Lists its commands with the whole first sentence of each, where the library cuts it to one line."""

    def get_params(self, ctx: Any) -> Any:
        """The parameters, `--help` among them. Click calls this."""
        return _read_plainly(super().get_params(ctx))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands. Click calls this for `--help`."""
        named = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        rows = [(name, _first_sentence(command.help or "")) for name, command in named if command is not None]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class HelpCommand(TyperCommand):
    """Says PATH, NUMBER or TEXT of an option, where the library names types of Python; an argument's name is enough."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        for parameter in self.params:
            if isinstance(parameter, TyperOption) and parameter.metavar is None:
                parameter.metavar = _kind_of(parameter.type_descriptor.annotation)

    def get_params(self, ctx: Any) -> Any:
        """The parameters, `--help` among them. Click calls this."""
        return _read_plainly(super().get_params(ctx))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options as two lists. Click calls this for `--help`."""
        records = [(one, one.get_help_record(ctx)) for one in self.get_params(ctx)]
        options = [record for one, record in records if record and one.param_type_name == "option"]
        arguments = [
            (str(one.name), record[1]) for one, record in records if record and one.param_type_name == "argument"
        ]
        for title, rows in (("Arguments", arguments), ("Options", options)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


@dataclass(frozen=True)
class _PlainParam(RuntimeParam):
    """Reads texts, flags, numbers that are defaults, and paths; Typer's own way loads pydantic, a tenth of a second."""

    def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
        kinds = [kind for kind in (get_args(self.annotation) or (self.annotation,)) if kind is not type(None)]
        if len(kinds) == 1 and type(value) is kinds[0]:
            return value
        if kinds == [Path] and isinstance(value, str):
            return Path(value)
        return build_runtime_param(param.type_descriptor)._coerce_value(value, param, ctx)


def _read_plainly(parameters: list[Any]) -> list[Any]:
    for parameter in parameters:
        if isinstance(parameter, TyperOption | TyperArgument):
            described = parameter.type_descriptor
            parameter._runtime_param = _PlainParam(described.parameter_info, described.annotation)
    return parameters


def _kind_of(annotation: Any) -> str:
    # A list option names the type of one of its values.
    inner = get_args(annotation)[0] if get_origin(annotation) is list else annotation
    return _KINDS.get(inner, "TEXT")


def _first_sentence(text: str) -> str:
    plain = " ".join(text.split())
    return f"{plain.split('. ')[0].rstrip('.')}."
