"""`curtain draft`: drafts from the command line, over a domain or over a study and what it has learnt."""

import getpass
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.errors import CurtainError
from curtain.base.terminal import print_error
from curtain.commands.options import AsJson, By, Domain, Questions, StudyOption
from curtain.commands.purposes import InFile
from curtain.domain.pack.pack import Pack, agreed_pack, database, named_pack
from curtain.domain.rules.principles import under_rule_book
from curtain.domain.worker.worker import SqlWorker
from curtain.ports.result import end_with
from curtain.session.study.study import Study, load_study
from curtain_drafts.commands import draft_questions
from curtain_drafts.desk.examples import answered_turns
from curtain_drafts.desk.start import note_withdrawal, store_of
from curtain_drafts.drafting.values import Asked, Example
from curtain_drafts.tool.serving.settings import OURS, DraftSettings, is_english, read_settings
from curtain_drafts.tool.store import from_turn, read_withdrawn, study_store


@dataclass(frozen=True)
class DraftOptions:
    """What to draft for, and over which examples; a study brings its domain, its examples and its drafters, of which
    `own` asks ours alone."""

    domain: Domain = "personnel"
    study: StudyOption = None
    examples: Annotated[
        Sequence[InFile],
        typer.Option("--examples", help="More answered questions: JSON lines {question, sql}; - is standard input."),
    ] = ()
    question: Annotated[str | None, typer.Argument(help="The question to draft for.")] = None
    questions: Questions = None
    previous: Annotated[
        Sequence[str], typer.Option("--previous", help="SQL of an earlier turn that the question follows.")
    ] = ()
    n: Annotated[int, typer.Option("--n", help="The most drafts to show.")] = 5
    reading: Annotated[str, typer.Option("--reading", help="How to read the ends of periods: pack or published.")] = (
        "pack"
    )
    as_json: AsJson = False
    own: Annotated[bool, typer.Option("--own", help="Ask Curtain's own drafter only.")] = False


def draft(
    options: DraftOptions,
    list_examples: Annotated[bool, typer.Option("--list", help="List what a study has learned, with ids.")] = False,
    withdraw: Annotated[
        str | None, typer.Option("--withdraw", help="The id of an example that the study must not use.")
    ] = None,
    restore: Annotated[
        str | None, typer.Option("--restore", help="The id of a withdrawn example to use again.")
    ] = None,
    by: By = "",
) -> int:
    """Drafts, or what a study's drafts rest on; the exit code. Raises CurtainError."""
    if not (list_examples or withdraw or restore):
        return run(options)
    if options.study is None:
        # These speak of a study's examples; without one there is nothing to list.
        raise CurtainError("Name the study: --study DIR.")
    if list_examples:
        return show_examples(options.study, options.as_json)
    return change_withdrawal(options.study, withdraw or restore or "", by, back=not withdraw)


def run(options: DraftOptions) -> int:
    """Prints drafts. Raises CurtainError."""
    # Exactly one of the two.
    if (options.question is None) == (options.questions is None):
        raise CurtainError("Give one question, or --questions with a file of them.")
    asked = draft_questions.read_questions(options.questions) if options.questions else []
    drafters = _drafters(options)
    pack, examples = _ground(options)
    if options.questions:
        _print_unusable(pack, asked)
        return draft_questions.draft_all(pack, examples, asked, options.n, options.reading, drafters)
    _check_previous(pack, options.previous)
    previous = tuple(Asked("", sql.encode(errors="replace").decode()) for sql in options.previous)
    question = draft_questions.QuestionLine(1, options.question or "", previous)
    return draft_questions.draft_one(pack, examples, question, options.n, options.reading, options.as_json, drafters)


