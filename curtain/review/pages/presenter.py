"""Between the control and the window: shows what the control holds, and hands it what a person does."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from curtain.base.speech.spoken_forms import spoken_forms
from curtain.corpus.annotation.first_words import sound_of
from curtain.corpus.annotation.tag_table import TagTable, era_of
from curtain.corpus.model.utterance import Redaction
from curtain.qt.languages.translation import number_here, translate
from curtain.review.control import edits
from curtain.review.control.control import AnnotateControl
from curtain.review.control.listening import TakeListening
from curtain.review.control.open_turn import OpenTurn
from curtain.review.control.wording import CLASSES, hidden, pointers, summary, why_category, why_class
from curtain.review.pages.annotate_page import AnnotatePage
from curtain.review.pages.dialogs import OpenDialogs
from curtain.review.pages.marks import Marking
from curtain.review.pages.ruling_page import RulingPage
from curtain.review.pages.window import ReviewWindow
from curtain.review.panels.earlier_list import EarlierList, ShownTurn
from curtain.review.panels.keys import KEYS, Now, Place, next_steps
from curtain.review.panels.listen_bar import ListenBar
from curtain.review.panels.tag_grid import ShownTag, TagGrid

# Long enough to keep words and not letters, short enough to lose nothing that matters in a crash.
KEEP_AFTER_MS = 300
RETRY_EVERY_MS = 3000


class Presenter(QObject):
    """Everything is shown anew after each change; what did not change costs nothing to show."""

    shown = Signal()

    def __init__(
        self, window: ReviewWindow, control: AnnotateControl, hearing: TakeListening, interrupt: Callable[[], None]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._control = control
        self._hearing = hearing
        self._interrupt = interrupt
        self._heard: tuple[str, tuple[Redaction, ...], bool] | None = None
        self._dialogs = OpenDialogs(window, control, hearing)
        self._same_database: dict[str, bool] = {}
        self.page = AnnotatePage(window.look)
        self.ruling_page = RulingPage(window.look)
        waves = (self.page.listen.wave, self.ruling_page.listen.wave)
        self._marking = Marking(hearing.listen, waves, self._show_strip)
        window.pages.addWidget(self.page)
        window.pages.addWidget(self.ruling_page)
        self._undo_keys = UndoKeys(self)
        self._keeping = self._timer(KEEP_AFTER_MS, self._keep)
        self._retrying = self._timer(RETRY_EVERY_MS, control.retry)
        control.changed, control.opened, control.grew = self._show, self._on_opened, self._on_grown
        self._wire_page()
        self._wire_listening()
        self._wire_keys()

    def show_database(self, session_id: str, same: bool) -> None:
        """Whether a session's answers are computed in the database that it ran on."""
        self._same_database[session_id] = same
        self._show()

    def begin(self) -> None:
        """Show the turn that is open."""
        self._on_opened()
        self._show()

    def _timer(self, ms: int, act: Callable[[], None]) -> QTimer:
        timer = QTimer(self, singleShot=True, interval=ms)
        timer.timeout.connect(act)
        return timer

    def _keep(self) -> None:
        # What is typed behind a pause is a step of its own to undo.
        self._control.turn.end_of_typing()
        self._control.keep_draft()

    # -- wiring --------------------------------------------------------------------------------------------

    def _wire_page(self) -> None:
        page, control = self.page, self._control
        page.tags.toggled.connect(control.toggle_tag)
        page.tags.next_requested.connect(self._save)
        page.sro.text_edited.connect(lambda text: control.change(edits.set_sro, text, kind="sro"))
        page.note.textChanged.connect(self._on_note)
        page.readings.minimum_edited.connect(partial(self._on_statement, edits.set_minimum, "minimum"))
        page.readings.maximum_edited.connect(partial(self._on_statement, edits.set_maximum, "maximum"))
        page.readings.run_requested.connect(self._run_or_stop)
        page.readings.yes_no_toggled.connect(control.toggle_yes_no)
        page.readings.add_requested.connect(self._add_reading)
        page.readings.reads_requested.connect(self._next_reads)
        page.readings.weight_chosen.connect(
            lambda weight: control.change(edits.set_weight, control.turn.reading, weight, kind="weight")
        )
        page.earlier.pointer_requested.connect(control.point_to)
        for field in (page.sro.field, page.note, page.readings.minimum, page.readings.maximum):
            field.left.connect(self._on_field_left)
            self._undo_keys.watch(field)
        self._undo_keys.watch(page.seen.query)
        self._undo_keys.watch(self.ruling_page.seen.query)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        # The strip shows the keys of the place in which the cursor is.
        application.focusChanged.connect(self._show_strip)
        ruling = self.ruling_page
        ruling.side_taken.connect(control.take_side)
        ruling.layer_moved.connect(lambda by: control.pick(lambda one: one.moved(by)))
        ruling.side_moved.connect(lambda by: control.pick(lambda one: one.other_side(by)))
        ruling.cell_chosen.connect(lambda line, side: control.pick(lambda one: replace(one, at=line).picked(side)))
        ruling.rule_requested.connect(control.rule)
        ruling.edit_requested.connect(control.edit_ruling)

    def _wire_listening(self) -> None:
        for bar in (self.page.listen, self.ruling_page.listen):
            bar.listen_with(self._hearing.listen)
            bar.secrets_requested.connect(self._hear_secrets)
        self._hearing.listen.problem.connect(self._window.show_notice)

    def _wire_keys(self) -> None:
        control, listen, dialogs = self._control, self._hearing.listen, self._dialogs
        page, readings = self.page, self.page.readings
        actions: dict[str, Callable[[], object]] = {
            "full_screen": self._window.toggle_full_screen,
            "keys": dialogs.show_keys,
            "save": self._save,
            "next_turn": lambda: control.go(1),
            "previous_turn": lambda: control.go(-1),
            "undo": control.undo,
            "redo": control.redo,
            "turn_list": dialogs.show_turns,
            "timeline": dialogs.show_timeline,
            "filter": control.next_filter,
            "play": listen.play_or_stop,
            "back": listen.back,
            "slower": listen.slower,
            "faster": listen.faster,
            "loop": listen.toggle_loop,
            "part_begin": self._marking.begin_here,
            "part_end": self._marking.end_here,
            "hear_hidden": self._hear_secrets,
            "hide": self._hide,
            "to_tags": self._go_to_tags,
            **{f"context_{turns}": partial(control.point_back, turns) for turns in range(1, 10)},
            "ellipsis": control.toggle_ellipsis,
            "reasons": dialogs.ask_reasons,
            "to_transcription": partial(self._focus, page.sro.field),
            "figures": partial(control.change, edits.speak_figures),
            "show_again": partial(control.change, edits.show_again),
            "to_note": partial(self._focus, page.note),
            "to_minimum": partial(self._focus, readings.minimum),
            "to_maximum": partial(self._focus, readings.maximum),
            "run": self._run_or_stop,
            "yes_no": control.toggle_yes_no,
            "add_reading": self._add_reading,
            "remove_reading": control.remove_reading,
            "next_reading": lambda: control.go_to_reading(control.turn.reading + 1),
            "previous_reading": lambda: control.go_to_reading(control.turn.reading - 1),
            "to_weight": readings.focus_weight,
            "reading_context": self._next_reads,
        }
        # Where both sides are compared there is nothing to edit.
        KEYS.bind(self._window, actions, lambda: not self._looks_at_both)

    @property
    def _looks_at_both(self) -> bool:
        return self._control.shelf.person.adjudicates and not self._control.editing_ruling

    # -- what a person does --------------------------------------------------------------------------------

    def _save(self) -> None:
        if self._looks_at_both:
            self._control.rule()
        else:
            self._control.save_and_next()

    def _on_note(self) -> None:
        note = self.page.note.toPlainText()
        self._control.edit(replace(self._control.work, note=note), kind="note")

    def _on_statement(self, how: Callable[..., object], kind: str, sql: str) -> None:
        number = self._control.turn.reading
        self._control.change(how, number, sql, kind=f"{kind} {number}")  # type: ignore[arg-type]

    def _add_reading(self) -> None:
        """What is typed next is its statement."""
        count = len(self._control.work.readings)
        self._control.add_reading()
        if len(self._control.work.readings) > count:
            self._focus(self.page.readings.minimum)

    def _next_reads(self) -> None:
        self._control.change(edits.next_reads, self._control.turn.reading)

    def _run_or_stop(self) -> None:
        if self._looks_at_both:
            return
        if self._control.running:
            self._interrupt()
        else:
            self._control.run()

    def _on_field_left(self) -> None:
        self._control.turn.end_of_typing()
        self._keeping.start()

    def _focus(self, field: QWidget) -> None:
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_to_tags(self) -> None:
        if self._control.editing_ruling and self.page.tags.hasFocus():
            self._control.leave_editing()
        elif self._looks_at_both:
            self._focus(self.ruling_page)
        else:
            self._focus(self.page.tags)

    # -- hiding --------------------------------------------------------------------------------------------

    def _hide(self) -> None:
        span = self._marking.as_redaction(self.page.seen.query, self.page.sro.field)
        if span is None:
            self._window.show_notice(
                translate("Review", "Mark a part of the recording (Ctrl+B, Ctrl+N) or words first, then hide them.")
            )
            return
        self._control.change(edits.hide, self._with_sound(span))
        self._marking.mark(None)

    def _with_sound(self, span: Redaction) -> Redaction:
        """Words that are hidden without a part of the recording take their sound along, where its times are known."""
        if span.start_ms is not None or span.start_char is None or span.end_char is None:
            return span
        text = self._control.work.sro if span.in_text == "sro" else self._control.turn.scene.utterance.query
        sound = sound_of(text or "", span.start_char, span.end_char, self._control.timed_words)
        if sound is None:
            return span
        start, end = sound
        upto = (
            translate("Review", "its end")
            if end is None
            else translate("Review", "{0} s").format(number_here(end / 1000, 1))
        )
        self._window.show_notice(
            translate("Review", "The recording is silent there too, from {0} s to {1}. Listen to check it.").format(
                number_here(start / 1000, 1), upto
            )
        )
        return replace(span, start_ms=start, end_ms=end)

    def _hear_secrets(self) -> None:
        self._hearing.with_secrets = not self._hearing.with_secrets
        self._show_hearing(play=False)
        self._show()

    # -- showing -------------------------------------------------------------------------------------------

    def _on_opened(self) -> None:
        """Another turn: played by itself, the cursor on the tags or on the sides."""
        self._keeping.stop()
        self._marking.forget()
        scene = self._control.turn.scene
        for page in (self.page, self.ruling_page):
            page.seen.show_scene(scene)
            page.scenario.show_scenario(scene.utterance.scenario_id, scene.scenario)
        self._dialogs.show_turn()
        both = self._looks_at_both
        self._window.pages.setCurrentWidget(self.ruling_page if both else self.page)
        self._focus(self.ruling_page if both else self.page.tags)
        self._show_hearing(play=True)

    def _on_grown(self) -> None:
        """More sessions were read: what the person is shown stays."""
        self._show_top()
        self._dialogs.refresh()
        self._update_driver_view()

    def _update_driver_view(self) -> None:
        for name, value in seen_by_driver(self._control).items():
            self._window.setProperty(name, value)

    def _show_hearing(self, play: bool) -> None:
        turn = self._control.turn
        wanted = (turn.id, turn.work.redactions, self._hearing.with_secrets)
        # Shown anew after every key press: sound that has not changed must not begin again.
        if wanted != self._heard:
            another = self._heard is None or self._heard[0] != turn.id
            self._heard = wanted
            self._hearing.show(turn.scene.utterance, turn.work.redactions, play and another)

    def _show(self) -> None:
        control = self._control
        if control.turn.kept != control.turn.work and not self._keeping.isActive():
            self._keeping.start()
        if control.problem and not self._retrying.isActive():
            self._retrying.start()
        self._show_hearing(play=False)
        show_earlier(self.ruling_page.earlier if self._looks_at_both else self.page.earlier, control.turn)
        if self._looks_at_both:
            self.ruling_page.show_ruling(control.ruling, control.turn.scene.turn.query)
            self._show_hidden_parts(self.ruling_page.listen)
        else:
            self._show_page()
        self._dialogs.refresh()
        self._window.problem.show_text(control.problem)
        self._window.show_notice(control.notice)
        self._show_top()
        self._show_strip()
        self._update_driver_view()
        self.shown.emit()

    def _show_page(self) -> None:
        page, turn, work = self.page, self._control.turn, self._control.work
        query = turn.scene.turn.query
        page.sro.show_sro(work.sro, work.redactions, self._control.doubtful)
        page.note.show_text(work.note)
        page.readings.show_work(work, turn.reading, self._control.running)
        page.readings.other_database.setHidden(self._same_database.get(turn.sitting.session_id, True))
        page.seen.show_hidden(work.redactions, query)
        page.show_hidden("; ".join("hidden: " + hidden(one, query, work.sro) for one in work.redactions))
        self._show_hidden_parts(page.listen)
        show_tags(page.tags, turn, self._control.shelf.table)
        show_class(page, turn, self._control.shelf.table)
        problems = [problem for problem in turn.problems if problem.field != "transcription"]
        page.show_problems(
            [one.sentence for one in problems if one.blocks], [one.sentence for one in problems if not one.blocks]
        )

    def _show_hidden_parts(self, bar: ListenBar) -> None:
        redactions = self._control.work.redactions
        length = self._hearing.listen.seconds
        spans = [((one.start_ms or 0) / 1000, length if one.end_ms is None else one.end_ms / 1000)
                 for one in redactions
                 if one.start_ms is not None or one.end_ms is not None]  # fmt: skip
        bar.wave.show_hidden(spans)
        if self._control.turn.scene.turn.modality == "text":
            bar.show_notice(self.tr("typed, no sound"))
        bar.show_secrets(bool(redactions), self._hearing.with_secrets)

    def _show_top(self) -> None:
        control, turn = self._control, self._control.turn
        where = translate("Review", "{0}   turn {1}").format(turn.sitting.session_id, turn.scene.utterance.turn)
        self._window.top.show_place(
            where,
            control.progress,
            control.filter,
            control.shelf.person,
            saved=control.is_saved,
            unsaved=turn.dirty,
            again=control.is_again,
            seconds=control.timer.seconds_a_turn,
        )

    # A slot: Qt lets go of it when the window is gone, and calls it without the widgets.
    @Slot()
    def _show_strip(self) -> None:
        control = self._control
        now = Now(
            place=self._place(),
            ruling=control.shelf.person.adjudicates,
            editing_ruling=control.editing_ruling,
            blocked=control.turn.blocking is not None and not control.turn.must_run,
            must_run=control.turn.must_run,
            running=control.running,
            can_undo=control.can_undo,
            part_marked=self._marking.part is not None,
            readings=len(control.work.readings),
            figures=bool(spoken_forms(control.work.sro)),
        )
        self._window.strip.show_steps(next_steps(now))

    def _place(self) -> Place:
        page, focus = self.page, QApplication.focusWidget()
        places: dict[QWidget, Place] = {
            page.tags: "tags",
            page.sro.field: "sro",
            page.readings.minimum: "minimum",
            page.readings.maximum: "maximum",
            page.note: "note",
            page.listen.wave: "waveform",
            page.seen.query: "query",
            self.ruling_page: "ruling",
        }
        return places.get(focus, "elsewhere") if focus is not None else "elsewhere"


