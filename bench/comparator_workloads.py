"""Answers to compare, made from a fixed seed: ordinary tables, tables without any hold, reals, small answers, and the
answers of the examples that come with the bundled databases."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from curtain.cas import Relation, from_rows, parse, write

Row = tuple[object, ...]
Table = list[Row]


@dataclass(frozen=True)
class Workload:
    """Pairs of texts to compare, and the verdicts that are right by construction (None: not known)."""

    part: str
    name: str
    pairs: Sequence[tuple[str, str]]
    expected: Sequence[bool | None]


def pair(part: str, name: str, reference: Table, hypothesis: Table, expected: bool | None) -> Workload:
    """One comparison; rows and columns of the hypothesis are shuffled here."""
    rng = random.Random(f"{part} {name}")
    shuffled = permuted(hypothesis, rng)
    return Workload(part, name, [(write(from_rows(reference)), write(from_rows(shuffled)))], [expected])


def permuted(table: Table, rng: random.Random) -> Table:
    """The same table with rows and columns in another order."""
    order = rng.sample(range(len(table[0])), len(table[0]))
    rows = [tuple(row[column] for column in order) for row in table]
    rng.shuffle(rows)
    return rows


# (a) ordinary tables


def ordinary(
    sizes: Sequence[int] = (10, 1_000, 100_000), widths: Sequence[int] = (1, 3, 6, 10, 14, 20)
) -> Iterator[Workload]:
    """Numbers, names, codes, flags; permuted; without and with 4 more columns that multiply the rows."""
    for rows in sizes:
        for width in widths:
            for extra in (0, 4):
                rng = random.Random(rows * 100 + width)
                reference = ordinary_table(rows, width, rng)
                hypothesis = with_extra(reference, extra, rng) if extra else reference
                yield pair("a", f"{rows:>7,} x {width:>2} + {extra}", reference, hypothesis, True)


def unmatched() -> Workload:
    """A thousand tables of 10 x 20 that are wrong in one cell."""
    rng = random.Random(20)
    tables = [ordinary_table(10, 20, rng) for _ in range(1_000)]
    texts = [(write(from_rows(one)), write(from_rows(permuted(_one_cell_off(one), rng)))) for one in tables]
    return Workload("a", "1,000 of 10 x 20, one cell off", texts, [False] * len(texts))


def large(rows: int) -> Iterator[Workload]:
    """One ordinary table and one of reals, six columns wide."""
    yield next(ordinary([rows], [6]))
    yield from (one for one in reals(rows) if "reals, inside" in one.name and "x 6" in one.name)


def ordinary_table(rows: int, width: int, rng: random.Random) -> Table:
    cities = ["".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=3)) for _ in range(40)]
    names = ["".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=9)) for _ in range(max(20, rows // 3))]
    kinds = [
        lambda row: 100_000 + row,
        lambda row: rng.choice(names),
        lambda row: rng.choice(cities),
        lambda row: rng.randrange(2400),
        lambda row: rng.choice(["YES", "NO"]),
        lambda row: None if rng.random() < 0.1 else rng.randrange(10_000),
        lambda row: f"{rng.randrange(10**7):07}",
    ]
    return [tuple(kinds[column % len(kinds)](row) for column in range(width)) for row in range(rows)]


def with_extra(table: Table, extra: int, rng: random.Random) -> Table:
    """Each row one to three times, with other values in the extra columns."""

    def more() -> Row:
        values = (rng.randrange(50), rng.choice("ABCDEFG"), rng.randrange(10**6), rng.choice(["YES", "NO"]))
        return tuple(values[column % 4] for column in range(extra))

    return [row + more() for row in table for _ in range(rng.randint(1, 3))]


# (b) columns that nothing distinguishes


def without_hold(rows: int = 1_000, width: int = 20, extra: int = 4) -> Iterator[Workload]:
    """Tables whose columns look alike: each once as it should be and once with one cell off."""
    for name, reference, hypothesis in _alike(rows, width, extra):
        yield pair("b", f"{name}, matching", reference, hypothesis, True)
        yield pair("b", f"{name}, one cell off", _one_cell_off(reference), hypothesis, None)
    yield from _graphs()


def _alike(rows: int, width: int, extra: int) -> Iterator[tuple[str, Table, Table]]:
    rng = random.Random(rows + width)
    choices: dict[str, Sequence[object]] = {"bits": (0, 1), "five strings": ("A", "B", "C", "D", "E")}
    for name, values in choices.items():
        wide = [tuple(rng.choice(values) for _ in range(width + extra)) for _ in range(rows)]
        reference = [row[:width] for row in wide]
        yield name, reference, reference
        yield f"{name} + {extra}", reference, wide
        doubled = [row[:width] + tuple(rng.choice(values) for _ in range(extra)) for row in wide for _ in range(2)]
        yield f"{name} + {extra}, fanned out", reference, doubled
    columns = [rng.sample(range(rows), rows) for _ in range(width + extra)]
    ids = list(zip(*columns, strict=True))
    yield f"permuted ids + {extra}", [row[:width] for row in ids], ids
    hot = [tuple(int(column == row % (width + extra)) for column in range(width + extra)) for row in range(rows)]
    yield f"one-hot + {extra}", [row[:width] for row in hot], hot
    equal = [(row % 100,) * (width + extra) for row in range(rows)]
    yield f"all equal + {extra}", [row[:width] for row in equal], equal


def _one_cell_off(table: Table) -> Table:
    """One cell of the first row takes the value of another row, if there is another value."""
    for column in range(len(table[0])):
        for row in table:
            if row[column] != table[0][column]:
                changed = (*table[0][:column], row[column], *table[0][column + 1 :])
                return [changed, *table[1:]]
    return table


Edges = list[tuple[int, int]]


def _graphs() -> Iterator[Workload]:
    rook = _graph(16, lambda one, two: (one // 4 == two // 4) != (one % 4 == two % 4))
    shrikhande = _graph(16, _is_shrikhande)
    paley = _graph(17, lambda one, two: (one - two) % 17 in {1, 2, 4, 8, 9, 13, 15, 16})
    yield pair("b", "strongly regular 17, matching", _incidence(17, paley), _incidence(17, paley), True)
    yield pair("b", "strongly regular 16, matching", _incidence(16, rook), _incidence(16, rook), True)
    yield pair("b", "strongly regular 16, the other one", _incidence(16, rook), _incidence(16, shrikhande), False)
    octads = _octads()
    yield pair("b", "Steiner system 24, matching", octads, octads, True)
    yield pair("b", "Steiner system 24, one cell off", _one_cell_off(octads), octads, False)
    yield from _cliques()


def _cliques() -> Iterator[Workload]:
    """Is there a clique of q in the graph? The comparison answers it, which is why it is hard in principle."""
    rng = random.Random(7)
    clique = set(rng.sample(range(24), 10))
    planted = _graph(24, lambda one, two: {one, two} <= clique or rng.random() < 0.5)
    turan = _graph(30, lambda one, two: one % 9 != two % 9)
    for name, vertices, edges, expected in (("planted", 24, planted, True), ("none", 30, turan, False)):
        complete = _with_units(10, list(combinations(range(10), 2)))
        yield pair("b", f"clique of 10, {name}", complete, _with_units(vertices, edges), expected)


def _graph(vertices: int, joined: Callable[[int, int], bool]) -> Edges:
    return [edge for edge in combinations(range(vertices), 2) if joined(*edge)]


def _is_shrikhande(one: int, two: int) -> bool:
    step = ((one // 4 - two // 4) % 4, (one % 4 - two % 4) % 4)
    return step in {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}


def _incidence(vertices: int, edges: Edges) -> Table:
    return [tuple(int(vertex in edge) for vertex in range(vertices)) for edge in edges]


def _with_units(vertices: int, edges: Edges) -> Table:
    units = [tuple(int(vertex == one) for vertex in range(vertices)) for one in range(vertices)]
    return [*_incidence(vertices, edges), *units, (0,) * vertices]


def _octads() -> Table:
    """The 759 blocks of the Steiner system S(5, 8, 24): the words of weight 8 of the binary Golay code."""
    words = [word for word in map(_golay_word, range(1 << 12)) if word.bit_count() == 8]
    assert len(words) == 759
    return [tuple(word >> bit & 1 for bit in range(24)) for word in words]


def _golay_word(number: int) -> int:
    """The extended Golay code: 12 bits, 11 check bits of the polynomial 0xC75, and a parity bit."""
    word = number << 11
    for bit in range(22, 10, -1):
        if word >> bit & 1:
            word ^= 0xC75 << (bit - 11)
    word |= number << 11
    return word << 1 | word.bit_count() & 1


# (c) reals


def reals(rows: int = 100_000, width: int = 6) -> Iterator[Workload]:
    """Numbers off by less than the tolerance, by all of it, and in chains where each is close to the next."""
    rng = random.Random(rows)
    plain = [tuple(round(rng.uniform(1, 1000), 4) for _ in range(width)) for _ in range(rows)]
    keyed = [(row, *values[1:]) for row, values in enumerate(plain)]
    prices = [tuple(rng.randrange(20, 900) / 1.0 for _ in range(width)) for _ in range(rows)]
    chain = [tuple(round(1000 + rng.randrange(rows) / 100, 2) for _ in range(width)) for _ in range(rows)]
    size = f"{rows:,} x {width}"
    for name, table in (("reals", plain), ("reals with a key", keyed), ("prices", prices), ("chains", chain)):
        yield pair("c", f"{size} {name}, as they are", table, table, True)
        yield pair("c", f"{size} {name}, inside", table, _off(table, 0.00009, rng), True)
        if name != "chains":
            yield pair("c", f"{size} {name}, one outside", table, _one_outside(_off(table, 0.00005, rng)), None)
    edge = [tuple(float(rng.randrange(1, 9000) * 10_000) for _ in range(width)) for _ in range(rows)]
    at_edge = [tuple(value + rng.choice((-1, 1)) * value / 10_000 for value in row) for row in edge]
    yield pair("c", f"{size} reals, at the edge", edge, at_edge, True)
    one = [(row[0],) for row in plain]
    yield pair("c", f"{rows:,} x 1 reals, inside", one, _off(one, 0.00009, rng), True)


def _off(table: Table, most: float, rng: random.Random) -> Table:
    def off(value: object) -> object:
        return round(value * (1 + rng.uniform(-most, most)), 6) if isinstance(value, float) else value

    return [tuple(map(off, row)) for row in table]


def _one_outside(table: Table) -> Table:
    first = table[0]
    return [tuple(value * 1.0003 if isinstance(value, float) else value for value in first), *table[1:]]


# (d) small answers in bulk


def small(count: int = 5_000) -> Workload:
    """Answers as people's questions about flights and staff have them: mostly one column, few rows."""
    rng = random.Random(count)
    pairs, expected = zip(*(_small_pair(rng) for _ in range(count)), strict=True)
    return Workload("d", f"{count:,} small answers", pairs, expected)


