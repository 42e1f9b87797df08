"""Both stations, the demonstration and rehearsals. Each loads what it needs when it runs."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.errors import CurtainError
from curtain.base.terminal import print_error, print_line
from curtain.commands import windows
from curtain.commands.options import (
    By,
    Domain,
    Headless,
    Language,
    Microphone,
    Output,
    ResultFolder,
    TextSize,
    Theme,
    WindowLanguage,
)
from curtain.commands.purposes import InFile, InFolder, InPath, OutFolder
from curtain.commands.run.other_stations import OtherStations, given
from curtain.ports.result import end_with
from curtain.session.roles import Chair

DEMO, STUDY = Path("curtain-demo"), Path("curtain-study")


def demo(
    domain: Domain = "personnel",
    out: ResultFolder = DEMO,
    headless: Headless = False,
    recorded: Annotated[
        bool, typer.Option("--recorded", help="A recorded voice asks when the talk key is held, without a microphone.")
    ] = False,
    study: Annotated[
        bool,
        typer.Option("--study", help="Make a small study that is annotated, consented and split, to try commands on."),
    ] = False,
) -> None:
    """Raises CurtainError."""
    if study:
        from curtain.commands.run.example_study import make_study

        make_study(domain, STUDY if out == DEMO else out, print_line)
        return
    from curtain.rehearsal import demo as demonstration

    wanted = True if recorded else None
    ask = partial(typer.confirm, default=True) if sys.stdin.isatty() else None
    demonstration.run(domain, out, headless=headless, say=print_line, voice=demonstration.DemoVoice(wanted, ask))


def wizard(
    study: Annotated[InFolder, typer.Option("--study", help="The study folder.")],
    listen: Annotated[
        str,
        typer.Option(
            "--listen", help="A name for the subject's station on this computer, or ADDRESS:PORT for another one."
        ),
    ] = "curtain",
    output: Output = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the unfinished session at once.")] = False,
    pilot: Annotated[bool, typer.Option("--pilot", help="Begin with “Trial session” ticked.")] = False,
    chime: Annotated[
        bool, typer.Option("--chime", help="Switch soft tones on: a new question, a call for help, a stated answer.")
    ] = False,
    by: By = "",
    chairs: Annotated[
        str, typer.Option("--chairs", help="ADDRESS:PORT of this computer at which other desks may join the session.")
    ] = "",
    join: Annotated[
        str, typer.Option("--join", help="ADDRESS:PORT of another wizard's station, whose session this desk joins.")
    ] = "",
    role: Annotated[
        Chair, typer.Option("--as", help="observer, transcriber, answerer or wizard: as what it joins.")
    ] = "observer",
    code: Annotated[str, typer.Option("--code", help="The code that the other station shows; needed once.")] = "",
    theme: Theme = None,
    text_size: TextSize = None,
    language: WindowLanguage = "",
    stations: OtherStations = None,
) -> int:
    """The window's exit code. Raises CurtainError."""
    if join:
        from curtain.ports.seat import seats_of_companion

        seats_of_companion().check_address(join)
        if not by:
            raise CurtainError("Say who joins: --by ID.")
    values = {
        "--study": study, "--listen": listen, "--output": output, "--resume": resume, "--pilot": pilot,
        "--chime": chime, "--language": language, "--chairs": chairs, "--join": join, "--chair": role if join else "",
        "--code": code, "--wizard": by, "--stations": json.dumps(given(stations)),
    }  # fmt: skip
    return windows.open_window("wizard_app", windows.options_for(values, theme, text_size))


def subject(
    connect: Annotated[
        str,
        typer.Option(
            "--connect", help="Where the wizard's station listens: a name on this computer, or ADDRESS:PORT of another."
        ),
    ] = "curtain",
    mic: Microphone = None,
    mic_file: Annotated[
        InPath | None,
        typer.Option("--mic-file", help="A WAV file in place of a microphone, anew at a press; of a folder, the next."),
    ] = None,
    spool: Annotated[
        OutFolder | None, typer.Option("--spool", help="The folder for recordings until both sides hold them.")
    ] = None,
    keep_days: Annotated[
        float | None, typer.Option("--keep-days", min=0, help="Keep recordings this many days longer (0).")
    ] = None,
    full_screen: Annotated[bool, typer.Option("--full-screen", help="Fill the whole screen.")] = False,
    theme: Theme = None,
    text_size: TextSize = None,
    language: Language = "en",
) -> int:
    """The window's exit code; a session may show another language later. Raises CurtainError."""
    from curtain.session.study.text_packs import load_texts

    if mic_file is not None and not (mic_file.is_file() or any(mic_file.glob("*.wav"))):
        raise CurtainError(f"There is no file {mic_file}; name a WAV file after --mic-file, or a folder of them.")
    load_texts(language)
    # Only what was given: the station has its own defaults and settings.
    values = {
        "--connect": connect, "--mic": mic, "--mic-file": mic_file, "--spool": spool, "--keep-days": keep_days,
        "--language": language, "--full-screen": full_screen,
    }  # fmt: skip
    return windows.open_window("subject_app", windows.options_for(values, theme, text_size))


def rehearse(
    script: Annotated[InFile, typer.Argument(help="A file of JSON lines, one step each; - is standard input.")],
    domain: Domain = "personnel",
    out: ResultFolder = Path("rehearsal"),
    headless: Headless = False,
    mic: Microphone = None,
    speaker: Annotated[str, typer.Option("--speaker", help="The speaker id: three letters or digits.")] = "r00",
    pilot: Annotated[bool, typer.Option("--pilot", help="Mark the session as a trial, which is no data.")] = False,
) -> None:
    """Standard output holds only the bundle's path, for a script. Raises CurtainError."""
    from curtain.qt.windows.display import has_display
    from curtain.rehearsal import player, stage
    from curtain.session.bundle.bundle import Bundle
    from curtain.session.turns.coverage import coverage_of
    from curtain.session.turns.pace import pace_of, shared_work_of
    from curtain.session.turns.turns import read_turns

    plan = stage.RehearsalPlan(
        script=script, domain=domain, study=out, headless=headless or not has_display(), microphone=mic,
        speaker=speaker, wizard_options=("--pilot",) if pilot else (),
    )  # fmt: skip
    bundle = player.play(plan, say=print_error)
    played = read_turns(Bundle(bundle))
    sentences = (pace_of(played).sentence(), shared_work_of(played), coverage_of(played).sentence())
    for sentence in filter(None, sentences):
        print_error(sentence)
    end_with(str(bundle), [bundle])
