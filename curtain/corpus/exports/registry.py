"""The export formats by name. A new format is one line here and one module with a `write`."""

from __future__ import annotations

import importlib
from typing import cast

from curtain.corpus.exports.writer import Format, Write
from curtain.errors import CurtainError

__all__ = ["FORMATS", "NoSuchFormat", "find", "writer_of"]

_HERE = "curtain.corpus.exports"

FORMATS: tuple[Format, ...] = (
    Format(
        "atis",
        "ATIS tree of NIST and LDC",
        f"{_HERE}.atis_tree",
    ),
    Format("parquet", "Parquet and JSON lines of the utterance table", f"{_HERE}.parquet"),
    Format("huggingface", "Hugging Face data set: Parquet with recordings, card, Croissant", f"{_HERE}.huggingface"),
    Format("audiofolder", "Hugging Face AudioFolder: WAV files and metadata.parquet", f"{_HERE}.audiofolder"),
    Format("kaldi", "Kaldi data folders", f"{_HERE}.kaldi"),
    Format("nist", "NIST trn, stm and ctm for sclite", f"{_HERE}.nist", speech=False),
    Format("nemo", "NeMo manifests", f"{_HERE}.nemo"),
    Format("lhotse", "Lhotse manifests", f"{_HERE}.lhotse"),
    Format(
        "spider", "Spider and SParC: questions with proven queries over a SQLite copy", f"{_HERE}.spider", False, False
    ),
    Format(
        "text2sql",
        "text2sql-data: queries without their values, and their questions",
        f"{_HERE}.text2sql_data",
        False,
        False,
    ),
    Format("discourse", "Discourse corpus: pairs, triplets and chains", f"{_HERE}.discourse", False, False),
    Format("elan", "ELAN files with a recording of each session", f"{_HERE}.elan"),
    Format("textgrid", "Praat TextGrids with a recording of each session", f"{_HERE}.textgrid"),
    Format("bagit", "BagIt bag of the sessions", f"{_HERE}.bagit", archive=True),
)


class NoSuchFormat(CurtainError):
    """No export format has this name."""


def find(name: str) -> Format:
    """The format of this name. Raises NoSuchFormat, which lists the names."""
    for known in FORMATS:
        if known.name == name:
            return known
    names = ", ".join(known.name for known in FORMATS)
    raise NoSuchFormat(f"There is no export format {name!r}; “--format” takes one of: {names}.")


def writer_of(format: Format) -> Write:
    """The `write` of a format, imported only now."""
    return cast(Write, importlib.import_module(format.module).write)
