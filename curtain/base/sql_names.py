"""Names and texts as SQL needs them, and the words that DuckDB keeps for itself."""

import re
import string
from functools import cache, lru_cache


def quoted(name: str) -> str:
    """A name as SQL writes it, whatever it is and whichever database reads it."""
    return '"' + name.replace('"', '""') + '"'


def folded(name: str) -> str:
    """A name as DuckDB and SQLite compare it: only the letters A to Z are the same as small ones.

    `str.lower` folds more (the Kelvin sign U+212A becomes a k), so with it a name could pass for another one.
    """
    return name.translate(_SMALL)


_SMALL = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def sql_literal(text: str) -> str:
    """A text as a literal in a statement."""
    return "'" + text.replace("'", "''") + "'"


@lru_cache(maxsize=4096)
def sql_name(name: str) -> str:
    """A name in a statement that a person reads: in quotes only where DuckDB would take it for something else."""
    plain = re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) and name.lower() not in keywords("reserved")
    return name if plain else quoted(name)


@cache
def keywords(*categories: str) -> frozenset[str]:
    """DuckDB's keywords of these categories, in small letters: `reserved`, `type_function` and others."""
    # Only here, since most of what writes SQL text never opens a database.
    import duckdb

    query = "SELECT keyword_name FROM duckdb_keywords() WHERE list_contains($1, keyword_category)"
    with duckdb.connect(config={"threads": 1}) as database:
        return frozenset(name for (name,) in database.execute(query, [list(categories)]).fetchall())
