"""A bar on standard error while something long is done, and nothing where nobody looks or nothing takes long.

A window that runs the command as its child sets CURTAIN_PROGRESS=lines and gets a JSON line for each step instead.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from curtain.base.terminal import announce, shown

Report = Callable[[str, float], None]
PROGRESS_AS_LINES: Mapping[str, str] = {"CURTAIN_PROGRESS": "lines"}
"""What to add to the environment of a child whose progress is to be read."""


def progress_lines() -> Report | None:
    """Writes each step as one JSON line on standard error if the parent reads them, at most one for each per cent."""
    if os.environ.get("CURTAIN_PROGRESS") != "lines":
        return None
    last: dict[str, int] = {}

    def report(what: str, share: float) -> None:
        # A pipe that nobody empties as fast would hold the work up.
        per_cent = int(100 * share)
        if last.get(what) != per_cent:
            last[what] = per_cent
            announce(progress=share, what=what)

    return report


def counting(report: Report, what: str, total: int | None) -> Callable[[int], None]:
    """A function that moves the bar of `report` by a number of steps out of `total`."""
    done = 0

    def advance(steps: int) -> None:
        nonlocal done
        done += steps
        report(what, done / total if total else 0.0)

    return advance


@contextmanager
def progress_bar() -> Iterator[Report]:
    """Gives `report(what, share)`, share from 0 to 1; the bar appears when it is called first and goes at the end."""
    lines = progress_lines()
    if lines is not None:
        yield lines
        return
    # Not a terminal: the escapes of a bar would end up in a log or a pipe.
    if not sys.stderr.isatty():
        yield lambda what, share: None
        return
    # Only here: Rich is slow to load, and most runs show no bar.
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    progress = Progress(console=Console(stderr=True), transient=True)
    task = progress.add_task("", total=1.0)

    def report(what: str, share: float) -> None:
        progress.start()
        progress.update(task, description=escape(shown(what)), completed=share)

    try:
        yield report
    finally:
        progress.stop()
