"""Canned messages: the fixed set of sentences that may take the place of an answer.

Boisen et al. 1989, section 6.2, had eleven. They are data (TOML files), known by id, so that the turns
without an answer are counted from ids and never from wording.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.base.settings_file import convert, parse, read_text
from curtain.base.terminal import without_hidden_signs
from curtain.base.words import words_in

CountsAs = Literal["no_answer", "neutral"]

_BLANK = re.compile(r"\{([a-z][a-z0-9_]*)\}")
# A full stop in any script that a lab may write in, with the quotes and brackets that may close behind it.
_SENTENCE_END = re.compile(r"[.?!…。．？！؟।։]['\"’”»)\]」』）]*\Z")
_DOUBLED_STOP = re.compile(r"([.?!…])\.\Z")
_Text = Annotated[str, Meta(pattern=r"\S", description="a text in quotes that is not empty")]
_Name = Annotated[str, Meta(min_length=1)]


class BadBlank(CurtainError):
    """A blank of a canned message is missing, empty, or not one of the message's."""


class CannedMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One sentence with named blanks. `when` says to the wizard in which situation it is sent; `key` is the one small
    letter or digit that sends it from the list of messages, "" if it is no favourite."""

    id: Annotated[
        str,
        Meta(
            pattern=r"^[a-z][a-z0-9_]*\Z",
            description='a name of a-z, 0-9 and _ that begins with a letter, such as "no_flights"',
        ),
    ]
    number: Annotated[int, Meta(ge=1, le=99, description="a whole number from 1 to 99")]
    text: _Text
    blanks: Annotated[tuple[str, ...], Meta(description='a list of names such as ["topic"]')] = ()
    counts_as: CountsAs
    when: _Text
    source: str = ""
    key: Annotated[
        str, Meta(pattern=r"^[a-z0-9]?\Z", description='one small letter or one digit in quotes, such as "u"')
    ] = ""

    def __post_init__(self) -> None:
        msgspec.structs.force_setattr(self, "text", without_hidden_signs(self.text.strip()))
        if problem := _problem_of_blanks(self.text, self.blanks):
            raise ValueError(problem)

    def fill(self, blanks: Mapping[str, str]) -> str:
        """The sentence as the subject reads it. Raises BadBlank."""
        for name in blanks:
            if name not in self.blanks:
                raise BadBlank(f"Message {self.number} ({self.id}) has no blank “{name}”.")
        filled = _BLANK.sub(lambda found: self._value(found[1], blanks), self.text)
        # “Washington D.C.” at the end brings its own full stop.
        return _DOUBLED_STOP.sub(r"\1", filled) if self.text.endswith("}.") else filled

    @property
    def ends_as_sentence(self) -> bool:
        """Whether the text ends with a full stop or a question mark: a voice, too, must hear that it is over."""
        return _SENTENCE_END.search(self.text) is not None

    def _value(self, name: str, blanks: Mapping[str, str]) -> str:
        # One line, whatever was pasted.
        # Pasted text brings line breaks, and the subject reads one sentence.
        value = " ".join(without_hidden_signs(blanks.get(name, "")).split())
        if not value:
            raise BadBlank(f"Fill in “{name}” of message {self.number} ({self.id}) first.")
        return value


@dataclass(frozen=True)
class MessageSet:
    """Messages in the order of their numbers."""

    messages: tuple[CannedMessage, ...]

    @cached_property
    def by_id(self) -> dict[str, CannedMessage]:
        """The messages by their id, which turns are counted by."""
        return {message.id: message for message in self.messages}

    @cached_property
    def favourites(self) -> dict[str, CannedMessage]:
        """The messages that one key sends, by that key. A digit with which the number of another message begins is
        none: that number could not be typed any more."""
        keyed = ((message.key, message) for message in self.messages if message.key)
        return {key: message for key, message in keyed if not self._begins_number(key, message)}

    @property
    def unended(self) -> list[CannedMessage]:
        """The messages whose text ends without a full stop, in the order of their numbers."""
        return [message for message in self.messages if not message.ends_as_sentence]

    def _begins_number(self, key: str, message: CannedMessage) -> bool:
        return any(str(one.number).startswith(key) for one in self.messages if one is not message)

    def find(self, typed: str) -> list[CannedMessage]:
        """What a wizard may mean by a number or the first letters of a word; the likeliest first, all for nothing."""
        typed = typed.strip().casefold()
        if not typed:
            return list(self.messages)
        if typed.isdecimal():
            # “07” means 7.
            matching = [m for m in self.messages if str(m.number).startswith(str(int(typed)))]
            return sorted(matching, key=lambda m: (m.number != int(typed), m.number))
        ranked = [(_rank(message, typed), message) for message in self.messages]
        return [message for rank in (0, 1) for matching, message in ranked if matching == rank]


def _rank(message: CannedMessage, typed: str) -> int | None:
    """0 if id or text begin with `typed`, 1 if one of their words does, else None."""
    if message.id.startswith(typed) or message.text.casefold().startswith(typed):
        return 0
    words = words_in(message.text.casefold()) + message.id.split("_")
    return 1 if any(word.startswith(typed) for word in words) else None


class _MessageFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message file as it stands."""

    # Only people read it.
    title: Any = None
    extends: Annotated[_Name | list[_Name], Meta(description="the name of a set, or a list of names")] = []
    message: Annotated[
        tuple[CannedMessage, ...], Meta(description="a list of tables: each message begins with the line [[message]]")
    ] = ()


