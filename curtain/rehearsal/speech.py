"""Speech for rehearsals: text to a WAV file with espeak-ng."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from curtain.base.errors import CurtainError


class NoSpeech(CurtainError):
    """There is no way to say a text on this machine."""


def say_to_file(text: str, wav: Path, words_per_minute: int = 150) -> Path:
    """Writes `text`, spoken in US English, as 22,050 Hz mono PCM_16. Raises NoSpeech."""
    program = shutil.which("espeak-ng")
    if program is None:
        raise NoSpeech(
            "The script has lines to “say”, but espeak-ng is not installed; install the package espeak-ng"
            " or give “audio” files instead."
        )
    # espeak-ng does not make folders.
    wav.parent.mkdir(parents=True, exist_ok=True)
    # By standard input: a text that begins with a dash would be read as an option.
    command = [program, "-v", "en-us", "-s", str(words_per_minute), "-w", str(wav), "--stdin"]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode or not wav.exists():
        raise NoSpeech(f"espeak-ng could not say “{text}”; try it by hand: espeak-ng -w test.wav “{text}”.")
    return wav
