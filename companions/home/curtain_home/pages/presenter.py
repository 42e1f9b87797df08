"""Shows what the control knows, anew after each change, and turns keys and buttons into its wishes."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QObject

from curtain.base.errors import CurtainError
from curtain.base.settings_file import read_text
from curtain.qt.languages.translation import PARTS, translate
from curtain.qt.widgets import open_outside
from curtain_home.control.actions import Action, Value, plan_of, with_yes
from curtain_home.control.commands import Activity
from curtain_home.control.control import HomeControl
from curtain_home.control.plans import NewStudyWish, check_plan, example_plan, export_plan, retention_plan
from curtain_home.control.week import NAMES
from curtain_home.pages.window import HomeWindow
from curtain_home.panels.keys import KEYS, steps_for

Act = Callable[[], object]
_NEED_SESSION = ("verify", "repair", "timeline", "session_folder")


class HomePresenter(QObject):
    """The window, the control, and between them the actions of the key table."""

    def __init__(self, window: HomeWindow, control: HomeControl) -> None:
        super().__init__(window)
        self._window = window
        self._control = control
        self._ended: list[Activity] = []
        self._drafts: dict[Path, dict[str, Value]] = {}
        self._leaving = False
        self._any_focus = False
        window.may_close = self._may_close
        KEYS.bind(window, self.actions, at_work=lambda: self._usable)
        self._connect()
        self.show()

    @property
    def actions(self) -> dict[str, Act]:
        """What each action of the key table does."""
        control, window = self._control, self._window
        return {
            "do_next": self._do_next,
            "refresh": control.refresh,
            "full_screen": window.toggle_full_screen,
            "new_study": self._ask_new_study,
            "open_study": self._ask_open_study,
            "to_studies": window.studies.take_focus,
            "both_stations": lambda: control.open_stations(("wizard", "subject")),
            "wizard_station": lambda: control.open_stations(("wizard",)),
            "subject_station": lambda: control.open_stations(("subject",)),
            "trial_session": lambda: control.open_stations(("wizard", "subject"), pilot=True),
            "sample_session": control.play_sample,
            "annotate": self._annotate,
            "export": self._ask_export,
            "score": self._ask_score,
            "to_sessions": window.study.sessions.setFocus,
            "find_session": window.study.find_session,
            "timeline": self._show_timeline,
            "session_folder": self._open_session,
            "verify": lambda: control.verify(window.study.sessions.chosen),
            "repair": lambda: control.repair(window.study.sessions.chosen),
            "retention": lambda: control.about_study(retention_plan),
            "check": lambda: control.about_study(check_plan),
            "words": self._show_words,
            "settings": lambda: self._ask_settings(),
            "more_actions": self._ask_action,
            "cancel": control.cancel,
            "to_output": window.activity.tasks.setFocus,
            "open_result": self._open_result,
            "keys": self._show_keys,
        }

    def show(self) -> None:
        """Everything that the window shows, as it is now."""
        window, control = self._window, self._control
        study, proposed = control.study, control.next
        reading = study is None and control.reading
        sentence = self.tr("The sessions are being read.") if reading else proposed.sentence
        action = "" if reading else proposed.action
        window.studies.show_studies(control.studies, study.folder if study is not None else None)
        window.study.show_study(study, control.reading)
        window.study.show_next(sentence, _WORDS[action], action, study)
        window.study.show_possible(self._possible())
        window.activity.show_activity(control.activity, control.tasks, self._result)
        window.strip.show_steps(
            steps_for(action, _SHORT.get(action, ""), control.running is not None, study is not None, self._any_session)
        )
        self._update_driver_view(action)
        if study is not None and not self._any_focus:
            self._any_focus = True
            window.study.take_focus()
            window.show_top()

    @property
    def _usable(self) -> bool:
        study = self._control.study
        return study is not None and not study.problem

    @property
    def _any_session(self) -> bool:
        study = self._control.study
        return self._usable and study is not None and bool(study.sessions)

    @property
    def _result(self) -> Path | None:
        activity = self._control.activity
        made = activity.result.made if activity is not None and not activity.question else ()
        return Path(made[-1]) if made else None

    def _possible(self) -> dict[str, bool]:
        usable = self._usable
        possible = {name: usable for name, binding in KEYS.bound.items() if name in _WORK and binding.scope == "work"}
        chosen = bool(self._window.study.sessions.chosen)
        possible |= {name: usable and chosen for name in _NEED_SESSION}
        return possible | {
            "annotate": self._any_session,
            "export": self._any_session,
            "subject_station": True,
            "score": "score" in NAMES,
        }

    def _update_driver_view(self, action: str) -> None:
        control, study = self._control, self._control.study
        state = "reading" if control.reading else "empty" if study is None else "fault" if study.problem else "study"
        last = self._ended[-1] if self._ended else None
        seen = {
            "state": state,
            "study": study.name if study is not None else "",
            "sessions": len(study.sessions) if study is not None else 0,
            "unread": len(study.unread) if study is not None else 0,
            "chosen": self._window.study.sessions.chosen,
            "next": action,
            "running": control.running.kind if control.running is not None else "",
            "done": last.plan.kind if last is not None else "",
            "end": last.end or "" if last is not None else "",
            "ended": len(self._ended),
            "stations": " ".join(control.stations),
        }
        for name, value in seen.items():
            self._window.setProperty(name, value)

    def _connect(self) -> None:
        window, control = self._window, self._control
        control.changed.connect(self.show)
        control.ended.connect(self._on_ended)
        control.problem.connect(window.show_problem)
        window.studies.study_chosen.connect(lambda folder: control.open_study(Path(folder)))
        window.studies.example_requested.connect(lambda: control.run(example_plan(self._beside)))
        window.studies.removal_requested.connect(lambda folder: control.drop_study(Path(folder)))
        for part in (window.studies, window.study, window.activity):
            part.action_requested.connect(self._act)
        window.study.next_requested.connect(self._do_next)
        window.study.study_folder_requested.connect(self._open_study)
        window.study.task_sheets_requested.connect(self._save_tasks)
        window.study.consent_form_requested.connect(self._save_consent_form)
        window.activity.task_opened.connect(self._open_task)
        window.study.sessions.session_activated.connect(control.verify)
        window.study.sessions.session_chosen.connect(lambda _: self._on_chosen())

    def _act(self, action: str) -> None:
        self.actions[action]()

    def _do_next(self) -> None:
        proposed = self._control.next
        by_session = {"verify": self._control.verify, "repair": self._control.repair}
        if proposed.session_id and proposed.action in by_session:
            by_session[proposed.action](proposed.session_id)
        elif proposed.settings:
            self._ask_settings(dict(proposed.settings))
        elif proposed.action:
            self._act(proposed.action)

    def _on_chosen(self) -> None:
        self._window.setProperty("chosen", self._window.study.sessions.chosen)
        self._window.study.show_possible(self._possible())

    def _on_ended(self, activity: Activity) -> None:
        self._ended.append(activity)
        if self._leaving:
            self._window.close()
        elif activity.question:
            self._ask_to_agree(activity)
        elif activity.plan.reads and activity.end != "stopped" and (activity.tables or len(activity.lines) > 1):
            self._open_task(activity)

    def _open_task(self, task: Activity) -> None:
        """All that a task gave, or what it made where nothing else is left of it."""
        from curtain_home.pages.actions_dialog import ReadDialog

        if task.tables or task.lines:
            ReadDialog(self._window.look, task, self._window).open()
        elif task.result.made:
            open_outside(Path(task.result.made[-1]), self._window.show_problem)

    def _ask_to_agree(self, activity: Activity) -> None:
        """The command has said what it would do: with a yes it runs again and does it."""
        from curtain_home.pages.actions_dialog import AgreeDialog

        agreed = replace(activity.plan, arguments=with_yes(activity.plan.arguments))
        dialog = AgreeDialog(self._window.look, activity, self._window)
        dialog.accepted.connect(partial(self._control.run, agreed))
        dialog.open()

    def _open_result(self) -> None:
        if self._result is not None:
            open_outside(self._result, self._window.show_problem)

    def _open_session(self) -> None:
        study, chosen = self._control.study, self._window.study.sessions.chosen
        if study is not None and (session := study.session(chosen)) is not None:
            open_outside(session.path, self._window.show_problem)

    def _show_timeline(self) -> None:
        from curtain_home.pages.session_timeline import HeardTimeline

        study, chosen = self._control.study, self._window.study.sessions.chosen
        if study is not None and (session := study.session(chosen)) is not None:
            HeardTimeline(session.path, self._window.look, self._window).show()

    def _show_words(self) -> None:
        from curtain_home.pages.words_page import WordsPage

        if self._control.study is not None:
            WordsPage(self._window.look, self._control.study.folder, self._window).show()

    def _save_tasks(self) -> None:
        from curtain.qt.windows.paper import tasks_page
        from curtain_home.control.study_words import tasks_of

        if (study := self._control.study) is not None:
            self._save_paper(lambda: tasks_page(study.name, tasks_of(study.folder)), study.folder / "tasks.html")

    def _save_consent_form(self) -> None:
        from curtain.qt.windows.paper import consent_page
        from curtain_home.control.study_words import consent_form_of

        if (study := self._control.study) is not None:
            path = study.folder / "consent-form.html"
            self._save_paper(lambda: consent_page(*consent_form_of(study.folder), study.name), path)

    def _save_paper(self, make: Callable[[], str], path: Path) -> None:
        from curtain.qt.windows.paper import ask_page

        try:
            page = make()
        except CurtainError as error:
            self._window.show_problem(str(error))
        else:
            ask_page(page, str(path), self._window, self._window.show_problem)

    def _open_study(self) -> None:
        if self._control.study is not None:
            open_outside(self._control.study.folder, self._window.show_problem)

    def _may_close(self) -> bool:
        """A command that runs is stopped only if the person says so; stations go on without this window."""
        running = self._control.running
        if running is None or self._leaving:
            return True
        from curtain.qt.windows.dialog import ask_to_close

        text = self.tr("“{0}” is still running. Closing the window stops it.").format(translate(PARTS, running.title))
        ask_to_close(self._window.look, text, self.tr("Stop it and close"), self._leave, self._window)
        return False

    def _leave(self) -> None:
        self._leaving = True
        self._control.cancel()
        if self._control.running is None:
            self._window.close()

    # Imported when they are asked for: none of them is needed for the first paint.

    def _ask_new_study(self, wish: NewStudyWish | None = None) -> None:
        from curtain_home.pages.forms import NewStudyForm

        form = NewStudyForm(self._window.look, self._beside, self._window, wish)
        form.wished.connect(self._on_new_study)
        form.open()

    def _on_new_study(self, wish: NewStudyWish) -> None:
        if wish.source is None:
            self._control.make_study(wish)
            return
        from curtain_home.pages.database_form import DatabaseForm

        form = DatabaseForm(self._window.look, wish, self._window)
        form.wished.connect(self._control.make_study)
        # The way back leads to the page before, as it was filled in.
        form.rejected.connect(lambda: self._ask_new_study(wish))
        form.open()

    def _ask_open_study(self) -> None:
        from curtain.qt.windows.dialog import FileDialog

        dialog = FileDialog(self._window, self.tr("Open a study"), str(self._beside), pick="folder")
        dialog.fileSelected.connect(lambda folder: self._open_if_study(Path(folder)))
        dialog.open()

    def _open_if_study(self, folder: Path) -> None:
        if (folder / "study.toml").is_file():
            self._control.open_study(folder)
        else:
            self._window.show_problem(self.tr("Name the folder of a study; it holds a file study.toml."))

    def _annotate(self) -> None:
        # The key works where the button is grey: an empty window would show nobody what to do.
        if self._any_session:
            self._control.open_stations(("annotate",))
        else:
            self._window.show_problem(self.tr("There is no session to annotate yet."))

    def _ask_export(self) -> None:
        from curtain_home.pages.forms import ExportForm

        study = self._control.study
        if study is None or not study.sessions:
            self._window.show_problem(self.tr("There is no session to export yet."))
            return
        form = ExportForm(self._window.look, study.folder, self._window)
        form.wished.connect(lambda wish: self._control.run(export_plan(study.folder, wish)))
        form.open()

    def _ask_score(self) -> None:
        def fill_in(actions: tuple[Action, ...]) -> None:
            self.show()
            for action in (one for one in actions if one.path == ("score",)):
                self._fill_in(action)

        # The first time it takes seconds.
        self._window.activity.say(self.tr("The form is being read."))
        self._control.list_actions(self._window, fill_in)

    def _ask_settings(self, proposed: Mapping[str, Value] = MappingProxyType({})) -> None:
        from curtain.base.settings_file import parse
        from curtain_home.pages.settings_form import SettingsForm

        study = self._control.study
        if study is None:
            self._window.show_problem(self.tr("Open a study first."))
            return
        path = study.folder / "study.toml"

        def go_on(_: object) -> None:
            # Whatever a single file cannot show, such as a scenario that the domain does not have.
            self._control.refresh()
            self._control.about_study(check_plan)

        try:
            before = read_text(path)
            parse(path.name, before)
        except CurtainError as error:
            self._window.show_problem(str(error))
            open_outside(path, self._window.show_problem)
            return
        form = SettingsForm(self._window.look, path, before, self._window, self._drafts.pop(path, None),
                            proposed)  # fmt: skip
        form.rejected.connect(lambda: self._drafts.update({path: form.draft} if form.draft else {}))
        form.wished.connect(go_on)
        form.open()

    def _ask_action(self) -> None:
        from curtain_home.pages.actions_dialog import ActionsDialog

        dialog = ActionsDialog(self._window.look, self._window)
        dialog.chosen.connect(self._fill_in)
        dialog.open()
        self._control.list_actions(dialog, dialog.show_actions)

    def _fill_in(self, action: Action) -> None:
        from curtain_home.pages.actions_dialog import CommandForm

        form = CommandForm(self._window.look, action, self._control.around(self._window.study.sessions.chosen),
                           self._window)  # fmt: skip
        form.wished.connect(lambda values: self._do(action, values))
        form.open()

    def _do(self, action: Action, values: dict[str, Value]) -> None:
        plan = plan_of(action, values, self._beside)
        if action.opens_window(values):
            self._control.open_window(plan)
        else:
            self._control.run(plan)

    def _show_keys(self) -> None:
        from curtain.qt.windows.keys_dialog import KeyTableDialog

        note = self.tr("Where the system has them, Alt and the underlined letter press a button too.")
        KeyTableDialog(self._window.look, KEYS, self._window, note).open()

    @property
    def _beside(self) -> Path:
        """Where studies are: beside the one used last, else in the folder of documents."""
        if self._control.studies:
            return self._control.studies[0].parent
        import platformdirs

        documents = Path(platformdirs.user_documents_dir())
        return documents if documents.is_dir() else Path.home()


_WORDS = {
    "": "", "new_study": "New study …", "refresh": "Read it again", "verify": "Verify it", "repair": "Repair a copy",
    "both_stations": "Open both stations", "wizard_station": "Open the wizard’s station",
    "trial_session": "Run a trial session", "retention": "Show the list", "annotate": "Annotate", "export": "Export …",
    "more_actions": "Look for an action …", "settings": "Let subjects type …",
}  # fmt: skip
_SHORT = {
    "new_study": "new study", "refresh": "read it again", "verify": "verify", "repair": "repair a copy",
    "both_stations": "both stations", "wizard_station": "wizard’s station", "trial_session": "trial session",
    "retention": "days to keep", "annotate": "annotate", "export": "export", "more_actions": "an action",
    "settings": "let subjects type",
}  # fmt: skip
_WORK = ("words", "both_stations", "wizard_station", "trial_session", "sample_session", "retention", "check")
