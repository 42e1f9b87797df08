"""What nobody has annotated, and what is silenced, stays out of exports unless somebody asks for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import soundfile

from curtain.commands.corpus import export as commands
from curtain.corpus.exports.flat import FLAT
from curtain.corpus.exports.run import NothingToExport, export
from curtain.corpus.exports.speech.recordings import SILENCED
from curtain.corpus.exports.utterance_table import COLUMNS
from curtain.corpus.exports.whole_folder import ExportFailed
from curtain.corpus.model.corpus import BundleCorpus
from curtain.corpus.model.filters import NOT_CLASSED, NOT_TRANSCRIBED, Filters
from curtain.corpus.model.utterance import ContextLink, Reference
from tests.corpus.exports.small import RATE, HeldCorpus, session, sound, utterance
from tests.corpus.two_sites import ANNOTATED, LIVE, TURNS

Run = Callable[..., dict[str, Any]]
ALL = Filters(live=True)
# The sessions of these tests have no consent, and the export says that they were taken all the same.
WITHOUT_CONSENT = {"without_consent": True}


@pytest.fixture
def run(two_sites: list[Path], tmp_path: Path) -> Run:
    """Export both sites; gives what EXPORT.json says."""

    def exported(format_name: str, filters: Filters = Filters(), **options: Any) -> dict[str, Any]:  # noqa: B008
        commands.run(two_sites, format_name, tmp_path / format_name, filters, **options)
        account: dict[str, Any] = json.loads((tmp_path / format_name / "EXPORT.json").read_text("utf-8"))
        return account

    return exported


def test_one_sentence_says_how_many_why_and_how_to_take_them(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    account = run("parquet")
    assert (account["kept"], account["filters"]) == (ANNOTATED, WITHOUT_CONSENT)
    assert account["dropped"] == {NOT_TRANSCRIBED: LIVE - 1, NOT_CLASSED: 1}
    assert capsys.readouterr().out.splitlines()[-1] == (
        "6 utterances are left out because nobody has transcribed and classed them: "
        "“curtain annotate STUDY” does that, “--include-live” takes what the live session knew."
    )


def test_those_who_ask_get_all_and_the_account_says_so(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    account = run("parquet", ALL)
    assert (account["kept"], account["filters"]) == (ANNOTATED + LIVE, {"live": True, **WITHOUT_CONSENT})
    assert "left out" not in capsys.readouterr().out
    assert account["corpus"]["origins"] == {
        "text_from": {"annotated": 8, "live": 5},
        "sql_from": {"annotated": 4, "live": 5, "nothing": 4},
        "class_from": {"annotated": 6, "live": 1, "nothing": 5, "ruled": 1},
        "redacted": {"none": 10, "part": 2, "whole": 1},
    }


def test_the_card_counts_origins(run: Run, tmp_path: Path) -> None:
    run("parquet", ALL)
    card = (tmp_path / "parquet" / "README.md").read_text("utf-8")
    assert "| column | live | annotated | ruled | nothing |" in card
    assert "| class_from | 1 | 6 | 1 | 5 |" in card and "| whole | 1 |" in card


def test_where_nobody_has_annotated_the_sentence_says_what_to_do(two_sites: list[Path], tmp_path: Path) -> None:
    sessions = [two_sites[0] / "sessions" / "a20-01"]
    with pytest.raises(NothingToExport, match=r"3 utterances are left out .*“--include-live” takes"):
        commands.run(sessions, "parquet", tmp_path / "out", Filters())


def test_an_archive_of_whole_sessions_keeps_them_whole_and_says_so(run: Run) -> None:
    account = run("bagit")
    assert (account["kept"], account["filters"]) == (ANNOTATED + LIVE, {"live": True, **WITHOUT_CONSENT})


@pytest.mark.parametrize("filters", [Filters(), ALL])
def test_no_follow_up_is_among_questions_that_stand_alone(run: Run, tmp_path: Path, filters: Filters) -> None:
    for name, questions in (("spider", _of_spider), ("text2sql", _of_text2sql)):
        run(name, filters)
        alone = questions(tmp_path / name)
        assert alone and not alone & {TURNS["follow-up"], TURNS["follow-up that nobody annotated"], "a20-01-002"}


def _of_spider(folder: Path) -> set[str]:
    return {one["utterance_id"] for path in _splits(folder) for one in json.loads(path.read_text("utf-8"))}


def _splits(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*.json") if path.stem in ("train", "dev", "test")]


def _of_text2sql(folder: Path) -> set[str]:
    entries = json.loads((folder / "personnel.json").read_text("utf-8"))
    return {one["utterance-id"] for entry in entries for one in entry["sentences"]}


@pytest.mark.parametrize("name", ["huggingface", "audiofolder", "kaldi", "nemo", "lhotse", "nist"])
def test_a_silenced_recording_trains_nobody(run: Run, name: str) -> None:
    account = run(name)
    assert account["dropped"][SILENCED] == 1 and account["kept"] == ANNOTATED - 1


def test_hidden_words_are_marked_where_recognisers_read(run: Run, tmp_path: Path) -> None:
    said = "[redacted] speaking what is the name of department forty five"
    for name, place in (("kaldi", "data/train/text"), ("nemo", "train.jsonl")):
        run(name)
        assert f"this is {said}" in (tmp_path / name / place).read_text("utf-8")
    run("nist")
    trn = (tmp_path / "nist" / "train.trn").read_text("utf-8")
    assert "this is { redacted / @ } speaking" in trn
    assert " redacted\n" not in (tmp_path / "nist" / "train.ctm").read_text("utf-8")


def test_a_blind_set_does_not_say_who_knows_the_answers(run: Run) -> None:
    account = run("parquet", blind=True)
    hidden = {"none": 4, "part": 2, "whole": 1}
    assert account["corpus"]["origins"] == {"text_from": {"annotated": 7}, "redacted": hidden}


# A full disk is told in one sentence, and nothing is left on it.

OURS = (
    "parquet", "huggingface", "audiofolder", "kaldi", "nist", "nemo", "lhotse", "bagit", "atis", "spider", "text2sql",
    "elan", "textgrid",
)  # fmt: skip


@pytest.mark.parametrize("format_name", OURS)
def test_a_full_disk_is_reported_and_nothing_is_left(corpus: BundleCorpus, small_disk: Path, format_name: str) -> None:
    (small_disk / "there").write_bytes(bytes(180_000))
    with pytest.raises(ExportFailed, match=r"The disk of .* is full: nothing was exported\. Make room"):
        export(corpus, format_name, small_disk / "out")
    assert [path.name for path in small_disk.iterdir()] == ["there"]


# A column without a value in a split, or in any, has the same type in every split: the loader asks for that.

FULL: dict[str, Any] = {
    "tags": ("wh-question",),
    "context": (ContextLink("e00-01-000", "answer"),),
    "sro": "who works",
    "message_id": "busy",
    "message": "One moment.",
}
EMPTY: dict[str, Any] = {"tags": (), "context": (), "references": (), "scenario_id": None, "category": None}


@pytest.fixture(scope="module")
def lopsided(tmp_path_factory: pytest.TempPathFactory) -> HeldCorpus:
    """Three splits: one with every value, one with hardly any, one with some."""
    audio = sound(tmp_path_factory.mktemp("audio") / "a.wav")
    return HeldCorpus(
        [
            session(
                utterance(audio, "e00-01-001", turn=1, split="train", **FULL),
                utterance(audio, "e00-01-002", turn=2, split="dev", **EMPTY),
                utterance(audio, "e00-01-003", turn=3, split="test", references=(Reference(None, "((1))"),)),
            )
        ]
    )


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The field's loader. It asks for torchcodec also where a recording is only named, so that request is left out."""
    import datasets

    def named(feature: object, path: str) -> dict[str, Any]:
        return {"bytes": None, "path": path}

    monkeypatch.setattr(datasets.Audio, "encode_example", named)
    datasets.disable_progress_bars()
    return lambda *names, **options: datasets.load_dataset(*names, cache_dir=str(tmp_path / "cache"), **options)


