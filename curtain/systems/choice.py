"""Which systems there are, and how the table `[systems]` of a study.toml names more of them."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import shlex
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from curtain.base.errors import CurtainError
from curtain.drafting.settings import CHAT, OURS, DrafterChoice, read_settings

GROUP = "curtain.systems"
RECOGNISERS = "curtain.recognisers"
COMMANDS = "commands"
"""What an agreement is about: a program that a study starts on this machine."""

ROBUST, STRICT, ECHO = "drafts-robust", "drafts-strict", "echo-file"
# The confidence of a draft is calibrated: of drafts with 0.8, eight in ten are right. docs/experiments.md has figures.
_THRESHOLDS = {ROBUST: 0.0, STRICT: 0.8}
_DEADLINE_S = 20.0
_START_S = 600.0

Kind = Literal["drafts", "chat", "echo", "command", "plugin", "recogniser"]


class BadSystem(CurtainError):
    """A system that there is not, or whose settings cannot work; the sentence says what to write."""


@dataclass(frozen=True)
class SystemChoice:
    """A system by name and how it is started.

    `deadline_s` is its time for one turn. `start_s` is its time to say that it is ready; None for a program that says
    nothing first. `no_answer` and `failed` are the canned messages for “no answer” and for a fault.
    """

    name: str
    kind: Kind
    options: Mapping[str, Any] = field(default_factory=dict)
    command: tuple[str, ...] = ()
    deadline_s: float = _DEADLINE_S
    start_s: float | None = _START_S
    environment: tuple[str, ...] = ()
    no_answer: str = "not_understood"
    failed: str = "unable"


def known_names(table: Mapping[str, Any]) -> list[str]:
    """The names that a condition may give: those that ship, those that are installed, those of `[systems]`."""
    return list(dict.fromkeys([ROBUST, STRICT, ECHO, *table, *sorted(metadata.entry_points(group=GROUP).names)]))


def system_named(name: str, table: Mapping[str, Any], folder: Path | None = None) -> SystemChoice:
    """The system of this name. Without a table of its own, `echo-file:FILE` and a command line are names too.

    `folder` is the study's, from which files count. Raises BadSystem.
    """
    where = f"[systems.{name}]"
    if name in table:
        return _of_table(name, dict(table[name]), where, folder)
    if name in _THRESHOLDS:
        return SystemChoice(name, "drafts", {"threshold": _THRESHOLDS[name]})
    if name.startswith(f"{ECHO}:"):
        return _echo(ECHO, {"file": name.partition(":")[2]}, f"“{name}”", folder)
    if name == ECHO:
        raise BadSystem(f'“{ECHO}” needs its file: write a table [systems.{ECHO}] with file = "answers.jsonl".')
    if name in metadata.entry_points(group=GROUP).names:
        return SystemChoice(name, "plugin")
    near = difflib.get_close_matches(name, known_names(table), 1)
    advice = f"Did you mean “{near[0]}”?" if near else f"There are {', '.join(known_names(table))}."
    raise BadSystem(f"There is no system “{name}”. {advice} A table {where} in study.toml adds it.")


def command_system(text: str) -> SystemChoice:
    """A system that is named by its command line. Raises BadSystem."""
    try:
        command = tuple(shlex.split(text))
    except ValueError as fault:
        raise BadSystem(f"The command “{text}” cannot be read: {fault}.") from fault
    return SystemChoice(text, "command", command=_existing(command, f"“{text}”", None), start_s=None)


def recogniser_of(table: Mapping[str, Any], folder: Path | None = None) -> SystemChoice | None:
    """The recogniser of `[asr]`: an entry point (`plugin`) or a command; None for that of the extra, with its `model`.

    Raises BadSystem.
    """
    keys, where = dict(table), "[asr]"
    if not keys or "model" in keys:
        _only(keys, where, "model")
        return None
    common = _common(keys, where)
    if "command" in keys:
        return SystemChoice("asr", "command", command=_command(keys, where, folder), **_without_ready(common))
    name = keys.pop("plugin", None)
    if not isinstance(name, str) or not name:
        raise BadSystem('[asr] needs “model”, “plugin” = "name" or “command” = ["program", "argument"].')
    if name not in (names := sorted(metadata.entry_points(group=RECOGNISERS).names)):
        raise BadSystem(
            f"[asr] “plugin” names “{name}”, which is not installed; installed: {', '.join(names) or 'none'}."
        )
    return SystemChoice("asr", "recogniser", {"plugin": name, **keys}, **common)


def drafters_of(choice: SystemChoice) -> tuple[DrafterChoice, ...]:
    """The one drafter that a drafting or a served system answers with. Raises CurtainError."""
    if choice.kind == "chat":
        options = {key: value for key, value in choice.options.items() if key != "threshold"}
        return read_settings({OURS: False, CHAT: {**options, "limit_s": choice.deadline_s}}).drafters
    return (DrafterChoice(limit_s=choice.deadline_s, start_s=choice.start_s or _START_S),)


def command_identity(command: Iterable[str], folder: Path | None) -> str:
    """What a person's agreement to a command is for: the words, and what the files of the study among them hold."""
    parts = [[word, _sha256(folder / word)] if folder and (folder / word).is_file() else word for word in command]
    return hashlib.sha256(json.dumps([str(folder), parts]).encode()).hexdigest()


