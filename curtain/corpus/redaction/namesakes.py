"""Sessions of the same id in two studies that share a mirror or a spool: which of the folders are this study's."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from curtain.base.errors import CurtainError
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.identity import SessionsMixed, identity_in
from curtain.session.journal.lines import JournalUnreadable, read_journal


@dataclass(frozen=True)
class SessionMarks:
    """What distinguishes the sessions of a study from their namesakes: their identities, and for sessions of an earlier
    Curtain, which have none, the first line of each journal with the journal's name."""

    identities: frozenset[str]
    first_lines: frozenset[tuple[str, bytes]]

    def hold(self, folder: Path) -> bool:
        """Whether this folder of a mirror or a spool belongs to one of these sessions."""
        named = _identities(folder)
        # An identity decides alone. First lines are compared only where there is none to compare.
        return bool(named & self.identities) if named else bool(_first_lines(folder) & self.first_lines)


def marks_of(sessions: Iterable[Path]) -> SessionMarks:
    """The marks of these folders of sessions. A damaged file marks nothing."""
    folders = list(sessions)
    identities = frozenset().union(*map(_identities, folders))
    return SessionMarks(identities, frozenset().union(*map(_first_lines, folders)))


def _identities(folder: Path) -> frozenset[str]:
    bundle = Bundle(folder)
    named: set[str] = set()
    # A mirror and a spool have no session.json; the journals name it too.
    with suppress(CurtainError):
        named.add(str(bundle.read_session_json().get("identity") or ""))
    for path in (bundle.wizard_journal, bundle.subject_journal):
        try:
            named.add(identity_in(read_journal(path).entries) or "")
        except (JournalUnreadable, SessionsMixed):
            continue  # what cannot be read names nothing; the other files may
    # The spool of a session without a line is known by its name alone: e00-01-<identity>.
    named.add(folder.name[len("e00-01-") :])
    return frozenset(named - {"", "repaired"})


def _first_lines(folder: Path) -> frozenset[tuple[str, bytes]]:
    bundle = Bundle(folder)
    lines: set[tuple[str, bytes]] = set()
    for path in (bundle.wizard_journal, bundle.subject_journal):
        try:
            with path.open("rb") as file:
                line = file.readline()
        except OSError:
            continue  # not every folder has both journals
        if line.endswith(b"\n"):
            lines.add((path.name, line))
    return frozenset(lines)
