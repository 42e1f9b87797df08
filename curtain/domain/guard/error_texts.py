"""What DuckDB says, in words for someone who writes queries but no programs."""

import json
import re
from collections.abc import Callable, Mapping

from curtain.base.sql_names import folded
from curtain.domain.guard.refusal import StatementRefused, nearest, place_of

Tables = Mapping[str, tuple[str, ...]]
Wording = Callable[[re.Match[str], Tables], str]

_TYPES = {
    "VARCHAR": "text",
    "STRING_LITERAL": "text",
    "DATE": "a date",
    "TIME": "a time",
    "TIMESTAMP": "a date with time",
    "BOOLEAN": "yes or no",
    "INTERVAL": "a length of time",
}
_OPERATORS = {"~~": "LIKE", "!~~": "NOT LIKE", "~~*": "ILIKE", "!~~*": "NOT ILIKE"}


def refusal(message: str, byte_offset: int, sql: str, tables: Tables) -> StatementRefused:
    """The refusal for a message of DuckDB and the place it gives (in bytes; negative: none)."""
    return StatementRefused(sentence_for(message, tables), place_of(sql, byte_offset))


def refusal_of_error(text: str, sql: str, tables: Tables) -> StatementRefused:
    """The refusal for an exception's text; the child has DuckDB write them as JSON (`errors_as_json`)."""
    try:
        # The exception's class stands before the JSON.
        details = json.loads(text[text.index("{") :])
        return refusal(str(details["exception_message"]), int(details.get("position", -1)), sql, tables)
    except (ValueError, KeyError, TypeError):
        return refusal(text, -1, sql, tables)


def sentence_for(message: str, tables: Tables) -> str:
    """One plain sentence for a message of DuckDB."""
    for pattern, wording in _SENTENCES:
        # The first pattern that fits is taken, so special ones stand before general ones such as LIMIT.
        if match := re.search(pattern, message, re.DOTALL | re.IGNORECASE):
            return wording(match, tables)
    return "The database cannot run this statement."


def _columns(tables: Tables) -> set[str]:
    return {column for columns in tables.values() for column in columns}


def _near(match: re.Match[str], _: Tables) -> str:
    return f"This statement cannot be read; the problem is at or just before “{match[1]}”."


def _no_column(match: re.Match[str], tables: Tables) -> str:
    name = match[1]
    if folded(name) in _columns(tables):
        homes = " or ".join(sorted(table for table, columns in tables.items() if folded(name) in columns))
        return f"The column “{name}” is in {homes}, which is not in the FROM clause here."
    return f"There is no column “{name}”{nearest(name, _columns(tables))}"


def _not_in_table(match: re.Match[str], tables: Tables) -> str:
    columns = tables.get(folded(match[1])) or _columns(tables)
    return f"“{match[1]}” has no column “{match[2]}”{nearest(match[2], columns)}"


def _no_function(match: re.Match[str], _: Tables) -> str:
    name, arguments = match[1], [_type(part) for part in match[2].split(",") if part.strip()]
    with_what = " and ".join(arguments) or "nothing"
    return f"“{_OPERATORS.get(name, name)}” cannot work with {with_what}."


def _type(name: str) -> str:
    base = name.strip().partition("(")[0].upper()
    return _TYPES.get(base, "a number" if re.search("INT|DECIMAL|DOUBLE|FLOAT", base) else "this kind of value")


def _cannot_compare(match: re.Match[str], _: Tables) -> str:
    left, right = _type(match[1]), _type(match[2])
    return f"{left.capitalize()} cannot be compared with {right}; put text and dates in single quotes."


def _cannot_convert(match: re.Match[str], _: Tables) -> str:
    return f"The text '{match[1]}' is not {_type(match[2])}."


def _no_date(match: re.Match[str], _: Tables) -> str:
    return f"“{match[1] or match[2]}” is not a date; dates are written like DATE '1989-08-19'."


def _no_time(match: re.Match[str], _: Tables) -> str:
    return f"“{match[1] or match[2]}” is not a time; times are written like TIME '09:20'."


def _say(sentence: str) -> Wording:
    return lambda match, tables: sentence.format(*match.groups())


_AGGREGATES = "COUNT, SUM, AVG and the like"

