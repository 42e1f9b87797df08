"""The store of answered questions: the pack's examples, files of more, turns of a study; less what was withdrawn."""

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import chain, starmap
from pathlib import Path
from typing import Any

import msgspec

from curtain.base.errors import CurtainError
from curtain.base.input_file import open_unpacked, parse_json
from curtain.base.privacy import ensure_agreed
from curtain.base.text_file import numbered_lines, numbered_objects
from curtain.domain.pack.reader import Pack
from curtain.ports.discovery import named_offers
from curtain.session.study.study import Study
from curtain_drafts.drafting.values import Asked, Example

from .serving.settings import CHAT, OURS, agreements_of, read_settings

Answered = tuple[str, str, str, tuple[tuple[str, str], ...], str]
"""An answered turn of a study: its utterance id, its query, the SQL, query and SQL of each turn before it, and the id
of its scenario."""

_LINE_BYTES = 1 << 20
WITHDRAWN = "withdrawn.jsonl"
"""Examples that must not be learnt from: a file in the study that only grows, with rows of `Withdrawal`."""


class BadExamples(CurtainError):
    """A file of examples or questions that cannot be used; the sentence names file and line."""


def together(*sources: Iterable[Example], without: Container[str] = ()) -> list[Example]:
    """The examples of all sources in their order, less those whose id was withdrawn. Of examples with one id the
    last counts, and of equal ones without an id one."""
    known = {one.id or one: one for one in chain.from_iterable(sources)}
    return [one for name, one in known.items() if name not in without]


def pack_examples(pack: Pack) -> list[Example]:
    """The examples of a pack, `pack:1` being the first. Raises PackError."""
    examples = pack.examples()
    asked = {one.question: Asked(one.question, one.sql) for one in examples}
    before = (tuple(asked[each] for each in one.context if each in asked) for one in examples)
    pairs = enumerate(zip(examples, before, strict=True), start=1)
    return [Example(one.question, one.sql, previous, f"pack:{number}") for number, (one, previous) in pairs]


def check_drafters(study: Study) -> str:
    """Which drafters a study names, in a sentence. Raises CurtainError for one that would be missed in a session."""
    chosen = read_settings(study.drafters, study.folder).drafters
    # An unknown drafter would only be missed when the first list stays empty.
    known = {OURS, CHAT, *named_offers("drafters")}
    if unknown := " and ".join(f"“{choice.name}”" for choice in chosen if choice.name not in known):
        raise CurtainError(
            f"[drafters] in study.toml names {unknown}: no such drafter is installed; install or remove it."
        )
    for choice in chosen:
        ensure_agreed(agreements_of(choice), study.folder)
        for name in choice.options.get("examples", ()) if choice.name == OURS else ():
            read_examples(study.folder / name)
    return f"{', '.join(choice.name for choice in chosen)} installed." if chosen else "switched off in study.toml."


def read_examples(path: Path) -> list[Example]:
    """The examples of a file of JSON lines `{question, sql}`, plain or gzipped; each may have an `id`, a `scenario`,
    and `previous` or `context`: the turns that it depends on. Without an id it is file and line.

    Raises BadExamples.
    """
    return [_example(path, number, line) for number, line in read_lines(path)]


def read_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file of JSON lines with their line numbers, from 1; empty lines are left out.

    Raises BadExamples for a file or a line that cannot be read.
    """
    return numbered_objects(path, open_unpacked(path), _LINE_BYTES, BadExamples)


def read_previous(place: str, given: object) -> tuple[Asked, ...]:
    """Earlier turns as a file gives them: SQL alone, `{question, sql}`, or a list of these, oldest first.

    Raises BadExamples naming `place`.
    """
    many = given if isinstance(given, list) else [] if given is None else [given]
    return tuple(_asked(place, one) for one in many)


def _example(path: Path, number: int, line: dict[str, Any]) -> Example:
    place = f"{path} line {number}"
    for key in ("question", "sql"):
        if not isinstance(line.get(key), str) or not line[key].strip():
            raise BadExamples(f"{place} has no “{key}”: a line is an object with “question” and “sql”.")
    previous = read_previous(place, line.get("previous", line.get("context")))
    name, scenario = str(line.get("id") or f"{path.name}:{number}"), str(line.get("scenario") or "")
    return Example(line["question"], line["sql"], previous, name, path.name, scenario)


def _asked(place: str, given: object) -> Asked:
    one = {"sql": given} if isinstance(given, str) else given
    if isinstance(one, dict) and isinstance(one.get("sql"), str) and isinstance(one.get("question", ""), str):
        return Asked(one.get("question", ""), one["sql"])
    raise BadExamples(f"{place}: “previous” must be SQL, an object with “question” and “sql”, or a list of these.")


def from_turn(turn: Answered) -> Example:
    """An answered turn as an example, named by its utterance id."""
    utterance_id, query, sql, before, scenario = turn
    return Example(query, sql, tuple(starmap(Asked, before)), utterance_id, "study", scenario)


class Withdrawal(msgspec.Struct, frozen=True, kw_only=True):
    """Who withdrew which example, and when (UTC, ISO 8601); `back` takes an earlier withdrawal back."""

    id: str
    who: str
    when: str
    back: bool = False


def read_withdrawn(study: Path) -> tuple[frozenset[str], list[str]]:
    """The ids that are withdrawn, and a sentence for each line that cannot be read; none without the file."""
    path, ids, problems = study / WITHDRAWN, set[str](), list[str]()
    if not path.exists():
        return frozenset(), []
    try:
        for number, line in numbered_lines(path, open_unpacked(path), _LINE_BYTES, BadExamples):
            # Every line counts that can be read, also behind one that cannot.
            try:
                one = parse_json(line, Withdrawal)
            except msgspec.DecodeError:
                problems.append(f"{path} line {number} does not name an example that was withdrawn.")
            else:
                (ids.discard if one.back else ids.add)(one.id)
    except BadExamples as error:
        problems.append(str(error))
    return frozenset(ids), problems


def study_store(
    pack: Pack, study: Path, drafters: Mapping[str, Any], turns: Iterable[Answered]
) -> tuple[list[Example], list[str]]:
    """Everything that drafts may rest on: the pack's examples, the files that study.toml names (`examples` of
    [drafters.curtain], counted from the study's folder) and the study's answered turns; less what was withdrawn there.
    With a sentence for each thing that could not be read. Raises CurtainError."""
    withdrawn, problems = read_withdrawn(study)
    from_files: list[Example] = []
    ours = (one.options for one in read_settings(drafters, study).drafters if one.name == OURS)
    for name in chain.from_iterable(options.get("examples", ()) for options in ours):
        try:
            from_files += read_examples(study / name)
        except BadExamples as error:
            problems.append(str(error))
    return together(pack_examples(pack), from_files, map(from_turn, turns), without=withdrawn), problems
