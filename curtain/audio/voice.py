"""The voice of the system, as a command that reads a text on its standard input and says or records it."""

import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from curtain.base.errors import CurtainError

# Windows speaks through .NET; the text comes in by standard input, so nothing in it is ever taken for a command.
_WINDOWS = (
    "Add-Type -AssemblyName System.Speech; [Console]::InputEncoding = [Text.Encoding]::UTF8; "
    "$voice = New-Object System.Speech.Synthesis.SpeechSynthesizer; {0}$voice.Speak([Console]::In.ReadToEnd())"
)
# 22,050 Hz, as espeak-ng writes.
_TO_WAV = (
    "$form = [System.Speech.AudioFormat.SpeechAudioFormatInfo]::new(22050, 'Sixteen', 'Mono'); "
    "$voice.SetOutputToWaveFile('{0}', $form); "
)
# espeak-ng names Mandarin after ISO 639-3.
_ESPEAK = {"zh": "cmn"}


class NoVoice(CurtainError):
    """This system cannot say a text."""


def voice_command(
    language: str, platform: str = sys.platform, which: Callable[[str], str | None] = shutil.which
) -> Sequence[str]:
    """The command that speaks this language. Raises NoVoice.

    macOS and Windows speak with the voice that is set in their settings.
    """
    options = {"darwin": ["-f", "-"], "win32": ["-NoProfile", "-Command", _WINDOWS.format("")]}.get(
        platform, ["-v", _ESPEAK.get(language, language), "--stdin"]
    )
    program = which(_name(platform))
    if program is None:
        sentence = f"This computer has no voice for speak = true; install {_name(platform)}, or write speak = false."
        raise NoVoice(sentence)
    return [program, *options]


def writing_command(
    wav: Path, words_per_minute: int, platform: str = sys.platform, which: Callable[[str], str | None] = shutil.which
) -> Sequence[str]:
    """The command that writes what it reads as mono PCM_16 at 22,050 Hz to `wav`. Raises NoVoice.

    In US English with espeak-ng; elsewhere with the voice of the settings, on Windows at its own speed.
    """
    # '' is one ' in a text of PowerShell.
    to_wav = _TO_WAV.format(str(wav).replace("'", "''"))
    options = {
        "darwin": ["-r", str(words_per_minute), "-o", str(wav), "--file-format=WAVE", "--data-format=LEI16@22050",
                   "-f", "-"],
        "win32": ["-NoProfile", "-Command", _WINDOWS.format(to_wav)],
    }.get(platform, ["-v", "en-us", "-s", str(words_per_minute), "-w", str(wav), "--stdin"])  # fmt: skip
    program = which(_name(platform))
    if program is None:
        raise NoVoice(f"{_name(platform)} is not installed, which speaks what a script says; install it.")
    return [program, *options]


def _name(platform: str) -> str:
    return {"darwin": "say", "win32": "powershell"}.get(platform, "espeak-ng")
