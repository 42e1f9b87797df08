"""The command line: reads arguments, calls the rooms, prints. Nobody imports this file."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.exceptions import TyperException

from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.base.privacy import keep_files_private
from curtain.base.terminal import print_error, print_line, print_table
from curtain.commands.challenges import challenge_app
from curtain.commands.corpus import COMMANDS
from curtain.commands.help_layout import HelpGroup, lay_out
from curtain.commands.options import AsJson, Output, TextSize, Theme
from curtain.commands.reports import judge_app, report
from curtain.commands.scores import SCORES
from curtain.commands.system import system_app
from curtain.commands.test_sets import test_set_app

app = typer.Typer(
    cls=HelpGroup,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
study_app = typer.Typer(
    cls=HelpGroup, help="Make a study, and agree to one from elsewhere.", no_args_is_help=True, rich_markup_mode=None
)
app.add_typer(study_app, name="study")
domain_app = typer.Typer(
    cls=HelpGroup,
    help="Make, check and build domain packs: a database and what its words mean.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(domain_app, name="domain")
app.add_typer(system_app, name="system")
app.add_typer(judge_app, name="judge")
app.add_typer(test_set_app, name="test-set")
app.add_typer(challenge_app, name="challenge")

Domain = Annotated[str, typer.Option("--domain", help="A bundled database (personnel, atis) or a pack's folder.")]
Headless = Annotated[bool, typer.Option("--headless", help="Draw the windows without showing them.")]
YesNo = Annotated[bool, typer.Option("--yes-no", help="The question is a yes/no question.")]
Listen = Annotated[
    str,
    typer.Option(
        "--listen", help="A name for the subject's station on this computer, or ADDRESS:PORT for another one."
    ),
]


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
    if len(sys.argv) == 1 and _can_open_home():
        sys.argv.append("home")
    interrupts = _noticed_interrupts()
    try:
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
        # Ctrl+C inside a library, or in a process of ours, comes back as a fault of theirs.
        _fail(*("Stopped.", 130) if interrupts else _sentence_on(problem))


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
        message = problem.format_message().rstrip(".")
        return f"{message}. “curtain --help” lists the commands and their options.", 2
    # Exit 70 is EX_SOFTWARE of sysexits.h: a fault of ours, not of the input.
    return f"Curtain met a fault of its own ({type(problem).__name__}); {_write_fault(problem)}.", 70


def _show_version(wanted: bool) -> None:
    if wanted:
        print_line(f"curtain {metadata.version('curtain-woz')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Wizard-of-Oz speech sessions over a database, ending in a scored corpus."""


@app.command()
def demo(
    domain: Domain = "personnel",
    out: Annotated[Path, typer.Option("--out", help="The study folder to make or continue.")] = Path("curtain-demo"),
    headless: Headless = False,
    experiment: Annotated[
        bool, typer.Option("--experiment", help="Play a small comparison of two systems instead.")
    ] = False,
) -> None:
    """Run both stations on this machine over a sample database; without a display, play a script."""
    # Here and below: what a command needs is imported when it runs, so that --help stays quick.
    from curtain.rehearsal import demo as demonstration

    if experiment:
        from curtain.rehearsal.comparison import play_comparison

        # A folder of its own: a study with conditions is another one.
        play_comparison(domain, Path("curtain-experiment") if out == Path("curtain-demo") else out, print_line)
        return
    demonstration.run(domain, out, headless=headless, tell=print_line)


@app.command()
def home(
    theme: Annotated[
        str | None, typer.Option("--theme", help="system, light, dark or contrast; the window remembers it.")
    ] = None,
    text_size: Annotated[
        int | None, typer.Option("--text-size", help="The size of text in percent, from 80 to 200; remembered too.")
    ] = None,
) -> None:
    """Open the home window, in which everything can be done without a terminal; “curtain” alone opens it too."""
    from curtain.commands.windows import appearance_options, open_window

    # Only what was given: the window remembers how it looked.
    given = appearance_options(theme or "system", text_size or 100)
    options = (given[:2] if theme else []) + (given[2:] if text_size else [])
    raise typer.Exit(open_window("curtain.home", options))


