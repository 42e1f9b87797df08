"""Questionnaires in one language: those that ask the subject cross the curtain, the wizard's own never do."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from curtain.link.messages import Form, FormItem
from curtain.session.events.subject_events import DISCLOSURE, WITHDRAW
from curtain.session.events.wizard_events import ScenarioStarted
from curtain.session.questionnaires.instrument import Instrument, InstrumentItem
from curtain.session.study.languages import ENGLISH


@dataclass(frozen=True)
class Disclosure:
    """The words that disclose to the subject at the very end who answered, and offer to withdraw."""

    title: str
    text: str
    question: str
    keep: str
    withdraw: str

    def as_form(self) -> Form:
        """The last page of the session; `keep` or `withdraw` is what the subject chose."""
        item, withdraw = WITHDRAW
        choice = FormItem(
            id=item,
            kind="choice",
            text=self.question,
            values=["keep", withdraw],
            labels=[self.keep, self.withdraw],
            required=True,
        )
        return Form(name=DISCLOSURE, title=self.title, items=[FormItem(id="who", kind="text", text=self.text), choice])


@dataclass(frozen=True)
class SubjectForms:
    """What a study asks the subject to fill in."""

    instruments: tuple[Instrument, ...] = ()
    language: str = ENGLISH
    disclosure: Disclosure | None = None

    def after(self, start: ScenarioStarted) -> list[Form]:
        """The forms that follow a scenario: none after practice; those of the session follow the last one."""
        if start.practice:
            return []
        forms = self._forms("scenario", f"@{start.scenario_id}")
        if start.number < start.of:
            return forms
        # Who answered is disclosed when nothing is asked any more: it would colour every answer.
        return [*forms, *self._forms("session"), *self._last_page]

    def at_close(self, started: Iterable[ScenarioStarted]) -> list[Form]:
        """What follows the end of a session: who answered is disclosed whenever it ends, though it was before. Where no
        task was begun nothing is asked."""
        tasks = [one for one in started if not one.practice]
        is_early = tasks and all(one.number < one.of for one in tasks)
        return [*(self._forms("session") if is_early else ()), *self._last_page]

    def due(self, started: Collection[ScenarioStarted], closed: bool = False) -> list[Form]:
        """The forms that follow these scenarios; with `closed`, also those of a session that ended early."""
        forms = [form for start in started for form in self.after(start)] + (self.at_close(started) if closed else [])
        return list({form.name: form for form in forms}.values())

    def of_wizard(self, started: Iterable[ScenarioStarted]) -> list[Form]:
        """What the wizard fills in when the session is over: of each task, then of the session; none without a task."""
        tasks = list(dict.fromkeys(one.scenario_id for one in started if not one.practice))
        asked = [one for one in self.instruments if one.asks == "wizard" and tasks]
        of_tasks = [
            form_of(one, self.language, f"@{task}") for task in tasks for one in asked if one.when == "scenario"
        ]
        return of_tasks + [form_of(one, self.language) for one in asked if one.when == "session"]

    @property
    def _last_page(self) -> list[Form]:
        return [self.disclosure.as_form()] if self.disclosure else []

    def _forms(self, when: Literal["scenario", "session"], of: str = "") -> list[Form]:
        """`of` is put behind the names, such as “@scenario”."""
        # What asks the wizard would show the subject that there is one, so it never gets this far.
        asked = (one for one in self.instruments if one.asks == "subject" and one.when == when)
        return [form_of(one, self.language, of) for one in asked]


def form_of(instrument: Instrument, language: str, of: str = "") -> Form:
    """An instrument in one language; `of` is put behind its name."""
    items = [_item(item, language) for item in instrument.items]
    return Form(name=instrument.id + of, title=_in(instrument.title, language), items=items)


def unanswered_in(forms: Iterable[Form], done: Mapping[str, int]) -> str:
    """The titles of completed forms with questions left out, each with their number; "" if there is none.

    `done` are the completed forms by name, with that number.
    """
    left_out = [(form, done.get(form.name, 0)) for form in forms]
    return "; ".join(f"{form.title} ({count} of {len(form.questions)})" for form, count in left_out if count)


def _item(item: InstrumentItem, language: str) -> FormItem:
    choices = {option.id: _in(option.text, language) for option in item.options}
    steps = {str(value): str(value) for value in item.values} if item.kind == "scale" else {}
    return FormItem(
        id=item.id,
        kind=item.kind,
        text=_in(item.text, language),
        values=[*choices, *steps],
        labels=[*choices.values(), *steps.values()],
        low=_in(item.low_text, language),
        high=_in(item.high_text, language),
        required=item.required,
    )


def _in(words: Mapping[str, str], language: str) -> str:
    return words.get(language) or words.get(ENGLISH, "")
