"""Reference files for NIST's scoring tools, by split: `<split>.trn`, `.stm` and `.ctm`; beside them `<split>.tsv`.
Where a recogniser was at work, `<split>.hyp.trn` has what it heard: `sclite -r X.trn trn -h X.hyp.trn trn` scores it.

None of the three has a place for who says the words and how much of them is hidden: the table has one line for each
utterance. The file of a segment is the utterance's own recording, so times count from its beginning. Where nobody has
timed the words, the ctm spreads them evenly over the recording. (sctk, doc/infmts.htm)
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TextIO

from curtain.corpus.annotation.first_words import TimedWords, times_of_words
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import EVERYWHERE, REDACTED, Corpus
from curtain_corpora.exports.speech.utterances import SortedLines, SpeechItem, words, write_by_split

_HIDDEN = "{ redacted / @ }"
"""An alternation of sclite's: silence counts as right there."""


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """The three reference files of each split. No sound is copied: sclite scores texts."""
    write_by_split(corpus, folder, progress, _files)


@contextmanager
def _files(folder: Path, split: str) -> Iterator[Callable[[SpeechItem], object]]:
    """The files of one split. One line or block for each utterance, also for one without words: what is missing in a
    reference is not missed by the scorer."""
    with ExitStack() as stack:

        def text_file(ending: str) -> TextIO:
            return stack.enter_context((folder / f"{split}.{ending}").open("x", encoding="utf-8", newline="\n"))

        trn, table = text_file("trn"), text_file("tsv")
        table.write("\t".join(("utterance", *EVERYWHERE)) + "\n")
        stm = stack.enter_context(closing(SortedLines(folder / f"{split}.stm")))
        ctm = stack.enter_context(closing(SortedLines(folder / f"{split}.ctm.part")))
        hypotheses: list[TextIO] = []
        times: dict[Path, dict[int, TimedWords]] = {}

        def add(item: SpeechItem) -> None:
            seconds = f"{item.recording.seconds:.3f}"
            spoken_words = item.text.split()
            text = " ".join(_HIDDEN if word == REDACTED else word for word in spoken_words)
            # Also without a word: sclite passes over a reference that has no line, and warns nobody.
            trn.write(f"{text} ({item.name})".lstrip() + "\n")
            if item.utterance.hypothesis is not None:
                # What a recogniser heard, beside the reference; no file where none was at work in any utterance.
                hypotheses[:] = hypotheses or [text_file("hyp.trn")]
                heard = " ".join(words(item.utterance.hypothesis, item.utterance.language) or ())
                hypotheses[0].write(f"{heard} ({item.name})".lstrip() + "\n")
            stm.add(item.name, f"1 {item.speaker} 0.000 {seconds} {text}")
            table.write("\t".join((item.name, *(each or "" for each in item.utterance.origins.values()))) + "\n")
            # Nothing is heard where words are hidden, so they have no time.
            heard_words = [word for word in spoken_words if word != REDACTED]
            places: Iterable[tuple[float, float, str]] = spread(heard_words, float(seconds))
            if item.session.path not in times:
                # Of one session at a time: a corpus may be large.
                times.clear()
                times[item.session.path] = times_of_words(item.session)
            timed = times[item.session.path].get(item.utterance.turn, [])
            if [word for word, _, _ in timed] == heard_words:
                places = [(start / 1000, (end - start) / 1000, word) for word, start, end in timed]
            for start, length, word in places:
                ctm.add(item.name, f"1 {start:.3f} {length:.3f} {word}")

        yield add
    with (folder / f"{split}.ctm").open("x", encoding="utf-8", newline="\n") as file:
        file.write(";; words without a time are spread evenly over their recording\n")
        if (part := folder / f"{split}.ctm.part").exists():
            with part.open(encoding="utf-8", newline="\n") as body:
                file.writelines(body)
            part.unlink()


def spread(words: Sequence[str], seconds: float) -> Iterator[tuple[float, float, str]]:
    """Start, length and word; together they fill `seconds`, to the millisecond."""
    # Ends are rounded and not lengths, whose errors would add up.
    ends = [round(seconds * at / len(words), 3) for at in range(len(words) + 1)] if words else []
    for start, end, word in zip(ends, ends[1:], words, strict=False):
        yield start, round(end - start, 3), word
