"""Kaldi data folders, one for each split: wav.scp, text, utt2spk, spk2utt, utt2dur.

Paths in wav.scp are relative to the export's folder. The rules are those of Kaldi's `utils/validate_data_dir.sh`.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType

from curtain.corpus.exports.names import Names
from curtain.corpus.exports.speech.sorted_lines import SortedLines
from curtain.corpus.exports.speech.utterances import SpeechItem, spoken
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import EVERYWHERE, Corpus

_FILES = ("wav.scp", "text", "utt2spk", "utt2dur", "utt2class", *(f"utt2{name}" for name in EVERYWHERE))


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """One folder a split, each file sorted byte by byte, as Kaldi's tools ask."""
    names = Names()
    (folder / "wav").mkdir()
    with ExitStack() as stack:
        splits: dict[str, _DataFolder] = {}
        for item in spoken(corpus, names, progress):
            if item.split not in splits:
                splits[item.split] = stack.enter_context(_DataFolder(folder / "data" / item.split))
            # Safe names hold no blank, at which Kaldi's scripts would cut the path.
            path = f"wav/{item.name}.wav"
            item.recording.copy(folder / path)
            splits[item.split].add(item, path)
            progress.wrote()
    names.write(folder)


class _DataFolder:
    """The files of one split; each is in the order of its bytes when it is closed."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._files = {name: SortedLines(folder / name) for name in _FILES}

    def __enter__(self) -> _DataFolder:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        with ExitStack() as stack:
            for file in self._files.values():
                stack.callback(file.close)
        if kind is None:
            _write_spk2utt(self._folder)

    def add(self, item: SpeechItem, path: str) -> None:
        values = {
            "wav.scp": path,
            "text": item.words,
            "utt2spk": item.speaker,
            "utt2dur": f"{item.recording.seconds:.6f}",
            "utt2class": item.utterance.eval_class,
            **{f"utt2{name}": value for name, value in item.utterance.origins.items()},
        }
        for name, value in values.items():
            if value is not None:
                self._files[name].add(item.name, value)


def _write_spk2utt(folder: Path) -> None:
    """The other way round than utt2spk, which is sorted by speaker too."""
    speaker = ""
    with (folder / "utt2spk").open(encoding="utf-8") as given, (folder / "spk2utt").open("x", newline="\n") as file:
        for utterance, now in (line.split() for line in given):
            file.write(f" {utterance}" if now == speaker else f"{chr(10) if speaker else ''}{now} {utterance}")
            speaker = now
        file.write("\n")
