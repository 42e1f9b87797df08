"""The common chat-completions interface over HTTP: one request, whole or streamed, and what came back."""

from __future__ import annotations

import http.client
import json
import re
import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import SplitResult

import msgspec
from sqlglot import exp
from sqlglot.errors import SqlglotError

from curtain.base.sql_tokens import sql_tree

from .wire import NEWER, DrafterFault

_REPLY_BYTES = 1 << 20
_WAIT_S = 590.0
_REASON = 200
_JSON = json.JSONDecoder()
_REFUSALS = (400, 422, 500, 501)
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class ChatFailed(DrafterFault):
    """The served model gave no usable reply."""


class ServerError(ChatFailed):
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

    def __init__(self, address: SplitResult, key: str = "") -> None:
        self._address, self._key = address, key
        self._lock = threading.Lock()
        self._connection: http.client.HTTPConnection | None = None
        self._gone = False

    def hang_up(self) -> None:
        """The reply that is waited for is not wanted any more."""
        with self._lock:
            self._gone = True
            if self._connection is not None and self._connection.sock is not None:
                try:
                    self._connection.sock.shutdown(socket.SHUT_RDWR)
                except OSError:
                    # It is closed already.
                    return

    def ask(self, body: Mapping[str, Any]) -> ModelReply:
        """The reply to one request. Raises ChatFailed, also if somebody hung up."""
        address = self._address
        path = (address.path or "/") + (f"?{address.query}" if address.query else "")
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        connection = _connection(address)
        with self._lock:
            self._gone, self._connection = False, connection
        try:
            connection.request("POST", path, msgspec.json.encode(body), headers)
            return read(_heard(connection.getresponse()))
        except TimeoutError as fault:
            raise ChatFailed("did not get an answer in time") from fault
        except (OSError, http.client.HTTPException, ValueError) as fault:
            if self._gone:
                raise ChatFailed(NEWER) from fault
            raise ChatFailed(f"does not reach {address.hostname}: is the model being served there?") from fault
        finally:
            with self._lock:
                self._connection = None
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
    body = response.read(_REPLY_BYTES + 1)
    if response.status in (401, 403):
        raise ChatFailed(f"was refused: the key is missing or wrong{_reason(body)}")
    if response.status != 200:
        kind = ServerError if response.status in _REFUSALS else ChatFailed
        raise kind(f"got the answer {response.status} from the model's server{_reason(body)}")
    if len(body) > _REPLY_BYTES:
        raise ChatFailed("got an answer of more than 1 MiB, which is not read")
    return body


def _reason(body: bytes) -> str:
    """What the server says of an error, in one line."""
    try:
        found = msgspec.json.decode(body)
    except _UNREADABLE:
        return ""
    error = found.get("error", found) if isinstance(found, dict) else found
    said = error.get("message", "") if isinstance(error, dict) else error
    text = " ".join(said.split())[:_REASON] if isinstance(said, str) else ""
    return f": {text}" if text else ""


def read(body: bytes) -> ModelReply:
    """A reply, whole or as a stream of server-sent events. Raises ChatFailed."""
    try:
        if body.lstrip().startswith(b"data:"):
            return _streamed(body)
        reply = msgspec.json.decode(body, type=dict[str, Any])
        choices = reply["choices"]
        texts = tuple(_text_of(choice.get("message", {}).get("content") or choice.get("text")) for choice in choices)
        return ModelReply(texts, *_usage(reply))
    except (*_UNREADABLE, KeyError, AttributeError, TypeError) as fault:
        raise ChatFailed("got an answer that is not of the chat-completions interface") from fault


def _streamed(body: bytes) -> ModelReply:
    parts: dict[int, str] = {}
    tokens = (0, 0)
    for line in body.splitlines():
        data = line.removeprefix(b"data:").strip()
        if not line.startswith(b"data:") or data in (b"", b"[DONE]"):
            continue
        event = msgspec.json.decode(data, type=dict[str, Any])
        for choice in event.get("choices") or ():
            place = int(choice.get("index", 0))
            parts[place] = parts.get(place, "") + _text_of((choice.get("delta") or {}).get("content"))
        tokens = _usage(event) if event.get("usage") else tokens
    return ModelReply(tuple(parts[place] for place in sorted(parts)), *tokens)


def _usage(reply: Mapping[str, Any]) -> tuple[int, int]:
    usage = reply.get("usage")
    counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")] if isinstance(usage, dict) else [0, 0]
    prompt, reply_tokens = (count if isinstance(count, int) and count > 0 else 0 for count in counts)
    return prompt, reply_tokens


def _text_of(content: object) -> str:
    """A text, or the texts of a list of parts."""
    if isinstance(content, list):
        return "".join(_text_of(part.get("text") if isinstance(part, dict) else part) for part in content)
    return content if isinstance(content, str) else ""


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
    found = (list(_statements(part, pattern)) for part in texts for pattern in (_WRITTEN, _BEGIN))
    last = next((one[-1] for one in found if one), "")
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
    # “Select all employees.” reads as a SELECT, and names no table.
    return any(
        isinstance(tree, exp.Query) and (tree.find(exp.Table) is not None or text.startswith("SELECT"))
        for tree in map(partial(_tree, text), ("duckdb", "sqlite", "mysql", "tsql"))
    )


def _tree(text: str, dialect: str) -> exp.Expr | None:
    try:
        return sql_tree(text, dialect)
    except (SqlglotError, RecursionError):
        return None


def _in_json(text: str) -> Iterator[str]:
    """The texts of an object or a list in a text, those under names such as “sql” first."""
    for begin in islice(re.finditer(r"[{\[]", text), _TRIES):
        try:
            found, _ = _JSON.raw_decode(text, begin.start())
        except (ValueError, RecursionError):
            continue
        texts, waiting = list[tuple[bool, str]](), [("", found)]
        while waiting:
            name, one = waiting.pop(0)
            if isinstance(one, str):
                texts.append((name.lower() not in _NAMES, one))
            pairs = (
                one.items() if isinstance(one, dict) else (("", each) for each in one) if isinstance(one, list) else ()
            )
            waiting += pairs
        if texts:
            yield from (one for _, one in sorted(texts, key=lambda pair: pair[0]))
            return


def _up_to_its_end(text: str) -> str:
    """Up to the first semicolon that is not within quotes, or an empty line."""
    for found in _END.finditer(text):
        if found[0][0] not in "'\"":
            return text[: found.start()].strip()
    return text.strip()
