"""`curtain agreement`, `split`, `forget` and `pool` from their arguments to their exit code."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TypeVar

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.plural import count_of, were
from curtain.base.terminal import print_line, print_table
from curtain.commands.study.consent import short_of
from curtain.corpus.annotation.agreement import Agreement, Judgements, agreement_of_all, agreement_table
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.model import splits as splitting
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.pooling import make_pool
from curtain.corpus.model.retention import KeptSession, day_of, due_on, kept_sessions
from curtain.corpus.model.utterance import Session
from curtain.corpus.redaction.erasure import ForgetPlan, Forgotten, forget, plan_for, read_tombstone_rows
from curtain.corpus.redaction.export_log import POOL, Exported, note_export
from curtain.session.bundle.bundle import Bundle
from curtain.session.study.study import load_study

__all__ = [
    "NotConfirmed",
    "SiteCount",
    "agreement",
    "count_by_site",
    "pool",
    "retention",
    "run_forget",
    "split",
    "tombstones",
]

T = TypeVar("T", int, float)
DEV, TEST, SEED = 0.1, 0.2, 1992


class NotConfirmed(CurtainError):
    """Nothing was erased, since nobody said yes."""


# -- curtain split -------------------------------------------------------------------------------------


def split(
    study: Path, dev: float | None = None, test: float | None = None, seed: int | None = None, *, as_json: bool = False
) -> int:
    """Give every speaker of a study who has none yet a place in train, dev or test; the exit code. Raises CurtainError.

    Shares and seed that are not given are those of before, at first 10 % dev, 20 % test and 1992.
    """
    folder = load_study(study).folder
    before = splitting.read_splits(folder)
    if seed is not None and before.by_speaker and seed != before.seed:
        raise splitting.BadSplits(
            f"The splits of {folder} were drawn with the seed {before.seed}; it cannot change, since speakers would "
            "move. Leave --seed away."
        )
    shares = {"dev": _given(dev, before.shares.get("dev"), DEV), "test": _given(test, before.shares.get("test"), TEST)}
    # `live`: a speaker's place must not wait until the turns are annotated.
    sizes = splitting.sizes_of(open_corpus([folder], Filters(live=True), jobs=0).sessions())
    # Once drawn, the seed stays: with another one speakers would move between train and test.
    fixed = splitting.draw(sizes, before, shares, before.seed if before.by_speaker else _given(seed, None, SEED))
    splitting.write_splits(folder, fixed)
    _tell_splits(folder, sizes, before, fixed, as_json)
    return 0


def _given(given: T | None, before: T | None, default: T) -> T:
    return given if given is not None else before if before is not None else default


def _tell_splits(
    folder: Path, sizes: dict[str, int], before: splitting.Splits, fixed: splitting.Splits, as_json: bool
) -> None:
    rows = [row for row in splitting.counted(sizes, fixed) if row.split != "none" or row.speakers]
    new = sorted(fixed.by_speaker.keys() - before.by_speaker.keys())
    if as_json:
        counts = {row.split: {"speakers": row.speakers, "utterances": row.utterances, "aim": row.aim} for row in rows}
        print_line(json.dumps({"seed": fixed.seed, "shares": dict(fixed.shares), "new": new, "splits": counts}))
        return
    cells = [(row.split, str(row.speakers), str(row.utterances), f"{row.aim:.0f}") for row in rows]
    _print_table(("split", "speakers", "utterances", "aimed at"), cells)
    placed = were(len(new), "new speaker")
    print_line(f"{placed} placed; nobody has moved. The places are in {folder / splitting.SPLITS_FILE}.")
    print_line("Practice, cancelled turns and pilot sessions do not count here.")


# -- curtain agreement ---------------------------------------------------------------------------------


def agreement(study: Path, *, as_json: bool = False) -> int:
    """Tell how far annotators agree, two by two and all together; the exit code. Raises CurtainError."""
    judgements = Judgements.of(Layers(Bundle(one.path)) for one in load_study(study).sessions())
    pairs, together = agreement_table(judgements), agreement_of_all(judgements)
    if as_json:
        figures = [{"measure": measure, "annotators": list(who), **one.as_json()} for measure, who, one in pairs]
        whole = {measure: one.as_json() for measure, one in together.items()}
        print_line(json.dumps({"pairs": figures, "all": whole}, ensure_ascii=False))
        return 0
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


# -- curtain pool --------------------------------------------------------------------------------------


@dataclass
class SiteCount:
    """What a site brings into a corpus."""

    speakers: set[str] = field(default_factory=set)
    sessions: int = 0
    utterances: int = 0
    seconds: float = 0.0
    by_class: dict[str, int] = field(default_factory=dict)

    def add(self, session: Session) -> None:
        """Count the utterances of a session that belongs to this site; `duration_s` None counts as no seconds."""
        self.speakers.add(session.speaker_id)
        self.sessions += 1
        self.utterances += len(session.utterances)
        for utterance in session.utterances:
            self.seconds += utterance.duration_s or 0.0
            name = utterance.eval_class or "none yet"
            self.by_class[name] = self.by_class.get(name, 0) + 1


def count_by_site(corpus: BundleCorpus) -> dict[str, SiteCount]:
    """Speakers, sessions, utterances and classes by site, the sites in order of their names."""
    by_site: dict[str, SiteCount] = {}
    for session in corpus.sessions():
        by_site.setdefault(session.site, SiteCount()).add(session)
    return dict(sorted(by_site.items()))


def pool(studies: Sequence[Path], out: Path, speakers: Path | None = None, *, as_json: bool = False) -> int:
    """Put studies together in the file `out`, or add them to it, and tell what each site brings; the exit code.

    Nothing is copied: the file names the studies, and says who is called what where speaker ids clash.
    """
    # The file first: what is counted is what the pool holds from now on.
    made = make_pool(out, studies, speakers)
    for pooled in made.studies:
        # Whoever is erased later is in this file too, by the id alone.
        note_export(pooled.path, out, POOL, (row.session_id for row in load_study(pooled.path).sessions()))
    corpus = open_corpus([out], Filters(live=True), jobs=0)
    sites = count_by_site(corpus)
    renamed = [(one.path, old, new) for one in made.studies for old, new in one.speakers.items() if old != new]
    if as_json:
        print_line(json.dumps({"sites": {name: _site_json(one) for name, one in sites.items()}, "renamed": [
            {"study": str(path), "from": old, "to": new} for path, old, new in renamed
        ]}, ensure_ascii=False))  # fmt: skip
        return 0
    _print_sites(sites)
    for path, old, new in renamed:
        print_line(f"Speaker {old} of {path} is called {new} here.")
    for reason, count in sorted(corpus.counts.dropped.items()):
        print_line(f"Left out: {count} ({reason}).")
    print_line(f"{out} holds all of it: name it wherever you can name a study.")
    return 0


def _site_json(count: SiteCount) -> dict[str, object]:
    return {
        "speakers": len(count.speakers),
        "sessions": count.sessions,
        "utterances": count.utterances,
        "hours": round(count.seconds / 3600, 3),
        "classes": dict(sorted(count.by_class.items())),
    }


def _print_sites(sites: dict[str, SiteCount]) -> None:
    classes = sorted({name for one in sites.values() for name in one.by_class})
    rows = [_site_row(name or "not named", one, classes) for name, one in sites.items()]
    _print_table(("site", "speakers", "sessions", "utterances", "hours", *classes), rows)


def _site_row(name: str, count: SiteCount, classes: Sequence[str]) -> tuple[str, ...]:
    counts = (len(count.speakers), count.sessions, count.utterances)
    by_class = (count.by_class.get(each, 0) for each in classes)
    return (name, *map(str, counts), f"{count.seconds / 3600:.2f}", *map(str, by_class))


# -- curtain forget ------------------------------------------------------------------------------------


def run_forget(
    study: Path,
    speaker: str,
    *,
    yes: bool = False,
    remove_exports: bool = False,
    also_in: Sequence[Path] = (),
    logs: Sequence[Path] = (),
    caches: Sequence[Path] = (),
    ask: Callable[[str], bool] = lambda question: False,
) -> int:
    """Erase a speaker after a yes; exit code 0, or 1 if something of them is still there. Raises CurtainError."""
    opened = load_study(study)
    speaker = short_of(opened, speaker)
    plan = plan_for(opened, speaker, also_in, logs, caches)
    # What would go is listed before anybody is asked.
    _tell_plan(plan)
    if not yes and not ask(f"Erase all of speaker {speaker} for good?"):
        raise NotConfirmed("Nothing was erased. Add --yes to erase without being asked.")
    done = forget(plan, Clock(), remove_exports=remove_exports)
    return _tell_done(plan, done)


def _tell_plan(plan: ForgetPlan) -> None:
    print_line(f"Speaker {plan.speaker} in {plan.study.folder}: {count_of(len(plan.utterances), 'utterance')}.")
    for path in (*plan.folders, *plan.files):
        print_line(f"  to be erased: {path}")
    for path in plan.namesakes:
        print_line(f"  left as it is: {path} (not known to be of this study; another study may use the same ids)")
        print_line(f"    If it is of this one: curtain forget {plan.study.folder} {plan.speaker} --also-in {path}")
    for export in plan.exports:
        print_line(f"  export that holds them: {export.path} ({export.format}, {export.at_utc[:10]})")


def _tell_done(plan: ForgetPlan, done: Forgotten) -> int:
    erased = were(len(done.erased), "folder or file", "folders and files")
    print_line(f"{erased} erased; {were(done.tombstones, 'tombstone')} added.")
    for export in done.exports:
        print_line(_still_holds(export, plan.study.folder))
    for path in done.remaining:
        print_line(f"Still names them: {path}. Look into it and erase what belongs to them.")
    for pool in done.pools:
        print_line(f"Keeps the id {plan.speaker} and nothing else, so that nobody else gets it: {pool.path}.")
    if not (done.exports or done.remaining):
        print_line("A search of the study finds nothing of them.")
    print_line(
        "Not in Curtain's hands: the consent form, the list of names, backups, copies that others were given, and the "
        "spool of a subject's station on another computer."
    )
    # Exports are not erased unless asked for: others may hold copies, and they need to be told.
    return 1 if done.exports or done.remaining else 0


def _still_holds(export: Exported, study: Path) -> str:
    place = export.path if export.path.exists() else export.references
    if not export.is_corpus:
        return f"Still holds them: {place} ({export.format}). Make it anew without them, or erase it by hand."
    if export.is_of(study):
        return f"Still holds them: {place}. Make this export anew without them, or erase it (--remove-exports)."
    other = f"from the study in {export.study}" if export.study else "by an earlier version"
    return f"Still holds them: {place}. It was made {other}, so it is not erased from here; see to it by hand."


# -- curtain tombstones --------------------------------------------------------------------------------


def tombstones(study: Path, *, as_json: bool = False) -> int:
    """Tell which utterances a study has erased, and when; the exit code. Raises CurtainError."""
    rows = read_tombstone_rows(load_study(study).folder)
    if as_json:
        print_line(json.dumps([{"utterance_id": utterance_id, "date": day} for utterance_id, day in rows]))
        return 0
    for utterance_id, day in rows:
        print_line(f"{utterance_id}  {day}")
    print_line(f"{were(len(rows), 'utterance')} erased.")
    return 0


# -- curtain retention ---------------------------------------------------------------------------------


def retention(study: Path, *, today: date, due: str | None = None, as_json: bool = False) -> int:
    """List until when sessions may be kept, or those past it on the day `due`; the exit code. Raises CurtainError."""
    opened = load_study(study)
    sessions = kept_sessions(opened)
    # Without --due every session is listed, also those that may stay.
    listed = sessions if due is None else due_on(day_of(due, today), sessions)
    if as_json:
        names = ("session_id", "recorded", "keep_until")
        print_line(json.dumps([dict(zip(names, _retention_row(one, None), strict=True)) for one in listed]))
        return 0
    if listed:
        rows = [tuple(str(value) for value in _retention_row(one, "not known")) for one in listed]
        print_table(("session", "recorded", "keep until"), rows, [False] * 3)
    if due is not None:
        print_line(f"Past the last day or without a known day: {count_of(len(listed), 'session')}.")
    if due is not None and listed:
        print_line(f"To erase a speaker: curtain forget {opened.folder} SPEAKER")
    return 0


def _retention_row(session: KeptSession, unknown: str | None) -> tuple[str | None, ...]:
    # None in JSON, words in the table: an unknown day is no day.
    days = (str(day) if day else unknown for day in (session.recorded, session.keep_until))
    return (session.session_id, *days)


def _print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    # The first column names the row; all others are figures.
    print_table(headings, rows, [place > 0 for place in range(len(headings))])
