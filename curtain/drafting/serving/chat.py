"""A drafter that asks a served language model over the common chat-completions interface.

It is off unless study.toml has a table `[drafters.chat]` with an `address`, and sends to this address alone: no
proxy of the environment is used and no redirect is followed. It sends the query, the schema with a few values of each
column, the nearest answered examples and the pack's rules; no audio, no names of people who take part.
"""

from __future__ import annotations

import os
import weakref
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from curtain.domain.pack.reader import Pack
from curtain.domain.worker.worker import Limits, SqlWorker

from ..algebra.reading import SqlReader
from ..settings import ChatServer
from ..values import Draft, Request
from .completions import ChatFailed, Refused, ServerLine, statement_in
from .prompt import Prompt
from .wire import Spent

_MILLION = 1_000_000
# A model is never quite sure; what it is worth in a domain is learned (`trust`).
_SURE = 0.95
_LIMITS = Limits(interrupt_after_s=1.0, kill_after_s=1.5, kill_above_bytes=512 << 20, display_rows=200, cas_rows=200)


@dataclass(frozen=True)
class _Tried:
    """What a statement answers, the same for all that answer alike, and what the model hears of it."""

    answer: object
    fault: str = ""


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
        self._server = server
        self._line = ServerLine(urlsplit(server.address), key)
        self._prompt = Prompt(pack, db_path)
        self.learn, self.withdraw = self._prompt.learn, self._prompt.withdraw
        self._spent = Spent()
        self._reader = SqlReader(pack.tables, "", pack.keys.primary)
        self._worker = SqlWorker(db_path, pack, _LIMITS, with_spare=False) if db_path.exists() else None
        if self._worker is not None:
            weakref.finalize(self, self._worker.close)
            # The child opens the database now and not at the first reply.
            self._worker.examine(["SELECT 1"]).result()
        self._one_at_a_time = False

    def drafts(self, request: Request) -> Sequence[Draft]:
        """What the model proposes, oftenest first. Raises ChatFailed."""
        if not request.question.strip():
            return ()
        messages = self._prompt.messages(request)
        counted = self._statements(messages, max(1, self._server.replies))
        if not counted:
            raise ChatFailed("wrote no SQL: if its replies are cut off, raise “tokens” in study.toml")
        tried = {sql: self._tried(sql) for sql in counted}
        best = max(counted, key=lambda sql: _votes(sql, counted, tried))
        fault = tried[best].fault
        if fault:
            again = [*messages, {"role": "assistant", "content": best}, {"role": "user", "content": fault}]
            corrected = self._statements(again, 1)
            tried |= {sql: self._tried(sql) for sql in corrected if sql not in tried}
            counted = corrected + Counter({sql: times for sql, times in counted.items() if sql != best}) or counted
        said, drafts = counted.total(), dict[object, Draft]()
        for sql in sorted(counted, key=lambda sql: -_votes(sql, counted, tried)):
            times = _votes(sql, counted, tried)
            because = f"the model said so {times} of {said} times"
            drafts.setdefault(tried[sql].answer, Draft(sql, round(_SURE * times / said, 3), because=because))
        return list(drafts.values())[: request.n]

    def cancel(self) -> None:
        """What is being asked is not wanted any more; called from another thread."""
        self._line.hang_up()

    def spent(self) -> Spent:
        """The tokens and the cost since the last call."""
        spent, self._spent = self._spent, Spent()
        return spent

    def _statements(self, messages: Sequence[Mapping[str, str]], replies: int) -> Counter[str]:
        body = {
            "model": self._server.model,
            "messages": messages,
            "temperature": 0.0 if replies == 1 else 0.7,
            "max_tokens": max(1, self._server.tokens),
        }
        texts: list[str] = []
        if not self._one_at_a_time:
            try:
                texts += self._asked({**body, "n": replies})
            except Refused:
                self._one_at_a_time = replies > 1
                if replies == 1:
                    raise
        if self._one_at_a_time:
            # Some servers write one reply to a request, whatever is asked for.
            texts += chain.from_iterable(self._asked(body) for _ in range(replies))
        return Counter(sql for text in texts if (sql := statement_in(text)))

    def _asked(self, body: Mapping[str, Any]) -> tuple[str, ...]:
        answered = self._line.ask(body)
        cost = answered.tokens_in * self._server.price_in + answered.tokens_out * self._server.price_out
        self._spent = self._spent.plus(Spent(answered.tokens_in, answered.tokens_out, cost / _MILLION))
        return answered.texts

    def _tried(self, sql: str) -> _Tried:
        """What a statement answers, run as the wizard's statements are: guarded, in a process that is ended if it takes
        too long or too much. Without a database nothing is tried."""
        query = self._reader.read(sql)
        same = query.sense if query is not None else sql
        if self._worker is None:
            return _Tried(same)
        result = self._worker.run(sql, with_maximum=False, correct=True).result()
        if result.error:
            return _Tried(same, f"This statement fails: {result.error} Write a correct one.")
        if not result.total:
            return _Tried(
                same, "This statement answers nothing. If that cannot be right, write a correct one; else repeat it."
            )
        # Of a long answer only the first rows are here, and the order of rows is a matter of chance.
        whole = len(result.rows) == result.total
        return _Tried((result.total, tuple(sorted(map(tuple, result.rows)))) if whole else same)


def _votes(sql: str, counted: Counter[str], tried: Mapping[str, _Tried]) -> int:
    """How often the model said this statement or another with the same answer."""
    return sum(times for other, times in counted.items() if tried[other].answer == tried[sql].answer)
