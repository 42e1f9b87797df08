"""`curtain sessions`, `turns`, `verify` and `repair`: what is recorded, and whether it is whole."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.base.plural import count_of
from curtain.base.record_file import by_name
from curtain.base.terminal import print_error, print_json, print_line, print_table
from curtain.commands.options import AsJson, BundleFolder, By, StudyFolder
from curtain.commands.purposes import InFolder, OutFolder
from curtain.commands.sessions.facts import SessionFacts
from curtain.commands.sessions.study_reader import read_study
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.model.consents import ensure_may_leave
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.gate import ensure_redactions
from curtain.corpus.model.reader import read_session, read_with_record
from curtain.corpus.model.utterance import REDACTED
from curtain.corpus.redaction.session_secrets import session_secrets
from curtain.corpus.redaction.utterances import TurnSecrets
from curtain.ports.result import end_with
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import BundleProblem, study_problems
from curtain.session.bundle.heads import accept, without_heads
from curtain.session.bundle.repair import NOTHING_WRONG
from curtain.session.study.study import load_study
from curtain.session.turns.turns import Turn


def sessions(study: StudyFolder, as_json: AsJson = False) -> int:
    """The exit code, 1 if a session cannot be read. Raises CurtainError."""
    facts = read_study(study, {}, datetime.now(UTC).date())
    if facts.problem:
        raise CurtainError(facts.problem)
    rows = [_row(one) for one in facts.sessions]
    if as_json:
        print_json(rows)
    else:
        cells = [(*map(str, list(row.values())[:-3]), "trial" if row["pilot"] else row["barred"]) for row in rows]
        if cells:
            headings = ("session", "state", "began (UTC)", "turns", "annotated", "bytes", "stays out")
            print_table(headings, cells, [False] * 3 + [True] * 3 + [False])
        end_with(f"The study {study} has {count_of(len(rows), 'session')}.", sessions=len(rows))
        for session in filter(lambda session: session.problem, facts.sessions):
            print_error(f"{session.session_id}: {session.problem}")
    return 1 if any(one.problem for one in facts.sessions) else 0


def _row(session: SessionFacts) -> dict[str, Any]:
    return {
        "session_id": session.session_id,
        "state": "closed" if session.closed else "open",
        "began_utc": session.begun,
        **by_name(session, "turns", "annotated"),
        "bytes": session.size,
        **by_name(session, "pilot", "barred"),
        "fault": session.problem or None,
    }


def turns(bundle: BundleFolder) -> int:
    """The exit code, 1 if a journal is damaged. Raises CurtainError."""
    # The corpus takes a while to load, and “verify” needs none of it.
    from curtain.commands.sessions.solution import with_solutions
    from curtain.session.turns.turns import read_turns

    session = Bundle(bundle)
    ensure_may_leave(session)
    for turn in turn_objects(session, list(with_solutions(session, read_turns(session)))):
        print_json(turn)
    # All turns that could be read are printed first; the exit code says that some may be missing.
    problems = session.problems_in_journals()
    for problem in problems:
        print_error(f"{problem} {problem.remedy}")
    return 1 if problems else 0


def verify(
    place: Annotated[InFolder, typer.Argument(metavar="BUNDLE|STUDY", help="A session's folder, or that of a study.")],
    accepted: Annotated[
        bool, typer.Option("--accept", help="What is there counts from now on, although something is older or missing.")
    ] = False,
    by: By = "",
    as_json: AsJson = False,
) -> int:
    """The exit code, 1 if something is wrong. Raises CurtainError."""
    if accepted:
        if not by.strip():
            raise CurtainError("Say with --by who lets what is there count.")
        accept(place, by)
    of_study = (place / "study.toml").is_file()
    bundles = [Bundle(path) for path in ([one.path for one in load_study(place).sessions()] if of_study else [place])]
    results = [_result(one.path, one.verify(), one.state, one.notes()) for one in bundles]
    damaged = sum(bool(result["faults"]) for result in results)
    results += [_study_verified(place)] if of_study else []
    if as_json:
        print_json(results if of_study else {key: results[0][key] for key in ("state", "faults", "notes")})
    else:
        for result in results:
            for line in _lines(result, f"{result['session']}: " if of_study else ""):
                print_line(line)
        if of_study:
            itself = "; the study itself is damaged" if results[-1]["faults"] else ""
            print_line(f"{count_of(len(bundles), 'session')} in {place}, {damaged} of them damaged{itself}.")
    problems = sum(len(result["faults"]) for result in results)
    end_with("", say=None, faults=problems)
    return 1 if problems else 0


def _study_verified(study: Path) -> dict[str, Any]:
    older = [one.session_id for one in load_study(study).sessions() if without_heads(one.path)]
    of_before = ", ".join([*without_heads(study), *older])
    note = f"Written by an earlier Curtain: {of_before}. Until it is changed or accepted, an older copy is not noticed."
    return _result(study, study_problems(study), "study", [note] if of_before else [])


def _result(place: Path, problems: Iterable[BundleProblem], state: str, notes: list[str]) -> dict[str, Any]:
    listed = [by_name(one, "file", "what", "remedy") for one in problems]
    return {"session": str(place), "state": state, "faults": listed, "notes": notes}


def _lines(result: dict[str, Any], before: str) -> Iterator[str]:
    for problem in result["faults"]:
        yield f"{before}{problem['file']}: {problem['what']} {problem['remedy']}"
    for note in result["notes"]:
        yield f"{before}{note}"
    if not result["faults"]:
        yield f"{result['session']}: everything is there and unchanged ({result['state']})."


def repair(
    bundle: BundleFolder,
    out: Annotated[
        OutFolder | None, typer.Option("--out", "--to", help="The folder of the copy; beside the session by default.")
    ] = None,
) -> None:
    """Raises CurtainError."""
    # `real_path`, since the name of “.” or of a link is not the name of the bundle.
    copy = out or bundle.parent / f"{real_path(bundle).name}-repaired"
    report = Bundle(bundle).repair(copy)
    for line in report:
        print_line(line)
    print_line(f"The repaired copy is in {copy}.")
    if report != [NOTHING_WRONG]:
        print_line(f"To use it: move {bundle} to a folder outside the study, then rename {copy} to {bundle}.")
    end_with(f"The repaired copy is in {copy}.", [copy], say=None)


_NAMES = frozenset((
    "session_id", "speaker_id", "scenario_id", "utterance_id", "audio", "message_id", "outcome", "counts_as", "tags",
    "cut_reason", "show", "query_wizard_id", "reply_wizard_id", "wizard_id", "condition_id", "answered_by",
    "system", "steps", "reason", "how", "solution", "solution_from", "way", "drafter", "times",
))  # fmt: skip
"""What is no text that anybody said, typed or read."""
_STATEMENTS = ("sql", "sql_min", "sql_max", "cas", "cas_min", "cas_max")
_OF_SPEECH = frozenset((
    *_STATEMENTS, "attempts", "corrections", "drafts", "blanks", "earlier_texts", "cas_error", "max_error",
    "system_reply", "system_fault",
))  # fmt: skip
"""What was made of the words of a turn. Where some of these are hidden, nobody knows what it says of them."""


def turn_objects(bundle: Bundle, turns: Sequence[Turn]) -> Iterator[dict[str, Any]]:
    """The turns of a session in their order. Raises as `curtain.corpus.model.reader.read_session` where something is
    hidden."""
    ensure_redactions(bundle.path)
    if not Layers(bundle).rows("redaction"):
        yield from (turn.as_json() for turn in turns)
        return
    session, _ = read_with_record(bundle.path, Domains())
    _, secrets = session_secrets(session.utterances)
    seen = {one.utterance_id: one for one in read_session(bundle.path).utterances}
    for turn in turns:
        left, of_turn = seen[turn.utterance_id], secrets[turn.utterance_id]
        cleaned: dict[str, Any] = _cleaned(turn.as_json(), of_turn, "")
        texts = {"query": left.query if turn.query is not None else None, "message": left.message}
        heard = {name: msgspec.to_builtins(getattr(left, name)) for name in ("hypothesis", "heard_words")}
        yield {**cleaned, **texts, **heard, "notes": list(left.notes)[: len(turn.notes)]}


def _cleaned(value: Any, secrets: TurnSecrets, key: str) -> Any:
    if isinstance(value, dict):
        return {name: _cleaned(one, secrets, _key(name, key)) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(one, secrets, key) for one in value]
    if not isinstance(value, str) or not value or key in _NAMES:
        return value
    if key in _OF_SPEECH and secrets.visible is not None:
        return REDACTED
    if key in _STATEMENTS:
        return value if secrets.may_leave(value) else REDACTED
    return secrets.text(value)


def _key(name: str, of: str) -> str:
    """Everything in an attempt is of the attempt, but for names and statements."""
    return name if name in _NAMES or of not in _OF_SPEECH else of
