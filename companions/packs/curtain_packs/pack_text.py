"""The files of a new pack as texts: schema, domain, principles, examples, first scenarios. Pure."""

import json
import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice

from curtain.base.settings_file import toml_text
from curtain.base.sql_names import quoted
from curtain.domain.pack.cells import base_type
from curtain.domain.pack.headings import within_words
from curtain.domain.pack.keys import ForeignKey
from curtain_packs.guesses import SchemaGuess, names_in, person_names_in

_PERIODS = {"morning": (0, 1200), "afternoon": (1200, 1800), "evening": (1800, 2200), "night": (2200, 600)}
_PLAYED = 3
_EXAMPLES = {"DATE": "6 Oct 1952", "TIME": "9:05"}

DOMAIN = '''\
# What this database means. It was written from the database itself: read it through and change what is not right.
title = {title}
# The day as of which the data holds, “today” in a question. Here: the day when the source was last changed.
as_of = {as_of}
# How answers are written: 1989, 1990 or 1992.
dialect = "1992"
# A yes/no question is answered with a boolean ("boolean"), or with a boolean or a table ("alternates").
yes_no = "alternates"
# What the subject reads about the database before the first question.
description = """
{description}
"""
# Functions that may be used in SQL beside those that are always allowed.
allowed_functions = []
# Columns whose values are shown to no served model, as telephone numbers. They stand here by their names and values.
private = {private}

# What stands above a column of an answer: by column, or by table.column where tables differ.
[headings]
{headings}

# What identifies a thing that has several representations.
[canonical]
{canonical}

# What a vague expression refers to, as in: size = "city.population"
[vague]

# A code column and the column that says what the code means. These are guesses: what names every row differently.
[codes]
{codes}

# Periods of the day, as in: morning = {{ begin = 0, end = 1200, ends_included = false }}. These are guesses, too.
[periods]
{periods}

# What an answer may hold of each thing besides what it must. The way to another table follows references.
[maximum]
{maximum}

# The columns by which people know a thing, each under its heading: a readable answer shows them in place of the key.
# All of them must be in [maximum]. Where several ways lead to a table, “>” writes one out:
# "From" = "flight.from_airport > airport.airport_name". A column that refers to a thing may have a table of its own, to
# say what its role is called: [readable."employee.supervisor_id"]. Things without a name in the database are not here.
{readable}
# How values are written in a readable answer. Each line shows how 1234.5, 6 October 1952 or 9:05 in the morning looks,
# by column, by table.column, or for all columns of the types DATE and TIME, as in: price = "$1,234.50"
# BOOLEAN are the words for yes, no and a missing value.
[formats]
BOOLEAN = ["Yes", "No", "Unknown"]
{formats}
'''

PRINCIPLES = """\
# Principles of interpretation: what the words of a question mean in this database, and what an answer must hold.
# The wizard sees a rule when a query has one of its words or a statement one of its columns; nothing is forbidden.
# There are none yet. Write one wherever two wizards could answer the same question differently, like this:
#
# [[principle]]
# id = "1"
# words = ["big", "large"]            what in a question calls for the rule; matched whole and in any case
# columns = ["city.population"]       what in a statement calls for it
# reading = "A city is big if more than 500000 people live in it."
# sql = "population > 500000"         the form
# check = "uses"                      warn when the words are there and none of the columns is used
#
# Checks: key, uses, contains, sorting, arithmetic, period, together. “curtain domain check” reads this file.

rule_book = {year}
minimum = "head"
"""

PRACTICE = '''\
# What a subject works on; one file for each. A closed one has an answer, given in solutions/ under the same name.
id = "look-around"
title = "Look around"
kind = "open"
asks_answer = false
practice = true
text = """
You have just been given this system. Find out what it knows, and try what you can ask.
"""
'''

