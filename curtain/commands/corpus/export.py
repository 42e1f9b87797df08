"""`curtain export`: opens the corpus, shows how far it is, reports what came out."""

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.base.plural import are, count_of
from curtain.base.progress_bar import progress_bar
from curtain.base.scratch import ensure_free
from curtain.base.terminal import print_error, print_json, print_line, print_table
from curtain.commands.options import (
    AsJson,
    Authors,
    IncludeLive,
    Licence,
    Pilot,
    Practice,
    Release,
    SessionNames,
    Title,
    WithoutConsent,
)
from curtain.commands.purposes import InPath, OutFolder
from curtain.corpus.annotation.checks import checker_of
from curtain.corpus.exports.registry import find, formats
from curtain.corpus.exports.run import ExportSummary, export, live_sentence, silent_sentence
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import (
    NOT_CLASSED,
    NOT_TRANSCRIBED,
    REVEALING,
    REVEALING_REASONS,
    Counts,
    Filters,
    left_out_lines,
)
from curtain.corpus.model.references import ReferenceFile, key_beside
from curtain.corpus.model.utterance import Session
from curtain.corpus.redaction.export_log import note_export
from curtain.ports.companion import FormatOffer
from curtain.ports.result import end_with
from curtain.session.bundle.checks import ensure_study_whole
from curtain.session.consent import DataUse


def export_corpus(
    bundles: Annotated[list[InPath] | None, typer.Argument(help="A study, or sessions' folders of one study.")] = None,
    format_name: Annotated[str | None, typer.Option("--format", help="A format that “export --list” shows.")] = None,
    out: Annotated[OutFolder | None, typer.Option("--out", help="The new folder to make.")] = None,
    show_list: Annotated[bool, typer.Option("--list", help="List the formats.")] = False,
    look: Annotated[bool, typer.Option("--look", help="Show what would be left out, and why; make nothing.")] = False,
    classes: Annotated[list[str] | None, typer.Option("--class", help="Only this class: A, D1, D, X.")] = None,
    speakers: Annotated[list[str] | None, typer.Option("--speaker", help="Only this speaker.")] = None,
    sessions: SessionNames = None,
    splits: Annotated[list[str] | None, typer.Option("--split", help="Only train, dev, test or none.")] = None,
    since: Annotated[str | None, typer.Option("--since", help="Only from this day on, such as 2026-03-01.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Only up to this day.")] = None,
    consents: Annotated[list[str] | None, typer.Option("--consent", help="Only under this consent id.")] = None,
    without_consent: WithoutConsent = False,
    use: Annotated[
        DataUse | None,
        typer.Option(
            "--use",
            help="own, share, publish or quote: what it is for. The consents must cover it. "
            "publish for huggingface by default, else own.",
        ),
    ] = None,
    pilot: Pilot = False,
    practice: Practice = False,
    cancelled: Annotated[bool, typer.Option("--cancelled/--no-cancelled", help="Include cancelled turns.")] = True,
    include_live: IncludeLive = False,
    blind: Annotated[bool, typer.Option("--blind", help="Leave out the answers, for blind testing.")] = False,
    speech_only: Annotated[
        bool, typer.Option("--speech-only", help="Leave out the words too: a blind set of recordings alone.")
    ] = False,
    title: Title = "",
    licence: Licence = "",
    release: Release = "",
    authors: Authors = None,
    as_json: AsJson = False,
) -> None:
    """As `run`, over what the options leave in. Raises CurtainError."""
    if show_list:
        return list_formats(as_json)
    filters = Filters(
        classes=frozenset(classes or ()),
        speakers=frozenset(speakers or ()),
        sessions=frozenset(sessions or ()),
        splits=frozenset(splits or ()),
        since=since,
        until=until,
        consents=frozenset(consents or ()),
        with_consent=not without_consent,
        pilot=pilot,
        practice=practice,
        cancelled=cancelled,
        live=include_live,
    )
    if look:
        return show_left_out(bundles or [], format_name, filters, use, as_json=as_json)
    run(
        bundles or [], format_name, out, filters, title=title, licence=licence, blind=blind or speech_only,
        speech_only=speech_only, version=release, authors=authors or (), use=use, as_json=as_json,
    )  # fmt: skip