@app.command("install-desktop")
def install_desktop(
    remove: Annotated[bool, typer.Option("--remove", help="Take Curtain out of the menu again.")] = False,
) -> None:
    """Put Curtain with its icon into the menu of a Linux desktop."""
    from curtain.commands import desktop_entry

    raise typer.Exit(desktop_entry.remove() if remove else desktop_entry.install())


@study_app.command("new")
def study_new(
    folder: Annotated[Path, typer.Argument(help="The folder to make.")],
    domain: Domain = "personnel",
    language: Annotated[str, typer.Option("--language", help="What the subject reads: en, de, es or zh.")] = "en",
) -> None:
    """Make a study folder with a commented study.toml."""
    from curtain.domain.pack.pack import named_pack
    from curtain.session.study.study import new_study
    from curtain.session.study.text_packs import load_texts

    # Before the folder is made: a language that there is not leaves nothing behind.
    load_texts(language)
    study = new_study(folder, named_pack(domain).lasting_name, language=language)
    print_line(f"The study is in {study.folder}; look through {study.folder / 'study.toml'} before the first session.")


@study_app.command("texts")
def study_texts(
    what: Annotated[str, typer.Argument(metavar="STUDY|LANG", help="A study's folder, or a language such as fr.")],
    out: Annotated[Path | None, typer.Option("--out", help="The file to write.")] = None,
) -> None:
    """Write a file of all that the subject reads, to translate or to word anew."""
    from curtain.commands.study.study_texts import write_texts

    path = write_texts(what, out)
    print_line(f'The texts are in {path}. Translate them, and write language = "{path.name}" into study.toml.')


@study_app.command("trust")
def study_trust(
    study: Annotated[Path, typer.Argument(help="The study folder.")],
    yes: Annotated[bool, typer.Option("--yes", help="Agree without being asked.")] = False,
) -> None:
    """Show what a study from elsewhere would run and send, and agree to it on this machine."""
    from curtain.commands.study import trust

    # Without a terminal nobody can be asked, and silence is no agreement.
    def ask(question: str) -> bool:
        return yes or (sys.stdin.isatty() and typer.confirm(question))

    raise typer.Exit(trust.run(study, ask))


@domain_app.command("new")
def domain_new(
    source: Annotated[Path, typer.Argument(help="A DuckDB or SQLite file, or a folder of CSV or Parquet files.")],
    out: Annotated[Path | None, typer.Option("--out", help="The pack's folder to make.")] = None,
    header: Annotated[
        list[str] | None,
        typer.Option("--header", help="The line of a CSV file that holds the names, or 0 for none. FILE=LINE for one."),
    ] = None,
    dates: Annotated[
        list[str] | None,
        typer.Option("--dates", help="How to read dates such as 01/02/2020: dmy, mdy or text. FILE=dmy for one."),
    ] = None,
    encoding: Annotated[
        list[str] | None,
        typer.Option("--encoding", help="The encoding of texts that are not UTF-8, such as cp1252. FILE=… for one."),
    ] = None,
    look: Annotated[
        bool, typer.Option("--look", help="Show the first rows and how they are understood; make nothing.")
    ] = False,
) -> None:
    """Make a pack from a database; it works at once, and you can change its guesses."""
    from curtain.commands import domain_packs

    if out is None and not look:
        raise typer.BadParameter("name the pack's folder to make, or add --look", param_hint="--out")
    raise typer.Exit(domain_packs.new(source, None if look else out, header or [], dates or [], encoding or []))


@domain_app.command("check")
def domain_check(
    pack: Annotated[str, typer.Argument(help="A bundled database or a pack's folder.")], as_json: AsJson = False
) -> None:
    """List what is wrong or missing in a pack. Exit 1 if anything does not work."""
    from curtain.commands import domain_packs

    raise typer.Exit(domain_packs.check(pack, as_json))


@domain_app.command("trust")
def domain_trust(pack: Annotated[str, typer.Argument(help="A pack's folder.")]) -> None:
    """Agree that a pack may run on this machine when a study or a session names it."""
    from curtain.commands import domain_packs

    raise typer.Exit(domain_packs.trust(pack))