@dataclass(frozen=True)
class _Source:
    """One message file: how a person knows it, its text, and the folder its own `extends` counts from."""

    name: str
    text: str
    folder: Path | None


def bundled_sets() -> tuple[str, ...]:
    """The names of the message sets that come with Curtain."""
    files = resources.files("canned_messages").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def load_message_set(names_or_paths: str | Path | Sequence[str | Path]) -> MessageSet:
    """The messages of one or several sets and of all that they extend. Raises CurtainError.

    A name is a bundled set; what ends in `.toml` is a file.
    """
    return _merged(message_files(names_or_paths))


def message_files(names_or_paths: str | Path | Sequence[str | Path]) -> dict[str, tuple[CannedMessage, ...]]:
    """The messages of these sets and of all that they extend, by the file in which they stand: a whole path, or the
    name of a bundled file. Raises CurtainError."""
    wanted = [names_or_paths] if isinstance(names_or_paths, str | Path) else list(names_or_paths)
    loaded: dict[str, tuple[CannedMessage, ...]] = {}
    for name in wanted:
        _load(str(name), None, (), loaded)
    return loaded


def _load(
    name: str, folder: Path | None, extending: tuple[str, ...], loaded: dict[str, tuple[CannedMessage, ...]]
) -> None:
    source = _find(name, folder, extending)
    # A circle of sets would never end.
    if source.name in extending:
        raise CurtainError(f"{source.name} extends itself: {' -> '.join((*extending, source.name))}.")
    # Two sets may extend the same one.
    if source.name in loaded:
        return
    file = convert(source.name, source.text, parse(source.name, source.text), _MessageFile)
    for base in [file.extends] if isinstance(file.extends, str) else file.extends:
        _load(base, source.folder, (*extending, source.name), loaded)
    loaded[source.name] = file.message


def _find(name: str, folder: Path | None, extending: tuple[str, ...]) -> _Source:
    if name.endswith(".toml"):
        # Real paths, so that a set named twice by different ways is loaded once.
        path = real_path(folder / name if folder else Path(name))
        try:
            return _Source(str(path), read_text(path), path.parent)
        except CurtainError as error:
            raise CurtainError(f"{error} {_asked_by(extending)}".strip()) from error
    if name not in bundled_sets():
        raise CurtainError(
            f"There is no message set “{name}”. {_asked_by(extending)}Bundled are: {', '.join(bundled_sets())}; "
            "the name of a file ends in .toml."
        )
    file = resources.files("canned_messages").joinpath(f"{name}.toml")
    return _Source(f"{name}.toml", file.read_text(encoding="utf-8"), None)


def _asked_by(extending: tuple[str, ...]) -> str:
    return f"It is extended by {extending[-1]}. " if extending else ""


def _problem_of_blanks(text: str, blanks: Sequence[str]) -> str | None:
    # A brace that is left over would be read to the subject.
    if set(_BLANK.sub("", text)) & set("{}"):
        return "the text has a brace that belongs to no blank; a blank is written {name}"
    used = _BLANK.findall(text)
    for name in used:
        if name not in blanks:
            return f"the blank “{name}” is not declared in “blanks”"
    for name in blanks:
        if name not in used:
            return f"the blank “{name}” does not occur in the text"
    return "a blank is declared twice" if len(set(blanks)) < len(blanks) else None


def _merged(loaded: Mapping[str, tuple[CannedMessage, ...]]) -> MessageSet:
    ids: dict[str, str] = {}
    numbers: dict[int, str] = {}
    keys: dict[str, str] = {}
    for name, messages in loaded.items():
        for message in messages:
            # Ids and numbers must be one of a kind over all sets that are used together.
            if message.id in ids:
                raise CurtainError(
                    f"{name}, message “{message.id}”: the id is taken already by {ids[message.id]}. To word it anew, "
                    "copy that file beside study.toml, and name the copy in its place."
                )
            if message.number in numbers:
                taken = numbers[message.number]
                raise CurtainError(
                    f"{name}, message “{message.id}”: the number {message.number} is taken already by {taken}."
                )
            if message.key and message.key in keys:
                raise CurtainError(
                    f"{name}, message “{message.id}”: the key {message.key} is taken already by {keys[message.key]}."
                )
            keys[message.key] = f"“{message.id}” of {name}"
            ids[message.id] = name
            numbers[message.number] = f"“{message.id}” of {name}"
    everything = [message for messages in loaded.values() for message in messages]
    if not everything:
        raise CurtainError(f"{', '.join(loaded) or 'The list of message sets'} holds no message.")
    return MessageSet(tuple(sorted(everything, key=lambda message: message.number)))
