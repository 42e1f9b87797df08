"""The folder of a challenge set.

    challenge.json      its title
    proposals.jsonl     a question, its reference, the phenomenon that makes it hard, who proposes it and why
    agreements.jsonl    who agrees to the reference of a question, one line each
    versions/1/         references.jsonl as frozen, and version.json with its SHA-256

The last proposal of a question counts; an agreement holds for the reference that it was given to.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError
from curtain.base.input_file import read_input
from curtain.base.record_file import read_records, write_records
from curtain.cas import CasError, parse

__all__ = [
    "BadChallenge",
    "ChallengeSet",
    "FrozenVersion",
    "Proposal",
    "ReferenceAgreement",
    "new_challenge",
    "open_challenge",
]

_ABOUT, _PROPOSALS, _AGREEMENTS, _VERSIONS = "challenge.json", "proposals.jsonl", "agreements.jsonl", "versions"
_KEY, _VERSION = "references.jsonl", "version.json"

Text = Annotated[str, Meta(min_length=1)]


class BadChallenge(CurtainError):
    """A challenge set that cannot be used so; the sentence says what to do."""


class ChallengeRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What the set is called, and when it was begun (ISO 8601 UTC)."""

    title: str
    created_utc: str


class Proposal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question for the set. `ref` and `max` are CAS answers, `yes_no` marks a yes/no question."""

    id: Text
    ref: Text
    max: str | None = None
    yes_no: bool = False
    phenomenon: Text
    why: Text
    by: Text
    at_utc: str
    speaker: str = ""
    question: str = ""

    @property
    def reference(self) -> tuple[str, str | None, bool]:
        """What an agreement is about."""
        return self.ref, self.max, self.yes_no

    def row(self) -> dict[str, object]:
        """The line of a file of references. Every question of a challenge set stands alone: Class A."""
        row: dict[str, object] = {"id": self.id, "class": "A", "ref": self.ref, "tags": [self.phenomenon]}
        row |= {"max": self.max} if self.max is not None else {}
        row |= {"yes_no": True} if self.yes_no else {}
        return row | ({"speaker": self.speaker} if self.speaker else {})


class ReferenceAgreement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody holds this reference of a question to be right."""

    id: Text
    by: Text
    ref: str
    max: str | None = None
    yes_no: bool = False
    at_utc: str


class FrozenVersion(msgspec.Struct, frozen=True, kw_only=True):
    """A version that never changes: its number from 1, and the SHA-256 of its references in hexadecimal."""

    number: int
    frozen_utc: str
    sha256: str
    phenomena: dict[str, str]
    """The phenomenon of each question."""