def check_splits(loaded: Any, corpus: HeldCorpus) -> None:
    from datasets import Audio

    assert set(loaded) == {"train", "validation", "test"}
    features = loaded["train"].features
    assert all(split.features == features for split in loaded.values())
    assert list(features) == ["audio", *FLAT]
    assert features["tags"].feature.dtype == "string"
    assert set(features["context"].feature) == {"utterance_id", "to"}
    said = {one.utterance_id: one for one in corpus.held[0].utterances}
    for split in loaded.cast_column("audio", Audio(decode=False)).values():
        row = split[0]
        one = said[row["utterance_id"]]
        assert tuple(row["tags"]) == one.tags and len(row["references"]) == len(one.references)
        assert [link["utterance_id"] for link in row["context"]] == [link.utterance_id for link in one.context]


def test_an_audiofolder_loads(lopsided: HeldCorpus, tmp_path: Path, load: Callable[..., Any]) -> None:
    from datasets import Audio

    out = tmp_path / "out"
    export(lopsided, "audiofolder", out)
    for loaded in (load("audiofolder", data_dir=str(out)), load(str(out))):
        check_splits(loaded, lopsided)
        row = loaded.cast_column("audio", Audio(decode=False))["validation"][0]
        assert soundfile.info(row["audio"]["path"]).samplerate == RATE


def test_a_hugging_face_data_set_loads(lopsided: HeldCorpus, tmp_path: Path, load: Callable[..., Any]) -> None:
    export(lopsided, "huggingface", tmp_path / "out")
    check_splits(load(str(tmp_path / "out")), lopsided)


def test_both_tables_load_with_the_same_types(lopsided: HeldCorpus, tmp_path: Path, load: Callable[..., Any]) -> None:
    out = tmp_path / "out"
    export(lopsided, "parquet", out)
    table = load(str(out))["corpus"]
    lines = load("json", data_files=str(out / "utterances.jsonl"), features=table.features)["train"]
    assert list(table.features) == list(COLUMNS)
    assert lines.features == table.features and lines.to_list() == table.to_list()
    assert table.features["redactions"].feature["start_ms"].dtype == "int64"  # a column that no row fills
