"""Whether an empty answer is empty because the question presupposes what is not so (papers/000, section 3.3).

“List the female managers who make more than $50000”: sex and being a manager name what is asked about, the salary is
asked of it. If nothing is left without the salary either, no manager is female, and the noun phrase refers to nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from curtain.base.sql_names import folded
from curtain.cas.values import FAILURES

Node = dict[str, Any]
CONTINGENT, NECESSARY = FAILURES
_MOST_CONDITIONS = 12
_ASKED_OF_IT = {
    "COMPARE_GREATERTHAN", "COMPARE_LESSTHAN", "COMPARE_GREATERTHANOREQUALTO", "COMPARE_LESSTHANOREQUALTO",
    "COMPARE_NOTEQUAL", "COMPARE_BETWEEN", "OPERATOR_NOT", "COMPARE_NOT_IN",
}  # fmt: skip


def failure_of(statement: Node, any_row: Callable[[Node], bool]) -> tuple[str, Sequence[Node]]:
    """The failure that an empty SELECT may show, empty if none, and the conditions without which it is as empty.

    `any_row` runs a tree and says whether it has rows. A failure is necessary if one column would have two values.
    """
    node = statement["node"]
    where = node.get("where_clause")
    if node.get("type") != "SELECT_NODE" or not where or node.get("group_expressions") or node.get("having"):
        return "", ()
    conditions = list(_conditions(where))
    filters = [one for one in conditions if not _joins(one)]
    if not 1 < len(filters) <= _MOST_CONDITIONS:
        return "", ()
    if _contradicts(filters):
        return NECESSARY, ()
    asked = [one for one in filters if one["type"] in _ASKED_OF_IT]
    # Where nothing but names of things is there, each of them may be what is asked of the others.
    for dropped in [asked] if 0 < len(asked) < len(filters) else [[one] for one in filters]:
        kept = [one for one in conditions if not any(one is other for other in dropped)]
        if not any_row({**statement, "node": {**node, "where_clause": _all_of(kept)}}):
            return CONTINGENT, dropped
    return "", ()


def _conditions(node: Node) -> Iterator[Node]:
    if node["type"] == "CONJUNCTION_AND":
        for child in node["children"]:
            yield from _conditions(child)
    else:
        yield node


def _joins(node: Node) -> bool:
    """A column compared with another one ties tables together; without it every row would meet every other one."""
    return bool(node["class"] == "COMPARISON" and node["left"]["type"] == node["right"]["type"] == "COLUMN_REF")


def _all_of(conditions: Sequence[Node]) -> Node | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return {"class": "CONJUNCTION", "type": "CONJUNCTION_AND", "alias": "", "children": list(conditions)}


def _contradicts(conditions: Sequence[Node]) -> bool:
    """Whether one column is to have two values at once: “the female men”."""
    values: dict[tuple[str, ...], set[str]] = {}
    for condition in conditions:
        if condition["type"] == "COMPARE_EQUAL":
            sides = {side["type"]: side for side in (condition["left"], condition["right"])}
            if sides.keys() == {"COLUMN_REF", "VALUE_CONSTANT"}:
                column = tuple(map(folded, sides["COLUMN_REF"]["column_names"]))
                constant = {key: part for key, part in sides["VALUE_CONSTANT"].items() if not key.startswith("query")}
                values.setdefault(column, set()).add(str(constant))
    return any(len(several) > 1 for several in values.values())
