"""What a rehearsal needs before it can be played: a study, sounds, and both stations running."""

from __future__ import annotations

import contextlib
import os
import threading
import wave
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from curtain.script import ScriptError, Step, scenario_ids
from curtain.speech import say_to_file
from curtain.stations import Station

# Nobody presses a key again sooner, and the stations take a shorter gap for keyboard repeat.
BREATH_S = 0.15
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """What to rehearse, and where."""

    script: Path
    domain: str
    study: Path
    headless: bool = False
    microphone: str | None = None
    speaker: str = "r00"
    shots: Path | None = None
    wizard_options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Spoken:
    """A step's sound: a WAV file and its length in seconds."""

    wav: Path
    seconds: float


@dataclass
class Stage:
    """Both stations of a running rehearsal, and the sounds to play."""

    wizard: Station
    subject: Station
    voice: Callable[[Spoken], None]
    turn: int = 0
    sounds: dict[int, Spoken] = field(default_factory=dict)
    shots: Path | None = None


@contextmanager
def two_stations(plan: Plan, study: Path, scratch: Path) -> Iterator[Stage]:
    name = f"curtain-{os.getpid()}"
    env = {"QT_QPA_PLATFORM": "offscreen"} if plan.headless else {}
    microphone = ["--mic", plan.microphone] if plan.microphone else ["--mic-file", str(_silence(scratch))]
    logs = study / "logs"
    wizard = Station(
        "wizard", ["--study", str(study), "--listen", name, *plan.wizard_options], logs / "wizard.txt", env
    )
    with wizard:
        spool = ["--spool", str(study / "spool")]
        subject = Station("subject", ["--connect", name, *microphone, *spool], logs / "subject.txt", env)
        with subject:
            voice = _loudspeaker() if plan.microphone else replay_into(subject)
            yield Stage(wizard, subject, voice)


def replay_into(subject: Station) -> Callable[[Spoken], None]:
    def voice(sound: Spoken) -> None:
        subject.ask("cue", wav=str(sound.wav))
        _listen_out(sound)

    return voice


def _loudspeaker() -> Callable[[Spoken], None]:
    from curtain.audio.outputs import choose_output
    from curtain.audio.playback import Player, PlayerListener

    player = Player(choose_output(None), PlayerListener())
    player.open()

    def voice(sound: Spoken) -> None:
        player.play(sound.wav)
        _listen_out(sound)

    return voice


def _listen_out(sound: Spoken) -> None:
    """Keeps the key down as long as the sound lasts, as a speaker does."""
    wait_s(sound.seconds + BREATH_S)


def wait_s(seconds: float) -> None:
    threading.Event().wait(seconds)


def study_for(plan: Plan, steps: list[Step]) -> Path:
    from curtain.domain.pack import database, load_pack
    from curtain.session.study import NO_PRACTICE, load_study, new_study

    database(load_pack(plan.domain))
    if (plan.study / "study.toml").exists():
        return load_study(plan.study).folder
    return new_study(plan.study, plan.domain, scenarios=scenario_ids(steps) or None, practice=NO_PRACTICE).folder


def prepare_sounds(steps: list[Step], script: Path, scratch: Path, tell: Tell) -> dict[int, Spoken]:
    wanted = {number: _what_is_said(step) for number, step in enumerate(steps, 1)}
    spoken: dict[int, Spoken] = {}
    for number, step in enumerate(steps, 1):
        text = wanted[number]
        if step.audio is not None:
            spoken[number] = _sound(script.parent / step.audio)
        elif text is not None:
            spoken[number] = _sound(say_to_file(text, scratch / f"{number:04d}.wav"))
    tell(f"{len(spoken)} sounds are ready.")
    return spoken


def _what_is_said(step: Step) -> str | None:
    if step.do == "end" and step.how == "spoken" and step.answer is not None:
        return f"End scenario. The answer is {step.answer}"
    return step.say


def _sound(wav: Path) -> Spoken:
    try:
        with contextlib.closing(wave.open(str(wav), "rb")) as file:
            return Spoken(wav, file.getnframes() / file.getframerate())
    except (wave.Error, EOFError, OSError) as error:
        raise ScriptError(f"The sound {wav} cannot be read ({error}); it must be a PCM WAV file.") from error


def _silence(scratch: Path) -> Path:
    path = scratch / "silence.wav"
    with contextlib.closing(wave.open(str(path), "wb")) as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
        file.writeframes(bytes(320))
    return path
