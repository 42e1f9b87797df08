"""`curtain questionnaires`: what subjects and wizards answered, and the scores."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from curtain.base.plural import count_of
from curtain.base.scratch import ensure_free, whole_folder
from curtain.base.terminal import print_error, print_json, print_line, print_table
from curtain.commands.options import AsJson, Pilot, Sources, Use, WithoutConsent
from curtain.commands.purposes import OutFolder
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.utterance import Session
from curtain.corpus.redaction.export_log import QUESTIONNAIRES, note_export
from curtain.ports.result import end_with
from curtain.session.consent import DataUse
from curtain_corpora.exports.answers import score_rows, unanswered_rows, write_tables

_COLUMNS = ("session", "asks", "questionnaire", "scenario", "condition", "score", "not answered")


def questionnaires(
    sources: Sources,
    out: Annotated[OutFolder | None, typer.Option("--out", help="A new folder for CSV files.")] = None,
    use: Use = "own",
    without_consent: WithoutConsent = False,
    pilot: Pilot = False,
    as_json: AsJson = False,
) -> int:
    """Lists scores, or with `out` writes tables; the exit code. Raises CurtainError."""
    filters = filters_for(use, without_consent=without_consent, pilot=pilot)
    return write(sources, out, filters) if out else list_scores(sources, filters, as_json=as_json)


def list_scores(sources: Sequence[Path], filters: Filters, *, as_json: bool = False) -> int:
    """Print the scores of each session, and what was left out; the exit code. Raises CurtainError."""
    corpus = open_corpus(sources, filters)
    rows = [row for session in corpus.sessions() for row in (*score_rows(session), *unanswered_rows(session))]
    if as_json:
        return print_json(rows)
    names = ("session_id", "asks", "questionnaire", "scenario_id", "condition_id")
    cells = [(*(str(row[name]) for name in names), *_outcome(row)) for row in rows]
    if cells:
        print_table(_COLUMNS, cells, [False] * 5 + [True, False])
    else:
        print_line("No questionnaire with a score was filled in whole. “--out DIR” writes what was answered.")
    _print_left_out(corpus)
    return 0


def write(sources: Sequence[Path], out: Path, filters: Filters) -> int:
    """Write the tables into a new folder, and note that in each study; the exit code. Raises CurtainError."""
    ensure_free(out)
    corpus = open_corpus(sources, filters)
    held: list[str] = []
    with whole_folder(out) as folder:
        answers, scores = write_tables(folder, _named(corpus, held))
    if corpus.study and held:
        # So that whoever withdraws can be followed.
        note_export(corpus.study, out, QUESTIONNAIRES, held, without_consent=not filters.with_consent)
    end_with(f"The tables are in {out}. Answers: {answers}, scores: {scores}, sessions: {len(held)}.", [out])
    _print_left_out(corpus)
    return 0


def filters_for(use: DataUse, *, without_consent: bool, pilot: bool) -> Filters:
    """Questionnaires need no annotator: sessions count that nobody has transcribed yet."""
    return Filters(with_consent=not without_consent, pilot=pilot, live=True, practice=True, use=use)


def _outcome(row: Mapping[str, Any]) -> tuple[str, str]:
    """The score, and the items without an answer, as the list shows them."""
    return (f"{row['score']:g}", "") if "score" in row else ("none", ", ".join(row["unanswered"]))


def _named(corpus: BundleCorpus, held: list[str]) -> Iterator[Session]:
    for session in corpus.sessions():
        held.append(session.session_id)
        yield session


def _print_left_out(corpus: BundleCorpus) -> None:
    """Why sessions are missing, for whoever misses them."""
    left = corpus.counts.sessions - corpus.counts.sessions_kept
    if left:
        reasons = "; ".join(sorted(corpus.counts.dropped))
        print_error(f"{count_of(left, 'session')} left out{f': {reasons}' if reasons else ''}.")
