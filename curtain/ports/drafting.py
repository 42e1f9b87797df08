"""The port of drafting: SQL that is drafted for the query while the wizard types, in a place of its own on the desk."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from curtain.ports.discovery import lacking, made, refuse
from curtain.session.study.study import Study

MISSING = "Drafts need the companion “drafts”, which is not installed here. See “curtain companions”."
KEYS = ("draft_1", "draft_2", "draft_3", "draft_4", "draft_5", "to_drafts", "to_values", "reword")


class Drafting:
    """The drafts at one desk. These are none; a companion offers at `drafting` a class that does more in each method.

    It is made of a `Study`, and of the `WizardWindow`, its `Look` and the `Backgrounds` of `wizard_app`, which it may
    import. It journals what was shown and taken (`DraftShown`, `DraftTaken`)."""

    panel: Any = None
    """The widget between query and statement, None for none. Where the window is low it gives way."""
    count: Any = 0
    """How many drafts can be taken now."""
    guesses: Any = False
    """Whether the first of them is a guess, which is to be looked at before it is taken."""
    place: Any = ""
    """Where in the panel the cursor is: `list`, `chips`, `rewording`, or "" for elsewhere."""

    def __init__(self, study: Any, window: Any, look: Any, backgrounds: Any) -> None:
        self._window = window

    def furnish(self, controllers: Any, page: Any, cursor: Any, loading: Any, show: Callable[[], None]) -> None:
        """Begin to follow what is typed (`Controllers`, `WorkPage`, `Cursor`), and the database that `StudyLoading`
        opens; call `show` after each change. Whoever drives the window reads `draft_state`, by which nothing drafts."""
        self._window.setProperty("draft_state", "missing")

    @staticmethod
    def checks(study: Study | None) -> Iterable[tuple[str, Callable[[], str]]]:
        """Lines of `curtain check`, by name: a function that gives a sentence, or raises CurtainError."""

        def say() -> str:
            wanted = study is not None and any(study.drafters.values())
            return refuse(MISSING) if wanted else f"none. {lacking(MISSING)}"

        return [("drafters", say)]

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """What the keys of drafts do."""
        return dict.fromkeys(KEYS, lambda: self._window.show_notice(lacking(MISSING)))

    def leave(self) -> bool:
        """Esc: move the cursor out of the panel; whether it was there."""
        return False

    def close(self) -> None:
        """Let go of what was started; nothing runs in the background any more."""


def drafting_at(*desk: Any) -> Drafting:
    """The drafts of the first companion that has some, made of the same parts."""
    drafting: Drafting = made("drafting", lambda kind: kind(*desk), lambda: Drafting(*desk))
    return drafting
