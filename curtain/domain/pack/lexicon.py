"""lexicon.toml of a pack: what people call values, columns and tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from curtain.base.input_file import parse_toml
from curtain.base.text_file import read_text

from .reader import Pack, PackError

FILE = "lexicon.toml"
_WORDS = "words"


@dataclass(frozen=True)
class PackLexicon:
    """`values`: by `table.column` and value the words for it. `names`: by table or `table.column` the words for it."""

    values: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_pack_lexicon(pack: Pack) -> PackLexicon:
    """What lexicon.toml says; nothing where there is no such file. Raises PackError."""
    path = pack.folder / FILE
    try:
        values = msgspec.convert(parse_toml(read_text(path)), dict[str, dict[str, list[str]]])
    except FileNotFoundError:
        return PackLexicon()
    except msgspec.ValidationError as error:
        place = str(error).rpartition("`$")[2].strip("`.[]")
        sentence = "a table of words must hold lists of words in quotes"
        raise PackError(path, f"{sentence} (at “{place}”)" if place and place != "..." else sentence) from error
    except ValueError as error:
        raise PackError(path, f"is not TOML: {error}") from error
    except OSError as error:
        raise PackError(path, f"cannot be read: {error.strerror}") from error
    names = values.pop(_WORDS, {})
    _check_names(pack, values, names)
    return PackLexicon(values, {name: tuple(words) for name, words in names.items()})


def _check_names(pack: Pack, values: Mapping[str, object], names: Mapping[str, object]) -> None:
    path = pack.folder / FILE
    for column in values:
        if not _is_column(pack, column):
            raise PackError(path, f"names “{column}”, which is no column of schema.sql")
    for name in names:
        if name not in pack.tables and not _is_column(pack, name):
            raise PackError(path, f"has words for “{name}”, which is no table or column of schema.sql")


def _is_column(pack: Pack, name: str) -> bool:
    table, _, column = name.partition(".")
    return column in pack.tables.get(table, {})
