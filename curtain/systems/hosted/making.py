"""Makes a hosted system by its kind; called in the system's own process, since a plug-in's code is imported here."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import msgspec

from curtain.domain.pack.pack import load_pack
from curtain.domain.rules.principles import under_rule_book
from curtain.drafting.store import BadExamples, read_lines
from curtain.ports.discovery import loaded, named_offers
from curtain.systems.choice import drafters_of
from curtain.systems.hosted.drafts import DraftingSystem, examples_for
from curtain.systems.hosted_system import HostedSystem, HostOrder, SystemFactory
from curtain.systems.protocol import Rubbish, SystemQuestion, SystemReply, read_line


class _PluggedEars:
    """A recogniser of a companion: a function from a WAV file to its words."""

    def __init__(self, name: str) -> None:
        self._hear = loaded(named_offers("recognisers")[name])

    def answer(self, question: SystemQuestion) -> SystemReply:
        """The words of the recording; no words are no answer."""
        return SystemReply(no_answer=True, text=str(self._hear(Path(question.audio or ""))))


def make_hosted(order: HostOrder) -> HostedSystem:
    """The system of an order. Raises whatever a plug-in raises, and CurtainError."""
    choice = order.choice
    if choice.kind == "echo":
        return EchoSystem(Path(choice.options["file"]))
    if choice.kind == "recogniser":
        return _PluggedEars(choice.options["plugin"])
    pack = under_rule_book(load_pack(order.pack), order.rule_book, "rule_book")
    database = Path(order.database)
    if choice.kind == "plugin":
        make = loaded(named_offers("systems")[choice.options.get("plugin", choice.name)])
        return cast(SystemFactory, make)(pack, database, choice.options)
    examples = examples_for(pack, Path(order.study) if order.study else None, order.drafters)
    return DraftingSystem(pack, database, examples, drafters_of(choice), float(choice.options.get("threshold", 0.0)))


_NO_ANSWER = "NO_ANSWER"


class EchoSystem:
    """The answers of one file, by utterance id first, then by the words of the question: for tests and for replaying.

    A line is an object with an id (`id` or `utterance_id`) or the words of the question, and one of `cas` (or
    `answer`), `sql`, `message` and `no_answer`. A question that the file does not have gets no answer.
    """

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
