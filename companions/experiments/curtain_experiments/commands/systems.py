"""`curtain system`: run a system over a blind test set, and list the systems that there are."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import structs

from curtain.base.errors import CurtainError
from curtain.base.plural import are
from curtain.base.progress_bar import progress_bar
from curtain.base.settings_file import convert
from curtain.base.terminal import print_error, print_json, print_line
from curtain.commands.options import AsJson, Domain, Jobs, Questions, StudyOption, Use
from curtain.commands.purposes import OutFile
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import ANOTHER_SPLIT, Filters, left_out_lines
from curtain.corpus.redaction.export_log import SYSTEM_ANSWERS, note_export
from curtain.domain.pack.pack import agreed_pack, database, named_pack
from curtain.domain.rules.principles import under_rule_book
from curtain.session.study.study import load_study
from curtain_experiments.systems.choice import BadSystem, SystemChoice, command_system, known_names, system_named
from curtain_experiments.systems.offline.questions import TestQuestion, read_test_questions
from curtain_experiments.systems.offline.runner import RunCounts, run_over
from curtain_experiments.systems.starting import SystemGround


@dataclass(frozen=True)
class SystemRun:
    """What to run over what; `study` brings its domain and its [systems], and with `split` the questions."""

    system: Annotated[str, typer.Argument(help="drafts-robust, drafts-strict, a plug-in or a command.")]
    out: Annotated[OutFile, typer.Option("--out", help="The file of answers; a run that stopped goes on in it.")]
    domain: Domain = "personnel"
    questions: Questions = None
    study: StudyOption = None
    split: Annotated[str | None, typer.Option("--split", help="Only train, dev, test or none.")] = None
    jobs: Jobs = 1
    deadline_s: Annotated[float | None, typer.Option("--deadline", help="Seconds that one answer may take.")] = None
    use: Use = "own"


def run(task: SystemRun, as_json: AsJson = False) -> int:
    """Prints what came of it; 1 if the system broke down on any question. Raises CurtainError."""
    counts = _run(task)
    if as_json:
        print_json({"out": str(task.out), **asdict(counts)})
        return 1 if counts.problems else 0
    print_line(
        f"{task.out}: {counts.answered} answered, {counts.no_answer} without an answer, {counts.problems} broke down"
        + (f"; {counts.kept} were there from an earlier run." if counts.kept else ".")
    )
    return 1 if counts.problems else 0


def list_systems(study: StudyOption = None, as_json: AsJson = False) -> None:
    """Those that a study names are listed too. Raises CurtainError."""
    names = known_names(load_study(study).systems if study else {})
    print_line(json.dumps(list(names)) if as_json else "\n".join(names))


def _run(run: SystemRun) -> RunCounts:

    if (run.questions is None) == (run.split is None):
        raise CurtainError("Give the questions: --questions FILE, or --study DIR with --split test.")
    if run.split is not None and run.study is None:
        raise CurtainError("--split takes the turns of a study; name it with --study DIR.")
    ground, choice = _ground(run)
    asked = read_test_questions(run.questions, _show_silent) if run.questions else _turns_of_study(run)
    if run.study is not None and run.split is not None:
        sessions = [one.session_id for one in asked]
        note_export(load_study(run.study).folder, run.out, SYSTEM_ANSWERS, filter(None, sessions))
    with progress_bar() as report:
        return run_over(choice, ground, asked, run.out, run.jobs or os.cpu_count() or 1, report)


def _show_silent(count: int) -> None:
    print_error(f"{are(count, 'turn without words', 'turns without words')} left out.")


def _ground(run: SystemRun) -> tuple[SystemGround, SystemChoice]:

    study = load_study(run.study) if run.study else None
    choice = _choice(run.system, study.systems if study else {}, study.folder if study else None)
    if run.deadline_s is not None:
        choice = convert("--deadline", "", structs.asdict(choice) | {"deadline_s": run.deadline_s}, SystemChoice)
    if study is None:
        pack = named_pack(run.domain)
        return SystemGround(pack, database(pack)), choice
    pack = under_rule_book(agreed_pack(study.domain), study.rule_book, "“rule_book” in study.toml")
    return SystemGround(pack, database(pack), study.folder, dict(study.drafters)), choice


def _choice(name: str, table: Mapping[str, Any], folder: Path | None) -> SystemChoice:
    """A name first, then a command line: whoever types a command on the command line has agreed to it."""

    try:
        return system_named(name, table, folder)
    except BadSystem as unknown:
        if name in table or not ("/" in name or " " in name):
            raise
        try:
            return command_system(name)
        except BadSystem as error:
            raise error from unknown


def _turns_of_study(run: SystemRun) -> list[TestQuestion]:
    """The turns of one split, each behind those on which it depends."""

    assert run.study is not None and run.split is not None
    filters = Filters(use=run.use, splits=frozenset({run.split}), cancelled=False)
    filters.check()
    corpus = open_corpus([run.study], filters, blind=True)
    # What is asked holds no answer, and no word of an annotator: of those only what a turn depends on is taken.
    leaning = {
        turn.utterance_id: tuple(dict.fromkeys(link.utterance_id for link in turn.context))
        for session in corpus.with_answers().sessions()
        for turn in session.utterances
    }
    asked: dict[str, TestQuestion] = {}
    silent = 0
    for session in corpus.sessions():
        for utterance in session.utterances:
            text = utterance.lsn or utterance.query
            if not text:
                silent += 1
                continue
            audio = str(utterance.audio) if utterance.audio else None
            asked[utterance.utterance_id] = TestQuestion(
                utterance.utterance_id,
                text,
                after=tuple(name for name in leaning[utterance.utterance_id] if name in asked),
                audio=audio,
                session_id=session.session_id,
                scenario_id=utterance.scenario_id,
                turn=utterance.turn,
            )
    if silent:
        _show_silent(silent)
    corpus.counts.dropped.pop(ANOTHER_SPLIT, None)
    for line in left_out_lines(corpus.counts.dropped):
        print_error(line)
    if not asked:
        raise CurtainError(f"The split “{run.split}” of {run.study} has no turns; “curtain split” draws it.")
    return list(asked.values())
