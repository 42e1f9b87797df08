"""The NL tool as the wizard's station sees it: drafts and previews as Futures, made in processes of their own.

Importing this module imports neither duckdb nor sqlglot nor numpy nor Qt. No call waits: what takes time happens on
threads of the service and in its children. Callbacks and the Futures' own callbacks run on these threads.
"""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path

from curtain.base.clock import steady_s
from curtain.base.privacy import own_cache
from curtain.domain.pack.reader import Pack
from curtain_drafts.drafting.values import Draft, Example, Request

from . import store
from .serving.checks import Checks
from .serving.pending_request import Round, Trust
from .serving.settings import OURS, DrafterChoice, DraftSettings
from .serving.standing import Standing, together
from .serving.supervisor import DrafterSupervisor
from .serving.wire import Load, Obeyed, Spent, Teach

__all__ = ["OURS", "DraftService", "DraftSettings", "DrafterChoice", "Spent", "Standing"]

_QUESTION_CHARS = 2_000


class DraftService:
    """Drafts for one request at a time, the newest. Made at once: the drafters load behind it.

    `on_problem(sentence)` is called when a drafter fails, once for each kind of failure; `on_standing` how far they are
    together, each time that changes: what is being learnt, whether one can draft, and why there are no drafts if all
    have failed. None of it is ever for the subject. `preview` is that of `Checks`, and a new request cancels it.
    """

    def __init__(
        self,
        pack: Pack,
        db_path: Path,
        examples: Sequence[Example],
        settings: DraftSettings | None = None,
        on_problem: Callable[[str], None] = lambda sentence: None,
        on_standing: Callable[[Standing], None] = lambda standing: None,
    ) -> None:
        self._settings = settings or DraftSettings()
        self._cache = own_cache()
        self._pack = pack
        self._db_path = db_path
        self._lock = threading.RLock()
        self._examples = store.together(examples)
        self._round: Round | None = None
        self._on_standing = on_standing
        self._spent = Spent()
        identities = {choice.name: choice.identity for choice in self._settings.drafters}
        self._trust = Trust(self._cache / f"trust-{pack.name}.json", identities)
        self._standings = {name: Standing() for name in identities}
        self._checks = Checks(pack, db_path, self._settings.preview_s, correct=False)
        self.preview = self._checks.preview
        self._supervisors = {
            choice.name: DrafterSupervisor(
                choice, partial(self._load, choice), partial(self._on_stand, choice.name), on_problem
            )
            for choice in self._settings.drafters
        }

    def draft(
        self, request: Request, on_more: Callable[[tuple[Draft, ...]], None] | None = None
    ) -> Future[tuple[Draft, ...]]:
        """Up to `request.n` drafts, best first, each allowed by the SQL guard and good for the schema.

        An earlier request that is still waiting is cancelled, and so are its previews. The Future is resolved as soon
        as all drafters have answered, or at `patience_s` if one has; it never raises. Drafts that come later go to
        `on_more`, which gets the whole new list: what was shown keeps its order.
        """
        self._checks.cancel()
        # Cut to a sensible length; half a character pair, which could not be sent, becomes a question mark.
        request = replace(request, question=request.question[:_QUESTION_CHARS].encode(errors="replace").decode())
        asked = Round(list(self._supervisors), request, on_more, self._trust, self._settings)
        with self._lock:
            earlier, self._round = self._round, asked
        if earlier:
            earlier.cancel()
        for name, supervisor in self._supervisors.items():
            supervisor.ask(request, partial(self._found, asked, name))
        return asked.future

    def learn(self, *examples: Example) -> None:
        """From now on these questions have been answered; an example with a known id takes the other's place."""
        for example in examples:
            self._learn_trust(example)
        self._teach(Teach(examples=examples))

    def withdraw(self, example_id: str) -> None:
        """Forget the example of this id. This is for the running drafters; `store.withdraw` keeps it."""
        self._teach(Teach(forget=example_id))

    def close(self) -> None:
        """End the children; what is waiting is cancelled. Returns within a second."""
        with self._lock:
            last, self._round = self._round, None
        if last:
            last.cancel()
        for supervisor in self._supervisors.values():
            supervisor.close()
        self._checks.close()
        for supervisor in self._supervisors.values():
            supervisor.join()

    @property
    def spent(self) -> Spent:
        """What served models took since the service began."""
        return self._spent

    def _teach(self, lesson: Teach) -> None:
        with self._lock:
            self._examples = store.together(self._examples, lesson.examples, without={lesson.forget})
        for supervisor in self._supervisors.values():
            supervisor.teach(lesson)

    def _learn_trust(self, example: Example) -> None:
        """Which drafter proposed what was answered, if others than ours are on and were asked this last."""
        asked = self._round
        if asked and asked.request.question == example.question and set(self._supervisors) != {OURS}:
            answered = self._checks.passed([Draft(example.sql, 1.0)])
            if answered:
                self._trust.learn(asked.drafted, answered[0])

    def _load(self, choice: DrafterChoice) -> Load:
        return Load(
            choice=choice,
            english=self._settings.english,
            pack=str(self._pack.folder),
            rule_book=self._pack.rule_book,
            database=str(self._db_path),
            cache=str(self._cache),
            examples=self._examples,
        )

    def _on_stand(self, name: str, standing: Standing) -> None:
        # The lock keeps callbacks in order.
        with self._lock:
            self._standings[name] = standing
            self._on_standing(together(self._standings.values()))

    def _found(self, asked: Round, name: str, reply: Obeyed) -> None:
        with self._lock:
            self._spent = self._spent.plus(reply.spent)
        if asked.over:
            return
        # A drafter does not say itself who made a draft.
        named, begun = [replace(draft, drafter=name) for draft in reply.drafts], steady_s()
        passed = self._checks.passed(named, within=asked.run_s)
        # One time for all: what one drafter's statements took, the others' have not.
        asked.run_s = max(0.0, asked.run_s - (steady_s() - begun))
        asked.put(name, passed)
