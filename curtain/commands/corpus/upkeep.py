"""`curtain split`, `agreement` and `pool`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from curtain.base.errors import CurtainError
from curtain.base.plural import were
from curtain.base.record_file import by_name
from curtain.base.terminal import print_json, print_line, print_table
from curtain.commands.options import AsJson, StudyFolder
from curtain.commands.purposes import InFile, InPath, OutFile
from curtain.corpus.annotation.agreement import Agreement, Judgements, agreement_of_all, agreement_table
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.model import splits as splitting
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import Filters, left_out_lines
from curtain.corpus.model.pooling import SiteCount, make_pool
from curtain.corpus.redaction.export_log import POOL, note_export
from curtain.ports.result import end_with
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import load_study

T = TypeVar("T", int, float)
DEV, TEST, SEED = 0.1, 0.2, 1992


def split(
    study: StudyFolder,
    dev: Annotated[float | None, typer.Option("--dev", help="The share of dev, in utterances; 0.1 by default.")] = None,
    test: Annotated[
        float | None, typer.Option("--test", help="The share of test, in utterances; 0.2 by default.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="The seed of the first draw; it cannot change later.")
    ] = None,
    *,
    as_json: AsJson = False,
) -> int:
    """Give every speaker of a study who has none yet a place in train, dev or test; the exit code. Raises CurtainError.

    Shares and seed that are not given are those of before, at first 10 % dev, 20 % test and 1992.
    """
    folder = load_study(study).folder
    before = splitting.read_splits(folder)
    if seed is not None and before.by_speaker and seed != before.seed:
        raise CurtainError(
            f"The splits of {folder} were drawn with the seed {before.seed}; it cannot change, since speakers would "
            "move. Leave --seed away."
        )
    shares = {"dev": _given(dev, before.shares.get("dev"), DEV), "test": _given(test, before.shares.get("test"), TEST)}
    # `live`: a speaker's place must not wait until the turns are annotated.
    sizes = splitting.sizes_of(open_corpus([folder], Filters(use="own", live=True), jobs=0).sessions())
    # Once drawn, the seed stays: with another one speakers would move between train and test.
    fixed = splitting.draw(sizes, before, shares, before.seed if before.by_speaker else _given(seed, None, SEED))
    splitting.write_splits(folder, fixed)
    _print_splits(folder, sizes, before, fixed, as_json)
    return 0


def _given(given: T | None, before: T | None, default: T) -> T:
    return given if given is not None else before if before is not None else default


def _print_splits(
    folder: Path, sizes: dict[str, int], before: splitting.Splits, fixed: splitting.Splits, as_json: bool
) -> None:
    rows = [row for row in splitting.counted(sizes, fixed) if row.split != "none" or row.speakers]
    new = sorted(fixed.by_speaker.keys() - before.by_speaker.keys())
    if as_json:
        counts = {row.split: {"speakers": row.speakers, "utterances": row.utterances, "aim": row.aim} for row in rows}
        print_json({"seed": fixed.seed, "shares": dict(fixed.shares), "new": new, "splits": counts})
        return
    cells = [(row.split, str(row.speakers), str(row.utterances), f"{row.aim:.0f}") for row in rows]
    _print_table(("split", "speakers", "utterances", "aimed at"), cells)
    placed = were(len(new), "new speaker")
    end_with(f"{placed} placed; nobody has moved. The places are in {folder / splitting.SPLITS_FILE}.")
    print_line("Practice, cancelled turns and pilot sessions do not count here.")


def agreement(study: StudyFolder, *, as_json: AsJson = False) -> int:
    """Show how far annotators agree, two by two and all together; the exit code. Raises CurtainError."""
    corpus = open_corpus([load_study(study).folder], Filters(use="own", live=True), jobs=0)
    turns = {one.path: {said.turn for said in one.utterances} for one in corpus.sessions()}
    judgements, kept = Judgements.of(Layers(Bundle(path)) for path in turns), list(turns.values())
    pairs, together = agreement_table(judgements, kept), agreement_of_all(judgements, kept)
    if as_json:
        figures = [{"measure": measure, "annotators": list(who), **one.as_json()} for measure, who, one in pairs]
        whole = {measure: one.as_json() for measure, one in together.items()}
        return print_json({"pairs": figures, "all": whole})
    if not pairs:
        print_line("No turn has been finished by two annotators yet. “curtain annotate --second” begins that.")
        return 0
    rows = [_agreement_row(measure, " and ".join(who), one) for measure, who, one in pairs]
    rows += [_agreement_row(measure, "all", one) for measure, one in together.items()]
    headings = ("measure", "annotators", "judged", "agreed", "kappa", "alpha", "AC1", "word errors")
    _print_table(headings, rows)
    # Kappa, alpha and AC1 divide by expected disagreement, which can be zero.
    print_line("A dash marks a figure that is not defined: nothing varied, or it does not apply.")
    return 0


def _agreement_row(measure: str, who: str, agreed: Agreement) -> tuple[str, ...]:
    coefficients = (agreed.kappa, agreed.alpha, agreed.ac1)
    shown = ("–" if value is None else f"{value:.2f}" for value in coefficients)
    errors = "–" if agreed.word_error_rate is None else f"{100 * agreed.word_error_rate:.1f} %"
    return (measure, who, str(agreed.turns), f"{100 * (agreed.share or 0):.1f} %", *shown, errors)


def count_by_site(corpus: BundleCorpus) -> dict[str, SiteCount]:
    """What is in a corpus as its filters leave it, by site, the sites in order of their names. Raises CurtainError."""
    by_site = {one.site: SiteCount() for one in sorted(corpus.sources, key=lambda source: source.site)}
    for session in corpus.sessions():
        count = by_site[session.site]
        count.speakers.add(session.speaker_id)
        count.sessions += 1
        recorded = [one.duration_s or 0.0 for one in session.utterances if one.audio]
        count.recordings += len(recorded)
        count.seconds += sum(recorded)
        count.by_class.update(one.eval_class for one in session.utterances if one.eval_class)
    return by_site


def pool(
    studies: Annotated[
        list[InPath], typer.Argument(help="Study folders of several sites, or their utterances.parquet.")
    ],
    out: Annotated[OutFile, typer.Option("--out", help="The pool file to make or extend.")] = Path("pool.json"),
    speakers: Annotated[
        InFile | None,
        typer.Option("--speakers", help="Who is who: a CSV file with the columns study, speaker, person."),
    ] = None,
    *,
    as_json: AsJson = False,
) -> int:
    """Put studies together in the file `out`, or add them to it, and list what each site brings; the exit code.

    Nothing is copied: the file names the studies, and says who is called what where speaker ids clash. Of utterance
    tables `out` is one table with all rows.
    """
    dropped: Mapping[str, int] = {}
    if any(one.suffix == ".parquet" for one in studies):
        if speakers is not None or not all(one.suffix == ".parquet" for one in studies):
            raise CurtainError("Pool tables with tables and studies with studies; --speakers is for studies.")
        from curtain.corpus.exports.tables.pooled_table import pool_tables

        sites, renamed = pool_tables(studies, out)
        way_on = [f"{out} holds all rows: name it for score and report."]
    else:
        sites, renamed, dropped = _pool_studies(studies, out, speakers)
        way_on = [
            *left_out_lines(dropped),
            f"{out} names all studies: give it to export and questionnaires.",
            f"These are the utterances of an export; “curtain export {out} --look” lists them by session.",
        ]
    if as_json:
        counts = {
            name: {
                "speakers": len(site.speakers),
                **by_name(site, "sessions", "recordings"),
                "hours": round(site.seconds / 3600, 3),
                "classes": dict(sorted(site.by_class.items())),
            }
            for name, site in sites.items()
        }
        moved = [{"study": str(path), "from": old, "to": new} for path, old, new in renamed]
        return print_json({"sites": counts, "renamed": moved, "left_out": dict(dropped)})
    _print_sites(sites)
    for path, old, new in renamed:
        print_line(f"Speaker {old} of {path} is called {new} here.")
    for sentence in way_on:
        print_line(sentence)
    return 0


def _pool_studies(
    studies: Sequence[Path], out: Path, speakers: Path | None
) -> tuple[dict[str, SiteCount], list[tuple[Path, str, str]], Mapping[str, int]]:
    # The file first: what is counted is what the pool holds from now on.
    made = make_pool(out, studies, speakers)
    for pooled in made.studies:
        # Whoever is erased later is in this file too, by the id alone.
        note_export(pooled.path, out, POOL, (row.session_id for row in load_study(pooled.path).sessions()))
    corpus = open_corpus([out], Filters(use="own", with_consent=True), jobs=0)
    renamed = [(one.path, old, new) for one in made.studies for old, new in one.speakers.items() if old != new]
    return count_by_site(corpus), renamed, corpus.counts.dropped


def _print_sites(sites: dict[str, SiteCount]) -> None:
    classes = sorted({name for one in sites.values() for name in one.by_class})
    rows = []
    for name, site in sites.items():
        counts = (len(site.speakers), site.sessions, site.recordings, f"{site.seconds / 3600:.2f}")
        rows.append([name or "not named", *map(str, (*counts, *(site.by_class[each] for each in classes)))])
    _print_table(("site", "speakers", "sessions", "recordings", "hours", *classes), rows)


def _print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    # The first column names the row; all others are figures.
    print_table(headings, rows, [place > 0 for place in range(len(headings))])
