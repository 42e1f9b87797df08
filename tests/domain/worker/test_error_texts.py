import pytest

from curtain.domain.worker.worker import SqlWorker


@pytest.mark.parametrize(
    ("sql", "sentence", "at"),
    [
        ("SELECT nam FROM person", "There is no column “nam”; did you mean “name”?", (1, 8)),
        ("SELECT id\nFROM person\nWHERE é = 'ü' AND slary > 3", "There is no column “é”.", (3, 7)),
        ("SELECT 'é', slary FROM person", "There is no column “slary”; did you mean “salary”?", (1, 13)),
        ("SELECT salary FROM dept", "The column “salary” is in person, which is not in the FROM clause here.", (1, 8)),
        ("SELECT salary", "The column “salary” is in person, which is not in the FROM clause here.", (1, 8)),
        ("SELECT p.slary FROM person p", "“p” has no column “slary”; did you mean “salary”?", (1, 8)),
        ("SELECT d.name FROM person p", "“d” is not in the FROM clause here.", (1, 8)),
        ("SELECT x.* FROM person", "“x” is not in the FROM clause here.", None),
        ("SELECT dept FROM person p JOIN dept d ON p.dept = d.dept", "“dept” is in more than one table; write", (1, 8)),
        ("SELECT * FROM person, person", "A table occurs twice in FROM", None),
        ("SELECT dept, count(*) FROM person", "“dept” must be in GROUP BY", (1, 8)),
        ("SELECT count(*) FROM person HAVING id > 1", "“id” must be in GROUP BY", (1, 36)),
        ("SELECT id FROM person WHERE count(*) > 1", "COUNT, SUM, AVG and the like cannot be used in WHERE", (1, 29)),
        ("SELECT max(avg(salary)) FROM person",
         "COUNT, SUM, AVG and the like cannot be nested", (1, 12)),
        ("SELECT id FROM person GROUP BY sum(id)", "COUNT, SUM, AVG and the like cannot be used in GROUP BY.", (1, 32)),
        ("SELECT id FROM person WHERE row_number() OVER () = 1", "A window function cannot be used here.", (1, 29)),
        ("SELECT id FROM person WHERE name > 5", "Text cannot be compared with a number", (1, 29)),
        ("SELECT id FROM person WHERE born < 1950", "A date cannot be compared with a number", (1, 29)),
        ("SELECT id FROM person WHERE id = 'abc'", "The text 'abc' is not a number.", (1, 34)),
        ("SELECT sum(name) FROM person", "“sum” cannot work with text.", (1, 8)),
        ("SELECT name + 1 FROM person", "“+” cannot work with text and a number.", (1, 13)),
        ("SELECT id FROM person WHERE name LIKE 5", "“LIKE” cannot work with text and a number.", (1, 34)),
        ("SELECT substr(name) FROM person", "“substr” cannot work with text.", (1, 8)),
        ("SELECT CAST(name AS INTEGER) FROM person", "The text 'NAME 01' is not a number.", (1, 8)),
        ("SELECT DATE '1989-02-30'", "“1989-02-30” is not a date; dates are written like", (1, 8)),
        ("SELECT CAST('soon' AS DATE)", "“soon” is not a date; dates are written like", (1, 8)),
        ("SELECT CAST('noon' AS TIME)", "“noon” is not a time; times are written like", (1, 8)),
        ("SELECT id FROM person UNION SELECT 1, 2", "The SELECTs on both sides of UNION", None),
        ("SELECT id FROM person ORDER BY 3", "ORDER BY or GROUP BY names a column by a number", (1, 32)),
        ("SELECT id FROM person WHERE dept IN (SELECT dept, name FROM dept)",
         "The SELECT in parentheses gives 2 columns", None),
        ("SELECT (SELECT id FROM person)", "The SELECT in parentheses gives more than one row", None),
        ("SELECT id FROM person WHERE name = ‘Boston’", "There is no column “‘Boston’”. Write straight quotes ('…') in"
         " place of ‘.", (1, 36)),
        ("SELECT id FROM person WHERE name = “Los Angeles”",
         "This statement cannot be read; the problem is at or just before “Angeles””. Write straight"
         " quotes ('…') in place of “.", (1, 41)),
        ("SELECT id FROM person WHERE name = 'a’ AND id = 1", "A text begins with a single quote", (1, 36)),
        ("SELECT id FROM person WHERE name = 'O'Brien'", "A text begins with a single quote", (1, 44)),
        ("SELECT id,, name FROM person",
         "This statement cannot be read; the problem is at or just before “,”.", (1, 11)),
        ("SELECT id FROM person WHERE",
         "This statement cannot be read; the problem is at or just before “WHERE”.", (1, 23)),
        ("SELECT 5 % 0", "This statement divides by zero.", None),
        ("SELECT 9223372036854775807 + 1", "A number in this statement is too large.", None),
        ("SELECT regexp_matches(name, '[') FROM person", "The pattern in this statement is not", None),
        ("SELECT id FROM person LIMIT 'many'", "The text 'many' is not a number.", (1, 29)),
        ("SELECT CAST(id AS flot) FROM person", "There is no type “flot”", None),
        ("SELECT born - INTERVAL 3 MONTH, INTERVAL 3 MONTH FROM person",
         "Column 2 of this result is a length of time", None),
        ("SELECT person FROM person", "Column 1 of this result holds lists, rows or bytes", None),
        ("SELECT CAST(born AS TIMESTAMPTZ) FROM person", "Column 1 of this result has a time zone", None),
        ("SELECT a.id FROM person a, person b, person c, person d", "This gives more than 1,000,000 rows", None),
    ],
)  # fmt: skip
def test_what_the_database_says_is_reported_in_plain_words_with_its_place(
    worker: SqlWorker, sql: str, sentence: str, at: tuple[int, int] | None
) -> None:
    result = worker.run(sql).result(timeout=60)

    assert result.error.startswith(sentence)
    assert "\n" not in result.error
    if at:
        assert result.error_at == at
