"""What a language model reads: the schema as far as the query touches it, rules, answered questions that are near."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path

import duckdb
import jinja2

from curtain.base.sql_names import quoted
from curtain.base.words import words_in
from curtain.domain.pack.names import reaches_somebody, split_name
from curtain.domain.pack.reader import Pack
from curtain.domain.rules.principles import load_rules, touching

from ..values import Example, Request

_RULES = 12
_TURNS = 3
_WHOLE = 12
_SAMPLED, _LONGEST = 3, 40

Samples = Mapping[str, Sequence[str]]


def messages_for(
    pack: Pack, examples: Iterable[Example], request: Request, samples: Samples | None = None
) -> list[dict[str, str]]:
    """The messages of one request: the task, examples as turns of talk, earlier turns of the session, the query."""
    book = load_rules(pack)
    touched = [touch.rule for touch in touching(book, request.question, None) if touch.words]
    rules = [" ".join(rule.reading.split()) for rule in (touched or book.rules) if rule.reading][:_RULES]
    tables = list(_tables(pack, request.question, samples or {}))
    system = _template().render(as_of=pack.as_of, about=pack.description, tables=tables, rules=rules)
    messages = [{"role": "system", "content": system.strip()}]
    pairs = [(example.question, example.sql) for example in examples]
    pairs += [(asked.question, asked.sql) for asked in request.previous[-_TURNS:]]
    for question, sql in pairs:
        messages += [{"role": "user", "content": question}, {"role": "assistant", "content": sql}]
    return [*messages, {"role": "user", "content": request.question}]


@cache
def _template() -> jinja2.Template:
    text = resources.files("curtain.drafting.serving").joinpath("prompt.jinja").read_text("utf-8")
    return jinja2.Environment(trim_blocks=True, lstrip_blocks=True, autoescape=False).from_string(text)


def nearest(question: str, examples: Iterable[Example], n: int) -> list[Example]:
    """The examples whose words are most like the question's, rare words counting most; the nearest last, where a model
    heeds it most."""
    examples = list(examples)
    counted = Counter(word for example in examples for word in _words(example.question))
    rare = {word: math.log((len(examples) + 1) / (times + 0.5)) + 0.1 for word, times in counted.items()}
    words = _words(question)
    scored = [(_likeness(words, _words(example.question), rare), example) for example in examples]
    best = sorted((pair for pair in scored if pair[0] > 0), key=lambda pair: -pair[0])[:n]
    return [example for _, example in reversed(best)]


def _words(text: str) -> frozenset[str]:
    return frozenset(words_in(text.lower()))


def _likeness(one: frozenset[str], other: frozenset[str], rare: Mapping[str, float]) -> float:
    both, *sizes = (sum(rare.get(word, 0.0) ** 2 for word in words) for words in (one & other, one, other))
    return both / (math.sqrt(math.prod(sizes)) or 1.0)


def samples_of(pack: Pack, db_path: Path) -> Samples:
    """A few short texts of each column that holds texts, by `table.column`; none if the database cannot be read."""
    samples: dict[str, list[str]] = {}
    try:
        with duckdb.connect(str(db_path), read_only=True) as database:
            for table, columns in pack.tables.items():
                for column in (name for name, kind in columns.items() if kind.startswith(("VARCHAR", "TEXT"))):
                    name = quoted(column)
                    if f"{table}.{column}" in pack.private:
                        continue
                    rows = database.execute(
                        f"SELECT {name} FROM {quoted(table)} WHERE length({name}) BETWEEN 1 AND {_LONGEST} "
                        f"GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {_SAMPLED}"
                    ).fetchall()
                    values = [row[0] for row in rows]
                    # Packs that were written before there was `private` name no such columns.
                    samples[f"{table}.{column}"] = [] if reaches_somebody(column, values) else values
    except duckdb.Error:
        return {}
    return samples


def _tables(pack: Pack, question: str, samples: Samples) -> Iterable[Mapping[str, object]]:
    """The tables that the query may be about: all of a small schema, else those it names and their neighbours."""
    chosen = list(pack.tables)
    if len(chosen) > _WHOLE:
        words = _words(question)
        named = [t for t in chosen if words & _called(pack, t)] or chosen
        links = [(one.table, one.to_table) for one in pack.keys.references]
        near = {table for link in links if set(link) & set(named) for table in link}
        chosen = [table for table in chosen if table in near | set(named)]
    for table in chosen:
        key = pack.keys.primary.get(table, ())
        every = pack.tables[table].items()
        columns = [f"{column} {kind}{' KEY' if key == (column,) else ''}" for column, kind in every]
        yield {"name": table, "columns": columns, "notes": list(_notes(pack, table, samples))}


def _called(pack: Pack, table: str) -> set[str]:
    """The words in the names and headings of a table, and what its vague expressions are."""
    words = {word for name in (table, *pack.tables[table]) for word in split_name(name)}
    headings = (pack.headings.get(f"{table}.{column}", pack.headings.get(column, "")) for column in pack.tables[table])
    vague = (phrase for phrase, name in pack.vague.items() if str(name).startswith(f"{table}."))
    words |= {word for text in (*headings, *vague) for word in _words(text)}
    return words | {f"{word}s" for word in words}


def _notes(pack: Pack, table: str, samples: Samples) -> Iterable[str]:
    key = pack.keys.primary.get(table, ())
    if len(key) > 1:
        yield f"key: {', '.join(key)}"
    for reference in (one for one in pack.keys.references if one.table == table):
        yield f"{', '.join(reference.columns)} refers to {reference.to_table}({', '.join(reference.to_columns)})"
    for column in pack.tables[table]:
        name = f"{table}.{column}"
        parts = [pack.headings.get(name, pack.headings.get(column, ""))]
        meaning = pack.codes.get(name)
        if isinstance(meaning, str):
            parts.append(f"a code; {meaning} says what it means")
        elif isinstance(meaning, Mapping):
            parts.append("; ".join(f"{code} = {text}" for code, text in meaning.items()))
        if samples.get(name):
            parts.append("such as " + ", ".join(repr(text) for text in samples[name]))
        if any(parts):
            yield f"{column}: {'; '.join(filter(None, parts))}"
