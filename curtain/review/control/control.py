"""Decides what annotating does: which turn is open, what is saved, run, ruled, undone. No widgets.

Files and the database are reached through two callables that are handed in and answer later; each does one thing after
the other. Whoever shows this hears `changed` and reads everything anew, by `opened` before that; `grew` says that
there are more turns, and nothing else is new.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from curtain.base.clock import steady_s
from curtain.base.errors import CurtainError
from curtain.base.hearing import DOUBTFUL, unchanged
from curtain.corpus.annotation.first_words import TimedWords
from curtain.corpus.annotation.recompute import Recomputed
from curtain.corpus.annotation.row import Layer
from curtain.review.control import edits
from curtain.review.control.ledger import Ledger
from curtain.review.control.material import LiveSession
from curtain.review.control.open_turn import OpenTurn
from curtain.review.control.progress import AnnotationProgress, progress_at
from curtain.review.control.ruling import Ruling, ruling_on
from curtain.review.control.shelf import FILTERS, AnnotatedSessions, Filter, Volume
from curtain.review.control.turn_list import ListedTurn, listed
from curtain.review.control.turn_timer import TurnTimer
from curtain.review.control.wording import turns_in_words
from curtain.review.control.work import TurnAnnotation
from curtain.review.control.write_queue import Outgoing, Write

Values = dict[Layer, dict[str, Any]]
Recompute = Callable[[LiveSession, str, str, bool, Callable[[Future[Recomputed]], None]], object]
"""Runs a reading (minimum, maximum, yes/no) of a session's turn in its database, then calls the last on the thread of
the window."""


@dataclass(frozen=True)
class _Act:
    """A turn that was saved or ruled: what stood there before, and what to go on with if it is taken back."""

    utterance_id: str
    before: Values
    work: TurnAnnotation
    ruled: bool


class AnnotateControl:
    """One person going through the turns of a shelf. There is always an open turn."""

    def __init__(
        self, shelf: AnnotatedSessions, write: Write, recompute: Recompute, now: Callable[[], float] = steady_s
    ) -> None:
        self.shelf = shelf
        self.timer = TurnTimer(now)
        self._outgoing = Outgoing(shelf, write, self._on_written)
        self._recompute = recompute
        self.changed: Callable[[], None] = lambda: None
        self.opened: Callable[[], None] = lambda: None
        self.grew: Callable[[], None] = lambda: None
        self.filter: Filter = "differing" if shelf.person.adjudicates else "all"
        self.notice = ""
        self.last_saved = ""
        self.ruling: Ruling | None = None
        self.editing_ruling = False
        self._queue = shelf.queue(self.filter)
        self._acts: list[_Act] = []
        self._again = shelf.again()
        self._running = 0
        self._save_after_run = False
        start = shelf.resume_at()
        assert start is not None, "a shelf has turns"
        self.turn = self._opened_turn(start)
        self._look_at_ruling()

    # -- what is there -------------------------------------------------------------------------------------

    @property
    def work(self) -> TurnAnnotation:
        """The annotation of the open turn, as edited so far."""
        return self.turn.work

    @property
    def running(self) -> bool:
        """Whether a statement runs."""
        return self._running > 0

    @property
    def writing(self) -> bool:
        """Whether something is on its way to the disk, or waits for it."""
        return self._outgoing.busy

    @property
    def problem(self) -> str:
        """Why something is not on the disk; it is tried again. Else what is damaged in this session's annotations."""
        return self._outgoing.problem or next(iter(self.shelf.volume(self.turn.id).written.damage), "")

    @property
    def can_undo(self) -> bool:
        """Whether there is an edit of this turn, or an act on an earlier one, to take back."""
        return self.turn.can_undo or bool(self._acts)

    @property
    def is_saved(self) -> bool:
        """Whether the open turn is annotated, or ruled, and nothing of it is unsaved."""
        return not self.turn.dirty and self._is_done(self.turn.id) and not self.turn.outdated

    @property
    def is_again(self) -> bool:
        """Whether the open turn was saved, and has to be looked at again since an earlier one was changed."""
        done = self._is_done(self.turn.id) and self.turn.outdated
        return not self.turn.dirty and (done or self.turn.id in self._volume.again)

    @property
    def progress(self) -> AnnotationProgress:
        """How far the annotator is, with the rows that are on their way to the disk."""
        return progress_at(self.shelf, self.turn.id, self._outgoing.sent)

    def listed(self) -> list[ListedTurn]:
        """All turns of the sessions that are read, for a list."""
        return listed(self.shelf, self._outgoing.sent)

    def _is_done(self, utterance_id: str) -> bool:
        return utterance_id in self._outgoing.sent or self.shelf.is_done(utterance_id)

    @property
    def timed_words(self) -> TimedWords:
        """The words of the open turn with start and end in ms, as the recogniser heard them."""
        return self._volume.written.timed_words(self.turn.scene.utterance)

    @property
    def doubtful(self) -> list[tuple[int, int]]:
        """Where in the transcription words stand of which the recogniser was unsure, until somebody saves it."""
        if self._volume.saved(self.turn.id):
            return []
        words = self._volume.written.draft_words(self.turn.id)
        return [(start, end) for at, start, end in unchanged(words, self.work.sro) if words[at].confidence < DOUBTFUL]

    @property
    def _volume(self) -> Volume:
        return self.shelf.volume(self.turn.id)

    @property
    def _ledger(self) -> Ledger:
        return self._volume.ledger

    # -- going through the turns ---------------------------------------------------------------------------

    def open(self, utterance_id: str) -> bool:
        """Open a turn; what was unsaved on the former one becomes a draft. False, with a notice, where the session of
        the turn can no longer be read: the former one stays."""
        self.keep_draft()
        try:
            self.turn = self._opened_turn(utterance_id)
        except CurtainError as error:
            self._notify(str(error))
            return False
        self.timer.begin()
        self.editing_ruling = False
        self._save_after_run = False
        self._look_at_ruling()
        self.opened()
        self.changed()
        return True

    def go(self, by: int) -> None:
        """The next or previous turn of the filter."""
        here = self.turn.id
        before = sum(one < here for one in self._queue)
        # The open turn may have left the filter, for instance by being saved: one step then leads to its neighbour.
        place = before + by if here in self._queue else before + min(by, 0) + max(by - 1, 0)
        if not 0 <= place < len(self._queue):
            self._notify("There is no turn behind this one." if by > 0 else "There is no turn before this one.")
            return
        self.notice = ""
        self.open(self._queue[place])

    @property
    def ahead(self) -> Volume | None:
        """The session of the next turn, where it is still to be read."""
        here = sum(one <= self.turn.id for one in self._queue)
        volume = self.shelf.volume(self._queue[here]) if here < len(self._queue) else None
        return None if volume is None or volume.is_read else volume

    def take_sessions(self, volumes: Sequence[Volume], unread: int) -> None:
        """Sessions that were read behind the first ones."""
        self.shelf.add(volumes, unread)
        # The open turn stays: sessions arrive while somebody works.
        self._queue = self.shelf.queue(self.filter)
        self._again = self.shelf.again()
        self.grew()

    def next_filter(self) -> None:
        """Go through the filters in turn; after the last comes the first."""
        self.choose_filter(FILTERS[(FILTERS.index(self.filter) + 1) % len(FILTERS)])

    def choose_filter(self, chosen: Filter) -> None:
        """Go through these turns only; the open one stays open if it is among them."""
        self.filter = chosen
        self._queue = self.shelf.queue(chosen)
        self._notify("" if self._queue else "There is no such turn.")
        if self._queue and self.turn.id not in self._queue:
            self.open(next((one for one in self._queue if one > self.turn.id), self._queue[0]))

    def _opened_turn(self, utterance_id: str) -> OpenTurn:
        volume, sent = self.shelf.look_at(utterance_id), self._outgoing.sent.get(utterance_id)
        # What is on its way counts as written: the disk may be slower than the annotator's next key.
        saved = sent or volume.saved(utterance_id)
        drafts, scene = {} if sent else volume.drafts(utterance_id), volume.sitting.scene(utterance_id)
        if not saved and scene.utterance.query is None and (words := volume.written.first_words(utterance_id)):
            saved = {"transcription": {"sro": words}}
        return OpenTurn(scene, volume, self.shelf.table, saved, drafts, self._outgoing.sent)

    # -- editing -------------------------------------------------------------------------------------------

    def edit(self, work: TurnAnnotation, kind: str = "") -> None:
        """Take a changed value of the open turn."""
        if self.turn.edit(work, kind):
            self.timer.touch()
            self.notice = ""
            self.changed()

    def change(self, how: Callable[..., TurnAnnotation], *arguments: object, kind: str = "") -> None:
        """Edit with one of the functions of `edits`."""
        self.edit(how(self.work, *arguments), kind)

    def toggle_tag(self, name: str) -> None:
        """Set or take back a tag of the table; "yes/no" is in the table but has a field of its own."""
        if name == "yes/no":
            self.toggle_yes_no()
        else:
            self.change(edits.toggle_tag, name, self.shelf.table)

    def toggle_yes_no(self) -> None:
        """Mark the query as a yes/no question, or take the mark back."""
        self.change(edits.toggle_yes_no, self.shelf.table)

    def toggle_reason(self, name: str) -> None:
        """Give or take back a reason for class X; `name` is from the table of tags."""
        self.change(edits.toggle_reason, name, self.shelf.table)

    def toggle_ellipsis(self) -> None:
        """Mark the turn as an ellipsis. Refused with a sentence where it depends on no earlier turn."""
        if not self.work.context:
            self._notify("An ellipsis depends on an earlier turn: point to it first, with Alt+1.")
            return
        self.edit(replace(self.work, ellipsis=not self.work.ellipsis))

    def point_back(self, turns: int) -> None:
        """The next kind of pointer to the turn so many back."""
        if turns > len(self.turn.before):
            self._notify("This turn has no earlier turn that far back.")
            return
        self.point_to(self.turn.before[-turns].utterance_id)

    def point_to(self, utterance_id: str) -> None:
        """Give the pointer to this earlier turn its next kind; the last step takes the pointer away."""
        self.notice = self.turn.point_to(utterance_id)
        self.changed()

    def add_reading(self) -> None:
        """Add a reading behind the open one and open it; past six the notice says that the query is too vague."""
        count = len(self.work.readings)
        self.change(edits.add_reading, self.turn.reading)
        if len(self.work.readings) == count:
            self._notify("A turn takes at most six readings. With more it counts as hopelessly vague.")
        else:
            self.go_to_reading(self.turn.reading + 1)

    def remove_reading(self) -> None:
        """Remove the open reading; the turn keeps at least one, if an empty one."""
        self.change(edits.remove_reading, self.turn.reading)

    def go_to_reading(self, number: int) -> None:
        """Open reading `number`, from 0; beyond either end the nearest is opened."""
        self.turn.go_to_reading(number)
        self.changed()

    def undo(self) -> None:
        """The last edit; with none left, the turn that was saved last comes back with its saving taken back."""
        self.notice = ""
        if not self.turn.undo():
            if self._acts:
                self._take_back(self._acts.pop())
            else:
                self.notice = "There is nothing to undo."
        self.changed()

    def redo(self) -> None:
        """Take back the last undo of the open turn."""
        self.turn.redo()
        self.changed()

    # -- statements ----------------------------------------------------------------------------------------

    def run(self) -> None:
        """Run the reading in sight, changed or not."""
        if not self.work.readings[self.turn.reading].sql_min.strip():
            self._notify("There is no statement to run.")
        elif not self.running:
            self._run(self.turn.reading)

    def _run(self, number: int) -> None:
        reading = self.work.readings[number]
        sql = reading.sql_min.strip()
        self._running += 1
        done = partial(self._on_run, self.turn, number, sql)
        self._recompute(self.turn.sitting, sql, reading.sql_max.strip(), self.work.yes_no, done)
        self.changed()

    def _on_run(self, turn: OpenTurn, number: int, sql: str, future: Future[Recomputed]) -> None:
        # For the turn that asked, which need not be the open one: the annotator may have gone on meanwhile.
        self._running -= 1
        try:
            result = future.result()
        except CurtainError as error:
            self._save_after_run = False
            self._notify(str(error))
            return
        turn.take_run(number, lambda work: edits.taken_run(work, number, result, sql))
        if self._save_after_run and not self.running:
            self._save_after_run = False
            self._save_unless_it_failed()
        self.changed()

    def _save_unless_it_failed(self) -> None:
        failed = next((n for n, one in enumerate(self.work.readings) if one.must_run), None)
        if failed is None:
            self.save_and_next()
            return
        self.turn.go_to_reading(failed)
        self.keep_draft()
        why = self.work.readings[failed].problem or "The statement was changed while it ran."
        self.notice = f"Kept as a draft. {why}"

    # -- saving --------------------------------------------------------------------------------------------

    def save_and_next(self) -> None:
        """One act. Statements that were changed run first; what breaks a rule stays a draft, and is reported."""
        if self.running:
            # The answers belong to the rows that are saved, so the saving waits for them and not the annotator.
            self._save_after_run = True
        elif self.turn.must_run:
            self._save_after_run = True
            for number in [n for n, one in enumerate(self.work.readings) if one.must_run]:
                self._run(number)
        elif self.turn.blocking is not None:
            self.keep_draft()
            self._notify(f"Kept as a draft. {self.turn.blocking.sentence}")
        else:
            self.notice = ""
            self._save()
            self._go_on()

    def keep_draft(self) -> None:
        """Keep what is unsaved, safe from a crash; what was undone again is dropped."""
        turn = self.turn
        if turn.kept == turn.work:
            return
        turn.kept = turn.work
        # With nothing unsaved the saved values go in, which drops the draft.
        values = turn.values() if turn.dirty else self._own(turn.id)
        self._outgoing.put(turn.id, partial(self._ledger.keep_draft, turn.id, values))

    def retry(self) -> None:
        """Try again to write what the disk did not take."""
        self._outgoing.retry()

    def _save(self) -> None:
        turn, values = self.turn, self.turn.values()
        if self.editing_ruling:
            self._rule(values)
        elif turn.dirty or turn.outdated or not self._is_done(turn.id):
            self._acts.append(_Act(turn.id, self._own(turn.id), turn.work, ruled=False))
            # Counts as saved from now on: the next turn is shown before the disk has answered.
            self._outgoing.sent[turn.id] = values
            self._outgoing.put(turn.id, partial(self._ledger.save, turn.id, values, self.timer.save()))
        self.last_saved = turn.id
        turn.take_as_saved()

    def _own(self, utterance_id: str) -> Values:
        sent = self._outgoing.sent.get(utterance_id)
        return sent or self.shelf.volume(utterance_id).written.saved(utterance_id, self.shelf.person.by)

    def _go_on(self) -> None:
        """The next turn of the filter; of those not yet annotated, the next that still is not."""
        here = sum(one <= self.turn.id for one in self._queue)
        wanted = (one for one in self._queue[here:] if self.filter != "open" or not self._is_done(one))
        following = next(wanted, None)
        if following is None:
            if self.editing_ruling:
                self.open(self.turn.id)
            self._notify("Saved. That was the last of these turns: close the window, or choose other turns with F12.")
        else:
            self.open(following)

    def _take_back(self, act: _Act) -> None:
        volume = self.shelf.look_at(act.utterance_id)
        put_back = volume.ledger.take_back_ruling if act.ruled else volume.ledger.save
        self._outgoing.sent.pop(act.utterance_id, None)
        self._outgoing.put(act.utterance_id, partial(put_back, act.utterance_id, act.before))
        if not self.open(act.utterance_id):
            return
        if not act.ruled:
            self.turn.take_over(self.turn.work_from(act.before), act.work)
        self.notice = f"Turn {self.turn.scene.utterance.turn} is as it was before it was saved."

    def _on_written(self) -> None:
        # Rows that are still on their way would show an older ruling.
        if not self.writing:
            self._refresh_ruling()
        again, before = self.shelf.again(), self._again
        self._again = again
        # Only what is new: the same hint after each saving would be passed over.
        if again - before:
            self.notice = f"Please review again, because an earlier turn changed: {turns_in_words(again - before)}."
        self.changed()

    # -- ruling --------------------------------------------------------------------------------------------

    def take_side(self, side: int) -> None:
        """Everything from one annotator, and on to the next turn."""
        if self.ruling is not None and side < len(self.ruling.sides):
            self.ruling = self.ruling.all_from(side)
            self.rule()

    def pick(self, change: Callable[[Ruling], Ruling]) -> None:
        """Another layer, or another side for it."""
        if self.ruling is not None:
            self.ruling = change(self.ruling)
            self.changed()

    @property
    def picked(self) -> bool:
        """Whether sides were picked on which nobody has ruled yet."""
        if self.ruling is None or self.editing_ruling:
            return False
        fresh = ruling_on(self.turn.scene.utterance, self._volume.written)
        return fresh is not None and fresh.picks != self.ruling.picks

    def rule(self) -> None:
        """Rule as picked, and on to the next turn."""
        if self.ruling is not None:
            self.notice = ""
            if self.ruling.layers:
                self._rule(self.ruling.values())
            self._go_on()

    def edit_ruling(self) -> None:
        """Edit what is picked; saving rules."""
        if self.ruling is None:
            return
        self.editing_ruling = True
        picked, drafts = self.ruling.start(), self._volume.drafts(self.turn.id)
        drafted = self.turn.work_from({**picked, **drafts}) if drafts else None
        self.turn.begin(self.turn.work_from(picked), drafted)
        self.opened()
        self.changed()

    def leave_editing(self) -> None:
        """Back to both sides; the edits stay a draft until something is ruled."""
        if self.editing_ruling:
            self.open(self.turn.id)

    def _look_at_ruling(self) -> None:
        adjudicates = self.shelf.person.adjudicates
        self.ruling = ruling_on(self.turn.scene.utterance, self._volume.written) if adjudicates else None

    def _refresh_ruling(self) -> None:
        """Newer rows were read; what was picked stays picked."""
        if self.ruling is not None and not self.editing_ruling:
            fresh = ruling_on(self.turn.scene.utterance, self._volume.written)
            same = fresh is not None and fresh.layers == self.ruling.layers
            self.ruling = replace(self.ruling, ruled=fresh.ruled) if fresh is not None and same else fresh

    def _rule(self, values: Values) -> None:
        """On the layers in dispute, and on those where something else is said than anybody did."""
        assert self.ruling is not None
        utterance_id, start = self.turn.id, self.ruling.start()
        layers = {*self.ruling.layers, *(layer for layer in {*values, *start} if values.get(layer) != start.get(layer))}
        ruled = {
            layer: values.get(layer, {}) for layer in sorted(layers if self.editing_ruling else self.ruling.layers)
        }
        before = self._volume.written.ruling(utterance_id)
        self._acts.append(_Act(utterance_id, {layer: before.get(layer, {}) for layer in ruled}, self.work, ruled=True))
        self._outgoing.sent[utterance_id] = ruled
        self._outgoing.put(utterance_id, partial(self._ledger.rule, utterance_id, ruled, self.timer.save()))
        self.last_saved = utterance_id

    def _notify(self, sentence: str) -> None:
        self.notice = sentence
        self.changed()
