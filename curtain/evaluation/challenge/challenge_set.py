"""The folder of a challenge set.

    challenge.json      its title
    proposals.jsonl     a question, its reference, the phenomenon that makes it hard, who proposes it and why
    agreements.jsonl    who agrees to the reference of a question, one line each
    versions.jsonl      the number and the SHA-256 of each frozen version
    versions/1/         references.jsonl as frozen, and version.json with its SHA-256

The last proposal of a question counts; an agreement holds for the words and the reference that it was given to.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from curtain.base.disk import rename, replace_file, sync_folder
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import parse_json, read_input
from curtain.base.record_file import add_record, read_records, write_records
from curtain.evaluation.reference_check import reference_fault

_ABOUT, _PROPOSALS, _AGREEMENTS, _VERSIONS = "challenge.json", "proposals.jsonl", "agreements.jsonl", "versions"
_FROZEN, _KEY, _VERSION = "versions.jsonl", "references.jsonl", "version.json"

Text = Annotated[str, Meta(min_length=1)]


class BadChallenge(CurtainError):
    """A challenge set that cannot be used so; the sentence says what to do."""


class ChallengeRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What the set is called, and when it was begun (ISO 8601 UTC)."""

    title: str
    created_utc: str


class StandaloneQuestion(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question and its reference: `question` is its words, `ref` and `max` are CAS answers, `yes_no` marks a yes/no
    question, `dialect` is that of the answers (None: the one of a run)."""

    id: Text
    question: str = ""
    ref: Text
    max: str | None = None
    yes_no: bool = False
    dialect: str | None = None


class Proposal(StandaloneQuestion, frozen=True, kw_only=True, omit_defaults=True):
    """A question for the set: what makes it hard, who proposes it and why, and from which site."""

    phenomenon: Text
    why: Text
    by: Text
    at_utc: str
    speaker: str = ""
    site: str = ""

    def row(self) -> dict[str, object]:
        """The line of a file of references. Every question of a challenge set stands alone: Class A."""
        about = {
            "id": self.id,
            "class": "A",
            "question": self.question or None,
            "ref": self.ref,
            "max": self.max,
            "yes_no": self.yes_no or None,
            "dialect": self.dialect,
            "tags": [self.phenomenon],
            "speaker": self.speaker or None,
        }
        return {name: value for name, value in about.items() if value is not None}


class ReferenceAgreement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody holds this reference of a question to be right, or wrong, with a `remark`. Without words it was given
    before sets kept them."""

    id: Text
    by: Text
    site: str = ""
    agrees: bool = True
    remark: str = ""
    question: str | None = None
    ref: str
    max: str | None = None
    yes_no: bool = False
    dialect: str | None = None
    at_utc: str

    def holds_for(self, question: StandaloneQuestion) -> bool:
        """Whether it is about this question with these words and this reference."""
        theirs = (question.id, question.ref, question.max, question.yes_no)
        if (self.id, self.ref, self.max, self.yes_no) != theirs:
            return False
        return self.question is None or (self.question, self.dialect) == (question.question, question.dialect)


class FrozenVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version that never changes: its number from 1, and the SHA-256 of its references in hexadecimal."""

    number: int
    frozen_utc: str
    sha256: str
    phenomena: dict[str, str]
    """The phenomenon of each question."""


class FrozenMark(msgspec.Struct, frozen=True, kw_only=True):
    """That there is a version, whatever becomes of its folder."""

    number: int
    sha256: str


@dataclass(frozen=True)
class ChallengeSet:
    """A challenge set in its folder."""

    folder: Path
    about: ChallengeRecord

    def proposals(self) -> dict[str, Proposal]:
        """The proposal that counts, by question. Raises BadRecords."""
        return {one.id: one for one in read_records(self.folder / _PROPOSALS, Proposal)}

    def judged(self) -> Callable[[Proposal], tuple[list[str], list[ReferenceAgreement]]]:
        """Of a proposal: who agrees to its reference, each once, and who objects. Where the proposal names a site, only
        another site's word counts; the last word of a person does. Raises BadRecords."""
        rows: dict[str, list[ReferenceAgreement]] = {}
        for agreement in read_records(self.folder / _AGREEMENTS, ReferenceAgreement):
            rows.setdefault(agreement.id, []).append(agreement)

        def of(proposal: Proposal) -> tuple[list[str], list[ReferenceAgreement]]:
            last = {_person(one.by): one for one in rows.get(proposal.id, ()) if one.holds_for(proposal)}
            heard = [one for one in last.values() if not on_one_side(proposal, one.by, one.site)]
            return [one.by for one in heard if one.agrees], [one for one in heard if not one.agrees]

        return of

    def add(self, *proposals: Proposal) -> None:
        """Propose questions, or propose them anew. Raises BadRecords, and BadChallenge for what is no reference."""
        for proposal in proposals:
            if fault := proposal_fault(proposal):
                raise BadChallenge(fault)
        path = self.folder / _PROPOSALS
        write_records(path, [*read_records(path, Proposal), *proposals])

    def agree(self, question: str, by: str, at_utc: str, site: str = "") -> Proposal:
        """Agree to the reference of a question, which is given back. Raises BadChallenge, BadRecords."""
        proposal = self.proposals().get(question)
        if proposal is None:
            raise BadChallenge(f"Nobody has proposed “{question}” for this challenge set.")
        if not by.strip():
            raise BadChallenge("Say who you are with --by.")
        if on_one_side(proposal, by, site):
            raise BadChallenge(own_fault(proposal))
        self.note([agreement_of(proposal, by, site, at_utc)])
        return proposal

    def note(self, agreements: Sequence[ReferenceAgreement]) -> None:
        """Add what people say of references. Raises BadRecords."""
        path = self.folder / _AGREEMENTS
        write_records(path, [*read_records(path, ReferenceAgreement), *agreements])

    def open_to(self, by: str, site: str) -> list[Proposal]:
        """The questions to whose references this person has to agree yet: those of others, of which the person has said
        nothing so far. Raises BadRecords."""
        agreements = read_records(self.folder / _AGREEMENTS, ReferenceAgreement)
        last = {one.id: one for one in agreements if _person(one.by) == _person(by)}
        return [
            proposal
            for proposal in self.proposals().values()
            if not on_one_side(proposal, by, site)
            and not (proposal.id in last and last[proposal.id].holds_for(proposal))
        ]

    def freeze(self, at_utc: str) -> tuple[FrozenVersion, list[str]]:
        """A new version of all questions that two people agree on and nobody objects to, and the ids of those left out.

        Raises BadRecords, and BadChallenge if there are none, if nothing has changed since the last version, or if an
        earlier version is not as it was frozen.
        """
        proposals, judged = self.proposals().values(), self.judged()
        words = {one.id: judged(one) for one in proposals}
        agreed = [one for one in proposals if words[one.id][0] and not words[one.id][1]]
        if not agreed:
            raise BadChallenge("No question has a reference that two people agree on; use “curtain challenge agree”.")
        key = "".join(json.dumps(one.row(), ensure_ascii=False) + "\n" for one in agreed).encode()
        sha256 = hashlib.sha256(key).hexdigest()
        # All of them: the number of a lost version must not be given to other questions.
        before = [self.version(number) for number in self._numbers()]
        if before and before[-1].sha256 == sha256:
            raise BadChallenge(f"Nothing has changed since version {before[-1].number}.")
        number = before[-1].number + 1 if before else 1
        phenomena = {one.id: one.phenomenon for one in agreed}
        version = FrozenVersion(number=number, frozen_utc=at_utc, sha256=sha256, phenomena=phenomena)
        self._write_version(version, key)
        return version, [one.id for one in proposals if one not in agreed]

    def versions(self) -> list[int]:
        """The numbers of the frozen versions, in order; also of those whose files are damaged."""
        folders = (self.folder / _VERSIONS).glob("*") if (self.folder / _VERSIONS).is_dir() else ()
        return sorted(int(path.name) for path in folders if path.name.isdecimal())

    def version(self, number: int | None) -> FrozenVersion:
        """A frozen version, found as it was frozen; None is the last one. Raises BadChallenge, BadRecords."""
        there = self._numbers()
        if not there:
            raise BadChallenge("This challenge set has no version yet; “curtain challenge freeze” makes one.")
        wanted = there[-1] if number is None else number
        if wanted not in there:
            raise BadChallenge(f"There is no version {wanted}, only {', '.join(map(str, there))}.")
        folder = self.folder / _VERSIONS / str(wanted)
        try:
            version = parse_json(read_input(folder / _VERSION), FrozenVersion)
            key = read_input(folder / _KEY)
        except FileNotFoundError as fault:
            raise BadChallenge(
                f"Version {wanted} lacks {fault.filename}. A frozen version never changes: put the file back."
            ) from fault
        except (OSError, ValueError) as fault:
            raise BadChallenge(f"Version {wanted} in {folder} cannot be read: {fault}.") from fault
        if {version.sha256, self._marks().get(wanted, version.sha256)} != {hashlib.sha256(key).hexdigest()}:
            raise BadChallenge(f"{folder / _KEY} has changed since it was frozen. Put the frozen file back.")
        return version

    def key(self, number: int) -> Path:
        """The references of a frozen version."""
        return self.folder / _VERSIONS / str(number) / _KEY

    def _numbers(self) -> list[int]:
        """Every number that was given to a version, in order."""
        return sorted({*self.versions(), *self._marks()})

    def _marks(self) -> dict[int, str]:
        return {mark.number: mark.sha256 for mark in read_records(self.folder / _FROZEN, FrozenMark)}

    def _write_version(self, version: FrozenVersion, key: bytes) -> None:
        folder = self.folder / _VERSIONS / str(version.number)
        part = folder.with_name(f"{version.number}.part")
        with os_errors_as(f"{folder} cannot be written", BadChallenge):
            part.mkdir(parents=True, exist_ok=True)
            replace_file(part / _KEY, key)
            replace_file(part / _VERSION, msgspec.json.format(msgspec.json.encode(version)) + b"\n")
            # Whole or not at all, so that a number with half a version is damage and no crash.
            rename(part, folder)
            sync_folder(folder.parent)
        add_record(self.folder / _FROZEN, FrozenMark(number=version.number, sha256=version.sha256))


def new_challenge(folder: Path, title: str, at_utc: str) -> ChallengeSet:
    """An empty challenge set in a new folder. Raises BadChallenge."""
    about = ChallengeRecord(title=title or folder.name, created_utc=at_utc)
    try:
        folder.mkdir(parents=True)
        replace_file(folder / _ABOUT, msgspec.json.format(msgspec.json.encode(about)) + b"\n")
    except FileExistsError as fault:
        raise BadChallenge(f"{folder} is there already; give the challenge set a folder of its own.") from fault
    except OSError as fault:
        raise BadChallenge(f"{folder} cannot be made: {fault.strerror}.") from fault
    return ChallengeSet(folder, about)


def open_challenge(folder: Path) -> ChallengeSet:
    """The challenge set in `folder`. Raises BadChallenge."""
    try:
        return ChallengeSet(folder, parse_json(read_input(folder / _ABOUT), ChallengeRecord))
    except (FileNotFoundError, NotADirectoryError) as fault:
        raise BadChallenge(f"There is no challenge set in {folder}; “curtain challenge new” makes one.") from fault
    except (OSError, ValueError) as fault:
        raise BadChallenge(f"{folder / _ABOUT} cannot be read: {fault}.") from fault


def proposal_fault(proposal: Proposal) -> str | None:
    """Why this is no question of a challenge set, in a sentence."""
    if not proposal.id.strip():
        return "A question needs an id, such as own-1."
    return reference_fault(proposal.ref, proposal.max, dialect=proposal.dialect, yes_no=proposal.yes_no)


def own_fault(proposal: Proposal) -> str:
    """Why whoever proposed a question does not agree to its reference."""
    who = f"{proposal.by} of {proposal.site}" if proposal.site else proposal.by
    where = " of another site, named with --site," if proposal.site else ""
    return f"{who} proposed “{proposal.id}”; somebody else{where} has to agree to its reference."


def agreement_of(
    proposal: Proposal, by: str, site: str, at_utc: str, *, agrees: bool = True, remark: str = ""
) -> ReferenceAgreement:
    """That somebody holds the reference to be right, or not."""
    return ReferenceAgreement(
        id=proposal.id, by=by.strip(), site=site.strip(), agrees=agrees, remark=remark, question=proposal.question,
        ref=proposal.ref, max=proposal.max, yes_no=proposal.yes_no, dialect=proposal.dialect, at_utc=at_utc,
    )  # fmt: skip


def on_one_side(proposal: Proposal, by: str, site: str) -> bool:
    """Whether this is the proposer, or where sites are named somebody of no other one."""
    is_other_site = not proposal.site or _person(site) not in ("", _person(proposal.site))
    return _person(by) == _person(proposal.by) or not is_other_site


def _person(name: str) -> str:
    """Who is meant: “Ada ” is ada."""
    return " ".join(name.split()).casefold()
