"""Builds commands out of functions when they are asked for, and lays out `--help`: headings, whole sentences, words."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from pathlib import Path
from types import GenericAlias, MappingProxyType
from typing import Annotated, Any, ClassVar, get_args, get_origin, get_type_hints

import typer
from typer._coercion import RuntimeParam, build_runtime_param
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from curtain.base.errors import CurtainError
from curtain.ports.companion import Family, Headings
from curtain.ports.discovery import guarded

_KINDS: dict[Any, str] = {Path: "PATH", int: "NUMBER", float: "NUMBER"}


class HelpGroup(TyperGroup):
    """Lists its commands under headings, with the whole first sentence of each."""

    headings: ClassVar[Headings] = {}
    first = ""

    def __init__(self, *, commands: Mapping[str, Any] | None = None, **more: Any) -> None:
        super().__init__(**more)
        self.commands = _Loaded(self.headings, commands or {})  # type: ignore[assignment]

    def get_params(self, ctx: Any) -> Any:
        """The parameters, `--help` among them. Click calls this."""
        return _read_plainly(super().get_params(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the arguments name; `first`, if there is one, where they name none."""
        if self.first and args and not args[0].startswith("-") and args[0] not in self.commands:
            args = [self.first, *args]
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the table."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands. Click calls this for `--help`."""
        for heading, entries in self.headings.items():
            with formatter.section(heading):
                formatter.write_dl([(name, _first_sentence(help_of(entry))) for name, entry in entries.items()])

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """What the word may become. Loads no command, since a shell asks at each press of the key."""
        from typer._click.shell_completion import CompletionItem

        entries = {name: entry for one in self.headings.values() for name, entry in one.items()}
        begun = [
            CompletionItem(name, help=help_of(one)) for name, one in entries.items() if name.startswith(incomplete)
        ]
        return [*begun, *TyperCommand.shell_complete(self, ctx, incomplete)]


class _Loaded(Mapping[str, Any]):
    """The commands of a table by name, each built when it is asked for, after those that were `given` ready-made."""

    def __init__(self, headings: Headings, given: Mapping[str, Any]) -> None:
        self._entries = {name: entry for entries in headings.values() for name, entry in entries.items()}
        self._built = dict(given)

    def __getitem__(self, name: str) -> Any:
        if name not in self._built:
            self._built[name] = built(name, self._entries[name])
        return self._built[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self._entries, **self._built})

    def __len__(self) -> int:
        return len({**self._entries, **self._built})


def built(name: str, entry: tuple[str, str] | Family) -> Any:
    """The command or group of commands behind a name. Raises CurtainError if that of a companion does not load."""
    if isinstance(entry, Family):
        group = type("FamilyGroup", (HelpGroup,), {"headings": {"Commands": entry.commands}, "first": entry.first})
        return group(name=name, help=entry.help, no_args_is_help=True, rich_markup_mode=None)
    call = guarded(entry[0], _declared)
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name, cls=_HelpCommand, help=entry[1])(call)
    command: Any = get_command(app)
    command.purposes = {
        name: one.annotation.__metadata__[0] for name, one in inspect.signature(call).parameters.items()
    }
    return command


def _declared(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with those parameters alone that a command line can give.

    They are annotated as options or arguments, here or as fields of a dataclass that the function takes. The others
    are for callers in Python and keep their defaults.
    """
    parameters: list[inspect.Parameter] = []
    bundled: dict[str, tuple[type[Any], list[str]]] = {}
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        kind = hints[name]
        if get_origin(kind) is Annotated:
            parameters.append(_keyword(name, parameter.default, kind))
        elif isinstance(kind, type) and is_dataclass(kind):
            inner = get_type_hints(kind, include_extras=True)
            declared = [one for one in fields(kind) if get_origin(inner[one.name]) is Annotated]
            bundled[name] = kind, [one.name for one in declared]
            for field in declared:
                default = inspect.Parameter.empty if field.default is MISSING else field.default
                parameters.append(_keyword(field.name, default, inner[field.name]))

    def call(**given: Any) -> Any:
        if list(given.values()).count(Path("-")) > 1:
            raise CurtainError("Only one file can come from standard input; give the others by name.")
        for name, (kind, names) in bundled.items():
            given[name] = kind(**{one: given.pop(one) for one in names})
        return function(**given)

    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__name__ = function.__name__
    return call


def _keyword(name: str, default: Any, kind: Any) -> inspect.Parameter:
    plain, purpose = _without_purpose(get_args(kind)[0])
    *noted, option = kind.__metadata__  # what Typer is given comes last
    kind = Annotated[plain, (*noted, purpose)[0], option]
    # By keyword, so that one without a default may follow one with it.
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _without_purpose(kind: Any) -> tuple[Any, str]:
    """The type as Typer knows it, and what a path in it is for, as `curtain.commands.purposes` notes it; or ""."""
    if get_origin(kind) is Annotated:
        return get_args(kind)
    may_lack = type(None) in get_args(kind)
    if may_lack or get_origin(kind) in (list, Sequence):
        plain, purpose = _without_purpose(get_args(kind)[0])
        # A dataclass holds any sequence; Typer knows an option that may stand several times by a list.
        return plain | None if may_lack else GenericAlias(list, (plain,)), purpose
    return kind, ""


class _HelpCommand(TyperCommand):
    """Says PATH, NUMBER or TEXT of an option, where the library names types of Python; an argument's name is enough.
    `purposes`: by parameter what `curtain.commands.purposes` notes in its type, or ""."""

    purposes: Mapping[str, str] = MappingProxyType({})

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        for parameter in self.params:
            if isinstance(parameter, TyperOption) and parameter.metavar is None:
                parameter.metavar = _kind_of(parameter.type_descriptor.annotation)

    def invoke(self, ctx: Any) -> None:
        """Run the function; a number that it returns is the exit code."""
        if code := super().invoke(ctx):
            raise typer.Exit(code)

    def get_params(self, ctx: Any) -> Any:
        """The parameters, `--help` among them. Click calls this."""
        return _read_plainly(super().get_params(ctx))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options as two lists. Click calls this for `--help`."""
        rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                is_option = parameter.param_type_name == "option"
                name = _present_name(record[0], parameter.opts) if is_option else str(parameter.name)
                rows["Options" if is_option else "Arguments"].append((name, record[1]))
        for title, records in rows.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)


def _present_name(shown: str, names: list[str]) -> str:
    """Without the earlier names, which are accepted and nothing more."""
    for earlier in [name for name in names if name.startswith("--")][1:]:
        shown = shown.replace(f", {earlier}", "").replace(f"{earlier}, ", "")
    return shown


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


def help_of(entry: tuple[str, str] | Family) -> str:
    """What a command or a family is for."""
    return entry.help if isinstance(entry, Family) else entry[1]


def _first_sentence(text: str) -> str:
    return f"{text.split('. ')[0].rstrip('.')}."
