"""Whisper (Radford et al. 2022) through faster-whisper, on the processor, with weights of 8 bits.

What is new against `WhisperModel.transcribe`: a window as long as the sound and not of 30 s, which costs half as
much; sound that grows; and times for a text that somebody else wrote.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import psutil  # type: ignore[import-untyped]
import soundfile
import soxr

from curtain.base.errors import CurtainError
from curtain.base.hearing import HeardWord, Hearing
from curtain.base.speech.spoken_forms import as_transcribed, in_words
from curtain_ear.models import WEIGHTS, whisper_code
from curtain_ear.transcriber import Align, Expect, Hear, HearMore, Listen

RATE = 16_000
# Whisper was taught with windows of 30 s. Below 10 s it begins to repeat itself, and without silence behind to fail.
_WINDOW_S, _LONGEST_S, _SHORTEST_S = 30.0, 28.0, 10.0
_SILENCE_BEHIND_S = 1.0
_FRAMES_A_SECOND = 100
_SECONDS_A_PLACE = 0.02
# Of a sound that is longer than a window, what ends before this is settled.
_SETTLED_S = 24.0
# Of names and of questions. Whisper could look back on 223: of questions no more than these help, and each costs time.
_PROMPT_TOKENS = 60
_TOKENS_A_SECOND = 12
# What is heard of half a question is only looked at; it must not hold up what is heard of the whole.
_BEAMS, _BEAMS_WHILE_GROWING = 5, 1
# A shorter sound that is loud enough for speech is a click or a chime; of a shorter silence nothing goes wrong.
_LEAST_SPEECH_MS, _CUT_SILENCE_MS, _SILENCE_AROUND_MS = 100, 2000, 400
# Below this mean, a sound is heard once more without what is expected.
_DOUBTED = 0.3
_LONGEST_REPEATED = 5
_THREADS = 4
_SURE_OF_SILENCE, _SURE_OF_WORDS = 0.6, -1.0
# A take that ended before it was heard whole is never asked for.
_MOST_TAKES = 4
_MIB = 1 << 20

Sound = np.ndarray[Any, np.dtype[np.float32]]


class BadModel(CurtainError):
    """A model that cannot be loaded; the sentence says what to do."""


@dataclass
class _Take:
    """A take as far as it has come: sound at `rate`, and the words of its first seconds of speech, which stay."""

    rate: int
    samples: bytearray = field(default_factory=bytearray)
    settled: list[HeardWord] = field(default_factory=list)
    settled_s: float = 0.0


class LoadedWhisper:
    """One loaded model, and the takes that are being spoken."""

    def __init__(self, opening: Listen) -> None:
        """Raises BadModel."""
        import faster_whisper
        from faster_whisper.tokenizer import _LANGUAGE_CODES, Tokenizer
        from faster_whisper.transcribe import get_suppressed_tokens

        folder = Path(opening.folder)
        _check(folder)
        self._name = folder.name
        self._version = f"faster-whisper {faster_whisper.__version__}"
        try:
            self._model = faster_whisper.WhisperModel(
                str(folder), device="cpu", compute_type="int8", cpu_threads=threads(), local_files_only=True
            )
        except (RuntimeError, ValueError, MemoryError, OSError) as error:
            raise BadModel(
                f"The model in {folder} is damaged, or none of Whisper for CTranslate2: fetch it anew."
            ) from error
        many, code = self._model.model.is_multilingual, whisper_code(opening.language)
        if code not in (_LANGUAGE_CODES if many else ("en",)):
            raise BadModel(f"The model {folder.name} does not hear “{opening.language}”, the language of this study.")
        self._tokenizer = Tokenizer(self._model.hf_tokenizer, many, "transcribe", code)
        self._suppressed = list(get_suppressed_tokens(self._tokenizer, [-1]))
        self._prompt: list[int] = []
        self._takes: dict[int, _Take] = {}

    def obey(self, order: Expect | HearMore | Hear | Align) -> Hearing:
        """What was heard; of `Expect` nothing. Raises OSError if a file cannot be read."""
        if isinstance(order, Expect):
            self._prompt = self._prompt_of(order.texts, order.names)
            return Hearing()
        if isinstance(order, Align):
            return self._hearing(self._times(_sound_of(Path(order.path)), order.words))
        if isinstance(order, HearMore):
            take = self._grown(order)
            mono = np.frombuffer(bytes(take.samples), "<i2").astype(np.float32) / np.float32(32768)
            return self._spelled(self._heard_in(take, _at_rate(mono, take.rate), _BEAMS_WHILE_GROWING))
        whole = _sound_of(Path(order.path))
        before = None if order.key is None else self._takes.pop(order.key, None)
        return self._spelled(self._heard_in(before or _Take(RATE), whole, _BEAMS))

    def _hearing(self, words: Sequence[HeardWord]) -> Hearing:
        return Hearing(tuple(words), self._name, self._version)

    def _spelled(self, written: Sequence[HeardWord]) -> Hearing:
        bare = [msgspec.structs.replace(word, text=word.text.strip()) for word in written]
        return self._hearing(as_transcribed(bare, self._tokenizer.language_code))

    def _grown(self, order: HearMore) -> _Take:
        if order.begins or order.key not in self._takes:
            self._takes.pop(order.key, None)
            self._takes[order.key] = _Take(order.rate)
            for key in list(self._takes)[:-_MOST_TAKES]:
                del self._takes[key]
        take = self._takes[order.key]
        take.samples += order.samples
        return take

    def _prompt_of(self, texts: Sequence[str], names: Sequence[str]) -> list[int]:
        """Names, then texts: the likeliest stands last, next to what is said."""
        prompt: list[int] = []
        for text in texts:
            tokens = self._tokens(text)
            if len(prompt) + len(tokens) <= _PROMPT_TOKENS:
                prompt = tokens + prompt
        ends = list(accumulate(len(self._tokens(f"{name},")) for name in names))
        fitting = names[: sum(end <= _PROMPT_TOKENS for end in ends)]
        return self._tokens(f"{', '.join(fitting)}.") + prompt if fitting else prompt

    def _tokens(self, text: str) -> list[int]:
        """Figures are in words: it writes as its prompt does."""
        words = in_words(text) if self._tokenizer.language_code == "en" else text
        return list(self._tokenizer.encode(" " + words.strip()))

    def _heard_in(self, take: _Take, sound: Sound, beams: int = _BEAMS) -> list[HeardWord]:
        """The words of the speech in a sound, none where nobody speaks: Whisper fills long silence with the words
        around it, and noise with what it expects."""
        from faster_whisper.vad import SpeechTimestampsMap, VadOptions, get_speech_timestamps

        options = VadOptions(
            min_speech_duration_ms=_LEAST_SPEECH_MS, min_silence_duration_ms=_CUT_SILENCE_MS,
            speech_pad_ms=_SILENCE_AROUND_MS,
        )  # fmt: skip
        parts = get_speech_timestamps(sound, options) if len(sound) else []
        if not parts:
            return []
        words = self._advance(take, np.concatenate([sound[part["start"] : part["end"]] for part in parts]), beams)
        times = SpeechTimestampsMap(parts, RATE)
        return [
            msgspec.structs.replace(
                word,
                start_s=times.get_original_time(word.start_s),
                end_s=times.get_original_time(word.end_s, is_end=True),
            )
            for word in words
        ]

    def _advance(self, take: _Take, sound: Sound, beams: int = _BEAMS) -> list[HeardWord]:
        """All words of the sound so far. A window is always decoded whole: keeping what two texts in a row agree on
        (Macháček, Dabre and Bojar 2023) takes as long and gets a quarter more words wrong."""
        while True:
            window = sound[round(take.settled_s * RATE) :]
            is_all = len(window) <= _LONGEST_S * RATE
            words = [_later(word, take.settled_s) for word in self._decode(window[: round(_LONGEST_S * RATE)], beams)]
            if is_all:
                return take.settled + words
            kept = [word for word in words if word.end_s <= take.settled_s + _SETTLED_S]
            take.settled += kept
            take.settled_s = kept[-1].end_s if kept else take.settled_s + _SETTLED_S

    def _decode(self, sound: Sound, beams: int = _BEAMS) -> list[HeardWord]:
        """The words of up to 28 s, as they are written: with marks and capitals."""
        if not len(sound):
            return []
        frames = round(len(sound) / RATE * _FRAMES_A_SECOND)
        encoded = self._encode(sound, frames)
        words = self._written(encoded, frames, self._prompt, beams)
        spoken = _spoken(words)
        if self._prompt and (2 * len(spoken) < len(words) or _mean_confidence(spoken) < _DOUBTED):
            # What is expected is repeated to a noise: who expects nothing hears nothing there.
            spoken = _spoken(self._written(encoded, frames, [], beams))
        return spoken

    def _written(self, encoded: Any, frames: int, expected: Sequence[int], beams: int = _BEAMS) -> list[HeardWord]:
        texts, pieces = self._tokenizer.split_to_word_tokens(self._generated(encoded, frames, expected, beams))
        return self._aligned(encoded, texts, pieces, frames)

    def _generated(self, encoded: Any, frames: int, expected: Sequence[int], beams: int) -> list[int]:
        tokenizer = self._tokenizer
        prompt = [tokenizer.sot_prev, *expected] if expected else []
        most = 16 + round(frames / _FRAMES_A_SECOND * _TOKENS_A_SECOND)
        (result,) = self._model.model.generate(
            encoded,
            [[*prompt, *tokenizer.sot_sequence, tokenizer.no_timestamps]],
            beam_size=beams,
            max_length=min(448, len(prompt) + len(tokenizer.sot_sequence) + 1 + most),
            # A short question in a window of 10 s is otherwise heard twice.
            no_repeat_ngram_size=_LONGEST_REPEATED,
            suppress_blank=True,
            suppress_tokens=self._suppressed,
            return_scores=True,
            return_no_speech_prob=True,
        )
        if result.no_speech_prob > _SURE_OF_SILENCE and result.scores[0] < _SURE_OF_WORDS:
            return []
        return [token for token in result.sequences_ids[0] if token < tokenizer.eot]

    def _encode(self, sound: Sound, frames: int) -> Any:
        from faster_whisper.audio import pad_or_trim

        window_s = min(_WINDOW_S, max(_SHORTEST_S, len(sound) / RATE + _SILENCE_BEHIND_S))
        features = self._model.feature_extractor(sound)[:, :frames]
        return self._model.encode(pad_or_trim(features, round(window_s * _FRAMES_A_SECOND)))

    def _times(self, sound: Sound, words: Sequence[str]) -> list[HeardWord]:
        """The words of a text that is known, with the times at which they are spoken; none of more than 30 s."""
        if not words or not len(sound) or len(sound) > _LONGEST_S * RATE:
            return []
        frames = round(len(sound) / RATE * _FRAMES_A_SECOND)
        pieces = [self._tokenizer.encode(" " + word) for word in words]
        return self._aligned(self._encode(sound, frames), words, pieces, frames)

    def _aligned(
        self, encoded: Any, words: Sequence[str], pieces: Sequence[Sequence[int]], frames: int
    ) -> list[HeardWord]:
        """Each word from where the decoder first looks at its sound to where it looks at the next one's."""
        tokens = [token for piece in pieces for token in piece]
        if not tokens:
            return []
        (aligned,) = self._model.model.align(encoded, self._tokenizer.sot_sequence, [tokens], frames)
        first: dict[int, float] = {}
        for token, place in aligned.alignments:
            first.setdefault(token, place * _SECONDS_A_PLACE)
        ends = list(accumulate(map(len, pieces), initial=0))
        return [
            HeardWord(word, first[begin], first[end], float(np.mean(aligned.text_token_probs[begin:end])))
            for word, (begin, end) in zip(words, pairwise(ends), strict=True)
            if end > begin
        ]


