"""The process in which a hosted system runs: `python -m curtain_experiments.systems.hosted.host`.

It speaks the protocol that any system under test speaks. What a plug-in prints or reads touches neither pipe. Its
code is imported in this process alone.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, Protocol, cast

import msgspec

from curtain.base.errors import reason_of
from curtain.base.python_process import own_pipes
from curtain.domain.pack.pack import Pack, load_pack
from curtain.domain.rules.principles import under_rule_book
from curtain.ports.discovery import loaded, named_offers
from curtain_drafts.drafting.values import Asked, Example, Request
from curtain_drafts.tool.service import DraftService, DraftSettings, Standing
from curtain_drafts.tool.serving.settings import DrafterChoice
from curtain_drafts.tool.store import study_store
from curtain_experiments.systems.choice import HostOrder, drafters_of
from curtain_experiments.systems.protocol import Opened, SystemQuestion, SystemReply, line_of

SURE = 0.8
"""A draft below this confidence is likely to have left something out: the answer counts as partial."""


class HostedSystem(Protocol):
    """What a companion offers at `systems`, or one of ours. Runs in a process of its own."""

    def answer(self, question: SystemQuestion) -> SystemReply:
        """The reply to one turn. May raise anything; that costs the turn."""
        ...


SystemFactory = Callable[[Pack, Path, Mapping[str, Any]], HostedSystem]
"""What stands at its place: called with the pack, the DuckDB file and the keys of `[systems.NAME]`."""


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


def examples_for(pack: Pack, study: Path | None, drafters: dict[str, object]) -> list[Example]:
    """What the drafts rest on: the pack's examples and the files that the study names, but no turn of the study.

    A system that learnt from the subjects before would be another one for each subject. Raises CurtainError.
    """
    return study_store(pack, study or pack.folder, drafters if study else {}, ())[0]


class DraftingSystem:
    """Our NL tool, or a served model, answering alone, through the service that a wizard's station uses.

    papers/004 compared a robust parser, which answers what it understood, with a full parser, which answers only what
    it understood whole. By analogy `drafts-robust` takes the best draft there is, and `drafts-strict` only one that it
    is sure of. What one draft is worth is the drafter's own calibrated confidence."""

    def __init__(
        self, pack: Pack, database: Path, examples: list[Example], drafters: tuple[DrafterChoice, ...], threshold: float
    ) -> None:
        """Returns when drafts can be made. Raises RuntimeError."""
        self._threshold = threshold
        standings: queue.SimpleQueue[Standing] = queue.SimpleQueue()
        longest = max(choice.limit_s for choice in drafters)
        settings = DraftSettings(drafters, patience_s=longest)
        self._service = DraftService(pack, database, examples, settings, on_standing=standings.put)
        while not (standing := standings.get()).settled:
            pass
        if standing.problem:
            raise RuntimeError(standing.problem)

    def answer(self, question: SystemQuestion) -> SystemReply:
        """The best draft as SQL if it is sure enough, else no answer."""
        previous = tuple(Asked(turn.text, turn.sql) for turn in question.previous if turn.sql)
        asked = Request(question.text or "", previous, n=1, scenario=question.scenario_id or "")
        best = next(iter(self._service.draft(asked).result()), None)
        if best is None or best.confidence < self._threshold:
            return SystemReply(no_answer=True)
        return SystemReply(sql=best.sql, partial=best.confidence < SURE)


def main() -> None:
    """Answers questions one after the other until the input ends."""
    questions, replies = own_pipes()
    order = msgspec.json.decode(questions.readline(), type=HostOrder)
    try:
        system = make_hosted(order)
    except Exception as error:
        # Whatever a plug-in raises: it is reported, and the parent gives up on this system.
        _say(replies, Opened(ready=False, problem=reason_of(error)))
        os._exit(1)
    _say(replies, Opened(ready=True))
    _serve(system, questions, replies)


def _serve(system: HostedSystem, questions: IO[bytes], replies: IO[bytes]) -> None:
    todo: queue.SimpleQueue[SystemQuestion] = queue.SimpleQueue()
    # A thread reads, so that the process ends with its parent even while the system hangs.
    threading.Thread(target=_hear, args=(questions, todo), daemon=True).start()
    while True:
        # A problem of the system ends this process, which its parent sees as a crash.
        _say(replies, system.answer(todo.get()))


def _hear(questions: IO[bytes], todo: queue.SimpleQueue[SystemQuestion]) -> None:
    while line := questions.readline():
        todo.put(msgspec.json.decode(line, type=SystemQuestion))
    os._exit(0)


def _say(replies: IO[bytes], value: msgspec.Struct) -> None:
    try:
        replies.write(line_of(value))
        replies.flush()
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main()
