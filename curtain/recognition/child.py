"""The process in which speech is recognised: `python -m curtain.recognition.child`, which `transcriber` starts and
watches."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import msgspec

from curtain.base.scratch import ScratchFolder
from curtain.domain.wire import read_frame, write_frame
from curtain.recognition.language_model import cut_dictionary, model_of, spoken_words, varied
from curtain.recognition.transcriber import Hear, Listen, Transcription

RATE = 16_000

_VARIED = 8
_SENTENCES = 20_000
_SILENCE_S = 0.4
_HISS = 0.0005


def main() -> None:
    """Transcribes one file after the other until the input ends."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    opening = read_frame(sys.stdin.buffer)
    if opening is None:
        return
    decoder = decoder_for(msgspec.msgpack.decode(opening, type=Listen))
    write_frame(replies, Transcription())
    while (frame := read_frame(sys.stdin.buffer)) is not None:
        order = msgspec.msgpack.decode(frame, type=Hear)
        write_frame(replies, Transcription(text=transcribe(decoder, Path(order.path))))


def decoder_for(expected: Listen) -> Any:
    """A recogniser that expects questions like these, with the acoustic model that comes with the extra."""
    import pocketsphinx

    known = _dictionary(Path(pocketsphinx.get_model_path("en-us/cmudict-en-us.dict")))
    questions = [spoken_words(question) for question in expected.questions]
    groups = [[spoken_words(text) for text in group] for group in expected.groups]
    times = min(_VARIED, _SENTENCES // max(1, len(questions)))
    model = model_of(varied(questions, groups, times), known)
    with ScratchFolder("asr") as folder:
        language, words = folder / "pairs.arpa", folder / "words.dict"
        language.write_text(model.arpa(), "utf-8")
        words.write_text(cut_dictionary(model.words, known), "utf-8")
        sounds = pocketsphinx.get_model_path("en-us/en-us")
        return pocketsphinx.Decoder(hmm=sounds, lm=str(language), dict=str(words), samprate=RATE, loglevel="FATAL")


def transcribe(decoder: Any, path: Path) -> str:
    """The words of one file, "" if none were made out or it cannot be read."""
    samples = _samples(path)
    if not samples:
        return ""
    decoder.start_utt()
    decoder.process_raw(samples, no_search=False, full_utt=True)
    decoder.end_utt()
    best = decoder.hyp()
    return str(best.hypstr) if best else ""


def _samples(path: Path) -> bytes:
    """One channel of 16-bit samples at 16 kHz, with silence before and after and a hiss of -66 dBFS over all: speech is
    measured against what is not speech, and without them twice as many words are wrong."""
    import numpy
    import soundfile
    import soxr

    try:
        sound, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    except (soundfile.SoundFileError, OSError):
        return b""
    mono = sound.mean(axis=1)
    if rate != RATE:
        mono = soxr.resample(mono, rate, RATE)
    silence = numpy.zeros(round(_SILENCE_S * RATE))
    mono = numpy.concatenate([silence, mono, silence])
    mono = mono + numpy.random.default_rng(0).normal(0.0, _HISS, len(mono))
    return bytes((numpy.clip(mono, -1.0, 1.0) * 32767).astype("<i2").tobytes())


def _dictionary(path: Path) -> dict[str, list[str]]:
    """Each word's pronunciations, the likeliest first: `a` and `a(2)` in the file are one word."""
    known: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        word, _, sounds = line.partition(" ")
        known.setdefault(re.sub(r"\(\d+\)$", "", word), []).append(sounds)
    return known


if __name__ == "__main__":
    main()
