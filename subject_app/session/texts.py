"""Every sentence the subject may read that is not the session's own. A study may change any of them."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curtain.session.study.languages import bundled_texts
from curtain.session.study.text_names import SCREEN_TEXTS, TEXT_NAMES, ScreenTexts

if TYPE_CHECKING:
    from curtain.base.hearing import Input

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Texts(ScreenTexts):
    """The sentences by their keys. Empty until the texts of a language are taken in with `changed`."""

    def how_to_ask(self, given: Input) -> str:
        """What the briefing says of it."""
        return {"speech": self.briefing_how, "text": self.briefing_type, "both": self.briefing_both}[given]

    def with_key(self, talk_key: str) -> Texts:
        """With the talk key, as a person names it, in its blanks."""
        key = self.talk_space if talk_key.lower() == "space" else talk_key.upper()
        return replace(self, **{name: fill(getattr(self, name), key=key) for name in SCREEN_TEXTS})

    def changed(self, changes: Mapping[str, str]) -> Texts:
        """With the study's own wording; names we do not know are left aside."""
        # Texts of the session are in the welcome itself.
        for name in changes.keys() - set(TEXT_NAMES):
            log.warning("the study changes a text that does not exist: %s", name)
        return replace(self, **{name: text for name, text in changes.items() if name in SCREEN_TEXTS})


def texts_in(language: str) -> Texts:
    """All sentences in a language that comes with Curtain."""
    return Texts().changed(bundled_texts(language))


def fill(text: str, **blanks: object) -> str:
    """Fill the blanks that are there; other braces stay, since a study writes these texts."""
    # Not `str.format`: an unknown brace of a study's text must not raise.
    for name, value in blanks.items():
        text = text.replace("{" + name + "}", str(value))
    return text
