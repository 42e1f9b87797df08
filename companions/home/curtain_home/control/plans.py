"""Wishes as calls of the command line: what runs, and what it is called while it runs. Nothing is started here.

What came of it is one sentence from the values that the command gives at its end, never from what it printed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Literal

from curtain.ports.result import NOTHING, CommandResult

StationKind = Literal["wizard", "subject", "annotate"]
BUNDLED: tuple[tuple[str, str], ...] = (
    ("personnel", "Personnel: a company's employees, of the 1989 paper"),
    ("atis", "Air travel: flights, fares and ground transport between 46 cities"),
)
"""The domains that come with Curtain: name on the command line, and what a person reads."""


@dataclass(frozen=True)
class CommandPlan:
    """One call of `curtain`. `kind` is the action it serves, `about` the session, the folder or the study to make. A
    plan that `needs_before` runs only if the one before it did well. Paths that are not whole count from `place`, if
    there is one. What a plan that `reads` printed is shown in a window of its own when it ends."""

    kind: str
    title: str
    arguments: tuple[str, ...]
    about: str = ""
    needs_before: bool = False
    place: Path | None = None
    reads: bool = False


@dataclass(frozen=True)
class NewStudyWish:
    """A study to make. `domain` is a bundled name or a pack's folder; with `source`, a pack is made of that database
    first, into `domain`, read as the options `read_as` say."""

    folder: Path
    domain: str
    source: Path | None = None
    read_as: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExportWish:
    """An export of the whole study in one format. `use` is what it is for, which the consents must allow; `live` with
    turns that nobody has annotated, `pilot` with trials and with whatever else has no consent, as trials seldom have
    one, `blind` without answers: these go beside it."""

    format_name: str
    out: Path
    use: str = "own"
    live: bool = False
    pilot: bool = False
    blind: bool = False


def steps_of_new_study(wish: NewStudyWish) -> list[CommandPlan]:
    """The calls that make a study, in their order."""
    made: list[CommandPlan] = []
    if wish.source is not None:
        arguments = ("domain", "new", str(wish.source), "--out", wish.domain, *wish.read_as)
        made.append(CommandPlan("new_domain", f"Reading {wish.source.name}", arguments, str(wish.folder)))
    new = ("study", "new", str(wish.folder), "--domain", wish.domain)
    title = f"Making {wish.folder.name}"
    return [*made, CommandPlan("new_study", title, new, str(wish.folder), needs_before=bool(made))]


def example_plan(beside: Path) -> CommandPlan:
    """The study of the tutorial, in a folder of its own."""
    folder = free_folder(beside, "example-study")
    arguments = ("demo", "--study", "--out", str(folder))
    return CommandPlan("new_study", "Playing the example study", arguments, str(folder))


def look_plan(source: Path, read_as: Sequence[str]) -> CommandPlan:
    """The first rows of a database and how its files are read, as JSON."""
    arguments = ("domain", "new", str(source), "--look", "--json", *read_as)
    return CommandPlan("look", f"Reading {source.name}", arguments, str(source))


def verify_plan(session: Path) -> CommandPlan:
    """Look whether every file of a session is there and unchanged."""
    return CommandPlan("verify", f"Verifying {session.name}", ("verify", str(session)), session.name)


def repair_plan(session: Path, to: Path) -> CommandPlan:
    """A repaired copy of a session."""
    arguments = ("repair", str(session), "--out", str(to))
    return CommandPlan("repair", f"Repairing a copy of {session.name}", arguments, session.name)


def sample_plan(study: Path, domain: str, script: Path) -> CommandPlan:
    """The domain's sample session, played by both stations without windows, as a trial."""
    arguments = ("rehearse", str(script), "--domain", domain, "--out", str(study), "--headless", "--pilot")
    return CommandPlan("sample_session", "Playing the sample session", arguments)


def export_plan(study: Path, wish: ExportWish) -> CommandPlan:
    """An export of the study."""
    blind = ("--blind",) * wish.blind
    arguments = ("export", str(study), *_taken_by(wish), "--out", str(wish.out), *blind)
    return CommandPlan("export", f"Exporting as {wish.format_name}", arguments, wish.format_name)


def export_look_plan(study: Path, wish: ExportWish) -> CommandPlan:
    """What this export would hold of each session and what stays out, as JSON; nothing is made."""
    arguments = ("export", str(study), "--look", "--json", *_taken_by(wish))
    return CommandPlan("look", "Looking what stays out", arguments)


def _taken_by(wish: ExportWish) -> tuple[str, ...]:
    """The options that say which turns are in an export."""
    flags = ("--include-live",) * wish.live + ("--pilot", "--without-consent") * wish.pilot
    return ("--format", wish.format_name, "--use", wish.use, *flags)


def retention_plan(study: Path) -> CommandPlan:
    """Until when sessions may be kept."""
    return CommandPlan("retention", "Looking how long sessions may be kept", ("retention", str(study)), reads=True)


def check_plan(study: Path) -> CommandPlan:
    """Everything that a session needs on this machine."""
    return CommandPlan("check", "Checking this machine and the study", ("check", "--study", str(study)))


def station_arguments(kind: StationKind, study: Path, pilot: bool = False) -> list[str]:
    """The call that opens a station's or the annotator's window."""
    if kind == "subject":
        return ["subject"]
    if kind == "annotate":
        return ["annotate", str(study)]
    return ["wizard", "--study", str(study), *["--pilot"] * pilot]


def free_folder(parent: Path, name: str) -> Path:
    """`parent/name`, or the first of `name-2`, `name-3` and so on that is not there yet."""
    tried, number = parent / name, 1
    while tried.exists():
        number += 1
        tried = parent / f"{name}-{number}"
    return tried


# What only a terminal asks of a command stands at the end of a help text.
_FOR_TERMINALS = re.compile(
    r" Exit \d .*|; - is standard input|; may stand several times| For several values, repeat the option\."
    r"|; “curtain[^”]*”[^.;]*(?: does the same| opens it too)"
)


def in_our_words(text: str) -> str:
    """The help of a command or an option, without what only a terminal needs."""
    return _FOR_TERMINALS.sub("", text)


def result_sentence(plan: CommandPlan, end: str, result: CommandResult, lines: Sequence[str]) -> str:
    """One sentence for a person. A refusal is the last of the `lines` that the command printed."""
    if end == "stopped":
        return f"{plan.title}: stopped. What was begun is left out."
    if plan.kind in _SENTENCES and result != NOTHING:
        return _SENTENCES[plan.kind](plan, result)
    if end == "bad":
        printed = filter(None, (*map(str.strip, lines), result.sentence))
        return [f"{plan.title}: it failed without a word.", *printed][-1]
    return result.sentence or f"{plan.title}: it is done."


def _verified(plan: CommandPlan, result: CommandResult) -> str:
    count = result.counts["faults"]
    if not count:
        return f"Session {plan.about}: everything is there and unchanged."
    problems = f"{count} problems are" if count > 1 else "one problem is"
    return f"Session {plan.about} is damaged: {problems} listed in its job. “Repair” makes a repaired copy."


def _checked(plan: CommandPlan, result: CommandResult) -> str:
    bad = result.counts["bad"]
    if not bad:
        return "Everything that a session needs is there."
    return result.sentence if bad == 1 else f"{bad} things are missing; the first: {result.sentence}"


def _played(plan: CommandPlan, result: CommandResult) -> str:
    return f"The sample session {PurePath(result.made[0]).name} was played. It is marked as a trial."


_SENTENCES = {"verify": _verified, "check": _checked, "sample_session": _played}
