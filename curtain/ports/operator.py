"""The port of the operator: systems in the wizard's place, under the conditions that a study compares."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from curtain.ports.discovery import lacking, made, refuse
from curtain.session.study.study import Study

MISSING = (
    "Conditions, and systems in the wizard’s place, need the companion “experiments”, which is not installed here. "
    "See “curtain companions”."
)


class Operator:
    """Who answers in the wizard's place at one desk. This one is nobody, and no session under conditions begins; a
    companion offers at `operator` a class that does more in each method.

    It is made of a `Study`, and of the `WizardWindow`, its `Look` and the `Backgrounds` of `wizard_app`, which it may
    import. It journals what a system said (`SystemAnswered`, `SystemFailed`) and that somebody took over."""

    panel: Any = None
    """The widget above the query, None for none."""

    def __init__(self, study: Study, window: Any, look: Any, backgrounds: Any) -> None:
        self._window, self._why = window, lacking(MISSING) if study.conditions else ""

    def furnish(self, controllers: Any, page: Any, loading: Any, now_ns: Callable[[], int]) -> None:
        """Begin to answer (`Controllers`, `WorkPage`) over the database that `StudyLoading` opens. Replies leave by the
        clock `now_ns`. `add_design` of the start page takes a widget with `plan_for(scenario_ids)`, a `SubjectPlan`;
        `offers`, whether it has one; `show_chosen(scenario_ids)`; and signals `changed` and `scenarios_wanted`."""
        self._session = controllers.session
        if self._why:
            self._window.start.hinder("system", self._why)

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """What its keys do."""
        return dict.fromkeys(("take_over", "stop_system"), lambda: self._window.show_notice(lacking(MISSING)))

    @staticmethod
    def checks(study: Study) -> Iterable[tuple[str, Callable[[], str]]]:
        """Lines of `curtain check`, by name: a function that gives a sentence, or raises CurtainError."""
        return [("conditions", partial(refuse, MISSING))] if study.conditions else []

    def refusal(self, number: int, *, query: bool) -> str:
        """Why the person may send no reply, or no `query`, on a turn; "" where they may."""
        opened = self._session.progress.opened
        return lacking(MISSING) if opened is not None and any(one.system for one in opened.conditions) else ""

    def close(self) -> None:
        """End what was started."""


def operator_at(*desk: Any) -> Operator:
    """The operator of the first companion that has one, made of the same parts."""
    operator: Operator = made("operator", lambda kind: kind(*desk), lambda: Operator(*desk))
    return operator
