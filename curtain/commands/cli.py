"""The command line: reads arguments, calls the rooms, prints. Nobody imports this file."""

import io
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.exceptions import TyperException

from curtain.base.disk import disk_problem
from curtain.base.errors import CurtainError
from curtain.base.privacy import keep_files_private
from curtain.base.terminal import print_error, print_line
from curtain.commands.layout import HelpGroup
from curtain.commands.table import ALL
from curtain.ports.discovery import installed


class Curtain(HelpGroup):
    """All commands."""

    headings = ALL


app = typer.Typer(
    cls=Curtain,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Runs one command. Problems are one sentence on standard error and exit 2; never a traceback."""
    # Before anything is written: recordings and logs are for this person alone.
    keep_files_private()
    for stream in (sys.stdout, sys.stderr):
        # What was said may need letters that the terminal's encoding lacks; JSON is UTF-8 everywhere.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    # As an exception, so that stations that were started are closed too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if sys.platform != "win32":  # the terminal was closed
        signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    if len(sys.argv) == 1 and "home" in ALL["Run"] and _can_open_home():
        sys.argv.append("home")
    interrupts = _noticed_interrupts()
    if "_CURTAIN_COMPLETE" in os.environ:
        _prepare_completion()
    try:
        _refuse_names_without_text(sys.argv[1:])
        # Not standalone: click would print and exit in its own words.
        code = app(standalone_mode=False) or 0
        sys.stdout.flush()
        sys.exit(code)
    except SystemExit as end:
        # Click ends with 1 when the reader of a pipe goes away.
        if isinstance(end.__context__, BrokenPipeError):
            _leave_pipe()
        if interrupts:
            _fail("Stopped.", 130)
        raise
    except BrokenPipeError:
        _leave_pipe()
    except (KeyboardInterrupt, typer.Abort):
        _fail("Stopped.", 130)
    except Exception as problem:
        # Ctrl+C inside a library, or in a process of ours, comes back as a problem of theirs.
        _fail(*("Stopped.", 130) if interrupts else _sentence_on(problem))


def _refuse_names_without_text(arguments: Sequence[str]) -> None:
    """Databases, exports and settings hold names as UTF-8. Asked here once, also of what a link leads to."""
    for name in (*arguments, os.curdir):
        for place in (name, os.path.realpath(name.partition("=")[2] if name.startswith("--") else name)):
            try:
                place.encode()
            except UnicodeEncodeError as error:
                odd = place.encode(errors="surrogateescape").decode(errors="backslashreplace")
                raise CurtainError(f"“{odd}” is no UTF-8 text. If it is a name, rename it; else correct it.") from error


def open_home() -> None:
    """The home window as a program of its own: `curtain home`. Without a console Windows gives it no streams."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - as long as the process
    sys.argv[1:] = ["home"]
    main()


def _noticed_interrupts() -> list[int]:
    """Grows with each Ctrl+C."""
    interrupts: list[int] = []

    def note(number: int, _: object) -> None:
        interrupts.append(number)
        raise KeyboardInterrupt

    # A shell that starts a command in the background has it ignore Ctrl+C.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, note)
    return interrupts


def _leave_pipe() -> NoReturn:
    # The reader went away, as `head` does; Python's own flush at the end would complain again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _sentence_on(problem: Exception) -> tuple[str, int]:
    """The sentence on a problem, and the exit code."""
    if isinstance(problem, CurtainError):
        return str(problem), 2
    if isinstance(problem, TyperException):
        message = problem.format_message().rstrip(".").replace("Value error, ", "")
        if message.startswith("Usage: "):
            # The help itself, where a family of commands is called without one.
            return message + ".", 2
        # A command may be that of a companion that does not load.
        more = installed().problems if "No such command" in message else ()
        message += "" if message.endswith("?") else "."
        return " ".join([*message.split(), *more, "“curtain --help” lists the commands and their options."]), 2
    if sentence := disk_problem(problem):
        return sentence, 2
    # Exit 70 is EX_SOFTWARE of sysexits.h: a problem of ours, not of the input.
    return f"Curtain met an error of its own ({type(problem).__name__}); {_write_problem(problem)}.", 70


def _show_version(wanted: bool) -> None:
    if wanted:
        from curtain.base.python_process import app_version

        print_line(f"curtain {app_version()}")
        raise typer.Exit


def _prepare_completion() -> None:
    """For the shell that asks, at each press of its key, what a word may become."""
    from typer._completion_classes import completion_init

    completion_init()


def _complete_in_shell(how: str) -> Any:
    def act(ctx: typer.Context, param: typer.CallbackParam, wanted: bool) -> None:
        if wanted:
            # Here alone: finding the shell takes longer than most commands.
            from typer import completion

            _prepare_completion()
            getattr(completion, f"{how}_callback")(ctx, param, True)

    return act


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("-V", "--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    install_completion: Annotated[
        bool,
        typer.Option(
            "--install-completion", callback=_complete_in_shell("install"), help="Let your shell complete commands."
        ),
    ] = False,
    show_completion: Annotated[
        bool,
        typer.Option(
            "--show-completion", callback=_complete_in_shell("show"), help="Print what your shell needs for that."
        ),
    ] = False,
) -> None:
    """Wizard-of-Oz speech sessions over a database, ending in a scored corpus."""


def _can_open_home() -> bool:
    """Where there is no display, or no home window is installed, `curtain` alone prints its help."""
    from curtain.qt.windows.display import has_display

    return has_display()


def _fail(sentence: str, code: int = 2) -> NoReturn:
    print_error(sentence)
    sys.exit(code)


def _write_problem(error: Exception) -> str:
    """Where the details are, for the end of a sentence. Never raises: what failed may keep a log from being written."""
    import traceback

    details = "".join(traceback.format_exception(error)).encode("utf-8", "backslashreplace")
    refused: list[str] = []
    for write in (_append_to_log, _write_temporary):
        try:
            return f"the details are in {write(details)}"
        except Exception as error:
            refused.append(str(error))
    return f"the details cannot be written: {'; '.join(refused)}"


def _append_to_log(details: bytes) -> Path:
    import platformdirs

    # Without HOME and without an entry among the system's users there is no such folder, and “~” would be made here.
    folder = Path(platformdirs.user_log_dir("curtain"))
    if not folder.is_absolute():
        raise FileNotFoundError(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "command-line.log"
    # Appended: the problem before this one may be the one that is asked about.
    with path.open("ab") as file:
        file.write(details)
    return path


def _write_temporary(details: bytes) -> Path:
    import tempfile

    descriptor, path = tempfile.mkstemp(prefix="curtain-fault-", suffix=".log")
    with os.fdopen(descriptor, "wb") as file:
        file.write(details)
    return Path(path)


if __name__ == "__main__":
    main()