OWN_WISH_ID = "own-wish"
OWN_WISH = f'''\
# A scenario to begin with: a session needs one besides the practice. Write your own in its place.
id = "{OWN_WISH_ID}"
title = "Something you want to know"
kind = "open"
asks_answer = false
text = """
Think of something that you would like to know, and that somebody who has these records could tell you.

Find it out, and then follow up what surprised you.
"""
'''


def schema_text(schema: SchemaGuess) -> str:
    """CREATE TABLE statements with keys and references. The references say what belongs together; the database
    itself need not keep them."""
    note = "-- Keys and references were read from the source or guessed from its rows. Correct what is wrong.\n"
    return "\n".join(
        [note, *(f"CREATE TABLE {quoted(table)} (\n    {_entries(schema, table)}\n);\n" for table in schema.tables)]
    )


def column_entries(schema: SchemaGuess, table: str) -> list[str]:
    """The columns and the primary key as they stand in CREATE TABLE."""
    columns = [f"{quoted(column)} {kind}" for column, kind in schema.tables[table].items()]
    key = schema.keys.primary.get(table)
    return [*columns, f"PRIMARY KEY ({_listed(key)})"] if key else columns


def domain_text(schema: SchemaGuess, name: str, as_of: date) -> str:
    """domain.toml, with a comment on every part."""
    keys = schema.keys.primary
    return DOMAIN.format(
        title=json.dumps(name.replace("_", " ").replace("-", " ").capitalize()),
        as_of=as_of.isoformat(),
        description=_description(schema),
        private=toml_text(list(schema.private)),
        headings="\n".join(_headings(schema)),
        canonical="\n".join(f"{_bare(table)} = {_places(table, key)}" for table, key in keys.items()),
        codes="\n".join(_codes(schema)),
        periods="\n".join(_periods(schema)),
        maximum="\n".join(f"{_bare(table)} = {_array(_shown_columns(schema, table))}" for table in keys),
        readable="\n".join(_readable(schema)),
        formats="\n".join(_formats(schema)),
    )


def _readable(schema: SchemaGuess) -> Iterator[str]:
    """A table for each thing that has a name: its own, or those of people, which come in parts."""
    for table in schema.keys.primary:
        shown = _shown_columns(schema, table)
        names = [column for column in person_names_in(schema.tables[table]) if f"{table}.{column}" in shown]
        names = names or [column for column in [_name_of(schema, table)] if column and f"{table}.{column}" in shown]
        if names:
            yield f"[readable.{_bare(table)}]"
            yield from (
                f"{toml_text(schema.heading(table, column))} = {toml_text(f'{table}.{column}')}" for column in names
            )
            yield ""


def _formats(schema: SchemaGuess) -> Iterator[str]:
    types = {base_type(kind) for columns in schema.tables.values() for kind in columns.values()}
    yield from (f"{kind} = {toml_text(example)}" for kind, example in _EXAMPLES.items() if kind in types)
    yield from (f"{toml_text(column)} = {toml_text(example)}" for column, example in schema.formats.items())


def _periods(schema: SchemaGuess) -> Iterator[str]:
    """The usual ones, if there are times of day: of the type TIME, or numbers such as 1745."""
    kinds = (kind for columns in schema.tables.values() for kind in columns.values())
    if schema.has_clock or any(kind == "TIME" for kind in kinds):
        for name, (begin, end) in _PERIODS.items():
            yield f"{name} = {{ begin = {begin}, end = {end}, ends_included = true }}"


def principles_text(year: int) -> str:
    """A principles.toml that says what one is for."""
    return PRINCIPLES.format(year=year)


def demo_text(schema: SchemaGuess) -> str:
    """A short session for `curtain demo` where there is no display: how many there are of some things."""
    turns = [
        {"say": example["question"], "query": example["question"].lower().rstrip("?"), "sql": [example["sql"]]}
        for example in islice(_examples(schema), _PLAYED)
    ]
    steps = [{"do": "scenario", "id": OWN_WISH_ID}, *turns]
    return "".join(json.dumps(step, ensure_ascii=False) + "\n" for step in steps)


