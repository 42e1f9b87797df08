"""A drafter that asks a served language model over the common chat-completions interface.

It is off unless study.toml has a table `[drafters.chat]` with an `address`, and sends to this address alone: no
proxy of the environment is used and no redirect is followed. What it sends is the schema, the nearest answered
examples, the pack's rules and the query; no value of the database besides those in examples, no audio, no names.
"""

from __future__ import annotations

import http.client
import os
import re
import ssl
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import msgspec

from curtain.domain.pack.reader import Pack

from ..values import Draft, Example, Request
from .faults import DrafterFault
from .prompt import messages_for, nearest

__all__ = ["ChatDrafter", "ChatFailed", "chat_drafter", "statement_in"]

_REPLY_BYTES = 1 << 20
_WAIT_S = 590.0
_NEAREST = 8


class ChatFailed(DrafterFault):
    """The served model gave no usable reply."""


@dataclass(frozen=True)
class _Server:
    """Where the model is; `key` goes into the Authorization header, if there is one."""

    address: SplitResult
    model: str
    key: str = ""
    replies: int = 3
    tokens: int = 800


class _Message(msgspec.Struct, frozen=True):
    content: str | None = None


class _Choice(msgspec.Struct, frozen=True):
    message: _Message = _Message()
    text: str | None = None


class _Reply(msgspec.Struct, frozen=True):
    choices: list[_Choice]


def chat_drafter(pack: Pack, db_path: Path, options: Mapping[str, Any]) -> ChatDrafter:
    """The drafter for a table `[drafters.chat]`, which `settings` has checked. Raises ChatFailed."""
    variable = options.get("key_from", "")
    key = os.environ.get(variable, "") if variable else ""
    if variable and not key:
        raise ChatFailed(f"finds no key: set the variable {variable} before Curtain is started")
    numbers = {name: max(1, options[name]) for name in ("replies", "tokens") if name in options}
    return ChatDrafter(pack, _Server(urlsplit(options["address"]), options["model"], key, **numbers))


class ChatDrafter:
    """Asks the model once for each request; its drafts are checked like all others."""

    def __init__(self, pack: Pack, server: _Server) -> None:
        self._pack = pack
        self._server = server
        self._examples: dict[str, Example] = {}

    def drafts(self, request: Request) -> Sequence[Draft]:
        """What the model proposes, oftenest first. Raises ChatFailed."""
        if not request.question.strip():
            return ()
        examples = nearest(request.question, self._examples.values(), _NEAREST)
        body = {
            "model": self._server.model,
            "messages": messages_for(self._pack, examples, request),
            "n": self._server.replies,
            "temperature": 0.0 if self._server.replies == 1 else 0.7,
            "max_tokens": self._server.tokens,
        }
        return _drafts(_texts(_ask(self._server, msgspec.json.encode(body))), request.n)

    def learn(self, example: Example) -> None:
        """From now on this question may be shown to the model."""
        self._examples[example.id or example.question] = example

    def withdraw(self, example_id: str) -> None:
        """Never show this example again."""
        self._examples.pop(example_id, None)


# -- asking --------------------------------------------------------------------------------------------------


def _ask(server: _Server, body: bytes) -> bytes:
    connection = _connection(server.address)
    path = (server.address.path or "/") + (f"?{server.address.query}" if server.address.query else "")
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if server.key:
        headers["Authorization"] = f"Bearer {server.key}"
    try:
        connection.request("POST", path, body, headers)
        return _heard(connection.getresponse())
    except TimeoutError as fault:
        raise ChatFailed("did not get an answer in time") from fault
    except (OSError, http.client.HTTPException, ValueError) as fault:
        raise ChatFailed(f"does not reach {server.address.hostname}: is the model being served there?") from fault
    finally:
        connection.close()


def _connection(address: SplitResult) -> http.client.HTTPConnection:
    # http.client knows neither proxies nor redirects, which is what is wanted here.
    host = address.hostname or ""
    if address.scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, address.port, timeout=_WAIT_S, context=context)
    return http.client.HTTPConnection(host, address.port, timeout=_WAIT_S)


def _heard(response: http.client.HTTPResponse) -> bytes:
    if 300 <= response.status < 400:
        raise ChatFailed("was sent on to another address, which is not followed: put the right address in study.toml")
    if response.status in (401, 403):
        raise ChatFailed("was refused: the key is missing or wrong")
    if response.status != 200:
        raise ChatFailed(f"got the answer {response.status} from the model's server")
    body = response.read(_REPLY_BYTES + 1)
    if len(body) > _REPLY_BYTES:
        raise ChatFailed("got an answer of more than 1 MiB, which is not read")
    return body


def _texts(body: bytes) -> list[str]:
    try:
        reply = msgspec.json.decode(body, type=_Reply)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise ChatFailed("got an answer that is not of the chat-completions interface") from fault
    return [choice.message.content or choice.text or "" for choice in reply.choices]


# -- reading what was said -----------------------------------------------------------------------------------

_FENCE = re.compile(r"```[ \t]*(\w*)[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
_BEGIN = re.compile(r"\b(?:SELECT|WITH)\b", re.IGNORECASE)
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)


def statement_in(text: str) -> str:
    """The first statement of a reply: in a fence, or from SELECT or WITH to a semicolon or an empty line; "" if there
    is none."""
    text = _THOUGHTS.sub("", text)
    fenced = [found[2] for found in _FENCE.finditer(text) if found[1].lower() in ("", "sql", "duckdb")]
    for part in (*fenced, text):
        if begin := _BEGIN.search(part):
            return _up_to_its_end(part[begin.start() :])
    return ""


def _up_to_its_end(text: str) -> str:
    """Up to the first semicolon that is not within quotes, or an empty line."""
    for found in re.finditer(r"'(?:[^']|'')*'|\"[^\"]*\"|;|\n[ \t]*\n", text):
        if found[0][0] not in "'\"":
            return text[: found.start()].strip()
    return text.strip()


def _drafts(texts: Iterable[str], n: int) -> list[Draft]:
    """Each statement once. How sure a model is nobody knows; that it says the same again counts for something."""
    counted = Counter(sql for text in texts if (sql := statement_in(text)))
    said = counted.total()
    return [
        Draft(sql, round(0.5 * times / said, 3), because=f"the model said so {times} of {said} times")
        for sql, times in counted.most_common(n)
    ]