def list_formats(as_json: bool) -> None:
    """The formats, by name."""
    if as_json:
        print_json([{"name": one.name, "title": one.title} for one in formats()])
        return
    for export_format in formats():
        print_line(f"{export_format.name:<12} {export_format.title}")


def show_left_out(
    bundles: Sequence[Path], format_name: str | None, filters: Filters, use: DataUse | None, *, as_json: bool = False
) -> None:
    """Say of each session how many utterances an export would hold, and why the others stay out. Raises CurtainError.

    What a format itself cannot hold is known only once it is written.
    """
    filters = _for_format(filters, use, find(format_name) if format_name else None)
    everything = Filters(pilot=True, practice=True, live=True, use=None)
    rows: list[dict[str, Any]] = []
    corpus = open_corpus(bundles, everything)
    if corpus.study:
        ensure_study_whole(corpus.study)
    for session in corpus.sessions():
        counts = Counts()
        filters.apply(session, counts)
        rows.append({"session_id": session.session_id, "kept": counts.kept, "dropped": dict(counts.dropped)})
    if as_json:
        print_json(rows)
        return
    lines = [(str(one["session_id"]), str(one["kept"]), _reasons(one["dropped"])) for one in rows]
    print_table(("session", "in it", "left out"), lines, [False, True, False])
    kept, out = sum(one["kept"] for one in rows), sum(sum(one["dropped"].values()) for one in rows)
    end_with(f"{are(kept, 'utterance')} in the export, {out} left out. Nothing was made.", kept=kept)


def _reasons(dropped: Mapping[str, int]) -> str:
    return "; ".join(f"{count} ({reason})" for reason, count in sorted(dropped.items()))


def _for_format(filters: Filters, use: DataUse | None, format: FormatOffer | None) -> Filters:
    """The filters as the format asks for them; `use` None is the one of the format."""
    return dataclasses.replace(filters, use=use or (format.use if format else "own"))


def run(
    bundles: Sequence[Path],
    format_name: str | None,
    out: Path | None,
    filters: Filters,
    *,
    title: str = "",
    licence: str = "",
    blind: bool = False,
    speech_only: bool = False,
    version: str = "",
    authors: Sequence[str] = (),
    use: DataUse | None = None,
    as_json: bool = False,
    with_options: bool = True,
    check: Callable[[Session], None] = lambda session: None,
    finish: Callable[[Path, BundleCorpus, frozenset[Path]], None] = lambda folder, corpus, held: None,
) -> ExportSummary:
    """Export sessions' folders and studies, and say what became of it; `use` None is the one of the format. `check`
    sees each session as it leaves; `finish` adds to the folder before it appears. Raises CurtainError."""
    if not bundles or format_name is None or out is None:
        raise CurtainError(
            "“curtain export” takes sessions or studies, “--format” and “--out”; “--list” shows formats."
        )
    format = find(format_name)
    # Now and not only at the end: an export of hours must not fail on its last step.
    ensure_free(out)
    filters = _for_format(filters, use, format)
    if blind:
        _ensure_can_be_blind(format, speech_only)
        _ensure_no_key(key_beside(real_path(out)))
    _ensure_version(version)
    about: dict[str, Any] = {"title": title, "licence": licence, "version": version, "authors": authors}
    corpus = open_corpus(
        bundles, filters, **about, blind=blind, speech_only=speech_only,
        journals=True, broken_turns=lambda study: checker_of(study).broken_turns,
    )  # fmt: skip
    key = ReferenceFile(key_beside(real_path(out)), with_words=speech_only) if blind else None
    corpus.key = key.add if key else None
    key_place = key_beside(real_path(out)) if key else None

    def before(folder: Path, held: Mapping[Path, Sequence[str]]) -> None:
        _show_notes(held)
        finish(folder, corpus, frozenset(held))
        if key:
            # Before the folder appears: a blind test without its key would be worth nothing.
            key.finish()
        # So that whoever withdraws can be followed.
        given = [one.session_id for one in corpus.sources if one.path in held]
        if corpus.study and given:
            note_export(corpus.study, out, format.name, given, key_place, without_consent=not filters.with_consent)

    with progress_bar() as report:
        sessions = max(1, len(corpus.sources))

        def watch(gone_through: int, utterances: int) -> None:
            report(count_of(utterances, "utterance"), gone_through / sessions)

        options: dict[str, Any] = {"filters": _set_filters(filters, blind), "left_out": lambda: _left_out(corpus)}
        options["with_options"] = with_options
        done = export(corpus, format_name, out, **options, watch=watch, before=before, check=check)
    _print(done, key_place, as_json)
    if corpus.counts.silent and not as_json:
        print_line(silent_sentence(corpus.counts.silent))
    kept = count_of(done.kept, "utterance")
    end_with(
        f"The export is in {done.out}: {kept}. The references are apart, in {key_place}."
        if key_place
        else f"The export is in {done.out}: {kept}.",
        [done.out], say=None, kept=done.kept,
    )  # fmt: skip
    return done