def _examples(schema: SchemaGuess) -> Iterator[dict[str, str]]:
    for table, rows in schema.rows.items():
        question = f"How many {_several(schema, table)} are there?"
        yield {"question": question, "sql": f"SELECT COUNT(*) FROM {quoted(table)}", "answer": str(rows)}


def _several(schema: SchemaGuess, table: str) -> str:
    """What the rows of a table are called: `invoice_line` holds invoice lines."""
    words = schema.row_words(table)
    if not words[-1].isascii():
        return " ".join(words)
    ending = {"s": "es", "x": "es", "y": "ies"}.get(words[-1][-1], "s")
    plural = words[-1].removesuffix("y") if ending == "ies" and words[-1][-2:-1] not in "aeiou" else words[-1]
    return " ".join([*words[:-1], plural + (ending if plural != words[-1] or ending != "ies" else "s")])


def _entries(schema: SchemaGuess, table: str) -> str:
    references = [one for one in schema.keys.references if one.table == table]
    return ",\n    ".join([*column_entries(schema, table), *map(_foreign_key, references)])


def _foreign_key(reference: ForeignKey) -> str:
    there = f"{quoted(reference.to_table)} ({_listed(reference.to_columns)})"
    return f"FOREIGN KEY ({_listed(reference.columns)}) REFERENCES {there}"


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(map(quoted, columns))


def _description(schema: SchemaGuess) -> str:
    lines = ["You can ask about what is in this database.", ""]
    for table, columns in schema.tables.items():
        # Nobody is invited to ask for what is private.
        open_ones = [column for column in columns if f"{table}.{column}" not in schema.private]
        words = [within_words(schema.heading(table, column)) for column in open_ones]
        row_name = " ".join(schema.row_words(table))
        lines.append(f"For each {row_name} ({schema.rows[table]:,} in all) it knows: {', '.join(words)}.")
    return "\n".join(lines)


def _headings(schema: SchemaGuess) -> Iterator[str]:
    """One line for a column that is called the same in all its tables, else one for each table."""
    called: dict[str, set[str]] = {}
    for table, columns in schema.tables.items():
        for column in columns:
            called.setdefault(column, set()).add(schema.heading(table, column))
    for column, headings in called.items():
        if len(headings) == 1:
            yield f"{_bare(column)} = {toml_text(*headings)}"
    for table, columns in schema.tables.items():
        for column in columns:
            if len(called[column]) > 1:
                yield f'"{table}.{column}" = {toml_text(schema.heading(table, column))}'


def _codes(schema: SchemaGuess) -> Iterator[str]:
    for table, name in schema.called.items():
        yield f'"{table}.{schema.keys.primary[table][0]}" = "{table}.{name}"'


def _name_of(schema: SchemaGuess, table: str) -> str:
    """The column that says what a row is called, if there is one."""
    return next(iter(names_in(schema.tables[table])), "")


def _shown_columns(schema: SchemaGuess, table: str) -> list[str]:
    """The key, a name, all other columns, and how that is called to which the columns refer."""
    columns = [*schema.keys.primary[table], _name_of(schema, table), *schema.tables[table]]
    entries = [f"{table}.{column}" for column in columns if column]
    for reference in schema.keys.references:
        name = _name_of(schema, reference.to_table)
        if reference.table == table != reference.to_table and name and name not in reference.to_columns:
            entries.append(f"{reference.to_table}.{name}")
    return list(dict.fromkeys(entries))


def _places(table: str, columns: Sequence[str]) -> str:
    return _array([f"{table}.{column}" for column in columns])


def _array(items: Sequence[str]) -> str:
    return f"[{', '.join(map(toml_text, items))}]"


def _bare(key: str) -> str:
    """A key as TOML writes it: without quotes where it can."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml_text(key)
