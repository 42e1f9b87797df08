"""What the formats for recognisers have in common: utterances with a recording and words, by split."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path

from curtain.base.words import is_letter
from curtain.corpus.annotation.letters import lower
from curtain.corpus.exports.recordings import OutgoingRecording, audible_recording_of
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import REDACTED, Corpus, Session, Utterance
from curtain_corpora.exports.names import Names, split_name

# Inside a word: beside ' and -, the dot of Catalan, the signs of Hebrew that stand for left-out letters, and the two
# invisible signs that part or join letters in Persian, Hindi and Sinhala.
_JOINERS = "'·\u05f3\u05f4\u200c\u200d-"
_WORD = re.compile(rf"[^ {_JOINERS}]+(?:[{_JOINERS}][^ {_JOINERS}]+)*")
_ALIKE = str.maketrans({"’": "'", "‐": "-", "‑": "-"})


def words(lsn: str | None, language: str) -> list[str] | None:
    """The words of a lexical form (`Utterance.lsn`) in small letters of its language; None without a transcription.

    Letters with their marks, and figures; `'`, `-` and what else joins letters only inside a word. Parentheses and
    braces are syntax to NIST's tools, and `<s>` and `#0` to Kaldi; nothing of the kind is left. Spelt letters stand
    alone: `U. S.` gives `u` and `s`. Where words are hidden stands `[redacted]`.
    """
    if lsn is None:
        return None
    return [word for piece in lsn.split() for word in ([piece] if piece == REDACTED else _plain(piece, language))]


def _plain(piece: str, language: str) -> list[str]:
    signs = lower(piece, language).translate(_ALIKE)
    return _WORD.findall("".join(sign if sign in _JOINERS or is_letter(sign) else " " for sign in signs))


@dataclass(frozen=True)
class SpeechItem:
    """One utterance for a recogniser. `name` begins with `speaker` and `-`; `words` is None where they are withheld."""

    name: str
    speaker: str
    words: str | None
    recording: OutgoingRecording
    session: Session
    utterance: Utterance

    @property
    def text(self) -> str:
        """The words; none where they are withheld."""
        return self.words or ""

    @property
    def split(self) -> str:
        """The name of its split in speech formats."""
        return split_name(self.utterance.split)


def write_by_split(
    corpus: Corpus,
    folder: Path,
    progress: ExportProgress,
    opened: Callable[[Path, str], AbstractContextManager[Callable[[SpeechItem], object]]],
    sounds: str | None = None,
) -> None:
    """Put each utterance into its split by what `opened` gives for it, and its recording into the folder `sounds`."""
    names = Names()
    if sounds is not None:
        (folder / sounds).mkdir()
    with ExitStack() as stack:
        splits: dict[str, Callable[[SpeechItem], object]] = {}
        for item in spoken(corpus, names, progress):
            if item.split not in splits:
                splits[item.split] = stack.enter_context(opened(folder, item.split))
            if sounds is not None:
                item.recording.copy(folder / sounds / f"{item.name}.wav")
            splits[item.split](item)
            progress.wrote()
    names.write(folder)


def spoken(corpus: Corpus, names: Names, progress: ExportProgress) -> Iterator[SpeechItem]:
    """All utterances that have a recording and a transcription, in the corpus's order; others count as dropped."""
    for session in corpus.sessions():
        for utterance in session.utterances:
            item = _spoken(session, utterance, names, corpus.speech_only)
            if isinstance(item, str):
                progress.dropped_one(item)
            else:
                yield item


def _spoken(session: Session, utterance: Utterance, names: Names, speech_only: bool) -> SpeechItem | str:
    text = words(utterance.lsn, utterance.language)
    if text is None and not speech_only:
        return "without a transcription"
    recording = audible_recording_of(session, utterance)
    if isinstance(recording, str):
        return recording
    name = names.of_utterance(utterance.speaker_id, utterance.utterance_id)
    speaker = names.of_speaker(utterance.speaker_id)
    return SpeechItem(name, speaker, None if text is None else " ".join(text), recording, session, utterance)


class SortedLines:
    """Lines are written as they come, which is usually in order; what was not in order is sorted when it is closed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("xb")
        self._last = b""
        self._sorted = True

    def add(self, key: str, rest: str) -> None:
        """One line: `key`, a space, `rest`. Lines with the same key stay in the order in which they came."""
        # Bytes, as in Kaldi's C locale: a locale's own order is refused.
        first = key.encode()
        self._sorted &= self._last <= first
        self._last = first
        self._file.write(f"{key} {rest}".rstrip().encode() + b"\n")

    def close(self) -> None:
        """No file is left where there was no line."""
        self._file.close()
        if not self._last:
            self._path.unlink()
        elif not self._sorted:
            lines = self._path.read_bytes().splitlines(keepends=True)
            lines.sort(key=lambda line: line.split(maxsplit=1)[0])
            self._path.write_bytes(b"".join(lines))
