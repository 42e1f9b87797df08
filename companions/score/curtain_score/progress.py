"""A progress bar on standard error, for people only."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from curtain.base.progress_bar import counting, progress_lines

Advance = Callable[[int], object]


@contextmanager
def progress_bar(title: str, total: int | None, show: bool = True) -> Iterator[Advance]:
    """A bar that `advance(steps)` moves on; nothing is shown where standard error is no terminal."""
    lines = progress_lines()
    if lines is not None:
        yield counting(lines, title, total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    # On standard error: standard output may be a file of verdicts.
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not (show and console.is_terminal), transient=True) as progress:
        task = progress.add_task(title, total=total)
        yield lambda steps: progress.advance(task, steps)


def size_of(path: Path) -> int | None:
    """The bytes of a file that is read as it is; None where they are not known beforehand."""
    try:
        # Of an archive only the packed size is known.
        return path.stat().st_size if path.suffix != ".gz" and path.is_file() else None
    except OSError:
        return None
