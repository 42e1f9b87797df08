"""All sessions of a study that are annotated, with what is written about them so far; and which turns are to be gone
through."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.corpus.annotation.checks import Checker
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.annotation.row import Layer, LayerRow
from curtain.corpus.annotation.sample import Sample
from curtain.corpus.annotation.tag_table import TagTable, load_table
from curtain.corpus.annotation.values import BadValue
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.utterance import Utterance
from curtain.review.control.ledger import Ledger, Snapshot, last_said, standing_in
from curtain.review.control.material import LiveSession, LiveTurn, read_queries, read_sitting
from curtain.review.control.work import Values, as_said
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import Study

Filter = Literal["all", "open", "differing"]
FILTERS: tuple[Filter, ...] = ("all", "open", "differing")
_AT_ONCE = 4
_IN_MEMORY = 3
"""How many sessions stay in memory: the open one, the one before it, and the one behind it."""


@dataclass(frozen=True)
class Person:
    """Who sits here. `second`: goes through what somebody else has finished, without seeing it. `adjudicates`: rules
    where annotators differ. With a `sample` one goes through these turns alone, without seeing what others said."""

    by: str
    second: bool = False
    adjudicates: bool = False
    sample: Sample | None = None

    @property
    def is_blind(self) -> bool:
        """Whether this person sees only the own word."""
        return self.second or (self.sample is not None and not self.adjudicates)


class Volume:
    """One session for one person: what is known of its turns, and the session itself while it is looked at.

    `turns` are those the person may be asked about, `done` those that are finished; `again` are those that were saved
    and now break a rule, as when a turn they depend on was changed. `due` are the turns that this person has to do: of
    an adjudicator those on which annotators differ, or that are ruled already. `drafted` have a draft of this person,
    `classes` are those this person saved, or sees as saved. `last` is when this person worked here last, and on what.
    """

    def __init__(self, path: Path, person: Person, clock: Clock, domains: Domains, checker: Checker) -> None:
        """Waits for the disk. Raises as `read_sitting`, CurtainError."""
        self._path, self._person, self._clock = path, person, clock
        self._domains, self._checker = domains, checker
        self._content: Content | None = None
        self.session_id, self.queries = read_queries(path)
        written = self._new_ledger().look()
        # Only what somebody saved can break a rule, so only then the turns themselves are needed.
        if self.queries and written.says_something:
            self.take(self.read())
        else:
            self._sum_up(written, frozenset())

    @property
    def is_read(self) -> bool:
        """Whether the session itself is in memory."""
        return self._content is not None

    def read(self) -> Content:
        """The session itself, for `take`. Waits for the disk, and changes nothing. Raises as the constructor."""
        ledger = self._new_ledger()
        sitting, written = read_sitting(self._path, self._domains, self._checker.year), ledger.look()
        judged_before = {
            scene.id: written.standing["category"].current(scene.id)
            for scene in sitting.scenes
            if scene.utterance.answered_since
        }
        content = Content(sitting, ledger, written, judged_before, {})
        # Checked here, since this may be another thread than that of the window.
        self._broken(content)
        return content

    def take(self, content: Content) -> None:
        """What `read` gave."""
        self._content = content
        self._sum_up(content.written, self._broken(content))

    def let_go(self) -> None:
        """Keep what is known of the turns alone; whoever looks at the session reads it again."""
        self._content = None

    @property
    def _at_hand(self) -> Content:
        if self._content is None:
            self.take(self.read())
        assert self._content is not None
        return self._content

    @property
    def sitting(self) -> LiveSession:
        """The session, read now if it is not in memory. Raises as the constructor."""
        return self._at_hand.sitting

    @property
    def ledger(self) -> Ledger:
        """What writes in its annotation layers. Raises as the constructor."""
        return self._at_hand.ledger

    @property
    def written(self) -> Snapshot:
        """Its annotation layers. Raises as the constructor."""
        return self._at_hand.written

    def update(self, written: Snapshot) -> None:
        """Newer rows were read."""
        self.take(replace(self._at_hand, written=written))

    def saved(self, utterance_id: str) -> dict[Layer, dict[str, Any]]:
        """What this person starts from: the own word, else, unless second, what counts so far."""
        return self._saved(self.written, utterance_id)

    def drafts(self, utterance_id: str) -> dict[Layer, dict[str, Any]]:
        """The unfinished values of this annotator, by layer."""
        return self.written.drafts(utterance_id, self._person.by)

    def _new_ledger(self) -> Ledger:
        return Ledger(Layers(Bundle(self._path)), self._person.by, self._clock)

    def _saved(self, written: Snapshot, utterance_id: str) -> dict[Layer, dict[str, Any]]:
        own_values = written.saved(utterance_id, self._person.by)
        return own_values if own_values or self._person.is_blind else written.current(utterance_id)

    def _sum_up(self, written: Snapshot, broken: frozenset[str]) -> None:
        by = self._person.by
        self.turns = tuple(one for one in self.queries if self._concerns(written, one))
        finished = frozenset(one for one in self.turns if self._is_done(written, one))
        self.again = finished & broken
        self.done = finished - self.again
        self.differing = frozenset(written.differing)
        self.due = frozenset(
            one for one in self.turns if not self._person.adjudicates or one in self.differing or written.ruling(one)
        )
        self.drafted = frozenset(one for one in self.turns if written.drafts(one, by))
        saved = ((one, self._saved(written, one).get("category", {})) for one in self.turns)
        self.classes: dict[str, str] = {one: value["eval_class"] for one, value in saved if value.get("eval_class")}
        self.last = last_said(written.standing, by)

    def _broken(self, content: Content) -> frozenset[str]:
        """The turns whose saved rows break a rule; looked at anew where they, or the classes before, were changed."""
        before: list[Utterance] = []
        classes: tuple[object, ...] = ()
        for scene in content.sitting.scenes:
            values, checked = self._saved(content.written, scene.id), content.checked.get(scene.id)
            if checked is None or checked.values != values or checked.classes != hash(classes):
                checked = self._check(content.sitting, scene, values, before, hash(classes))
                content.checked[scene.id] = checked
            before.append(checked.utterance)
            # One number for all classes before: a changed class is noticed without comparing every earlier turn.
            classes = (hash(classes), checked.utterance.eval_class)
        # Whatever is saved from here on is about the last answer.
        standing = content.written.standing["category"]
        before_answer = (one for one, row in content.judged_before.items() if standing.current(one) == row)
        return frozenset(one for one, each in content.checked.items() if each.breaks).union(before_answer)

    def _check(
        self, sitting: LiveSession, scene: LiveTurn, values: Values, before: list[Utterance], classes: int
    ) -> _Checked:
        try:
            utterance = as_said(scene.utterance, values)
        except BadValue:
            return _Checked(values, classes, scene.utterance, True)
        problems = self._checker.of_turn(utterance, before, sitting.year, sitting.session.dialect) if values else []
        return _Checked(values, classes, utterance, bool(problems))

    def _concerns(self, written: Snapshot, utterance_id: str) -> bool:
        if self._person.sample is not None and utterance_id not in self._person.sample:
            return False
        others = {*written.annotators(utterance_id)}
        if self._person.adjudicates:
            return len(others) > 1
        return bool(others - {self._person.by}) if self._person.second else True

    def _is_done(self, written: Snapshot, utterance_id: str) -> bool:
        if self._person.adjudicates:
            disputed = written.differing.get(utterance_id, ())
            return not disputed or {*disputed} <= {*written.ruling(utterance_id)}
        annotators = written.annotators(utterance_id)
        return self._person.by in annotators if self._person.is_blind else bool(annotators)


@dataclass(frozen=True)
class Content:
    """A session in memory. `judged_before` holds the rows on turns that were answered anew since; `checked` is filled
    in as rows are checked."""

    sitting: LiveSession
    ledger: Ledger
    written: Snapshot
    judged_before: Mapping[str, LayerRow | None]
    checked: dict[str, _Checked]


@dataclass(frozen=True)
class _Checked:
    """How a turn stood when it was checked: `values` of its rows, `classes` of the turns before, in one number."""

    values: Values
    classes: int
    utterance: Utterance
    breaks: bool


class AnnotatedSessions:
    """The sessions in the order of their ids. `skipped` are sentences on those that cannot be read."""

    def __init__(self, title: str, person: Person, table: TagTable, volumes: list[Volume]) -> None:
        self.title = title
        self.person = person
        self.table = table
        self.volumes = volumes
        self.skipped: tuple[str, ...] = ()
        self._volume_of: dict[str, Volume] = {}
        self._looked_at: list[Volume] = []
        self.unread = 0
        self._index(volumes)

    def add(self, volumes: Sequence[Volume], unread: int) -> None:
        """Sessions that were read meanwhile; `unread` more will come."""
        self.volumes = sorted((*self.volumes, *volumes), key=lambda volume: volume.session_id)
        self.unread = unread
        self._index(volumes)

    def _index(self, volumes: Iterable[Volume]) -> None:
        self._volume_of |= {one: volume for volume in volumes for one in volume.queries}

    def look_at(self, utterance_id: str) -> Volume:
        """The session of an utterance, read now if it is not in memory. Raises as `read_sitting`."""
        volume = self.volume(utterance_id)
        self.take(volume, None if volume.is_read else volume.read())
        return volume

    def take(self, volume: Volume, content: Content | None) -> None:
        """A session that is looked at, or will be soon; those before the last few leave the memory."""
        if content is not None:
            volume.take(content)
        self._looked_at = [volume, *(one for one in self._looked_at if one is not volume)]
        for earlier in self._looked_at[_IN_MEMORY:]:
            earlier.let_go()
        del self._looked_at[_IN_MEMORY:]

    def volume(self, utterance_id: str) -> Volume:
        """The session of an utterance. Raises `KeyError` for an utterance that is not annotated here."""
        return self._volume_of[utterance_id]

    def turns(self) -> list[str]:
        """All that this person may be asked about, in order."""
        return [one for volume in self.volumes for one in volume.turns]

    def is_done(self, utterance_id: str) -> bool:
        """Whether the person at work has finished this turn."""
        return utterance_id in self.volume(utterance_id).done

    def again(self) -> frozenset[str]:
        """Saved turns that are to be looked at again."""
        return frozenset[str]().union(*(volume.again for volume in self.volumes))

    def queue(self, chosen: Filter) -> list[str]:
        """The turns that a filter leaves."""
        return [one for volume in self.volumes for one in _kept(volume, chosen)]

    def resume_at(self) -> str | None:
        """The turn that was left unfinished, else the first open one behind the last that was worked on."""
        turns = self.turns()
        if not turns:
            return None
        _, last = max(volume.last for volume in self.volumes)
        if last not in turns:
            return next((one for one in turns if not self.is_done(one)), turns[0])
        if last in self.volume(last).drafted:
            return last
        behind = turns[turns.index(last) + 1 :]
        return next((one for one in [*behind, *turns] if not self.is_done(one)), last)


def _kept(volume: Volume, chosen: Filter) -> Iterator[str]:
    for utterance_id in volume.turns:
        if chosen == "all" or (
            utterance_id in volume.differing if chosen == "differing" else utterance_id not in volume.done
        ):
            yield utterance_id


class ShelfReader:
    """Reads the sessions of a study, those first that hold the turn to go on with. Waits for the disk.

    `only` names sessions; without names it is all of them. A session that cannot be read is left out and reported in
    `skipped`; pilot sessions are left out.
    """

    def __init__(self, study: Study, person: Person, clock: Clock, only: Collection[str] = ()) -> None:
        """Raises StudyMissing, CurtainError."""
        self._study, self._person, self._clock = study, person, clock
        self._table, self._domains = load_table(study.folder), Domains()
        sessions = study.sessions()
        unknown = sorted(set(only) - {one.session_id for one in sessions})
        if unknown:
            raise CurtainError(f"There is no session {unknown[0]} in {study.folder}.")
        self._waiting = [one.path for one in sessions if not only or one.session_id in only]
        self._of = len(self._waiting)
        self.skipped: list[str] = []

    @property
    def unread(self) -> int:
        """How many sessions are still to be read."""
        return len(self._waiting)

    def read_first(self, progress: Callable[[int, int], None] | None = None) -> AnnotatedSessions:
        """The session that was worked on last and those behind it, until there is a turn to go on with.

        Raises CurtainError.
        """
        self._begin_with(self._last_worked_on())
        shelf = AnnotatedSessions(real_path(self._study.folder).name, self._person, self._table, [])
        while self._waiting and not _can_go_on(shelf):
            shelf.add(self._read(1), self.unread)
            if progress is not None:
                progress(self._of - self.unread, self._of)
        shelf.skipped = tuple(self.skipped)
        start = shelf.resume_at()
        if start is None:
            raise CurtainError(_why_nothing(self._study, self._person, self.skipped))
        shelf.look_at(start)
        for volume in shelf.volumes:
            if volume is not shelf.volume(start):
                volume.let_go()
        return shelf

    def read_more(self) -> list[Volume]:
        """A few more sessions, so that a writing that waits behind them does not wait long."""
        volumes = self._read(_AT_ONCE)
        for volume in volumes:
            volume.let_go()
        return volumes

    def _read(self, count: int) -> list[Volume]:
        paths, self._waiting = self._waiting[:count], self._waiting[count:]
        volumes = []
        for path in paths:
            try:
                checker = Checker(self._table, self._study.rule_book)
                volumes.append(Volume(path, self._person, self._clock, self._domains, checker))
            except CurtainError as error:
                self.skipped.append(str(error))
        return volumes

    def _begin_with(self, path: Path | None) -> None:
        """In the order of sessions from this one on, then from the beginning."""
        at = self._waiting.index(path) if path is not None else 0
        self._waiting = [*self._waiting[at:], *self._waiting[:at]]

    def _last_worked_on(self) -> Path | None:
        """The session with the newest row of this person; files are looked at from the newest on, and no further."""
        last_turn, latest = None, ""
        for changed, path in sorted(map(_with_change, self._waiting), reverse=True):
            # No row can be newer than its file, so no older file can hold a later row.
            if not changed or changed < latest[:19]:
                break
            with suppress(CurtainError):
                at, _ = last_said(standing_in(Layers(Bundle(path))), self._person.by)
                last_turn, latest = (path, at) if at > latest else (last_turn, latest)
        return last_turn


def _with_change(path: Path) -> tuple[str, Path]:
    """When something was said last about a session, to the second as rows have it; "" for never."""
    try:
        newest = max((file.stat().st_mtime for file in (path / "annotations").iterdir()), default=None)
    except OSError:
        newest = None
    return ("" if newest is None else datetime.fromtimestamp(newest, UTC).isoformat()[:19]), path


def _can_go_on(shelf: AnnotatedSessions) -> bool:
    start = shelf.resume_at()
    return start is not None and (not shelf.is_done(start) or start in shelf.volume(start).drafted)


def _why_nothing(study: Study, person: Person, skipped: list[str]) -> str:
    if skipped:
        return skipped[0]
    if person.sample is not None:
        return f"In {study.folder} no turn is in the sample of {person.sample}; take a larger share."
    if person.adjudicates:
        return f"In {study.folder} no turn has been annotated by two people yet, so there is nothing to rule."
    if person.second:
        return f"In {study.folder} nobody but {person.by} has annotated a turn yet; leave out --second."
    return f"There is no turn to annotate in {study.folder}."