@domain_app.command("build")
def domain_build(
    domain: Annotated[str, typer.Argument(help="A bundled database or a pack's folder.")],
    out: Annotated[Path, typer.Option("--out", help="The DuckDB file to write.")],
    seed: Annotated[int | None, typer.Option("--seed", help="A seed for other data of the same kind.")] = None,
) -> None:
    """Build the DuckDB file of a pack."""
    from curtain.commands import domain_packs

    raise typer.Exit(domain_packs.build(domain, out, seed))


@domain_app.command("copies")
def domain_copies(
    domain: Annotated[str, typer.Argument(help="A bundled database or a pack's folder.")],
    out: Annotated[Path, typer.Option("--out", help="The folder for the copies.")],
    count: Annotated[int, typer.Option("--count", help="How many copies to make.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Another seed alters other rows.")] = 1,
) -> None:
    """Make altered copies of a database, on which an answer that is right by chance is wrong."""
    from curtain.evaluation.copies.commands import run_copies

    raise typer.Exit(run_copies(domain, out, count, seed))


@app.command()
def wizard(
    study: Annotated[Path, typer.Option("--study", help="The study folder.")],
    listen: Listen = "curtain",
    output: Output = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the unfinished session at once.")] = False,
    pilot: Annotated[bool, typer.Option("--pilot", help="Begin with “Trial session” ticked.")] = False,
    chime: Annotated[
        bool, typer.Option("--chime", help="A soft tone for a new question, a call for help and a stated answer.")
    ] = False,
    wizard_id: Annotated[str, typer.Option("--wizard", help="Who sits here.")] = "",
    chairs: Annotated[
        str, typer.Option("--chairs", help="ADDRESS:PORT of this computer at which other desks may join the session.")
    ] = "",
    join: Annotated[
        str, typer.Option("--join", help="ADDRESS:PORT of another wizard's station, whose session this desk joins.")
    ] = "",
    role: Annotated[
        str, typer.Option("--as", help="observer, transcriber, answerer or wizard: as what it joins.")
    ] = "observer",
    code: Annotated[str, typer.Option("--code", help="The code that the other station shows; needed once.")] = "",
    theme: Theme = "system",
    text_size: TextSize = 100,
    language: Annotated[
        str, typer.Option("--language", help="The window's language, such as de; the system's if not named.")
    ] = "",
) -> None:
    """Start the wizard's station, or another desk that joins its session."""
    from curtain.commands.windows import appearance_options, open_window

    if join and not wizard_id:
        raise CurtainError("Say who joins: --wizard ID.")
    joining = {"--chairs": chairs, "--join": join, "--as": role if join else "", "--code": code, "--wizard": wizard_id}
    options = ["--study", str(study), "--listen", listen, *(["--output", output] if output else [])]
    options += appearance_options(theme, text_size)
    options += ["--resume"] * resume + ["--pilot"] * pilot + ["--chime"] * chime
    options += ["--language", language] if language else []
    options += [part for name, value in joining.items() if value for part in (name, value)]
    raise typer.Exit(open_window("wizard_app", options))


@app.command()
def subject(
    connect: Annotated[
        str,
        typer.Option(
            "--connect", help="Where the wizard's station listens: a name on this computer, or ADDRESS:PORT of another."
        ),
    ] = "curtain",
    mic: Annotated[str | None, typer.Option("--mic", help="The microphone, by name.")] = None,
    mic_file: Annotated[Path | None, typer.Option("--mic-file", help="A WAV file in place of a microphone.")] = None,
    spool: Annotated[
        Path | None, typer.Option("--spool", help="The folder for recordings until both sides hold them.")
    ] = None,
    keep_days: Annotated[
        float | None, typer.Option("--keep-days", min=0, help="Keep recordings this many days longer (0).")
    ] = None,
    full_screen: Annotated[bool, typer.Option("--full-screen", help="Fill the whole screen.")] = False,
    theme: Theme = "light",
    text_size: TextSize = 100,
    language: Annotated[
        str, typer.Option("--language", help="What the screen says before a session says another: en, de, es or zh.")
    ] = "en",
) -> None:
    """Start the subject's station."""
    from curtain.commands.windows import appearance_options, open_window
    from curtain.session.study.text_packs import load_texts

    if mic_file is not None and not mic_file.is_file():
        raise CurtainError(f"There is no file {mic_file}; name a WAV file after --mic-file.")
    # Only what was given: the station has its own defaults and settings.
    pairs = {"--connect": connect, "--mic": mic, "--mic-file": mic_file, "--spool": spool, "--keep-days": keep_days}
    options = [part for name, value in pairs.items() if value is not None for part in (name, str(value))]
    load_texts(language)
    options += [*appearance_options(theme, text_size), "--language", language]
    raise typer.Exit(open_window("subject_app", [*options, *(["--full-screen"] if full_screen else [])]))


