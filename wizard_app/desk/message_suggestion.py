"""Which canned messages fit what was typed, and which one is likely when time is over."""

import re

from curtain.session.study.messages import CannedMessage, MessageSet

ANSWER_NOTED = "answer_noted"
_UNHEARD = "not_understood"
_CUT_OFF = "cut_off"
_UNABLE = "unable"


def fitting(messages: MessageSet, typed: str) -> list[CannedMessage]:
    """The messages for a number, some letters or a whole id; the best first, all of them for nothing.

    Last come those whose situation has a word, or words, that begin with the letters.
    """
    low = typed.strip().lower()
    exact = messages.by_id.get(low)
    messages_found = messages.find(typed)
    meant = [message for message in messages.messages if low and _says(message.when, low)]
    return list(dict.fromkeys([*([exact] if exact is not None else []), *messages_found, *meant]))


def _says(situation: str, low: str) -> bool:
    return not low.isdecimal() and re.search(r"\b" + re.escape(low), situation.lower()) is not None


def asking_again(messages: MessageSet) -> CannedMessage | None:
    """What asks the subject to say again what was cut short, if it can leave at once."""
    message = messages.by_id.get(_CUT_OFF)
    return message if message is not None and not message.blanks else None


def likely(messages: MessageSet, query: str) -> CannedMessage | None:
    """What to offer when time is over: “not understood” if nothing was typed, else “unable to answer”.

    Never one with blanks, since the offered one should leave at once.
    """
    # Nothing typed after all that time means that nothing could be understood.
    wanted = _UNABLE if query.strip() else _UNHEARD
    ready = [message for message in messages.messages if not message.blanks and message.counts_as == "no_answer"]
    return next((message for message in ready if message.id == wanted), ready[0] if ready else None)
