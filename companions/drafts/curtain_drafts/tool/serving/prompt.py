"""What a language model reads: the tables that the query needs, answered questions that are near, and what its words
mean in the database. At most `MOST_TOKENS` in all, by a rule that counts more than tokenizers do."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import duckdb
import jinja2

from curtain.base.sql_names import quoted, sql_literal
from curtain.base.words import words_in
from curtain.domain.pack.names import reaches_somebody, split_name
from curtain.domain.pack.reader import Pack
from curtain.domain.rules.principles import load_rules, touching
from curtain_drafts.drafting.values import Example, Request

from ..algebra.query import Column, column_named, table_of
from ..drafter.local import words_and_values
from ..drafter.parts import chosen, swaps_of
from ..examples.features import masked
from ..examples.meaning import meaning_of
from ..examples.models import Neighbours
from ..grammar.mentions import Line
from ..language.recognise import Reading

MOST_TOKENS = 1500
_SCHEMA, _ABOUT, _TURN = 800, 400, 4
_RULES, _TURNS, _NEAREST, _LIKELY, _VALUES = 6, 3, 8, 5, 10
_SAMPLED, _LONGEST = 3, 40
# A piece of a word, a digit, a sign: what tokenizers of current models split at most.
_TOKEN = re.compile(r"[^\W\d_]{1,4}|\d|[^\w\s]|_|\n")
# A value that could not be read as another type, as Curtain words it.
_VALUE = re.compile(r"(?s)(['“]).*(['”])(?= (?:is not (?!in |allowed)|does not ))")
_LOADER = jinja2.PackageLoader("curtain_drafts.tool.serving", "")
_TEMPLATE = jinja2.Environment(loader=_LOADER, trim_blocks=True, lstrip_blocks=True).get_template("prompt.jinja")
_LITERAL = re.compile(r"'(?:[^']|'')*'|\b\d+(?:\.\d+)?\b")

Message = dict[str, str]


def tokens_in(text: str) -> int:
    """How many tokens a text has at most: one for each four letters of a word, each digit, each other sign and each end
    of a line. Spaces belong to the word behind them."""
    return sum(1 for _ in _TOKEN.finditer(text))


class Prompt:
    """The messages for each request, over the examples that were learned. Raises duckdb.Error and PackError."""

    def __init__(self, pack: Pack, db_path: Path) -> None:
        self._pack = pack
        self._lexicon, self._graph, self._recogniser = words_and_values(pack, db_path)
        self.swaps = swaps_of(self._lexicon)
        self._hidden = set(pack.private)
        self._book = load_rules(pack)
        # Further paragraphs list what the tables show.
        self._about = pack.description.strip().partition("\n\n")[0][:_ABOUT]
        with duckdb.connect(str(db_path), read_only=True) as database:
            notes = {table: list(self._notes(table, database)) for table in pack.tables}
        self._lines = {table: [self._outline(table), *notes[table]] for table in pack.tables}
        self._near = Neighbours(meaning_of())
        self._asked: dict[str, tuple[int, Example]] = {}

    def learn(self, example: Example) -> None:
        """From now on this question may be shown, unless it may hold a value of a private column."""
        if self._names_private(example.sql) and _LITERAL.search(example.sql):
            return
        reading = self._recogniser.read(example.question)
        forms = masked(reading), reading.words
        if self._near.meaning is not None:
            self._near.meaning.vectors(forms)
        self._asked[example.id or example.question] = len(self._near.forms), example
        self._near.add(forms)

    def withdraw(self, example_id: str) -> None:
        """Never show this example again."""
        self._asked.pop(example_id, None)

    def messages(self, request: Request) -> list[Message]:
        """The task with the tables, answered questions as turns of talk, earlier turns, and the query with what its
        words mean. What is the same for each query comes first, so that a server reads it once."""
        reading = chosen(self._recogniser.read(request.question), request.choices, self._lexicon)
        query = "\n".join([request.question, *self._values(reading), *self._rules(request.question)])
        # Values that were typed for a private column are none of the server's business.
        earlier = [
            (one.question, _LITERAL.sub("?", one.sql) if self._names_private(one.sql) else one.sql)
            for one in request.previous[-_TURNS:]
        ]
        near = self._nearest(reading)
        left = MOST_TOKENS - sum(map(_cost, [("", query), *earlier]))
        room = left - _TURN - tokens_in(self._system([]))
        likely = [*(one.sql for one in near[:_LIKELY]), *(one.sql for one in request.previous[-1:])]
        tables = self._tables(reading, likely, room)
        system = self._system(tables)
        left -= tokens_in(system) + _TURN
        shown = list[tuple[str, str]]()
        for one in near:
            left -= _cost(pair := (one.question, one.sql))
            shown += [pair] if left >= 0 else []
        messages = [{"role": "system", "content": system}]
        # The nearest last, where a model heeds it most.
        for question, sql in (*reversed(shown), *earlier):
            messages += [{"role": "user", "content": question}, {"role": "assistant", "content": sql}]
        return [*messages, {"role": "user", "content": query}]

    def without_values(self, problem: str, sql: str) -> str:
        """A problem with a sign for the value that it names, unless the statement does: it may be a private one."""
        return _VALUE.sub(
            lambda one: one[0] if f"'{one[0][1:-1]}'" in sql or not self._hidden else f"{one[1]}?{one[2]}", problem
        )

    def _system(self, tables: Sequence[Sequence[str]]) -> str:
        return _TEMPLATE.render(as_of=self._pack.as_of, about=self._about, tables=tables).strip()

    def _nearest(self, reading: Reading) -> list[Example]:
        """The examples that ask most alike, with values as their kinds; the nearest first, each question once."""
        scores = self._near.likeness((masked(reading), reading.words))[0]
        alike = sorted((-scores[at], at, one) for at, one in self._asked.values() if scores[at] > 0)
        nearest = [one for _, _, one in alike[:_NEAREST]]
        return list({one.question: one for one in reversed(nearest)}.values())[::-1]

    def _tables(self, reading: Reading, statements: Sequence[str], room: int) -> list[list[str]]:
        """The lines about each table: of all where they fit, else of those that the query needs, and then the outlines
        of their neighbours."""
        most = min(_SCHEMA, room)
        everything = [line for lines in self._lines.values() for line in lines]
        if sum(map(tokens_in, everything)) <= most:
            return list(self._lines.values())
        needed = self._needed(reading, statements) or list(self._lines)
        beside = [other for table in needed for other in self._graph.neighbours(table)]
        wanted = [(table, self._lines[table][0]) for table in needed]
        wanted += [(table, line) for table in needed for line in self._lines[table][1:]]
        wanted += [(table, self._lines[table][0]) for table in dict.fromkeys(beside) if table not in needed]
        kept: dict[str, list[str]] = defaultdict(list)
        for table, line in wanted:
            if (cost := tokens_in(line) + 1) <= most:
                most -= cost
                kept[table].append(line)
        return [kept[table] for table in self._lines if table in kept]

    def _needed(self, reading: Reading, statements: Sequence[str]) -> list[str]:
        """The tables that the query names or has values of, those of statements that are near, and those that join
        them; those named oftenest first."""
        line = Line(reading, self._graph)
        likely = ((one.targets, 0.9 * max(one.targets.values())) for one in line.mentions)
        times = Counter(target.table for targets, least in likely for target in targets if targets[target] >= least)
        forms = ([name for one in value.meanings for name in one.forms] for value in line.values.values())
        for names in forms:
            times.update([*dict.fromkeys(name.lstrip("%").split(".")[0] for name in names if "." in name)])
        for sql in statements:
            times.update(table for table in self._lines if re.search(rf"(?i)\b{re.escape(table)}\b", sql))
        named = [table for table, _ in times.most_common()]
        paths = (self._graph.path(named[0], table) for table in named[1:])
        between = [table_of(">".join(parts[:many])) for path in paths if path
                   for parts in [path[0].split(">")] for many in range(1, len(parts))]  # fmt: skip
        return list(dict.fromkeys([*named[:1], *between, *named[1:]]))

    def _values(self, reading: Reading) -> Iterator[str]:
        """Where the words of the query stand in the database."""
        strong = (one for number, one in enumerate(reading.found) if not one.weak and number not in reading.removed)
        for one in list(strong)[:_VALUES]:
            forms = [pair for meaning in one.meanings for pair in meaning.forms.items()]
            places = [
                f"{name.lstrip('%')} {'LIKE' if name.startswith('%') else '='} {sql_literal(value)}"
                for name, value in forms
                # A key of figures says nothing beside a name.
                if "." in name
                and (bare := name.lstrip("%")) not in self._hidden
                and self._graph.kind(column_named(bare)) != "number"
            ]
            places = places or [value for name, value in forms if name == "#date"]
            if places:
                yield f"“{one.said}”: {' or '.join(places[:3])}"

    def _rules(self, question: str) -> Iterator[str]:
        touched = [one.rule for one in touching(self._book, question, None) if one.words]
        yield from (" ".join(rule.reading.split()) for rule in touched[:_RULES])

    def _outline(self, table: str) -> str:
        key = self._pack.keys.primary.get(table, ())
        names = [f"{name} {kind}" for name, kind in self._pack.tables[table].items()]
        keys = [f"PRIMARY KEY ({', '.join(key)})"] if key else []
        for one in (one for one in self._pack.keys.references if one.table == table):
            keys.append(f"{', '.join(one.columns)} REFERENCES {one.to_table}({', '.join(one.to_columns)})")
        return f"{table}({', '.join([*names, *keys])})"

    def _notes(self, table: str, database: duckdb.DuckDBPyConnection) -> Iterator[str]:
        """A line for each column of which something is to be said; columns that reach somebody are hidden from now."""
        for column, kind in self._pack.tables[table].items():
            name, parts = f"{table}.{column}", list[str]()
            heading = self._pack.headings.get(name, self._pack.headings.get(column, ""))
            # A heading that only repeats the names is a waste.
            if not set(words_in(heading.lower())) <= {*split_name(table), *split_name(column)}:
                parts.append(heading)
            meaning = self._pack.codes.get(name)
            if isinstance(meaning, str):
                parts.append(f"{meaning} says what it means")
            values = self._sampled(table, column, kind, database)
            # Packs that were written before there was `private` name no such columns.
            if reaches_somebody(column, values):
                self._hidden.add(name)
            elif name not in self._hidden:
                if isinstance(meaning, Mapping):
                    parts.append("; ".join(f"{code} = {text}" for code, text in meaning.items()))
                if values and self._is_range(table, column):
                    parts.append(f"{values[0]} to {values[1]}")
                elif values:
                    parts.append(f"such as {', '.join(map(sql_literal, map(str, values)))}")
            if parts:
                yield f"  {column}: {'; '.join(parts)}"

    def _is_range(self, table: str, column: str) -> bool:
        return self._graph.kind(Column(table, column)) in ("number", "date", "time")

    def _sampled(self, table: str, column: str, kind: str, database: duckdb.DuckDBPyConnection) -> list[object]:
        """The least and the largest number, date or time; of texts those that stand there most often."""
        own = quoted(column)
        if self._graph.is_key(Column(table, column)):
            return []
        if self._is_range(table, column):
            (ends,) = database.execute(f"SELECT min({own}), max({own}) FROM {quoted(table)}").fetchall()
            return [] if None in ends else list(ends)
        if not kind.startswith(("VARCHAR", "TEXT")):
            return []
        wanted = (
            f"SELECT {own} FROM {quoted(table)} WHERE length({own}) BETWEEN 1 AND {_LONGEST} "
            f"GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {_SAMPLED}"
        )
        return [value for (value,) in database.execute(wanted).fetchall()]

    def _names_private(self, sql: str) -> bool:
        columns = {name.split(".")[1].lower() for name in self._hidden}
        return not columns.isdisjoint(re.findall(r"\w+", sql.lower()))


def _cost(pair: Sequence[str]) -> int:
    """Of a question with its statement, as two turns of talk."""
    return sum(tokens_in(text) + _TURN for text in pair)
