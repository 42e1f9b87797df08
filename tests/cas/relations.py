"""Random small tables to compare: ties, duplicates, NIL, reals at the edge of the tolerance, extra columns, maxima.

Cells are written as in an answer: `"a"`, `5`, `5.0`, `TRUE`, `NIL`; infinity as the Comparator holds it.
"""

from decimal import Decimal
from random import Random

from curtain.cas import Relation

from . import literal

Table = list[list[str]]

POOLS = (
    ('"a"', '"b"'),
    ('"a"', '"b"', '"c"', "NIL"),
    ("TRUE", "FALSE"),
    ("0", "1"),
    ("1", "2", "3", "NIL"),
    ("10000", "10001", "10000.0", "10001.0", "10002.0", "9999.0", "9999", "10000.5", "NIL"),
    ("0.0", "0", "0.00001", "1.0", "-1.0"),
    ("1.0", "1.0001", "1.0002", "1.0003", "1.00005", "1.00015"),
    ("1000.0", "1000.1", "1000.2", "NIL"),
    ("10000.0", "9999.0", "9998.9999", "10001.0", "10001.0001"),
    ("5.0", "7.0", "5.0004", "7.0006", "5.0005", "5.00051"),
    ("-10000.0", "-9999.0", "-10001.0", "-9998.9"),
    ("9.99", "24.5", "9.94"),
)
# What no text of the notation can say.
ODD_POOLS = (("{float: inf}", "10000.0", "10000.5", "NIL"), ("{float: nan}", "{float: -inf}", "1.0", "1.0001"))
TEXT_POOLS = (
    ('"a"', '"A"', '"b"'), ('"5"', '"5.0"', "5", "5.0004", '".5"', "0.5"), ('"10000.0"', '"10000.5"', '"x"', '"X"'),
    ("10000.0", '"10000.5"', '"1e4"', "10001", '"10001"'),
)  # fmt: skip
MIXED_POOLS = (('"a"', "5", "5.0", "5.0001"), ("10000.0", '"10000.5"', "TRUE"), ("{float: inf}", '"a"', "1.0"))
FACTORS = ("1", "1.0001", "0.9999", "1.00009", "0.99991", "1.00011", "0.9998")


def question(rng: Random, pools: tuple[tuple[str, ...], ...] = POOLS) -> tuple[Table, Table, Table | None]:
    """A reference, a hypothesis that is often nearly right, and sometimes a maximum."""
    width, extra = rng.randint(1, 3), rng.choice((0, 0, 1, 1, 2))
    chosen = [rng.choice(pools)] * width if rng.random() < 0.4 else [rng.choice(pools) for _ in range(width)]
    more = [rng.choice((*chosen, rng.choice(pools))) for _ in range(extra)]
    reference = [[rng.choice(pool) for pool in chosen] for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.15:
        hypothesis = [[rng.choice(pool) for pool in (*chosen, *more)] for _ in range(rng.randint(1, 5))]
    else:
        hypothesis = _derived(reference, (*chosen, *more), width, rng)
    maximum = _maximum(hypothesis, rng) if rng.random() < 0.35 else None
    return reference, permuted(hypothesis, rng), maximum


def _derived(reference: Table, pools: tuple[tuple[str, ...], ...], width: int, rng: Random) -> Table:
    """The reference's rows, some twice, reals a little off, with the extra columns; now and then one cell off."""
    again = rng.choice(((1,), (1, 1, 2)))
    table = [
        [*(nearly(cell, rng) for cell in row), *(rng.choice(pool) for pool in pools[width:])]
        for row in reference
        for _ in range(rng.choice(again))
    ]
    if rng.random() < 0.3:
        row, column = rng.randrange(len(table)), rng.randrange(len(pools))
        table[row][column] = rng.choice(pools[column])
    if rng.random() < 0.3:
        # Each column keeps its values, but not its rows.
        column = rng.randrange(width)
        for row, cell in zip(table, rng.sample([row[column] for row in table], len(table)), strict=True):
            row[column] = cell
    return table


def _maximum(hypothesis: Table, rng: Random) -> Table:
    more = [rng.choice(POOLS) for _ in range(rng.choice((0, 1)))]
    rows = hypothesis + hypothesis[: rng.randint(0, 2)]
    table = [[*(nearly(cell, rng) for cell in row), *(rng.choice(pool) for pool in more)] for row in rows]
    if rng.random() < 0.25 and len(table[0]) > 1:
        table = [row[:-1] for row in table]
    return permuted(table, rng)


def nearly(cell: str, rng: Random) -> str:
    """The same cell; of a real often another one near or at the edge of the tolerance."""
    if cell[0] in '"{' or "." not in cell or rng.random() < 0.4:
        return cell
    return format(Decimal(cell) * Decimal(rng.choice(FACTORS)), "f")


def permuted(table: Table, rng: Random, rows_too: bool = True) -> Table:
    """Columns, and mostly rows, in another order."""
    order = rng.sample(range(len(table[0])), len(table[0]))
    rows = [[row[column] for column in order] for row in table]
    if rows_too:
        rng.shuffle(rows)
    return rows


def relation(table: Table) -> Relation:
    """The table as an answer."""
    return Relation(tuple(zip(*(map(normal, row) for row in table), strict=True)), mixes_types=True)


def normal(cell: str) -> str:
    """A cell in normal form."""
    if cell[0] in '"{' or "." not in cell:
        return cell
    whole, _, fraction = cell.partition(".")
    digits = f"{whole}.{fraction.rstrip('0') or '0'}"
    return digits.removeprefix("-") if Decimal(digits) == 0 else digits


def literal_table(table: Table) -> literal.Table:
    """The table as the literal rules want it."""
    return [tuple(map(literal_cell, row)) for row in table]


def literal_cell(cell: str) -> literal.Cell:
    """One cell as a pair of type and value."""
    if cell[0] == '"':
        return "string", cell[1:-1]
    if cell[0] == "{":
        return "odd", cell
    if cell in ("TRUE", "FALSE"):
        return "boolean", cell == "TRUE"
    if cell == "NIL":
        return "NIL", None
    return ("real" if "." in cell else "integer"), Decimal(cell)
