"""Questions of a site from a file, and packets in which another site agrees to their references.

Of a file every fault is listed with its line, since a site hands in hundreds of questions at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curtain.base.text_file import csv_text, read_table
from curtain.evaluation.challenge.challenge_set import (
    Proposal,
    ReferenceAgreement,
    StandaloneQuestion,
    agreement_of,
    on_one_side,
    own_fault,
    proposal_fault,
)
from curtain.evaluation.json_lines import BadFile, RejectedLine, read_lines, read_object, shown_id

NEEDED = ("id", "question", "ref", "phenomenon")
_MORE = ("why", "max", "yes_no", "dialect", "speaker")
_PACKET = ("id", "phenomenon", "question", "ref", "max", "yes_no", "dialect", "agrees", "remark")
_TRUTHS = {"": False, "no": False, "false": False, "yes": True, "true": True}
_NEAR = 90


@dataclass
class QuestionFile:
    """What a file holds: the questions, its faults, and which questions nearly repeat others; sentences with lines."""

    questions: list[Proposal] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    near_copies: list[str] = field(default_factory=list)


def read_questions(path: Path, there: Mapping[str, Proposal], about: Mapping[str, str]) -> QuestionFile:
    """The questions of a file of JSON lines, or of CSV with headings. `there` are those of the set; `about` has `by`,
    `site`, `at_utc`, and `why` for the lines without a reason. Raises BadFile for a file that cannot be read."""
    read = QuestionFile()
    lines: dict[str, int] = {}
    for number, row in _rows(path, NEEDED, read.faults):
        question, faults = _question(row, about)
        if question is not None and question.id in lines:
            faults.append(f"has the id of line {lines[question.id]}, “{shown_id(question.id)}”")
        if question is not None and question.id in there:
            faults.append(f"has the id “{shown_id(question.id)}”, which the set has already")
        read.faults += [f"{path} line {number} {fault}." for fault in faults]
        if question is not None:
            lines.setdefault(question.id, number)
            read.questions.append(question)
    read.near_copies = list(_near_copies(path, read.questions, lines, there))
    return read


def _rows(path: Path, needed: Sequence[str], faults: list[str]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if path.suffix.lower() in (".csv", ".tsv"):
        yield from (line[:2] for line in read_table(path, needed, BadFile, faults))
        return
    for number, data in read_lines(path):
        try:
            yield number, read_object(data)
        except RejectedLine as fault:
            faults.append(f"{path} line {number} {fault}.")


def _question(row: Mapping[str, Any], about: Mapping[str, str]) -> tuple[Proposal | None, list[str]]:
    """The question of a line, as far as it is one, and everything that is wrong with it."""
    unknown = [name for name in row if name not in (*NEEDED, *_MORE)]
    faults = [f"has the unknown key “{shown_id(name)}”; known are {', '.join((*NEEDED, *_MORE))}" for name in unknown]
    texts: dict[str, str] = {}
    for name in (*NEEDED, *(one for one in _MORE if one != "yes_no")):
        value = row.get(name)
        if value is not None and not isinstance(value, str):
            faults.append(f"has no text for “{name}”")
        texts[name] = value.strip() if isinstance(value, str) else ""
    texts["why"] = texts["why"] or about["why"]
    faults += [f"has no “{name}”" for name in (*NEEDED, "why") if not texts[name] and not row.get(name)]
    yes_no = row.get("yes_no")
    yes_no = _TRUTHS.get(yes_no.strip().lower()) if isinstance(yes_no, str) else yes_no or False
    if not isinstance(yes_no, bool):
        faults.append("says neither yes nor no for “yes_no”")
    if not all(texts[name] for name in (*NEEDED, "why")):
        return None, faults
    question = Proposal(
        **{name: texts[name] for name in (*NEEDED, "why", "speaker")}, max=texts["max"] or None,
        dialect=texts["dialect"] or None, yes_no=bool(yes_no), by=about["by"], site=about["site"],
        at_utc=about["at_utc"],
    )  # fmt: skip
    if fault := proposal_fault(question):
        faults.append(f"has a reference that cannot be used: {fault.rstrip('.')}")
    return question, faults


def _near_copies(
    path: Path, questions: Sequence[Proposal], lines: Mapping[str, int], there: Mapping[str, Proposal]
) -> Iterator[str]:
    from rapidfuzz import fuzz, process

    earlier = [*there.values(), *questions]
    words = [" ".join(re.findall(r"\w+", one.question.casefold())) for one in earlier]
    if not questions:
        return
    scores = process.cdist(words[len(there) :], words, scorer=fuzz.ratio, score_cutoff=_NEAR)
    for at, question in enumerate(questions):
        before = scores[at, : len(there) + at]
        if len(before) and before.max() >= _NEAR:
            other = earlier[int(before.argmax())]
            place = f"“{other.id}” of the set" if other.id in there else f"line {lines[other.id]}"
            yield f"{path} line {lines[question.id]} nearly repeats {place}: “{other.question}”, “{question.question}”."


def packet(proposals: Iterable[Proposal]) -> str:
    """A table for another site: in `agrees` belongs yes or no, in `remark` what is wrong with a reference."""
    rows = ([_shown(one, name) for name in _PACKET[:-2]] + ["", ""] for one in proposals)
    return csv_text(_PACKET, rows)


def _shown(question: StandaloneQuestion, name: str) -> str:
    value = getattr(question, name)
    return {True: "yes", False: "", None: ""}[value] if value in (True, False, None) else str(value)


def read_packet(
    path: Path, there: Mapping[str, Proposal], by: str, site: str, at_utc: str
) -> tuple[list[ReferenceAgreement], list[str]]:
    """What a packet says that came back, and its faults, each with its line. A line without yes or no says nothing.
    Raises BadFile."""
    agreements, faults = [], list[str]()
    for number, row, _ in read_table(path, _PACKET, BadFile, faults):
        proposal, word = there.get(row["id"]), row["agrees"].strip().lower()
        if not word:
            continue
        fault = ""
        if word not in ("yes", "no"):
            fault = f"has “{shown_id(row['agrees'])}” for “agrees” where yes or no belongs"
        elif proposal is None:
            fault = f"has the id “{shown_id(row['id'])}”, which the set has not"
        elif any(_shown(proposal, name).strip() != row[name] for name in _PACKET[1:-2]):
            fault = f"has other words or another reference for “{proposal.id}” than the set: make a new packet"
        elif on_one_side(proposal, by, site):
            fault = f"cannot count: {own_fault(proposal).rstrip('.')}"
        if proposal is None or fault:
            faults.append(f"{path} line {number} {fault}.")
        else:
            agreements.append(agreement_of(proposal, by, site, at_utc, agrees=word == "yes", remark=row["remark"]))
    return agreements, faults
