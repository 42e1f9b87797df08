import pytest
from hypothesis import given
from hypothesis import strategies as st

from curtain.base.sql_tokens import TokenKind, sql_tokens, sql_words

WORD, NAME, STRING = TokenKind.WORD, TokenKind.NAME, TokenKind.STRING
NUMBER, SIGN, COMMENT = TokenKind.NUMBER, TokenKind.SIGN, TokenKind.COMMENT


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("a <> 1.5", [(WORD, "a"), (SIGN, "<>"), (NUMBER, "1.5")]),
        ("'it''s' || e'x'", [(STRING, "'it''s'"), (SIGN, "||"), (STRING, "e'x'")]),
        ('"order" x', [(NAME, '"order"'), (WORD, "x")]),
        ("GROUP  BY b", [(WORD, "GROUP"), (WORD, "BY"), (WORD, "b")]),
        ("a -- b\nc /* d */", [(WORD, "a"), (COMMENT, "-- b"), (WORD, "c"), (COMMENT, "/* d */")]),
        ("x::date", [(WORD, "x"), (SIGN, "::"), (WORD, "date")]),
        ("Straße = '北京'", [(WORD, "Straße"), (SIGN, "="), (STRING, "'北京'")]),
        ("", []),
    ],
)
def test_a_statement_comes_apart_as_duckdb_reads_it(text, tokens):
    assert [(token.kind, token.text) for token in sql_tokens(text)] == tokens


@pytest.mark.parametrize(
    ("text", "kind", "last"),
    [
        ("a = 'x y", STRING, "'x y"), ("a = '", STRING, "'"), ("a = 'it''s", STRING, "'it''s"),
        ('select "a', NAME, '"a'), ("a /* b 'c", COMMENT, "/* b 'c"), ("a -- b", COMMENT, "-- b"),
        ("$$ a", STRING, "$$ a"),
    ],
)  # fmt: skip
def test_a_text_that_is_still_being_typed_ends_in_an_open_token(text, kind, last):
    *before, end = sql_tokens(text)
    assert (end.kind, end.text, end.open) == (kind, last, True)
    assert not any(token.open for token in before)


@pytest.mark.parametrize("text", ["a = 'x'", "a /* b */", "a -- b\n", '"a"'])
def test_a_text_that_is_whole_ends_in_no_open_token(text):
    assert not any(token.open for token in sql_tokens(text))


@given(st.text(alphabet="ab1._'\"-/*$(),;= \n\\éE", max_size=40))
def test_tokens_stand_in_the_text_in_order_and_leave_out_only_white_space(text):
    end = 0
    for token in sql_tokens(text):
        assert text[end : token.start].strip() == ""
        assert text[token.start : token.end] == token.text != ""
        end = token.end
    assert text[end:].strip() == ""


def test_a_column_with_its_table_is_one_word():
    assert sql_words('SELECT e.city, "Emp".* FROM e -- all') == ["SELECT", "e.city", ",", '"Emp".*', "FROM", "e"]
