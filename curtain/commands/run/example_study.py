"""`curtain demo --study`: a small study with all that the documentation's examples need, played and then annotated.

A pack's folder `study` has a script for each speaker, named by the speaker, and `context.json`: the turns that depend
on the turn before, which only a person can say. All else follows by the rules of annotation.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.input_file import parse_json
from curtain.base.terminal import Say
from curtain.commands.corpus.upkeep import split
from curtain.commands.people.consent import LaterForm, note
from curtain.corpus.annotation.layers import Layers, new_row
from curtain.corpus.annotation.row import LayerRow
from curtain.corpus.annotation.rules import derive_category, derive_class
from curtain.corpus.annotation.tag_table import load_table
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.utterance import ContextLink, Utterance
from curtain.ports.result import end_with
from curtain.review.control.material import LiveSession, read_sitting
from curtain.review.control.work import judged, prefilled, values_of
from curtain.session.bundle.bundle import Bundle
from curtain.session.consent import SCOPES

# The second one overlooks the context, so that there is something to agree on and to rule. The first is written last,
# and counts.
ANNOTATORS = ("otto", "anna")


def make_study(domain: str, out: Path, say: Say) -> Path:
    """Play, annotate, note the consents, split; gives the study's folder. Raises CurtainError."""
    from curtain.domain.pack.pack import named_pack
    from curtain.rehearsal import player, stage
    from curtain.rehearsal.script import read_script, scenario_ids
    from curtain.session.study.study import NO_PRACTICE, load_study, new_study

    pack = named_pack(domain)
    scripts = sorted((pack.folder / "study").glob("*.jsonl"))
    if not scripts:
        raise CurtainError(f"The domain “{domain}” has no study to play; take --domain personnel.")
    scenarios = scenario_ids(read_script(scripts[0]))
    study = new_study(out, pack.lasting_name, scenarios=scenarios, practice=NO_PRACTICE, take_back_s=0).folder
    say(f"Playing {len(scripts)} sessions through both stations (about two minutes).")
    plan = stage.RehearsalPlan(script=scripts[0], domain=domain, study=study, headless=True)
    for at, script in enumerate(scripts):
        player.play(replace(plan, script=script, speaker=script.stem, part=(at, len(scripts))), say)
    dependent = parse_json((pack.folder / "study" / "context.json").read_bytes(), list[str])
    for session in load_study(study).sessions():
        annotate(session.path, dependent)
    today = datetime.now(UTC).date()
    for script in scripts:
        form = LaterForm(f"demo-{script.stem}", "demo")
        note(study, script.stem, list(SCOPES), today.isoformat(), today, form)
    split(study)
    end_with(f"The example study, with voices of this computer, is in {study}.", [study], say=say)
    return study


def annotate(session: Path, dependent: Collection[str]) -> None:
    """Both annotators on all turns of a session, from what the session itself knows. Raises CurtainError."""
    sitting = read_sitting(session, Domains())
    layers = Layers(Bundle(session))
    for by in ANNOTATORS:
        layers.add_all(list(_rows(sitting, by, dependent if by == ANNOTATORS[-1] else ())))


def _rows(sitting: LiveSession, by: str, dependent: Collection[str]) -> Iterator[LayerRow]:
    table, before = load_table(), list[Utterance]()
    for scene in sitting.scenes:
        context = (ContextLink(before[-1].utterance_id, "answer"),) if scene.id in dependent else ()
        work = replace(prefilled(scene.utterance), context=context)
        bare = judged(work, scene.utterance)
        classed = replace(bare, eval_class=derive_class(bare, before, table, sitting.year))
        annotation = replace(classed, category=derive_category(classed, before, table))
        yield from (
            new_row(scene.id, layer, value, by, Clock()) for layer, value in values_of(work, annotation).items()
        )
        before.append(annotation)
