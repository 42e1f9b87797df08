"""A drafter that asks a served language model over the common chat-completions interface.

It is off unless study.toml has a table `[drafters.chat]` with an `address`, and sends to this address alone: no
proxy of the environment is used and no redirect is followed. It sends the query, the schema with a few values of each
column, the nearest answered examples and the pack's rules; no audio, no names of people who take part.
"""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from curtain.domain.pack.reader import Pack
from curtain_drafts.drafting.values import Draft, Request
from curtain_drafts.models.served_model import ChatError, ServerError, ServerLine, statement_in

from .checks import Checks, Trial
from .prompt import Prompt
from .settings import ChatServer
from .wire import NEWER, Spent

# A model is never quite sure; what it is worth in a domain is learned (`trust`).
_SURE = 0.95
# A small model apologises in words otherwise, above all where it is asked again.
_ONE_SELECT = 'root ::= ("SELECT " | "WITH ") [^;`]+ ";"?'
# So long the statements of one request may run; what takes longer is compared by its text.
_RUN_S = 4.0


class ChatDrafter:
    """Asks the model once for each request, and once more if what it says fails or answers nothing."""

    def __init__(self, pack: Pack, db_path: Path, options: Mapping[str, Any]) -> None:
        """For a table `[drafters.chat]`, which `settings` has checked. Raises ChatError."""
        self._server = server = msgspec.convert(options, ChatServer)
        key = os.environ.get(server.key_from, "")
        if server.key_from and not key:
            raise ChatError(f"finds no key: set the variable {server.key_from} before Curtain is started")
        self._line = ServerLine(urlsplit(server.address), key)
        self._prompt = Prompt(pack, db_path)
        self.learn, self.withdraw, self.swaps = self._prompt.learn, self._prompt.withdraw, self._prompt.swaps
        self._spent = Spent()
        self._checks = Checks(pack, db_path)
        self._one_at_a_time = False

    def drafts(self, request: Request) -> Sequence[Draft]:
        """What the model proposes, oftenest first. Raises ChatError."""
        if not request.question.strip():
            return ()
        messages = self._prompt.messages(request)
        counted = self._statements(messages, self._server.replies)
        if not counted:
            raise ChatError("wrote no SQL: if its replies are cut off, raise “tokens” in study.toml")
        tried = self._checks.tried(counted, within=_RUN_S)
        best = _voted(counted, tried)[0][0]
        if problem := self._prompt.without_values(_problem_of(tried[best]), best):
            again = [*messages, {"role": "assistant", "content": best}, {"role": "user", "content": problem}]
            corrected = self._statements(again, 1)
            tried |= self._checks.tried([sql for sql in corrected if sql not in tried], within=_RUN_S)
            counted = corrected + Counter({sql: times for sql, times in counted.items() if sql != best}) or counted
        said = counted.total()
        return [
            Draft(tried[sql].sql, round(_SURE * times / said, 3), because=f"the model said so {times} of {said} times")
            for sql, times in _voted(counted, tried)[: request.n]
        ]

    def cancel(self) -> None:
        """What is being asked is not wanted any more; called from another thread."""
        self._line.hang_up(NEWER)

    def spent(self) -> Spent:
        """The tokens and the cost since the last call."""
        spent, self._spent = self._spent, Spent()
        return spent

    def _statements(self, messages: Sequence[Mapping[str, str]], replies: int) -> Counter[str]:
        body = {
            "model": self._server.model,
            "messages": messages,
            "temperature": 0.0 if replies == 1 else 0.7,
            "max_tokens": self._server.tokens,
        } | ({"grammar": _ONE_SELECT} if self._server.grammar else {})
        texts: Iterable[str] = ()
        try:
            texts = self._asked({**body, "n": replies}) if replies > 1 and not self._one_at_a_time else ()
        except ServerError:
            # Some servers write one reply to a request, whatever is asked for.
            self._one_at_a_time = True
        texts = texts or chain.from_iterable(self._asked(body) for _ in range(replies))
        return Counter(sql for text in texts if (sql := statement_in(text)))

    def _asked(self, body: Mapping[str, Any]) -> tuple[str, ...]:
        answered = self._line.ask(body)
        cost = answered.tokens_in * self._server.price_in + answered.tokens_out * self._server.price_out
        self._spent = self._spent.plus(Spent(answered.tokens_in, answered.tokens_out, cost / 1_000_000))
        return answered.texts


def _problem_of(trial: Trial) -> str:
    """What the model hears of a statement that fails or answers nothing."""
    if trial.problem:
        return f"This statement fails: {trial.problem} Write a correct one."
    if trial.result and not trial.result.total:
        return "This statement answers nothing. If that cannot be right, write a correct one; else repeat it."
    return ""


def _voted(counted: Mapping[str, int], tried: Mapping[str, Trial]) -> list[tuple[str, int]]:
    """The first statement with each answer, and how often the model gave this answer; oftenest first."""
    votes, first = Counter[str](), dict[str, str]()
    for sql, times in counted.items():
        answer = tried[sql].key or sql
        votes[answer] += times
        first.setdefault(answer, sql)
    return [(first[answer], times) for answer, times in votes.most_common()]
