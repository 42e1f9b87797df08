"""`curtain split` and `agreement`."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from curtain.base.errors import CurtainError
from curtain.base.plural import were
from curtain.base.terminal import print_json, print_line, print_table
from curtain.commands.options import AsJson, StudyFolder
from curtain.corpus.annotation.agreement import Agreement, Judgements, agreement_of_all, agreement_table
from curtain.corpus.annotation.layers import Layers
from curtain.corpus.model import splits as splitting
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
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
    sizes = splitting.sizes_of(open_corpus([folder], Filters(use="own", live=True)).sessions())
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
    corpus = open_corpus([load_study(study).folder], Filters(use="own", live=True))
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


def _print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    # The first column names the row; all others are figures.
    print_table(headings, rows, [place > 0 for place in range(len(headings))])
