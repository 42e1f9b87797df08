"""Which systems there are, and how the table `[systems]` of a study.toml names more of them."""

import difflib
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from curtain.base.errors import CurtainError
from curtain.base.settings_file import convert, named_path
from curtain.ports.discovery import named_offers
from curtain_drafts.tool.serving.settings import CHAT, OURS, DrafterChoice, read_settings

ROBUST, STRICT = "drafts-robust", "drafts-strict"
# The confidence of a draft is calibrated: of drafts with 0.8, eight in ten are right. docs/experiments.md has figures.
_THRESHOLDS = {ROBUST: 0.0, STRICT: 0.8}
_KINDS = {"command", "address", "plugin"}

Kind = Literal["drafts", "chat", "command", "plugin", "recogniser"]


class BadSystem(CurtainError):
    """A system that there is not, or whose settings cannot work; the sentence says what to write."""


_Text = Annotated[str, Meta(min_length=1)]
_Seconds = Annotated[float, Meta(ge=0.1, le=600, description="a number from 0.1 to 600")]
_Opening = Annotated[Annotated[float, Meta(ge=0.1, le=3600)] | None, Meta(description="a number from 0.1 to 3600")]
_Message = Annotated[str, Meta(description="the id of a canned message in quotes")]


class SystemChoice(msgspec.Struct, frozen=True):
    """A system by name and how it is started.

    `deadline_s` is its time for one turn. `start_s` is its time to say that it is ready; None for a program that says
    nothing first. `no_answer` and `failed` are the canned messages for “no answer” and for a problem. `study` is the
    folder of the study whose table names it; "" for what ships and what a person named on the command line.
    """

    name: str
    kind: Kind
    options: Mapping[str, Any] = {}
    command: tuple[str, ...] = ()
    deadline_s: _Seconds = 20.0
    start_s: _Opening = 600.0
    environment: Annotated[tuple[str, ...], Meta(description="a list of names of variables in quotes")] = ()
    no_answer: _Message = "not_understood"
    failed: _Message = "unable"
    study: str = ""


class HostOrder(msgspec.Struct, frozen=True, kw_only=True):
    """The first line to the host: which system to make, over which domain. `study` is the folder of the study whose
    files of examples count, with its table `[drafters]`; "" without one."""

    choice: SystemChoice
    pack: str = ""
    database: str = ""
    rule_book: int | None = None
    study: str = ""
    drafters: dict[str, Any] = {}


