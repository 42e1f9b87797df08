"""A session begins with one page: who, what, in which order, and the consent."""

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QFrame, QLayout, QPushButton, QSizePolicy, QWidget

from curtain.qt.command_text import CommandLine, is_command
from curtain.qt.languages.translation import sentence_here
from curtain.qt.style import GAP, LOOSE, PAGE, PANEL, WIDE, Look, set_size, set_text_colour
from curtain.qt.widgets import Hairline, Scrolling, box, column, heading, label, named, plain_tip, row, say
from curtain.session.study import ids
from wizard_app.desk.session.plan import SessionPlan, missing, one_sentence, wrong
from wizard_app.desk.session.scenario_choice import ScenarioChoice, ScenarioOffer
from wizard_app.desk.session.session_rows import SessionRow
from wizard_app.window.pages.consent_group import ConsentGroup
from wizard_app.window.pages.level_group import LevelGroup
from wizard_app.window.pages.session_list import SessionList
from wizard_app.window.pages.speaker_group import SpeakerGroup
from wizard_app.window.panels.scenario_list import ScenarioList
from wizard_app.window.panels.top_bar import Lamp

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Enter(Enum):
    """What Enter does on this page."""

    NOTHING = "nothing"
    START = "start"
    RESUME = "resume"
    OPEN = "open"


