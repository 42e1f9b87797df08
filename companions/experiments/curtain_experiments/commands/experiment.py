"""What `curtain check --study` finds of an experiment before a subject comes."""

from collections.abc import Callable, Iterator
from functools import partial

from curtain.base.privacy import NeededAgreement, ensure_agreed
from curtain.domain.pack.pack import agreed_pack
from curtain.ports.ear import model_that_loads
from curtain.session.study.messages import load_message_set
from curtain.session.study.study import Study
from curtain_experiments.runs.design import BadDesign, balance_problem, cycle_length
from curtain_experiments.systems.choice import BadSystem, recogniser_of, system_named
from curtain_experiments.systems.starting import agreements_of

# As the start page ticks them where the study names none.
_TICKED = 4


def lines_of(study: Study) -> Iterator[tuple[str, Callable[[], str]]]:
    """What is looked at, by name, each with what looks; nothing for a study without conditions."""
    if study.conditions:
        yield "conditions", partial(_conditions, study)
        yield "design", partial(_design, study)
        for name in dict.fromkeys(one.system for one in study.conditions if one.system):
            yield f"system {name}", partial(_system, study, name)
    if any(one.who == "system" and one.ears == "asr" for one in study.conditions):
        yield "asr", partial(_asr, study)


def needed_by(study: Study) -> Iterator[NeededAgreement]:
    """What its systems and their recogniser would start, load or send. Raises BadSystem, NotAgreed."""
    named = [*study.systems, *(one.system for one in study.conditions if one.system)]
    choices = [system_named(name, study.systems, study.folder) for name in dict.fromkeys(named)]
    for choice in filter(None, (*choices, recogniser_of(study.asr, study.folder))):
        yield from agreements_of(choice)


def _conditions(study: Study) -> str:
    erring = any(one.recogniser != "none" for one in study.conditions)
    named = f"{len(study.conditions)}: {', '.join(one.id for one in study.conditions)}."
    return f"{named} “recogniser” puts in no errors any more (docs/recipes.md#word-errors)." if erring else named


def _design(study: Study) -> str:
    scenarios = _offered_scenarios(study)
    if problem := balance_problem(study.design, study.conditions, scenarios):
        raise BadDesign(problem)
    length = cycle_length(study.design, study.conditions, scenarios)
    together = " Each scenario always runs under the same condition." if study.design.order == "fixed" else ""
    return f"{study.design.order}; the plans begin anew after {length} subject{'' if length == 1 else 's'}.{together}"


def _system(study: Study, name: str) -> str:
    choice = system_named(name, study.systems, study.folder)
    ensure_agreed(agreements_of(choice), study.folder)
    messages_by_id = load_message_set(study.messages).by_id
    for key, message_id in (("no_answer", choice.no_answer), ("failed", choice.failed)):
        if message_id not in messages_by_id or messages_by_id[message_id].blanks:
            raise BadSystem(
                f"The system “{name}” has “{key}” = “{message_id}”, which is no canned message without blanks; "
                f"name another in [systems.{name}] of study.toml."
            )
    return f"{choice.kind}, {choice.deadline_s:g} s for an answer."


def _asr(study: Study) -> str:
    ears = recogniser_of(study.asr, study.folder)
    if ears is not None:
        ensure_agreed(agreements_of(ears), study.folder)
        return f"{ears.kind}."
    return f"the model {model_that_loads(study.asr, study.spoken_language, study.folder)}."


def _offered_scenarios(study: Study) -> list[str]:
    """The scenarios that the design divides: those of the study, else the first of the domain; without practice."""
    pack = agreed_pack(study.domain)
    practice = study.practice or next((one.id for one in pack.scenarios if one.practice), None)
    named = [one for one in study.scenarios if one != practice]
    others = [one.id for one in pack.scenarios if not one.practice and one.id != practice]
    return named or others[:_TICKED]
