"""A packet: everything that one judge needs, in one file, and everything that the judge says.

It is an SQLite file. Items never change, and labels are only added: triggers refuse anything else, and each row is on
the disk before the window goes on. To withdraw a label is to add an empty one.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curtain.base.disk import lock_file, unlock_file
from curtain.base.errors import CurtainError
from curtain.base.input_file import open_regular
from curtain_judge.items import JudgedItem, content_sha256

_FORMAT = "curtain judge packet 1"
_MOST_ROWS = 1_000_000
# A recording of two minutes at 192 kHz is 100 MB; the contents of all items together are text that a person reads.
_LONGEST_VALUE, _MOST_CONTENT = 256 * 1024 * 1024, 256 * 1024 * 1024
_TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE item (place INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, content TEXT NOT NULL, wav BLOB) STRICT;
CREATE TABLE label (number INTEGER PRIMARY KEY AUTOINCREMENT, item TEXT NOT NULL REFERENCES item (id),
  question TEXT NOT NULL, label TEXT NOT NULL, seconds REAL NOT NULL, at_utc TEXT NOT NULL) STRICT;
"""
_FIXED = "".join(
    f"CREATE TRIGGER {table}_{verb} BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, 'fixed'); END;\n"
    for table, verbs in (
        ("about", ("INSERT", "UPDATE", "DELETE")),
        ("item", ("INSERT", "UPDATE", "DELETE")),
        ("label", ("UPDATE", "DELETE")),
    )
    for verb in verbs
)


