"""Makes a hosted system by its kind; called in the system's own process, since a plug-in's code is imported here."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from curtain.domain.pack.pack import load_pack
from curtain.domain.rules.principles import under_rule_book
from curtain.ports.discovery import loaded, named_offers
from curtain_experiments.systems.choice import drafters_of
from curtain_experiments.systems.hosted.drafts import DraftingSystem, examples_for
from curtain_experiments.systems.hosted_system import HostedSystem, HostOrder, SystemFactory
from curtain_experiments.systems.protocol import SystemQuestion, SystemReply


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
    if choice.kind == "recogniser":
        return _PluggedEars(choice.options["plugin"])
    pack = under_rule_book(load_pack(order.pack), order.rule_book, "rule_book")
    database = Path(order.database)
    if choice.kind == "plugin":
        make = loaded(named_offers("systems")[choice.options.get("plugin", choice.name)])
        return cast(SystemFactory, make)(pack, database, choice.options)
    examples = examples_for(pack, Path(order.study) if order.study else None, order.drafters)
    return DraftingSystem(pack, database, examples, drafters_of(choice), float(choice.options.get("threshold", 0.0)))
