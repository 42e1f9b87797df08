"""What the drafter knows of a domain before anything was answered: words, schema, what columns hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from curtain.domain.pack.pack import Pack

from ..query.lexicon import Lexicon, load_lexicon
from ..query.recognise import Recogniser
from ..schema.misspelled import corrected, known_of
from ..schema.pack_schema import Schema, schema_of
from ..sql.ground import Ground
from ..values import Request
from .chips import Swaps, swaps_of
from .holdings import Holdings, holdings_of

__all__ = ["Domain", "domain_of"]


@dataclass(frozen=True)
class Domain:
    """Words and values of a domain, what values may be swapped for, its schema and what its columns hold, primary keys
    by table, what edits need of the schema; `included` says whether the ends of periods belong to them."""

    lexicon: Lexicon
    recogniser: Recogniser
    swaps: Swaps
    schema: Schema
    holdings: Holdings
    keys: Mapping[str, Sequence[str]]
    ground: Ground
    included: bool

    def includes_ends(self, request: Request) -> bool:
        """Whether the ends of periods belong to them, read as the request says."""
        return self.included if request.reading == "pack" else True


def domain_of(pack: Pack, db_path: Path, questions: Iterable[str]) -> Domain:
    """Reads pack and database; the words of these questions are known, too. Raises duckdb.Error if the database cannot
    be read."""
    lexicon = load_lexicon(pack, db_path)
    schema = schema_of(pack, lexicon)
    spelt = partial(corrected, known=known_of(schema, lexicon, questions))
    return Domain(
        lexicon,
        Recogniser(lexicon, pack.periods, pack.as_of, spelt),
        swaps_of(lexicon),
        schema,
        holdings_of(schema, db_path),
        pack.keys.primary,
        Ground(pack, lexicon.words),
        _ends_included(pack.periods),
    )


def _ends_included(periods: Mapping[str, Any]) -> bool:
    return any(isinstance(period, Mapping) and period.get("ends_included") for period in periods.values())
