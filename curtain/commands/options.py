"""Options and arguments that several commands have, with one name and one wording each.

An earlier name may follow the present one: it is accepted, and help does not show it.
"""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from curtain.base.errors import CurtainError
from curtain.base.terminal import announce
from curtain.commands.purposes import InFile, InFolder, InPath, OutFolder, WindowTheme
from curtain.session.consent import DataUse

# What a command reads.
StudyFolder = Annotated[InFolder, typer.Argument(help="The study folder.")]
StudyOption = Annotated[InFolder | None, typer.Option("--study", "--from", help="The study folder.")]
BundleFolder = Annotated[InFolder, typer.Argument(help="A session's folder.")]
Sources = Annotated[list[InPath], typer.Argument(help="A study, or sessions' folders of one study.")]
Pack = Annotated[str, typer.Argument(help="A bundled database or a pack's folder.")]
Domain = Annotated[str, typer.Option("--domain", help="A bundled database (personnel, atis) or a pack's folder.")]

Questions = Annotated[
    InFile | None,
    typer.Option("--questions", "--on", help="JSON lines {id, question, previous?}; - is standard input."),
]

# Which part of it.
SessionNames = Annotated[
    list[str] | None, typer.Option("--session", "--sessions", help="This session alone; may stand several times.")
]
WithoutConsent = Annotated[
    bool, typer.Option("--without-consent", help="Include sessions without a consent, for your own trials.")
]
Use = Annotated[
    DataUse, typer.Option("--use", help="own, share, publish or quote: what it is for. The consents must cover it.")
]
Pilot = Annotated[bool, typer.Option("--pilot", help="Include pilot sessions.")]
Practice = Annotated[bool, typer.Option("--practice", help="Include practice turns.")]
IncludeLive = Annotated[
    bool, typer.Option("--include-live", help="Include turns that nobody has transcribed and classed yet.")
]

# How answers are judged.
YesNo = Annotated[bool, typer.Option("--yes-no", help="The question is a yes/no question.")]
Dialect = Annotated[str, typer.Option("--dialect", help="1989, 1990, 1992, or curtain, with units and failures.")]
Epsilon = Annotated[str, typer.Option("--epsilon", help="Tolerance of reals, relative to the reference.")]
Jobs = Annotated[int, typer.Option("--jobs", min=0, help="Number of processes; 0 means one for each core.")]
Seed = Annotated[int, typer.Option("--seed", help="The seed of every random draw.")]

# Who, why and where.
By = Annotated[str, typer.Option("--by", "--who", "--wizard", help="Who you are.")]
Why = Annotated[str, typer.Option("--why", "--reason", help="The reason, in a sentence.")]
ResultFolder = Annotated[OutFolder, typer.Option("--out", help="The folder to write.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Write over what is there already.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a program to read.")]
Title = Annotated[str, typer.Option("--title", help="The title of what is made.")]
Licence = Annotated[str, typer.Option("--licence", help="The licence of the corpus.")]
Release = Annotated[str, typer.Option("--release", help="The version of the corpus, such as 1.2.0.")]
Authors = Annotated[list[str] | None, typer.Option("--author", help="Whom to cite; the sites by default.")]
Yes = Annotated[bool, typer.Option("--yes", help="Go on without being asked.")]

# What a window or a station opens with.
Output = Annotated[str | None, typer.Option("--output", help="The loudspeaker or headphones, by name.")]
Microphone = Annotated[str | None, typer.Option("--mic", help="The microphone, by name.")]
Theme = Annotated[WindowTheme | None, typer.Option("--theme", help="system, light, dark or contrast.")]
# As `curtain.qt` has them; Qt is not loaded to read a command line, and a test compares them.
TextSize = Annotated[
    Literal[80, 90, 100, 110, 125, 150, 175, 200] | None,
    typer.Option("--text-size", help="The size of text in percent, from 80 to 200."),
]
WindowLanguage = Annotated[
    str, typer.Option("--language", help="The window's language; without it the study's, or the system's.")
]
Language = Annotated[str, typer.Option("--language", help="The language of the screen: en, de, es or zh.")]
Headless = Annotated[bool, typer.Option("--headless", help="Draw the windows without showing them.")]


def ask_in_terminal(question: str) -> bool:
    """Whether a person at the terminal says yes. Without a terminal nobody can be asked, and silence is a no.

    A window that runs the command gets the question, asks the person, and runs the command again with --yes.
    """
    announce(ask=question)
    return sys.stdin.isatty() and typer.confirm(question)


def ensure_free_file(path: Path, overwrite: bool) -> None:
    """Raises CurtainError where a file is there already, unless it may be written over."""
    if path.exists() and not overwrite:
        raise CurtainError(f"{path} is there already; name another file with --out, or write over it with --overwrite.")
