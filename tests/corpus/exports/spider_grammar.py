"""What the Spider evaluator's parser can read, as a recogniser over words: it stops at the first that does not fit.

A condition's value that is a column swallows what follows up to the next AND or clause; so an OR behind it is an error
here, where the evaluator would silently misread it.
"""

import re

CLAUSES = {"select", "from", "where", "group", "order", "limit", "intersect", "union", "except"}
ENDS = CLAUSES | {")", ";", "join", "on", "as"}
OPERATORS = {"between", "=", ">", "<", ">=", "<=", "!=", "in", "like"}
AGGREGATES = {"max", "min", "count", "sum", "avg"}


class NotSpider(Exception):
    pass


def words(sql):
    if sql.count('"') or sql.count("'") % 2:
        raise NotSpider("quotes")
    pieces = re.findall(r"'[^']*'|-?\d+(?:\.\d+)?|[A-Za-z_][\w.]*|!=|<>|<=|>=|[^\s]", sql)
    return [piece if piece.startswith("'") else piece.lower() for piece in pieces]


class Recogniser:
    def __init__(self, sql, schema):
        self.schema = {table.lower(): [column.lower() for column in columns] for table, columns in schema.items()}
        self.words = [*words(sql), ""]
        self.at = 0
        self.tables = {table: table for table in self.schema}
        for place, word in enumerate(self.words):
            if word == "as":
                alias, table = self.words[place + 1], self.words[place - 1]
                if alias in self.schema:
                    raise NotSpider(f"{alias} is a table")
                self.tables[alias] = table

    @property
    def word(self):
        return self.words[self.at]

    def take(self, *expected):
        word = self.word
        if expected and word not in expected:
            raise NotSpider(f"{word!r} where {expected} is wanted, in {' '.join(self.words)}")
        self.at += 1
        return word

    def whole(self):
        self.query()
        if self.word:
            raise NotSpider(f"{self.word!r} is left over")

    def query(self):
        start = self.at
        while self.word != "from":
            if not self.word:
                raise NotSpider("no FROM")
            self.at += 1
        known = self.tables_of_from()
        end, self.at = self.at, start
        self.select(known)
        self.at = end
        if self.word == "where":
            self.take()
            self.conditions(known)
        if self.word == "group":
            self.list_of("group", known)
            if self.word == "having":
                self.take()
                self.conditions(known)
        self.list_of("order", known)
        if self.word == "limit":
            self.take()
            int(self.take())
        if self.word in ("intersect", "union", "except"):
            self.take()
            self.query()

    def select(self, known):
        self.take("select")
        if self.word == "distinct":
            self.take()
        while self.word != "from":
            self.unit(known)
            if self.word != "from":
                self.take(",")

    def tables_of_from(self):
        self.take("from")
        known = []
        while True:
            table = self.tables.get(self.take())
            if table not in self.schema:
                raise NotSpider(f"no table {table}")
            known.append(table)
            if self.word == "as":
                self.take()
                self.take()
            if self.word == "on":
                self.take()
                self.conditions(known)
            if self.word != "join":
                return known
            self.take()

    def list_of(self, clause, known):
        if self.word != clause:
            return
        self.take()
        self.take("by")
        while True:
            self.unit(known)
            if self.word in ("asc", "desc"):
                self.take()
            if self.word != ",":
                return
            self.take()

    def conditions(self, known):
        while True:
            self.unit(known)
            if self.word == "not":
                self.take()
            operator = self.take(*OPERATORS)
            column = self.value(known)
            if operator == "between":
                self.take("and")
                column = self.value(known)
            if not self.word or self.word in ENDS:
                return
            if self.take("and", "or") == "or" and column:
                raise NotSpider("an OR behind a column")

    def value(self, known):
        """True if it is a column."""
        if self.word == "(":
            self.take()
            self.query()
            self.take(")")
        elif self.word.startswith("'") or re.fullmatch(r"-?\d+(\.\d+)?", self.word):
            self.take()
        else:
            self.column(known)
            return True
        return False

    def unit(self, known):
        if self.word in AGGREGATES:
            self.take()
            self.take("(")
            if self.word == "distinct":
                self.take()
            self.column(known)
            self.take(")")
            return
        self.column(known)
        if self.word in ("+", "-", "*", "/"):
            self.take()
            self.column(known)

    def column(self, known):
        word = self.take()
        if word == "*":
            return
        if "." in word:
            alias, _, column = word.partition(".")
            if column not in self.schema.get(self.tables.get(alias, ""), ()):
                raise NotSpider(f"no column {word}")
        elif not any(word in self.schema[table] for table in known):
            raise NotSpider(f"no column {word}")


def check(sql, schema):
    """Raises NotSpider for a statement that the evaluator could not read."""
    Recogniser(sql, schema).whole()
