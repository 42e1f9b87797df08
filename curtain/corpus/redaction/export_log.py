"""Which exports a study has given out: `exports.jsonl` in its folder, so that whoever withdraws can be followed."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from curtain.base.clock import Clock
from curtain.base.input_file import real_path
from curtain.base.record_file import BadRecords, lines_of, read_records, write_records
from curtain.base.terminal import print_error
from curtain.session.bundle.heads import sealed

EXPORTS_FILE = "exports.jsonl"
PACKETS, REPORT, QUESTIONNAIRES = "packets for judges", "report", "questionnaires"
SYSTEM_ANSWERS = "answers of a system"
"""What else leaves a study with ids, words or voices of its speakers, as `Exported.format` names it."""
POOL, _CHALLENGE = "pool", "challenge set"
"""In lists of studies of before. A pool holds nothing of anybody but ids."""


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """One export: where it was put, in which format, when, and whose sessions (ids as in the study) it holds.

    `references` is the file with the key to a blind test. `without_consent`: sessions without a signed form were let
    in. `study` is where the study was then: a copy of the study takes this list along, but the exports are not the
    copy's.
    """

    path: Path
    format: str
    at_utc: str
    sessions: tuple[str, ...] = ()
    references: Path | None = None
    study: Path | None = None
    without_consent: bool = False

    @property
    def is_corpus(self) -> bool:
        """Whether it is a corpus in one of the export formats."""
        return self.format not in (POOL, PACKETS, REPORT, QUESTIONNAIRES, SYSTEM_ANSWERS, _CHALLENGE)

    @property
    def is_there(self) -> bool:
        """Whether the export, or its file of references, is still where it was written."""
        return self.path.exists() or (self.references is not None and self.references.exists())

    def is_of(self, study: Path) -> bool:
        """Whether it was made from the study in this very folder."""
        return self.study == real_path(study)

    def holds(self, speaker: str) -> bool:
        """Whether the export has a session of this speaker. Session ids begin with the speaker and a hyphen."""
        return any(session.startswith(f"{speaker}-") for session in self.sessions)


def read_exports(study: Path) -> list[Exported]:
    """The exports of a study, oldest first. Raises BadRecords."""
    return read_records(study / EXPORTS_FILE, Exported, "Correct this line: it says who was given what.")


def note_export(
    study: Path,
    out: Path,
    format_name: str,
    sessions: Iterable[str],
    references: Path | None = None,
    *,
    without_consent: bool = False,
) -> None:
    """Add an export to the study's list; one into the same folder takes the earlier one's place. Answers of a system
    grow: they hold the sessions of before, too.

    Where the study cannot note it a sentence says so: what was written is whole.
    """
    try:
        noted, path = read_exports(study), real_path(out)
        grows = format_name == SYSTEM_ANSWERS
        before = [session for one in noted if grows and one.path == path for session in one.sessions]
        export_entry = Exported(
            path=path,
            format=format_name,
            at_utc=Clock().wall_utc(),
            sessions=tuple(sorted({*sessions, *before})),
            references=real_path(references) if references else None,
            study=real_path(study),
            without_consent=without_consent,
        )
        write_exports(study, [*(other for other in noted if other.path != path), export_entry])
    except BadRecords as error:
        print_error(f"The study does not note this export: {error}")


def _as_row(export: Exported) -> dict[str, Any]:
    row: dict[str, Any] = msgspec.to_builtins(export, enc_hook=str)
    # A mark that is not set is no news: the lines of before have none.
    return {name: value for name, value in row.items() if value is not None and value is not False}


def write_exports(study: Path, exports: Iterable[Exported]) -> None:
    """Put the list in the study's file. Raises BadRecords."""
    rows = [_as_row(one) for one in exports]
    with sealed(study, EXPORTS_FILE, lines_of(rows)) as path:
        write_records(path, rows)