@app.command()
def rehearse(
    script: Annotated[Path, typer.Argument(help="A file of JSON lines, one step each.")],
    domain: Domain = "personnel",
    out: Annotated[Path, typer.Option("--out", help="The study folder to make or continue.")] = Path("rehearsal"),
    headless: Headless = False,
    mic: Annotated[
        str | None, typer.Option("--mic", help="Speak into this microphone instead of the replay device.")
    ] = None,
    speaker: Annotated[str, typer.Option("--speaker", help="The speaker id: three letters or digits.")] = "r00",
    pilot: Annotated[bool, typer.Option("--pilot", help="Mark the session as a trial, which is no data.")] = False,
    shots: Annotated[
        Path | None, typer.Option("--shots", help="A folder for screenshots of both windows at the last answer.")
    ] = None,
) -> None:
    """Play a script through both stations by pressing their keys."""
    from curtain.desk.windows.display import has_display
    from curtain.rehearsal import player, stage
    from curtain.session.bundle.bundle import Bundle
    from curtain.session.turns.coverage import coverage_of
    from curtain.session.turns.pace import pace_of, shared_work_of
    from curtain.session.turns.turns import read_turns

    headless = headless or not has_display()
    plan = stage.RehearsalPlan(
        script=script, domain=domain, study=out, headless=headless, microphone=mic, speaker=speaker, shots=shots,
        wizard_options=("--pilot",) if pilot else (),
    )  # fmt: skip
    bundle = player.play(plan, tell=print_error)
    # On standard error: standard output holds only the bundle's path, for a script.
    played = read_turns(Bundle(bundle))
    sentences = (pace_of(played).sentence(), shared_work_of(played), coverage_of(played).sentence())
    for sentence in filter(None, sentences):
        print_error(sentence)
    print_line(bundle)


@app.command()
def turns(
    bundle: Annotated[Path, typer.Argument(help="A session's folder.")],
    of_session: Annotated[
        bool, typer.Option("--session", help="One object of the whole session: tasks, questionnaires, scores.")
    ] = False,
) -> None:
    """Print one JSON object for each turn. Exit 1 if a journal is damaged: turns may be missing or incomplete."""
    if of_session:
        from curtain.commands.study.questionnaires import session_object

        return print_line(json.dumps(session_object(bundle), ensure_ascii=False))
    from curtain.commands.study.solution import with_solutions
    from curtain.corpus.model.turn_objects import turn_objects
    from curtain.session.bundle.bundle import Bundle
    from curtain.session.turns.turns import read_turns

    session_bundle = Bundle(bundle)
    for turn in turn_objects(session_bundle, list(with_solutions(session_bundle, read_turns(session_bundle)))):
        print_line(json.dumps(turn, ensure_ascii=False))
    faults = session_bundle.faults_in_journals()
    for fault in faults:
        print_error(fault)
    # All turns that could be read are printed first; the exit code tells that some may be missing.
    raise typer.Exit(1 if faults else 0)


