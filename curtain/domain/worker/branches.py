"""Another way to run a SELECT DISTINCT whose tables hang together through an OR only; the rows are the same.

`SELECT DISTINCT f.id FROM f, a, b WHERE f.x = a.x OR f.y = b.y` makes DuckDB try every row of `a` with every row of
`b`: published statements of this form ran for minutes. Among distinct rows two things are always the same:

- `A OR B` is the UNION of both, since WHERE keeps what is true, and an OR is true if one of its sides is;
- tables that no condition ties to what is shown matter only in whether they have a row that meets their conditions,
  which is an EXISTS.

MIN, MAX and COUNT(DISTINCT ...) of columns are the same of distinct rows as of all rows, so they may have such a SELECT
below them. The tree is DuckDB's own, as the guard has checked it, and DuckDB writes it back as text. A statement of any
other form, also one of which something is not certain, runs as it was typed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from curtain.base.sql_names import folded

Node = dict[str, Any]
Tables = Mapping[str, Iterable[str]]
Names = frozenset[str]

# Each OR multiplies the branches, and with them what DuckDB has to plan.
_MOST_BRANCHES = 64


class _Unsure(Exception):
    """Something is not certain, so the statement is left as it is."""


def branched(statement: Node, tables: Tables) -> Node | None:
    """The statement with each such SELECT in it taken apart; None if there is none. `tables`: table -> its columns."""
    try:
        changed, tree = _walk(statement, tables)
    except RecursionError:  # nested deeper than Python goes, and DuckDB may run it all the same
        return None
    return tree if changed else None


def _walk(node: Any, tables: Tables) -> tuple[bool, Any]:
    """Whether something in it was taken apart, and the tree; what is nested comes first."""
    if isinstance(node, list):
        walked = [_walk(part, tables) for part in node]
        return any(changed for changed, _ in walked), [part for _, part in walked]
    if not isinstance(node, dict):
        return False, node
    tables = _without_named(node, tables)
    parts = {key: _walk(part, tables) for key, part in node.items()}
    tree = {key: part for key, (_, part) in parts.items()}
    apart = _apart(tree, tables)
    return apart is not None or any(changed for changed, _ in parts.values()), apart or tree


def _without_named(node: Node, tables: Tables) -> Tables:
    """A name of WITH may hide a table; of what it stands for nothing is known here."""
    named = {folded(entry["key"]) for entry in (node.get("cte_map") or {}).get("map", ())}
    return {table: columns for table, columns in tables.items() if table not in named} if named else tables


def _apart(node: Node, tables: Tables) -> Node | None:
    try:
        if _is_plain(node):
            return _Select(node, tables).apart()
        return _counted_apart(node, tables) if _counts_distinct(node) else None
    except _Unsure:
        return None


def _is_plain(node: Node) -> bool:
    """A SELECT DISTINCT of columns from tables listed with commas, with a WHERE and nothing else."""
    if not _is_bare(node) or not all(item["type"] == "COLUMN_REF" for item in node["select_list"]):
        return False
    return [(one["type"], one.get("distinct_on_targets")) for one in node["modifiers"]] == [("DISTINCT_MODIFIER", [])]


def _counts_distinct(node: Node) -> bool:
    """The same of values that are of interest once only."""
    return _is_bare(node) and not node["modifiers"] and all(_is_of_distinct(item) for item in node["select_list"])


def _is_bare(node: Node) -> bool:
    if node.get("type") != "SELECT_NODE" or not node.get("where_clause"):
        return False
    others = ("group_expressions", "group_sets", "having", "sample", "qualify")
    return not node["cte_map"]["map"] and not any(node[key] for key in others)


def _is_of_distinct(item: Node) -> bool:
    if item.get("type") != "FUNCTION" or item["filter"] or item["order_bys"]["orders"] or len(item["arguments"]) != 1:
        return False
    name = folded(item["function_name"])
    is_one = name in ("min", "max") or (name == "count" and item["distinct"])
    return bool(is_one and item["arguments"][0]["expression"]["type"] == "COLUMN_REF")


def _counted_apart(node: Node, tables: Tables) -> Node | None:
    """The columns are shown by a SELECT DISTINCT under the name of their table, so nothing above it has to change."""
    columns = {_path(item): item for item in (one["arguments"][0]["expression"] for one in node["select_list"])}
    names = {path[0] if len(path) == 2 else "" for path in columns}
    if len(names) != 1 or names == {""}:
        return None
    modifiers = [{"type": "DISTINCT_MODIFIER", "distinct_on_targets": []}]
    below = _Select({**node, "select_list": list(columns.values()), "modifiers": modifiers}, tables).apart()
    return below and {**node, "from_table": _derived(below, names.pop()), "where_clause": None}


def _path(column: Node) -> tuple[str, ...]:
    return tuple(folded(name) for name in column["column_names"])


@dataclass(frozen=True)
class _Part:
    """A condition and the tables of the FROM that it speaks of."""

    condition: Node
    names: Names


class _Select:
    """One SELECT DISTINCT; raises _Unsure where its form is not the one of which the rules hold."""

    def __init__(self, node: Node, tables: Tables) -> None:
        self._node = node
        listed = _listed(node["from_table"])
        self._sources = {_name_of(table): table for table in listed}
        # One name for two tables: which of them a column means is not certain.
        if len(self._sources) != len(listed):
            raise _Unsure
        self._columns = {name: _columns_of(table, tables) for name, table in self._sources.items()}
        if _aliases(node) & {path[0] for path, _ in _column_paths(node["where_clause"]) if len(path) == 1}:
            raise _Unsure
        self._shown = self._names_in(node["select_list"])

    def apart(self) -> Node | None:
        """The UNION of its branches, or None if its tables hang together without an OR."""
        parts = [self._part(one) for one in _conjuncts(self._node["where_clause"])]
        ties = _groups(self._sources, [one.names for one in parts if not _is_or(one.condition)])
        # Tables that hold together without the OR are joined by DuckDB in good time.
        if len(ties) == 1:
            return None
        branches = [self._branch(branch) for branch in self._branches(parts, ties)]
        return branches[0] if len(branches) == 1 else {**_UNION, "children": branches}

    def _branches(self, parts: Sequence[_Part], ties: Sequence[Names]) -> list[list[_Part]]:
        """The WHERE as alternatives, each a list of conditions; an OR within one group of tables stays as it is."""
        choices = [self._choices(part, ties) for part in parts]
        count = 1
        for choice in choices:
            count *= len(choice)
        if count > _MOST_BRANCHES:
            raise _Unsure
        return [[part for chosen in branch for part in chosen] for branch in product(*choices)]

    def _choices(self, part: _Part, ties: Sequence[Names]) -> list[list[_Part]]:
        if not _is_or(part.condition) or sum(bool(part.names & tied) for tied in ties) < 2:
            return [[part]]
        sides = [[self._part(one) for one in _conjuncts(side)] for side in part.condition["children"]]
        return [branch for side in sides for branch in self._branches(side, ties)]

    def _branch(self, parts: Sequence[_Part]) -> Node:
        """The SELECT of one alternative: tables that are not tied to what is shown need only have rows."""
        groups = _groups(self._sources, [self._shown, *(one.names for one in parts)])
        conditions: list[Node] = []
        kept: list[str] = []
        for group in groups:
            branch_conditions = [
                one.condition for one in parts if one.names & group or (not one.names and group & self._shown)
            ]
            names = [name for name in self._sources if name in group]
            if group & self._shown:
                kept, conditions = names, [*branch_conditions, *conditions]
            else:
                conditions.append(_exists(self._select(names, branch_conditions)))
        return self._select(kept, conditions, self._node)

    def _select(self, names: Sequence[str], conditions: Sequence[Node], like: Node | None = None) -> Node:
        like = like or {**self._node, "select_list": [_ONE], "modifiers": []}
        sources = [self._sources[name] for name in names]
        return {**like, "from_table": _crossed(sources), "where_clause": _all_of(conditions)}

    # -- which tables a condition speaks of ----------------------------------------------------------------

    def _part(self, condition: Node) -> _Part:
        return _Part(condition, self._names_in(condition))

    def _names_in(self, node: Any) -> Names:
        """All tables that it may speak of. Inside a nested SELECT a name may be meant otherwise; then it is one too
        many, and what is tied once more is only tied more firmly."""
        return frozenset(name for path, nested in _column_paths(node) for name in self._meant(path, nested))

    def _meant(self, path: tuple[str, ...], nested: bool) -> list[str]:
        if len(path) == 1:
            tables = [name for name, columns in self._columns.items() if path[0] in columns]
            if not nested and len(tables) != 1:
                raise _Unsure
            return tables
        if len(path) == 2 and (nested or path[0] in self._sources):
            return [path[0]] if path[0] in self._sources else []
        raise _Unsure


def _column_paths(node: Any, nested: bool = False) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The names of each column in lower case, and whether it stands in a nested SELECT."""
    if isinstance(node, list):
        for part in node:
            yield from _column_paths(part, nested)
    elif isinstance(node, dict):
        if node.get("type") == "COLUMN_REF":
            yield _path(node), nested
        # A star names columns of all tables, and dropping one table would drop its columns.
        if node.get("type") == "STAR" and not nested:
            raise _Unsure
        for part in node.values():
            yield from _column_paths(part, nested or node.get("type") == "SELECT_NODE")


