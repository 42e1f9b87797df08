"""What was said about sessions, checked against the rules: what counts of every turn that somebody has annotated."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curtain.base.terminal import print_json, print_line, shown_name
from curtain.corpus.annotation.rules import AnnotationProblem, check
from curtain.corpus.annotation.tag_table import TagTable, load_table
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import read_for_annotation
from curtain.corpus.model.utterance import REDACTED, Session, Utterance
from curtain.session.bundle.checks import layer_problems
from curtain.session.study.ids import split_utterance_id
from curtain.session.study.study import load_study

_ANSWERED_SINCE = "The wizard corrected the answer after this turn was annotated: look at it again and save it."


@dataclass(frozen=True)
class RuleBreach:
    """A rule that a turn breaks, in one sentence."""

    utterance_id: str
    field: str
    sentence: str


@dataclass(frozen=True)
class Checker:
    """The rules of a study; `year` is its rule-book, for sessions that name none."""

    table: TagTable
    year: int | None = None

    def of_session(self, session: Session) -> Iterator[RuleBreach]:
        """`session` as `read_for_annotation` gives it: a redacted answer is missing and would be a problem."""
        # A session is judged by the rules it was run under, whatever the study says by now.
        year = year_of(session, self.year)
        for place, utterance in enumerate(session.utterances):
            if utterance.answered_since:
                yield RuleBreach(utterance.utterance_id, "references", _ANSWERED_SINCE)
            if utterance.annotators:
                for problem in self.of_turn(utterance, session.utterances[:place], year, session.dialect):
                    yield RuleBreach(utterance.utterance_id, problem.field, problem.sentence)

    def broken_turns(self, session: Session) -> frozenset[int]:
        """The turns of such a session that break a rule."""
        return frozenset(split_utterance_id(breach.utterance_id)[1] for breach in self.of_session(session))

    def of_turn(
        self, utterance: Utterance, before: Sequence[Utterance], year: int, dialect: str
    ) -> list[AnnotationProblem]:
        """The problems with which a turn could not be saved; what was not yet judged is none."""
        silent = {name for name in ("eval_class", "category") if getattr(utterance, name) is None}
        # Tags filled in by the live session are no judgement before somebody has classed the turn.
        if utterance.eval_class is None:
            silent |= {"category", "tags"}
        # What is hidden in an imported session is gone for good: no annotator could add it. A tree without files of
        # our own has no spans, and its texts say where something was.
        is_hidden = utterance.redactions or any(REDACTED in (text or "") for text in (utterance.query, utterance.sro))
        lost = bool(is_hidden and not utterance.references)
        problems = check(utterance, before, self.table, year, dialect, lost_answers=lost)
        return [problem for problem in problems if problem.blocks and problem.field not in silent]


def year_of(session: Session, year: int | None) -> int:
    """The rule-book of a session, else of its study, else of 1992."""
    return int(session.rule_book) if session.rule_book.isdigit() else year or 1992


@dataclass(frozen=True)
class DamagedLayer:
    """An annotation layer of a session that cannot be read to its end: what was lost may have broken a rule."""

    session_id: str
    file: str
    sentence: str


@dataclass(frozen=True)
class StudyFindings:
    """A study: how many turns somebody has annotated, the rules that they break, and layers that are damaged."""

    annotated: int
    findings: list[RuleBreach]
    damages: list[DamagedLayer]

    @property
    def sound(self) -> bool:
        """Whether nothing was found and nothing is damaged."""
        return not self.findings and not self.damages


def check_study(study: Path) -> StudyFindings:
    """What is to be said of a study's annotations. Raises CurtainError."""
    opened, domains = load_study(study), Domains()
    checker = checker_of(opened.folder)
    annotated, findings, damages = 0, list[RuleBreach](), list[DamagedLayer]()
    for opened_session in opened.sessions():
        damages += (
            DamagedLayer(opened_session.session_id, each.file, f"{each.what} {each.remedy}")
            for each in layer_problems(opened_session.path)
        )
        session, _ = read_for_annotation(opened_session.path, domains=domains)
        annotated += sum(bool(each.annotators) for each in session.utterances)
        findings += checker.of_session(session)
    return StudyFindings(annotated, findings, damages)


def checker_of(study: Path | None) -> Checker:
    """The rules of a study, or of a session outside of one. Raises CurtainError."""
    return Checker(load_table(study), load_study(study).rule_book if study else None)


def run(study: Path, *, as_json: bool = False) -> int:
    """Report each rule that a study's annotations break, and each layer that is damaged; exit code 0, or 1 if there is
    one. Raises CurtainError."""
    findings = check_study(study)
    if as_json:
        print_json(_as_json(findings))
        return int(not findings.sound)
    for damage in findings.damages:
        print_line(f"{damage.session_id}: {shown_name(damage.file)}: {damage.sentence}")
    for finding in findings.findings:
        print_line(f"{finding.utterance_id}: {finding.sentence}")
    broken = _breaking(findings)
    print_line(f"Of {findings.annotated} annotated turns {broken or 'none'} break{'' if broken > 1 else 's'} a rule.")
    return int(not findings.sound)


def _as_json(findings: StudyFindings) -> dict[str, Any]:
    return {
        "annotated": findings.annotated,
        "breaking_rules": _breaking(findings),
        "faults": [
            {"utterance": one.utterance_id, "field": one.field, "fault": one.sentence} for one in findings.findings
        ],
        "damaged": [{"session": one.session_id, "file": one.file, "fault": one.sentence} for one in findings.damages],
    }


def _breaking(findings: StudyFindings) -> int:
    return len({one.utterance_id for one in findings.findings})
