"""What DuckDB refuses of a statement, read as another dialect or with its names and types put right.

Models write the SQL of the databases that they have seen most: SQLite, MySQL, PostgreSQL, SQL Server. sqlglot reads and
writes these; the rules here are for what no dialect writes down: columns that are not grouped, numbers in texts, names
that are not quite those of the database. Nothing here decides whether a statement may run: the guard reads each.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.annotate_types import annotate_types
from sqlglot.optimizer.scope import Scope, traverse_scope
from sqlglot.schema import MappingSchema

from curtain.base.sql_tokens import sql_tree

# With words that only one of them has: each would be read by others, as something else.
_DIALECTS = {
    "duckdb": r"\bQUALIFY\b",
    "sqlite": r"\b(julianday|iif|glob|total)\b",
    "mysql": r"\b(date_format|str_to_date|curdate|substring_index|regexp|rlike)\b",
    "postgres": r"\bto_char\b|::|~\*|\bage\(",
    "tsql": r"\bisnull\([^()]*,|\b(top|getdate|len|dateadd)\b",
    "bigquery": r"\b(safe_cast|(int|float)64)\b",
    "oracle": r"\b(rownum|nvl|to_date)\b",
}

Tables = Mapping[str, Mapping[str, str]]

_TEXT, _NUMBER, _TIME = exp.DataType.TEXT_TYPES, exp.DataType.NUMERIC_TYPES, exp.DataType.TEMPORAL_TYPES
_COMPARED = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_OF_NUMBERS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Sum, exp.Avg, exp.Abs, exp.Round, exp.Floor,
               exp.Ceil)  # fmt: skip
_OF_TEXTS = (exp.Like, exp.ILike, exp.Glob, exp.RegexpLike, exp.Upper, exp.Lower, exp.Length, exp.Substring, exp.Left,
             exp.Right, exp.Replace, exp.Trim, exp.StartsWith, exp.StrPosition, exp.SplitPart)  # fmt: skip
_OF_TIMES = (exp.Year, exp.Month, exp.Day, exp.Quarter, exp.Week, exp.DayOfWeek, exp.DayOfMonth, exp.DayOfYear,
             exp.TimeToStr, exp.DateDiff, exp.DateAdd, exp.DateSub, exp.TimestampTrunc, exp.DateTrunc)  # fmt: skip
_CLOCKS = (exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentDatetime, exp.CurrentTime)
_NUMERAL = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)\s*")
_DAY = re.compile(r"\d{4}-\d{1,2}-\d{1,2}([ T]\d.*)?")
_SHIFT = re.compile(r"([-+]?\d+) (second|minute|hour|day|month|year)s?")
_DECIMALS = re.compile(r"%\.(\d)f")


def corrections(sql: str, tables: Tables, as_of: date) -> Iterator[str]:
    """Other texts for a statement that cannot run as it stands, likeliest first, each of them for DuckDB and each once.
    `tables` are the columns of each table with their types, in small letters; clocks stand at `as_of`."""
    given = {sql}
    for dialect in sorted(_DIALECTS, key=lambda name: not re.search(_DIALECTS[name], sql, re.IGNORECASE)):
        try:
            tree = _Correction(sql_tree(sql, dialect), tables, as_of, dialect).tree
            text = tree.sql("duckdb", comments=False)
        except (SqlglotError, RecursionError, ValueError, KeyError, AttributeError):
            # Not SQL of this dialect, or a form that sqlglot cannot follow.
            continue
        if text not in given:
            given.add(text)
            yield text


def as_meant(sql: str) -> tuple[str, str]:
    """A statement that can run, with fractions as exact as other databases give them, and the same again with texts
    compared as SQLite and MySQL compare them, whatever their case: speech has none."""
    try:
        tree = sql_tree(sql)
    except (SqlglotError, RecursionError):
        return sql, sql
    exact = tree.transform(_exact)
    loose = exact.transform(lambda one: exp.ILike(**one.args) if type(one) is exp.Like else one)
    texts = [one.sql("duckdb", comments=False) if one != tree else sql for one in (exact, loose)]
    return texts[0], texts[1]


def _exact(node: exp.Expr) -> exp.Expr:
    return exp.DataType.build("double") if isinstance(node, exp.DataType) and node.is_type("float") else node


class _Correction:
    """One tree on its way: its names first, then what they let one say of types, then groups."""

    def __init__(self, tree: exp.Expr, tables: Tables, as_of: date, dialect: str) -> None:
        self._tables, self._as_of, self._dialect = tables, as_of, dialect
        # Of what is written otherwise only the letters and digits count: `Order Details` is order_details.
        self._known = {_bare(name): name for name in tables}
        tree = tree.transform(self._at_its_day).transform(self._plain)
        scopes = traverse_scope(tree)
        for scope in scopes:
            self._name_tables(scope)
        for scope in traverse_scope(tree):
            self._name_columns(scope)
        schema = MappingSchema({name: dict(columns) for name, columns in tables.items()}, dialect="duckdb")
        tree = annotate_types(tree, schema, dialect="duckdb")
        for node in list(tree.walk(bfs=False))[::-1]:
            self._type(node)
        for select in tree.find_all(exp.Select):
            self._group(select)
        self.tree = tree.transform(_exact)

    # -- words that only another dialect has ------------------------------------------------------------------

    def _at_its_day(self, node: exp.Expr) -> exp.Expr:
        if isinstance(node, _CLOCKS) or (isinstance(node, exp.Anonymous) and node.name.lower() in ("now", "today")):
            return self._today("date" if isinstance(node, exp.CurrentDate) else "timestamp")
        if node.is_string and node.name.lower() == "now" and isinstance(node.parent, exp.Func):
            return self._today("timestamp")
        return node

    def _plain(self, node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.TimeToStr) and node.this.is_string and "%" in node.this.name:
            # SQLite and DuckDB write the two in other orders.
            return exp.TimeToStr(this=node.args["format"], format=node.this)
        if isinstance(node, exp.Join) and not any(
            node.args.get(key) for key in ("on", "using", "kind", "method", "side")
        ):
            node.set("kind", "CROSS")
        named = node.name.lower() if isinstance(node, exp.Anonymous) else type(node).__name__.lower()
        rewritten = _FUNCTIONS.get(named.replace("_", "")) if self._dialect != "duckdb" else None
        return rewritten(*(one for one in node.iter_expressions())) or node if rewritten else node

    def _today(self, kind: str) -> exp.Expr:
        return exp.cast(exp.Literal.string(self._as_of.isoformat()), kind)

    # -- names ------------------------------------------------------------------------------------------------

    def _name_tables(self, scope: Scope) -> None:
        ctes = {name.lower() for name in scope.cte_sources}
        for table in scope.tables:
            if table.db or table.name.lower() not in ctes:
                name = self._known.get(_bare(table.name))
                if name is None:
                    continue
                written = table.name
                # No other schema is here to be meant.
                table.set("db", None)
                table.set("catalog", None)
                table.set("this", exp.to_identifier(name, quoted=_needs_quotes(name)))
                if not table.alias and name != written.lower():
                    table.set("alias", exp.TableAlias(this=exp.to_identifier(written, quoted=True)))

    def _name_columns(self, scope: Scope) -> None:
        sources = {alias: self._columns(source) for alias, (_, source) in scope.selected_sources.items()}
        selects = scope.expression.selects if isinstance(scope.expression, exp.Query) else ()
        names = {one.alias.lower() for one in selects if one.alias}
        outer = scope.parent.selected_sources if scope.is_subquery and scope.parent else {}
        for column in list(scope.find_all(exp.Column)):
            if not isinstance(column.this, exp.Star):
                self._name(column, scope, sources, names, {alias.lower() for alias in outer})

    def _columns(self, source: exp.Expr | Scope) -> dict[str, str]:
        """The columns of a table or of a query in its place, by their bare names."""
        if isinstance(source, exp.Table):
            return {_bare(name): name for name in self._tables.get(source.name.lower(), ())}
        inner = source.expression if isinstance(source, Scope) else None
        return {_bare(one): one for one in inner.named_selects} if isinstance(inner, exp.Query) else {}

    def _name(
        self,
        column: exp.Column,
        scope: Scope,
        sources: Mapping[str, Mapping[str, str]],
        names: set[str],
        outer: set[str],
    ) -> None:
        bare, table = _bare(column.name), column.table.lower()
        aliases = {alias.lower(): alias for alias in sources}
        homes = [alias for alias, columns in sources.items() if bare in columns]
        if not table and column.name.lower() in names and column.find_ancestor(exp.Order, exp.Group, exp.Having):
            return
        if table not in aliases and table in outer:
            return
        alias = aliases.get(table)
        if alias is None and table:
            # The table's own name, where it has another one here.
            alias = next((one for one, (node, _) in scope.selected_sources.items()
                          if isinstance(node, exp.Table) and _bare(node.name) == _bare(table)), None)  # fmt: skip
        if alias is None or (sources[alias] and bare not in sources[alias]):
            alias = homes[0] if homes else alias
        if alias is not None and bare in sources[alias]:
            column.set("table", exp.to_identifier(alias, quoted=_needs_quotes(alias)))
            column.set("db", None)
            column.set("catalog", None)
            name = sources[alias][bare]
            column.set("this", exp.to_identifier(name, quoted=_needs_quotes(name)))
        elif not table and not homes and column.this.quoted and not scope.is_subquery:
            # SQLite's own rule: a name in double quotes that nothing has is a text.
            column.replace(exp.Literal.string(column.name))

    # -- types ------------------------------------------------------------------------------------------------

    def _type(self, node: exp.Expr) -> None:
        if isinstance(node, _COMPARED):
            _compare(node, [node.this, node.expression])
        elif isinstance(node, exp.Between):
            _compare(node, [node.this, node.args["low"], node.args["high"]])
        elif isinstance(node, exp.In) and node.expressions:
            _compare(node, [node.this, *node.expressions])
        elif isinstance(node, _OF_NUMBERS):
            for part in (node.this, node.args.get("expression")):
                if part is not None and _is(part, *_TEXT) and not _is(node.this, *_TIME):
                    part.replace(_as(part, "double"))
                elif part is not None and _is(part, "boolean"):
                    part.replace(_as(part, "int"))
        elif isinstance(node, _OF_TEXTS) and node.this.type and not _is(node.this, *_TEXT, "unknown", "null"):
            node.this.replace(_as(node.this, "text"))
        elif isinstance(node, (*_OF_TIMES, exp.Extract)):
            key = "expression" if isinstance(node, exp.Extract) else "this"
            for part in (node.args.get(key), node.args.get("expression")):
                if isinstance(part, exp.Expr) and _is(part, *_TEXT) and not isinstance(part, exp.Var):
                    part.replace(_as(part, "timestamp"))
        elif isinstance(node, exp.Coalesce | exp.Case | exp.If):
            _one_type(node)
        elif type(node) is exp.Cast and not _is(node.this, *_TIME):
            self._cast(node)

    def _cast(self, node: exp.Cast) -> None:
        inner = node.this
        reckoned = isinstance(inner.unnest(), exp.Binary)
        if _is(inner, *_TEXT) or (_is(inner, "unknown") and not reckoned):
            # Nowhere but in DuckDB and PostgreSQL one text that is no number ends a statement.
            node.replace(exp.TryCast(**node.args))
        elif self._dialect == "sqlite" and node.to.is_type(*exp.DataType.INTEGER_TYPES) and not _is(inner, "boolean"):
            inner.replace(exp.Trunc(this=inner.copy()))

    # -- groups -----------------------------------------------------------------------------------------------

    def _group(self, select: exp.Select) -> None:
        """A column that is neither grouped nor part of a sum takes the value of the row that has the least or the most,
        where that is what the statement shows (SQLite's “bare columns”), else its least value: always the same one."""
        parts = [*select.selects, *(select.args[key] for key in ("having", "order") if select.args.get(key))]
        sums = [
            node
            for part in parts
            for node in part.find_all(exp.AggFunc)
            if _within(node, select) and not node.find_ancestor(exp.Window)
        ]
        group = select.args.get("group")
        if not group and not sums:
            return
        shown = {one.alias.lower(): one.this for one in select.selects if isinstance(one, exp.Alias)}
        self._spread_stars(select)
        keys = set()
        for key in group.expressions if group else ():
            if key.is_int and int(key.name) <= len(select.selects):
                key = select.selects[int(key.name) - 1].unalias()
            named = shown.get(key.name.lower()) if isinstance(key, exp.Column) and not key.table else None
            keys.add(named or key)
        extremes = [one for part in select.selects for one in part.find_all(exp.Min, exp.Max) if _within(one, select)]
        extreme = extremes[0] if len(extremes) == 1 and len({*sums}) == 1 else None
        parts = [*select.selects, *(select.args[key] for key in ("having", "order") if select.args.get(key))]
        for part in parts:
            for column in list(part.find_all(exp.Column)):
                up = [column, *_between(column, select)]
                if not _within(column, select) or any(isinstance(one, exp.AggFunc) or one in keys for one in up):
                    continue
                if not column.table and column.name.lower() in shown:
                    continue
                least: exp.Expr = exp.Min(this=column.copy())
                if extreme is not None:
                    kind = exp.ArgMax if isinstance(extreme, exp.Max) else exp.ArgMin
                    least = kind(this=column.copy(), expression=extreme.this.copy())
                if column.parent is select:
                    least = exp.alias_(least, column.name, quoted=_needs_quotes(column.name))
                column.replace(least)

    def _spread_stars(self, select: exp.Select) -> None:
        """`*` as columns, where every source is a table."""
        sources = [one.this for one in (select.args.get("from_"), *(select.args.get("joins") or ())) if one]
        for star in [one for one in select.selects if one.is_star and not isinstance(one, exp.Count)]:
            mine = [one for one in sources if not isinstance(star, exp.Column) or star.table == one.alias_or_name]
            if mine and all(isinstance(one, exp.Table) and one.name in self._tables for one in mine):
                spread = [
                    exp.column(name, one.alias_or_name, quoted=True) for one in mine for name in self._tables[one.name]
                ]
                at = select.selects.index(star)
                select.set("expressions", [*select.selects[:at], *spread, *select.selects[at + 1 :]])


def _bare(name: str) -> str:
    return "".join(sign for sign in name.lower() if sign.isalnum()) or name


def _needs_quotes(name: str) -> bool:
    return not re.fullmatch(r"[a-z_]\w*", name, re.ASCII | re.IGNORECASE)


def _is(node: exp.Expr, *kinds: object) -> bool:
    return node.is_type(*kinds)  # type: ignore[arg-type]


def _as(node: exp.Expr, kind: str) -> exp.Expr:
    """A value as another type; no value if it is none of that type."""
    return exp.TryCast(this=node.copy(), to=exp.DataType.build(kind))


def _compare(node: exp.Expr, parts: list[exp.Expr]) -> None:
    """Texts against numbers and days: as numbers if all can be, else as texts."""
    texts = [one for one in parts if _is(one, *_TEXT)]
    others = [one for one in parts if _is(one, *_NUMBER, *_TIME)]
    if not texts or not others or node.find(exp.Query):
        return
    literals = [one for one in texts if one.is_string]
    if any(_is(one, *_TIME) for one in others):
        if not all(_DAY.fullmatch(one.name) for one in literals):
            for part in others:
                part.replace(_as(part, "text"))
        for part in texts:
            if not part.is_string:
                part.replace(_as(part, "timestamp"))
    elif all(_NUMERAL.fullmatch(one.name) for one in literals):
        for part in texts:
            part.replace(exp.Literal.number(part.name.strip()) if part.is_string else _as(part, "double"))
    else:
        for part in others:
            part.replace(_as(part, "text"))


def _one_type(node: exp.Expr) -> None:
    """Texts and numbers as alternatives of one value: all of them as texts."""
    if isinstance(node, exp.Case):
        parts = [one.args["true"] for one in node.args["ifs"]] + [node.args.get("default")]
    elif isinstance(node, exp.If):
        if isinstance(node.parent, exp.Case):
            return
        parts = [node.args.get("true"), node.args.get("false")]
    else:
        parts = [node.this, *node.expressions]
    present = [one for one in parts if isinstance(one, exp.Expr)]
    if any(_is(one, *_TEXT) for one in present):
        for part in present:
            if _is(part, *_NUMBER, *_TIME):
                part.replace(_as(part, "text"))


def _between(node: exp.Expr, select: exp.Select) -> Iterator[exp.Expr]:
    while (node := node.parent) is not None and node is not select:  # type: ignore[assignment]
        yield node


def _within(node: exp.Expr, select: exp.Select) -> bool:
    return node.find_ancestor(exp.Select) is select


def _shifted(kind: str) -> Callable[..., exp.Expr | None]:
    """SQLite's date() and datetime() with their modifiers."""

    def made(this: exp.Expr, *changes: exp.Expr) -> exp.Expr | None:
        value: exp.Expr = exp.TryCast(this=this.copy(), to=exp.DataType.build("timestamp"))
        for change in (one.name.lower() for one in changes):
            if shift := _SHIFT.fullmatch(change):
                value = exp.Add(
                    this=value, expression=exp.Interval(this=exp.Literal.string(shift[1]), unit=exp.var(shift[2]))
                )
            elif change.startswith("start of "):
                value = exp.TimestampTrunc(this=value, unit=exp.var(change.removeprefix("start of ")))
            elif change not in ("localtime", "utc", "auto"):
                return None
        return exp.cast(value, kind)

    return made


def _julian(this: exp.Expr) -> exp.Expr:
    # DuckDB's days begin at midnight, those of SQLite at noon.
    return exp.Paren(
        this=exp.Sub(
            this=exp.Anonymous(this="julian", expressions=[_as(this, "timestamp")]),
            expression=exp.Literal.number("0.5"),
        )
    )


def _printed(form: exp.Expr, *values: exp.Expr) -> exp.Expr | None:
    decimals = _DECIMALS.fullmatch(form.name)
    return exp.cast(exp.cast(values[0].copy(), f"decimal(38, {decimals[1]})"), "text") if decimals and values else None


_FUNCTIONS: Mapping[str, Callable[..., exp.Expr | None]] = {
    "date": _shifted("date"),
    "datetime": _shifted("timestamp"),
    "julianday": _julian,
    "total": lambda this: exp.func("COALESCE", exp.Sum(this=this.copy()), exp.Literal.number(0)),
    "printf": _printed,
    "format": _printed,
    "substringindex": lambda this, sign, number: exp.SplitPart(
        this=this.copy(), delimiter=sign.copy(), part_index=number.copy()
    ),
}