class _Table(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The keys of every table; SystemChoice says what they must be."""

    deadline_s: Any = None
    start_s: Any = None
    environment: Any = None
    no_answer: Any = None
    failed: Any = None


class _Drafts(_Table):
    threshold: Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")]


class _Program(_Table):
    command: Annotated[
        tuple[_Text, ...],
        Meta(min_length=1, description='a list of words in quotes such as ["python3", "my_system.py"]'),
    ]


class _Model(msgspec.Struct, forbid_unknown_fields=True):
    model: _Text = ""
    ear: _Text = ""


def known_names(table: Mapping[str, Any]) -> list[str]:
    """The names that a condition may give: those that ship, those that are installed, those of `[systems]`."""
    return list(dict.fromkeys([ROBUST, STRICT, *table, *sorted(named_offers("systems"))]))


def system_named(name: str, table: Mapping[str, Any], folder: Path | None = None) -> SystemChoice:
    """The system of this name.

    `folder` is the study's, from which files count. Raises BadSystem.
    """
    where = f"[systems.{name}]"
    if name in table:
        return replace(_of_table(name, dict(table[name]), where, folder), study=str((folder or Path()).absolute()))
    if name in _THRESHOLDS:
        return SystemChoice(name, "drafts", {"threshold": _THRESHOLDS[name]})
    if name in named_offers("systems"):
        return SystemChoice(name, "plugin")
    near = difflib.get_close_matches(name, known_names(table), 1)
    advice = f"Did you mean “{near[0]}”?" if near else f"There are {', '.join(known_names(table))}."
    raise BadSystem(f"There is no system “{name}”. {advice} A table {where} in study.toml adds it.")


def command_system(text: str) -> SystemChoice:
    """A system that is named by its command line. Raises BadSystem."""
    try:
        command = tuple(shlex.split(text))
    except ValueError as error:
        raise BadSystem(f"The command “{text}” cannot be read: {error}.") from error
    return SystemChoice(text, "command", command=_existing(command, f"“{text}”", None), start_s=None)


def recogniser_of(table: Mapping[str, Any], folder: Path | None = None) -> SystemChoice | None:
    """The recogniser of `[asr]`: an entry point (`plugin`) or a command; None for a companion's ear.

    Raises BadSystem.
    """
    keys, where = dict(table), "[asr]"
    if not keys or {"model", "ear"} & keys.keys():
        convert(where, "", keys, _Model)
        return None
    if "command" in keys:
        return replace(_program("asr", keys, where, folder), study=str((folder or Path()).absolute()))
    names = sorted(named_offers("recognisers"))
    if keys.get("plugin") not in names:
        kinds = '“model”, “command” = ["program", "argument"], or “plugin” = "name"'
        given = f" There is no plug-in “{keys['plugin']}”." if "plugin" in keys else ""
        raise BadSystem(f"{where}: write {kinds}.{given} Plug-ins that are installed: {', '.join(names) or 'none'}.")
    return replace(_choice("asr", "recogniser", keys, where), study=str((folder or Path()).absolute()))


def drafters_of(choice: SystemChoice) -> tuple[DrafterChoice, ...]:
    """The one drafter that a drafting or a served system answers with. Raises CurtainError."""
    if choice.kind == "chat":
        options = {key: value for key, value in choice.options.items() if key != "threshold"}
        return read_settings({OURS: False, CHAT: {**options, "limit_s": choice.deadline_s}}, None).drafters
    return (DrafterChoice(limit_s=choice.deadline_s, start_s=choice.start_s or 600.0),)


def _of_table(name: str, keys: dict[str, Any], where: str, folder: Path | None) -> SystemChoice:
    if name in _THRESHOLDS and _KINDS & keys.keys():
        raise BadSystem(f"{where}: “{name}” comes with Curtain, with “threshold” alone; give yours another name.")
    if "command" in keys:
        return _program(name, keys, where, folder)
    if "address" in keys:
        return _chat(name, keys, where)
    if name in _THRESHOLDS:
        return _choice(name, "drafts", {"threshold": _THRESHOLDS[name], **keys}, where, _Drafts)
    if str(keys.setdefault("plugin", name)) in named_offers("systems"):
        return _choice(name, "plugin", keys, where)
    raise BadSystem(f"{where}: write “command”, “address” with “model”, or an installed plug-in in “plugin”.")


def _choice(
    name: str, kind: Kind, keys: Mapping[str, Any], where: str, own: type[msgspec.Struct] | None = None
) -> SystemChoice:
    """The system of a table; `own` are the keys of its kind, any where that is None. Raises CurtainError."""
    if own is not None:
        convert(where, "", keys, own)
    options = {key: value for key, value in keys.items() if key not in _Table.__struct_fields__}
    common = {key: value for key, value in keys.items() if key not in options}
    return convert(where, "", {"name": name, "kind": kind, "options": options, **common}, SystemChoice)


def _chat(name: str, keys: dict[str, Any], where: str) -> SystemChoice:
    convert(where, "", {"threshold": keys.get("threshold", 0)}, _Drafts)
    choice = _choice(name, "chat", keys, where)
    try:
        drafters = drafters_of(choice)
    except CurtainError as error:
        raise BadSystem(str(error).replace("[drafters.chat]", where)) from error
    variables = (*choice.environment, *(name for one in drafters for name in one.environment))
    return replace(choice, environment=variables)


def _program(name: str, keys: dict[str, Any], where: str, folder: Path | None) -> SystemChoice:
    # A program of a lab need not say that it is ready; with start_s it is waited for.
    choice = _choice(name, "command", {"start_s": None, **keys}, where, _Program)
    return replace(choice, options={}, command=_existing(choice.options["command"], where, folder))


def _existing(command: Sequence[str], where: str, folder: Path | None) -> tuple[str, ...]:
    """The command with its program's place, looked for where a shell would, and in the study's folder."""
    program = command[0] if command else ""
    beside = named_path(program, folder)
    is_placed = "/" in program or os.sep in program
    program_path = str(beside) if is_placed and beside.is_file() else shutil.which(program)
    if is_placed and not program_path:
        # On Windows a command leaves out the ending of its program; `which` knows those there are.
        program_path = shutil.which(beside.name, path=str(beside.parent))
    if not program_path:
        raise BadSystem(f"{where}: there is no program “{program}”; check its spelling and its place.")
    return (program_path, *command[1:])
