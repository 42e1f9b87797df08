"""`echo-file`: answers from a file, for tests and for replaying what a system answered before.

A line is an object with an id (`id` or `utterance_id`) or the words of the question, and one of `cas` (or `answer`),
`sql`, `message` and `no_answer`. A question that the file does not have gets no answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from curtain.drafting.store import BadExamples, read_lines
from curtain.systems.protocol import Rubbish, SystemQuestion, SystemReply, read_line

_NO_ANSWER = "NO_ANSWER"


class EchoSystem:
    """The answers of one file, by utterance id first, then by the words of the question."""

    def __init__(self, file: Path) -> None:
        """Raises BadExamples naming the line that cannot be used."""
        self._by_id: dict[str, SystemReply] = {}
        self._by_words: dict[str, SystemReply] = {}
        for number, line in read_lines(file):
            reply = _reply(f"{file} line {number}", line)
            if (name := line.get("utterance_id", line.get("id"))) is not None:
                self._by_id[str(name)] = reply
            if isinstance(words := line.get("question"), str):
                self._by_words[_plain(words)] = reply

    def answer(self, question: SystemQuestion) -> SystemReply:
        """What the file says of this turn."""
        by_id = self._by_id.get(question.utterance_id)
        return by_id or self._by_words.get(_plain(question.text or "")) or SystemReply(no_answer=True)


def _reply(place: str, line: dict[str, Any]) -> SystemReply:
    keys = {key: line[key] for key in SystemReply.__struct_fields__ if line.get(key) is not None}
    if "cas" not in keys and isinstance(line.get("answer"), str):
        keys["cas"] = line["answer"]
    # A file that `curtain system run` wrote has the statement beside the answer.
    if "sql" in keys:
        keys.pop("cas", None)
    if str(keys.get("cas", "")).strip().upper() == _NO_ANSWER:
        keys = {"no_answer": True}
    try:
        reply = read_line(msgspec.json.encode(keys))
    except Rubbish as fault:
        raise BadExamples(f"{place} cannot be used: it {fault}.") from fault
    if not isinstance(reply, SystemReply):
        raise BadExamples(f"{place} is no answer.")
    return reply


def _plain(words: str) -> str:
    return " ".join(words.casefold().split()).rstrip("?.! ")
