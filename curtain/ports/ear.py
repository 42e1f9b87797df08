"""The port of an ear: what hears a take. The core offers its words to the wizard, journals them, never sends them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from curtain.base.errors import CurtainError
from curtain.base.hearing import Hearing
from curtain.ports.discovery import guarded, installed


@dataclass(frozen=True)
class Expected:
    """What is likely to be said: questions of the domain, names and codes of its database, and the texts of its
    scenarios by id."""

    examples: Sequence[str] = ()
    names: Iterable[str] = ()
    scenarios: Mapping[str, str] = field(default_factory=dict)


class OpenEar(Protocol):
    """Hears one take after the other, and one more while it is spoken; its methods return at once.

    What fails gives an empty Hearing, and `problem` is the reason in one sentence. `on_growing(key, hearing)` may be
    called from any thread with what was heard so far of a take.
    """

    model: str
    problem: str
    on_growing: Callable[[int, Hearing], None] | None

    @property
    def hears(self) -> bool:
        """Whether it goes on after a problem, which was then of one recording."""

    def load(self) -> None:
        """Waits until it can hear. Raises CurtainError if it cannot."""

    def expect(self, scenario_id: str = "", recent: Sequence[str] = ()) -> None:
        """A question to this scenario, after these queries, is what comes next."""

    def begin(self, key: int) -> None:
        """A take begins to be spoken. Only the newest one grows."""

    def more(self, key: int, samples: bytes, rate: int) -> None:
        """The next int16 samples of one channel of a take that was begun, `rate` a second."""

    def finish(self, key: int, wav: Path) -> Future[Hearing]:
        """The take is whole, and stands in a file. Never raises; may be cancelled while it waits."""

    def transcribe(self, wav: Path) -> Future[Hearing]:
        """The words of a WAV file of any rate. Never raises; may be cancelled while it waits."""

    def align(self, wav: Path, words: Sequence[str]) -> Future[Hearing]:
        """When each of these words is spoken in a WAV file: as many words come back, or none."""

    def close(self) -> None:
        """End what was started; what waits is cancelled."""


class Permission(Protocol):
    """What a person has to agree to before a study may have it done, in one sentence."""

    @property
    def sentence(self) -> str:
        """By what a person decides."""

    @property
    def is_given(self) -> bool:
        """Whether the person agreed to exactly this."""

    def give(self) -> None:
        """Remember that the person agreed."""


class Ear(Protocol):
    """What the place `ear` of a companion names: an object with these functions."""

    def open(self, settings: Mapping[str, Any], language: str, study: Path | None, expected: Expected) -> OpenEar:
        """Hear with the settings of [asr] of a study, or of no study. `language` is BCP 47, such as `en`.

        Raises CurtainError, also where `agreements` has one that is not given."""

    def agreements(self, settings: Mapping[str, Any], study: Path) -> Iterable[Permission]:
        """What these settings of a study would start or load that came with it. Raises CurtainError."""

    def measure(self, names: Sequence[str], language: str, as_json: bool) -> None:
        """Print how well and how fast these models hear, all that are here without a name. Raises CurtainError."""


def ear_of(settings: Mapping[str, Any]) -> Ear:
    """The ear of the companion that `ear` names in [asr], the first one without a name. Raises CurtainError."""
    offered = {companion.name: companion.ear for companion, _ in installed().companions if companion.ear}
    name = settings.get("ear", next(iter(offered), None))
    if name not in offered:
        there = f"only: {', '.join(offered)}" if offered else "and no other"
        raise CurtainError(f"[asr]: no companion “{name or 'ear'}” hears here, {there}. See “curtain companions”.")
    ear: Ear = guarded(offered[name], lambda ear: ear)
    return ear


def model_that_loads(settings: Mapping[str, Any], language: str, study: Path) -> str:
    """The name of the model of a study, loaded to see whether it can be. Raises CurtainError if not."""
    ear = ear_of(settings).open(settings, language, study, Expected())
    try:
        ear.load()
    finally:
        ear.close()
    return ear.model
