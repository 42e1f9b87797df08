"""Which drafters are on and what they may take: values, and how the table `[drafters]` of a study.toml gives them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec

from curtain.base.errors import CurtainError
from curtain.base.settings_file import Struct, fault_of

OURS = "curtain"
CHAT = "chat"
GROUP = "curtain.drafters"
KEY_PREFIX = "CURTAIN_KEY_"
"""A study may name only such variables, so that it cannot send away whatever else the environment holds."""

_EXAMPLE = '"http://localhost:8000/v1/chat/completions"'
_KEY_NAME = re.compile(KEY_PREFIX + r"[A-Za-z0-9_]+")


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


_Seconds = Annotated[float, msgspec.Meta(gt=0, le=600, description="a number of seconds up to 600")]
_Texts = list[Annotated[str, msgspec.Meta(min_length=1)]]
_Whole = Annotated[int, msgspec.Meta(description="a number")]
_Price = Annotated[float, msgspec.Meta(description="a number")]


class _OfProcess(msgspec.Struct):
    """The keys that every drafter has."""

    limit_s: _Seconds
    start_s: _Seconds = 600.0
    environment: Annotated[_Texts, msgspec.Meta(description="a list of names of variables in quotes")] = []


class _Ours(msgspec.Struct, forbid_unknown_fields=True):
    examples: Annotated[_Texts, msgspec.Meta(description="a list of files in quotes")] = []
    meaning: Annotated[str, msgspec.Meta(min_length=1, description='a folder or package such as "the-model"')] = ""


class ChatServer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of the chat drafter: where the model is, and the variable whose value goes with it.
    `replies` are asked for at once, of up to `tokens` each; the prices are of a million tokens."""

    address: Annotated[str, msgspec.Meta(description=f"a web address such as {_EXAMPLE}")]
    model: Annotated[str, msgspec.Meta(min_length=1, description='a name such as "the-model"')]
    key_from: str = ""
    replies: Annotated[int, msgspec.Meta(ge=1, le=5, description="a number from 1 to 5")] = 3
    tokens: _Whole = 800
    price_in: _Price = 0.0
    price_out: _Price = 0.0


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
    """Which drafters are on, how long the first drafts wait for the slower ones, how long those of one request may run
    together before they are shown, and what a preview may take.
    `cache` is a folder for what a drafter worked out from examples; None means the user's own."""

    drafters: tuple[DrafterChoice, ...] = (DrafterChoice(),)
    patience_s: float = 0.3
    run_s: float = 0.5
    preview_rows: int = 200
    preview_s: float = 1.0
    cache: Path | None = None


def missing(names: Iterable[str]) -> list[str]:
    """Those of the drafters that are not installed. Nothing of theirs is imported."""
    from importlib import metadata

    known = {OURS, CHAT, *metadata.entry_points(group=GROUP).names}
    return [name for name in names if name not in known]


def read_settings(table: Mapping[str, Any], cache: Path | None = None) -> DraftSettings:
    """The settings for a study's table `[drafters]`: ours is on unless it says `curtain = false`, and else what it
    names. Raises CurtainError."""
    named = {OURS: True, **table}
    chosen = (_choice(name, value) for name, value in named.items() if value is not False)
    return DraftSettings(drafters=tuple(chosen), cache=cache)


def _choice(name: str, value: object) -> DrafterChoice:
    if value is not True and not isinstance(value, Mapping):
        raise CurtainError(f"[drafters] “{name}” must be true, false or a table of its settings.")
    keys = dict(value) if isinstance(value, Mapping) else {}
    given = {key: keys.pop(key) for key in _OfProcess.__struct_fields__ if key in keys}
    process = _read(name, {"limit_s": 20.0 if name == CHAT else 2.0, **given}, _OfProcess)
    variables = list(process.environment)
    if name == CHAT:
        chat = _read(name, keys, ChatServer)
        if not _is_address(chat.address):
            raise CurtainError(f"[drafters.chat] “address” must be a web address such as {_EXAMPLE}.")
        if chat.key_from and not _KEY_NAME.fullmatch(chat.key_from):
            raise CurtainError(f"[drafters.chat] “key_from” must be a variable whose name begins with {KEY_PREFIX}.")
        variables += [chat.key_from] if chat.key_from else []
    elif name == OURS:
        _read(name, keys, _Ours)
    return DrafterChoice(name, keys, process.limit_s, process.start_s, tuple(variables))


def _read(name: str, keys: dict[str, Any], kind: type[Struct]) -> Struct:
    try:
        return msgspec.convert(keys, kind)
    except msgspec.ValidationError as fault:
        raise CurtainError(f"[drafters.{name}] {fault_of(fault, keys, kind)[2]}") from fault


def _is_address(text: str) -> bool:
    # It is shown to a person who decides by it, so it must look as it is.
    if not (text.isascii() and text.isprintable()):
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
