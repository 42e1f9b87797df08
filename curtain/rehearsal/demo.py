"""`curtain demo`: both stations on this machine; without a display, a scripted session through the same windows."""

from __future__ import annotations

import json
import os
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.base.python_process import running_window
from curtain.base.terminal import Say
from curtain.qt.windows.display import ensure_windows, has_display


def run(domain: str, out: Path, *, headless: bool, say: Say) -> None:
    """Raises CurtainError if the pack, the study folder or a station cannot be used."""
    if headless or not has_display():
        play_script(domain, out, say)
    else:
        open_stations(domain, out, say)


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


def open_stations(domain: str, out: Path, say: Say) -> None:
    """Both windows on this machine until the wizard's is closed."""
    ensure_windows()
    study = _study(domain, out)
    # With our process id: demos beside each other do not meet.
    name = f"curtain-{os.getpid()}"
    say(f"Opening the wizard's and the subject's window. The study is in {study}.")
    say("In the wizard's window: fill in the first page and start. In the subject's: hold SPACE and ask.")
    subject = running_window("subject_app", "--connect", name)
    with subject, running_window("wizard_app", "--study", str(study), "--listen", name) as window:
        window.wait()
    # The wizard's window decides; the subject's is closed after it.
    say(f"The sessions are in {study / 'sessions'}. “curtain turns {study / 'sessions'}/NAME” prints one.")


def _study(domain: str, out: Path, take_back_s: float = 2) -> Path:
    from curtain.domain.pack.pack import database, named_pack
    from curtain.session.study.study import load_study, new_study

    pack = named_pack(domain)
    # Built before the windows open, so that the first one does not wait for it.
    database(pack)
    if (out / "study.toml").exists():
        return load_study(out).folder
    return new_study(out, pack.lasting_name, take_back_s=take_back_s).folder


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
