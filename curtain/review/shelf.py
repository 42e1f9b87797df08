"""All sessions of a study that are annotated, with what is written about them so far; and which turns are to be gone
through."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from curtain.base.input_file import real_path
from curtain.corpus.checking import Checker
from curtain.corpus.domains import Domains
from curtain.corpus.layers import Layers
from curtain.corpus.row import Layer
from curtain.corpus.tag_table import TagTable, load_table
from curtain.corpus.utterance import Utterance
from curtain.corpus.values import BadValue
from curtain.errors import CurtainError
from curtain.review.ledger import Ledger, Snapshot
from curtain.review.material import NoTurns, Scene, Sitting, read_sitting
from curtain.review.work import Values, as_said
from curtain.session.bundle import Bundle
from curtain.session.clock import Clock
from curtain.session.study import Study

__all__ = ["FILTERS", "Filter", "Person", "Shelf", "Volume", "read_shelf"]

Filter = Literal["all", "open", "differing"]
FILTERS: tuple[Filter, ...] = ("all", "open", "differing")


@dataclass(frozen=True)
class Person:
    """Who sits here. `second`: goes through what somebody else has finished, without seeing it. `adjudicates`: rules
    where annotators differ."""

    by: str
    second: bool = False
    adjudicates: bool = False


class Volume:
    """One session for one person. `turns` are those the person may be asked about, `done` those that are finished;
    `again` are those that were saved and now break a rule, as when a turn they depend on was changed."""

    def __init__(self, sitting: Sitting, ledger: Ledger, written: Snapshot, person: Person, checker: Checker) -> None:
        self.sitting = sitting
        self.ledger = ledger
        self._person = person
        self._checker = checker
        self._checked: dict[str, _Checked] = {}
        self.update(written)

    def update(self, written: Snapshot) -> None:
        """Newer rows were read."""
        self.written = written
        self.turns = tuple(one for one in self.sitting.to_annotate if self._concerns(one))
        finished = frozenset(one for one in self.turns if self._is_done(one))
        self.again = finished & self._broken()
        self.done = finished - self.again

    def saved(self, utterance_id: str) -> dict[Layer, dict[str, Any]]:
        """What this person starts from: the own word, else, unless second, what counts so far."""
        own = self.written.saved(utterance_id, self._person.by)
        return own if own or self._person.second else self.written.current(utterance_id)

    def drafts(self, utterance_id: str) -> dict[Layer, dict[str, Any]]:
        return self.written.drafts(utterance_id, self._person.by)

    def _broken(self) -> frozenset[str]:
        """The turns whose saved rows break a rule; looked at anew where they, or the classes before, were changed."""
        before: list[Utterance] = []
        classes: tuple[object, ...] = ()
        for scene in self.sitting.scenes:
            values, known = self.saved(scene.id), self._checked.get(scene.id)
            if known is None or known.values != values or known.classes != hash(classes):
                known = self._checked[scene.id] = self._check(scene, values, before, hash(classes))
            before.append(known.said)
            classes = (hash(classes), known.said.eval_class)
        return frozenset(one for one, found in self._checked.items() if found.breaks)

    def _check(self, scene: Scene, values: Values, before: list[Utterance], classes: int) -> _Checked:
        try:
            said = as_said(scene.utterance, values)
        except BadValue:
            return _Checked(values, classes, scene.utterance, True)
        sitting = self.sitting
        faults = self._checker.of_turn(said, before, sitting.year, sitting.session.dialect) if values else []
        return _Checked(values, classes, said, bool(faults))

    def is_differing(self, utterance_id: str) -> bool:
        return utterance_id in self.written.differing

    def _concerns(self, utterance_id: str) -> bool:
        others = {*self.written.annotators(utterance_id)}
        if self._person.adjudicates:
            return len(others) > 1
        return bool(others - {self._person.by}) if self._person.second else True

    def _is_done(self, utterance_id: str) -> bool:
        if self._person.adjudicates:
            return not self.is_differing(utterance_id) or self._is_ruled(utterance_id)
        annotators = self.written.annotators(utterance_id)
        return self._person.by in annotators if self._person.second else bool(annotators)

    def _is_ruled(self, utterance_id: str) -> bool:
        return set(self.written.differing[utterance_id]) <= set(self.written.ruling(utterance_id))


@dataclass(frozen=True)
class _Checked:
    """How a turn stood when it was checked: `values` of its rows, `classes` of the turns before, in one number."""

    values: Values
    classes: int
    said: Utterance
    breaks: bool


class Shelf:
    """The sessions in the order of their ids. `skipped` are sentences on those that cannot be read."""

    def __init__(
        self, title: str, person: Person, table: TagTable, volumes: list[Volume], skipped: tuple[str, ...] = ()
    ) -> None:
        self.title = title
        self.person = person
        self.table = table
        self.volumes = volumes
        self.skipped = skipped
        self._volume_of = {scene.id: volume for volume in volumes for scene in volume.sitting.scenes}

    def volume(self, utterance_id: str) -> Volume:
        return self._volume_of[utterance_id]

    def scene(self, utterance_id: str) -> Scene:
        sitting = self.volume(utterance_id).sitting
        return sitting.scenes[sitting.place(utterance_id)]

    def turns(self) -> list[str]:
        """All that this person may be asked about, in order."""
        return [one for volume in self.volumes for one in volume.turns]

    def is_done(self, utterance_id: str) -> bool:
        return utterance_id in self.volume(utterance_id).done

    def again(self) -> frozenset[str]:
        """Saved turns that are to be looked at again."""
        return frozenset[str]().union(*(volume.again for volume in self.volumes))

    def queue(self, chosen: Filter) -> list[str]:
        """The turns that a filter leaves."""
        return [one for volume in self.volumes for one in _kept(volume, chosen)]

    def resume_at(self) -> str | None:
        """The turn that was left unfinished, else the first open one behind the last that was worked on."""
        turns, by = self.turns(), self.person.by
        if not turns:
            return None
        last = max(self.volumes, key=lambda volume: volume.written.last_at(by)).written.last_of(by)
        if last is None or last not in turns:
            return next((one for one in turns if not self.is_done(one)), turns[0])
        if self.volume(last).drafts(last):
            return last
        behind = turns[turns.index(last) + 1 :]
        return next((one for one in [*behind, *turns] if not self.is_done(one)), last)


def _kept(volume: Volume, chosen: Filter) -> Iterator[str]:
    for one in volume.turns:
        if chosen == "all" or (volume.is_differing(one) if chosen == "differing" else one not in volume.done):
            yield one


def read_shelf(study: Study, person: Person, clock: Clock, progress: Callable[[int, int], None] | None = None) -> Shelf:
    """Reads every session; waits for the disk. `progress` gets how many are read and how many there are.

    A session that cannot be read is left out and told; pilot sessions are left out. Raises StudyMissing, BadTagTable,
    NoTurns.
    """
    table, domains = load_table(study.folder), Domains()
    folders = [one.path for one in study.sessions()]
    volumes, skipped = [], []
    for number, path in enumerate(folders, 1):
        try:
            volumes.append(_read(path, person, clock, domains, Checker(table, study.rule_book)))
        except CurtainError as fault:
            skipped.append(str(fault))
        if progress is not None:
            progress(number, len(folders))
    kept = [volume for volume in volumes if not volume.sitting.session.pilot]
    shelf = Shelf(real_path(study.folder).name, person, table, kept, tuple(skipped))
    if not shelf.turns():
        raise NoTurns(_why_nothing(study, person, skipped))
    return shelf


def _read(path: Path, person: Person, clock: Clock, domains: Domains, checker: Checker) -> Volume:
    ledger = Ledger(Layers(Bundle(path)), person.by, clock)
    return Volume(read_sitting(path, domains, checker.year), ledger, ledger.look(), person, checker)


def _why_nothing(study: Study, person: Person, skipped: list[str]) -> str:
    if skipped:
        return skipped[0]
    if person.adjudicates:
        return f"In {study.folder} no turn has been annotated by two people yet, so there is nothing to rule."
    if person.second:
        return f"In {study.folder} nobody but {person.by} has annotated a turn yet; leave out --second."
    return f"There is no turn to annotate in {study.folder}."
