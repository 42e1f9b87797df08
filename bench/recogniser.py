"""The set word error rate against the measured one, over 2,000 utterances: python bench/recogniser.py [SPEAKERS]

Measured as sclite measures: the fewest word edits from reference to hypothesis over the words of the reference. With
sclite on this machine (sctk), its own figure stands beside ours.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from size import SMALL, sized

from curtain.base.edit_distance import edits
from curtain.base.terminal import print_line
from curtain.domain.pack.reader import load_pack
from curtain.systems.noise.recogniser import hear
from curtain.systems.noise.vocabulary import vocabulary_of

UTTERANCES = sized(2000, 20)
RATES = (0.05, 0.15, 0.30)
SCLITE = shutil.which("sclite") or "/usr/lib/sctk/bin/sclite"


def main() -> None:
    """One line for each rate and domain; exit 1 where set and measured rate differ by more than two points."""
    worst = 0.0
    for domain in ("personnel", "atis"):
        pack = load_pack(domain)
        vocabulary = vocabulary_of(pack)
        questions = list(islice(cycle(one.question for one in pack.examples()), UTTERANCES))
        for rate in RATES:
            begun = time.perf_counter()
            heard = [hear(text, rate, f"1992 b00-01-{at:04}", vocabulary).text for at, text in enumerate(questions)]
            ms = 1000 * (time.perf_counter() - begun) / UTTERANCES
            words = sum(len(text.split()) for text in questions)
            pairs = zip(questions, heard, strict=True)
            errors = sum(edits(text.casefold().split(), got.casefold().split()) for text, got in pairs)
            worst = max(worst, abs(100 * errors / words - 100 * rate))
            shown = _by_sclite(questions, heard)
            print_line(
                f"{domain:10} set {100 * rate:4.1f} %   measured {100 * errors / words:5.2f} %   "
                f"sclite {shown}   {ms:.2f} ms an utterance"
            )
    print_line(f"largest difference {worst:.2f} points")
    sys.exit(not SMALL and worst > 2)


def _by_sclite(references: list[str], hypotheses: list[str]) -> str:
    if not Path(SCLITE).exists():
        return "not installed"
    with TemporaryDirectory() as folder:
        for name, texts in (("ref", references), ("hyp", hypotheses)):
            lines = (f"{_clean(text)} (b00-{at:04})\n" for at, text in enumerate(texts))
            Path(folder, name).write_text("".join(lines), "utf-8")
        command = [SCLITE, "-r", "ref", "trn", "-h", "hyp", "trn", "-i", "spu_id", "-o", "rsum", "stdout"]
        page = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    sums = next(line for line in page.splitlines() if line.strip("| ").startswith("Sum"))
    counts = [int(part) for part in sums.replace("|", " ").split() if part.isdigit()]
    # Sentences, words, correct, substituted, deleted, inserted, errors, sentences in error.
    return f"{100 * counts[6] / counts[1]:.2f} %"


def _clean(text: str) -> str:
    # Braces and parentheses are syntax there.
    return "".join(" " if sign in "(){}/@" else sign for sign in text.casefold())


if __name__ == "__main__":
    main()
