"""Two rooms in a story: each station has a home of its own, as on two machines, and an assistant types the code."""

from curtain.rehearsal.stations import RunningStation


def pair(wizard: RunningStation, subject: RunningStation) -> None:
    """Type the code of the wizard's screen on the subject's first page."""
    subject.wait("window", state="room")
    wizard.wait("room_code", text={"contains": "Code "})
    code = wizard.text_of("room_code").removeprefix("Code ")
    subject.wait("room_code", focus=True)
    subject.type(code)
    subject.keys("Return")
    subject.wait("window", state="waiting")
