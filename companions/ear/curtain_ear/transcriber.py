"""A first transcription from the audio, with the optional extra `asr`; never sent by itself.

Importing this module imports no recogniser. It runs in a process of its own, on this machine alone.
"""

import importlib.util
import logging
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.hearing import Hearing
from curtain.base.piped_process import ChildError, PipedChild, SupervisedChild
from curtain.domain.wire import Order, WorkerReply
from curtain_ear.expectation import Expectation

log = logging.getLogger(__name__)

# Long: it has the lowest priority, and nobody waits for it. This only ends one that hangs.
_LIMIT_S = 600.0
_MOST_FAILURES = 3
# Whoever speaks says two words in this time, and a small model hears them in less.
_NEW_SOUND_S = 0.6
_SAMPLE_BYTES = 2

NOT_INSTALLED = "There is no recogniser: install the extra, curtain-woz[asr]."


class Listen(Order, frozen=True, tag="listen", kw_only=True):
    """The first order: load the model of this folder. `language` is what is spoken, such as `en`."""

    folder: str
    language: str


class Expect(Order, frozen=True, tag="expect", kw_only=True):
    """Texts like what will be said, and names, the likeliest first. The model takes as many as it has room for."""

    texts: Sequence[str]
    names: Sequence[str] = ()


class HearMore(Order, frozen=True, tag="more", kw_only=True):
    """The take of this key goes on with these samples: int16, one channel. `begins`: they are its first."""

    key: int
    rate: int
    samples: bytes
    begins: bool


class Hear(Order, frozen=True, tag="hear", kw_only=True):
    """Transcribe a WAV file. What of the take of `key` is behind its last window stays."""

    path: str
    key: int | None = None


class Align(Order, frozen=True, tag="align", kw_only=True):
    """Say when each word of a text is spoken in a WAV file."""

    path: str
    words: Sequence[str]


class Transcription(WorkerReply, frozen=True, tag="heard", kw_only=True):
    """The answer to each order; `problem` says in one sentence why there are no words."""

    hearing: Hearing = Hearing()
    problem: str = ""


def is_installed() -> bool:
    """Whether the extra `asr` is there."""
    return importlib.util.find_spec("faster_whisper") is not None


@dataclass
class _Growing:
    rate: int = 0
    samples: bytearray = field(default_factory=bytearray)
    begins: bool = True


@dataclass(frozen=True)
class _Job:
    order: Hear | Align | Expect
    asked: Future[Hearing]


