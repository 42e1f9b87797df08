"""`curtain challenge`: hard questions, their references, and scores for each phenomenon."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from curtain.base.clock import Clock
from curtain.base.plural import count_of
from curtain.base.terminal import Say, print_error, print_json, print_line, print_table
from curtain.base.text_file import csv_text
from curtain.cas.scoring.readings import ComparisonRules
from curtain.cas.scoring.score import ScoreRow, ScoreSheet, score_sheet
from curtain.commands.options import (
    AllAnswers,
    AsJson,
    By,
    Overwrite,
    ResultFolder,
    StudyOption,
    Title,
    Why,
    YesNo,
    ensure_free_file,
)
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.references import rows_of
from curtain.corpus.redaction.export_log import CHALLENGE, note_export
from curtain.evaluation.challenge.challenge_set import (
    BadChallenge,
    ChallengeSet,
    FrozenVersion,
    Proposal,
    StandaloneQuestion,
    new_challenge,
    open_challenge,
)
from curtain.evaluation.challenge.question_file import packet, read_packet, read_questions
from curtain.evaluation.compare_files import BAD_INPUT
from curtain.evaluation.json_lines import ensure_absent
from curtain.evaluation.score_files import ScoreOptions, make_report
from curtain.evaluation.score_page import write_files, write_report
from curtain.evaluation.score_tables import TextTable, bounds, rounded
from curtain.session.study.study import load_study

_HEADINGS = ("phenomenon", "n", "right", "wrong", "no answer", "% right", "95 %")

Folder = Annotated[Path, typer.Argument(help="The folder of the challenge set.")]
Question = Annotated[str, typer.Argument(help="The question's id.")]
Site = Annotated[str, typer.Option("--site", help="Your site; then only another site's agreement counts.")]


def new(folder: Folder, title: Title = "", at_utc: str | None = None, say: Say = print_line) -> int:
    """Begin a challenge set; the exit code, 0. Raises BadChallenge."""
    new_challenge(folder, title, at_utc or Clock().wall_utc())
    say(f"{folder}: propose questions with “curtain challenge add”.")
    return 0


def propose(
    folder: Folder,
    question: Question,
    phenomenon: Annotated[str, typer.Option("--phenomenon", help="What makes it hard, in a word or two.")],
    why: Why,
    by: By,
    study: StudyOption = None,
    ref: Annotated[str | None, typer.Option("--ref", help="The minimum, a CAS answer.")] = None,
    maximum: Annotated[str | None, typer.Option("--max", help="The maximum, a CAS answer.")] = None,
    yes_no: YesNo = False,
    words: Annotated[str, typer.Option("--words", help="What is asked, in words; by default those of the study.")] = "",
    dialect: Annotated[
        str | None, typer.Option("--dialect", help="1989, 1990, 1992, or curtain, with units and failures.")
    ] = None,
    site: Site = "",
) -> int:
    """As `add`, for a question of a study or with a reference of its own. Raises CurtainError."""
    if (study is None) == (ref is None):
        raise BadChallenge("Give either --study, a study that has the utterance, or --ref, the minimum.")
    if not all(text.strip() for text in (phenomenon, why, by)):
        raise BadChallenge("Say who you are with --by, what makes it hard with --phenomenon, and why with --why.")
    if study is not None:
        if maximum is not None or yes_no or dialect is not None:
            raise BadChallenge("The study has the reference: leave --max, --yes-no and --dialect away.")
        session, asked = question_in(study, question)
        # Before it is added: whoever withdraws must be found, whatever stops this command.
        note_export(load_study(study).folder, folder, CHALLENGE, (session,))
    else:
        asked = StandaloneQuestion(id=question, ref=ref or "", max=maximum, yes_no=yes_no, dialect=dialect)
    if not (words.strip() or asked.question):
        raise BadChallenge("Give what is asked, in words, with --words.")
    proposal = Proposal(
        id=asked.id, ref=asked.ref, max=asked.max, yes_no=asked.yes_no, dialect=asked.dialect,
        question=words.strip() or asked.question, phenomenon=phenomenon.strip(), why=why.strip(), by=by.strip(),
        at_utc=Clock().wall_utc(), site=site.strip(),
    )  # fmt: skip
    return add(folder, proposal)


def add(folder: Path, proposal: Proposal, say: Say = print_line) -> int:
    """Propose a question; the exit code, 0. Raises BadChallenge, BadRecords."""
    challenge = open_challenge(folder)
    challenge.add(proposal)
    say(f"{proposal.id}: proposed as “{proposal.phenomenon}”. Somebody else has to agree to its reference.")
    return 0


def add_file(
    folder: Folder,
    file: Annotated[Path, typer.Argument(help="JSON lines, or CSV with headings: id, question, ref, phenomenon, why.")],
    by: By,
    site: Site = "",
    why: Why = "",
    near_copies: Annotated[
        bool, typer.Option("--near-copies", help="Add questions that nearly repeat others, too.")
    ] = False,
    say: Say = print_line,
) -> int:
    """Propose the questions of a file: all, or none where a line has a fault; the exit code. Raises CurtainError."""
    challenge = open_challenge(folder)
    about = {"by": by.strip(), "site": site.strip(), "why": why.strip(), "at_utc": Clock().wall_utc()}
    if not about["by"]:
        raise BadChallenge("Say who you are with --by.")
    read = read_questions(file, challenge.proposals(), about)
    for sentence in (*read.faults, *read.near_copies):
        print_error(sentence)
    if read.faults or (read.near_copies and not near_copies) or not read.questions:
        near = f"{count_of(len(read.near_copies), 'near copy', 'near copies')} (--near-copies adds them)"
        faults = [count_of(len(read.faults), "fault")] if read.faults else []
        faults += [near] if read.near_copies and not near_copies else []
        raise BadChallenge(f"Nothing was added: {file} has {' and '.join(faults) or 'no question'}.")
    challenge.add(*read.questions)
    say(f"{count_of(len(read.questions), 'question')} added. Somebody else has to agree to the references.")
    _print_phenomena(challenge)
    return 0


def make_packet(
    folder: Folder,
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    by: By,
    site: Site = "",
    overwrite: Overwrite = False,
    say: Say = print_line,
) -> int:
    """Write the questions to whose references this person may agree; the exit code, 0. Raises CurtainError."""
    ensure_free_file(out, overwrite)
    proposals = open_challenge(folder).open_to(by, site)
    if not proposals:
        raise BadChallenge(f"There is no question to whose reference {by or 'nobody'} has to agree yet.")
    write_files(out.parent, {out.name: packet(proposals)}, "The packet")
    say(
        f"{count_of(len(proposals), 'question')} in {out}. Write yes or no into “agrees”; “curtain challenge agree "
        f"{folder} --packet {out}” reads it with the same --by and --site."
    )
    return 0


def question_in(study: Path, utterance_id: str) -> tuple[str, StandaloneQuestion]:
    """The session of an annotated Class A utterance, its words and its reference. Raises CurtainError."""
    for session in open_corpus([study], Filters(with_consent=False)).sessions():
        for row in rows_of(session, with_words=True):
            if row["id"] == utterance_id:
                return session.session_id, _standalone(row)
    raise BadChallenge(f"{study} has no annotated utterance “{utterance_id}”; give its reference with --ref.")


def _standalone(row: dict[str, object]) -> StandaloneQuestion:
    if row.get("class") != "A":
        raise BadChallenge(f"“{row['id']}” is not of Class A; questions of a challenge set stand alone.")
    if "ref" not in row:
        raise BadChallenge(f"“{row['id']}” has several readings; give the one that counts with --ref.")
    return msgspec.convert({"question": row.get("words", ""), **row}, StandaloneQuestion)


def agree(
    folder: Folder,
    question: Annotated[str | None, typer.Argument(help="The question's id; none with --packet.")] = None,
    by: By = "",
    at_utc: str | None = None,
    say: Say = print_line,
    site: Site = "",
    packet_file: Annotated[
        Path | None, typer.Option("--packet", help="A packet of “challenge packet” with yes or no in “agrees”.")
    ] = None,
) -> int:
    """Agree to the reference of a question, or to those of a packet; the exit code. Raises BadChallenge, BadRecords."""
    challenge, at_utc = open_challenge(folder), at_utc or Clock().wall_utc()
    if (question is None) == (packet_file is None):
        raise BadChallenge("Name either the question to whose reference you agree, or a packet with --packet.")
    if packet_file is not None:
        return _agree_to_packet(challenge, packet_file, by, site, at_utc, say)
    proposal = challenge.agree(str(question), by.strip(), at_utc, site)
    for line in _content_lines(proposal):
        say(line)
    say(f"{question}: {by} agrees to this reference.")
    return 0


def _agree_to_packet(challenge: ChallengeSet, file: Path, by: str, site: str, at_utc: str, say: Say) -> int:
    if not by.strip():
        raise BadChallenge("Say who you are with --by.")
    agreements, faults = read_packet(file, challenge.proposals(), by, site, at_utc)
    for sentence in faults:
        print_error(sentence)
    if faults:
        raise BadChallenge(f"Nothing was noted: {file} has {count_of(len(faults), 'fault')}.")
    challenge.note(agreements)
    for objection in (one for one in agreements if not one.agrees):
        say(f"{objection.id}: {by} objects. {objection.remark}".rstrip())
    say(f"{sum(one.agrees for one in agreements)} of {count_of(len(agreements), 'reference')} agreed to.")
    _print_phenomena(challenge)
    return 0


def freeze(folder: Folder, at_utc: str | None = None, say: Say = print_line) -> int:
    """Freeze a version; the exit code, 0. Raises BadChallenge, BadRecords."""
    version, left_out = open_challenge(folder).freeze(at_utc or Clock().wall_utc())
    say(f"Version {version.number}: {count_of(len(version.phenomena), 'question')}, SHA-256 {version.sha256}.")
    if left_out:
        say(f"Left out, since nobody else agrees to the reference, or somebody objects: {', '.join(left_out)}.")
    return 0


def list_questions(
    folder: Folder,
    say: Say = print_line,
    *,
    phenomena: Annotated[bool, typer.Option("--phenomena", help="Count the questions by phenomenon and site.")] = False,
    as_json: AsJson = False,
) -> int:
    """All proposals with words, reference and who agrees; the exit code, 0. Raises BadChallenge, BadRecords."""
    challenge = open_challenge(folder)
    proposals, judged = challenge.proposals().values(), challenge.judged()
    if phenomena:
        return _print_phenomena(challenge, as_json=as_json)
    if as_json:
        rows = [{**msgspec.to_builtins(one), "agreed_by": judged(one)[0]} for one in proposals]
        return print_json(rows, say)
    for proposal in proposals:
        agreeing, objections = judged(proposal)
        agreed = ", ".join(agreeing) or "nobody yet"
        say(f"{proposal.id}: {proposal.phenomenon}")
        for line in _content_lines(proposal):
            say(line)
        say(f"  why        {proposal.why}")
        say(f"  proposed by {proposal.by}, agreed by {agreed}")
        for objection in objections:
            say(f"  {objection.by} objects: {objection.remark or 'no reason given'}")
    if not proposals:
        say("Nobody has proposed a question yet; use “curtain challenge add”.")
    return 0


def _print_phenomena(challenge: ChallengeSet, *, as_json: bool = False) -> int:
    """How many questions show each phenomenon, by site, and of how many the reference is agreed."""
    proposals, judged = challenge.proposals().values(), challenge.judged()
    words = {one.id: judged(one) for one in proposals}
    sites = sorted({one.site for one in proposals} - {""})
    rows = []
    for phenomenon in (*sorted({one.phenomenon for one in proposals}), "all"):
        shown = [one for one in proposals if phenomenon in (one.phenomenon, "all")]
        by_site = [sum(one.site == site for one in shown) for site in sites]
        agreed = sum(bool(words[one.id][0]) for one in shown)
        rows.append((phenomenon, *by_site, len(shown), agreed, sum(bool(words[one.id][1]) for one in shown)))
    headings = ("phenomenon", *sites, "questions", "agreed", "objected")
    if as_json:
        return print_json([dict(zip(headings, row, strict=True)) for row in rows])
    print_table(headings, [tuple(map(str, row)) for row in rows], [False] + [True] * (len(headings) - 1))
    return 0


def _content_lines(question: StandaloneQuestion) -> Iterator[str]:
    """What a second person has to judge, whole: a reference that is cut off cannot be agreed to."""
    yield f"  words      {question.question or '(none)'}"
    yield f"  reference  {question.ref}"
    if question.max is not None:
        yield f"  maximum    {question.max}"
    if question.yes_no:
        yield "  It is a yes/no question."
    if question.dialect is not None:
        yield f"  dialect    {question.dialect}"


def run(
    folder: Folder,
    answers: AllAnswers,
    out: ResultFolder,
    number: Annotated[
        int | None, typer.Option("--frozen", "--version", help="The frozen version; the last one by default.")
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
    say: Say = print_line,
) -> int:
    """Score systems on a frozen version, in all and for each phenomenon; the exit code, 2 if one is left out. Raises
    CurtainError."""
    ensure_absent(out / "score.html", overwrite)
    challenge = open_challenge(folder)
    version = challenge.version(number)
    systems = list(dict.fromkeys(answers))
    report = make_report(challenge.key(version.number), systems, ScoreOptions(ComparisonRules()))
    for remark in report.remarks:
        print_error(remark)
    code = 0 if len(report.sheets) == len(systems) else BAD_INPUT
    named = len(report.sheets) > 1
    rows = tuple(
        (*([sheet.system] if named else []), *_cells(row))
        for sheet in report.sheets
        for row in _by_phenomenon(sheet, version)
    )
    headings = ("system", *_HEADINGS) if named else _HEADINGS
    heading = f"{challenge.about.title}, version {version.number}"
    table = TextTable("phenomenon", "By phenomenon", headings, rows, 1 + named)
    write_report(replace(report, heading=heading, groups=(table,)), out)
    write_files(out, {"phenomena.csv": csv_text(headings, rows)}, "The figures")
    if as_json:
        print_json([dict(zip(headings, row, strict=True)) for row in rows], say)
        return code
    say(f"{heading}: {', '.join(sheet.system for sheet in report.sheets)}")
    print_table(headings, rows, [at > named for at in range(len(headings))])
    say(f"The page is {out / 'score.html'}; phenomena.csv is beside it.")
    return code


def _by_phenomenon(sheet: ScoreSheet, version: FrozenVersion) -> Iterator[ScoreRow]:
    for phenomenon in sorted(set(version.phenomena.values())):
        items = [one for one in sheet.items if version.phenomena.get(one.id) == phenomenon]
        yield replace(score_sheet(sheet.system, items, []).total, label=phenomenon)
    yield replace(sheet.total, label="all")


def _cells(row: ScoreRow) -> tuple[str, ...]:
    counts = row.tally
    return (
        row.label,
        str(counts.total),
        str(counts.right),
        str(counts.wrong),
        str(counts.no_answer),
        rounded(counts.percent_right),
        bounds(row.right),
    )
