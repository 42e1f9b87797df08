"""A served language model: the common chat-completions interface over HTTP, and the SQL in what a model says."""

from __future__ import annotations

import http.client
import json
import re
import socket
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, repeat
from typing import Any
from urllib.parse import SplitResult

import msgspec
from sqlglot import exp
from sqlglot.errors import SqlglotError

from curtain.base.errors import CurtainError
from curtain.base.sql_tokens import sql_tree

_REPLY_BYTES = 1 << 20
_WAIT_S = 590.0
_REASON = 200
# The last one is the word [DONE].
_EVENT = re.compile(rb"(?m)^data:[ \t]*(\{.*)")
_JSON = json.JSONDecoder()
_REFUSALS = (400, 422, 500, 501)
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class ChatError(CurtainError):
    """The served model gave no usable reply; completes a sentence that begins with who asked it."""


class ServerError(ChatError):
    """The server does not take the request as it stands, or fails at it."""


@dataclass(frozen=True)
class ModelReply:
    """The texts of one reply, and the tokens that it took."""

    texts: tuple[str, ...]
    tokens_in: int = 0
    tokens_out: int = 0


class ServerLine:
    """One connection at a time to a server; `hang_up` ends the one that waits, from any thread. `key` goes into the
    Authorization header, if there is one."""

    def __init__(self, address: SplitResult, key: str = "", wait_s: float = _WAIT_S) -> None:
        self._address = address
        self._headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        # http.client knows neither proxies nor redirects, which is what is wanted here.
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(address.hostname or "", address.port, timeout=wait_s)
        self._gone = ""

    def hang_up(self, why: str) -> None:
        """The reply that is waited for is not wanted any more: whoever waits gets a ChatError that says why."""
        self._gone = why
        # It may be closed already.
        with suppress(OSError, AttributeError):
            self._connection.sock.shutdown(socket.SHUT_RDWR)

    def ask(self, body: Mapping[str, Any]) -> ModelReply:
        """The reply to one request. Raises ChatError, also if somebody hung up."""
        address, self._gone = self._address, ""
        path = (address.path or "/") + (f"?{address.query}" if address.query else "")
        try:
            self._connection.request("POST", path, msgspec.json.encode(body), self._headers)
            return read(_heard(self._connection.getresponse()))
        except TimeoutError as error:
            raise ChatError("did not get an answer in time") from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            if self._gone:
                raise ChatError(self._gone) from error
            raise ChatError(f"does not reach {address.hostname}: start what serves the model there") from error
        finally:
            self._connection.close()

    def status(self, path: str) -> int:
        """What the server answers to a plain question, such as `/health`: a number of HTTP; 0 if nobody is there."""
        try:
            self._connection.request("GET", path, headers=self._headers)
            return self._connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 0
        finally:
            self._connection.close()


def _heard(response: http.client.HTTPResponse) -> bytes:
    if 300 <= response.status < 400:
        raise ChatError("was sent on to another address, which is not followed: put the right address in study.toml")
    body = response.read(_REPLY_BYTES + 1)
    if response.status in (401, 403):
        raise ChatError(f"was refused: the key is missing or wrong{_reason(body)}")
    if response.status != 200:
        kind = ServerError if response.status in _REFUSALS else ChatError
        raise kind(f"got the answer {response.status} from the model's server{_reason(body)}")
    if len(body) > _REPLY_BYTES:
        raise ChatError("got an answer of more than 1 MiB, which is not read")
    return body


class _Error(msgspec.Struct):
    message: str = ""
    error: str | _Error = ""


def _reason(body: bytes) -> str:
    """What the server says of an error, in one line."""
    try:
        reply = msgspec.json.decode(body, type=_Error)
    except _UNREADABLE:
        return ""
    reason = reply.error.message if isinstance(reply.error, _Error) else reply.error or reply.message
    text = " ".join(reason.split())[:_REASON]
    return f": {text}" if text else ""


class _Part(msgspec.Struct):
    text: Any = None


class _Message(msgspec.Struct):
    content: str | list[_Part | str] | None = None


class _Choice(msgspec.Struct):
    index: int | None = 0
    message: _Message | None = None
    delta: _Message | None = None
    text: str | None = None

    @property
    def said(self) -> str:
        content = ((self.message or self.delta or _Message()).content) or self.text or ""
        parts = [content] if isinstance(content, str) else content
        return "".join(one if isinstance(one, str) else str(one.text or "") for one in parts)


