"""`curtain demo --experiment`: a small comparison of two systems after papers/004, played through both stations.

Two subjects meet both systems in alternating order. A typist types what was said, and the systems answer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError
from curtain.base.input_file import parse_json
from curtain.base.scratch import ScratchFolder
from curtain.base.terminal import Say
from curtain.base.text_file import read_lines_of_text
from curtain.rehearsal.player import begin_session, end_session, fill_field, play_step, speak
from curtain.rehearsal.script import ScriptStep
from curtain.rehearsal.stage import RehearsalPlan, Stage, prepare_sounds, two_stations

_SUBJECTS = ("x01", "x02")
_CONDITIONS = """
# Two systems, as in papers/004: one answers what it understood, one only what it is sure of.
[[conditions]]
id = "robust"
who = "typist"
system = "drafts-robust"

[[conditions]]
id = "strict"
who = "typist"
system = "drafts-strict"

[design]
order = "alternate"
"""


class ComparisonTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a pack's comparison.jsonl: what every subject says in a scenario, and what the typist types."""

    scenario: str
    say: str
    query: str


@dataclass(frozen=True)
class _Row:
    condition: str
    turns: int
    answered: int
    seconds: float


def play_comparison(domain: str, out: Path, say: Say) -> Path:
    """Play both subjects and return the study's folder. Raises CurtainError."""
    from curtain.domain.pack.pack import database, named_pack

    pack = named_pack(domain)
    turns = _read(pack.folder / "comparison.jsonl", domain)
    database(pack)
    study = _study(out, pack.lasting_name, list(dict.fromkeys(turn.scenario for turn in turns)))
    say(f"Two subjects, two systems, {len(turns)} questions each (about two minutes).")
    steps = [ScriptStep(say=turn.say, query=turn.query, message=3) for turn in turns]
    with ScratchFolder("comparison") as scratch:
        sounds = prepare_sounds(steps, out / "comparison.jsonl", scratch, say)
        for subject in _SUBJECTS:
            plan = RehearsalPlan(script=Path(), domain=domain, study=study, headless=True, shots=out / "screenshots")
            with two_stations(plan, study, scratch) as stage:
                stage.sounds = sounds
                bundle = _play_subject(stage, subject, turns, plan.shots, say)
            say(f"The session of subject {subject}: {bundle}")
    _summarise(study, say)
    say(f"The study of the comparison: {study}")
    return study


def _play_subject(stage: Stage, subject: str, turns: Sequence[ComparisonTurn], shots: Path | None, say: Say) -> Path:
    stage.wizard.wait("plan_runs", text={"contains": "robust"})
    _shot(stage, shots, "start-page")
    begin_session(stage, subject)
    for number, turn in enumerate(turns, 1):
        play_step(stage, number, ScriptStep(do="scenario", id=turn.scenario))
        say(f"{subject} {number:>2}/{len(turns)} {turn.query}")
        speak(stage, stage.sounds[number])
        stage.wizard.wait("window", turn=number, state="transcribe")
        fill_field(stage.wizard, "query", turn.query)
        stage.wizard.keys("Ctrl+Return")
        stage.subject.wait("window", shown_turn=number)
    _shot(stage, shots, "operator")
    return end_session(stage)


def _shot(stage: Stage, shots: Path | None, name: str) -> None:
    if shots is not None:
        shots.mkdir(parents=True, exist_ok=True)
        stage.wizard.ask("resize", w=1280, h=720)
        stage.wizard.shot(shots / f"{name}.png")


def _read(path: Path, domain: str) -> list[ComparisonTurn]:
    try:
        lines = read_lines_of_text(path)
        return [parse_json(line, ComparisonTurn) for line in lines if line.strip()]
    except FileNotFoundError as fault:
        raise CurtainError(
            f"The domain “{domain}” has no comparison.jsonl, so there is nothing to play; take --domain personnel."
        ) from fault
    except (OSError, msgspec.DecodeError) as fault:
        raise CurtainError(f"{path} cannot be read: {fault}.") from fault


def _study(out: Path, domain: str, scenarios: Sequence[str]) -> Path:
    """A new study with two conditions, or the one that an earlier demo left in the folder."""
    from curtain.session.study.study import load_study, new_study

    if (out / "study.toml").exists():
        study = load_study(out)
        if not study.conditions:
            raise CurtainError(f"The study in {out} has no conditions; name another folder with --out.")
        return study.folder
    folder = new_study(out, domain, scenarios=scenarios, practice="none", take_back_s=0).folder
    settings = folder / "study.toml"
    replace_file(settings, settings.read_bytes() + _CONDITIONS.encode())
    return load_study(folder).folder


def _summarise(study: Path, say: Say) -> None:
    say("")
    say("condition   turns   answered   no answer   seconds to a reply")
    for row in _rows(study):
        refused = row.turns - row.answered
        say(f"{row.condition:<10} {row.turns:>6} {row.answered:>10} {refused:>11} {row.seconds:>20.1f}")
    say("")


def _rows(study: Path) -> list[_Row]:
    """One for each condition: turns that a person took over do not count."""
    from curtain.session.bundle.bundle import Bundle
    from curtain.session.study.study import load_study
    from curtain.session.turns.turns import read_turns

    loaded = load_study(study)
    turns = [turn for session in loaded.sessions() for turn in read_turns(Bundle(session.path))]
    counted = [turn for turn in turns if turn.reply is not None and not turn.taken_over]
    answered = Counter(turn.condition_id for turn in counted if turn.outcome == "answer")
    rows = []
    for condition in loaded.conditions:
        of_condition = [turn for turn in counted if turn.condition_id == condition.id]
        waits = [
            turn.reply.sent - (turn.times["key_up"] or turn.reply.sent)
            for turn in of_condition
            if turn.reply is not None
        ]
        mean_s = sum(waits) / len(waits) / 1000 if waits else 0.0
        rows.append(_Row(condition.id, len(of_condition), answered[condition.id], mean_s))
    return rows
