"""Two rooms in a story: each station has a home of its own, as on two machines, and an assistant types the code."""

import socket
from pathlib import Path

from curtain.rehearsal.stations import RunningStation


def own_home(folder: Path, name: str) -> dict[str, str]:
    """Where a station keeps its certificate and its sockets: not where the other one does."""
    run = folder / f"{name}-run"
    run.mkdir(mode=0o700, exist_ok=True)
    return {"XDG_DATA_HOME": str(folder / f"{name}-home"), "XDG_RUNTIME_DIR": str(run)}


def free_port() -> int:
    """A port that a wizard's station can listen on, also after it was killed."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def pair(wizard: RunningStation, subject: RunningStation) -> None:
    """Type the code of the wizard's screen on the subject's first page."""
    subject.wait("window", state="room")
    wizard.wait("room_code", text={"contains": "Code "})
    code = wizard.text_of("room_code").removeprefix("Code ")
    subject.wait("room_code", focus=True)
    subject.type(code)
    subject.keys("Return")
    subject.wait("window", state="waiting")
