"""What the home window remembers between its starts: the studies used before, and which sessions were verified."""

import threading
from collections.abc import Iterable
from pathlib import Path

import msgspec

from curtain.base.disk import replace_file
from curtain.base.input_file import read_input
from curtain.commands.sessions.facts import Verified
from curtain.ports.result import CommandResult
from curtain_home.control.commands import Activity, End
from curtain_home.control.plans import CommandPlan

MOST_STUDIES = 30
MOST_TASKS = 50
_MOST_SESSIONS = 5000


class _KeptTask(msgspec.Struct, frozen=True):
    """What is kept of a task. What it printed and was given may hold what somebody said, and is not."""

    kind: str
    title: str
    study: str
    ended: str
    end: End
    made: tuple[str, ...] = ()


class _Remembered(msgspec.Struct, frozen=True):
    studies: tuple[str, ...] = ()
    tasks: tuple[_KeptTask, ...] = ()
    verified: dict[str, Verified] = {}


class HomeMemory:
    """One small JSON file. A file that cannot be read or written is as good as none: nothing of a session is in it.

    Safe from any thread.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._now = _read(path)

    @property
    def studies(self) -> tuple[Path, ...]:
        """The folders of the studies, the one used last first; also those that are gone meanwhile."""
        return tuple(Path(one) for one in self._now.studies)

    @property
    def verified(self) -> dict[str, Verified]:
        """By the folder of the session."""
        return dict(self._now.verified)

    @property
    def tasks(self) -> tuple[Activity, ...]:
        """What ran before, the newest first."""
        return tuple(
            Activity(CommandPlan(ran.kind, ran.title, ()), end=ran.end, sentence=", ".join(ran.made), study=ran.study,
                     ended=ran.ended, result=CommandResult(made=ran.made))
            for ran in self._now.tasks
        )  # fmt: skip

    def keep_tasks(self, tasks: Iterable[Activity]) -> None:
        """What ran, for the next start."""
        self._keep(tasks=tuple(
            _KeptTask(ran.plan.kind, ran.plan.title, ran.study, ran.ended, ran.end, ran.result.made)
            for ran in tasks if ran.end
        ))  # fmt: skip

    def put_first(self, study: Path) -> None:
        """The study that is used now."""
        others = [one for one in self._now.studies if one != str(study)]
        self._keep(studies=(str(study), *others)[:MOST_STUDIES])

    def drop(self, study: Path) -> None:
        """Take a study off the list; its folder stays as it is."""
        self._keep(studies=tuple(one for one in self._now.studies if one != str(study)))

    def note_verified(self, session: Path, result: Verified) -> None:
        """What a check of a session now gave."""
        verified = {**self._now.verified, str(session): result}
        # The oldest go first; a session that is verified again is the newest.
        self._keep(verified=dict(list(verified.items())[-_MOST_SESSIONS:]))

    def save(self) -> None:
        """Write the file; waits for the disk."""
        with self._lock:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                replace_file(self._path, msgspec.json.encode(self._now))
            except OSError:
                # The list is a convenience: a window that cannot keep it works all the same.
                return

    def _keep(self, **changes: object) -> None:
        self._now = msgspec.structs.replace(self._now, **changes)


def _read(path: Path) -> _Remembered:
    try:
        return msgspec.json.decode(read_input(path), type=_Remembered)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _Remembered()
