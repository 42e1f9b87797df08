"""Gold tables with one column rotated by a row: which evaluators accept them? All of them are wrong.

python bench/rotated_columns.py

The tables are the answered examples of the bundled domains. Two evaluators of the kind in use are beside ours: one
finds for each gold column a predicted column with the same values, the other sorts all cells of both tables.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from curtain.cas import Options, Relation, RowRule, compare, parse

EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "sample_db").glob("*/examples.jsonl"))


def gold_tables() -> Iterator[Relation]:
    """The distinct tables of two or more columns and rows among the answers."""
    lines = [json.loads(line) for path in EXAMPLES for line in path.read_text("utf-8").splitlines()]
    for text in dict.fromkeys(line["answer"] for line in lines if line.get("answer")):
        table = parse(text)
        if isinstance(table, Relation) and table.width > 1 and table.height > 1:
            yield table


def rotations(gold: Relation) -> Iterator[Relation]:
    """The table with each column in turn rotated by one row, where that makes another set of rows."""
    for place, column in enumerate(gold.columns):
        rotated = Relation((*gold.columns[:place], column[1:] + column[:1], *gold.columns[place + 1 :]))
        if set(rotated.rows()) != set(gold.rows()):
            yield rotated


def same_columns(predicted: Relation, gold: Relation) -> bool:
    """Whether each gold column has the values of some predicted column."""
    columns = {tuple(sorted(column)) for column in predicted.columns}
    return all(tuple(sorted(column)) in columns for column in gold.columns)


def same_cells(predicted: Relation, gold: Relation) -> bool:
    """Whether both tables have the same cells, sorted."""
    return sorted(sum(predicted.columns, ())) == sorted(sum(gold.columns, ()))


def _reversed(table: Relation) -> Relation:
    return Relation(table.columns[::-1])


def main() -> None:
    pairs = [(rotated, gold) for gold in gold_tables() for rotated in rotations(gold)]
    print(f"{len({gold for _, gold in pairs})} gold tables, {len(pairs)} rotations, all wrong; accepted:")
    for rule in RowRule:
        accepted = sum(bool(compare(_reversed(one), _reversed(gold), options=Options(rule))) for one, gold in pairs)
        accepted += sum(bool(compare(one, gold, options=Options(rule))) for one, gold in pairs)
        print(f"  this Comparator, {rule.value:<9} {accepted}, columns as they are and reversed")
    print(f"  same columns      {sum(same_columns(rotated, gold) for rotated, gold in pairs)}")
    print(f"  same sorted cells {sum(same_cells(rotated, gold) for rotated, gold in pairs)}")


if __name__ == "__main__":
    main()
