"""What a system under test is asked and what it may say: one JSON object a line, each way.

A system is not trusted. `read_reply` takes what the protocol allows and nothing else; what becomes of a reply is
decided by the caller, and its free text is never shown to a subject.
"""

from typing import Any, Literal

import msgspec

from curtain.base.errors import CurtainError

MOST_REPLY_BYTES = 1 << 20
_SHOWN = 80

ProblemKind = Literal["missing", "crash", "silence", "rubbish", "stopped"]
"""Not started; ended; no reply within the deadline, as of one that hangs; a line that is no reply; stopped."""


class Rubbish(CurtainError):
    """A line of a system that is no reply; the sentence says what is wrong with it."""


class HostedSystemError(CurtainError):
    """A system gave no usable reply; `kind` says how, the sentence what the operator reads."""

    def __init__(self, kind: ProblemKind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind: ProblemKind = kind


class EarlierTurn(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An earlier turn of the same scenario: what was asked, and what the subject was shown."""

    text: str
    sql: str | None = None
    cas: str | None = None
    message: str | None = None


class SystemQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """One turn. `text` is the recognised query, None where the system has ears of its own; `audio` is the WAV file of
    the turn, None where there is none. `previous` are the earlier turns, oldest first."""

    utterance_id: str
    session_id: str = ""
    scenario_id: str | None = None
    turn: int = 1
    text: str | None = None
    audio: str | None = None
    previous: list[EarlierTurn] = []


class SystemReply(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly one of `cas`, `sql`, `message` (the id of a canned message) and `no_answer`.

    `text` is what the system heard, `partial` says that it understood a part only, `latency_ms` how long it worked by
    its own count. Keys of the future are passed over.
    """

    cas: str | None = None
    sql: str | None = None
    message: str | None = None
    no_answer: bool = False
    text: str | None = None
    partial: bool = False
    latency_ms: float | None = None

    @property
    def kind(self) -> str:
        """`sql`, `cas`, `message` or `no_answer`."""
        return next((name for name in ("sql", "cas", "message") if getattr(self, name) is not None), "no_answer")


class Opened(msgspec.Struct, frozen=True, kw_only=True):
    """A first line that a system may say when it is ready, or why it never will be."""

    ready: bool
    problem: str = msgspec.field(name="fault", default="")


def line_of(value: msgspec.Struct) -> bytes:
    """A value as one line of JSON in UTF-8."""
    return msgspec.json.encode(value) + b"\n"


def read_line(line: bytes) -> SystemReply | Opened:
    """A line of a system. Raises Rubbish."""
    row = _object(line)
    kind: type[SystemReply] | type[Opened] = Opened if "ready" in row else SystemReply
    try:
        value = msgspec.convert(row, kind)
    except msgspec.ValidationError as error:
        raise Rubbish(f"said something that is no reply ({error}): {_shown(line)}") from error
    if isinstance(value, SystemReply):
        _check(value, line)
    return value


def _object(line: bytes) -> dict[str, Any]:
    if len(line) > MOST_REPLY_BYTES:
        raise Rubbish("said a line of more than 1 MiB, which is not read")
    try:
        row = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Rubbish(f"said something that is not JSON: {_shown(line)}") from error
    if not isinstance(row, dict):
        raise Rubbish(f"said something that is no object in braces: {_shown(line)}")
    return row


def _check(reply: SystemReply, line: bytes) -> None:
    given = [name for name in ("cas", "sql", "message") if getattr(reply, name) is not None]
    if len(given) + reply.no_answer != 1:
        what = "several of" if given else "none of"
        raise Rubbish(f"said {what} “cas”, “sql”, “message” and “no_answer”: {_shown(line)}")
    if given and not getattr(reply, given[0]).strip():
        raise Rubbish(f"said an empty “{given[0]}”: {_shown(line)}")


def _shown(line: bytes) -> str:
    text = " ".join(line[: 4 * _SHOWN].decode("utf-8", "replace").split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