def _aliases(node: Node) -> set[str]:
    """Names that are given to what is shown; DuckDB lets a WHERE use them."""
    return {folded(item["alias"]) for item in node["select_list"] if item["alias"]}


def _listed(source: Node) -> list[Node]:
    """The tables of a FROM that lists them with commas."""
    if source["type"] == "JOIN" and source["ref_type"] == "CROSS" and source["condition"] is None:
        return [*_listed(source["left"]), *_listed(source["right"])]
    if source["type"] != "BASE_TABLE" or source["sample"] or source["column_name_alias"] or source["at_clause"]:
        raise _Unsure
    return [source]


def _name_of(table: Node) -> str:
    name: str = table["alias"] or table["qualified_name"]["path"][-1]
    return folded(name)


def _columns_of(table: Node, tables: Tables) -> frozenset[str]:
    name = folded(table["qualified_name"]["path"][-1])
    if name not in tables:
        raise _Unsure
    return frozenset(tables[name])


def _conjuncts(condition: Node) -> list[Node]:
    if condition["type"] != "CONJUNCTION_AND":
        return [condition]
    return [one for child in condition["children"] for one in _conjuncts(child)]


def _is_or(condition: Node) -> bool:
    return bool(condition["type"] == "CONJUNCTION_OR")


def _groups(names: Iterable[str], ties: Iterable[Names]) -> list[Names]:
    """The names in groups: together if a tie, or a chain of ties, holds them together."""
    groups = [frozenset((name,)) for name in names]
    for tie in ties:
        tied = [group for group in groups if group & tie]
        if len(tied) > 1:
            groups = [group for group in groups if not group & tie] + [frozenset().union(*tied)]
    return groups