@dataclass(frozen=True)
class ChallengeSet:
    """A challenge set in its folder."""

    folder: Path
    about: ChallengeRecord

    def proposals(self) -> dict[str, Proposal]:
        """The proposal that counts, by question. Raises BadRecords."""
        return {one.id: one for one in read_records(self.folder / _PROPOSALS, Proposal)}

    def agreed_by(self, proposal: Proposal) -> list[str]:
        """Who agrees to this reference beside its proposer, each once. Raises BadRecords."""
        agreements = read_records(self.folder / _AGREEMENTS, ReferenceAgreement)
        names = [one.by for one in agreements if one.id == proposal.id and _about(one) == proposal.reference]
        return [name for name in dict.fromkeys(names) if name != proposal.by]

    def add(self, proposal: Proposal) -> None:
        """Propose a question, or propose it anew. Raises BadRecords, and BadChallenge for what is no CAS answer."""
        for answer in filter(None, (proposal.ref, proposal.max)):
            try:
                parse(answer)
            except CasError as fault:
                raise BadChallenge(f"“{answer}” is no CAS answer: {fault}") from fault
        path = self.folder / _PROPOSALS
        write_records(path, [*read_records(path, Proposal), proposal])

    def agree(self, question: str, by: str, at_utc: str) -> None:
        """Agree to the reference of a question. Raises BadChallenge, BadRecords."""
        proposal = self.proposals().get(question)
        if proposal is None:
            raise BadChallenge(f"Nobody has proposed “{question}” for this challenge set.")
        if by == proposal.by:
            raise BadChallenge(f"{by} proposed “{question}”; somebody else has to agree to its reference.")
        agreement = ReferenceAgreement(
            id=question, by=by, ref=proposal.ref, max=proposal.max, yes_no=proposal.yes_no, at_utc=at_utc
        )
        path = self.folder / _AGREEMENTS
        write_records(path, [*read_records(path, ReferenceAgreement), agreement])

    def freeze(self, at_utc: str) -> tuple[FrozenVersion, list[str]]:
        """A new version of all questions that two people agree on, and the ids of those left out.

        Raises BadRecords, and BadChallenge if there are none, or if nothing has changed since the last version.
        """
        proposals = self.proposals().values()
        agreed = [one for one in proposals if self.agreed_by(one)]
        if not agreed:
            raise BadChallenge("No question has a reference that two people agree on; use “curtain challenge agree”.")
        key = "".join(json.dumps(one.row(), ensure_ascii=False) + "\n" for one in agreed).encode()
        sha256 = hashlib.sha256(key).hexdigest()
        before = self.versions()
        if before and self.version(before[-1]).sha256 == sha256:
            raise BadChallenge(f"Nothing has changed since version {before[-1]}.")
        number = before[-1] + 1 if before else 1
        phenomena = {one.id: one.phenomenon for one in agreed}
        version = FrozenVersion(number=number, frozen_utc=at_utc, sha256=sha256, phenomena=phenomena)
        self._write_version(version, key)
        return version, [one.id for one in proposals if one not in agreed]

    def versions(self) -> list[int]:
        """The numbers of the frozen versions, in order."""
        folders = (self.folder / _VERSIONS).glob("*") if (self.folder / _VERSIONS).is_dir() else ()
        return sorted(int(path.name) for path in folders if path.name.isdecimal() and (path / _VERSION).is_file())

    def version(self, number: int | None) -> FrozenVersion:
        """A frozen version, found as it was frozen; None is the last one. Raises BadChallenge."""
        there = self.versions()
        if not there:
            raise BadChallenge("This challenge set has no version yet; “curtain challenge freeze” makes one.")
        wanted = there[-1] if number is None else number
        if wanted not in there:
            raise BadChallenge(f"There is no version {wanted}, only {', '.join(map(str, there))}.")
        folder = self.folder / _VERSIONS / str(wanted)
        try:
            version = msgspec.json.decode(read_input(folder / _VERSION), type=FrozenVersion)
            key = read_input(folder / _KEY)
        except (OSError, ValueError) as fault:
            raise BadChallenge(f"Version {wanted} in {folder} cannot be read: {fault}.") from fault
        if hashlib.sha256(key).hexdigest() != version.sha256:
            raise BadChallenge(f"{folder / _KEY} has changed since it was frozen. Put the frozen file back.")
        return version

    def key(self, number: int) -> Path:
        """The references of a frozen version."""
        return self.folder / _VERSIONS / str(number) / _KEY

    def _write_version(self, version: FrozenVersion, key: bytes) -> None:
        folder = self.folder / _VERSIONS / str(version.number)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            replace_file(folder / _KEY, key)
            # Last: a version without it is none.
            replace_file(folder / _VERSION, msgspec.json.format(msgspec.json.encode(version)) + b"\n")
        except OSError as fault:
            raise BadChallenge(f"{folder} cannot be written: {fault.strerror}.") from fault


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
        return ChallengeSet(folder, msgspec.json.decode(read_input(folder / _ABOUT), type=ChallengeRecord))
    except FileNotFoundError as fault:
        raise BadChallenge(f"There is no challenge set in {folder}; “curtain challenge new” makes one.") from fault
    except (OSError, ValueError) as fault:
        raise BadChallenge(f"{folder / _ABOUT} cannot be read: {fault}.") from fault


def _about(agreement: ReferenceAgreement) -> tuple[str, str | None, bool]:
    return agreement.ref, agreement.max, agreement.yes_no
