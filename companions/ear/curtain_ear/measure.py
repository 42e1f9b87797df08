"""How fast a model hears on this machine: takes are played to it at the speed of speech, as in a session."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import msgspec
import psutil  # type: ignore[import-untyped]
import soundfile

from curtain.base.clock import steady_s
from curtain.base.errors import CurtainError
from curtain.base.python_process import processor_seconds
from curtain_ear.transcriber import Transcriber

# Who waits longer has begun to type.
IN_TIME_S = 1.0
_PIECE_S = 0.1


class Speed(msgspec.Struct, frozen=True):
    """Of one model. `processor_s` is processor time for a second of speech, once it is whole, and `live_s` with what is
    heard while it is spoken. `release_s` are the times from the end of each take to its words, in seconds, and `texts`
    what was heard."""

    model: str
    processor_s: float
    release_s: tuple[float, ...]
    texts: tuple[str, ...] = ()
    live_s: float = 0.0

    @property
    def keeps_up(self) -> bool:
        """Whether half of the takes are heard in time."""
        return median(self.release_s) <= IN_TIME_S


def speed_of(
    model: Path, takes: Sequence[Path], language: str, report: Callable[[float], None] = lambda share: None
) -> Speed:
    """Raises CurtainError if the model cannot be loaded."""
    before = set(psutil.Process().children())
    transcriber = Transcriber(model, language)
    try:
        # The first take loads the model.
        transcriber.transcribe(takes[0]).result()
        if transcriber.problem:
            raise CurtainError(transcriber.problem)
        (child,) = set(psutil.Process().children()) - before
        began = processor_seconds(child.pid)
        heard = [transcriber.transcribe(take).result() for take in takes]
        seconds = sum(soundfile.info(str(take)).duration for take in takes)
        processor_s = (processor_seconds(child.pid) - began) / seconds
        release_s, began = [], processor_seconds(child.pid)
        for number, take in enumerate(takes):
            release_s.append(_played(transcriber, number, take))
            report((number + 1) / len(takes))
        live_s = (processor_seconds(child.pid) - began) / seconds
    finally:
        transcriber.close()
    return Speed(model.name, processor_s, tuple(release_s), tuple(hearing.text for hearing in heard), live_s)


def proposed(speeds: Sequence[Speed]) -> Speed | None:
    """The one that asks most of the machine among those that keep up."""
    return max((speed for speed in speeds if speed.keeps_up), key=lambda speed: speed.processor_s, default=None)


def _played(transcriber: Transcriber, key: int, take: Path) -> float:
    samples, rate = soundfile.read(str(take), dtype="int16", always_2d=True)
    mono, step, began = samples[:, 0], round(_PIECE_S * rate), steady_s()
    transcriber.begin(key)
    for start in range(0, len(mono), step):
        time.sleep(max(0.0, began + (start + step) / rate - steady_s()))
        transcriber.more(key, mono[start : start + step].tobytes(), rate)
    released = steady_s()
    transcriber.finish(key, take).result()
    return steady_s() - released
