"""What stands above a column: the pack's words for it, never SQL.

Each expression of the SELECT list is followed to the columns it is made of, through aliases, WITH and subqueries.
Where that fails the name is made readable, and a name that is no name becomes "Value".
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from curtain.base.sql_names import folded
from curtain.base.words import MARKS

from ..guard.functions import names_in

Node = dict[str, Any]


class SelectableColumn(NamedTuple):
    """A column that can be selected: its name in lower case, what stands above it, its declared type if known."""

    name: str
    heading: str
    type: str = ""


Columns = list[SelectableColumn]


class FromTable(NamedTuple):
    """One table of a FROM clause under its alias; `merged` are the columns that USING shows once, to its left."""

    alias: str
    columns: Columns
    merged: frozenset[str] = frozenset()


Sources = list[FromTable]

VALUE = "Value"
_PLAIN_NAME = re.compile(rf"[^\W\d][\w{MARKS} ]*")
_TRANSPARENT = names_in(
    "abs round floor ceil ceiling trunc upper ucase lower lcase trim ltrim rtrim any_value first last ifnull "
    "nullif substr substring left right replace"
)
_SAYS = {
    "count": "Count",
    "count_star": "Count",
    "count_if": "Count",
    "countif": "Count",
    "row_number": "Row",
    "rank": "Rank",
    "dense_rank": "Rank",
}
_PREFIXES = {
    "avg": "Average {}",
    "mean": "Average {}",
    "sum": "Total {}",
    "median": "Median {}",
    "mode": "Most common {}",
    "stddev": "Standard deviation of {}",
    "year": "Year of {}",
    "month": "Month of {}",
    "day": "Day of {}",
    "string_agg": "{}",
    "group_concat": "{}",
    "listagg": "{}",
}
_EXTREMES = {"min": ("Lowest {}", "Earliest {}", "{} (first)"), "max": ("Highest {}", "Latest {}", "{} (last)")}
_DIFFERENCES = names_in("date_diff datediff date_sub datesub")
_MATCHES = names_in("~~ !~~ ~~* !~~* ~~~ ~ !~ regexp_full_match regexp_matches contains starts_with ends_with")
_TRUTHS = ("COMPARE_", "CONJUNCTION_", "OPERATOR_NOT", "OPERATOR_IS_")


def headings(
    statement: Node, names: Sequence[str], words: Mapping[str, str], tables: Mapping[str, Mapping[str, str]]
) -> list[str]:
    """One heading for each result column; `names` is what DuckDB calls them.

    `words` are the pack's headings, `tables` its columns with their types. Equal headings are numbered.
    """
    # Where our count of columns is not DuckDB's, a heading could stand over the wrong column.
    shown_names = [column.heading for column in _Reader(words, tables).outputs(statement["node"], {})]
    return distinct_headings(
        shown_names if len(shown_names) == len(names) else [_word_for(name, words) for name in names]
    )


def readable(name: str) -> str:
    """`hire_date` as `Hire date`; anything that is not a plain name as `Value`."""
    if not _PLAIN_NAME.fullmatch(name):
        return VALUE
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:] if words else VALUE


def _word_for(name: str, words: Mapping[str, str]) -> str:
    return words.get(folded(name)) or readable(name)


def distinct_headings(names: Sequence[str]) -> list[str]:
    """The headings, the second and later of the same text with a number."""
    seen: Counter[str] = Counter()
    result = []
    # The subject speaks of columns by their headings, so two must not be called the same.
    for heading in names:
        seen[heading] += 1
        result.append(heading if seen[heading] == 1 else f"{heading} ({seen[heading]})")
    return result


def within_words(heading: str) -> str:
    """A heading as part of another one: `Salary` -> `salary`, but `ID`, `SSN` and `E-Mail` stay."""
    return heading if heading[1:2].isupper() or heading[1:2] == "-" else heading[:1].lower() + heading[1:]


class _Reader:
    """Follows the columns of one statement."""

    def __init__(self, words: Mapping[str, str], tables: Mapping[str, Mapping[str, str]]) -> None:
        self._words = words
        self._tables = tables

    def outputs(self, node: Node, named: Mapping[str, Columns]) -> Columns:
        """Name and heading of each column that a SELECT gives."""
        common_tables = dict(named)
        for entry in (node.get("cte_map") or {}).get("map", ()):
            common_tables[folded(entry["key"])] = self._with_aliases(
                self.outputs(entry["value"]["query_node"], common_tables), entry["value"].get("aliases") or []
            )
        if node["type"] == "SET_OPERATION_NODE":
            return self.outputs(node["children"][0], common_tables)
        if node["type"] != "SELECT_NODE":
            return []
        sources = list(self._sources(node["from_table"], common_tables))
        return [column for item in node["select_list"] for column in self._item(item, sources)]

    def _sources(self, table: Node | None, named: Mapping[str, Columns]) -> Iterator[FromTable]:
        kind = table["type"] if table else "EMPTY"
        if table is None or kind == "EMPTY":
            return
        if kind == "JOIN":
            yield from self._sources(table["left"], named)
            merged = frozenset(folded(name) for name in table.get("using_columns") or [])
            for source in self._sources(table["right"], named):
                yield source._replace(merged=source.merged | merged)
            return
        yield self._source(table, kind, named)

    def _source(self, table: Node, kind: str, named: Mapping[str, Columns]) -> FromTable:
        if kind == "BASE_TABLE":
            name = folded(table["table_name"])
            columns = named.get(name) or self._columns_of(name)
        elif kind == "SUBQUERY":
            name, columns = "", self.outputs(table["subquery"]["node"], named)
        else:
            name, columns = "", [SelectableColumn("", VALUE) for _ in (table.get("values") or [[]])[0]]
        alias = folded(table.get("alias") or name)
        return FromTable(alias, self._with_aliases(columns, table.get("column_name_alias") or []))

    def _with_aliases(self, columns: Columns, aliases: Sequence[str]) -> Columns:
        renamed = [SelectableColumn(folded(alias), _word_for(alias, self._words)) for alias in aliases]
        return renamed + columns[len(renamed) :]

    def _columns_of(self, table: str) -> Columns:
        return [
            SelectableColumn(name, self._words.get(f"{table}.{name}") or _word_for(name, self._words), kind)
            for name, kind in self._tables[table].items()
        ]

    def _item(self, item: Node, sources: Sources) -> Columns:
        if item["type"] == "STAR":
            return self._star(item, sources)
        name = item.get("alias") or (item["column_names"][-1] if item["type"] == "COLUMN_REF" else "")
        if item.get("alias"):
            return [SelectableColumn(folded(name), _word_for(name, self._words), self._type(item, sources))]
        return [SelectableColumn(folded(name), self._expression(item, sources), self._type(item, sources))]

    def _star(self, item: Node, sources: Sources) -> Columns:
        wanted = folded(item["relation_name"])
        left_out = {folded(str(name)) for name in item.get("exclude_list") or []}
        return [
            column
            for source in sources
            for column in source.columns
            if column.name not in left_out and _is_starred(column, source, wanted)
        ]

    def _expression(self, node: Node, sources: Sources) -> str:
        kind = node["type"]
        if kind == "COLUMN_REF":
            return self._column(node["column_names"], sources).heading
        if kind == "SUBQUERY":
            return self._subquery(node)
        if kind.startswith(_TRUTHS):
            return "Answer"
        if "function_name" in node:
            return self._function(node, sources)
        inner = {self._expression(part, sources) for part in _arguments(node)} - {VALUE}
        return inner.pop() if len(inner) == 1 and kind in ("OPERATOR_CAST", "OPERATOR_COALESCE", "COLLATE") else VALUE

    def _column(self, path: Sequence[str], sources: Sources) -> SelectableColumn:
        *owner, name = (folded(part) for part in path)
        for source in sources:
            for column in source.columns:
                if column.name == name and (not owner or owner[-1] == source.alias):
                    return column
        return SelectableColumn(name, _word_for(name, self._words))

    def _type(self, node: Node, sources: Sources) -> str:
        """The declared type of the column that an expression is, or is made of."""
        if node["type"] == "COLUMN_REF":
            return self._column(node["column_names"], sources).type
        if node.get("function_name") in _SAYS:
            return ""
        return next(filter(None, (self._type(part, sources) for part in _arguments(node))), "")

    def _subquery(self, node: Node) -> str:
        if node.get("subquery_type") != "SCALAR":
            return "Answer"
        columns = self.outputs(node["subquery"]["node"], {})
        return columns[0].heading if columns else VALUE

    def _function(self, node: Node, sources: Sources) -> str:
        name = folded(node["function_name"])
        arguments = [self._expression(part, sources) for part in _arguments(node)]
        first = next((heading for heading in arguments if heading != VALUE), VALUE)
        if name in _SAYS:
            return _SAYS[name]
        if name in _EXTREMES and first != VALUE:
            return _extreme(name, first, self._type(node, sources))
        if name in _TRANSPARENT:
            return first
        if name in _PREFIXES and first != VALUE:
            return _capital(_PREFIXES[name].format(within_words(first)))
        if name in _DIFFERENCES:
            return _unit(node)
        return "Answer" if name in _MATCHES else VALUE


def _unit(node: Node) -> str:
    """`Days` for date_diff('day', ...)."""
    unit = str(next(_arguments(node), {}).get("literal", {}).get("text", ""))
    return f"{unit.capitalize().rstrip('s')}s" if unit.isalpha() else VALUE


def _is_starred(column: SelectableColumn, source: FromTable, wanted: str) -> bool:
    """Whether `wanted.*`, or a bare `*`, shows this column."""
    return wanted == source.alias if wanted else column.name not in source.merged


def _extreme(name: str, first: str, kind: str) -> str:
    number, moment, text = _EXTREMES[name]
    if kind.startswith("VARCHAR"):
        return text.format(first)
    return (moment if kind.startswith(("DATE", "TIME")) else number).format(within_words(first))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _arguments(node: Node) -> Iterator[Node]:
    """The expressions directly inside another one."""
    for key in ("child", "children", "arguments", "expr", "lower", "upper"):
        inner = node.get(key)
        for part in inner if isinstance(inner, list) else [inner]:
            expression = part.get("expression", part) if isinstance(part, dict) else None
            if isinstance(expression, dict) and expression.get("class") != "TYPE" and "type" in expression:
                yield expression
