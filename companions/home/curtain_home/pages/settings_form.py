"""The settings of the open study as a form. Remarks in study.toml stay, and what it must not hold is not written."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from types import MappingProxyType

from PySide6.QtWidgets import QPushButton, QWidget

from curtain.audio.devices import list_microphones
from curtain.base.errors import CurtainError
from curtain.base.input_file import parse_toml
from curtain.domain.pack.pack import bundled_packs
from curtain.qt.background import Background
from curtain.qt.style import Look
from curtain.qt.widgets import label, named, open_outside, plain_tip, row
from curtain.session.consent import CHOSEN_SCOPES
from curtain.session.questionnaires.instrument import bundled_instruments
from curtain.session.study.languages import bundled_languages
from curtain.session.study.messages import bundled_sets
from curtain_home.control.actions import Field, Kind, Value
from curtain_home.control.study_settings import Setting, SettingsCheck, SettingsChecker, settings, write_settings
from curtain_home.pages.dialogs import FormDialog
from curtain_home.pages.field_sheet import FieldSheet

GROUPS = {
    "Questions": ("domain", "scenarios", "order", "seed", "practice", "rule_book", "language"),
    "Session": ("input", "talk_key", "deadline_s", "take_back_s", "messages", "show", "speak", "questionnaires",
                "disclose"),
    "Sound": ("microphone", "second_microphone", "recording_rate"),
    "Wizard": ("learn", "transcribe", "listen_live", "wizard_level", "judges_see_sql"),
    "Data and people": ("consent_scopes", "retention_months", "mirror", "site"),
}  # fmt: skip
"""The keys of study.toml under the headings of the form."""
CALLED = {
    "domain": "Subjects ask about", "scenarios": "Scenarios", "order": "Order of scenarios",
    "seed": "Number behind the orders", "practice": "Practice scenario", "rule_book": "Year of the rule-book",
    "messages": "Canned messages", "talk_key": "Talk key", "deadline_s": "Reminder after (s)",
    "input": "Subjects ask by", "take_back_s": "Time to take back (s)", "microphone": "Microphone",
    "recording_rate": "Recording rate (Hz)", "second_microphone": "Second microphone",
    "learn": "Drafts learn from sessions", "transcribe": "First transcription by a recogniser",
    "speak": "Say answers aloud", "listen_live": "Listen while the subject speaks", "show": "Subjects see",
    "judges_see_sql": "Judges see the SQL", "mirror": "Second copy in", "site": "Site",
    "retention_months": "Months to keep", "consent_scopes": "The consent form allows",
    "questionnaires": "Questionnaires",
    "disclose": "Disclose the wizard at the end",
    "wizard_level": "Level of a trained wizard", "language": "Language of the subject",
}  # fmt: skip
"""What the form calls each key of study.toml."""
Check = Callable[[Mapping[str, Value]], SettingsCheck]
# What can be ticked; the scenarios are known once the domain is read.
_TICKED: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "scenarios": tuple, "messages": bundled_sets, "consent_scopes": lambda: CHOSEN_SCOPES,
    "questionnaires": bundled_instruments,
}  # fmt: skip
_OPEN_ENDED = ("messages", "questionnaires")


def _microphones() -> tuple[str, ...]:
    try:
        return tuple(one.name for one in list_microphones())
    except CurtainError:
        return ()


# What there is to choose from; anything else can be typed.
_PROPOSED: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "domain": lambda: tuple(bundled_packs()), "language": bundled_languages, "microphone": _microphones,
    "second_microphone": _microphones,
}  # fmt: skip


class SettingsForm(FormDialog):
    """One field a key. The sentence on a wrong value is the one of “curtain check”; `wished` has the text now written.
    Where it cannot be written, the form stays with all that was typed."""

    def __init__(
        self, look: Look, path: Path, text: str, parent: QWidget, draft: Mapping[str, Value] | None = None,
        proposed: Mapping[str, Value] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        title = self.tr("Settings of {0}").format(path.parent.name)
        super().__init__(look, title, self.tr("Write study.toml"), "write_settings", parent)
        self._background = Background(1, self)
        self.finished.connect(self._background.close)
        self.checker: Check = SettingsChecker(path, text).check
        self._write = partial(write_settings, path, text)
        self._checked = SettingsCheck()
        self._offered: Mapping[str, str] = {}
        self._is_checking = self._is_stale = self._is_accepted = False
        known, given = settings(), parse_toml(text)
        by_key = {one.key: one for one in known}
        fields = [_field(by_key[key], group) for group, keys in GROUPS.items() for key in keys]
        shown: dict[str, Value] = {one.key: _shown(given.get(one.key, one.left_out)) for one in known}
        self._given, self.draft = shown, dict[str, Value]()
        self._sheet = FieldSheet(fields, {**shown, **(draft or {}), **proposed}, look)
        self._sheet.edited.connect(self.look_again)
        opens = named(QPushButton(self.tr("Open the file"), autoDefault=True), "open_settings_file")
        opens.setToolTip(plain_tip(self.tr("Conditions, drafters and systems are tables: the file has them.")))
        opens.clicked.connect(lambda: open_outside(path, self.notice.setText))
        kept = label("", look, small=True, name="draft_kept", wraps=True)
        kept.setText(self.tr("What you changed last is not written yet. It is kept here until you write it."))
        kept.setVisible(bool(draft))
        self.finish(lambda: "", self._sheet.editor(next(iter(proposed), "")), kept, self._sheet, row(opens, 1))

    @property
    def wish(self) -> str:
        """study.toml as it is filled in."""
        return self._checked.text

    def filled_in(self) -> object:
        """Nothing is lost: what was changed and not written is the draft."""
        return ()

    def reject(self) -> None:
        """Leave, and keep what was changed."""
        self.draft = {name: value for name, value in self._sheet.values.items() if value != self._given[name]}
        super().reject()

    def look_again(self) -> None:
        """Check the values away from the window; what is changed meanwhile is checked behind that, once."""
        self._is_stale = self._is_checking
        if not self._is_checking:
            self._is_checking = True
            self._background.run(partial(self.checker, self._sheet.values), self._on_checked)

    def accept(self) -> None:
        """Write once the values as they are now are checked, unless something is wrong with them."""
        self._is_accepted = self._is_checking
        if self._is_checking or self._checked.problem:
            return
        try:
            self._write(self._checked.text)
        except CurtainError as error:
            self.show_missing("", str(error))
        else:
            super().accept()

    def _on_checked(self, future: Future[SettingsCheck]) -> None:
        self._is_checking = False
        if self._is_stale:
            self.look_again()
            return
        self._checked = future.result()
        # A text that cannot be read names no domain: the choices of before stay.
        if (scenarios := self._checked.scenarios) and scenarios != self._offered:
            self._offered = scenarios
            self._sheet.offer("scenarios", scenarios)
        self.show_missing(*map(self._sheet.problem_here, (self._checked.problem, self._checked.advice)))
        if self._is_accepted:
            self.accept()


def _field(setting: Setting, group: str) -> Field:
    flag = isinstance(setting.left_out, bool)
    many = isinstance(setting.left_out, list)
    ticked = _TICKED.get(setting.key)
    proposed = _PROPOSED[setting.key]() if setting.key in _PROPOSED else ()
    kind: Kind = "ticks" if ticked else "flag" if flag else "choice" if setting.choices or proposed else "text"
    return Field(
        setting.key, setting.remark, kind, choices=ticked() if ticked else setting.choices or proposed, many=many,
        default=setting.left_out if setting.choices else "", called=CALLED[setting.key],
        open_ended=setting.key in _OPEN_ENDED or bool(proposed), group=group,
    )  # fmt: skip


def _shown(value: object) -> Value:
    if isinstance(value, bool):
        return value
    if isinstance(value, list):
        return tuple(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