def _drafters(options: DraftOptions) -> DraftSettings | None:
    """Those that the study names; None if there is ours alone to ask. Raises CurtainError."""
    if options.study is None:
        return None
    study = load_study(options.study)
    drafters = read_settings(study.drafters, study.folder).drafters
    if not drafters and not options.own:
        raise CurtainError(f"Drafts are switched off in {study.folder / 'study.toml'}; --own asks our drafter.")
    asked = tuple(one for one in drafters if one.name == OURS or not options.own)
    # With ours alone no drafter process is needed, unless it reads a model of the study.
    served = any(one.name != OURS or "meaning" in one.options for one in asked)
    return DraftSettings(asked, english=is_english(study)) if served or not is_english(study) else None


def _check_previous(pack: Pack, statements: Sequence[str]) -> None:
    """Raises CurtainError for SQL that no earlier turn could have been answered with."""
    for sql, problem in _problems(pack, statements).items():
        raise CurtainError(f"--previous “{' '.join(sql.split())[:60]}” cannot be run: {problem}")


def _print_unusable(pack: Pack, asked: Sequence[draft_questions.QuestionLine]) -> None:
    """Says on standard error which questions of a file are drafted as if nothing had been asked before."""
    # Each statement once, in the order of the file.
    problems = _problems(pack, list(dict.fromkeys(before.sql for line in asked for before in line.previous)))
    for line in asked:
        for sql in (before.sql for before in line.previous if before.sql in problems):
            beginning = f"question {line.id}: “previous” “{' '.join(sql.split())[:60]}” cannot be run: {problems[sql]}"
            print_error(f"{beginning} It is left out.")


def _problems(pack: Pack, statements: Sequence[str]) -> dict[str, str]:
    """Why statements cannot be run, those that can left out."""
    if not statements:
        return {}
    with closing(SqlWorker(database(pack), pack, with_spare=False)) as worker:
        readings = worker.examine(statements).result()
    return {sql: str(one.problem) for sql, one in zip(statements, readings, strict=True) if one.problem is not None}


def show_examples(folder: Path, as_json: bool) -> int:
    """Prints what the study's drafts rest on besides the pack, with the ids. Raises CurtainError."""
    study = load_study(folder)
    examples = _store(study, _pack_of(study))
    return draft_questions.show_examples([one for one in examples if one.source != "pack"], as_json)


def change_withdrawal(folder: Path, example_id: str, by: str, back: bool) -> int:
    """Withdraws an example of the study, or takes that back. Raises CurtainError."""
    study = load_study(folder)
    # Faults in the list of withdrawals do not keep us from adding to it.
    gone, problems = read_withdrawn(study.folder)
    _print_problems(problems)
    if back and example_id not in gone:
        raise CurtainError(f"“{example_id}” is not withdrawn in {study.folder}.")
    # Withdrawing needs an example; taking back needs only a withdrawal, also of a turn that is gone.
    if not back and not _is_known(study, example_id):
        raise CurtainError(f"There is no example “{example_id}” in {study.folder}; --list shows those there are.")
    note_withdrawal(study.folder, example_id, by or getpass.getuser(), back)
    now = "an example again" if back else "withdrawn: nothing is learnt from it any more"
    return end_with(f"“{example_id}” is {now}.")


def _ground(options: DraftOptions) -> tuple[Pack, list[Example]]:
    if options.study is None:
        pack = named_pack(options.domain)
        return pack, draft_questions.store(pack, options.examples)
    study = load_study(options.study)
    pack = _pack_of(study)
    return pack, draft_questions.store(pack, options.examples, _store(study, pack))


def _pack_of(study: Study) -> Pack:
    return under_rule_book(agreed_pack(study.domain), study.rule_book, f"{study.folder / 'study.toml'}: “rule_book”")


def _store(study: Study, pack: Pack) -> list[Example]:
    examples, problems = store_of(study, pack)
    _print_problems(problems)
    return examples


def _is_known(study: Study, example_id: str) -> bool:
    """Also a turn that is not learnt from at present can be withdrawn for later."""
    pack = _pack_of(study)
    turns, _ = answered_turns(study)
    examples, _ = study_store(pack, study.folder, study.drafters, turns)
    return example_id in {example.id for example in (*examples, *map(from_turn, turns))}


def _print_problems(problems: Sequence[str]) -> None:
    for problem in problems:
        print_error(problem)