_KEYS = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class UndoKeys(QObject):
    """A field in which words were marked and hidden would undo its own typing, and the hiding would stay."""

    def watch(self, field: QWidget) -> None:
        """Leave undo and redo in this field to the window."""
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if not any(event.matches(key) for key in _KEYS):
            return False
        # Qt asks first whether a field wants the key itself. Ignored, it becomes the window's shortcut.
        event.ignore()
        return True


def show_tags(grid: TagGrid, turn: OpenTurn, table: TagTable) -> None:
    """All tags of the table, and those of the turn that it does not know."""
    chosen, era = {*turn.work.tags, *turn.work.site_tags}, era_of(turn.year)
    shown = [
        ShownTag(tag.name, translate("Tags", tag.means), tag.name in chosen, era in tag.excludes, tag.site)
        for tag in table.tags.values()
    ]
    unknown = [name for name in turn.work.site_tags if name not in table.tags]
    grid.show_tags([*shown, *(ShownTag(name, "", True, False, True) for name in unknown)])


def show_class(page: AnnotatePage, turn: OpenTurn, table: TagTable) -> None:
    """Class and category with their reasons, and what the turn depends on."""
    annotation = turn.annotation
    eval_class = annotation.eval_class or ""
    why = why_class(annotation, turn.before, table, turn.year)
    page.banner.show_class(
        eval_class,
        translate("Review", CLASSES.get(eval_class, "")),
        why,
        annotation.category or "",
        why_category(annotation),
    )
    keys = translate("Review", "Depends on (Alt+1 ... Alt+9):") if turn.in_reach else translate("Review", "Depends on:")
    first = "nothing; it is the first turn of its scenario"
    depends = pointers(turn.work.context, "nothing" if turn.in_reach else first)
    page.context.setText(f"{keys}  {depends}")
    reasons = ", ".join(
        translate("Reasons", table.reasons[one].title) if one in table.reasons else one for one in turn.work.reasons
    )
    page.reasons.setText(
        translate("Review", "Left out because (Ctrl+E):  {0}").format(
            reasons or translate("Review", "it is not left out")
        )
    )


