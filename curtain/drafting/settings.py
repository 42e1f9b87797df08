"""Which drafters are on and what they may take: values, and how the table `[drafters]` of a study.toml gives them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from curtain.base.errors import CurtainError

OURS = "curtain"
CHAT = "chat"
KEY_PREFIX = "CURTAIN_KEY_"
"""A study may name only such variables, so that it cannot send away whatever else the environment holds."""


class BadDrafters(CurtainError):
    """The table [drafters] cannot be used; the sentence says which key, and what it may be."""


@dataclass(frozen=True)
class DrafterChoice:
    """A drafter that is on: our own (`curtain`), the one that asks a served model (`chat`), or an entry point of the
    group `curtain.drafters`. `limit_s` is its time for one request, `start_s` its time to load and to learn from all
    examples, which takes minutes where there are thousands; `environment` names variables that its process gets;
    `options` are its own keys of study.toml."""

    name: str = OURS
    options: Mapping[str, Any] = field(default_factory=dict)
    limit_s: float = 2.0
    start_s: float = 600.0
    environment: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sending:
    """Where the chat drafter sends the query that the wizard types, and the variable whose value goes with it."""

    address: str
    key_from: str

    @property
    def identity(self) -> str:
        """What a person's agreement is for."""
        return f"{self.address} {self.key_from}".rstrip()

    def __str__(self) -> str:
        with_key = f", with the key in the variable {self.key_from}" if self.key_from else ", without a key"
        return f"{self.address}{with_key}"


def sending_of(choice: DrafterChoice) -> Sending | None:
    """None for a drafter other than the chat drafter."""
    if choice.name != CHAT:
        return None
    return Sending(str(choice.options.get("address", "")), str(choice.options.get("key_from", "")))


@dataclass(frozen=True)
class DraftSettings:
    """Which drafters are on, how long the first drafts wait for the slower ones, and what a preview may take.
    `cache` is a folder for what a drafter worked out from examples; None means the user's own."""

    drafters: tuple[DrafterChoice, ...] = (DrafterChoice(),)
    patience_s: float = 0.3
    preview_rows: int = 50
    preview_s: float = 0.5
    cache: Path | None = None


def read_settings(table: Mapping[str, Any], cache: Path | None = None) -> DraftSettings:
    """The settings for a study's table `[drafters]`: ours is on unless it says `curtain = false`, and else what it
    names. Raises BadDrafters."""
    named = {OURS: True, **table}
    chosen = (_choice(name, value) for name, value in named.items() if value is not False)
    return DraftSettings(drafters=tuple(chosen), cache=cache)


def _choice(name: str, value: object) -> DrafterChoice:
    if value is not True and not isinstance(value, Mapping):
        raise BadDrafters(f"[drafters] “{name}” must be true, false or a table of its settings.")
    keys = dict(value) if isinstance(value, Mapping) else {}
    limit = _take(name, keys, "limit_s", 20.0 if name == CHAT else 2.0, _is_seconds, "a number of seconds up to 600")
    start = _take(name, keys, "start_s", 600.0, _is_seconds, "a number of seconds up to 600")
    variables = _take(name, keys, "environment", [], _is_names, "a list of names of variables in quotes")
    if name == CHAT:
        _check_chat(keys)
        variables = [*variables, *filter(None, [keys.get("key_from")])]
    elif name == OURS:
        _only(name, keys, ("examples",), "limit_s, start_s")
        _take(name, dict(keys), "examples", [], _is_names, "a list of files in quotes")
    return DrafterChoice(name, keys, float(limit), float(start), tuple(variables))


def _take(
    name: str, keys: dict[str, Any], key: str, otherwise: Any, fits: Callable[[object], bool], wanted: str
) -> Any:
    value = keys.pop(key, otherwise)
    if not fits(value):
        raise BadDrafters(f"[drafters.{name}] “{key}” must be {wanted}.")
    return value


def _only(name: str, keys: Mapping[str, Any], known: Iterable[str], more: str) -> None:
    for key in keys:
        if key not in known:
            raise BadDrafters(f"[drafters.{name}] has no key “{key}”, only: {', '.join(known)}, {more}.")


def _is_seconds(value: object) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and 0 < value <= 600  # type: ignore[arg-type, operator]


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) and name for name in value)


_CHAT_KEYS = {
    "address": str, "model": str, "key_from": str, "replies": int, "tokens": int, "price_in": float, "price_out": float,
}  # fmt: skip
_CHAT_EXAMPLES = {"address": '"http://localhost:8000/v1/chat/completions"', "model": '"the-model"'}
_KEY_NAME = re.compile(KEY_PREFIX + r"[A-Za-z0-9_]+")


def _check_chat(keys: Mapping[str, Any]) -> None:
    """Raises BadDrafters for settings that cannot work."""
    _only(CHAT, keys, _CHAT_KEYS, "limit_s")
    for key, value in keys.items():
        whole = _CHAT_KEYS[key] is float and type(value) is int
        if type(value) is not _CHAT_KEYS[key] and not whole:
            kind = "a text in quotes" if _CHAT_KEYS[key] is str else "a number"
            raise BadDrafters(f"[drafters.chat] “{key}” must be {kind}.")
    for key, example in _CHAT_EXAMPLES.items():
        if not keys.get(key):
            raise BadDrafters(f"[drafters.chat] needs “{key}”, for example {example}.")
    if not _is_address(keys["address"]):
        raise BadDrafters(f"[drafters.chat] “address” must be a web address such as {_CHAT_EXAMPLES['address']}.")
    if keys.get("key_from") and not _KEY_NAME.fullmatch(keys["key_from"]):
        raise BadDrafters(f"[drafters.chat] “key_from” must be a variable whose name begins with {KEY_PREFIX}.")


def _is_address(text: str) -> bool:
    # It is shown to a person who decides by it, so it must look as it is.
    if not (text.isascii() and text.isprintable()):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
