"""Which drafters are on and what they may take: values, and how the table `[drafters]` of a study.toml gives them."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from curtain.base.errors import CurtainError
from curtain.base.privacy import NeededAgreement
from curtain.base.settings_file import convert, named_path
from curtain.domain.pack.trust import model_agreement, plugin_agreement, sending_agreement
from curtain.session.study.languages import ENGLISH, language_code
from curtain.session.study.study import Study

from ..examples import MEANING, MODEL_FILES

OURS = "curtain"
CHAT = "chat"
KEY_PREFIX = "CURTAIN_KEY_"
"""A study may name only such variables, so that it cannot send away whatever else the environment holds."""

_EXAMPLE = '"http://localhost:8000/v1/chat/completions"'
_Seconds = Annotated[float, Meta(gt=0, le=600, description="a number of seconds above 0, up to 600")]
_Text = Annotated[str, Meta(min_length=1)]


def _is_address(text: str) -> bool:
    # It is shown to a person who decides by it, so it must look as it is.
    with suppress(ValueError):
        parts, is_plain = urlsplit(text), text.isascii() and text.isprintable()
        return is_plain and parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    return False


class DrafterChoice(msgspec.Struct, frozen=True):
    """A drafter that is on: our own (`curtain`), the one that asks a served model (`chat`), or what a companion
    offers at `drafters`. `limit_s` is its time for one request, `start_s` its time to load and to learn from all
    examples, which takes minutes where there are thousands; `environment` names variables that its process gets;
    `options` are its own keys of study.toml."""

    name: str = OURS
    options: Mapping[str, Any] = {}
    limit_s: _Seconds = 2.0
    start_s: _Seconds = 600.0
    environment: Annotated[tuple[_Text, ...], Meta(description="a list of names of variables in quotes")] = ()

    @property
    def identity(self) -> str:
        """Another model is another drafter, whose answers say nothing of those of this one."""
        return f"{self.name} {self.options.get('model', '')}".strip()


class _Ours(msgspec.Struct, forbid_unknown_fields=True):
    examples: Annotated[list[_Text], Meta(description="a list of files in quotes")] = []
    meaning: Annotated[str, Meta(min_length=1, description='a folder such as "the-model"')] = ""


class ChatServer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of the chat drafter: where it sends the query that the wizard types, and the variable whose value goes
    with it. `replies` are asked for at once, of up to `tokens` each; the prices are of a million tokens. A server of
    llama.cpp takes a `grammar`: each reply is then one SELECT."""

    address: Annotated[str, Meta(description=f"a web address such as {_EXAMPLE}", extra={"fits": _is_address})]
    model: Annotated[str, Meta(min_length=1, description='a name such as "the-model"')]
    key_from: Annotated[
        str,
        Meta(
            pattern=rf"^({KEY_PREFIX}[A-Za-z0-9_]+)?\Z", description=f"a variable whose name begins with {KEY_PREFIX}"
        ),
    ] = ""
    replies: Annotated[int, Meta(ge=1, le=5, description="a number from 1 to 5")] = 3
    tokens: Annotated[int, Meta(ge=1, description="a number from 1")] = 800
    grammar: bool = False
    price_in: Annotated[float, Meta(ge=0, description="a number from 0")] = 0.0
    price_out: Annotated[float, Meta(ge=0, description="a number from 0")] = 0.0


def agreements_of(choice: DrafterChoice) -> Iterator[NeededAgreement]:
    """What a drafter would send or load, or a plug-in would be given. Raises NotAgreed."""
    if choice.name == CHAT:
        chat = msgspec.convert(choice.options, ChatServer)
        yield sending_agreement(chat.address, chat.key_from)
    elif choice.name != OURS:
        yield from plugin_agreement(choice.name, choice.options, choice.environment)
    elif (name := choice.options.get("meaning", MEANING)) != MEANING and (Path(name) / MODEL_FILES[0]).is_file():
        yield model_agreement(Path(name))


def needed_by(study: Study) -> Iterator[NeededAgreement]:
    """What the drafters of a study would send or load, or a plug-in would be given. Raises CurtainError."""
    for drafter in read_settings(study.drafters, study.folder).drafters:
        yield from agreements_of(drafter)


@dataclass(frozen=True)
class DraftSettings:
    """Which drafters are on, how long the first drafts wait for the slower ones, how long those of one request may run
    together before they are shown, how long a preview may take, and whether queries are in English: the rules read no
    other language."""

    drafters: tuple[DrafterChoice, ...] = (DrafterChoice(),)
    patience_s: float = 0.3
    run_s: float = 0.5
    preview_s: float = 1.0
    english: bool = True


def is_english(study: Study) -> bool:
    """Whether the rules of English read what subjects say; also where the name of the study's texts is no language."""
    return study.spoken_language in (ENGLISH, language_code(""))


def read_settings(table: Mapping[str, Any], study: Path | None) -> DraftSettings:
    """The settings for the table `[drafters]` of the study in a folder: ours is on unless it says `curtain = false`,
    and else what it names. Raises CurtainError."""
    named = {OURS: True, **table}
    return DraftSettings(tuple(_choice(name, value, study) for name, value in named.items() if value is not False))


def _choice(name: str, value: object, study: Path | None) -> DrafterChoice:
    if value is not True and not isinstance(value, Mapping):
        raise CurtainError(f"[drafters]: “{name}” must be true, false or a table of its settings.")
    keys = dict(value) if isinstance(value, Mapping) else {}
    given = {key: keys.pop(key) for key in ("limit_s", "start_s", "environment") if key in keys}
    limit_s = 20.0 if name == CHAT else 2.0
    table = f"[drafters.{name}]"
    if name == OURS and convert(table, "", keys, _Ours).meaning not in ("", MEANING):
        keys["meaning"] = str(named_path(keys["meaning"], study))
    choice = convert(table, "", {"name": name, "options": keys, "limit_s": limit_s, **given}, DrafterChoice)
    if name != CHAT:
        return choice
    chat = convert(table, "", keys, ChatServer)
    return msgspec.structs.replace(choice, environment=(*choice.environment, *filter(None, [chat.key_from])))
