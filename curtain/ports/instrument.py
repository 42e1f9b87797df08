"""The port of an instrument: what follows the session that runs at the desk, for recorders beside it."""

from typing import Any, Protocol

from curtain.link.qt import SessionLink
from curtain.ports.discovery import each_made
from curtain.session.study.study import Study


class SessionInstrument(Protocol):
    """What the function at the place `instrument` of a companion gives, or None where the study does not want it.

    It is given a `Study`, the `SessionControl`, its link and the `WizardWindow`. What fails is one sentence in the
    window, and the session goes on."""

    def close(self) -> None:
        """The station ends."""


def instruments_at(study: Study, session: Any, link: SessionLink, window: Any) -> list[SessionInstrument]:
    """Those of all companions, begun."""
    begun = each_made("instrument", lambda begin: begin(study, session, link, window))
    return [instrument for instrument in begun if instrument is not None]