_SENTENCES: tuple[tuple[str, Wording], ...] = (
    (
        r"unterminated string literal",
        _say("A text begins with a single quote and does not end; a quote inside a text is written twice ('')."),
    ),
    (r"unterminated", _say("Something is opened here but not closed.")),
    (r'syntax error at or near "(.*)"', _near),
    (r"syntax error at end of input|unexpected end", _say("This statement ends too early.")),
    (
        r"SELECT clause without selection list",
        _say("There is nothing between SELECT and the rest: name the columns to show."),
    ),
    (r"expression depth", _say("This statement is nested too deeply.")),
    (r'Referenced column "([^"]*)" (?:was )?not found', _no_column),
    (r'Table "([^"]*)" does not have a column named "([^"]*)"', _not_in_table),
    (r'Referenced table "([^"]*)" not found', _say("“{0}” is not in the FROM clause here.")),
    (r"Table with name (\S+) does not exist", _say("There is no table “{0}” in this database.")),
    (
        r'Ambiguous reference to column name "([^"]*)" \(use: ([^)]*)\)',
        _say("“{0}” is in more than one table; write {1}."),
    ),
    (
        r"Ambiguous reference to table|duplicate alias",
        _say("A table occurs twice in FROM: give each its own short name, as in FROM employee a, employee b."),
    ),
    (
        r'column "([^"]*)" must appear in the GROUP BY',
        _say("“{0}” must be in GROUP BY, or in a function like COUNT, MIN or AVG."),
    ),
    (
        r"WHERE clause cannot contain aggregates",
        _say(f"{_AGGREGATES} cannot be used in WHERE: put that condition in HAVING."),
    ),
    (r"GROUP BY clause cannot contain aggregates", _say(f"{_AGGREGATES} cannot be used in GROUP BY.")),
    (
        r"aggregate function calls cannot be nested",
        _say(f"{_AGGREGATES} cannot be nested: use a SELECT within the FROM clause."),
    ),
    (r"window function", _say("A window function cannot be used here.")),
    (r"Subquery returns (\d+) columns", _say("The SELECT in parentheses gives {0} columns; one is needed here.")),
    (
        r"More than one row returned by a subquery",
        _say("The SELECT in parentheses gives more than one row; one is needed here: use IN in place of =."),
    ),
    (
        r"same number of result columns",
        _say("The SELECTs on both sides of UNION, INTERSECT or EXCEPT need the same number of columns."),
    ),
    (
        r"(ORDER|GROUP BY) term out of range - should be between (\d+) and (\d+)",
        _say("ORDER BY or GROUP BY names a column by a number that is not between {1} and {2}."),
    ),
    (r"Cannot compare values of type (\S+) and type (\S+)", _cannot_compare),
    (r"No function matches the given name and argument types '([^(]*)\((.*?)\)'\.", _no_function),
    (r'best candidate function for the function call "([^(]*)\((.*?)\)"', _no_function),
    (r"Could not convert string '(.*?)' to (\w+)", _cannot_convert),
    (r'invalid date field format: "(.*?)"|date field value out of range: "(.*?)"', _no_date),
    (r'invalid time\w* field format: "(.*?)"|time\w* field value out of range: "(.*?)"', _no_time),
    (
        r'Could not parse string "(.*?)" according to format',
        _say("“{0}” does not have the form that strptime is given."),
    ),
    (r"Function with name (\S+) does not exist", _say("There is no function “{0}”.")),
    (r"Type with name (\S+) does not exist", _say("There is no type “{0}”; write INTEGER, DOUBLE, VARCHAR or DATE.")),
    (r"Division by zero", _say("This statement divides by zero.")),
    (
        r"Out of Memory|Allocation failure|bad_alloc|failed to allocate|could not allocate",
        _say("This statement needs more memory than it may have: ask for less at a time."),
    ),
    (r"Overflow|out of range", _say("A number in this statement is too large.")),
    (
        r"cannot take (?:the )?(?:logarithm|square root)",
        _say("A number in this statement is outside what its function can take."),
    ),
    (
        r"missing \]|missing \)|regex|perl operator|repetition operator",
        _say("The pattern in this statement is not a regular expression."),
    ),
    (r"collation", _say("There is no such COLLATE here.")),
    (r"LIMIT|OFFSET", _say("LIMIT and OFFSET need a whole number.")),
)
