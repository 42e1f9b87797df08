"""`curtain system`: run a system over a blind test set, and list the systems that there are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curtain.base.errors import CurtainError
from curtain.base.plural import are
from curtain.base.progress_bar import progress_bar
from curtain.base.terminal import print_error, print_line
from curtain.commands.help_layout import HelpGroup

if TYPE_CHECKING:
    from collections.abc import Mapping

    from curtain.systems.choice import SystemChoice
    from curtain.systems.offline.questions import TestQuestion
    from curtain.systems.offline.runner import RunCounts
    from curtain.systems.starting import SystemGround

__all__ = ["SystemRun", "system_app"]

system_app = typer.Typer(
    cls=HelpGroup, help="Run systems under test without a subject.", no_args_is_help=True, rich_markup_mode=None
)


@dataclass(frozen=True)
class SystemRun:
    """What to run over what; `study` brings its domain and its [systems], and with `split` the questions."""

    system: str
    domain: str
    out: Path
    questions: Path | None = None
    study: Path | None = None
    split: str | None = None
    jobs: int = 1
    deadline_s: float | None = None


@system_app.command("run")
def system_run(
    system: Annotated[
        str, typer.Argument(help="drafts-robust, drafts-strict, echo-file:FILE, a plug-in or a command.")
    ],
    out: Annotated[Path, typer.Option("--out", help="The file of answers; a run that stopped goes on in it.")],
    domain: Annotated[str, typer.Option("--domain", help="A bundled database or a pack's folder.")] = "personnel",
    questions: Annotated[Path | None, typer.Option("--on", help="JSON lines {id, question, previous?}.")] = None,
    study: Annotated[Path | None, typer.Option("--study", help="A study: its domain, its systems, its turns.")] = None,
    split: Annotated[str | None, typer.Option("--split", help="The turns of this split: train, dev or test.")] = None,
    jobs: Annotated[int, typer.Option("--jobs", help="Systems that run beside each other; 0 means one a core.")] = 1,
    deadline_s: Annotated[float | None, typer.Option("--deadline", help="Seconds that one answer may take.")] = None,
) -> None:
    """Answer a test set with a system, for curtain score. Exit 1 if it broke down on any question."""
    run = SystemRun(system, domain, out, questions, study, split, jobs, deadline_s)
    counts = _run(run)
    print_line(
        f"{out}: {counts.answered} answered, {counts.no_answer} without an answer, {counts.faults} broke down"
        + (f"; {counts.kept} were there from an earlier run." if counts.kept else ".")
    )
    raise typer.Exit(1 if counts.faults else 0)


@system_app.command("list")
def system_list(
    study: Annotated[Path | None, typer.Option("--study", help="A study with systems of its own.")] = None,
) -> None:
    """List the systems that a condition may name."""
    from curtain.session.study.study import load_study
    from curtain.systems.choice import known_names

    for name in known_names(load_study(study).systems if study else {}):
        print_line(name)


def _run(run: SystemRun) -> RunCounts:
    from curtain.corpus.model.worker_pool import check_jobs
    from curtain.systems.offline.questions import read_test_questions
    from curtain.systems.offline.runner import run_over

    if (run.questions is None) == (run.split is None):
        raise CurtainError("Give the questions: --on FILE, or --study DIR with --split test.")
    if run.split is not None and run.study is None:
        raise CurtainError("--split takes the turns of a study; name it with --study DIR.")
    jobs = check_jobs(run.jobs)
    ground, choice = _ground(run)
    asked = read_test_questions(run.questions, _tell_silent) if run.questions else _turns_of_study(run)
    with progress_bar() as tell:
        return run_over(choice, ground, asked, run.out, jobs, tell)


def _tell_silent(count: int) -> None:
    print_error(f"{are(count, 'turn without words', 'turns without words')} left out.")


def _ground(run: SystemRun) -> tuple[SystemGround, SystemChoice]:
    from curtain.domain.pack.pack import agreed_pack, database, named_pack
    from curtain.domain.rules.principles import under_rule_book
    from curtain.session.study.study import load_study
    from curtain.systems.starting import SystemGround

    study = load_study(run.study) if run.study else None
    choice = _choice(run.system, study.systems if study else {}, study.folder if study else None)
    if run.deadline_s is not None:
        choice = replace(choice, deadline_s=run.deadline_s)
    if study is None:
        pack = named_pack(run.domain)
        return SystemGround(pack, database(pack)), choice
    pack = under_rule_book(agreed_pack(study.domain), study.rule_book, "“rule_book” in study.toml")
    return SystemGround(pack, database(pack), study.folder, dict(study.drafters)), choice


def _choice(name: str, table: Mapping[str, Any], folder: Path | None) -> SystemChoice:
    """A name first, then a command line: whoever types a command on the command line has agreed to it."""
    from curtain.systems.choice import BadSystem, command_system, system_named

    try:
        return system_named(name, table, folder)
    except BadSystem as unknown:
        if name in table or not ("/" in name or " " in name):
            raise
        try:
            return command_system(name)
        except BadSystem as fault:
            raise fault from unknown


def _turns_of_study(run: SystemRun) -> list[TestQuestion]:
    """The turns of one split, each with the earlier turns that it depends on."""
    from curtain.corpus.model.corpus import open_corpus
    from curtain.corpus.model.filters import Filters
    from curtain.systems.offline.questions import TestQuestion

    assert run.study is not None and run.split is not None
    filters = Filters(splits=frozenset({run.split}), cancelled=False)
    filters.check()
    corpus = open_corpus([run.study], filters, blind=True)
    asked: list[TestQuestion] = []
    silent = 0
    for session in corpus.sessions():
        for utterance in session.utterances:
            if not (text := utterance.lsn or utterance.query):
                silent += 1
                continue
            earlier_ids = {earlier.id for earlier in asked}
            after = tuple(link.utterance_id for link in utterance.context if link.utterance_id in earlier_ids)
            audio = str(utterance.audio) if utterance.audio else None
            asked.append(
                TestQuestion(
                    utterance.utterance_id,
                    text,
                    after,
                    (),
                    audio,
                    session.session_id,
                    utterance.scenario_id,
                    utterance.turn,
                )
            )
    if silent:
        _tell_silent(silent)
    if not asked:
        raise CurtainError(f"The split “{run.split}” of {run.study} has no turns; “curtain split” draws it.")
    return asked
