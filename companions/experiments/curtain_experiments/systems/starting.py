"""How each kind of system becomes a running program that speaks the protocol."""

import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from curtain.base.privacy import NeededAgreement, NotAgreed, ensure_agreed
from curtain.base.python_process import start_command, start_module_with
from curtain.domain.pack.reader import Pack
from curtain.domain.pack.trust import COMMANDS, files_below, identity_of, plugin_agreement
from curtain_drafts.tool.serving.settings import agreements_of as agreements_of_drafter
from curtain_experiments.systems.choice import HostOrder, SystemChoice, drafters_of
from curtain_experiments.systems.client import Start, SystemClient
from curtain_experiments.systems.protocol import line_of


@dataclass(frozen=True)
class SystemGround:
    """What a system answers over: the pack and its database; `study` is the folder of a study, with its `drafters`."""

    pack: Pack
    database: Path
    study: Path | None = None
    drafters: dict[str, Any] | None = None


def start_system(
    choice: SystemChoice, ground: SystemGround, on_ready: Callable[[], None] = lambda: None, log: Path | None = None
) -> SystemClient:
    """Start a system; what it writes to standard error is appended to `log`. Raises NotAgreed."""
    ensure_agreed(agreements_of(choice), Path(choice.study))
    start = _command_start(choice, ground, log) if choice.kind == "command" else _hosted_start(choice, ground, log)
    return SystemClient(choice, start, on_ready)


def agreements_of(choice: SystemChoice) -> Iterator[NeededAgreement]:
    """What of a study a system would start or send, and what it would be given. Raises NotAgreed."""
    given = f", which gets of your environment {', '.join(choice.environment)}" if choice.environment else ""
    if choice.study and choice.kind == "command":
        words = [choice.study, choice.command, choice.environment]
        sentence = f"The study starts a program: {' '.join(choice.command)}{given}"
        yield NeededAgreement(COMMANDS, identity_of(words, _files_of(Path(choice.study), choice.command)), sentence)
    elif choice.study and choice.kind in ("plugin", "recogniser"):
        options = {key: value for key, value in choice.options.items() if key != "plugin"}
        yield from plugin_agreement(choice.options.get("plugin", choice.name), options, choice.environment)
    elif choice.kind == "chat":
        for drafter in drafters_of(choice):
            yield from agreements_of_drafter(drafter)


# Where Curtain, Python and Git write: what is there is another tomorrow, and no agreement covers it.
_OURS = ("sessions", "heads", "logs", "state", "spool", "training", ".git", "__pycache__")
_REACHES = re.compile(rf"(?:^|[^\w-]|^-\w)({'|'.join(map(re.escape, _OURS))})(?![\w-])", re.IGNORECASE)
_LISTS = r"(consents|exports|heads|solution_rulings|tombstones|withdrawn)\.jsonl|(tasks|consent-form)\.(pdf|html)"
_WRITTEN = re.compile(rf"({_LISTS}|pseudonyms\.key|splits\.json|study\.toml)((\.\d+)?\.part)?")
_LARGEST = 256 * 1024 * 1024


def _files_of(study: Path, command: Sequence[str]) -> Iterator[Path]:
    """Files that a command names, and what Curtain does not write of its study, up to 256 MB each. Raises NotAgreed."""
    study = Path(os.path.realpath(study))
    for word in command:
        if (reached := _REACHES.search(word)) and not _is_elsewhere(study, word):
            where = f"{study}: the command says “{word}”, and “{reached[1]}” is a folder that no agreement covers"
            raise NotAgreed(f"{where}. Programs belong in a folder of their own, such as “programs”.")
        if (path := Path(os.path.normpath(study / word))).is_file():
            yield path
    for path in files_below(study, lambda folder: folder.name == ".git" or folder in {study / name for name in _OURS}):
        if not (path.parent == study and _WRITTEN.fullmatch(path.name)) and path.stat().st_size <= _LARGEST:
            yield path


def _is_elsewhere(study: Path, word: str) -> bool:
    """Whether a word is the path of a file that is in no folder of ours, such as `bin/training/run.py`."""
    # Without a slash it could be a module, and with a space a line of a shell.
    if not re.fullmatch(r"[\w.:-]*[/\\][\w./\\:-]*", word) or not (study / word).is_file():
        return False
    path = Path(os.path.realpath(study / word))
    return study not in path.parents or path.relative_to(study).parts[0].casefold() not in _OURS


def _command_start(choice: SystemChoice, ground: SystemGround, log: Path | None) -> Start:
    def start() -> subprocess.Popen[bytes]:
        with _standard_error(log) as errors:
            return start_command(
                choice.command, choice.environment, cwd=ground.study, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=errors,
            )  # fmt: skip

    return start


def _hosted_start(choice: SystemChoice, ground: SystemGround, log: Path | None) -> Start:
    order = HostOrder(
        choice=choice,
        pack=str(ground.pack.folder),
        database=str(ground.database),
        rule_book=ground.pack.rule_book,
        study=str(ground.study or ""),
        drafters=ground.drafters or {},
    )

    def start() -> subprocess.Popen[bytes]:
        with _standard_error(log) as errors:
            process = start_module_with(
                choice.environment, "curtain_experiments.systems.hosted.host", stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=errors,
            )  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(line_of(order))
        process.stdin.flush()
        return process

    return start


@contextmanager
def _standard_error(log: Path | None) -> Iterator[IO[bytes]]:
    """Where a child's standard error goes; the child has its own copy when this is closed."""
    if log is not None:
        log.parent.mkdir(parents=True, exist_ok=True)
    with open(log or os.devnull, "ab") as file:
        yield file
