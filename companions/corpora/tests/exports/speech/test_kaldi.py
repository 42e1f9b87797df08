"""A Kaldi data folder keeps every rule, and says what the corpus says."""

from collections.abc import Callable
from pathlib import Path

import pytest

from companions.corpora.tests.exports.kaldi_rules import problems_of
from curtain.corpus.exports.run import export
from curtain.corpus.model.corpus import BundleCorpus
from tests.corpus.exports.small import HeldCorpus, session, sound, utterance

Exported = Callable[[str], Path]


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_every_rule_is_kept(exported: Exported, split: str) -> None:
    folder = exported("kaldi")
    assert problems_of(folder / "data" / split, folder) == []


def test_text_speaker_and_length_are_those_of_the_corpus(exported: Exported, corpus: BundleCorpus) -> None:
    folder = exported("kaldi") / "data" / "dev"
    texts = dict(line.split(" ", 1) for line in (folder / "text").read_text("utf-8").splitlines())
    lengths = dict(line.split() for line in (folder / "utt2dur").read_text("utf-8").splitlines())
    dev = [one for found in corpus.sessions() for one in found.utterances if one.split == "dev"]
    assert len(texts) == len(dev) == 11
    for one in dev:
        assert texts[one.utterance_id].upper() == one.lsn
        assert float(lengths[one.utterance_id]) == pytest.approx(one.duration_s, abs=1e-6)
    assert (folder / "spk2utt").read_text("utf-8").split()[0] == "m10"


@pytest.mark.parametrize("speakers", [("s1", "s10", "s2"), ("s1", "s1-0", "S1"), ("é", "e", "e e")])
def test_speakers_of_any_name_stay_in_order(tmp_path: Path, speakers: tuple[str, ...]) -> None:
    audio = sound(tmp_path / "a.wav")
    held = [
        session(*(utterance(audio, f"{speaker}-{at}", speaker_id=speaker, session_id=speaker) for at in range(12)))
        for speaker in speakers
    ]
    export(HeldCorpus(held), "kaldi", tmp_path / "out")
    assert problems_of(tmp_path / "out" / "data" / "train", tmp_path / "out") == []


def test_what_was_not_said_in_words_is_no_word(tmp_path: Path) -> None:
    audio = sound(tmp_path / "a.wav")
    texts = ["<s> #0 (SHOW) {ME / US} FLIGHTS;; @", "U. S. O’HARE’S ONE-WAY", "A\u00a0B", ""]
    said = [utterance(audio, f"e00-01-{at:03}", lsn=text) for at, text in enumerate(texts)]
    export(HeldCorpus([session(*said)]), "kaldi", tmp_path / "out")
    lines = (tmp_path / "out" / "data" / "train" / "text").read_text("utf-8").splitlines()
    words = [line.split()[1:] for line in lines]
    assert words == [["s", "0", "show", "me", "us", "flights"], ["u", "s", "o'hare's", "one-way"], ["a", "b"], []]
    assert problems_of(tmp_path / "out" / "data" / "train", tmp_path / "out") == []


@pytest.mark.parametrize(
    ("language", "lsn", "words"),
    [
        ("de", "WIE HEIẞT DIE STRAẞE", "wie heißt die straße"), ("tr", "ISI İSTANBUL", "ısı istanbul"),
        ("en", "I\u0307 ıSı", "i\u0307 ısı"), ("hi", "हिन्दी में।", "हिन्दी में"),
        ("th", "ภาษาไทยที่นี่", "ภาษาไทยที่นี่"), ("ar", "كَتَبَ،", "كَتَبَ"), ("el", "Ο ΣΟΦΌΣ", "ο σοφός"),
        ("fa", "می\u200cخواهم", "می\u200cخواهم"), ("he", "צה״ל ג׳ירפה", "צה״ל ג׳ירפה"),
        ("ca", "COL·LEGI · L’AVI", "col·legi l'avi"), ("zh", "北京（市）", "北京 市"),
    ],
)  # fmt: skip
def test_words_keep_the_letters_and_marks_of_every_language(
    tmp_path: Path, language: str, lsn: str, words: str
) -> None:
    said = utterance(sound(tmp_path / "a.wav"), lsn=lsn, hypothesis=lsn, language=language)
    corpus = HeldCorpus([session(said, language=language)])
    for name in ("kaldi", "nist"):
        export(corpus, name, tmp_path / name)
    assert (tmp_path / "kaldi/data/train/text").read_text("utf-8").split(" ", 1)[1].rstrip("\n") == words
    for kind in ("trn", "hyp.trn"):
        assert (tmp_path / f"nist/train.{kind}").read_text("utf-8").rpartition(" (")[0] == words


@pytest.mark.soak
@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_lhotse_reads_them(exported: Exported, split: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = pytest.importorskip("lhotse.kaldi", reason="Lhotse is not installed (tools/loaders.txt)")
    monkeypatch.chdir(exported("kaldi"))
    recordings, supervisions, _ = reader.load_kaldi_data_dir(Path("data") / split, sampling_rate=16000)
    assert len(recordings) == len(supervisions) == {"train": 43}.get(split, 11)
    texts = {one.id: one.text for one in supervisions}
    written = (Path("data") / split / "text").read_text("utf-8").splitlines()
    assert texts == dict(line.split(" ", 1) for line in written)
