import pytest

from curtain.domain.worker.worker import SqlWorker


@pytest.mark.parametrize(
    ("sql", "headings"),
    [
        ("SELECT id, name, born, salary FROM person", ["Number", "Name", "Date of birth", "Salary"]),
        ("SELECT name FROM dept", ["Department"]),
        ("SELECT p.name, d.name FROM person p, dept d", ["Name", "Department"]),
        ("SELECT a.name, b.name FROM person a, person b", ["Name", "Name (2)"]),
        ("SELECT * FROM dept", ["Department number", "Department"]),
        ("SELECT d.* FROM person p JOIN dept d USING (dept)", ["Department number", "Department"]),
        ("SELECT * EXCLUDE (id, born, starts, salary, share, active) FROM person", ["Name", "Department number"]),
        ("SELECT * EXCLUDE (id, born, starts, salary, share, active) FROM person JOIN dept USING (dept)",
         ["Name", "Department number", "Department"]),
        ("SELECT count(*) FROM person", ["Count"]),
        ("SELECT count(DISTINCT dept) FROM person", ["Count"]),
        ("SELECT avg(salary), sum(salary), median(salary) FROM person",
         ["Average salary", "Total salary", "Median salary"]),
        ("SELECT min(salary), max(born), min(name), max(starts) FROM person",
         ["Lowest salary", "Latest date of birth", "Name (first)", "Latest starts"]),
        ("SELECT round(avg(salary)), CAST(id AS VARCHAR), upper(name), coalesce(born, NULL) FROM person GROUP BY ALL",
         ["Average salary", "Number", "Name", "Date of birth"]),
        ("SELECT year(born), salary * 2, 1, 'x' FROM person",
         ["Year of date of birth", "Value", "Value (2)", "Value (3)"]),
        ("SELECT salary AS pay_per_day, salary AS born, 1 AS \"a;b\" FROM person",
         ["Pay per day", "Date of birth", "Value"]),
        ("SELECT date_diff('year', born, DATE '1989-08-19'), date_diff('day', born, born) FROM person",
         ["Years", "Days"]),
        ("SELECT count(*) > 3 FROM person", ["Answer"]),
        ("SELECT EXISTS (SELECT 1 FROM person)", ["Answer"]),
        ("SELECT name LIKE 'N%' FROM person", ["Answer"]),
        ("SELECT (SELECT max(salary) FROM person)", ["Highest salary"]),
        ("WITH w AS (SELECT dept, avg(salary) FROM person GROUP BY dept) SELECT * FROM w",
         ["Department number", "Average salary"]),
        ("WITH w(a, b) AS (SELECT dept, id FROM person) SELECT b, a FROM w", ["B", "A"]),
        ("SELECT x.name, x.n FROM (SELECT name, count(*) AS n FROM dept GROUP BY name) x", ["Department", "N"]),
        ("SELECT name FROM person UNION SELECT name FROM dept", ["Name"]),
        ("SELECT rank() OVER (ORDER BY salary), sum(salary) OVER () FROM person", ["Rank", "Total salary"]),
        ("VALUES (1, 2)", ["Value", "Value (2)"]),
        ("SELECT * FROM (VALUES (1, 2)) AS v (left_side, b)", ["Left side", "B"]),
        ("SELECT COLUMNS('^(id|name)$') FROM person", ["Id", "Name"]),
        ("SELECT CASE WHEN active THEN 'x' END, -salary FROM person", ["Value", "Value (2)"]),
    ],
)  # fmt: skip
def test_headings_are_the_words_of_the_pack_and_never_sql(worker: SqlWorker, sql: str, headings: list[str]) -> None:
    result = worker.run(sql).result(timeout=60)

    assert result.error is None
    assert result.headings == headings
