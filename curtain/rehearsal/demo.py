"""`curtain demo`: both stations on this machine; without a display, a scripted session through the same windows."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from curtain.base.errors import CurtainError
from curtain.base.hearing import Input
from curtain.base.python_process import running_window
from curtain.base.terminal import Say
from curtain.qt.windows.display import ensure_windows, has_display


@dataclass(frozen=True)
class DemoVoice:
    """Whether a recorded voice asks in place of a person: None where that is `ask`ed of whoever has no microphone.
    Without anybody to ask, questions are typed."""

    wanted: bool | None = None
    ask: Callable[[str], bool] | None = None


def run(domain: str, out: Path, *, headless: bool, say: Say, voice: DemoVoice = DemoVoice()) -> None:
    """Raises CurtainError if the pack, the study folder or a station cannot be used."""
    if headless or not has_display():
        play_script(domain, out, say)
    else:
        open_stations(domain, out, say, voice)


def play_script(domain: str, out: Path, say: Say) -> None:
    """The scripted session: names the bundle, two screenshots, and what the turns hold."""
    from curtain.domain.pack.pack import named_pack
    from curtain.rehearsal import player, stage

    script = named_pack(domain).folder / "demo.jsonl"
    if not script.is_file():
        raise CurtainError(
            f"The domain “{domain}” has no demo.jsonl to play without a display. Write one (docs/rehearsals.md "
            f"says how; “curtain domain new” writes a short one), or run the demo on a machine with a display."
        )
    # First, so that a study of another domain or a broken one is reported before the long run.
    _study(domain, out, take_back_s=0)
    say("No display: playing a scripted session through both windows (about a minute).")
    plan = stage.RehearsalPlan(script=script, domain=domain, study=out, headless=True, shots=out / "screenshots")
    bundle = player.play(plan, say)
    _summarise(bundle, say)
    say(f"The session's bundle: {bundle}")
    for name in ("wizard", "subject"):
        say(f"The {name}'s screen:   {out / 'screenshots' / f'{name}.png'}")


def open_stations(domain: str, out: Path, say: Say, voice: DemoVoice = DemoVoice()) -> None:
    """Both windows on this machine until the wizard's is closed."""
    ensure_windows()
    is_silent = not _has_microphone()
    study = _study(domain, out, given="both" if is_silent else "speech")
    # With our process id: demos beside each other do not meet.
    name = f"curtain-{os.getpid()}"
    with TemporaryDirectory() as folder:
        options, to_do = _in_place_of_a_microphone(domain, study, Path(folder), say, voice, is_silent)
        say(f"Opening the wizard's and the subject's window. The study is in {study}.")
        say(f"In the wizard's window: fill in the first page and start. In the subject's: {to_do}.")
        subject = running_window("subject_app", "--connect", name, *options)
        with subject, running_window("wizard_app", "--study", str(study), "--listen", name) as window:
            window.wait()
    # The wizard's window decides; the subject's is closed after it.
    say(f"The sessions are in {study / 'sessions'}. “curtain turns {study / 'sessions'}/NAME” prints one.")


def _has_microphone() -> bool:
    from curtain.audio.devices import NoPortAudio, list_microphones

    try:
        return bool(list_microphones())
    except NoPortAudio:
        return False


def _in_place_of_a_microphone(
    domain: str, study: Path, folder: Path, say: Say, voice: DemoVoice, is_silent: bool
) -> tuple[list[str], str]:
    """The options of the subject's window, and what to do there. Raises CurtainError: no voice can be made."""
    from curtain.session.study.study import load_study

    may_type = load_study(study).input != "speech"
    wanted = voice.wanted
    if is_silent and not wanted:
        say("No microphone is connected.")
        # A study of before may take no typed questions.
        wanted = not may_type or (voice.ask is not None and voice.ask(_OFFER))
    if wanted:
        _record(domain, folder)
        return ["--mic-file", str(folder)], "hold SPACE, and a recorded voice asks the next question of the sample"
    typed = "type the questions; with --recorded a recorded voice asks them"
    return [], typed if is_silent else "hold SPACE and ask"


_OFFER = "Shall a recorded voice ask when SPACE is held? With a no you type the questions."


def _record(domain: str, folder: Path) -> None:
    """What the domain's sample asks, a file each in its order; the first is said in the test of the microphone too.
    Raises CurtainError."""
    from curtain.domain.pack.pack import named_pack
    from curtain.rehearsal.script import read_script
    from curtain.rehearsal.stage import say_to_file

    questions = [step.say for step in read_script(named_pack(domain).folder / "demo.jsonl") if step.say]
    for number, text in enumerate((*questions[:1], *questions)):
        say_to_file(text, folder / f"{number:02}.wav")


def _study(domain: str, out: Path, take_back_s: float = 2, given: Input = "speech") -> Path:
    from curtain.domain.pack.pack import database, named_pack
    from curtain.session.study.study import load_study, new_study

    pack = named_pack(domain)
    # Built before the windows open, so that the first one does not wait for it.
    database(pack)
    if (out / "study.toml").exists():
        return load_study(out).folder
    return new_study(out, pack.lasting_name, take_back_s=take_back_s, given=given).folder


def _summarise(bundle: Path, say: Say) -> None:
    from curtain.session.bundle.bundle import Bundle
    from curtain.session.turns.turns import read_turns

    say("")
    for turn in (turn.as_json() for turn in read_turns(Bundle(bundle))):
        answer = turn["cas_min"] if turn["outcome"] == "answer" else turn["message"] or turn["outcome"]
        say(f"  turn {turn['turn']:>2}  {turn['query'] or '(withdrawn)'}\n           {_short(answer)}")
    say("")


def _short(value: object, width: int = 100) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= width else text[: width - 1] + "…"
