"""Small WAV files for stories, and a question that may be heard while it is spoken."""

from pathlib import Path

import numpy as np
import soundfile

from curtain.rehearsal.stage import Stage, StepSound, wait_s

RATE = 16000


def tone(folder: Path, seconds: float = 0.5, hertz: float = 440.0) -> Path:
    """A sine at a quarter of full scale, 16 kHz mono."""
    samples = 8000 * np.sin(2 * np.pi * hertz * np.arange(int(RATE * seconds)) / RATE)
    path = folder / f"tone-{hertz:.0f}.wav"
    soundfile.write(path, samples.round().astype("<i2"), RATE)
    return path


def hold_and_speak(stage: Stage, sound: StepSound, listen_live: bool) -> tuple[bool, str]:
    """Speaks with the key down, and looks at the wizard's window before it is released."""
    stage.subject.ask("press", key="Space")
    stage.subject.wait("window", state="listening")
    stage.subject.ask("cue", wav=str(sound.wav))
    if listen_live:
        stage.wizard.wait("window", live_turn=1)
    else:
        # As long as the sound lasts: live sound would have come by then.
        wait_s(sound.seconds)
    live, shown = stage.wizard.has("window", live_turn=1), stage.wizard.text_of("listening")
    assert stage.subject.has("window", state="listening")
    wait_s(sound.seconds)
    stage.subject.ask("release", key="Space")
    return live, shown