@app.command()
def answer(
    sql: Annotated[str, typer.Option("--sql", help="One SELECT statement.")],
    domain: Domain = "personnel",
    yes_no: YesNo = False,
    rule_book: Annotated[
        int | None, typer.Option("--rule-book", help="The year of the rules, if not the domain's own.")
    ] = None,
    show: Annotated[
        str, typer.Option("--show", help="What the subject would read: minimum, readable or maximum.")
    ] = "minimum",
    as_json: AsJson = False,
) -> None:
    """Run one statement and show its table, minimum and maximum answer."""
    from curtain.base.progress_bar import progress_bar
    from curtain.base.show import SHOWS
    from curtain.domain.answer import answer_statement
    from curtain.domain.pack.pack import named_pack
    from curtain.domain.rules.principles import under_rule_book

    wanted = next((one for one in SHOWS if one == show), None)
    if wanted is None:
        raise CurtainError(f"--show must be {', '.join(SHOWS[:-1])} or {SHOWS[-1]}, not “{show}”.")
    pack = under_rule_book(named_pack(domain), rule_book, "--rule-book")
    cautions: list[str] = []
    with progress_bar() as tell:
        # Notes on standard error, so that --json stays one object.
        result = answer_statement(pack, sql, yes_no, show=wanted, progress=tell, caution=cautions.append)
    for sentence in cautions:
        print_error(sentence)
    if result.error:
        raise CurtainError(result.error)
    if as_json:
        print_line(json.dumps(_answer_object(result), ensure_ascii=False))
    else:
        _print_answer(result)


