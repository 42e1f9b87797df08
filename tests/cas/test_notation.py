"""Reading and writing: every answer survives the way there and back, and errors name their place."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.cas import (
    NIL,
    NO_ANSWER,
    Alternatives,
    CasError,
    NoAnswer,
    Relation,
    Scalar,
    from_rows,
    from_value,
    parse,
    write,
)

DIALECTS = ("1989", "1990", "1992")

strings = st.text(st.characters(exclude_characters='"\0')).map(str)
numbers = st.one_of(st.integers(), st.decimals(allow_nan=False, allow_infinity=False, places=4))
kinds = st.sampled_from((strings, numbers, st.booleans()))


@st.composite
def relations(draw: st.DrawFn, dialect: str) -> Relation:
    columns = [st.one_of(st.none(), draw(kinds)) for _ in range(draw(st.integers(1, 4)))]
    return from_rows(draw(st.lists(st.tuples(*columns), max_size=5)), dialect)


def singles(dialect: str) -> st.SearchStrategy[Scalar | Relation | NoAnswer]:
    values = st.one_of(st.none(), strings, numbers, st.booleans())
    scalars = values.map(lambda value: from_value(value, dialect))
    found: list[st.SearchStrategy[Scalar | Relation | NoAnswer]] = [relations(dialect), scalars]
    return st.one_of(found if dialect == "1989" else [*found, st.just(NO_ANSWER)])


def answers(dialect: str) -> st.SearchStrategy[object]:
    if dialect != "1992":
        return singles(dialect)
    several = st.lists(singles(dialect), min_size=2, max_size=4)
    return st.one_of(singles(dialect), several.map(lambda found: Alternatives(tuple(found))))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_answer_survives_being_written_and_read(dialect: str):
    @given(answers(dialect))
    def survives(answer):
        try:
            assert parse(write(answer), dialect) == answer
        except CasError as error:
            assert dialect == "1989" and "date" in str(error)  # strings that look like dates beside others

    survives()


@given(relations("1992"))
def test_plain_tables_read_alike_on_the_quick_way_and_by_the_grammar(relation: Relation):
    text = write(relation)
    assert parse(text) == parse(f"/* a comment is the grammar's */ {text}") == relation


@given(st.text(alphabet='()"/* \n\tAa01.+-orORNILYESno_', max_size=40))
def test_any_text_reads_alike_on_both_ways(text: str):
    assert read(text) == read(f"/**/{text}")


def read(text: str) -> object:
    try:
        return parse(text)
    except CasError:
        return "unreadable"


def test_cells_are_held_in_normal_form():
    relation = parse('((0920 +5.00 yes " BOS " nil ATL) (7 -0.0 false "" NIL "A"))')
    assert list(relation.rows()) == [
        ("920", "5.0", "TRUE", '"BOS"', NIL, '"ATL"'),
        ("7", "0.0", "FALSE", '""', NIL, '"A"'),
    ]
    assert list(relation.values()) == [
        (920, Decimal("5.0"), True, "BOS", None, "ATL"),
        (7, Decimal("0.0"), False, "", None, "A"),
    ]
    assert write(relation) == '((920 5.0 TRUE "BOS" NIL "ATL") (7 0.0 FALSE "" NIL "A"))'


def test_a_number_of_any_length_keeps_its_value():
    digits = "7" * 6_000
    assert parse(digits).value == parse(f"+00{digits}").value
    assert str(parse(digits + ".50").value) == digits + ".5"


PLACES = [
    ("", 1, 1, "an answer", "the end of the text"),
    ("5 6", 1, 3, "the end of the text after the answer", "6"),
    ("((1)\n (2)\n (", 3, 3, "a value", "the end of the text"),
    ("((1)\n (2 3))", 2, 5, '")"', "3"),
    ("((1 2)\n (3))", 2, 4, "2 values", ")"),
    ('((1)\n ("A"))', 2, 3, "a number", "a string"),
    ("(((1)))", 1, 7, "OR", ")"),
    ("(5 6)", 1, 4, "OR", "6"),
    ("((1) OR (2))", 1, 6, '"(" for another tuple or ")"', "OR"),
    ('((1 "A) (2 "B"))', 1, 14, "a second quote", "the end of the text"),
    ("((1) /* (2))", 1, 6, '"*/"', "the end of the text"),
    ("((1) \x00)", 1, 6, "an answer", "control character 0"),
]


@pytest.mark.parametrize(("text", "line", "column", "expected", "found"), PLACES)
def test_an_error_says_where_and_what_was_expected(text: str, line: int, column: int, expected: str, found: str):
    with pytest.raises(CasError) as raised:
        parse(text)
    assert (raised.value.line, raised.value.column) == (line, column)
    assert expected in raised.value.expected
    assert f"line {line}, column {column}: expected" in str(raised.value)
    assert found in str(raised.value)


@pytest.mark.parametrize(
    ("dialect", "text", "found"),
    [
        ("1989", "((yes))", "yes"), ("1989", "NO", "NO"), ("1989", "no_answer", "no_answer"),
        ("1989", "(5 OR 6)", "OR"), ("1989", "5 /* five */", "/*"), ("1989", "5/* five */", "5/*"),
        ("1990", "(5 OR 6)", "OR"), ("1990", "(((5)) OR ((6)))", "OR"), ("1990", "/* five */ 5", "/*"),
        ("1990", "((FORTY))", "FORTY"),
    ],
)  # fmt: skip
def test_a_dialect_reads_what_its_grammar_prints_and_names_its_own_words_alone(dialect: str, text: str, found: str):
    with pytest.raises(CasError) as error:
        parse(text, dialect)
    reported = str(error.value)
    expected, _, shown = reported.partition(", found ")
    assert shown.startswith(found)
    strangers = {"1989": ["YES", "NO,", "NO_ANSWER", "OR,", "comment"], "1990": ["OR,", "OR or", "comment"]}[dialect]
    assert [word for word in strangers if word in expected] == []


@pytest.mark.parametrize(
    ("dialect", "text", "strict"),
    [
        ("1989", "((yes))", "((TRUE))"), ("1989", "5 /* five */", "5"), ("1990", "/* five */ ((5))", "((5))"),
        ("1990", "(5 OR 6)", None), ("1989", "no_answer", None),
    ],
)  # fmt: skip
def test_old_files_are_read_leniently(dialect: str, text: str, strict: str | None):
    read = parse(text, f"{dialect}-lenient")
    assert read == parse(strict or text, dialect if strict else "1992")


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("ending", ["", "(1 2 3)"])
def test_a_large_text_is_read_in_parts_as_a_small_one_is(width: int, ending: str):
    # A parenthesis inside a string stands wherever a part may end; all tokens but the last repeat.
    cells = ['"a) (b' + " " * 30 + f'){row % 3 or row}"' for row in range(20_000)]
    text = "(" + "\n".join(f"({' '.join([cell] * width)})" for cell in cells) + ending + " )"
    if ending:
        with pytest.raises(CasError, match=r"line 20000, column \d+"):
            parse(text)
    else:
        assert parse(text) == Relation((tuple(cells),) * width)