class _Completion(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: Any = None

    def tokens(self, name: str) -> int:
        """What a server counts, 0 where that is no number: the answer counts without it."""
        count = self.usage.get(name) if isinstance(self.usage, dict) else 0
        return count if isinstance(count, int) and count > 0 else 0


_OTHER = "got an answer that is not of the chat-completions interface"


def read(body: bytes) -> ModelReply:
    """A reply, whole or as a stream of server-sent events. Raises ChatError."""
    streamed = body.lstrip().startswith(b"data:")
    try:
        events = [msgspec.json.decode(one, type=_Completion) for one in (_EVENT.findall(body) if streamed else [body])]
    except _UNREADABLE as error:
        raise ChatError(_OTHER) from error
    if not streamed and events[0].choices is None:
        raise ChatError(_OTHER)
    parts = defaultdict[int, str](str)
    for event in events:
        for place, choice in enumerate(event.choices or ()):
            parts[(choice.index or 0) if streamed else place] += choice.said
    texts = tuple(parts[place] for place in sorted(parts))
    counted = next((event for event in reversed(events) if event.usage), _Completion())
    return ModelReply(texts, counted.tokens("prompt_tokens"), counted.tokens("completion_tokens"))


_FENCE = re.compile(r"```[ \t]*(\w*)[^\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
_BEGIN = re.compile(r"\b(?:SELECT|WITH)\b", re.IGNORECASE)
_WRITTEN = re.compile(r"^[ \t]*(?i:SELECT|WITH)\b|\b(?:SELECT|WITH)\b", re.MULTILINE)
# What a model thinks before it answers; some servers leave out the sign that begins it.
_THOUGHTS = re.compile(r"(?:\A(?:(?!<think).)*?|<think(?:ing)?>.*?)(?:</think(?:ing)?>)|<think(?:ing)?>.*\Z", re.DOTALL)
# Signs of chat templates between the turns of a talk, where a server does not take them out.
_TURNS = re.compile(r"<\|[\w ]+\|>|<(?:end_of_turn|start_of_turn|/s|s|eos)>")
_END = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|;|\n[ \t]*\n")
_LONGEST, _TRIES = 20_000, 20
_QUOTES = ("'", '"', "`")
_FENCED = ("", "sql", "sqlite", "mysql", "postgresql", "postgres", "duckdb", "tsql", "json")
_NAMES = ("sql", "query", "statement", "answer")


def statement_in(text: str) -> str:
    """The statement of a reply, after its thoughts: in JSON, in a fence, or in the text between words; "" if there is
    none. A text that can be read as SQL comes before one that cannot, and of several statements the last one."""
    text = _TURNS.sub("\n\n", _THOUGHTS.sub("", text))[:_LONGEST]
    fenced = [found[2] for found in _FENCE.finditer(text) if found[1].lower() in _FENCED]
    texts = [one for part in (*fenced[::-1], text) for one in (*_in_json(part), part)]
    readable = (list(_statements(part, pattern)) for part in texts for pattern in (_WRITTEN, _BEGIN))
    last = next((one[-1] for one in readable if one), "")
    return last or next((_up_to_its_end(t[b.start() :]) for t in texts if (b := _BEGIN.search(t))), "")


def _statements(text: str, pattern: re.Pattern[str]) -> Iterator[str]:
    """What can be read as SQL from one of its beginnings, shortened by lines of words behind it."""
    ends = 0
    for begin in islice(pattern.finditer(text), _TRIES):
        if begin.start() < ends:
            continue
        quote = text[begin.start() - 1 : begin.start()]
        written = text[begin.start() :]
        written = written[: written.rfind(quote)] if quote in _QUOTES and quote in written else written
        lines = _up_to_its_end(written.lstrip()).splitlines()
        for many in range(len(lines), max(0, len(lines) - _TRIES), -1):
            statement = "\n".join(lines[:many]).strip()
            if _is_query(statement):
                ends = begin.start() + len(statement)
                yield statement
                break


def _is_query(text: str) -> bool:
    for dialect in ("duckdb", "sqlite", "mysql", "tsql"):
        with suppress(SqlglotError, RecursionError):
            tree = sql_tree(text, dialect)
            # “Select all employees.” reads as a SELECT, and names no table.
            if isinstance(tree, exp.Query) and (tree.find(exp.Table) is not None or text.startswith("SELECT")):
                return True
    return False


def _in_json(text: str) -> list[str]:
    """The texts of an object or a list in a text, those under names such as “sql” first."""
    for begin in islice(re.finditer(r"[{\[]", text), _TRIES):
        with suppress(ValueError, RecursionError):
            texts = sorted(
                _named_texts(_JSON.raw_decode(text, begin.start())[0]), key=lambda pair: pair[0] not in _NAMES
            )
            if texts:
                return [text for _, text in texts]
    return []


def _named_texts(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield name.lower(), value
    elif isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else zip(repeat(""), value):
            yield from _named_texts(part, key)


def _up_to_its_end(text: str) -> str:
    """Up to the first semicolon that is not within quotes, or an empty line."""
    for end in _END.finditer(text):
        if end[0][0] not in "'\"":
            return text[: end.start()].strip()
    return text.strip()