@app.command()
def draft(
    question: Annotated[str | None, typer.Argument(help="The question to draft for.")] = None,
    domain: Domain = "personnel",
    study: Annotated[
        Path | None, typer.Option("--study", help="A study: its domain, with its answered turns as examples.")
    ] = None,
    questions: Annotated[Path | None, typer.Option("--questions", help="JSON lines {id, question, previous?}.")] = None,
    examples: Annotated[
        list[Path] | None, typer.Option("--examples", help="More answered questions: JSON lines {question, sql}.")
    ] = None,
    previous: Annotated[
        list[str] | None, typer.Option("--previous", help="SQL of an earlier turn that the question follows.")
    ] = None,
    n: Annotated[int, typer.Option("--n", help="The most drafts to show.")] = 5,
    reading: Annotated[
        str, typer.Option("--reading", help="How to read the ends of periods: pack or published.")
    ] = "pack",
    list_examples: Annotated[bool, typer.Option("--list", help="List what a study has learned, with ids.")] = False,
    withdraw: Annotated[
        str | None, typer.Option("--withdraw", help="The id of an example that the study must not use.")
    ] = None,
    restore: Annotated[
        str | None, typer.Option("--restore", help="The id of a withdrawn example to use again.")
    ] = None,
    who: Annotated[str | None, typer.Option("--who", help="Who withdraws; you by default.")] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Show how many requests the study's drafts covered.")
    ] = False,
    own: Annotated[bool, typer.Option("--own", help="Ask Curtain's own drafter only.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draft SQL for a question, best first, with confidence; list what a study has learned."""
    from curtain.commands import draft

    if study is None and (list_examples or withdraw or restore or coverage):
        # These speak of a study's examples; without one there is nothing to list.
        raise CurtainError("Name the study: --study DIR.")
    if study and coverage:
        raise typer.Exit(draft.show_coverage(study, as_json))
    if study and list_examples:
        raise typer.Exit(draft.show_examples(study, as_json))
    if study and (withdraw or restore):
        raise typer.Exit(draft.change_withdrawal(study, withdraw or restore or "", who, back=not withdraw))
    options = draft.DraftOptions(
        domain, study, tuple(examples or ()), question, questions, tuple(previous or ()), n, reading, as_json, own
    )
    raise typer.Exit(draft.run(options))


for _name, _command in SCORES.items():
    app.command(_name)(_command)
app.command()(report)
for _name, _command in COMMANDS.items():
    app.command(_name)(_command)


@app.command()
def check(
    mic: Annotated[str | None, typer.Option("--mic", help="The microphone to look for.")] = None,
    study: Annotated[Path | None, typer.Option("--study", help="The study whose settings to check.")] = None,
    domain: Domain = "personnel",
    connect: Annotated[str, typer.Option("--connect", help="The wizard's station's ADDRESS:PORT to measure to.")] = "",
    as_json: AsJson = False,
) -> None:
    """Check microphone, loudspeaker, disk, database, link, display, settings and network."""
    from curtain.commands import check

    findings = check.look_around(mic, study, domain, connect)
    if as_json:
        print_line(json.dumps([finding.as_json() for finding in findings], ensure_ascii=False))
    else:
        for finding in findings:
            print_line(f"{'ok  ' if finding.well else 'BAD '} {finding.what}: {finding.text}")
    raise typer.Exit(0 if all(finding.well for finding in findings) else 1)


@app.command()
def verify(bundle: Annotated[Path, typer.Argument(help="A session's folder.")], as_json: AsJson = False) -> None:
    """Check that every file of a bundle is present and unchanged. Exit 1 if not."""
    from curtain.session.bundle.bundle import Bundle

    session_bundle = Bundle(bundle)
    faults = session_bundle.verify()
    if as_json:
        print_line(
            json.dumps(
                {
                    "state": session_bundle.state,
                    "faults": [{"file": f.file, "what": f.what, "remedy": f.remedy} for f in faults],
                    "notes": session_bundle.notes(),
                }
            )
        )
    else:
        for fault in faults:
            print_line(f"{fault.file}: {fault.what} {fault.remedy}")
        for note in session_bundle.notes():
            print_line(note)
        if not faults:
            print_line(f"{bundle}: everything is there and unchanged ({session_bundle.state}).")
    raise typer.Exit(1 if faults else 0)


@app.command()
def repair(
    bundle: Annotated[Path, typer.Argument(help="A session's folder.")],
    to: Annotated[
        Path | None, typer.Option("--to", help="The folder of the repaired copy; beside the bundle by default.")
    ] = None,
) -> None:
    """Repair a copy of a bundle; the original never changes."""
    from curtain.session.bundle.bundle import Bundle
    from curtain.session.bundle.repair import NOTHING_WRONG

    # `real_path`, since the name of “.” or of a link is not the name of the bundle.
    copy = to or bundle.parent / f"{real_path(bundle).name}-repaired"
    report = Bundle(bundle).repair(copy)
    for line in report:
        print_line(line)
    print_line(f"The repaired copy is in {copy}.")
    if report != [NOTHING_WRONG]:
        print_line(f"To use it: move {bundle} to a folder outside the study, then rename {copy} to {bundle}.")


# After all commands are registered: it changes the class of each.
lay_out(app, study_app, domain_app, system_app, judge_app, test_set_app, challenge_app)


def _answer_object(result: Any) -> dict[str, Any]:
    table = result.shown or result
    return {
        "sql": result.sql,
        "headings": list(table.headings),
        "rows": [list(row) for row in table.rows],
        "total": table.total,
        "ms": result.ms,
        "cas_min": result.cas_min,
        "cas_max": result.cas_max,
        "sql_max": result.sql_max,
        "cas_error": result.cas_error,
        "max_error": result.max_error,
    }


def _print_answer(result: Any) -> None:
    table = result.shown or result
    print_table(table.headings, table.rows, table.numeric)
    if table.total > len(table.rows):
        print_line(f"first {len(table.rows)} of {table.total}")
    if result.show_fault:
        print_line(f"shown as the minimum: {result.show_fault}")
    for name in ("cas_min", "cas_max", "sql_max", "cas_error", "max_error"):
        if getattr(result, name) is not None:
            print_line(f"{name}: {getattr(result, name)}")


def _can_open_home() -> bool:
    """Where there is no display, `curtain` alone prints its help."""
    from curtain.desk.windows.display import has_display

    return has_display()


def _fail(sentence: str, code: int = 2) -> NoReturn:
    print_error(sentence)
    sys.exit(code)


def _write_fault(error: Exception) -> str:
    """Where the details are, for the end of a sentence. Never raises: what failed may keep a log from being written."""
    import traceback

    details = "".join(traceback.format_exception(error)).encode("utf-8", "backslashreplace")
    refused: list[str] = []
    for write in (_append_to_log, _write_temporary):
        try:
            return f"the details are in {write(details)}"
        except Exception as fault:
            refused.append(str(fault))
    return f"the details cannot be written: {'; '.join(refused)}"


def _append_to_log(details: bytes) -> Path:
    import platformdirs

    # Without HOME and without an entry among the system's users there is no such folder, and “~” would be made here.
    folder = Path(platformdirs.user_log_dir("curtain"))
    if not folder.is_absolute():
        raise FileNotFoundError(folder)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "command-line.log"
    # Appended: the fault before this one may be the one that is asked about.
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
