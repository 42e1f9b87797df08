"""The commands as actions of the window: what each asks for, what is filled in, and the call that comes of it."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from curtain.base.python_process import module_command, module_environment
from curtain_home.control.plans import CommandPlan, free_folder
from curtain_home.control.week import NAMES

Value = str | bool | tuple[str, ...]
Kind = Literal["flag", "choice", "number", "path", "text", "prose", "ticks"]
Purpose = Literal["", "file", "folder", "either", "new", "save", "window", "list"]
# What a window says by itself, and what the window that runs a command asks for itself.
_OURS = ("--json", "--theme", "--text-size", "--yes")
_OF_STUDY = ("study", "studies", "bundles", "sources", "place", "what")
_ASKS, _LOOKS = "--yes", "--look"
# Where the word of an option or an argument says too little in a form.
_CALLED = {
    "--as": "Join as", "--by": "Your name", "--chairs": "Open to other desks", "--check": "Only check",
    "--dev": "Share of dev", "--epsilon": "Tolerance",
    "--headless": "Without windows", "--id": "Number of the form", "--jobs": "Processes", "--list": "Only list",
    "--look": "Only look", "--max": "Maximum", "--mic": "Microphone", "--mic-file": "WAV file", "--n": "Most drafts",
    "--out": "Save as", "--output": "Loudspeaker", "--own": "Own drafter only",
    "--second": "As second annotator", "--sql": "SQL", "--table": "Only list",
    "--test": "Share of test", "--yes-no": "Yes/no question", "bundle": "Session", "bundles": "Sessions or studies",
    "place": "Session or study", "what": "Study or language", "who": "Session or speaker",
}  # fmt: skip
# Where an option of one command means something else than its namesakes.
_CALLED_IN = {
    "demo --study": "Small study to try commands on", "model measure --n": "Most questions",
    "score --by": "Also score by", "system run --out": "File of answers",
}  # fmt: skip


class Field(msgspec.Struct, frozen=True):
    """A value that a command or a setting takes. `option` gives it, "" for an argument; `off` takes a flag back;
    `help` is a sentence; `purpose` is what a path is for (`curtain.commands.purposes`), or that a command opens a
    window or only prints a list; `default` counts where nothing is given. `many` values stand one a line, or are ticked
    among the `choices`, to which a person may add files, or type another value, where it is `open_ended`.
    `called` is its name for people, where that is not made of the others; `group` is the heading that it stands
    under."""

    name: str
    help: str
    kind: Kind = "text"
    purpose: Purpose = ""
    option: str = ""
    off: str = ""
    choices: tuple[str, ...] = ()
    default: str = ""
    required: bool = False
    many: bool = False
    called: str = ""
    open_ended: bool = False
    group: str = ""

    @property
    def label(self) -> str:
        """Its name for people: “Include live” of `--include-live`."""
        if called := self.called or _CALLED.get(self.option or self.name):
            return called
        words = (self.option.lstrip("-") or self.name).replace("-", " ").replace("_", " ")
        return words[:1].upper() + words[1:]


class Action(msgspec.Struct, frozen=True):
    """A command: the words that call it, what it does, and what it takes."""

    path: tuple[str, ...]
    help: str
    fields: tuple[Field, ...] = ()

    def __post_init__(self) -> None:
        called = {one.name: _CALLED_IN.get(f"{self.command} {one.option}", one.called) for one in self.fields}
        fields = (msgspec.structs.replace(one, called=called[one.name]) for one in self.fields)
        msgspec.structs.force_setattr(self, "fields", tuple(fields))

    @property
    def command(self) -> str:
        """Its name on the command line: “judge new”."""
        return " ".join(self.path)

    @property
    def call(self) -> str:
        """What the documentation calls it: “curtain judge new”."""
        return f"curtain {self.command}"

    @property
    def title(self) -> str:
        """Its name for people: “Make packets for judges”."""
        return NAMES.get(self.command, self.command)

    @property
    def asked(self) -> tuple[Field, ...]:
        """What a form asks for: what must be given comes first."""
        hidden = (*_OURS, _LOOKS) if self.asks_first else _OURS
        ours = [one for one in self.fields if one.option not in hidden]
        return tuple(sorted(ours, key=lambda one: not one.required))

    @property
    def asks_first(self) -> bool:
        """Whether it says what it would do, and does it once a person agrees."""
        return any(one.option == _ASKS for one in self.fields)

    def opens_window(self, values: Mapping[str, Value]) -> bool:
        """Whether it opens a window of its own, which goes on without this one; a list is only printed."""
        lists = any(one.purpose == "list" and values.get(one.name) is True for one in self.fields)
        return any(one.purpose == "window" for one in self.fields) and not lists


@dataclass(frozen=True)
class OpenNow:
    """What is open now: the study with its domain, the folder of the chosen session, and the references beside the
    latest export that has some."""

    study: Path | None = None
    domain: str = ""
    session: Path | None = None
    references: Path | None = None

    def filled_in(self, action: Action) -> dict[str, str]:
        """By field, what is clear from what is open."""
        values = {one.name: self._value(one, action) for one in action.asked}
        return {name: value for name, value in values.items() if value}

    def _value(self, field: Field, action: Action) -> str:
        study = self.study
        if study is None:
            return ""
        if field.name == "domain" and not field.many and field.kind == "text" and self.domain:
            return self.domain
        if field.name in _OF_STUDY:
            return str(study)
        if field.name == "bundle":
            return str(self.session or "")
        if field.name == "references":
            return str(self.references or "")
        wanted = field.required or field.help.startswith("The new folder")
        if field.purpose == "new" and wanted:
            return str(free_folder(study.parent, "-".join((study.name, *action.path))))
        return ""


def missing_in(action: Action, values: Mapping[str, Value]) -> Field | None:
    """The first value that must be given and is not."""
    arguments = [one for one in action.fields if not one.option]
    last = max((at for at, one in enumerate(arguments) if values.get(one.name)), default=-1)
    # An argument is known by its place: those before it must be there.
    needed = [*arguments[:last], *(one for one in action.asked if one.required)]
    return next((one for one in needed if not values.get(one.name)), None)


def arguments_of(action: Action, values: Mapping[str, Value]) -> tuple[str, ...]:
    """The call with these values by field; what is empty or the default is left out."""
    options: list[str] = []
    given: list[str] = []
    for field in action.fields:
        value = values.get(field.name, "")
        each = value if isinstance(value, tuple) else (value,)
        if field.kind == "flag":
            if value != bool(field.default) and field.name in values:
                options.append(field.option if value else field.off)
        elif field.option:
            # In one word: a value may begin with a hyphen.
            options += [f"{field.option}={one}" for one in each if one and one != field.default]
        else:
            given += [str(one) for one in each if one]
    return (*action.path, *filter(None, options), *(["--", *given] if given else []))


def plan_of(action: Action, values: Mapping[str, Value], place: Path | None) -> CommandPlan:
    """The call as a plan, which only looks where the command asks first; paths that are not whole count from the
    folder `place`."""
    arguments = arguments_of(action, values)
    if action.asks_first and any(one.option == _LOOKS for one in action.fields):
        arguments = _with_option(arguments, _LOOKS)
    return CommandPlan(f"do {action.command}", action.title, arguments, place=place, reads=True)


def with_yes(arguments: Sequence[str]) -> tuple[str, ...]:
    """The same call, for a person who has agreed to what it said."""
    return _with_option([one for one in arguments if one != _LOOKS], _ASKS)


def _with_option(arguments: Sequence[str], option: str) -> tuple[str, ...]:
    at = arguments.index("--") if "--" in arguments else len(arguments)
    return (*arguments[:at], option, *arguments[at:])


def read_actions() -> tuple[Action, ...]:
    """All actions, as a child process lists them: only that loads the rooms."""
    command = module_command("curtain.commands.description")
    quiet = subprocess.DEVNULL
    listed = subprocess.run(command, env=module_environment(), stdin=quiet, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(listed.stdout, type=tuple[Action, ...])