def show_earlier(shown: EarlierList, turn: OpenTurn) -> None:
    """The turns before this one, and the pointers to them."""
    reached = {one.utterance_id for one in turn.in_reach}
    pointed: dict[str, tuple[str, ...]] = {}
    for link in turn.work.context:
        pointed[link.utterance_id] = (*pointed.get(link.utterance_id, ()), link.to)
    scenes = turn.sitting.scenes[: len(turn.before)]
    shown.show_turns([
        ShownTurn(earlier.utterance_id, earlier.turn, len(scenes) - n,
                  scenes[n].turn.query or translate("Review", "(nothing heard)"), summary(scenes[n]),
                  earlier.eval_class or "", pointed.get(earlier.utterance_id, ()),
                  earlier.utterance_id in reached)
        for n, earlier in enumerate(turn.before)
    ])  # fmt: skip


def seen_by_driver(control: AnnotateControl) -> dict[str, str | int | bool]:
    """The state of the window by property name; tests and rehearsals wait for these values."""
    turn, progress = control.turn, control.progress
    state = "annotating"
    if control.shelf.person.adjudicates:
        state = "editing_ruling" if control.editing_ruling else "ruling"
    return {
        "state": state,
        "utterance": turn.id,
        "turn": turn.scene.utterance.turn,
        "session": turn.sitting.session_id,
        "place": progress.in_all,
        "total": progress.of_all,
        "done": progress.done_in_all,
        "unread": progress.unread,
        "eval_class": turn.annotation.eval_class or "",
        "category": turn.annotation.category or "",
        "reasons": " ".join(turn.work.reasons),
        "problems": sum(problem.blocks for problem in turn.problems),
        "dirty": turn.dirty,
        "again": control.is_again,
        "writing": control.writing,
        "sql_settled": not control.running,
        "reading": turn.reading + 1,
        "readings": len(turn.work.readings),
        "filter": control.filter,
        "saved": control.last_saved,
        "drafts_settled": turn.kept == turn.work and not control.writing,
    }
