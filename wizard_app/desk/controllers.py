"""The controllers and the threads of the station as values."""

from dataclasses import dataclass

from curtain.ports.drafting import Drafting
from curtain.qt.background import Background
from curtain.qt.listen_control import ListenControl
from wizard_app.desk.session.control import SessionControl
from wizard_app.desk.turn.control import TurnControl
from wizard_app.desk.turn.reply_gate import ReplyGate
from wizard_app.desk.turn.sql_control import SqlControl


@dataclass(frozen=True)
class Controllers:
    """What decides, without widgets: one of each for the life of the station."""

    session: SessionControl
    turns: TurnControl
    sql: SqlControl
    listen: ListenControl
    drafts: Drafting
    outgoing: ReplyGate


@dataclass(frozen=True)
class Backgrounds:
    """Threads: `work` for what may wait for one another, `files` and `sound` for one thing after the other."""

    work: Background
    files: Background
    sound: Background
