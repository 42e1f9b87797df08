"""`curtain pool`: studies of several sites in one corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from curtain.base.record_file import by_name
from curtain.base.terminal import print_json, print_line, print_table
from curtain.commands.options import AsJson
from curtain.commands.purposes import InFile, InFolder, OutFile
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import Filters, left_out_lines
from curtain.corpus.model.pooling import SiteCount, make_pool
from curtain.corpus.redaction.export_log import POOL, note_export
from curtain.session.study.study import load_study


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
    studies: Annotated[list[InFolder], typer.Argument(help="Study folders of several sites.")],
    out: Annotated[OutFile, typer.Option("--out", help="The pool file to make or extend.")] = Path("pool.json"),
    speakers: Annotated[
        InFile | None,
        typer.Option("--speakers", help="Who is who: a CSV file with the columns study, speaker, person."),
    ] = None,
    *,
    as_json: AsJson = False,
) -> int:
    """Put studies together in the file `out`, or add them to it, and list what each site brings; the exit code.

    Nothing is copied: the file names the studies, and says who is called what where speaker ids clash.
    """
    sites, renamed, dropped = _pool_studies(studies, out, speakers)
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
    for sentence in left_out_lines(dropped):
        print_line(sentence)
    print_line(f"{out} names all studies: give it to export and questionnaires.")
    print_line(f"These are the utterances of an export; “curtain export {out} --look” lists them by session.")
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
    headings = ("site", "speakers", "sessions", "recordings", "hours", *classes)
    print_table(headings, rows, [place > 0 for place in range(len(headings))])