_SCHEMA = "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY 1, 2"
_FULL_DISK, _DAMAGED = sqlite3.SQLITE_FULL, (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@dataclass(frozen=True, slots=True)
class PacketItem:
    """An item as a packet holds it; `content` is what `JudgedItem.content` gives."""

    place: int
    id: str
    content: Mapping[str, Any]
    has_audio: bool


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """What the judge said, in the order of saying; an empty `label` withdraws the one before it.

    `question` is clarity, correctness or comment; `seconds` is the active time that the item took.
    """

    item: str
    question: str
    label: str
    seconds: float
    at_utc: str


def packet_bytes(items: Sequence[JudgedItem], about: Mapping[str, str]) -> Iterator[bytes]:
    """A new packet, made when it is asked for; the same items give the same bytes."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_TABLES)
        database.executemany("INSERT INTO about VALUES (?, ?)", sorted({**about, "format": _FORMAT}.items()))
        database.executemany(
            "INSERT INTO item VALUES (?, ?, ?, ?)",
            (
                (place, item.id, json.dumps(item.content(), ensure_ascii=False, sort_keys=True), item.wav)
                for place, item in enumerate(items, 1)
            ),
        )
        database.executescript(_FIXED)
        database.commit()
        yield database.serialize()


class _PacketLock:
    """Held while a window writes into the packet. It ends with the process, however that ends.

    On a file beside: on a network drive a lock on the packet itself would shut SQLite out, too.
    """

    def __init__(self, path: Path) -> None:
        whole = path.resolve()
        self._beside = whole.with_name(f".{whole.name}.lock")
        self._descriptor: int | None = None
        try:
            self._descriptor = lock_file(self._beside)
        except OSError:
            return  # where no file can be made, no label can be kept either, and the first one says so
        if self._descriptor is None:
            raise CurtainError(f"{path.name} is open in another window. Go on there, or close it first.")

    def close(self) -> None:
        if self._descriptor is not None:
            unlock_file(self._beside, self._descriptor)
            self._descriptor = None


class Packet:
    """An open packet. Every method raises CurtainError where the file cannot be read or written.

    One judge's window at a time has it for writing; reading is free.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._database = self._open(read_only)
        self._lock: _PacketLock | None = None
        try:
            self._lock = None if read_only else _PacketLock(path)
            self._check_schema()
            self.about = self._about()
            self.items = list(self._items())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let the file go."""
        self._database.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Packet:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def judge(self) -> str:
        """Whose packet it is."""
        return self.about.get("judge", "")

    def wav(self, item_id: str) -> bytes | None:
        """The recording of an item, None where it has none."""
        with self._explained():
            row = self._database.execute("SELECT wav FROM item WHERE id = ?", (item_id,)).fetchone()
        return row[0] if row else None

    def add(self, label: GivenLabel) -> None:
        """Keep a label; it is on the disk when this returns."""
        with self._explained(), self._database:
            self._database.execute(
                "INSERT INTO label (item, question, label, seconds, at_utc) VALUES (?, ?, ?, ?, ?)",
                (label.item, label.question, label.label, label.seconds, label.at_utc),
            )

    def labels(self) -> list[GivenLabel]:
        """Everything that was said, in order."""
        with self._explained():
            rows = self._database.execute(
                "SELECT item, question, label, seconds, at_utc FROM label ORDER BY number LIMIT ?", (_MOST_ROWS,)
            ).fetchall()
        return [GivenLabel(*row) for row in rows]

    def standing(self) -> dict[tuple[str, str], GivenLabel]:
        """The last label of each (item, question); withdrawn ones are left out."""
        last = {(label.item, label.question): label for label in self.labels()}
        return {key: label for key, label in last.items() if label.label}

    def changed_item(self, sums: Mapping[str, str]) -> str | None:
        """The id of the first item that is not the one of these checksums; None if every item is."""
        for item in self.items:
            wav = self.wav(item.id)
            audio = hashlib.sha256(wav).hexdigest() if wav is not None else None
            # The checksum in the content vouches for the recording only where both belong together.
            if item.content.get("audio_sha256") != audio or sums.get(item.id) != content_sha256(item.content):
                return item.id
        return next((item for item in sums if item not in {one.id for one in self.items}), None)

    def _open(self, read_only: bool) -> sqlite3.Connection:
        try:
            # Regular files only: SQLite would wait for a pipe.
            os.close(open_regular(self.path))
            mode = "ro" if read_only else "rw"
            database = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode={mode}", uri=True, timeout=5)
        except OSError as error:
            raise CurtainError(f"{self.path} cannot be read: {error.strerror or error}.") from error
        except sqlite3.Error as error:
            raise CurtainError(f"{self.path} cannot be opened: {error}.") from error
        with self._explained():
            # The file comes from elsewhere: no function in its schema may reach anything, and nothing in it grows.
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            database.execute("PRAGMA trusted_schema = OFF")
            database.execute("PRAGMA cell_size_check = ON")
            if not read_only:
                database.execute("PRAGMA synchronous = FULL")
        return database

    def _check_schema(self) -> None:
        """A view, another table, or a table without our types could run for ever, or give what no judge said."""
        with self._explained(), closing(sqlite3.connect(":memory:")) as ours:
            ours.executescript(_TABLES + _FIXED)
            wanted = ours.execute(_SCHEMA).fetchall()
            # One more is enough to differ; a schema of a million entries is not read.
            schema = self._database.execute(f"{_SCHEMA} LIMIT ?", (len(wanted) + 1,)).fetchall()
            if schema != wanted:
                raise CurtainError(f"{self.path} is no packet: its tables are not ours. Ask for it again.")
            [[length]] = self._database.execute(
                "SELECT coalesce(sum(length(CAST(content AS BLOB))), 0) FROM (SELECT content FROM item LIMIT ?)",
                (_MOST_ROWS,),
            )
            # The file's own bytes can say that a column of STRICT type holds something else.
            [[wrong]] = self._database.execute(
                "SELECT (SELECT count(*) FROM item WHERE typeof(id) <> 'text' OR typeof(content) <> 'text' OR "
                "typeof(wav) NOT IN ('blob', 'null')) + (SELECT count(*) FROM label WHERE typeof(item) <> 'text' OR "
                "typeof(question) <> 'text' OR typeof(label) <> 'text' OR typeof(seconds) <> 'real' OR "
                "typeof(at_utc) <> 'text') + (SELECT count(*) FROM about WHERE typeof(name) <> 'text' OR "
                "typeof(value) <> 'text')"
            )
        if wrong or not isinstance(length, int) or length > _MOST_CONTENT:
            raise CurtainError(f"{self.path} is no packet: it holds what no packet of ours does. Ask for it again.")

    def _about(self) -> dict[str, str]:
        with self._explained():
            about = dict(self._database.execute("SELECT name, value FROM about LIMIT 100").fetchall())
        if about.get("format") != _FORMAT:
            raise CurtainError(
                f"{self.path} is no packet of this version of Curtain; make it with “curtain judge new”."
            )
        return about

    def _items(self) -> Iterator[PacketItem]:
        with self._explained():
            rows = self._database.execute(
                "SELECT place, id, content, wav IS NOT NULL FROM item ORDER BY place LIMIT ?", (_MOST_ROWS,)
            ).fetchall()
        for place, item_id, text, has_audio in rows:
            try:
                content = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise CurtainError(f"{self.path}: item {place} cannot be read; make the packet anew.") from error
            if not isinstance(content, dict):
                raise CurtainError(f"{self.path}: item {place} is not a pair; make the packet anew.")
            yield PacketItem(place, item_id, content, bool(has_audio))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """SQLite's problems in one sentence."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise CurtainError(self._sentence(error)) from error

    def _sentence(self, error: sqlite3.DatabaseError) -> str:
        # The low byte is the kind of problem (sqlite.org/rescode.html).
        kind = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if kind == _FULL_DISK:
            return f"The disk of this computer is full: make room in {self.path.resolve().parent}, then do that again."
        if kind in _DAMAGED:
            return f"{self.path} is no packet, or it is damaged ({error}). Ask for it again."
        return f"{self.path} cannot be used now ({error}). Look at its folder and the disk, then try again."
