"""A drafter that asks a served language model over the common chat-completions interface.

It is off unless study.toml has a table `[drafters.chat]` with an `address`, and sends to this address alone: no
proxy of the environment is used and no redirect is followed. It sends the query, the schema with a few values of each
column, the nearest answered examples and the pack's rules; no audio, no names of people who take part.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import duckdb
import msgspec

from curtain.domain.pack.reader import Pack

from ..settings import ChatServer
from ..values import Draft, Example, Request
from .completions import ChatFailed, ServerLine, statement_in
from .prompt import messages_for, nearest, samples_of
from .wire import Spent

_NEAREST = 8
_MILLION = 1_000_000
# A model is never quite sure; what it is worth in a domain is learned (`trust`).
_SURE = 0.95


def chat_drafter(pack: Pack, db_path: Path, options: Mapping[str, Any]) -> ChatDrafter:
    """The drafter for a table `[drafters.chat]`, which `settings` has checked. Raises ChatFailed."""
    server = msgspec.convert(options, ChatServer)
    variable, key = server.key_from, os.environ.get(server.key_from, "")
    if variable and not key:
        raise ChatFailed(f"finds no key: set the variable {variable} before Curtain is started")
    return ChatDrafter(pack, db_path, server, key)


class ChatDrafter:
    """Asks the model once for each request, and once more if what it says fails or answers nothing."""

    def __init__(self, pack: Pack, db_path: Path, server: ChatServer, key: str = "") -> None:
        self._pack, self._db_path, self._server = pack, db_path, server
        self._line = ServerLine(urlsplit(server.address), key)
        self._samples = samples_of(pack, db_path)
        self._examples: dict[str, Example] = {}
        self._spent = Spent()

    def drafts(self, request: Request) -> Sequence[Draft]:
        """What the model proposes, oftenest first. Raises ChatFailed."""
        if not request.question.strip():
            return ()
        examples = nearest(request.question, self._examples.values(), _NEAREST)
        messages = messages_for(self._pack, examples, request, self._samples)
        counted = self._statements(messages, max(1, self._server.replies))
        first = next(iter(counted.most_common(1)), ("", 0))[0]
        fault = self._fault_of(first) if first else ""
        if fault:
            again = [*messages, {"role": "assistant", "content": first}, {"role": "user", "content": fault}]
            corrected = self._statements(again, 1)
            counted = corrected + Counter({sql: times for sql, times in counted.items() if sql != first}) or counted
        said = counted.total()
        return [
            Draft(sql, round(_SURE * times / said, 3), because=f"the model said so {times} of {said} times")
            for sql, times in counted.most_common(request.n)
        ]

    def learn(self, example: Example) -> None:
        """From now on this question may be shown to the model."""
        self._examples[example.id or example.question] = example

    def withdraw(self, example_id: str) -> None:
        """Never show this example again."""
        self._examples.pop(example_id, None)

    def cancel(self) -> None:
        """What is being asked is not wanted any more; called from another thread."""
        self._line.hang_up()

    def spent(self) -> Spent:
        """The tokens and the cost since the last call."""
        spent, self._spent = self._spent, Spent()
        return spent

    def _statements(self, messages: Sequence[Mapping[str, str]], replies: int) -> Counter[str]:
        answered = self._line.ask(
            {
                "model": self._server.model,
                "messages": messages,
                "n": replies,
                "temperature": 0.0 if replies == 1 else 0.7,
                "max_tokens": max(1, self._server.tokens),
            }
        )
        cost = answered.tokens_in * self._server.price_in + answered.tokens_out * self._server.price_out
        self._spent = self._spent.plus(Spent(answered.tokens_in, answered.tokens_out, cost / _MILLION))
        return Counter(sql for text in answered.texts if (sql := statement_in(text)))

    def _fault_of(self, sql: str) -> str:
        """What the model hears if its statement fails or answers nothing; nothing if it does answer, or if there is
        no database to try it on. It is tried read-only, without access to anything else."""
        config: dict[str, str | bool | int | float | list[str]] = {"enable_external_access": False, "threads": 1}
        try:
            with duckdb.connect(str(self._db_path), read_only=True, config=config) as database:
                rows = database.execute(sql).fetchmany(1)
        except (duckdb.IOException, duckdb.ConnectionException):
            return ""
        except duckdb.Error as fault:
            return f"This statement fails: {' '.join(str(fault).split())[:300]} Write a correct one."
        if not rows:
            return "This statement answers nothing. If that cannot be right, write a correct one; else repeat it."
        return ""
