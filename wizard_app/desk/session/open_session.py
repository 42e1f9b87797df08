"""A session whose journals are held by this station, and its lines as facts."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import damage_of
from curtain.session.events import subject_events, wizard_events
from curtain.session.journal.journal import Journal, Replica
from curtain.session.journal.lines import BadLine, JournalEntry, UnreadableFact, parse_line
from wizard_app.desk.session.progress import SessionProgress, with_wizard_fact
from wizard_app.desk.session.unsent import Unsent

log = logging.getLogger(__name__)

_ADVICE = (
    "The session can go on. Exports will refuse it until you have run “curtain repair” and put the copy in its place."
)

Line = tuple[int, int | None, wizard_events.WizardFact | None]


@dataclass
class OpenSession:
    """A session whose journals are held by this station. `measures` are the sentences on pace and SQL drafts that its
    end brings; `lost` says which lines of the wizard's journal are no more; `restored` are sentences on what was
    damaged and made whole when it was opened. `unanswered` are the questionnaires that somebody went on from with
    questions left out. `missing_turns` are those whose lines the copy of the subject's journal
    had lost then, `awaited_turns` those of them whose lines have not come again. `secret_given` is false while the
    subject's station cannot know the secret, because it had to be made anew. `noted`: the end wrote its last lines.
    """

    bundle: Bundle
    session_id: str
    journal: Journal
    replica: Replica
    progress: SessionProgress
    audio_safe: dict[str, str] = field(default_factory=dict)
    unsent: Unsent = field(default_factory=Unsent)
    unsent_path: Path = Path()
    measures: str = ""
    unanswered: str = ""
    lost: str = ""
    identity: str = ""
    restored: list[str] = field(default_factory=list)
    secret: str = ""
    secret_given: bool = True
    missing_turns: tuple[int, ...] = ()
    awaited_turns: set[int] = field(default_factory=set)
    noted: bool = False

    def facts_after(self, seq: int) -> Iterator[Line]:
        """(seq, turn, fact) of the lines of the wizard's journal after `seq`, read from the disk one by one.

        None stands for the fact of a line that cannot be read.
        """
        for number, line in self.journal.lines_after(seq):
            try:
                entry = parse_line(line)
            except BadLine as error:
                # Altered behind our back while it was held: the next start shows the wizard what is lost.
                log.warning("%s, line %d: %s", self.journal.path.name, number, type(error).__name__)
                yield number, None, None
            else:
                yield number, entry.turn, wizard_fact(entry)

    def fact_at(self, seq: int) -> wizard_events.WizardFact | None:
        """The fact of one line, with its table; None if it is not there or cannot be read."""
        return next((fact for number, _, fact in self.facts_after(seq - 1) if number == seq), None)

    @property
    def damage(self) -> str:
        """What the wizard must know of damaged journals; "" if there is nothing."""
        damages = [self.lost] if self.lost else []
        for kept in (self.journal, self.replica):
            if kept.opened_with.is_damaged:
                damages += (f"{kept.path.name}: {what}" for what in damage_of(kept.opened_with))
        return " ".join([*damages, _ADVICE]) if damages else ""


def wizard_fact(entry: JournalEntry) -> wizard_events.WizardFact | None:
    """The fact of a line, or None for one that this version cannot read."""
    try:
        return wizard_events.read(entry)
    except UnreadableFact:
        return None


def subject_fact(entry: JournalEntry) -> subject_events.SubjectFact | None:
    """The fact of a line, or None for one that this version cannot read."""
    try:
        return subject_events.read(entry)
    except UnreadableFact:
        return None


def append_now(opened: OpenSession, facts: list[wizard_events.WizardFact]) -> None:
    """Write at once and wait for the disk; fold what was written."""
    for future in opened.journal.append_all([(fact, None) for fact in facts]):
        entry = future.result()
        opened.progress = with_wizard_fact(opened.progress, wizard_fact(entry), entry.turn, entry.t_ns, entry.seq)
