"""Utterance tables of several sites as one, of any size: DuckDB gives new ids where two speakers bear the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import duckdb

from curtain.base.disk import rename
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.sql_names import sql_literal
from curtain.corpus.exports.tables.duckdb_writer import connected
from curtain.corpus.exports.tables.parquet_table import ParquetTable
from curtain.corpus.exports.utterance_table import COUNT, TEXT, as_line
from curtain.corpus.model.pooling import PooledSession, SiteCount, renamings

_MEMORY_MB = 500
_THREADS = 2


def pool_tables(tables: Sequence[Path], out: Path) -> tuple[dict[str, SiteCount], list[tuple[Path, str, str]]]:
    """Write the rows of utterance tables (`utterances.parquet`) to one new Parquet file. Gives what each site brings,
    and the speakers that have a new id: table, old id, new id.

    Speakers are told apart as those of studies are (`pooling`). Raises CurtainError, also if `out` is there already.
    """
    if out.exists():
        raise CurtainError(f"{out} is there already; name a new file.")
    part = out.with_name(f".{out.name}.part")
    with os_errors_as(f"{out} cannot be written", CurtainError):
        try:
            with connected(out.parent, ":memory:", _MEMORY_MB, _THREADS) as duck:
                renamed = _write(duck, tables, part)
                sites = _sites(duck, part)
            rename(part, out)
        except duckdb.Error as fault:
            complaint = str(fault).splitlines()[0]
            raise CurtainError(
                f"These are no utterance tables of “curtain export --format parquet”: {complaint}"
            ) from fault
        finally:
            part.unlink(missing_ok=True)
    return sites, renamed


def _write(duck: duckdb.DuckDBPyConnection, tables: Sequence[Path], part: Path) -> list[tuple[Path, str, str]]:
    parts = " UNION ALL BY NAME ".join(
        f"SELECT {number} AS part, * FROM read_parquet({sql_literal(str(path))})" for number, path in enumerate(tables)
    )
    duck.execute(f"CREATE VIEW given AS {parts}")
    rows = duck.execute("SELECT DISTINCT part, session_id, coalesce(site, '') FROM given ORDER BY ALL").fetchall()
    sources = [PooledSession(tables[at] / session, session, tables[at], site) for at, session, site in rows]
    _check_copies(duck)
    renaming = renamings(sources)
    ids = ParquetTable(duck, "ids", {"part": COUNT, "old": TEXT, "new": TEXT})
    for (at, session, _), source in zip(rows, sources, strict=True):
        ids.add(as_line({"part": at, "old": session, "new": renaming.session_id(source)}))
    ids.flush()
    # Ids have a fixed width, and what an utterance leans on is of its own session.
    leant = "list_transform(context, lambda x: {'utterance_id': new || substr(x.utterance_id, 7), 'to': x.to})"
    duck.execute(
        "COPY (SELECT given.* EXCLUDE (part) REPLACE (new || substr(utterance_id, 7) AS utterance_id, "
        "replace(audio, session_id, new) AS audio, "
        f"new AS session_id, substr(new, 1, 3) AS speaker_id, {leant} AS context) "
        "FROM given JOIN ids ON given.part = ids.part AND session_id = old) "
        f"TO {sql_literal(str(part))} (FORMAT parquet, COMPRESSION zstd)"
    )
    pairs = {(one.study, one.speaker_id): renaming.session_id(one)[:3] for one in sources}
    return [(study, old, new) for (study, old), new in pairs.items() if study is not None and old != new]


def _check_copies(duck: duckdb.DuckDBPyConnection) -> None:
    """Two copies of a session would count everything in it twice. Here nothing but what was said shows them."""
    copy = duck.execute(
        "WITH twice AS (SELECT site, session_id FROM given GROUP BY ALL HAVING count(DISTINCT part) > 1) "
        "SELECT session_id FROM given SEMI JOIN twice USING (site, session_id) WHERE start_ms IS NOT NULL "
        "GROUP BY site, session_id, turn, start_ms, end_ms, frames HAVING count(DISTINCT part) > 1 ORDER BY ALL LIMIT 1"
    ).fetchone()
    if copy:
        raise CurtainError(f"Two of the tables hold the same session {copy[0]}; name one of them.")


def _sites(duck: duckdb.DuckDBPyConnection, pooled: Path) -> dict[str, SiteCount]:
    rows = duck.execute(
        "SELECT coalesce(site, ''), list(DISTINCT speaker_id), count(DISTINCT session_id), count(audio), "
        "coalesce(sum(duration_s), 0), histogram(eval_class) FILTER (class_from IN ('annotated', 'ruled')) "
        f"FROM read_parquet({sql_literal(str(pooled))}) GROUP BY 1 ORDER BY 1"
    ).fetchall()
    return {
        site: SiteCount(set(speakers), sessions, recordings, seconds, Counter(classes or {}))
        for site, speakers, sessions, recordings, seconds, classes in rows
    }
