"""Both sites in formats, each opened by its own loader or tool, and compared with the utterance view row by row."""

import builtins
import csv
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import kaldiio
import numpy as np
import pympi
import pytest

from curtain.commands.corpus import export as commands
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.utterance import EVERYWHERE, ORIGINS, Utterance
from curtain.corpus.redaction.utterances import samples
from curtain_experiments.commands.report import ReportOptions, report_run
from tests.corpus.formats import FORMATS

pytestmark = pytest.mark.filterwarnings("ignore")
Rows = Mapping[str, Mapping[str, Any]]
NO_VALUE = ("", None)


@pytest.fixture(scope="module")
def view(two_sites: Path) -> dict[str, Utterance]:
    kept = open_corpus([two_sites], Filters(live=True)).sessions()
    return {one.utterance_id: one for held in kept for one in held.utterances}


OPENED: dict[str, Counter[str]] = {}
"""How often each export opened each journal."""


@pytest.fixture(scope="module")
def folder(two_sites: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    out = tmp_path_factory.mktemp("matrix")

    def exported(name: str) -> Path:
        if not (out / name).exists():
            with opened_journals(two_sites) as OPENED[name]:
                commands.run([two_sites], name, out / name, Filters(live=True))
        return out / name

    return exported


@contextmanager
def opened_journals(study: Path) -> Iterator[Counter[str]]:
    """How often each journal of the study is opened, by whatever function of Python."""
    counts = Counter({str(path): 0 for path in study.glob("sessions/*/*.events.jsonl")})

    def counting(open_file: Callable[..., Any]) -> Callable[..., Any]:
        def counted(path: Any, *args: Any, **options: Any) -> Any:
            if str(path) in counts:
                counts[str(path)] += 1
            return open_file(path, *args, **options)

        return counted

    with pytest.MonkeyPatch.context() as patch:
        for module in (os, io, builtins):
            patch.setattr(module, "open", counting(module.open))
        yield counts


@pytest.mark.parametrize("name", [one.name for one in FORMATS])
def test_each_journal_is_opened_once(folder: Callable[[str], Path], name: str) -> None:
    folder(name)
    assert set(OPENED[name].values()) == {1}


@pytest.mark.parametrize(
    "work",
    [
        lambda out, study: commands.run([study], "parquet", out, Filters(live=True), blind=True),
        lambda out, study: commands.show_left_out([study], "parquet", Filters(), None),
        lambda out, study: report_run(out, ReportOptions(studies=[study], without_consent=True)),
    ],
    ids=["blind", "look", "report"],
)
def test_what_reads_a_corpus_opens_each_journal_once(
    two_sites: Path, tmp_path: Path, work: Callable[[Path, Path], object]
) -> None:
    with opened_journals(two_sites) as counts:
        work(tmp_path / "out", two_sites)
    assert set(counts.values()) == {1}


def of_huggingface(out: Path) -> Rows:
    from datasets import Audio, load_dataset

    splits = load_dataset(str(out)).cast_column("audio", Audio(decode=False)).values()
    return {row["utterance_id"]: {**row, "said": row["transcription"]} for split in splits for row in split}


def of_kaldi(out: Path) -> Rows:
    rows: dict[str, dict[str, Any]] = {}
    for path in sorted((out / "data").glob("*/*")):
        if path.name in ("text", "utt2class", *(f"utt2{name}" for name in EVERYWHERE)):
            for line in path.read_text("utf-8").splitlines():
                name, _, value = line.partition(" ")
                rows.setdefault(name, {})[path.name.removeprefix("utt2")] = value
    return {name: {**row, "said": row["text"], "eval_class": row.get("class")} for name, row in rows.items()}


def of_nist(out: Path) -> Rows:
    shown = [path.read_text("utf-8").splitlines() for path in sorted(out.glob("*.tsv"))]
    rows = [row for table in shown for row in csv.DictReader(table, delimiter="\t")]
    trn = [line for path in sorted(out.glob("*.trn")) for line in path.read_text("utf-8").splitlines()]
    said = {line.rpartition(" (")[2][:-1]: line.rpartition(" (")[0] for line in trn}
    plain = {name: text.replace("{ redacted / @ }", "[redacted]") for name, text in said.items()}
    return {row["utterance"]: {**row, "said": plain[row["utterance"]]} for row in rows}


def of_spider(out: Path) -> Rows:
    found = [one for path in out.glob("sparc/*.json") for one in json.loads(path.read_text("utf-8"))]
    turns = [turn for one in found for turn in one["interaction"]]
    # What is called a query here is the SQL.
    return {turn["utterance_id"]: {**turn, "query": turn["utterance"], "said": turn["transcription"]} for turn in turns}


def of_textgrid(out: Path) -> Rows:
    rows: dict[str, dict[str, Any]] = {}
    for path in sorted(out.glob("*.TextGrid")):
        tier = pympi.Praat.TextGrid(str(path)).get_tier("origins")
        spoken = [text for _, _, text in tier.get_all_intervals() if text]
        for turn, shown in enumerate(spoken, 1):
            rows[f"{path.stem}-{turn:03}"] = dict(part.split(" ", 1) for part in shown.split("; "))
    return rows


READ: dict[str, tuple[Callable[[Path], Rows], int]] = {
    "huggingface": (of_huggingface, 12), "kaldi": (of_kaldi, 12), "nist": (of_nist, 12), "spider": (of_spider, 1),
    "textgrid": (of_textgrid, 13),
}  # fmt: skip
"""How a format is read, and how many utterances are in it at least."""


def test_every_format_is_read() -> None:
    # These two come back whole: `tables/test_parquet.py` and the round trip of trees.
    assert {*READ, "parquet", "atis"} == {one.name for one in FORMATS}


@pytest.mark.parametrize("name", READ)
def test_a_format_says_what_the_view_says(folder: Callable[[str], Path], view: dict[str, Utterance], name: str) -> None:
    read, least = READ[name]
    rows = read(folder(name))
    assert len(rows) >= least and set(rows) <= set(view)
    for utterance_id, row in rows.items():
        one = view[utterance_id]
        wanted = {column: getattr(one, column) for column in (*ORIGINS, "query", "eval_class", "category", "outcome")}
        for column in wanted.keys() & row.keys():
            assert row[column] == wanted[column] or {row[column], wanted[column]} <= set(NO_VALUE), (one, column)
        assert all(row.get(column) or wanted[column] is None for column in ORIGINS)
        if "said" in row:
            assert str(row["said"]).lower() == str(one.lsn).lower()


def test_recordings_are_those_of_the_view(folder: Callable[[str], Path], view: dict[str, Utterance]) -> None:
    out = folder("kaldi")
    for path in sorted(out.glob("data/*/wav.scp")):
        for line in path.read_text("utf-8").splitlines():
            name, place = line.split(" ")
            rate, heard = kaldiio.load_mat(str(out / place))
            wanted, own = samples(view[name])
            assert rate == own and np.array_equal(heard, wanted)