def _small_pair(rng: random.Random) -> tuple[tuple[str, str], bool | None]:
    reference = _small_table(rng)
    fate = rng.random()
    hypothesis = permuted(reference, rng)
    if fate < 0.35 and len(reference) > 1:
        hypothesis = permuted([(*row, rng.randrange(2400), rng.choice("ABCFQY")) for row in reference], rng)
    elif fate > 0.75:
        hypothesis = permuted(reference[1:] or _small_table(rng), rng)
    return (write(from_rows(reference)), write(from_rows(hypothesis))), None if fate > 0.75 else True


def _small_table(rng: random.Random) -> Table:
    kind = rng.random()
    rows = rng.choice((1, 1, 2, 3, 4, 6, 8, 12, 20, 35))
    if kind < 0.55:
        return [(100_000 + rng.randrange(9000),) for _ in range(rows)]
    if kind < 0.65:
        return [(rng.randrange(500),)]
    if kind < 0.72:
        return [(round(rng.uniform(50, 900), 2),)]
    if kind < 0.85:
        return [
            (rng.choice(["AA", "DL", "UA", "CO", "US"]), rng.randrange(2000), rng.randrange(2400)) for _ in range(rows)
        ]
    if kind < 0.93:
        return [(float(rng.randrange(100, 900)), rng.choice(["Y", "F", "Q", "B"])) for _ in range(rows)]
    return [(rng.choice(["BOSTON", "DENVER", "ATLANTA", "DALLAS", "OAKLAND"]),) for _ in range(rows)]


