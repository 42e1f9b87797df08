"""The verified copy of the subject's journal: a line is acknowledged when it is safe here, never before."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from curtain.base.errors import CurtainError
from curtain.link.messages import JournalLine, LinesBack
from curtain.qt.background import Background
from curtain.session.journal.journal import JournalConflict, Replica
from curtain.session.journal.lines import BadLine

RETRY_MS = 1000
# A station that sends the same damaged line again has no better one; without a pause it would be hung up on for ever.
MOST_TRIES = 3


# A line that came over the link fits into a frame; with this much before it, it still does.
_PIECE = 64 * 1024


def lines_back(replica: Replica, after: int) -> LinesBack:
    """A piece of the copy for the station that wrote it: whole lines, at least one if there is one. Raises OSError."""
    lines: list[bytes] = []
    for seq, line in replica.lines_after(after):
        if seq > replica.whole_until or (lines and sum(map(len, lines)) + len(line) > _PIECE):
            break
        lines.append(line)
    return LinesBack(after=after, lines=lines)


class SubjectCopy(QObject):
    """Lines that could not be written are kept and written again until they can.

    `line_refused(have)`: a line came that is none; what follows line `have` is wanted again.
    """

    line_safe = Signal(int, bytes)
    line_refused = Signal(int)
    problem = Signal(str)
    problem_over = Signal()

    def __init__(
        self, replica: Replica, ack: Callable[[int], object], background: Background, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._replica = replica
        self._ack = ack
        self._background = background
        self._pending: list[tuple[int, bytes]] = []
        # Lines that were here, or on their way, before they came again are acknowledged, but are no news.
        self._news: set[int] = set()
        self._tries: Counter[int] = Counter()
        self._round = 0
        self._in_problem = False
        self._refusing = False
        self._retry = QTimer(self, singleShot=True, interval=RETRY_MS)
        self._retry.timeout.connect(self._write_pending)

    @property
    def whole_until(self) -> int:
        """The subject's station is asked for every line after this one."""
        return self._replica.whole_until

    @property
    def lost(self) -> tuple[int, ...]:
        """The numbers of lines that are damaged or missing in the copy."""
        return self._replica.lost

    @property
    def settled(self) -> bool:
        """Whether every line that came is written."""
        return not self._pending

    def take_line(self, message: JournalLine) -> None:
        """Write a line that came; after a failure it waits with the others for the next try."""
        if message.seq > self._replica.last_seq or message.seq in self._replica.lost:
            self._news.add(message.seq)
        self._pending.append((message.seq, message.line))
        if not self._in_problem:
            self._write([(message.seq, message.line)])

    def close(self) -> None:
        """Try no more, and close the file."""
        self._retry.stop()
        self._replica.close()

    def _write_pending(self) -> None:
        if self._pending:
            self._write(list(self._pending))

    def _write(self, lines: list[tuple[int, bytes]]) -> None:
        future = self._replica.extend_all_soon(lines)
        self._background.when_done(future, partial(self._on_written, lines, self._round))

    def _on_written(self, lines: list[tuple[int, bytes]], sent_in: int, future: Future[int]) -> None:
        try:
            reached = future.result()
        except (BadLine, JournalConflict) as error:
            self._refuse(lines, error, again=sent_in == self._round)
            return
        except CurtainError as error:
            self._try_later(error)
            return
        self._end_problem()
        written = {seq for seq, _ in lines}
        self._pending = [one for one in self._pending if one[0] not in written]
        for seq, line in lines:
            if seq in self._news:
                self._news.remove(seq)
                self.line_safe.emit(seq, line)
        self._ack(reached)

    def _refuse(self, lines: list[tuple[int, bytes]], error: CurtainError, again: bool) -> None:
        """Acknowledge nothing, and let the other station begin again behind the last line that is safe here.

        Lines that were on their way behind the wrong one leave a gap and are refused with it, but ask for nothing more.
        """
        refused = {seq for seq, _ in lines}
        self._pending = [one for one in self._pending if one[0] not in refused]
        self._news -= refused
        if not again:
            return
        self._refusing = True
        self.problem.emit(str(error))
        self._tries[min(refused)] += 1
        if self._tries[min(refused)] <= MOST_TRIES:
            self._round += 1
            self.line_refused.emit(self._replica.whole_until)

    def _try_later(self, error: CurtainError) -> None:
        if not self._in_problem:
            self._in_problem = True
            self.problem.emit(str(error))
        self._retry.start()

    def _end_problem(self) -> None:
        if self._in_problem or self._refusing:
            self._in_problem = self._refusing = False
            self.problem_over.emit()
