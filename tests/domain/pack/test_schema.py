import pytest

from curtain.domain.pack.schema import SchemaFault, read_schema


def test_tables_columns_and_types_are_read_in_lower_case_and_in_order() -> None:
    tables = read_schema('CREATE TABLE Flight (Flight_ID INTEGER, "To" VARCHAR NOT NULL, fare DECIMAL(9, 2) NULL);')

    assert tables == {"flight": {"flight_id": "INTEGER", "to": "VARCHAR", "fare": "DECIMAL(9,2)"}}
    assert list(tables["flight"]) == ["flight_id", "to", "fare"]


def test_constraints_comments_and_other_statements_are_no_columns() -> None:
    text = """
    -- CREATE TABLE ghost (x INTEGER);
    CREATE INDEX i ON a (b);
    CREATE TABLE IF NOT EXISTS a (
        b INTEGER PRIMARY KEY, /* c INTEGER, */ d VARCHAR DEFAULT 'x, y; z',
        PRIMARY KEY (b), FOREIGN KEY (d) REFERENCES e (f), CHECK (b > 0), UNIQUE (b, d)
    );
    """
    assert read_schema(text) == {"a": {"b": "INTEGER", "d": "VARCHAR"}}


@pytest.mark.parametrize(
    "text", ["CREATE TABLE", "CREATE TABLE a", "CREATE TABLE a ()", "CREATE TABLE a (b)", "CREATE TABLE a AS SELECT 1"]
)
def test_a_table_that_cannot_be_read_is_a_fault(text: str) -> None:
    with pytest.raises(SchemaFault):
        read_schema(text)