class Transcriber:
    """Transcribes takes one after the other, and one more while it is spoken.

    What fails gives an empty Hearing, and `problem` is the reason in one sentence: the wizard types anyway.
    `on_growing(key, hearing)` is called from a thread of its own with what has been heard so far of a take.
    """

    def __init__(
        self,
        model: Path,
        language: str = "en",
        domain: Expectation = Expectation(),  # noqa: B008
        on_growing: Callable[[int, Hearing], None] | None = None,
        limit_s: float = _LIMIT_S,
    ) -> None:
        self.model = model.name
        self._domain = domain
        self._opening = Listen(folder=str(model), language=language)
        self.on_growing = on_growing
        self.problem = "" if is_installed() else NOT_INSTALLED
        self._limit_s = limit_s
        self._child = SupervisedChild[Transcription](lambda: PipedChild("curtain_ear.child", Transcription))
        self._jobs: deque[_Job] = deque()
        self._growing: dict[int, _Growing] = {}
        self._expected = Expect(texts=())
        self._is_expected = False
        self.expect()
        self._child.serve("transcriber", self._step)

    def expect(self, scenario_id: str = "", recent: Sequence[str] = ()) -> None:
        """A question to this scenario, after these queries, is what comes next."""
        expected = Expect(
            texts=self._domain.texts(scenario_id, recent), names=self._domain.likely_names(scenario_id, recent)
        )
        with self._child.changed:
            self._is_expected = self._is_expected and expected == self._expected
            self._expected = expected

    def load(self) -> None:
        """Waits until the model is loaded. Raises CurtainError if it cannot be."""
        self._ask(self._expected).result()
        if self.problem:
            raise CurtainError(self.problem)

    def begin(self, key: int) -> None:
        """A take begins to be spoken. Only the newest one grows."""
        with self._child.changed:
            self._growing = {key: _Growing()}

    def more(self, key: int, samples: bytes, rate: int) -> None:
        """The next int16 samples of one channel of a take that was begun; nothing may be missing between."""
        with self._child.changed:
            take = self._growing.get(key)
            if take is not None:
                take.rate = rate
                take.samples += samples
                self._child.changed.notify()

    def finish(self, key: int, wav: Path) -> Future[Hearing]:
        """The take is whole: its last 28 s are decoded once more. Never raises; may be cancelled while it waits."""
        with self._child.changed:
            self._growing.pop(key, None)
        return self._ask(Hear(path=str(wav), key=key))

    def transcribe(self, wav: Path) -> Future[Hearing]:
        """The words of a WAV file of any rate; never raises. It may be cancelled while it waits."""
        return self._ask(Hear(path=str(wav)))

    def align(self, wav: Path, words: Sequence[str]) -> Future[Hearing]:
        """When each of these words is spoken in a WAV file: as many words come back, or none."""
        return self._ask(Align(path=str(wav), words=list(words)))

    @property
    def hears(self) -> bool:
        """Whether the process is there: `problem` is then of one recording alone."""
        return self._child.pause_s is None

    def close(self) -> None:
        """Ends the process; what waits is cancelled."""
        self._child.close()
        self._child.join()
        for job in self._jobs:
            job.asked.cancel()

    def _ask(self, order: Hear | Align | Expect) -> Future[Hearing]:
        asked: Future[Hearing] = Future()
        with self._child.changed:
            if self._child.closed:
                asked.cancel()
            self._jobs.append(_Job(order, asked))
            self._child.changed.notify()
        return asked

    def _step(self) -> None:
        if not self.hears:
            self._start()
        work = self._next()
        if isinstance(work, HearMore):
            heard = self._exchange(work)
            if heard.words and self.on_growing is not None:
                self.on_growing(work.key, heard)
        elif work and work.asked.set_running_or_notify_cancel():
            work.asked.set_result(self._exchange(work.order))

    def _next(self) -> _Job | HearMore | None:
        """What to do now; takes that are whole come first. None when it is closed."""
        with self._child.changed:
            while not self._child.closed:
                if self._jobs:
                    return self._jobs.popleft()
                for key, take in self._growing.items():
                    if len(take.samples) >= _NEW_SOUND_S * take.rate * _SAMPLE_BYTES > 0:
                        more = HearMore(key=key, rate=take.rate, samples=bytes(take.samples), begins=take.begins)
                        take.samples, take.begins = bytearray(), False
                        return more
                self._child.changed.wait()
            return None

    def _exchange(self, order: HearMore | Hear | Align | Expect) -> Hearing:
        with self._child.changed:
            expected = None if self._is_expected else self._expected
            self._is_expected = True
        if expected is not None:
            self._order(expected)
        return self._order(order).hearing

    def _start(self) -> None:
        if self._child.failures >= _MOST_FAILURES or not is_installed():
            return
        try:
            self._child.start()
        except ChildError as failed:
            log.info("the transcriber %s", failed)
            self.problem = f"The recogniser {failed}."
            return
        with self._child.changed:
            self._is_expected = False
        if self._order(self._opening).problem:
            # A model that cannot be loaded now cannot be loaded for the next take.
            self._child.failures = _MOST_FAILURES
            self._child.end()

    def _order(self, order: Order) -> Transcription:
        """The reply; one without words if the process hangs, dies or is not there, and then it is gone."""
        try:
            reply = self._child.exchange(order, self._limit_s)
        except ChildError:
            log.info("the transcriber stopped")
            self.problem = "The recogniser stopped."
            return Transcription(problem=self.problem)
        if reply is None:
            return Transcription()
        self._child.failures, self.problem = 0, reply.problem
        return reply
