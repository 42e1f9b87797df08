"""The running station as one value, and the order in which it is let go."""

from collections.abc import Sequence
from dataclasses import dataclass

from curtain.base.errors import close_all
from curtain.link.qt import SessionLink
from curtain.ports.instrument import SessionInstrument
from curtain.ports.operator import Operator
from wizard_app.desk.controllers import Backgrounds, Controllers
from wizard_app.desk.loading import StudyLoading
from wizard_app.desk.session.disk_watch import DiskWatch
from wizard_app.desk.turn.first_words import FirstWords
from wizard_app.desk.turn.rule_watch import RuleWatch
from wizard_app.desk.turn.unsent_writer import UnsentWriter
from wizard_app.presenters.desk_screen import DeskScreen, PageSet
from wizard_app.presenters.layout_memory import LayoutMemory


@dataclass(frozen=True)
class WizardStation:
    """Everything that must be ended when the window closes."""

    link: SessionLink
    pages: PageSet
    controllers: Controllers
    backgrounds: Backgrounds
    loading: StudyLoading
    disk: DiskWatch
    rules: RuleWatch
    first_words: FirstWords
    unsent: UnsentWriter
    screen: DeskScreen
    layout: LayoutMemory
    operator: Operator
    instruments: Sequence[SessionInstrument] = ()

    def close(self) -> None:
        """Let everything go. What was typed and not sent is kept; the session stays as it is."""
        close_all(
            # Whoever closes the window in the seconds after Send has sent.
            self.controllers.outgoing.let_go,
            *(instrument.close for instrument in self.instruments),
            self.unsent.end,
            self.disk.end,
            self.rules.end,
            self.screen.end,
            lambda: self.layout.keep(self.pages.work),
            # First nothing more is written in the background, then what was typed last is kept here and now.
            self.backgrounds.files.close,
            self.unsent.keep_at_once,
            self.controllers.session.leave,
            self.controllers.listen.close,
            self.link.close,
            self.loading.close,
            self.backgrounds.sound.close,
            self.backgrounds.work.close,
            # What the tool was starting in the background is there only now.
            self.controllers.drafts.close,
            self.first_words.close,
            self.operator.close,
        )
