"""The states of the subject's station. Each holds what exists only while it lasts.

Vacant -> SittingDown -> Seated -> Over -> Vacant. A session whose record is made whole sits down once more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from curtain.link.messages import KeptMessage, Welcome
from subject_app.session.record import Return
from subject_app.sitting.sitting import Sitting
from subject_app.talk.mic_test import MicTest


@dataclass
class Vacant:
    """No session is open here.

    `calls`: the subject called for help, and the next hello says so; `letting_go`: the files of the last session are
    still in use here.
    """

    calls: bool = False
    letting_go: bool = False


@dataclass
class SittingDown(Vacant):
    """The files of a session are being opened, away from the window. No second session is opened meanwhile."""


@dataclass
class Seated:
    """A session is open here.

    `may_be_set_aside`: another session may take its place, and its files stay in the spool; so with one that a crash
    left there. `returning`: the lines that this station lost, on their way back.
    """

    sitting: Sitting
    mic_test: MicTest
    may_be_set_aside: bool
    returning: Return | None = None

    def over(self) -> Over:
        """The same session, ended."""
        return Over(self.sitting, self.mic_test, True, self.returning)


@dataclass
class Over(Seated):
    """The wizard ended the session. It is left as soon as the other station holds everything; it may be set aside where
    the wizard closed it without something that only this station has."""


StationState = Vacant | Seated
P = ParamSpec("P")


def while_seated(react: Callable[Concatenate[Any, Seated, P], None]) -> Callable[Concatenate[Any, P], None]:
    """A method of what has the `state`: it gets the session that is open; else its event belongs to none."""

    @wraps(react)
    def pass_on(holder: Any, /, *args: P.args, **options: P.kwargs) -> None:
        if isinstance(holder.state, Seated):
            react(holder, holder.state, *args, **options)

    return pass_on


@dataclass
class Greeting:
    """The latest welcome, and the messages that came behind it before its session was open here."""

    welcome: Welcome
    early: list[KeptMessage] = field(default_factory=list)
