"""What came of a command: a sentence for a terminal, and one JSON line at its end for a window that runs it."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from curtain.base.terminal import Say, announce, print_line


class CommandResult(msgspec.Struct, frozen=True):
    """`sentence` is for a person, `made` are the files and folders that are new, `counts` are numbers by name."""

    sentence: str = ""
    made: tuple[str, ...] = ()
    counts: dict[str, int] = {}


NOTHING = CommandResult()
"""Of a command that gives none."""


def end_with(sentence: str, made: Iterable[Path] = (), *, say: Say | None = print_line, **counts: int) -> int:
    """Say what came of a command as the last thing that it does; 0, its exit code. `say` is None where a terminal has
    seen it already."""
    if say:
        say(sentence)
    result = CommandResult(sentence, tuple(str(path.absolute()) for path in made), counts)
    announce(result=msgspec.to_builtins(result))
    return 0
