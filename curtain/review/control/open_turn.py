"""One turn while it is annotated: what is said about it, what follows from that, and every step of it to undo."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from curtain.corpus.annotation.row import Layer
from curtain.corpus.annotation.rules import AnnotationProblem, check, derive_category, derive_class, reachable
from curtain.corpus.annotation.tag_table import TagTable
from curtain.corpus.annotation.values import CategoryValue
from curtain.corpus.model.utterance import Category, EvalClass, Reference, Utterance
from curtain.review.control import edits
from curtain.review.control.material import LiveSession, LiveTurn
from curtain.review.control.shelf import Volume
from curtain.review.control.work import TurnAnnotation, judged, said_on, values_of

MOST_UNDONE = 200
Said = Mapping[Layer, dict[str, Any]]
Sent = Mapping[str, Said]


class OpenTurn:
    """`saved` is what was saved of it, `kept` what is safe on the disk as a draft; `reading` is the one in sight."""

    def __init__(
        self, scene: LiveTurn, volume: Volume, table: TagTable, values: Said, drafts: Said, sent: Sent
    ) -> None:
        """`values` are what was saved, `drafts` what was left unsaved; `sent` is what is still on its way to
        the disk, by turn."""
        self.scene = scene
        self.sitting: LiveSession = volume.sitting
        self._table = table
        self.before = tuple(_as_judged(one, volume, sent) for one in self.sitting.before(scene.id))
        self._said_class = _class_of(values)
        self.begin(self.work_from(values), self.work_from(_with_drafts(values, drafts)) if drafts else None)

    def begin(self, saved: TurnAnnotation, work: TurnAnnotation | None = None) -> None:
        """Start anew from what was saved, with `work` as the unsaved state of it."""
        self.saved = saved
        self.work = work or saved
        self.kept: TurnAnnotation | None = self.work
        self.reading = 0
        self._past: list[TurnAnnotation] = []
        self._future: list[TurnAnnotation] = []
        self._kind = ""
        self._follow()

    def work_from(self, saved: Said) -> TurnAnnotation:
        """What these rows say, on top of what the live session knew. Raises BadValue."""
        return said_on(self.scene.utterance, saved)

    @property
    def id(self) -> str:
        """The id of its utterance."""
        return self.scene.id

    @property
    def year(self) -> int:
        """The year of the rule-book that the session was run by."""
        return self.sitting.year

    @property
    def dirty(self) -> bool:
        """Whether something is unsaved."""
        return self.work != self.saved

    @property
    def outdated(self) -> bool:
        """Whether another class or category follows now than was saved, since an earlier turn was changed."""
        saved_class, follows = self._said_class, (self.annotation.eval_class, self.annotation.category)
        return any(one is not None and one != other for one, other in zip(saved_class, follows, strict=True))

    @property
    def must_run(self) -> bool:
        """Whether a reading has SQL whose answer is not computed yet."""
        return any(one.must_run for one in self.work.readings)

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit of this turn to take back."""
        return bool(self._past)

    @property
    def in_reach(self) -> tuple[Utterance, ...]:
        """The earlier turns that this one may point to."""
        return reachable(self.scene.utterance, self.before)

    @property
    def blocking(self) -> AnnotationProblem | None:
        """The first problem with which it cannot be saved."""
        return next((problem for problem in self.problems if problem.blocks), None)

    def values(self) -> dict[Layer, dict[str, Any]]:
        """The work as rows hold it."""
        return values_of(self.work, self.annotation)

    def edit(self, work: TurnAnnotation, kind: str = "") -> bool:
        """Take a changed value; False if it is the same. Edits of one kind in a row, as typing, are undone together."""
        if work == self.work:
            return False
        if not kind or kind != self._kind:
            self._past = [*self._past[-MOST_UNDONE:], self.work]
        self._kind = kind
        self._future = []
        self._take(work)
        return True

    def end_of_typing(self) -> None:
        """What is typed from here on is undone apart."""
        self._kind = ""

    def undo(self) -> bool:
        """Go back one edit of this turn; false when there is none."""
        if not self._past:
            return False
        self._future.append(self.work)
        self._step_to(self._past.pop())
        return True

    def redo(self) -> bool:
        """Go forward one edit again; false when none was undone since the last edit."""
        if not self._future:
            return False
        self._past.append(self.work)
        self._step_to(self._future.pop())
        return True

    def take_run(self, number: int, change: Callable[[TurnAnnotation], TurnAnnotation]) -> None:
        """What came of a statement is no step of its own."""
        if number < len(self.work.readings):
            self._take(change(self.work))

    def take_as_saved(self) -> None:
        """It was saved as it stands."""
        self.saved = self.kept = self.work
        self._said_class = (self.annotation.eval_class, self.annotation.category)

    def take_over(self, saved: TurnAnnotation, work: TurnAnnotation) -> None:
        """Its saving was taken back: `work` is unsaved again."""
        self.saved = saved
        self._step_to(work)

    def go_to_reading(self, number: int) -> None:
        """Open reading `number`, from 0, or the nearest that there is."""
        self.reading = max(0, min(len(self.work.readings) - 1, number))
        self._kind = ""

    def point_to(self, utterance_id: str) -> str:
        """The next kind of pointer to an earlier turn; a sentence if it may not be pointed to."""
        target = next(one for one in self.before if one.utterance_id == utterance_id)
        pointed = any(link.utterance_id == utterance_id for link in self.work.context)
        if target not in self.in_reach and not pointed:
            return f"Turn {target.turn} cannot be pointed to: the history was cleared or a new scenario began after it."
        self.edit(edits.next_pointer(self.work, utterance_id, target.outcome == "answer"))
        return ""

    def _step_to(self, work: TurnAnnotation) -> None:
        self._kind = ""
        self._take(work)

    def _take(self, work: TurnAnnotation) -> None:
        self.work = work
        self.reading = min(self.reading, len(work.readings) - 1)
        self._follow()

    def _follow(self) -> None:
        """Class, category and problems of the work as it stands."""
        bare = judged(self.work, self.scene.utterance)
        bare = replace(bare, eval_class=derive_class(bare, self.before, self._table, self.year))
        category = derive_category(bare, self.before, self._table)
        # Category 2 of 1989 is an ellipsis, which only a person can say; it depends on context in any case.
        if self.work.ellipsis and category in ("1", "3"):
            category = "2"
        # The work with the class and the category that follow from it.
        self.annotation = replace(bare, category=category)
        dialect = self.sitting.session.dialect
        as_run = replace(self.annotation, references=_as_if_run(self.work))
        # What is wrong with the turn as it stands; `blocking` is what keeps it from being saved.
        self.problems = check(as_run, self.before, self._table, self.year, dialect)


