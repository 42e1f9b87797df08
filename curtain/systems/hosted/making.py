"""Makes a hosted system by its kind; called in the system's own process, since a plug-in's code is imported here."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import cast

from curtain.domain.pack.pack import load_pack
from curtain.domain.rules.principles import under_rule_book
from curtain.systems.choice import GROUP, RECOGNISERS, SystemChoice, drafters_of
from curtain.systems.hosted.drafts import DraftingSystem, examples_for
from curtain.systems.hosted.echo import EchoSystem
from curtain.systems.hosted.values import HostedSystem, HostOrder, SystemFactory
from curtain.systems.protocol import SystemQuestion, SystemReply


class _PluggedEars:
    """An entry point of the group `curtain.recognisers`: a function from a WAV file to its words."""

    def __init__(self, name: str) -> None:
        self._hear = metadata.entry_points(group=RECOGNISERS)[name].load()

    def answer(self, question: SystemQuestion) -> SystemReply:
        """The words of the recording; no words are no answer."""
        return SystemReply(no_answer=True, text=str(self._hear(Path(question.audio or ""))))


def make_hosted(order: HostOrder) -> HostedSystem:
    """The system of an order. Raises whatever a plug-in raises, and CurtainError."""
    if order.kind == "echo":
        return EchoSystem(Path(order.options["file"]))
    if order.kind == "recogniser":
        return _PluggedEars(order.options["plugin"])
    pack = load_pack(order.pack)
    if order.rule_book is not None:
        pack = under_rule_book(pack, order.rule_book, "rule_book")
    database = Path(order.database)
    if order.kind == "plugin":
        point = metadata.entry_points(group=GROUP)[order.options.get("plugin", order.name)]
        return cast(SystemFactory, point.load())(pack, database, order.options)
    choice = SystemChoice(
        order.name, "chat" if order.kind == "chat" else "drafts", order.options, deadline_s=order.deadline_s,
        start_s=order.start_s, environment=tuple(order.environment),
    )  # fmt: skip
    examples = examples_for(pack, Path(order.study) if order.study else None, order.drafters)
    return DraftingSystem(pack, database, examples, drafters_of(choice), float(order.options.get("threshold", 0.0)))
