"""One drafter on its way through a session: its process is loaded, asked, killed when it hangs, and started anew."""

from collections import deque
from collections.abc import Callable
from functools import partial

from curtain.base.piped_process import STOPPED, ChildError, PipedChild, SupervisedChild
from curtain.base.privacy import NotAgreed, ensure_agreed
from curtain_drafts.drafting.values import Request

from .settings import OURS, DrafterChoice, agreements_of
from .standing import Standing
from .wire import NEWER, Ask, Cancel, Load, Obeyed, Teach

Done = Callable[[Obeyed], None]
"""Called once, on the supervisor's thread, with what a request brought, maybe nothing."""


class DrafterSupervisor:
    """Asks one drafter for one request at a time, always the newest; it never lets another drafter wait.

    `load` gives the first order anew for each process, `on_standing` hears how far the drafter is each time that one
    is loaded, `on_problem` gets a sentence when it fails. All run on the supervisor's own thread. `close` ends the
    process, whatever it does, and `join` waits until everything has ended.
    """

    def __init__(
        self,
        choice: DrafterChoice,
        load: Callable[[], Load],
        on_standing: Callable[[Standing], None],
        on_problem: Callable[[str], None],
    ) -> None:
        self._choice, self._load = choice, load
        self._on_standing, self._on_problem = on_standing, on_problem
        module = "curtain_drafts.tool.serving.drafter_child"
        self._child = SupervisedChild[Obeyed](partial(PipedChild, module, Obeyed, choice.environment))
        self.close, self.join = self._child.close, self._child.join
        self._lessons: deque[Teach] = deque()
        self._job: tuple[Request, Done] | None = None
        self._reported: set[str] = set()
        self._problem, self._examples = "", 0
        self._child.serve(f"drafter-{choice.name}", self._step)

    def ask(self, request: Request, done: Done) -> None:
        """A request in the place of one that still waits, whose `done` is not called."""
        with self._child.changed:
            self._job = request, done
            # What a served model is being asked would keep the newer request waiting.
            self._child.tell(Cancel())
            self._child.changed.notify()

    def teach(self, lesson: Teach) -> None:
        """A lesson, heard before the next request."""
        with self._child.changed:
            self._lessons.append(lesson)
            self._child.changed.notify()

    def _step(self) -> None:
        with self._child.changed:
            self._child.changed.wait_for(lambda: self._child.closed or self._job or self._lessons, self._child.pause_s)
        if self._child.has_died:
            # Before the next request, so that this one need not go without drafts.
            self._fail(f"{STOPPED} and is started anew")
        if self._child.pause_s == 0 and not self._child.closed:
            self._start()
        job = None
        with self._child.changed:
            lesson = self._lessons.popleft() if self._lessons else None
            if lesson is None:
                job, self._job = self._job, None
        if lesson:
            self._exchange(lesson, self._choice.start_s)
        elif job:
            request, done = job
            done(self._exchange(Ask(request), self._choice.limit_s) or Obeyed())

    def _start(self) -> None:
        """A loaded process, unless it fails again."""
        try:
            # Looked up at each start, so that an agreement counts in a session that is running.
            ensure_agreed(agreements_of(self._choice))
        except NotAgreed as error:
            self._fail(f"is not started. {error}")
        else:
            # The lessons so far are among its examples.
            self._lessons.clear()
            opening = self._load()
            self._examples = len(opening.examples)
            reply = self._exchange(opening, self._choice.start_s)
            if reply and reply.problem:
                self._child.fail()
        if not self._child.closed:
            self._on_standing(
                Standing(problem=self._problem) if self._child.pause_s is not None else Standing(ready=True)
            )

    def _exchange(self, order: Load | Ask | Teach, limit_s: float) -> Obeyed | None:
        """The reply to an order, of which the first starts the process; None if the drafter hung or died, and then its
        process is gone."""
        try:
            if isinstance(order, Load):
                self._child.start()
            reply = self._child.exchange(order, limit_s, self._is_loading)
        except ChildError as failed:
            self._report(f"{failed} and is started anew")
            return None
        if reply and reply.problem:
            self._report(reply.problem)
        elif reply and not isinstance(order, Load):
            # To have loaded is no proof of health: a drafter that dies at every request loads each time.
            self._child.failures, self._reported = 0, set()
        return reply

    def _is_loading(self, reply: Obeyed) -> bool:
        if reply.share < 1:
            self._on_standing(Standing(self._examples, reply.share))
        return reply.share < 1

    def _fail(self, how: str) -> None:
        self._child.fail()
        self._report(how)

    def _report(self, how: str) -> None:
        if how == NEWER:
            # The service cancelled it.
            return
        called = "The NL tool" if self._choice.name == OURS else f"The drafter “{self._choice.name}”"
        self._problem = f"{called} {how.rstrip('.')}."
        if how not in self._reported:
            self._reported.add(how)
            self._on_problem(self._problem)
