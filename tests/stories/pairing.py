"""Two rooms in a story: each station has a home of its own, as on two machines, and an assistant types the code."""

import socket

from curtain.rehearsal.stations import RunningStation


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
