"""`curtain report`: end-to-end measures of runs."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from msgspec import to_builtins

from curtain.base.errors import CurtainError
from curtain.base.plural import count_of
from curtain.base.terminal import Say, print_line
from curtain.cas.scoring.score import SEED
from curtain.commands.options import AsJson, Overwrite, Pilot, ResultFolder, Seed, Title, Use, WithoutConsent
from curtain.commands.purposes import InFile, InFolder, InPath
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import PILOT, Filters
from curtain.corpus.redaction.export_log import REPORT, note_export
from curtain.ports.result import end_with
from curtain.session.study.analysis import Analysis
from curtain.session.study.study import load_study
from curtain_experiments.report.experiment import Declaration, Experiment, experiment_of
from curtain_experiments.report.page import report_json, write_report
from curtain_experiments.report.tables import comparison_sentences, declaration_sentence, finding, flow_sentence
from curtain_experiments.runs.journal_runs import JournalRuns, Labels, encoded, remarks_on
from curtain_experiments.runs.measures import ALL
from curtain_experiments.runs.run import Query, RunRecord, by_subject, read_runs, run_of
from curtain_judge.agreement import QuestionAgreement, question_agreement
from curtain_judge.evaluation import Evaluation, open_evaluation
from curtain_judge.labels import label_sets
from curtain_score.files.json_lines import ensure_absent
from curtain_score.score_tables import rounded

TABLE = ".parquet"
_MOST_REMARKS = 50


@dataclass(frozen=True)
class ReportOptions:
    """What to report on, and how."""

    runs: Annotated[
        InFile | None,
        typer.Option("--runs", help="Report on the runs of this CSV file, recorded elsewhere; - is standard input."),
    ] = None
    recruited: Annotated[int | None, typer.Option("--recruited", help="How many subjects were recruited.")] = None
    title: Title = ""
    seed: Seed = SEED
    studies: Annotated[
        Sequence[InPath], typer.Argument(help="Studies or utterances.parquet; several stand side by side.")
    ] = ()
    judged: Annotated[
        Sequence[InFolder],
        typer.Option("--judged", help="The folder of an evaluation by judges, after a merge; may stand several times."),
    ] = ()
    pilot: Pilot = False
    without_consent: WithoutConsent = False
    use: Use = "own"
    overwrite: Overwrite = False
    as_json: AsJson = False


def report_run(out: ResultFolder, options: ReportOptions, say: Say = print_line) -> int:
    """Writes the report and prints its main figures; the exit code, 0. Raises BadFile, CurtainError."""
    ensure_absent(out / "report.html", options.overwrite)
    if options.seed < 0:
        raise CurtainError(f"--seed {options.seed} cannot be; give a whole number of 0 or more.")
    material = _material(options)
    _check(material, options)
    experiment = experiment_of(
        material.runs,
        queries=material.recorded.queries,
        recruited=options.recruited,
        agreement=_agreement(material.judgings, options.seed),
        title=options.title or ", ".join(material.names),
        sources=material.names,
        declaration=_declaration(material),
        left_out=material.left_out,
        notes=material.notes,
        seed=options.seed,
    )
    write_report(experiment, out, material.scenarios)
    for study in (load_study(one) for one in options.studies if one.suffix != TABLE):
        held = (run.session for run in material.runs if run.study == study.folder.name)
        note_export(study.folder, out, REPORT, held, without_consent=options.without_consent)
    if options.as_json:
        say(report_json(experiment))
        return 0
    for sentence in (*_summary(experiment), *experiment.notes, *_remarks(material)):
        say(sentence)
    page = out / "report.html"
    end_with(f"The report is {page}; runs.csv, queries.csv and report.json are beside it.", [page], say=say)
    return 0


@dataclass
class _Material:
    """Runs from journals or from a file, and what goes with them."""

    recorded: JournalRuns = field(default_factory=JournalRuns)
    from_file: int = 0
    """So many of the runs, the first ones, are those of a file."""
    names: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    judgings: list[Evaluation] = field(default_factory=list)
    scenarios: list[tuple[str, str]] = field(default_factory=list)
    domains: set[str] = field(default_factory=set)
    analyses: list[Analysis] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    """Subjects of whom every session was left out, with the reason."""

    @property
    def runs(self) -> Sequence[RunRecord]:
        return self.recorded.runs


def _material(options: ReportOptions) -> _Material:
    material = _Material()
    if options.runs is not None:
        material.recorded.runs.extend(read_runs(options.runs))
        material.from_file = len(material.runs)
        material.names.append(options.runs.name)
    material.judgings += [open_evaluation(folder) for folder in options.judged]
    labels = _labels(material.judgings)
    for folder in options.studies:
        _add_study(material, folder, labels, options)
    material.notes += _notes(material.judgings, material.recorded.queries)
    if not material.names:
        raise CurtainError("Name a study, or a file of runs with --runs.")
    if not material.runs:
        names = ", ".join(material.names)
        # Rehearsals and trials are the first sessions of every lab, and neither has a consent.
        raise CurtainError(
            f"{names}: there is no run to report on. --pilot takes trial sessions too, --without-consent those "
            "without a consent."
        )
    return material


def _add_study(material: _Material, folder: Path, labels: Labels, options: ReportOptions) -> None:
    if folder.suffix == TABLE:
        return _add_table(material, folder, labels)
    study = load_study(folder)
    filters = Filters(use=options.use, live=True, with_consent=not options.without_consent, pilot=options.pilot)
    corpus = open_corpus([folder], filters)
    name = study.folder.name
    before = len(material.runs)
    material.recorded.add(corpus.sessions(), labels, name)
    material.names.append(name)
    material.domains.add(study.domain)
    material.analyses.append(study.analysis)
    # A trial is no part of the study.
    gone = {who: why for who, why in corpus.counts.left_out.items() if why != PILOT}
    material.left_out |= {f"{name}/{who}": gone[who] for who in sorted(gone.keys() - corpus.counts.speakers_kept)}
    known = dict(material.scenarios)
    texts = {one.id: f"{one.title}. {one.text}" for one in corpus.domains.pack(study.domain).scenarios}
    ran = dict.fromkeys(run.scenario for run in material.runs[before:])
    material.scenarios += [(one, texts[one]) for one in ran if one in texts and one not in known]


def _declaration(material: _Material) -> Declaration:
    """What all studies declare alike, and since when; a file of runs declares nothing."""
    analysis = material.analyses[0] if material.analyses else Analysis()
    if material.from_file or not analysis.primary or any(other != analysis for other in material.analyses):
        return Declaration()
    declared = material.recorded.declared
    first = declared.get(encoded(to_builtins(analysis)))
    if first is None:
        return Declaration(analysis, "after")
    return Declaration(analysis, "before" if len(declared) == 1 else "amid", *first)


def _add_table(material: _Material, table: Path, labels: Labels) -> None:
    # Here alone: DuckDB takes longer to load than most studies to read.
    from curtain.corpus.exports.tables.parquet_table import sessions_in

    material.recorded.add(sessions_in(table), labels, table.stem)
    material.names.append(table.name)
    material.notes.append(
        f"{table.name} is a table of utterances: pauses, questionnaires and scenarios without a query are not in it."
    )


def _remarks(material: _Material) -> Iterator[str]:
    yield from material.remarks
    remarks = remarks_on(material.runs[material.from_file :])
    yield from islice(remarks, _MOST_REMARKS)
    if more := sum(1 for _ in remarks):
        yield f"The same holds of {count_of(more, 'run')} more; runs.csv has them."


def _check(material: _Material, options: ReportOptions) -> None:
    """Raises CurtainError for runs that stand twice, and for more subjects than were recruited."""
    # By a number of 64 bits each: the keys themselves would need more memory than all else.
    keys = array("q", (_key_of(run, place) for place, run in enumerate(material.runs)))
    _, firsts = np.unique(np.frombuffer(keys, dtype=np.int64), return_index=True)
    if len(firsts) < len(keys):
        run = material.runs[int(np.setdiff1d(np.arange(len(keys)), firsts)[0])]
        raise CurtainError(
            f"The run of session {run.session}, scenario {run.scenario} stands twice; name each source once."
        )
    subjects = len(by_subject(material.runs))
    if options.recruited is not None and options.recruited < subjects:
        raise CurtainError(f"--recruited {options.recruited} cannot be: {count_of(subjects, 'subject')} ran.")


def _key_of(run: RunRecord, place: int) -> int:
    """Of a run without a session its place: nobody knows whether it stands twice."""
    return hash((*run_of(run), run.subject, run.position) if run.session else place)


def _labels(judgings: Sequence[Evaluation]) -> dict[tuple[str, str], str]:
    """What judges settled, by utterance and question. Raises CurtainError where two evaluations judge one utterance."""
    labels: dict[tuple[str, str], str] = {}
    judged_in: dict[str, Evaluation] = {}
    for evaluation in judgings:
        utterances = {item.id: item.utterance_id for item in evaluation.design.items}
        for utterance in utterances.values():
            if (other := judged_in.setdefault(utterance, evaluation)) is not evaluation:
                raise CurtainError(
                    f"{utterance} is judged in {other.folder} and in {evaluation.folder}; name the one that counts."
                )
        for (item, question), (label, _) in evaluation.settled().items():
            labels[utterances[item], question] = label
    return labels


def _notes(judgings: Sequence[Evaluation], queries: Sequence[Query]) -> Iterator[str]:
    """What of the judges' work is in no figure."""
    judged = {item.utterance_id for evaluation in judgings for item in evaluation.design.items}
    asked = {query.utterance for query in queries if query.utterance in judged} if judged else set()
    for evaluation in judgings:
        items, name = evaluation.design.items, evaluation.folder.name
        if not any(item.utterance_id in asked for item in items):
            yield f"{name}: none of its pairs is in this report; it belongs to other sessions."
        waiting = {item for item, _ in set(evaluation.dissent()) - evaluation.rulings().keys()}
        if waiting:
            yield (
                f"{name}: judges differ on {len(waiting)} of {count_of(len(items), 'pair')}, and nobody has ruled on "
                "them. Where they differ, a pair is in no percentage of queries; “curtain judge adjudicate” settles it."
            )


def _agreement(judgings: Sequence[Evaluation], seed: int) -> list[QuestionAgreement]:
    labels = [label for evaluation in judgings for label in evaluation.labels()]
    return [question_agreement(one, seed=seed) for one in label_sets(labels)]


def _summary(experiment: Experiment) -> list[str]:
    sentences = [f"{count_of(len(experiment.runs), 'run')}. {flow_sentence(experiment)}"]
    for cell in experiment.cells:
        if cell.scenario == ALL:
            name = f"{cell.condition}: " if cell.condition else ""
            sentences.append(
                f"{name}{rounded(cell.stated.percent, 0)} % with a solution, {rounded(cell.solved.percent, 0)} % "
                f"correct, {rounded(cell.time.mean, 0)} s, {rounded(cell.queries.mean)} queries, "
                f"score {rounded(cell.score.percent, 0)}"
            )
    for comparison in experiment.comparisons:
        sentences += [finding(experiment, comparison), *comparison_sentences(comparison)]
    if experiment.comparisons:
        sentences.append(declaration_sentence(experiment))
    return sentences
