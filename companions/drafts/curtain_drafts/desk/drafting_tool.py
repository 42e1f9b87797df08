"""The NL tool of a running station: started behind the window, taught by every answer, able to forget one."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from curtain.qt.background import nothing, or_else
from curtain.session.study.study import Study
from curtain.session.turns.turn_progress import TurnProgress
from curtain_drafts.desk.control import DraftsControl
from curtain_drafts.desk.learning import Learnt, example_id
from curtain_drafts.drafting.values import Draft, Example
from curtain_drafts.tool.serving.standing import Standing
from wizard_app.desk.controllers import Backgrounds, Controllers
from wizard_app.desk.desk_view import shortened

if TYPE_CHECKING:
    from curtain.domain.pack.pack import Pack
    from curtain_drafts.desk.start import KeptInStudy
    from curtain_drafts.tool.service import DraftService


Started = tuple["DraftService", "KeptInStudy"]


class DraftingTool(QObject):
    """Owns the service. `problem` is a sentence about a drafter that failed; `notice` is one for the wizard."""

    problem = Signal(str)
    notice = Signal(str)
    _stands = Signal(object)

    def __init__(
        self, study: Study, controllers: Controllers, drafts: DraftsControl, backgrounds: Backgrounds, parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._study = study
        self._session = session = controllers.session
        self._turns = turns = controllers.turns
        self._drafts = drafts
        self._background = backgrounds.work
        self._files = backgrounds.files
        self._starting: Future[Started] | None = None
        self._service: DraftService | None = None
        self._keeper: KeptInStudy | None = None
        self._learnt = Learnt()
        self._of_others: frozenset[str] = frozenset()
        self._kept_back: frozenset[str] = frozenset()
        self._withdrawn: list[Example] = []
        self._corrected: TurnProgress | None = None
        self._is_ready = False
        self._stands.connect(drafts.set_standing)
        self._stands.connect(self._on_stands)
        session.opened.connect(self._begin_session)
        session.progress_changed.connect(self._learn)
        turns.correction_changed.connect(self._on_correction_changed)

    def begin(self, pack: Pack, database: Path) -> None:
        """Start it in the background."""
        from curtain_drafts.desk.start import start

        signals = (self.problem.emit, self._stands.emit)
        work = partial(start, self._study, pack, database, *signals)
        self._starting = self._background.run(
            work, or_else(self._on_started, lambda error: self._drafts.give_up(str(error)))
        )

    def close(self) -> None:
        """Called when nothing runs in the background any more: what has just been started is ended too."""
        started = self._starting
        if started is not None and started.done() and not started.cancelled() and started.exception() is None:
            started.result()[0].close()

    def withdraw(self, draft: Draft) -> None:
        """The example that this draft rests on is not used any more, here and in later sessions of the study."""
        example = draft.example
        if example is None or not example.id or self._service is None or self._keeper is None:
            self.notice.emit(self.tr("This draft does not come from one example, so there is nothing to withdraw."))
            return
        self._withdrawn.append(example)
        self._service.withdraw(example.id)
        self._keep(partial(self._keeper.withdraw, example, self._who))
        text = self.tr("“{0}” is no longer an example. Ctrl+Z in the drafts restores it.")
        self.notice.emit(text.format(shortened(example.question, 60)))
        self._drafts.draft_again()

    @Slot()
    def undo(self) -> None:
        """The example withdrawn last is used again."""
        if not self._withdrawn or self._service is None or self._keeper is None:
            self.notice.emit(self.tr("No example was withdrawn."))
            return
        example = self._withdrawn.pop()
        if example.id not in self._no_examples:
            self._service.learn(example)
            self._learn()
        self._keep(partial(self._keeper.withdraw, example, self._who, back=True))
        self.notice.emit(self.tr("“{0}” is an example again.").format(shortened(example.question, 60)))
        self._drafts.draft_again()

    def _on_started(self, started: Started) -> None:
        self._service, self._keeper = started
        self._of_others |= self._keeper.learned
        self._learn()
        self._hand_over()

    def _on_stands(self, standing: Standing) -> None:
        if standing.settled and not self._is_ready:
            self._is_ready = True
            self._hand_over()

    def _hand_over(self) -> None:
        """It may be ready before its maker has come back, or after."""
        if self._service is not None and self._is_ready:
            self._drafts.set_service(self._service)

    def _begin_session(self) -> None:
        self._of_others |= {example.id for example in self._learnt.examples.values()}
        self._learnt = Learnt()
        self._corrected = None
        if self._keeper is not None and self._study.learn:
            # The subject before may have withdrawn, and an annotator may have hidden a word.
            work = partial(self._keeper.kept_back, self._of_others - self._kept_back)
            self._background.run(work, or_else(self._forget, lambda error: self.problem.emit(str(error))))

    def _forget(self, kept_back: frozenset[str]) -> None:
        opened = self._session.progress.opened
        now = {one for one in kept_back if opened is None or not one.startswith(f"{opened.session_id}-")}
        self._kept_back |= now
        if self._service is not None:
            for utterance in sorted(now):
                self._service.withdraw(utterance)

    @Slot()
    def _on_correction_changed(self) -> None:
        self._corrected = self._turns.corrected
        self._learn()

    @Slot()
    def _learn(self) -> None:
        """Every answer is learnt as soon as it is on the disk, unless the study says not to. An answer that is being
        corrected must not speak for itself: it is forgotten until it is left as it was, or another takes its place."""
        if self._service is None or not self._study.learn or not self._session.running:
            return
        self._learnt, lesson = self._learnt.after(self._session.progress, self._no_examples)
        for forgotten in lesson.forget:
            self._service.withdraw(forgotten)
        if lesson.learn:
            self._service.learn(*lesson.learn)

    @property
    def _no_examples(self) -> frozenset[str]:
        """Ids that are not to be learnt now."""
        before = self._keeper.withdrawn if self._keeper is not None else frozenset()
        withdrawn = before | self._kept_back | {example.id for example in self._withdrawn}
        then = self._corrected
        now = self._session.progress.turns.get(then.number) if then is not None else None
        waits = now is not None and then is not None and len(now.sent) == len(then.sent)
        return withdrawn | {example_id(self._session.progress, now)} if waits and now else withdrawn

    @property
    def _who(self) -> str:
        opened = self._session.progress.opened
        return ", ".join(opened.wizard_ids) if opened is not None else ""

    def _keep(self, work: Callable[[], None]) -> None:
        self._files.run(work, or_else(nothing, lambda error: self.problem.emit(str(error))))