def answered(count: int = 5_000) -> Workload:
    """Tables of two or more columns that the examples of the bundled databases have as answers, and what systems make
    of them: the same in another order, with more columns, with a row lost, with a column that moved by a row, or the
    answer to another question."""
    rng = random.Random(count)
    tables = sorted(_answers_of_examples(), key=repr)
    pairs, expected = zip(*(_answered_pair(tables, rng) for _ in range(count)), strict=True)
    return Workload("e", f"{count:,} answers of {len(tables)} examples", pairs, expected)


def _answers_of_examples() -> set[tuple[Row, ...]]:
    files = (Path(__file__).resolve().parent.parent / "sample_db").glob("*/examples.jsonl")
    texts = (json.loads(line).get("answer") for file in files for line in file.read_text("utf-8").splitlines())
    answers = (parse(text) for text in texts if text)
    return {
        tuple(map(tuple, answer.values())) for answer in answers if isinstance(answer, Relation) and answer.width > 1
    }


def _answered_pair(tables: Sequence[Sequence[Row]], rng: random.Random) -> tuple[tuple[str, str], bool | None]:
    reference = list(rng.choice(tables))
    fate = rng.randrange(5)
    hypothesis: Table = reference
    if fate == 1:
        hypothesis = [(*row, rng.randrange(2400), rng.choice("ABCFQY")) for row in reference]
    elif fate == 2:
        hypothesis = reference[1:] or reference
    elif fate == 3:
        hypothesis = [
            (last, *row[1:]) for (last, *_), row in zip([*reference[1:], reference[0]], reference, strict=True)
        ]
    elif fate == 4:
        hypothesis = list(rng.choice(tables))
    texts = write(from_rows(reference)), write(from_rows(permuted(hypothesis, rng)))
    return texts, True if fate < 2 else None
