"""What the process of a window is given: the fields of one class, each as `--name value` on its command line.

`curtain …` starts these processes; what a person types is explained and checked there.
"""

import argparse
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from types import NoneType
from typing import ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

from curtain.qt.style import Theme


@dataclass(frozen=True, kw_only=True)
class WindowOptions:
    """What every window is given. Without a `theme` or a `text_size` it looks as it did last, at first in the
    `usual_theme`; without a `language` it speaks the study's, or the system's. `drive`: JSON lines on standard input
    press its keys."""

    usual_theme: ClassVar[Theme] = "system"
    theme: Theme | None = None
    text_size: int | None = None
    language: str = ""
    drive: bool = False


Options = TypeVar("Options", bound=WindowOptions)


def read_options(kind: type[Options], arguments: Sequence[str] | None = None) -> Options:
    """A field that is a yes or no is an option without a value, and a list stands for one that may come several times.

    Wrong ones end the program with one line and exit code 2.
    """
    parser = argparse.ArgumentParser(prog=kind.__module__, argument_default=argparse.SUPPRESS)
    hints = get_type_hints(kind)
    for field in fields(kind):
        name, hint = f"--{field.name.replace('_', '-')}", hints[field.name]
        wanted = get_args(hint)[0] if NoneType in get_args(hint) else hint
        if wanted is bool:
            parser.add_argument(name, action="store_true")
        elif get_origin(wanted) is list:
            parser.add_argument(name, action="append")
        elif get_origin(wanted) is Literal:
            parser.add_argument(name, choices=get_args(wanted))
        else:
            parser.add_argument(name, type=wanted, required=field.default is field.default_factory is MISSING)
    return kind(**vars(parser.parse_args(arguments)))