class StartPage(QWidget):
    """Collects a session plan; Start is possible only when nothing is missing, and the page says what is."""

    start_requested = Signal(object)
    resume_requested = Signal(str)
    look_requested = Signal(str)
    pilot_chosen = Signal(bool)
    readiness_changed = Signal()
    output_chosen = Signal(str)
    soft_tones_chosen = Signal(bool)
    headphones_chosen = Signal(bool)

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._problems: dict[str, str] = {"domain": self.tr("Reading the domain. This takes a moment.")}
        self._practice_id: str | None = None
        self._unfinished: str | None = None
        self._joins = False
        self._design: Any = None
        self._offer = ScenarioOffer()
        self._offered: tuple[ScenarioChoice, ...] = ()
        self._done: list[tuple[str, tuple[str, ...]]] = []
        self._short_ids: dict[str, str] = {}
        self._taken: set[str] = set()
        self._build_fields()
        self._build_lists()
        self._lay_out()
        self._connect()
        self.show_link(False)
        self._show_missing()

    @property
    def ready(self) -> bool:
        """Whether everything is filled in that a session needs."""
        return self._start.isEnabled()

    @property
    def enter(self) -> Enter:
        """What Enter does where the cursor is."""
        at = self.window().focusWidget()
        if at is self._resume:
            return Enter.RESUME
        if at is self._sessions:
            return Enter.OPEN
        return Enter.START if self.ready else Enter.NOTHING

    @property
    def enter_label(self) -> str:
        """The same in words, or an empty text."""
        return {
            Enter.NOTHING: "",
            Enter.START: self.tr("start the session"),
            Enter.RESUME: self.tr("resume session {0}").format(self._unfinished),
            Enter.OPEN: self.tr("open the chosen session"),
        }[self.enter]

    @property
    def plan(self) -> SessionPlan:
        """The session as it is filled in now."""
        practice = self._practice_id if self._practice.isChecked() else None
        typed = self._speaker.text().strip()
        short = self._short_id(typed)
        chosen = tuple(one for one in self._scenarios.chosen_ids if one != practice)
        return SessionPlan(
            speaker_id=short,
            lab_speaker_id=typed if typed != short else "",
            wizard_id=self._wizard.text().strip(),
            scenario_ids=chosen,
            practice_id=practice,
            consent=self._consent.isChecked(),
            consent_id=self._consent_id.text().strip(),
            pilot=self._pilot.isChecked(),
            output=self._output.currentData(),
            speaker=self._about_speaker.description,
            scopes=self._allowed.scopes,
            signed_on=self._allowed.signed_on,
            wizard_level=self._level.level_of(self._wizard.text().strip()),
            level_reason=self._level.reason_for(self._wizard.text().strip()),
            subject_plan=self._design and self._design.plan_for(chosen),
        )

    def show_study(self, title: str, offer: ScenarioOffer, practice: ScenarioChoice | None) -> None:
        """The domain has been read: scenarios can be chosen."""
        self._title.setText(title)
        self._practice_id = practice.id if practice else None
        self._practice.setVisible(practice is not None)
        self._practice.setChecked(practice is not None)
        self._practice.setText(self.tr("Practice first: {0}").format(practice.title) if practice else "")
        self._practice.setToolTip(plain_tip(practice.title) if practice else "")
        self._offer = offer
        self._offer_scenarios()
        self.hinder("domain", "")

    def show_levels(self, wanted: float, reached: Mapping[str, float]) -> None:
        """What the study asks of a wizard's practice, and what each wizard reached."""
        self._level.show_levels(wanted, reached)

    def add_design(self, panel: Any) -> None:
        """Above the scenarios, what a design says for the next subject; `curtain.ports.operator` has its parts."""
        self._design = panel
        self._plan_room.addWidget(panel)
        panel.changed.connect(self._show_missing)
        panel.scenarios_wanted.connect(self._scenarios.put_first)

    def hinder(self, what: str, sentence: str) -> None:
        """Block Start for a reason; an empty sentence unblocks."""
        self._problems.pop(what, None)
        if sentence:
            self._problems[what] = sentence_here(sentence)
        self._show_missing()

    def show_wizard(self, wizard_id: str) -> None:
        """Fill in the wizard's id."""
        self._wizard.setText(wizard_id)

    def show_joining(self) -> None:
        """This desk joins a session: who is seated and what they do is filled in elsewhere, the output here."""
        self._joins = True
        for part in (self._speaker, self._wizard, self._card, self._pilot, self._station):
            self._form.setRowVisible(part, False)
        for hidden in (self._who, self._about_speaker, self._right, self._earlier, self._start, self._resume_box):
            hidden.hide()
        self.take_focus()

    def show_pilot(self, pilot: bool) -> None:
        """Tick “Trial session” or not; the wizard can change it."""
        self._pilot.setChecked(pilot)

    def show_outputs(self, names: Sequence[str], chosen: str | None) -> None:
        """The loudspeakers and headphones that there are, by name; None stands for the system's own."""
        self._output.clear()
        self._output.addItem(self.tr("The system’s own"), None)
        for name in names:
            self._output.addItem(name, name)
        self._output.setCurrentIndex(max(0, self._output.findData(chosen)))

    def show_output_note(self, sentence: str) -> None:
        """Why nothing will be heard, or an empty text."""
        say(self._output_note, sentence_here(sentence))

    def show_soft_tones(self, wanted: bool, needs_headphones: bool) -> None:
        """Whether soft tones are on, and whether they need headphones to be heard."""
        self._soft_tones.setChecked(wanted)
        self._form.setRowVisible(self._headphones, wanted and needs_headphones)

    def show_link(self, up: bool) -> None:
        """Whether the subject's station is connected."""
        if up:
            self._station.show_state("link", self.tr("connected"), self._look.good)
        else:
            self._station.show_state("link_off", self.tr("not connected yet"), self._look.quiet)

    def add_room(self, panel: QWidget, above: bool = False) -> None:
        """How stations elsewhere connect: below who takes part, or above all, so that a code is always in sight."""
        (self._above if above else self._room).addWidget(panel)

    def show_drafts(self, sentence: str) -> None:
        """How far the drafts are while they still learn, or why there will be none; empty once they are ready."""
        self._drafts.setText(sentence_here(sentence))
        self._form.setRowVisible(self._drafts, bool(sentence))

    def show_sessions(self, rows: Sequence[SessionRow]) -> None:
        """The sessions so far; a single one that was not ended is offered to go on with."""
        self._sessions.show_sessions(rows)
        # A trial session is no data: what was tried in it can still be asked of the speaker.
        self._done = [(row.session_id, row.done) for row in rows if not row.pilot]
        self._short_ids = {row.lab_speaker_id: row.session_id[:3] for row in rows if row.lab_speaker_id}
        self._taken |= {row.session_id[:3] for row in rows}
        self._offer_scenarios()
        unfinished = [row.session_id for row in rows if not row.closed and not row.problem]
        self._unfinished = unfinished[0] if len(unfinished) == 1 else None
        self._resume_box.setVisible(self._unfinished is not None and not self._joins)
        self._resume_text.setText(self.tr("Session {0} was not ended.").format(self._unfinished))
        # They may be read while another page is in front, or somebody types here already: their keys go on working.
        at = self.window().focusWidget()
        if not self.isHidden() and (at is None or at is self._speaker or not self.isAncestorOf(at)):
            self.take_focus()

    def reserve(self, speakers: Collection[str]) -> None:
        """The short ids of erased speakers: nobody else gets them."""
        self._taken |= set(speakers)

    def take_focus(self) -> None:
        """Put the cursor on what comes first: going on with a session, else the speaker."""
        first = self._output if self._joins else self._resume if self._unfinished else self._speaker
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def clear_for_next(self) -> None:
        """Another subject: nothing about the last one stays."""
        self._speaker.clear()
        self._consent.setChecked(False)
        self._consent_id.clear()
        self._allowed.clear()
        self._about_speaker.clear()
        # Also what a hand has changed: the next speaker has done other scenarios, and has another order.
        self._scenarios.changed_by_hand = False
        self._offered = ()
        self._offer_scenarios()

    # -- inner -------------------------------------------------------------------------------------------

    def _build_fields(self) -> None:
        self._title = label("", self._look, bold=True, pt=self._look.large_pt)
        self._speaker = CommandLine(name="speaker_id", placeholder=self.tr("such as e00, or your own id, such as vp12"))
        self._speaker_note = label("", self._look, small=True, name="speaker_note", wraps=True)
        self._wizard = CommandLine(name="wizard_id", placeholder=self.tr("who sits here"))
        spoken = self.tr("The subject has read and signed the consent form")
        self._consent = named(QCheckBox(self.tr("Read and signed by the subject")), "consent", spoken)
        self._allowed = ConsentGroup()
        self._allowed.hide()
        placeholder = self.tr("as on the signed form")
        self._consent_id = CommandLine(name="consent_id", spoken=self.tr("Consent"), placeholder=placeholder)
        self._pilot = named(QCheckBox(self.tr("Trial session: not data")), "pilot")
        self._output = named(
            QComboBox(
                sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon,
                minimumContentsLength=18,
            ),
            "output",
        )
        self._output_note = label("", self._look, small=True, name="output_note", wraps=True, colour=self._look.warning)
        self._output_note.hide()
        self._soft_tones = named(QCheckBox(self.tr("Soft tones: question, help, answer")), "soft_tones")
        self._headphones = named(QCheckBox(self.tr("I wear headphones: sound them here, too")), "headphones")
        self._headphones.setToolTip(
            plain_tip(
                self.tr("The subject’s microphone may hear this computer. Without headphones, soft tones stay silent.")
            )
        )
        self._station = Lamp("station_lamp", self._look)
        self._drafts = label("", self._look, name="start_drafts", wraps=True)
        self._about_speaker = SpeakerGroup()
        self._level = LevelGroup(self._look)

    def _build_lists(self) -> None:
        self._practice = named(QCheckBox(""), "practice")
        # A long title is cut, and whole in the tip: it must not push the page wider than the window.
        self._practice.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._practice.hide()
        self._scenarios = ScenarioList(self._look)
        self._sessions = SessionList(self._look)
        self._problem = label("", self._look, name="missing", wraps=True)
        self._effect = label("", self._look, name="consent_effect", wraps=True)
        self._start = named(QPushButton(self.tr("Start the session"), default=True), "start_session")
        self._start.setProperty("primary", True)
        set_size(self._start, self._look.read_pt, bold=True)
        self._resume = named(QPushButton(self.tr("Resume it"), autoDefault=True), "resume_session")
        self._resume_text = label("", self._look, bold=True)
        self._resume_box = QFrame(frameShape=QFrame.Shape.StyledPanel)
        self._resume_box.setLayout(row(self._resume_text, 1, self._resume, margins=PANEL))
        self._resume_box.hide()

    def _lay_out(self) -> None:
        form = self._form = QFormLayout()
        form.setVerticalSpacing(LOOSE)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("Speaker"), self._speaker)
        form.addRow("", self._speaker_note)
        form.setRowVisible(self._speaker_note, False)
        form.addRow(self.tr("Wizard"), self._wizard)
        form.addRow("", self._level)
        form.addRow(self.tr("Consent"), self._consent_card())
        form.addRow("", self._pilot)
        form.addRow(self.tr("Listen with"), self._output)
        form.addRow("", self._output_note)
        form.addRow("", self._soft_tones)
        form.addRow("", self._headphones)
        form.setRowVisible(self._headphones, False)
        form.addRow(self.tr("Station"), self._station)
        form.addRow(self.tr("Drafts"), self._drafts)
        form.setRowVisible(self._drafts, False)
        how = self.tr("Space or a click chooses. Alt+Up, Alt+Down or the mouse move a scenario.")
        note = label(how, self._look, small=True, quiet=True, wraps=True)
        self._room, self._above, self._plan_room = column(), column(), column()
        self._who = heading(self.tr("Who"), self._look)
        left = column(self._who, form, self._about_speaker, self._room, 1, spacing=GAP)
        title = heading(self.tr("Scenarios"), self._look)
        self._right = box(column(self._plan_room, title, self._practice, self._scenarios, note, spacing=GAP))
        halves = row((left, 5), (self._right, 6), spacing=WIDE)
        foot = row((column(self._problem, self._effect), 1), self._start, margins=PAGE, spacing=WIDE)
        self.setLayout(column((self._scrolled(halves), 1), Hairline(self._look), foot, spacing=0))
        self._scenarios.setMinimumHeight(120)
        self._sessions.setMinimumHeight(90)

    def _consent_card(self) -> QWidget:
        """Box, id and what the form allows, on one ground."""
        self._card = box(column(self._consent, self._consent_id, self._allowed, margins=PANEL))
        self._card.setAutoFillBackground(True)
        # Not another palette: boxes take their outlines from it.
        self._card.setBackgroundRole(QPalette.ColorRole.Base)
        return self._card

    def _scrolled(self, halves: QLayout) -> QWidget:
        """All but the foot: on a low screen it scrolls and nothing is squashed; Start stays in sight."""
        title = heading(self.tr("Earlier sessions"), self._look)
        self._earlier = box(column(Hairline(self._look), title, self._sessions, spacing=LOOSE))
        rows = (self._title, self._above, self._resume_box, (halves, 3), (self._earlier, 2))
        sheet = box(column(*rows, margins=PAGE, spacing=LOOSE))
        return named(Scrolling(sheet), "start_sheet")

    def _connect(self) -> None:
        self._speaker.textChanged.connect(self._offer_scenarios)
        for line in (self._speaker, self._wizard, self._consent_id):
            line.textChanged.connect(self._show_missing)
        for check in (self._consent, self._pilot, self._practice):
            check.toggled.connect(self._show_missing)
        self._scenarios.choice_changed.connect(self._show_missing)
        self._consent.toggled.connect(self._allowed.setVisible)
        self._allowed.changed.connect(self._show_missing)
        self._level.changed.connect(self._show_missing)
        self._pilot.toggled.connect(self.pilot_chosen)
        self._output.activated.connect(lambda _: self.output_chosen.emit(self._output.currentData() or ""))
        self._soft_tones.clicked.connect(self.soft_tones_chosen)
        self._headphones.toggled.connect(self.headphones_chosen)
        self._start.clicked.connect(self._on_start)
        for widget in (self._resume, self._sessions):
            widget.installEventFilter(self)
        self._resume.clicked.connect(lambda: self.resume_requested.emit(self._unfinished))
        self._sessions.resume_requested.connect(self.resume_requested)
        self._sessions.look_requested.connect(self.look_requested)

    def _offer_scenarios(self) -> None:
        """What this speaker has not had, in their order; a list that a hand has changed stays."""
        # A design says itself what comes.
        if self._scenarios.changed_by_hand or (self._design and self._design.offers):
            return
        speaker = self.plan.speaker_id if not wrong(self.plan) else ""
        done = {one for session, ended in self._done if speaker and session.startswith(f"{speaker}-") for one in ended}
        choices = self._offer.to(speaker, done)
        if choices != self._offered:
            self._offered = choices
            self._scenarios.show_choices(choices)

    def _short_id(self, typed: str) -> str:
        """What files call this speaker: as typed, as before, or the next free id for a laboratory's own."""
        if not typed or ids.is_short(typed) or wrong(SessionPlan(speaker_id=typed)):
            return typed
        return self._short_ids.get(typed) or ids.short_id(typed, self._taken)

    def _about_id(self, plan: SessionPlan) -> str:
        if plan.lab_speaker_id:
            names = self.tr("Files call this speaker {0}. Your id “{1}” is kept in the session.")
            return names.format(plan.speaker_id, plan.lab_speaker_id)
        known = next((lab_id for lab_id, short in self._short_ids.items() if short == plan.speaker_id), "")
        return self.tr("This is the speaker whom you call “{0}”.").format(known) if known else ""

    def _show_missing(self) -> None:
        plan = self.plan
        note = "" if wrong(plan) else self._about_id(plan)
        self._speaker_note.setText(note)
        self._form.setRowVisible(self._speaker_note, bool(note))
        say(self._effect, self._allowed.effect_of(plan.consent_id) if plan.consent else "")
        if self._design:
            self._design.show_chosen(plan.scenario_ids)
        self._level.show_wizard(plan.wizard_id)
        lacking = wrong(plan) or one_sentence(missing(plan))
        self._start.setEnabled(not lacking and not self._problems)
        self.readiness_changed.emit()
        problem = next(iter(self._problems.values()), "") or lacking
        self._problem.setText(problem or self.tr("Everything is filled in. Enter: {0}.").format(self.enter_label))
        set_text_colour(self._problem, self._look.warning if problem else self._look.good)

    def _on_start(self) -> None:
        if self._start.isEnabled():
            self.start_requested.emit(self.plan)

    # -- Qt ----------------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        # Kept from the window's shortcut, which sends a query on another page and does nothing here.
        if is_command(event) and isinstance(event, QKeyEvent) and event.key() in _ENTER:
            event.accept()
            return True
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._show_missing()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Every field leaves Enter to the page; the list of sessions has used it already.
        if event.key() in _ENTER and not event.isAutoRepeat():
            # Ctrl+Enter starts from everywhere, also from the list of sessions.
            if self.enter is Enter.START or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._on_start()
            return
        super().keyPressEvent(event)
