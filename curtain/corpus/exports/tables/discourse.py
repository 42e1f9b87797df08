"""The discourse corpus of papers/000, section 5: pairs, triplets and chains, each in a file of JSON lines.

A *pair* is a query that stands alone with its answer. A *triplet* is a query, the query whose text it needs, and its
own answer. A *chain* is any query that depends on context, behind everything that leads to it. Rows are those of the
utterance table.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from curtain.corpus.exports.utterance_table import as_line, row_of
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.discourse_pairs import chains, pairs, triplets
from curtain.corpus.model.utterance import Corpus, Session, Utterance

_FILES = ("pairs", "triplets", "chains")


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write `pairs.jsonl`, `triplets.jsonl` and `chains.jsonl`, each of them also where it stays empty."""
    with ExitStack() as stack:
        files = {name: stack.enter_context((folder / f"{name}.jsonl").open("xb")) for name in _FILES}
        for session in corpus.sessions():
            written: set[str] = set()
            for name, entry, members in _entries(session):
                files[name].write(as_line(entry))
                written.update(one.utterance_id for one in members)
            for utterance in session.utterances:
                if utterance.utterance_id in written:
                    progress.wrote()
                else:
                    progress.dropped_one("in no pair, triplet or chain")


def _entries(session: Session) -> list[tuple[str, Mapping[str, Any], tuple[Utterance, ...]]]:
    """(file, line, the utterances in it) in the order of files and turns."""
    entries: list[tuple[str, Mapping[str, Any], tuple[Utterance, ...]]] = []
    for pair in pairs(session):
        entries.append(("pairs", {"utterance": row_of(session, pair)}, (pair,)))
    for two in triplets(session):
        line = {"first": row_of(session, two.first), "second": row_of(session, two.second)}
        entries.append(("triplets", line, (two.first, two.second)))
    for chain in chains(session):
        whole: dict[str, Any] = {
            "utterances": [row_of(session, one) for one in chain.utterances],
            "missing": list(chain.missing),
            "evaluable": chain.evaluable,
        }
        entries.append(("chains", whole, chain.utterances))
    return entries
