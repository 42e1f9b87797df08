"""Whether study.toml may be written as a form has filled it in, and what of its lists can be ticked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.settings_file import text_if_any
from curtain.domain.pack.pack import agreed_pack
from curtain.domain.pack.reader import Pack, pack_folder
from curtain.domain.pack.trust import is_agreed
from curtain.domain.rules.principles import under_rule_book
from curtain.session.questionnaires.instrument import load_instruments
from curtain.session.study.messages import load_message_set
from curtain.session.study.settings import advice_on_messages, fault_of_scenarios
from curtain.session.study.study import Study, study_of
from curtain_home.control.actions import Value
from curtain_home.control.study_settings import changed

_OF_DOMAIN: tuple[Literal["scenarios", "practice"], ...] = ("scenarios", "practice")


@dataclass(frozen=True)
class SettingsCheck:
    """`text` is the new study.toml, `fault` a sentence on what it must not hold, `scenarios` the titles of those that
    the domain has, by id, `advice` what may be written and is hardly meant."""

    text: str = ""
    fault: str = ""
    scenarios: Mapping[str, str] = field(default_factory=dict)
    advice: str = ""


class SettingsChecker:
    """Checks values of a form over the file `path`, which holds `text`. It is slow: a thread of its own calls it."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._text = path, text
        self._packs: dict[str, Pack | None] = {}

    def check(self, values: Mapping[str, Value]) -> SettingsCheck:
        """What comes of these values."""
        text, scenarios = "", dict[str, str]()
        try:
            text = changed(self._text, {key: self._beside(value) for key, value in values.items()})
            study = study_of(self._path, text)
            # A pack to which nobody agreed is not read: “curtain check” says so.
            if (pack := self._pack(study.domain)) is not None:
                scenarios = {one.id: one.title for one in pack.scenarios}
                self._ensure_fits(study, pack)
            load_message_set(study.messages)
            load_instruments(study.questionnaires, study.folder)
        except CurtainError as fault:
            return SettingsCheck(text, str(fault).replace(f"{self._path.parent}/", ""), scenarios)
        return SettingsCheck(text, "", scenarios, advice_on_messages(study).replace(f"{self._path.parent}/", ""))

    def _ensure_fits(self, study: Study, pack: Pack) -> None:
        under_rule_book(pack, study.rule_book, "“rule_book”")
        there = [one.id for one in pack.scenarios]
        for fault in (fault_of_scenarios(key, study, pack.title, there) for key in _OF_DOMAIN):
            if fault:
                raise CurtainError(fault)

    def _pack(self, domain: str) -> Pack | None:
        """Read once: the sum over a large database takes long."""
        if domain not in self._packs:
            self._packs[domain] = agreed_pack(domain) if is_agreed(pack_folder(domain)) else None
        return self._packs[domain]

    def _beside(self, value: Value) -> Value:
        """A file of the study's own folder by its name there."""
        if not isinstance(value, tuple):
            return value
        return tuple(one.removeprefix(f"{self._path.parent}/") for one in value)


def write_settings(path: Path, before: str | None, text: str) -> None:
    """Put the new text in place of the one it was made from, None where there was no file. Raises CurtainError: the
    file was changed meanwhile."""
    if text_if_any(path) != before:
        raise CurtainError(f"{path} was changed meanwhile, so it was not written; open it again.")
    with os_errors_as(f"{path} cannot be written"):
        path.parent.mkdir(exist_ok=True)
        replace_file(path, text.encode())
