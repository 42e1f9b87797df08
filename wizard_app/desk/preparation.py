"""What the station reads and starts after its window is on the screen. Slow things, for threads of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from curtain.base.table import Show
from curtain.ports.ear import Expected, OpenEar, ear_of
from curtain.qt.sql_text import EditorSchema
from curtain.session.questionnaires.instrument import load_instruments
from curtain.session.study.languages import ENGLISH, bundled_texts
from curtain.session.study.messages import MessageSet, load_message_set
from curtain.session.study.study import NO_PRACTICE, Study
from curtain.session.study.text_names import DISCLOSURE_TEXTS
from wizard_app.desk.session.scenario_choice import ScenarioChoice, ScenarioOffer
from wizard_app.desk.session.seat import SubjectTexts
from wizard_app.desk.session.subject.outbox import ScenarioText
from wizard_app.desk.session.subject.subject_forms import Disclosure, SubjectForms

if TYPE_CHECKING:
    from curtain.domain.pack.pack import Pack
    from curtain.domain.rules.principles import RuleBook
    from curtain.domain.worker.worker import SqlWorker, TableInfo

_OFFERED = 4


@dataclass(frozen=True)
class StudyContent:
    """What study and pack say, read once."""

    pack: Pack
    messages: MessageSet
    texts: SubjectTexts
    offer: ScenarioOffer
    practice: ScenarioChoice | None
    book: RuleBook


@dataclass(frozen=True)
class OpenDatabase:
    """The database, the worker that runs statements over it, and one that only reads them while they are typed.

    `for_chairs` runs again what another desk sends, so that it never stops a statement of this one.
    """

    path: Path
    worker: SqlWorker
    looker: SqlWorker
    for_chairs: SqlWorker | None = None

    def close(self) -> None:
        """End the worker processes."""
        for worker in filter(None, (self.worker, self.looker, self.for_chairs)):
            worker.close()


def _forms(study: Study) -> SubjectForms:
    instruments = load_instruments(study.questionnaires, study.folder)
    if not study.disclose:
        return SubjectForms(instruments, Path(study.language).stem)
    texts = {name: study.texts.get(name, bundled_texts(ENGLISH)[name]) for name in DISCLOSURE_TEXTS}
    disclosure = Disclosure(*(texts[name] for name in DISCLOSURE_TEXTS))
    return SubjectForms(instruments, Path(study.language).stem, disclosure)


def read_domain(study: Study) -> StudyContent:
    """Raises CurtainError: PackError, UnknownRuleBook."""
    from curtain.domain.pack.pack import agreed_pack
    from curtain.domain.rules.principles import load_rules, under_rule_book

    pack = agreed_pack(study.domain).in_language(study.spoken_language)
    pack = under_rule_book(pack, study.rule_book, f"“rule_book” in {study.folder / 'study.toml'}")
    scenarios = {one.id: ScenarioText(one.text.strip(), one.asks_answer, one.input) for one in pack.scenarios}
    texts = SubjectTexts(
        title=study.texts.get("title", pack.title),
        briefing=study.texts.get("briefing", ""),
        database_description=study.texts.get("database_description", pack.description),
        closing=study.texts.get("closing", bundled_texts(ENGLISH)["closing"]),
        scenarios=scenarios,
        forms=_forms(study),
        messages=load_message_set(study.messages),
    )
    practice = practice_of(study, pack)
    return StudyContent(pack, texts.messages, texts, offer_of(study, pack, practice), practice, load_rules(pack))


def open_database(pack: Pack, show: Show) -> OpenDatabase:
    """Build the database if need be and start the worker; `show` is how much the subject reads. Raises CurtainError."""
    from curtain.domain.pack.pack import database
    from curtain.domain.worker.worker import SqlWorker

    path = database(pack)
    # Of its own, so that no run waits until a long statement has been read.
    looker = SqlWorker(path, pack, with_spare=False)
    # The last one starts no process before the first answer of another desk.
    return OpenDatabase(
        path, SqlWorker(path, pack, show=show), looker, SqlWorker(path, pack, with_spare=False, show=show)
    )


def hash_of(path: Path) -> str:
    """Which database this is. Raises CurtainError."""
    from curtain.domain.pack.pack import content_sha256

    return content_sha256(path)


def transcriber(study: Study, pack: Pack, schema: EditorSchema) -> OpenEar:
    """The recogniser with the study's model; it expects questions of the domain. Raises CurtainError."""
    domain = Expected(
        [example.question for example in pack.examples()],
        [name for values in schema.values.values() for name in values],
        {scenario.id: scenario.text for scenario in pack.scenarios},
    )
    return ear_of(study.asr).open(study.asr, study.spoken_language, study.folder, domain)


def practice_of(study: Study, pack: Pack) -> ScenarioChoice | None:
    """What to practise with: what the study names, else the domain's own, if it has one. Raises PackError."""
    if study.practice == NO_PRACTICE:
        return None
    practice_id = next((one.id for one in pack.scenarios if one.practice), None)
    wanted = study.practice or practice_id
    return _choice(pack, wanted) if wanted else None


def choices_of(study: Study, pack: Pack, practice: ScenarioChoice | None) -> tuple[ScenarioChoice, ...]:
    """The study's scenarios in its order and checked; without a list all of the domain's, the first few checked."""
    first = practice.id if practice else None
    named = [_choice(pack, one) for one in study.scenarios if one != first]
    rest = [one for one in pack.scenarios if one.id not in study.scenarios and one.id != first]
    others = [
        replace(_choice(pack, scenario.id), chosen=not named and not scenario.practice and at < _OFFERED)
        for at, scenario in enumerate(sorted(rest, key=lambda one: one.practice))
    ]
    return (*named, *others)


def offer_of(study: Study, pack: Pack, practice: ScenarioChoice | None) -> ScenarioOffer:
    """What each speaker is offered: of the study's scenarios all, of a domain's the first few that they have not had.
    Raises PackError."""
    choices = choices_of(study, pack, practice)
    real = [one.id for one in pack.scenarios if not one.practice]
    pool = tuple(one.id for one in choices if (one.id in study.scenarios if study.scenarios else one.id in real))
    chosen = sum(one.chosen for one in choices)
    return ScenarioOffer(choices, pool, chosen, study.seed if study.order == "seeded" else None)


def schema_of(tables: Sequence[TableInfo]) -> EditorSchema:
    """The tables as the editor completes them; columns without listed values have no entry in `values`."""
    return EditorSchema(
        tables={table.name: tuple(column.name for column in table.columns) for table in tables},
        values={
            (table.name, column.name): tuple(column.values)
            for table in tables
            for column in table.columns
            if column.values
        },
    )


def _choice(pack: Pack, scenario_id: str) -> ScenarioChoice:
    scenario = pack.scenario(scenario_id)
    return ScenarioChoice(scenario_id, scenario.title, asks_answer=scenario.asks_answer)


def outputs() -> list[str]:
    """The names of loudspeakers and headphones; none if there is no sound system."""
    from curtain.audio.devices import NoPortAudio, list_outputs

    try:
        return [device.name for device in list_outputs()]
    except NoPortAudio:
        return []
