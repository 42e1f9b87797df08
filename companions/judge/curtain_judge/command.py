"""`curtain judge`: packets for judges, their window, and how far they agree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.errors import CurtainError
from curtain.base.plural import count_of
from curtain.base.terminal import Say, print_json, print_line
from curtain.cas.scoring.score import SEED
from curtain.commands import windows
from curtain.commands.options import (
    AsJson,
    By,
    Output,
    ResultFolder,
    Seed,
    StudyFolder,
    TextSize,
    Theme,
    Use,
    WindowLanguage,
    WithoutConsent,
)
from curtain.commands.purposes import InFile, InFolder, OutFolder
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters, left_out_lines
from curtain.corpus.redaction.export_log import PACKETS, note_export
from curtain.ports.result import end_with
from curtain.session.study.study import load_study
from curtain_judge.agreement import question_agreement
from curtain_judge.agreement_page import agreement_json, print_agreement
from curtain_judge.evaluation import BadEvaluation, Evaluation, Judge, check_plan, new_evaluation, open_evaluation
from curtain_judge.items import items_of, read_selection
from curtain_judge.labels import label_sets
from curtain_judge.merging import merge_packets
from curtain_judge.packet import Packet

Folder = Annotated[InFolder, typer.Argument(help="The folder of an evaluation, after a merge.")]


@dataclass(frozen=True)
class NewEvaluation:
    """The options of `curtain judge new`; names are separated by commas, or the option is repeated."""

    judges: Annotated[Sequence[str], typer.Option("--judges", help="The names of the judges, separated by commas.")]
    items: Annotated[
        str, typer.Option("--items", help="Which pairs, as scenario=2,condition=robust; all by default.")
    ] = ""
    seed: Seed = SEED
    without_consent: WithoutConsent = False
    use: Use = "own"


def open_packet(
    packet: Annotated[InFile, typer.Argument(help="The packet that you were given.")],
    output: Output = None,
    theme: Theme = None,
    text_size: TextSize = None,
    language: WindowLanguage = "",
) -> int:
    """The window's exit code. Raises CurtainError."""
    # Refused here: a window without a pair would give the judge nothing to do. For writing, as the window opens it.
    Packet(packet).close()
    return _open_judge({"--packet": packet, "--output": output, "--language": language}, theme, text_size)


def adjudicate(
    folder: Folder,
    by: By = "",
    output: Output = None,
    theme: Theme = None,
    text_size: TextSize = None,
    language: WindowLanguage = "",
) -> int:
    """The window's exit code. Raises CurtainError."""
    # Refused here: the window would only open to close again.
    open_evaluation(folder).open_to_ruling()
    return _open_judge({"--rule": folder, "--by": by, "--output": output, "--language": language}, theme, text_size)


def _open_judge(values: Mapping[str, object], theme: str | None, text_size: int | None) -> int:
    options = windows.options_for(values, theme, text_size)
    return windows.open_window("curtain_judge.window", options)


def run_new(study: StudyFolder, out: ResultFolder, options: NewEvaluation, say: Say = print_line) -> int:
    """Makes an evaluation; the exit code, 0. Raises CurtainError with one sentence."""
    judges = [Judge(name) for name in map(str.strip, ",".join(options.judges).split(",")) if name]
    check_plan(out, judges)
    filters = Filters(use=options.use, live=True, cancelled=False, with_consent=not options.without_consent)
    corpus = open_corpus([study], filters)
    with_sql = load_study(study).judges_see_sql
    items = list(items_of(corpus, read_selection(options.items), seed=options.seed, with_sql=with_sql))
    if not items:
        raise CurtainError(_no_pair(options, corpus.counts.dropped))
    paths = new_evaluation(out, items, judges, seed=options.seed, name=out.resolve().name)
    held = {one.session_id for one in items}
    note_export(load_study(study).folder, out, PACKETS, held, without_consent=options.without_consent)
    say(f"{count_of(len(items), 'pair')} of {count_of(len(held), 'session')} for each judge.")
    for line in left_out_lines(corpus.counts.dropped):
        say(line)
    for path in paths:
        say(f"  {path}: the judge opens it with “curtain judge {path.name}”")
    return 0


def _no_pair(options: NewEvaluation, dropped: Mapping[str, int]) -> str:
    ways = []
    if options.items:
        ways.append(f"--items {options.items} may leave all of them out")
    if not options.without_consent:
        # Rehearsals and trials are the first sessions of every lab, and neither has a consent.
        ways.append("--without-consent takes sessions without a consent too")
    sentence = ": ".join(filter(None, ["There is no pair of query and response to judge", ", and ".join(ways)])) + "."
    return " ".join([sentence, *(f"{line.capitalize()}." for line in left_out_lines(dropped))])


def run_merge(
    packets: Annotated[list[InFile], typer.Argument(help="Packets that came back from the judges.")],
    out: Annotated[
        OutFolder | None,
        typer.Option("--out", help="The folder of the evaluation; that of the first packet by default."),
    ] = None,
    say: Say = print_line,
) -> int:
    """Merges packets; the exit code, 0. Raises CurtainError with one sentence."""
    evaluation = open_evaluation(out) if out is not None else _evaluation_beside(packets[0])
    merged = merge_packets(evaluation, packets)
    for packet in merged:
        say(packet.sentence)
    before = {row.judge_id for row in evaluation.kept_labels()} - {packet.judge for packet in merged}
    if before:
        say(f"{', '.join(sorted(before))}: as merged before.")
    labels = evaluation.folder / "labels.csv"
    end_with(f"The labels are in {labels}. {evaluation.dissent_sentence()}", [labels], say=say)
    return 0


def _evaluation_beside(path: Path) -> Evaluation:
    """The evaluation in whose folder a packet lies. Raises CurtainError."""
    # First, so that a file that is no packet is not taken for one in the wrong folder.
    Packet(path, read_only=True).close()
    try:
        return open_evaluation(path.parent)
    except BadEvaluation as error:
        raise CurtainError(f"{error} Name the folder of the evaluation with --out.") from error


def run_agreement(folder: Folder, *, seed: Seed = SEED, as_json: AsJson = False) -> int:
    """Prints how far judges agree; the exit code, 0. Raises CurtainError with one sentence."""
    agreements = [question_agreement(one, seed=seed) for one in label_sets(open_evaluation(folder).labels())]
    if as_json:
        print_json(agreement_json(agreements))
    elif agreements:
        print_agreement(agreements)
    else:
        print_line("There is no label yet. Judges open their packets with “curtain judge PACKET”; then merge them.")
    return 0
