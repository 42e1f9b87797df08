"""`curtain check --study`: conditions, design, systems and recogniser of an experiment, before a subject comes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from curtain.base.errors import CurtainError

if TYPE_CHECKING:
    from curtain.domain.pack.reader import Pack
    from curtain.session.study.study import Study

Look = tuple[str, Callable[[], str]]

# As the start page ticks them where the study names none.
_TICKED = 4


def looks_at_experiment(study: Study) -> list[Look]:
    """Nothing for a study without conditions."""
    if not study.conditions:
        return []
    systems = list(dict.fromkeys(one.system for one in study.conditions if one.system))
    return [
        ("conditions", lambda: _conditions(study)),
        ("design", lambda: _design(study)),
        *((f"system {name}", partial(_system, study, name)) for name in systems),
        *([("asr", lambda: _asr(study))] if _needs_ears(study) else []),
    ]


def questionnaires(study: Study) -> str:
    """Which questionnaires the study has. Raises CurtainError."""
    from curtain.session.questionnaires.instrument import load_instruments

    instruments = load_instruments(study.questionnaires, study.folder)
    return f"{', '.join(one.id for one in instruments) or 'none'}."


def solutions(study: Study, pack: Pack) -> str:
    """For which scenarios the study has accepted answers of its own. Raises CurtainError."""
    from curtain.corpus.model.solutions import SOLUTIONS_FOLDER, solutions_of_study

    written = solutions_of_study(study.folder)
    offered = {one.id for one in pack.scenarios}
    # A file for another scenario would change nothing, silently.
    if astray := [name for name in written if name not in offered]:
        raise CurtainError(
            f"{study.folder / SOLUTIONS_FOLDER / astray[0]}.toml: there is no scenario “{astray[0]}”; name the file "
            f"after one of {', '.join(sorted(offered))}."
        )
    return f"its own for {', '.join(written)}." if written else "those of the pack."


def _conditions(study: Study) -> str:
    erring = any(one.recogniser != "none" for one in study.conditions)
    named = f"{len(study.conditions)}: {', '.join(one.id for one in study.conditions)}."
    return f"{named} “recogniser” puts in no errors any more (docs/recipes.md#word-errors)." if erring else named


def _design(study: Study) -> str:
    from curtain.session.study.design import BadDesign, balance_fault, cycle_length

    scenarios = offered_scenarios(study)
    if fault := balance_fault(study.design, study.conditions, scenarios):
        raise BadDesign(fault)
    length = cycle_length(study.design, study.conditions, scenarios)
    together = " Each scenario always runs under the same condition." if study.design.order == "fixed" else ""
    return f"{study.design.order}; the plans begin anew after {length} subject{'' if length == 1 else 's'}.{together}"


def _system(study: Study, name: str) -> str:
    from curtain.base.privacy import ensure_agreed
    from curtain.session.study.messages import load_message_set
    from curtain.systems.choice import BadSystem, system_named
    from curtain.systems.starting import agreements_of

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


def _needs_ears(study: Study) -> bool:
    return any(one.who == "system" and one.ears == "asr" for one in study.conditions)


def _asr(study: Study) -> str:
    from curtain.base.privacy import ensure_agreed
    from curtain.ports.ear import model_that_loads
    from curtain.systems.choice import recogniser_of
    from curtain.systems.starting import agreements_of

    ears = recogniser_of(study.asr, study.folder)
    if ears is not None:
        ensure_agreed(agreements_of(ears), study.folder)
        return f"{ears.kind}."
    return f"the model {model_that_loads(study.asr, study.spoken_language, study.folder)}."


def offered_scenarios(study: Study) -> list[str]:
    """The scenarios that the design divides: those of the study, else the first of the domain; without practice."""
    from curtain.domain.pack.pack import agreed_pack

    pack = agreed_pack(study.domain)
    practice = study.practice or next((one.id for one in pack.scenarios if one.practice), None)
    named = [one for one in study.scenarios if one != practice]
    others = [one.id for one in pack.scenarios if not one.practice and one.id != practice]
    return named or others[:_TICKED]
