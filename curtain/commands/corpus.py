"""The corpus on the command line: annotate, export, import, split, pool, forget. `cli` puts these on its list.

As there, what a command needs is imported when it runs: the others start no slower for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from curtain.base.errors import CurtainError
from curtain.commands.options import AsJson, Output, TextSize, Theme

__all__ = ["COMMANDS"]


def import_(
    tree: Annotated[Path, typer.Argument(help="The folder of an ATIS tree.")],
    out: Annotated[Path, typer.Option("--out", help="The study folder to make or extend.")],
    domain: Annotated[
        str | None, typer.Option("--domain", help="The domain of the sessions, if the tree is wrong.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read an ATIS tree back into sessions of a study, without loss."""
    from curtain.corpus.importing import commands

    commands.run(tree, out, domain, as_json=as_json)


def annotate(
    study: Annotated[Path, typer.Argument(help="The study folder.")],
    by: Annotated[str | None, typer.Option("--by", help="Who annotates; you by default.")] = None,
    second: Annotated[
        bool,
        typer.Option("--second", help="Annotate turns that others have finished, without seeing their annotations."),
    ] = False,
    adjudicate: Annotated[bool, typer.Option("--adjudicate", help="Decide where annotators differ.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="List what breaks a rule, without a window. Exit 1 if anything does.")
    ] = False,
    sessions: Annotated[
        list[str] | None, typer.Option("--session", help="This session alone; may stand several times.")
    ] = None,
    sample: Annotated[
        str | None,
        typer.Option(
            "--sample",
            help="A share of the turns, as 10%: the same for every annotator, each without seeing the others.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Another seed draws another sample; 1992 by default.")
    ] = None,
    output: Output = None,
    theme: Theme = "system",
    text_size: TextSize = 100,
    as_json: AsJson = False,
) -> None:
    """Annotate the turns of a study: listen, transcribe, judge, compute reference answers."""
    from curtain.commands.windows import appearance_options, open_window
    from curtain.corpus.annotation.sample import sample_of

    if check:
        from curtain.corpus.annotation import checks

        raise typer.Exit(checks.run(study, as_json=as_json))
    if second and adjudicate:
        raise CurtainError("Take either --second or --adjudicate: whoever rules does not annotate at the same time.")
    # Refused here: the window would only open to close again.
    if seed is not None and sample is None:
        raise CurtainError("--seed draws a sample; say how large it is with --sample, as 10%.")
    if sample is not None:
        sample_of(sample, seed)
    drawn = {"--sample": sample, "--seed": None if seed is None else str(seed)}
    pairs = {"--study": str(study), "--by": by, "--output": output, **drawn}
    # A bad share is told in the terminal, before a window opens.
    options = [part for name in sessions or () for part in ("--session", name)]
    options += [part for name, value in pairs.items() if value is not None for part in (name, value)]
    options += appearance_options(theme, text_size)
    options += ["--second"] * second + ["--adjudicate"] * adjudicate
    raise typer.Exit(open_window("curtain.review", options))


def export(
    bundles: Annotated[list[Path] | None, typer.Argument(help="Sessions' folders, studies, or pools.")] = None,
    format_name: Annotated[str | None, typer.Option("--format", help="A format that --list shows.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="The new folder to make.")] = None,
    show_list: Annotated[bool, typer.Option("--list", help="List the formats.")] = False,
    classes: Annotated[list[str] | None, typer.Option("--class", help="Only this class: A, D1, D, X.")] = None,
    categories: Annotated[list[str] | None, typer.Option("--category", help="Only this category: 0 to 3, X.")] = None,
    speakers: Annotated[list[str] | None, typer.Option("--speaker", help="Only this speaker.")] = None,
    sessions: Annotated[list[str] | None, typer.Option("--session", help="Only this session.")] = None,
    scenarios: Annotated[list[str] | None, typer.Option("--scenario", help="Only this scenario.")] = None,
    sites: Annotated[list[str] | None, typer.Option("--site", help="Only this site.")] = None,
    splits: Annotated[list[str] | None, typer.Option("--split", help="Only train, dev, test or none.")] = None,
    since: Annotated[str | None, typer.Option("--since", help="Only from this day on, such as 2026-03-01.")] = None,
    until: Annotated[str | None, typer.Option("--until", help="Only up to this day.")] = None,
    consents: Annotated[list[str] | None, typer.Option("--consent", help="Only under this consent id.")] = None,
    without_consent: Annotated[
        bool, typer.Option("--without-consent", help="Include sessions without a consent, for your own trials.")
    ] = False,
    use: Annotated[
        str | None,
        typer.Option(
            "--use",
            help="What it is for: own, share, publish or quote. The consents must cover it. "
            "publish for huggingface and audiofolder by default, else own.",
        ),
    ] = None,
    closed_only: Annotated[bool, typer.Option("--closed-only", help="Only closed sessions.")] = False,
    annotated_only: Annotated[bool, typer.Option("--annotated-only", help="Only turns with a class.")] = False,
    with_audio: Annotated[bool, typer.Option("--with-audio", help="Only turns with a recording.")] = False,
    pilot: Annotated[bool, typer.Option("--pilot", help="Include pilot sessions.")] = False,
    practice: Annotated[bool, typer.Option("--practice", help="Include practice turns.")] = False,
    cancelled: Annotated[bool, typer.Option("--cancelled/--no-cancelled", help="Include cancelled turns.")] = True,
    include_live: Annotated[
        bool, typer.Option("--include-live", help="Include turns that nobody has transcribed and classed yet.")
    ] = False,
    blind: Annotated[bool, typer.Option("--blind", help="Leave out the answers, for blind testing.")] = False,
    speech_only: Annotated[
        bool, typer.Option("--speech-only", help="Leave out the words too: a blind set of recordings alone.")
    ] = False,
    title: Annotated[str, typer.Option("--title", help="The title of the corpus.")] = "",
    licence: Annotated[str, typer.Option("--licence", help="The licence of the corpus.")] = "",
    release: Annotated[str, typer.Option("--release", help="The version of the corpus, such as 1.2.0.")] = "",
    authors: Annotated[list[str] | None, typer.Option("--author", help="Whom to cite; the sites by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Export a corpus to a new folder in one of the formats. For several values, repeat the option."""
    from curtain.corpus.exports import commands
    from curtain.corpus.model.filters import Filters

    if show_list:
        # `return`, not an exit code: listing cannot fail.
        return commands.list_formats(as_json)
    filters = Filters(
        classes=frozenset(classes or ()),
        categories=frozenset(categories or ()),
        speakers=frozenset(speakers or ()),
        sessions=frozenset(sessions or ()),
        scenarios=frozenset(scenarios or ()),
        sites=frozenset(sites or ()),
        splits=frozenset(splits or ()),
        since=since,
        until=until,
        consents=frozenset(consents or ()),
        with_consent=not without_consent,
        closed_only=closed_only,
        annotated_only=annotated_only,
        with_audio=with_audio,
        pilot=pilot,
        practice=practice,
        cancelled=cancelled,
        live=include_live,
    )
    chosen: dict[str, Any] = {"title": title, "licence": licence, "blind": blind or speech_only}
    chosen |= {"speech_only": speech_only}
    chosen |= {"version": release, "authors": authors or (), "use": use}
    commands.run(bundles or [], format_name, out, filters, **chosen, as_json=as_json)


def split(
    # A set of recordings alone is blind too.
    study: Annotated[Path, typer.Argument(help="The study folder.")],
    dev: Annotated[float | None, typer.Option("--dev", help="The share of dev, in utterances; 0.1 by default.")] = None,
    test: Annotated[
        float | None, typer.Option("--test", help="The share of test, in utterances; 0.2 by default.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", help="The seed of the first draw; it cannot change later.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Put speakers into train, dev and test; later sessions move nobody."""
    from curtain.commands.study import corpus_upkeep

    raise typer.Exit(corpus_upkeep.split(study, dev, test, seed, as_json=as_json))


def agreement(study: Annotated[Path, typer.Argument(help="The study folder.")], as_json: AsJson = False) -> None:
    """Measure how far annotators agree: per cent, kappa, alpha, AC1, and word error rate."""
    from curtain.commands.study import corpus_upkeep

    raise typer.Exit(corpus_upkeep.agreement(study, as_json=as_json))


def pool(
    studies: Annotated[list[Path], typer.Argument(help="Study folders of several sites.")],
    out: Annotated[Path, typer.Option("--out", help="The pool file to make or extend.")] = Path("pool.json"),
    speakers: Annotated[
        Path | None,
        typer.Option("--speakers", help="Who is who: a CSV file with the columns study, speaker, person."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Pool studies without copying them, keep clashing speakers apart, count by site."""
    from curtain.commands.study import corpus_upkeep

    raise typer.Exit(corpus_upkeep.pool(studies, out, speakers, as_json=as_json))


def forget(
    study: Annotated[Path, typer.Argument(help="The study folder.")],
    speaker: Annotated[str, typer.Argument(help="The speaker id.")],
    yes: Annotated[bool, typer.Option("--yes", help="Erase without being asked.")] = False,
    remove_exports: Annotated[
        bool, typer.Option("--remove-exports", help="Also erase the study's exports with this speaker.")
    ] = False,
    also_in: Annotated[
        list[Path] | None, typer.Option("--also-in", help="Another folder of sessions, such as a spool of its own.")
    ] = None,
) -> None:
    """Erase everything of a speaker and leave tombstones. Exit 1 if something of them is still there."""
    from curtain.base.privacy import own_cache, own_logs, own_spool
    from curtain.commands.study import corpus_upkeep

    def ask(question: str) -> bool:
        return sys.stdin.isatty() and typer.confirm(question)

    options: dict[str, Any] = {"yes": yes, "remove_exports": remove_exports}
    # What this user's own stations and drafters keep outside of every study is looked through too.
    options |= {"also_in": [*(also_in or ()), own_spool()], "logs": [own_logs()], "caches": [own_cache()]}
    raise typer.Exit(corpus_upkeep.run_forget(study, speaker, **options, ask=ask))


def tombstones(study: Annotated[Path, typer.Argument(help="The study folder.")], as_json: AsJson = False) -> None:
    """List which utterances were erased, and when."""
    from curtain.commands.study import corpus_upkeep

    raise typer.Exit(corpus_upkeep.tombstones(study, as_json=as_json))


def retention(
    study: Annotated[Path, typer.Argument(help="The study folder.")],
    due: Annotated[
        str | None, typer.Option("--due", help="Only what is past its last day on this day: today, or 2026-03-01.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List until when sessions may be kept."""
    from datetime import UTC, datetime

    from curtain.commands.study import corpus_upkeep

    today = datetime.now(UTC).date()
    raise typer.Exit(corpus_upkeep.retention(study, today=today, due=due, as_json=as_json))


def consent(
    study: Annotated[Path, typer.Argument(help="The study folder.")],
    who: Annotated[str | None, typer.Argument(help="A session, or a speaker for all of theirs.")] = None,
    allowed: Annotated[
        list[str] | None, typer.Option("--allow", help="keep_audio, share, publish or quote; may stand several times.")
    ] = None,
    only: Annotated[bool, typer.Option("--take-part-only", help="The form allows taking part and no more.")] = False,
    withdrawn: Annotated[bool, typer.Option("--withdrawn", help="The speaker has withdrawn the consent.")] = False,
    signed: Annotated[
        str | None, typer.Option("--signed", help="The day of the signature, such as 2026-03-01.")
    ] = None,
    consent_id: Annotated[str, typer.Option("--id", help="A form that was signed after the session began.")] = "",
    by: Annotated[str, typer.Option("--by", help="Who notes such a form.")] = "",
    as_json: AsJson = False,
) -> None:
    """List what the consents allow, or note what one allows from now on."""
    from datetime import UTC, datetime

    from curtain.commands.study import consent as consents

    if who is None:
        raise typer.Exit(consents.list_consents(study, as_json=as_json))
    today = datetime.now(UTC).date()
    scopes = consents.scopes_of(allowed or (), withdrawn=withdrawn, only=only)
    raise typer.Exit(consents.note(study, who, scopes, signed, today, consents.LaterForm(consent_id, by)))


def solution(
    study: Annotated[Path, typer.Argument(help="The study folder.")],
    session: Annotated[str | None, typer.Argument(help="A session; all of them if not named.")] = None,
    scenario: Annotated[str | None, typer.Argument(help="The scenario whose answer is ruled on.")] = None,
    verdict: Annotated[str | None, typer.Argument(help="correct or incorrect.")] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why, in a sentence.")] = "",
    by: Annotated[str, typer.Option("--by", help="Who rules.")] = "",
    run: Annotated[
        int | None, typer.Option("--run", help="Which run of the scenario, from 1; the last one if not named.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List whether the answers that subjects stated are correct, or rule on one; sessions stay as they are."""
    from curtain.base.clock import Clock
    from curtain.commands.study import solution as solutions

    if scenario is None or session is None:
        raise typer.Exit(solutions.list_solutions(study, session, as_json=as_json))
    if verdict is None:
        raise CurtainError(f"Say whether the answer of {scenario} in {session} is correct or incorrect.")
    now = Clock().wall_utc()
    raise typer.Exit(solutions.rule(study, session, scenario, verdict, reason=reason, by=by, at_utc=now, run=run))


def questionnaires(
    sources: Annotated[list[Path], typer.Argument(help="Sessions' folders, studies, or pools.")],
    out: Annotated[Path | None, typer.Option("--out", help="A new folder for CSV and Parquet files.")] = None,
    use: Annotated[
        str, typer.Option("--use", help="What it is for: own, share, publish or quote. The consents must cover it.")
    ] = "own",
    without_consent: Annotated[
        bool, typer.Option("--without-consent", help="Include sessions without a consent, for your own trials.")
    ] = False,
    pilot: Annotated[bool, typer.Option("--pilot", help="Include pilot sessions.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the scores of questionnaires, or write all answers and scores as tables."""
    from curtain.commands.study import questionnaires as answered

    filters = answered.filters_for(use, without_consent=without_consent, pilot=pilot)  # type: ignore[arg-type]
    if out is None:
        raise typer.Exit(answered.list_scores(sources, filters, as_json=as_json))
    raise typer.Exit(answered.write(sources, out, filters))


def train(
    study: Annotated[Path, typer.Argument(help="The study folder.")],
    wizard: Annotated[str, typer.Option("--wizard", help="Who practises: letters and figures.")] = "",
    sessions: Annotated[
        list[str] | None,
        typer.Option("--sessions", help="A recorded session to practise with; may stand several times."),
    ] = None,
    turns: Annotated[int | None, typer.Option("--turns", min=1, help="The first so many turns alone.")] = None,
    table: Annotated[bool, typer.Option("--table", help="List the sittings of all wizards.")] = False,
    output: Output = None,
    theme: Theme = "system",
    text_size: TextSize = 100,
    as_json: AsJson = False,
) -> None:
    """Practise as a wizard with recorded turns at the real desk, each reply judged at once."""
    from curtain.commands.study import train as training

    if table or as_json:
        raise typer.Exit(training.list_sittings(study, as_json=as_json))
    from curtain.commands.windows import appearance_options, open_window

    course = training.course_file(study, wizard, sessions or (), turns)
    options = ["--study", str(study), "--wizard", wizard, "--course", str(course)]
    options += appearance_options(theme, text_size)
    options += ["--output", output] if output else []
    raise typer.Exit(open_window("wizard_app.training", options))


COMMANDS: Mapping[str, Callable[..., None]] = {
    "import": import_,
    "annotate": annotate,
    "export": export,
    "agreement": agreement,
    "split": split,
    "pool": pool,
    "forget": forget,
    "tombstones": tombstones,
    "retention": retention,
    "consent": consent,
    "solution": solution,
    "questionnaires": questionnaires,
    "train": train,
}
"""By name, in the order in which help lists them."""
