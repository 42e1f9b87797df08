"""A bar on standard error while something long is done, and nothing where nobody looks or nothing takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from curtain.base.terminal import shown

Tell = Callable[[str, float], None]


@contextmanager
def progress_bar() -> Iterator[Tell]:
    """Gives `tell(what, share)`, share from 0 to 1; the bar appears when it is called first and goes at the end."""
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

    def tell(what: str, share: float) -> None:
        progress.start()
        progress.update(task, description=escape(shown(what)), completed=share)

    try:
        yield tell
    finally:
        progress.stop()
