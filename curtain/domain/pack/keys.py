"""Primary keys and references of a schema, read from its text: what identifies a row and what a column points to."""

from collections.abc import Iterator

import msgspec

from .schema import bare_name, table_entries

_KEYWORDS = {"PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "CONSTRAINT"}


class ForeignKey(msgspec.Struct, frozen=True):
    """`columns` of `table` hold the values of `to_columns` of `to_table`, pair by pair; names in lower case."""

    table: str
    columns: tuple[str, ...]
    to_table: str
    to_columns: tuple[str, ...]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Each column with the one that it refers to."""
        return tuple(zip(self.columns, self.to_columns, strict=True))


class Keys(msgspec.Struct, frozen=True):
    """The primary key of each table that has one, and all references."""

    primary: dict[str, tuple[str, ...]] = {}
    references: tuple[ForeignKey, ...] = ()


def read_keys(text: str) -> Keys:
    """The keys that the CREATE TABLE statements of a schema declare; raises SchemaError as `read_schema` does."""
    primary: dict[str, tuple[str, ...]] = {}
    references: list[tuple[str, tuple[str, ...], str, tuple[str, ...]]] = []
    for table, entries in table_entries(text):
        for entry in entries:
            if key := _primary(entry):
                primary[table] = key
            references += [(table, *found) for found in _references(entry)]
    whole = (ForeignKey(table, columns, to, there or primary.get(to, ())) for table, columns, to, there in references)
    return Keys(primary, tuple(one for one in whole if len(one.columns) == len(one.to_columns)))


def _primary(entry: list[str]) -> tuple[str, ...]:
    words = [word.upper() for word in entry]
    if "PRIMARY" not in words[:-1] or words[words.index("PRIMARY") + 1] != "KEY":
        return ()
    if words[0] in _KEYWORDS:
        return _names(entry, words.index("PRIMARY") + 2)
    return (bare_name(entry[0]),)


def _references(entry: list[str]) -> Iterator[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    words = [word.upper() for word in entry]
    if "REFERENCES" not in words[:-1]:
        return
    at = words.index("REFERENCES")
    columns = _names(entry, words.index("KEY") + 1) if words[0] in _KEYWORDS else (bare_name(entry[0]),)
    yield columns, bare_name(entry[at + 1]), _names(entry, at + 2)


def _names(entry: list[str], at: int) -> tuple[str, ...]:
    """The names in parentheses that begin at this place; none if none begin there."""
    if at >= len(entry) or entry[at] != "(":
        return ()
    end = entry.index(")", at)
    return tuple(bare_name(word) for word in entry[at + 1 : end] if word != ",")
