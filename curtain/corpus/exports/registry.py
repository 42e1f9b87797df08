"""The export formats by name. A new format is one line here and one module with a `write`."""

from __future__ import annotations

import importlib
from typing import cast

from curtain.base.errors import CurtainError
from curtain.corpus.exports.writer import Write
from curtain.ports.companion import FormatOffer
from curtain.ports.discovery import installed

_HERE = "curtain.corpus.exports"

FORMATS: tuple[FormatOffer, ...] = (
    FormatOffer("atis", "ATIS tree of NIST and LDC", f"{_HERE}.atis_tree"),
    FormatOffer("parquet", "Parquet and JSON lines of the utterance table", f"{_HERE}.tables.parquet"),
    FormatOffer(
        "huggingface",
        "Hugging Face data set: Parquet with recordings, card, Croissant",
        f"{_HERE}.tables.huggingface",
        use="publish",
    ),
    FormatOffer("kaldi", "Kaldi data folders", f"{_HERE}.speech.kaldi"),
    FormatOffer("nist", "NIST trn, stm and ctm for sclite", f"{_HERE}.speech.nist", speech=False),
    FormatOffer("lhotse", "Lhotse manifests", f"{_HERE}.speech.lhotse"),
    FormatOffer(
        "spider",
        "Spider and SParC: questions with proven queries over a SQLite copy",
        f"{_HERE}.sql.spider",
        False,
        False,
    ),
    FormatOffer(
        "bird", "BIRD: questions with evidence and proven queries over SQLite copies", f"{_HERE}.sql.bird", False, False
    ),
    FormatOffer("elan", "ELAN files with a recording of each session", f"{_HERE}.speech.elan"),
    FormatOffer("textgrid", "Praat TextGrids with a recording of each session", f"{_HERE}.speech.textgrid"),
    FormatOffer("bagit", "BagIt bag of the sessions", f"{_HERE}.bagit", archive=True),
)


def formats() -> tuple[FormatOffer, ...]:
    """Those of companions, too; none takes the name of one that is there."""
    offered = {one.name: one for companion, _ in reversed(installed().companions) for one in companion.formats}
    return (*FORMATS, *(offered[name] for name in sorted(offered.keys() - {one.name for one in FORMATS})))


def find(name: str) -> FormatOffer:
    """The format of this name. Raises CurtainError, which lists the names."""
    for export_format in formats():
        if export_format.name == name:
            return export_format
    names = ", ".join(known.name for known in formats())
    raise CurtainError(f"There is no export format {name!r}; “--format” takes one of: {names}.")


def writer_of(format: FormatOffer) -> Write:
    """The `write` of a format, imported only now."""
    return cast(Write, importlib.import_module(format.module).write)