# -- pieces of DuckDB's tree -------------------------------------------------------------------------------

_HERE = {"alias": "", "query_location": 0, "query_location_length": 0}
_ONE: Node = {"class": "CONSTANT", "type": "VALUE_CONSTANT", **_HERE, "literal": {"kind": "INTEGER", "text": "1"}}
_UNION: Node = {
    "type": "SET_OPERATION_NODE", "modifiers": [], "cte_map": {"map": []},
    "setop_type": "UNION", "left": None, "right": None, "setop_all": False,
}  # fmt: skip


def _crossed(sources: Sequence[Node]) -> Node:
    first, *others = sources
    for other in others:
        first = {
            "type": "JOIN", **_HERE, "sample": None, "left": first, "right": other, "condition": None,
            "join_type": "INNER", "ref_type": "CROSS", "using_columns": [], "delim_flipped": False,
            "duplicate_eliminated_columns": [], "is_implicit": True,
        }  # fmt: skip
    return first


def _all_of(conditions: Sequence[Node]) -> Node | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return {"class": "CONJUNCTION", "type": "CONJUNCTION_AND", **_HERE, "children": list(conditions)}


def _derived(select: Node, name: str) -> Node:
    subquery = {"node": select, "named_param_map": []}
    return {"type": "SUBQUERY", **_HERE, "alias": name, "sample": None, "subquery": subquery, "column_name_alias": []}


def _exists(select: Node) -> Node:
    return {
        "class": "SUBQUERY", "type": "SUBQUERY", **_HERE, "subquery_type": "EXISTS",
        "subquery": {"node": select, "named_param_map": []}, "child": None, "comparison_type": "INVALID",
    }  # fmt: skip