def _ensure_version(version: str) -> None:
    """Programs compare versions of data sets by three numbers."""
    if version and not re.fullmatch(r"\d+\.\d+\.\d+", version, re.ASCII):
        raise CurtainError(f"“{version}” is no version of a corpus; write three numbers, as 1.2.0.")


def _left_out(corpus: BundleCorpus) -> dict[str, int]:
    """Why utterances were left out; for a blind test not what they, and so the others, count as."""
    left: dict[str, int] = {}
    for reason, count in corpus.counts.dropped.items():
        shown = "filtered out" if corpus.blind and reason in REVEALING_REASONS else reason
        left[shown] = left.get(shown, 0) + count
    return left


def _ensure_can_be_blind(format: FormatOffer, speech_only: bool) -> None:
    if not format.blind:
        names = ", ".join(one.name for one in formats() if one.blind)
        raise CurtainError(f"{format.name} holds answers and nothing else, so it cannot be blind; these can: {names}.")
    if speech_only and not format.speech:
        names = ", ".join(one.name for one in formats() if one.speech)
        raise CurtainError(f"{format.name} is nothing without words; these can hold recordings alone: {names}.")


def _show_notes(held: Mapping[Path, Sequence[str]]) -> None:
    """What was set aside may have been a redaction: whoever gives this out must know."""
    for folder, notes in sorted(held.items()):
        for note in notes:
            print_error(f"{folder}: {note}")


def _ensure_no_key(key: Path) -> None:
    if key.exists():
        raise CurtainError(f"{key} is there already; move it away, since it may be the only copy.")


def _set_filters(filters: Filters, blind: bool) -> dict[str, Any]:
    """Those filters that were set, as they stand in EXPORT.json. Those of a blind test must not reveal the answers."""
    unset = dataclasses.asdict(Filters())
    chosen = {name: value for name, value in dataclasses.asdict(filters).items() if value != unset[name]}
    chosen = {name: value for name, value in chosen.items() if not (blind and name in REVEALING)}
    if not filters.with_consent:
        chosen["without_consent"] = True
    if "consents" in chosen:
        # The ids lead from the forms to the people.
        chosen["consents"] = f"{len(filters.consents)} withheld"
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in chosen.items()}


def _print(done: ExportSummary, key: Path | None, as_json: bool) -> None:
    if done.breaking:
        print_error(_breaking_sentence(done.breaking))
    if as_json:
        summary: dict[str, Any] = {"out": str(done.out), "kept": done.kept, "dropped": dict(done.dropped)}
        print_json(summary | ({"references": str(key)} if key else {}))
        return
    print_line(f"{are(done.kept, 'utterance')} in {done.out}.")
    for note in done.notes:
        print_line(note)
    if key:
        print_line(f"Their references are apart, in {key}.")
    for line in left_out_lines(done.dropped):
        print_line(line)
    if done.dropped.get(NOT_TRANSCRIBED) or done.dropped.get(NOT_CLASSED):
        print_line(live_sentence(done.dropped))


def _breaking_sentence(count: int) -> str:
    breaking = "1 of them breaks" if count == 1 else f"{count} of them break"
    return f"{breaking} a rule of annotation; “curtain annotate STUDY --check” says which and why."
