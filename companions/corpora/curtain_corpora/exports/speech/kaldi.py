"""Kaldi data folders, one for each split: wav.scp, text, utt2spk, spk2utt, utt2dur.

Paths in wav.scp are relative to the export's folder. The rules are those of Kaldi's `utils/validate_data_dir.sh`.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import EVERYWHERE, Corpus
from curtain_corpora.exports.speech.utterances import SortedLines, SpeechItem, write_by_split

_FILES = ("wav.scp", "text", "utt2spk", "utt2dur", "utt2class", *(f"utt2{name}" for name in EVERYWHERE))


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """One folder a split, each file sorted byte by byte, as Kaldi's tools ask."""
    write_by_split(corpus, folder, progress, _data_folder, "wav")


@contextmanager
def _data_folder(export: Path, split: str) -> Iterator[Callable[[SpeechItem], object]]:
    """The files of one split; each is in the order of its bytes when it is closed."""
    folder = export / "data" / split
    folder.mkdir(parents=True)
    with ExitStack() as stack:
        files = {name: stack.enter_context(closing(SortedLines(folder / name))) for name in _FILES}

        def add(item: SpeechItem) -> None:
            values = {
                # Safe names hold no blank, at which Kaldi's scripts would cut the path.
                "wav.scp": f"wav/{item.name}.wav",
                "text": item.words,
                "utt2spk": item.speaker,
                "utt2dur": f"{item.recording.seconds:.6f}",
                "utt2class": item.utterance.eval_class,
                **{f"utt2{name}": value for name, value in item.utterance.origins.items()},
            }
            for name, value in values.items():
                if value is not None:
                    files[name].add(item.name, value)

        yield add
    _write_spk2utt(folder)


def _write_spk2utt(folder: Path) -> None:
    """The other way round than utt2spk, which is sorted by speaker too."""
    speaker = ""
    with (folder / "utt2spk").open(encoding="utf-8") as given, (folder / "spk2utt").open("x", newline="\n") as file:
        for utterance, now in (line.split() for line in given):
            file.write(f" {utterance}" if now == speaker else f"{chr(10) if speaker else ''}{now} {utterance}")
            speaker = now
        file.write("\n")
