"""Other people behind the curtain in a rehearsal, each with a wizard's station that joins the session's own."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stage import RehearsalPlan, Stage
from curtain.rehearsal.stations import RunningStation


def free_address() -> str:
    """An address of this computer at which a station can listen."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def joined(
    stage: Stage, joins: Sequence[ScriptStep], address: str, plan: RehearsalPlan, study: Path, scratch: Path
) -> Iterator[None]:
    """Everybody of these steps sits in a chair, before the session begins. Raises StationStuck."""
    with ExitStack() as stack:
        for step in joins:
            role, who = step.role or "observer", step.who or ""
            shown, code = code_for(stage.wizard, role)
            options = [
                "--study", str(study), "--join", address, "--as", role, "--wizard", who,
                "--code", code,
            ]  # fmt: skip
            env = {**({"QT_QPA_PLATFORM": "offscreen"} if plan.headless else {}), **_home(scratch, who)}
            station = RunningStation("wizard", options, study / "logs" / f"{who}.txt", env)
            stage.people[who] = stack.enter_context(station)
            # Each pairing makes another code, which the next one needs.
            stage.wizard.wait("room_code", text={"not": shown})
        yield


def _home(scratch: Path, who: str) -> dict[str, str]:
    """Where a chair keeps its certificate and its sockets: not where the session's own station does."""
    run = scratch / f"{who}-run"
    run.mkdir(mode=0o700, exist_ok=True)
    return {"XDG_DATA_HOME": str(scratch / f"{who}-home"), "XDG_RUNTIME_DIR": str(run)}


def code_for(host: RunningStation, role: str) -> tuple[str, str]:
    """What the host shows, and the code for this role in it. Each pairing makes other codes."""
    host.wait("room_code", text={"contains": f"{role} "})
    shown = host.text_of("room_code")
    return shown, shown.partition(f"{role} ")[2][:7].replace(" ", "")
