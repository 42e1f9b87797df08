"""`curtain study plan`, and what `curtain check --study` finds of an experiment before a subject comes."""

from collections.abc import Callable, Iterator
from functools import partial

from curtain.base.errors import CurtainError
from curtain.base.plural import count_of
from curtain.base.privacy import NeededAgreement, ensure_agreed
from curtain.base.terminal import print_json, print_line, print_table
from curtain.commands.options import AsJson, StudyFolder
from curtain.domain.pack.pack import agreed_pack
from curtain.ports.ear import model_that_loads
from curtain.session.study.design import BadDesign, balance_problem, cell_counts, cycle_length, thin_cells
from curtain.session.study.messages import load_message_set
from curtain.session.study.study import Study, load_study
from curtain_experiments.runs.past_runs import past_runs
from curtain_experiments.systems.choice import BadSystem, recogniser_of, system_named
from curtain_experiments.systems.starting import agreements_of

# As the start page ticks them where the study names none.
_TICKED = 4


def plan(study: StudyFolder, as_json: AsJson = False) -> int:
    """Print the cells of an experiment with their complete runs; the exit code, 0. Raises CurtainError."""
    loaded = load_study(study)
    if not loaded.conditions:
        raise CurtainError(f"{loaded.folder} compares no conditions; docs/experiments.md says how a study does.")
    scenarios = _offered_scenarios(loaded)
    counts = cell_counts(loaded.conditions, scenarios, past_runs(loaded))
    thin = set(thin_cells(counts))
    if as_json:
        return print_json([
            {"scenario": cell[0], "condition": cell[1], "runs": runs, "few": cell in thin}
            for cell, runs in counts.items()
        ])  # fmt: skip
    ids = [one.id for one in loaded.conditions]
    cells = {cell: f"{runs} few" if cell in thin else f"{runs}" for cell, runs in counts.items()}
    rows = [(scenario, *(cells[scenario, one] for one in ids)) for scenario in scenarios]
    print_table(("scenario", *ids), rows, [False, *(True for _ in ids)])
    length = cycle_length(loaded.design, loaded.conditions, scenarios)
    few = f"{count_of(len(thin), 'cell')} behind the fullest by more than one run" if thin else "no cell is far behind"
    print_line(f"Complete runs so far, without practice and trials; {few}.")
    print_line(f"Order “{loaded.design.order}”: the plans begin anew after {count_of(length, 'subject')}.")
    return 0


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
