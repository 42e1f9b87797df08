"""A voice as a command that reads a text on its standard input and says or records it: the system's, or a program's."""

from __future__ import annotations

import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from curtain.audio.wav import read_wav
from curtain.base.errors import CurtainError
from curtain.base.python_process import run_program, why_it_failed

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
_TRIED_S = 60.0
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


def program_command(template: str, language: str, wav: Path) -> Sequence[str]:
    """The program of a command line that speaks this language, never through a shell. Raises NoVoice.

    `{language}` in it becomes the letters of the language, and `{wav}` the file that the program writes. Without
    `{wav}` it writes a WAV to its standard output, or nothing: then it has spoken by itself.
    """
    try:
        words = shlex.split(template, posix=sys.platform != "win32")
    except ValueError as fault:
        raise NoVoice(f"--voice {template} has a quotation mark that does not end; write it anew.") from fault
    program = shutil.which(words[0].strip('"')) if words else None
    if program is None:
        raise NoVoice(f"--voice names a program that is not there: {words[0] if words else 'none'}.")
    filled = [word.strip('"').replace("{language}", language).replace("{wav}", str(wav)) for word in words[1:]]
    return [program, *filled]


def try_program(template: str) -> float:
    """Have it say “One” in English; the seconds that it recorded, 0.0 if it speaks by itself. Raises NoVoice."""
    with tempfile.TemporaryDirectory() as folder:
        wav = Path(folder) / "one.wav"
        command = program_command(template, "en", wav)
        try:
            ran = run_program(command, _TRIED_S, input=b"One")
        except OSError as fault:
            raise NoVoice(f"The program of --voice does not answer: {command[0]}.") from fault
        if ran.returncode:
            raise NoVoice(f"The program of --voice fails ({why_it_failed(ran.stderr)}).")
        if ran.stdout:
            wav.write_bytes(ran.stdout)
        try:
            return read_wav(wav).seconds if wav.exists() else 0.0
        except CurtainError as fault:
            raise NoVoice(f"What the program of --voice writes is no WAV file: {command[0]}.") from fault


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