def _as_if_run(work: TurnAnnotation) -> tuple[Reference, ...]:
    """Saving runs what has to run first, so an answer that is still to come is no problem: something else stands in."""
    kept = [one for one in work.readings if not one.is_empty]
    return tuple(
        replace(reference, cas_min=f'"to be run {number}"') if reading.must_run else reference
        for number, (reading, reference) in enumerate(zip(kept, work.references, strict=True))
    )


def _with_drafts(saved: Said, drafts: Said) -> dict[Layer, dict[str, Any]]:
    return {layer: value for layer, value in {**saved, **drafts}.items() if value}


def _class_of(saved: Said) -> tuple[EvalClass | None, Category | None]:
    """As they were saved; None for what was not."""
    if not saved.get("category"):
        return None, None
    value = msgspec.convert(saved["category"], CategoryValue)
    return value.eval_class, value.category


def _as_judged(scene: LiveTurn, volume: Volume, sent: Sent) -> Utterance:
    """An earlier turn with the category that this person gave it."""
    values = sent.get(scene.id) or _with_drafts(volume.saved(scene.id), volume.drafts(scene.id))
    if not values.get("category"):
        return scene.utterance
    category = msgspec.convert(values["category"], CategoryValue)
    return replace(
        scene.utterance,
        category=category.category,
        eval_class=category.eval_class,
        tags=category.tags,
        context=category.context,
    )