def _of_table(name: str, keys: dict[str, Any], where: str, folder: Path | None) -> SystemChoice:
    common = _common(keys, where)
    if "command" in keys:
        return SystemChoice(name, "command", command=_command(keys, where, folder), **_without_ready(common))
    if "address" in keys:
        return _chat(name, keys, where, common)
    if "file" in keys or name == ECHO:
        return _echo(name, keys, where, folder, common)
    if name in _THRESHOLDS:
        threshold = _number(keys, "threshold", _THRESHOLDS[name], where, 0, 1)
        _refuse(keys, where, "threshold")
        return SystemChoice(name, "drafts", {"threshold": threshold}, **common)
    plugin = keys.pop("plugin", name)
    if plugin in metadata.entry_points(group=GROUP).names:
        return SystemChoice(name, "plugin", {"plugin": plugin, **keys}, **common)
    raise BadSystem(
        f"{where} needs “command”, “address” with “model”, “file”, or the name of an installed plug-in in “plugin”."
    )


def _chat(name: str, keys: dict[str, Any], where: str, common: dict[str, Any]) -> SystemChoice:
    threshold = _number(keys, "threshold", 0.0, where, 0, 1)
    choice = SystemChoice(name, "chat", {**keys, "threshold": threshold}, **common)
    try:
        drafters = drafters_of(choice)
    except CurtainError as fault:
        raise BadSystem(str(fault).replace("[drafters.chat]", where)) from fault
    variables = (*choice.environment, *(name for one in drafters for name in one.environment))
    return SystemChoice(name, "chat", choice.options, **{**common, "environment": variables})


def _echo(
    name: str, keys: dict[str, Any], where: str, folder: Path | None, common: dict[str, Any] | None = None
) -> SystemChoice:
    file = keys.pop("file", None)
    _refuse(keys, where, "file")
    if not isinstance(file, str) or not file:
        raise BadSystem(f'{where} needs “file”, for example file = "answers.jsonl".')
    path = (folder / file if folder else Path(file)).absolute()
    if not path.is_file():
        raise BadSystem(f"{where} names the file {path}, which is not there.")
    return SystemChoice(name, "echo", {"file": str(path)}, **(common or {}))


def _command(keys: dict[str, Any], where: str, folder: Path | None) -> tuple[str, ...]:
    command = keys.pop("command")
    _refuse(keys, where, "command")
    if not isinstance(command, list) or not command or not all(isinstance(word, str) and word for word in command):
        raise BadSystem(f'{where} “command” must be a list of words in quotes such as ["python3", "my_system.py"].')
    return _existing(tuple(command), where, folder)


def _existing(command: tuple[str, ...], where: str, folder: Path | None) -> tuple[str, ...]:
    """The command with its program's place, looked for where a shell would, and in the study's folder."""
    program = command[0] if command else ""
    beside = (folder / program if folder else Path(program)).absolute()
    is_placed = "/" in program or os.sep in program
    program_path = str(beside) if is_placed and beside.is_file() else shutil.which(program)
    if is_placed and not program_path:
        # On Windows a command leaves out the ending of its program; `which` knows those there are.
        program_path = shutil.which(beside.name, path=str(beside.parent))
    if not program_path:
        raise BadSystem(f"{where} names the command “{program}”, which is not there; check its spelling and its place.")
    return (program_path, *command[1:])


def _common(keys: dict[str, Any], where: str) -> dict[str, Any]:
    common: dict[str, Any] = {"deadline_s": _number(keys, "deadline_s", _DEADLINE_S, where, 0.1, 600)}
    if "start_s" in keys:
        common["start_s"] = _number(keys, "start_s", _START_S, where, 0.1, 3600)
    variables = keys.pop("environment", [])
    if not isinstance(variables, list) or not all(isinstance(name, str) for name in variables):
        raise BadSystem(f"{where} “environment” must be a list of names of variables in quotes.")
    common["environment"] = tuple(variables)
    for key in ("no_answer", "failed"):
        if key in keys:
            common[key] = keys.pop(key)
            if not isinstance(common[key], str):
                raise BadSystem(f"{where} “{key}” must be the id of a canned message in quotes.")
    return common


def _without_ready(common: dict[str, Any]) -> dict[str, Any]:
    # A program of a lab need not say that it is ready; with start_s it is waited for.
    return {"start_s": None, **common}


def _number(keys: dict[str, Any], key: str, otherwise: float, where: str, least: float, most: float) -> float:
    value = keys.pop(key, otherwise)
    if type(value) not in (int, float) or not least <= value <= most:
        raise BadSystem(f"{where} “{key}” must be a number from {least:g} to {most:g}.")
    return float(value)


def _refuse(keys: Mapping[str, Any], where: str, *accepted: str) -> None:
    _only(keys, where, *accepted, "deadline_s", "start_s", "environment", "no_answer", "failed")


def _only(keys: Mapping[str, Any], where: str, *accepted: str) -> None:
    for key in keys:
        if key not in accepted:
            raise BadSystem(f"{where} has no key “{key}”, only: {', '.join(accepted)}.")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
