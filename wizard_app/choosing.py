"""Which canned messages fit what was typed, and which one is likely when time is over."""

from __future__ import annotations

from curtain.session.messages import CannedMessage, MessageSet

ANSWER_NOTED = "answer_noted"
_UNHEARD = "not_understood"
_UNABLE = "unable"


def fitting(messages: MessageSet, typed: str) -> list[CannedMessage]:
    """The messages for a number, some letters or a whole id; the best first, all of them for nothing."""
    low = typed.strip().lower()
    exact = messages.by_id.get(low)
    others = [message for message in messages.find(typed) if message is not exact]
    return [exact, *others] if exact is not None else others


def likely(messages: MessageSet, query: str) -> CannedMessage | None:
    """What to offer when time is over: “not understood” if nothing was typed, else “unable to answer”.

    Never one with blanks, since the offered one should leave at once.
    """
    wanted = _UNABLE if query.strip() else _UNHEARD
    ready = [message for message in messages.messages if not message.blanks and message.counts_as == "no_answer"]
    return next((message for message in ready if message.id == wanted), ready[0] if ready else None)