def _spoken(words: Sequence[HeardWord]) -> list[HeardWord]:
    """Words that are invented have no length: there is no sound for them."""
    return [word for word in words if word.end_s > word.start_s]


def _mean_confidence(words: Sequence[HeardWord]) -> float:
    return sum(word.confidence for word in words) / len(words) if words else 1.0


def threads() -> int:
    """How many threads decode: half of the cores, so that whatever comes first always finds one."""
    return max(1, min(_THREADS, (os.cpu_count() or 2) // 2))


def _check(folder: Path) -> None:
    weights = folder / WEIGHTS
    if not weights.is_file():
        raise BadModel(f"There is no model in {folder}: it needs the files model.bin, config.json and tokenizer.json.")
    needed, free = 2 * weights.stat().st_size, psutil.virtual_memory().available
    if needed > free:
        raise BadModel(
            f"The model {folder.name} needs {needed // _MIB:,} MiB of memory and {free // _MIB:,} MiB are free: "
            "close other programs, or use a smaller model."
        )


def _later(word: HeardWord, by_s: float) -> HeardWord:
    return HeardWord(word.text, word.start_s + by_s, word.end_s + by_s, word.confidence)


def _sound_of(path: Path) -> Sound:
    """One channel at 16 kHz. Raises OSError."""
    try:
        sound, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    except soundfile.SoundFileError as error:
        raise OSError(str(error)) from error
    return _at_rate(sound.mean(axis=1, dtype=np.float32), rate)


def _at_rate(mono: Sound, rate: int) -> Sound:
    return soxr.resample(mono, rate, RATE).astype(np.float32) if rate != RATE else mono
