"""`curtain check`: looks at everything a session needs, before the subject is in the room."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from curtain.errors import CurtainError

BYTES_PER_HOUR = 16_000 * 2 * 3600
ENOUGH_HOURS = 4


@dataclass(frozen=True)
class Finding:
    """One thing looked at: `text` says how it is, and what to do if it is not well."""

    what: str
    well: bool
    text: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def look_around(microphone: str | None, study: Path | None, domain: str) -> list[Finding]:
    """All findings, in the order in which one would mend them. Never raises for what it looks at."""
    looks: list[tuple[str, Callable[[], str]]] = [
        ("microphone", lambda: _microphone(microphone)),
        ("loudspeaker", _loudspeaker),
        ("disk", lambda: _disk(study or Path.cwd())),
        ("study", lambda: _study(study)),
        ("drafters", lambda: _drafters(study)),
        ("database", lambda: _database(study, domain)),
        ("link", _link),
        ("display", _display),
        ("rehearsal speech", _speech),
    ]
    return [_finding(what, look) for what, look in looks]


def _finding(what: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(what, True, look())
    except CurtainError as problem:
        return Finding(what, False, str(problem))


def _microphone(wanted: str | None) -> str:
    from curtain.audio.devices import find_microphone, list_microphones

    found = list_microphones()
    if not found:
        raise CurtainError(
            "No microphone is connected; connect one, or use --mic-file with a WAV file to try things out."
        )
    device = find_microphone(wanted) if wanted else found[0]
    return f"{device.name} ({len(found)} connected)."


def _loudspeaker() -> str:
    from curtain.audio.devices import list_outputs

    found = list_outputs()
    if not found:
        raise CurtainError("No loudspeaker or headphones are connected; the wizard will hear nothing.")
    return f"{found[0].name} ({len(found)} connected)."


def _disk(folder: Path) -> str:
    existing = next(place for place in (folder, *folder.resolve().parents) if place.exists())
    hours = shutil.disk_usage(existing).free / BYTES_PER_HOUR
    if hours < ENOUGH_HOURS:
        raise CurtainError(f"{existing} has room for {hours:.1f} hours of speech; free some space.")
    return f"room for {hours:,.0f} hours of speech in {existing}."


def _study(folder: Path | None) -> str:
    from curtain.session.study import load_study

    if folder is None:
        return "none named (--study DIR looks at one)."
    return f"{load_study(folder).folder} can be read."


def _drafters(folder: Path | None) -> str:
    from curtain.drafting.serving.plugins import missing
    from curtain.drafting.settings import read_settings
    from curtain.session.study import load_study

    if folder is None:
        return "our own; a study may name others."
    names = [choice.name for choice in read_settings(load_study(folder).drafters).drafters]
    if unknown := missing(names):
        named = " and ".join(f"“{name}”" for name in unknown)
        raise CurtainError(
            f"[drafters] in study.toml names {named}: no such drafter is installed; install or remove it."
        )
    return f"{', '.join(names)} installed." if names else "switched off in study.toml."


def _database(study: Path | None, domain: str) -> str:
    from curtain.domain.answer import answer_statement
    from curtain.domain.pack import agreed_pack, named_pack
    from curtain.session.study import load_study

    pack = agreed_pack(load_study(study).domain) if study else named_pack(domain)
    table = next(iter(pack.tables))
    result = answer_statement(pack, f"SELECT count(*) FROM {table}")
    if result.error:
        raise CurtainError(f"The database of “{pack.title}” does not answer: {result.error}")
    return f"{pack.title} answers in {result.ms} ms."


def _link() -> str:
    from curtain.link.places import run_folder

    folder = run_folder()
    with tempfile.TemporaryFile(dir=folder):
        return f"the stations can meet in {folder}."


def _display() -> str:
    from curtain.demo import has_display

    if not has_display():
        raise CurtainError("There is no display; only --headless runs are possible here.")
    return "there is one."


def _speech() -> str:
    if shutil.which("espeak-ng") is None:
        raise CurtainError("espeak-ng is not installed; scripts with “say” cannot be rehearsed.")
    return "espeak-ng can speak scripts."
