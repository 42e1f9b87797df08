"""The voice that the system has, as a command that reads a text on its standard input and says it aloud."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence

from curtain.base.errors import CurtainError

# Windows speaks through .NET; the text comes in by standard input, so nothing in it is ever taken for a command.
_WINDOWS = (
    "Add-Type -AssemblyName System.Speech; [Console]::InputEncoding = [Text.Encoding]::UTF8; "
    "(New-Object System.Speech.Synthesis.SpeechSynthesizer).Speak([Console]::In.ReadToEnd())"
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
    name, options = {"darwin": ("say", ["-f", "-"]), "win32": ("powershell", ["-NoProfile", "-Command", _WINDOWS])}.get(
        platform, ("espeak-ng", ["-v", _ESPEAK.get(language, language), "--stdin"])
    )
    program = which(name)
    if program is None:
        raise NoVoice(f"This computer has no voice for speak = true; install {name}, or write speak = false.")
    return [program, *options]
