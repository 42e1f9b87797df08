"""The export formats by name. A new format is one line here and one module with a `write`."""

from __future__ import annotations

import importlib
from typing import cast

from curtain.base.errors import CurtainError
from curtain.corpus.exports.writer import ExportFormat, Write

_HERE = "curtain.corpus.exports"

FORMATS: tuple[ExportFormat, ...] = (
    ExportFormat("atis", "ATIS tree of NIST and LDC", f"{_HERE}.atis_tree"),
    ExportFormat("parquet", "Parquet and JSON lines of the utterance table", f"{_HERE}.tables.parquet"),
    ExportFormat(
        "huggingface",
        "Hugging Face data set: Parquet with recordings, card, Croissant",
        f"{_HERE}.tables.huggingface",
        use="publish",
    ),
    ExportFormat("kaldi", "Kaldi data folders", f"{_HERE}.speech.kaldi"),
    ExportFormat("nist", "NIST trn, stm and ctm for sclite", f"{_HERE}.speech.nist", speech=False),
    ExportFormat("lhotse", "Lhotse manifests", f"{_HERE}.speech.lhotse"),
    ExportFormat(
        "spider",
        "Spider and SParC: questions with proven queries over a SQLite copy",
        f"{_HERE}.sql.spider",
        False,
        False,
    ),
    ExportFormat(
        "bird", "BIRD: questions with evidence and proven queries over SQLite copies", f"{_HERE}.sql.bird", False, False
    ),
    ExportFormat(
        "chat",
        "Chats for training a language model, as OpenAI and ShareGPT have them",
        f"{_HERE}.sql.chat",
        False,
        False,
    ),
    ExportFormat("labelstudio", "Label Studio tasks with recordings, words and SQL", f"{_HERE}.tables.labelstudio"),
    ExportFormat("elan", "ELAN files with a recording of each session", f"{_HERE}.speech.elan"),
    ExportFormat("textgrid", "Praat TextGrids with a recording of each session", f"{_HERE}.speech.textgrid"),
    ExportFormat("bagit", "BagIt bag of the sessions", f"{_HERE}.bagit", archive=True),
)


def find(name: str) -> ExportFormat:
    """The format of this name. Raises CurtainError, which lists the names."""
    for export_format in FORMATS:
        if export_format.name == name:
            return export_format
    names = ", ".join(known.name for known in FORMATS)
    raise CurtainError(f"There is no export format {name!r}; “--format” takes one of: {names}.")


def writer_of(format: ExportFormat) -> Write:
    """The `write` of a format, imported only now."""
    return cast(Write, importlib.import_module(format.module).write)
