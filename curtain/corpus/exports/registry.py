"""The export formats by name: the two of the core, and those that companions offer."""

from __future__ import annotations

import importlib
from typing import cast

from curtain.base.errors import CurtainError
from curtain.corpus.exports.writer import Write
from curtain.ports.companion import FormatOffer
from curtain.ports.discovery import installed

_HERE = "curtain.corpus.exports"

FORMATS: tuple[FormatOffer, ...] = (
    FormatOffer("parquet", "Parquet and JSON lines of the utterance table", f"{_HERE}.tables.parquet"),
    FormatOffer(
        "huggingface",
        "Hugging Face data set: Parquet with recordings, card",
        f"{_HERE}.tables.huggingface",
        use="publish",
    ),
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
