"""An export: counts the corpus, lets a format's writer fill a folder, and puts the account of it beside."""

from __future__ import annotations

import errno
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from curtain.corpus.exports import registry
from curtain.corpus.exports.census import Census, census_of
from curtain.corpus.exports.whole import ExportFailed, ensure_free, whole_folder
from curtain.corpus.exports.writer import Format, Told, Write
from curtain.corpus.utterance import Corpus, Session
from curtain.errors import CurtainError

__all__ = ["ACCOUNT", "Done", "NothingToExport", "Watch", "export"]

ACCOUNT = "EXPORT.json"

Watch = Callable[[int], Callable[[int], None]]
"""Is told how many utterances there are, and gives what is called with how many more of them are done."""


class NothingToExport(CurtainError):
    """No utterance is left to export."""


@dataclass(frozen=True)
class Done:
    """What was exported: `kept` utterances; `dropped` by reason, by the filters and by what the format cannot hold."""

    out: Path
    kept: int
    dropped: Mapping[str, int]


def export(
    corpus: Corpus,
    format_name: str,
    out: Path,
    *,
    filters: Mapping[str, Any] | None = None,
    left_out: Callable[[], Mapping[str, int]] = dict,
    watch: Watch = lambda total: lambda n: None,
) -> Done:
    """Write the corpus to the new folder `out`: it is there whole, or not at all.

    `filters` are told in EXPORT.json as they stand; `left_out` gives, once the corpus was gone through, how many
    utterances they left out, by reason. Raises NoSuchFormat, OutExists, NothingToExport, ExportFailed, and what the
    reading of a bundle raises.
    """
    format = registry.find(format_name)
    write = registry.writer_of(format)
    out = out.resolve()
    ensure_free(out)
    census, source = census_of(_outside(out, corpus.sessions()))
    _ensure_something(census, left_out())
    told = Told(step=watch(census.utterances))
    with whole_folder(out) as folder:
        _written(write, corpus, folder, told)
        dropped = dict(Counter(left_out()) + told.dropped)
        account = _account(format, census, source, corpus.blind, dict(filters or {}), told.utterances, dropped)
        _write_json(folder / ACCOUNT, account)
    return Done(out, told.utterances, dropped)


def _ensure_something(census: Census, left_out: Mapping[str, int]) -> None:
    if not census.utterances:
        reasons = "; ".join(f"{count} {reason}" for reason, count in left_out.items())
        raise NothingToExport(f"There is no utterance to export{f': {reasons}' if reasons else ''}.")


def _outside(out: Path, sessions: Iterator[Session]) -> Iterator[Session]:
    for session in sessions:
        if session.path.resolve() in out.parents:
            raise ExportFailed(f"{out} lies inside the session {session.path}; name a folder elsewhere.")
        yield session


def _written(write: Write, corpus: Corpus, folder: Path, told: Told) -> None:
    """A full disk counts as one whatever library met it."""
    try:
        write(corpus, folder, told)
    except (CurtainError, OSError):
        raise
    except Exception as fault:
        if "No space left on device" in str(fault):
            raise OSError(errno.ENOSPC, "No space left on device", str(folder)) from fault
        raise


def _account(
    format: Format,
    census: Census,
    source: str,
    blind: bool,
    filters: Mapping[str, Any],
    kept: int,
    dropped: Mapping[str, int],
) -> dict[str, Any]:
    return {
        "format": format.name,
        "tool": {"name": "curtain", "version": metadata.version("curtain-woz")},
        "source_sha256": source,
        "filters": filters,
        "blind": blind,
        "corpus": census.as_json(),
        "kept": kept,
        "dropped": dict(sorted(dropped.items())),
    }


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        json.dump(value, file, ensure_ascii=False, indent=2)
        file.write("\n")
