"""The export formats by name: that of the core, and those that companions offer."""

from curtain.base.errors import CurtainError
from curtain.corpus.exports.writer import Write
from curtain.ports.companion import FormatOffer
from curtain.ports.discovery import guarded, installed

TABLE = FormatOffer("parquet", "Parquet and JSON lines of the utterance table", "curtain.corpus.exports.tables.parquet")


def formats() -> tuple[FormatOffer, ...]:
    """Those of companions, too; none takes the name of one that is there."""
    offered = {one.name: one for companion, _ in reversed(installed().companions) for one in companion.formats}
    return (TABLE, *(offered[name] for name in sorted(offered.keys() - {TABLE.name})))


def find(name: str) -> FormatOffer:
    """The format of this name. Raises CurtainError, which lists the names."""
    by_name = {one.name: one for one in formats()}
    if name in by_name:
        return by_name[name]
    sentence = f"There is no export format {name!r}; “--format” takes one of: {', '.join(by_name)}."
    raise CurtainError(" ".join((sentence, *installed().problems)))


def writer_of(format: FormatOffer) -> Write:
    """The `write` of a format, imported only now."""
    write: Write = guarded(f"{format.module}:write", lambda write: write)
    return write
