"""Each reader of a query by its own sentences about the bikes, in `cases/readers.cases`.

A block names the reader, the table that is asked about, and a sentence; then what the reader puts into an empty sketch,
and the words that this explains. Without a table the two lines are the sketch before and behind the reader.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from curtain.domain.pack.pack import Pack, database
from curtain_drafts.tool.algebra.query import key_of
from curtain_drafts.tool.grammar.graph import Graph, Sketch
from curtain_drafts.tool.grammar.mentions import Line
from curtain_drafts.tool.grammar.projection import READERS, find_root
from curtain_drafts.tool.language.lexicon import load_lexicon
from curtain_drafts.tool.language.recognise import Recogniser

Read = Callable[[str], Line]
Reader = Callable[[Line, Sketch], Sketch]
BY_NAME: dict[str, Reader] = {reader.__name__: reader for reader in READERS}
CASES = Path(__file__).parents[1] / "cases" / "readers.cases"


def cases() -> Iterator[tuple[Reader, str, str, str, str]]:
    """The blocks of the file: reader, table (empty to start from what the readers before it found), sentence, and two
    lines about it."""
    lines = [line for line in CASES.read_text("utf-8").splitlines() if line]
    for heading, first, second in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        head, _, sentence = heading.partition(": ")
        name, _, table = head.partition(", ")
        yield BY_NAME[name], table, sentence, first.strip(" -"), second.strip(" -")


ALONE = [(reader, *row) for reader, *row in cases() if row[0]]
IN_TURN = [(reader, *row) for reader, table, *row in cases() if not table]


@pytest.fixture(scope="module")
def read(bikes: Pack) -> Read:
    """A sentence about the bikes as a line."""
    pack = replace(bikes, yes_no="boolean", as_of=date(2020, 6, 1))
    lexicon = load_lexicon(pack, database(pack))
    graph = Graph(pack, lexicon.words)
    recogniser = Recogniser(lexicon, pack.as_of, names=graph.names)
    return lambda sentence: Line(recogniser.read(sentence), graph)


@pytest.mark.parametrize(("reader", "table", "sentence", "found", "words"), ALONE)
def test_a_reader_finds_its_part_of_a_sentence(
    read: Read, reader: Reader, table: str, sentence: str, found: str, words: str
) -> None:
    line = read(sentence)
    sketch = reader(line, Sketch(table))
    assert in_words(sketch) == "; ".join(filter(None, [found, f"of {table}"]))
    assert " ".join(line.words[at] for at in sorted(sketch.words)) == words


@pytest.mark.parametrize(("reader", "sentence", "before", "after"), IN_TURN)
def test_a_reader_goes_on_from_what_those_before_it_found(
    read: Read, reader: Reader, sentence: str, before: str, after: str
) -> None:
    line = read(sentence)
    sketch = Sketch(find_root(line))
    for earlier in READERS[: READERS.index(reader)]:
        sketch = earlier(line, sketch)
    assert in_words(sketch) == before
    assert in_words(reader(line, sketch)) == after


@pytest.mark.parametrize(("sentence", "root"), [("which customers rented bikes", "customers"), ("thank you", "")])
def test_a_query_is_about_the_likeliest_table(read: Read, sentence: str, root: str) -> None:
    assert find_root(read(sentence)) == root


def test_every_reader_has_its_sentences() -> None:
    assert {reader for reader, *_ in cases()} == set(READERS)


def in_words(sketch: Sketch) -> str:
    """A sketch in one line."""
    parts = [f"show {key_of(one)}" for one in sketch.items]
    parts += [*map(key_of, sketch.conditions), *(f"by {key_of(one)}" for one in sketch.group)]
    parts += [*["distinct"] * sketch.distinct, *["yes or no"] * sketch.yes_no]
    return "; ".join([*parts, f"of {sketch.root}"])
