"""Reference files for NIST's scoring tools, by split: `<split>.trn`, `.stm` and `.ctm`; beside them `<split>.tsv`.
Where a recogniser was at work, `<split>.hyp.trn` has what it heard: `sclite -r X.trn trn -h X.hyp.trn trn` scores it.

None of the three has a place for who says the words and how much of them is hidden: the table has one line for each
utterance. The file of a segment is the utterance's own recording, so times count from its beginning. Where nobody has
timed the words, the ctm spreads them evenly over the recording. (sctk, doc/infmts.htm)
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TextIO

from curtain.corpus.annotation.first_words import TimedWords, times_of_words
from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import EVERYWHERE, REDACTED, Corpus
from curtain_corpora.exports.names import safe_name
from curtain_corpora.exports.speech.utterances import SortedLines, SpeechItem, words, write_by_split

_LONGEST_LABEL = 16
_HIDDEN = "{ redacted / @ }"
"""An alternation of sclite's: silence counts as right there."""
_ABOUT = {
    "A": "context independent",
    "D1": "dependent on the query before",
    "D": "dependent on context",
    "X": "not evaluated",
}


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """The three reference files of each split. No sound is copied: sclite scores texts."""
    write_by_split(corpus, folder, progress, _files)


@contextmanager
def _files(folder: Path, split: str) -> Iterator[Callable[[SpeechItem], object]]:
    """The files of one split. One line or block for each utterance, also for one without words: what is missing in a
    reference is not missed by the scorer."""
    labels = _Labels()
    with ExitStack() as stack:

        def text_file(ending: str) -> TextIO:
            return stack.enter_context((folder / f"{split}.{ending}").open("x", encoding="utf-8", newline="\n"))

        trn, table = text_file("trn"), text_file("tsv")
        table.write("\t".join(("utterance", *EVERYWHERE)) + "\n")
        stm = stack.enter_context(closing(SortedLines(folder / f"{split}.stm.part")))
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
            stm.add(item.name, f"1 {item.speaker} 0.000 {seconds} {labels.of(item)} {text}")
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
    _finish(folder / split, "stm", labels.header(), labels.chosen)
    _finish(folder / split, "ctm", (";; words without a time are spread evenly over their recording",))


def _finish(base: Path, kind: str, header: Iterable[str], line: Callable[[str], str] = str) -> None:
    """Put the header over the lines that wait in a file of their own."""
    part = base.with_name(f"{base.name}.{kind}.part")
    with base.with_name(f"{base.name}.{kind}").open("x", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{text}\n" for text in header)
        if part.exists():
            with part.open(encoding="utf-8", newline="\n") as body:
                file.writelines(map(line, body))
            part.unlink()


def spread(words: Sequence[str], seconds: float) -> Iterator[tuple[float, float, str]]:
    """Start, length and word; together they fill `seconds`, to the millisecond."""
    # Ends are rounded and not lengths, whose errors would add up.
    ends = [round(seconds * at / len(words), 3) for at in range(len(words) + 1)] if words else []
    for start, end, word in zip(ends, ends[1:], words, strict=False):
        yield start, round(end - start, 3), word


def _short(name: str) -> str:
    """A name in a label: sclite 2.4.10 writes beyond its own memory when labels are long."""
    if len(safe := safe_name(name)) <= _LONGEST_LABEL:
        return safe
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]


class _Labels:
    """The groups by which `sclite -o lur` reports its results: overall, class, category, wizard, scenario."""

    # sclite 2.4.10 writes beyond its own memory when it prints more than 16 columns.
    _MOST = 16

    def __init__(self) -> None:
        self._known: dict[str, dict[str, str]] = {
            name: {} for name in ("", "Class", "Category", "Wizard", "Scenario", "Condition")
        }

    def of(self, item: SpeechItem) -> str:
        """The labels of an utterance, of all groups; a group without a value stays empty."""
        utterance, wizard = item.utterance, "+".join(item.session.wizard_ids)
        condition = utterance.condition_id
        labels = (
            self._noted("", "O", "Overall"),
            self._noted("Class", utterance.eval_class, f"Class {utterance.eval_class}"),
            self._noted(
                "Category", utterance.category and f"CAT{utterance.category}", f"Category {utterance.category}"
            ),
            self._noted("Wizard", wizard and f"W.{_short(wizard)}", wizard),
            self._noted(
                "Scenario", utterance.scenario_id and f"S.{_short(utterance.scenario_id)}", str(utterance.scenario_id)
            ),
            self._noted("Condition", condition and f"C.{_short(condition)}", str(condition)),
        )
        return f"<{','.join(labels)}>"

    def chosen(self, line: str) -> str:
        """A line of the stm with the labels of those groups only that the header has."""
        before, labels, after = re.split(r"[<>]", line, maxsplit=2)
        kept = self._kept()
        return f"{before}<{','.join(labels.split(',')[at] for at in kept)}>{after}"

    def header(self) -> Iterator[str]:
        """The groups that fit, and their labels."""
        groups = list(self._known.items())
        for number, at in enumerate(self._kept()):
            group, labels = groups[at]
            yield f';; CATEGORY "{number}" "{group}" ""'
            for label, title in sorted(labels.items()):
                yield f';; LABEL "{label}" "{title}" "{_ABOUT.get(label, title)}"'

    def _kept(self) -> list[int]:
        room, kept = self._MOST, []
        for at, labels in enumerate(self._known.values()):
            if len(labels) <= room:
                room -= len(labels)
                kept.append(at)
        return kept

    def _noted(self, group: str, label: str | None, title: str) -> str:
        if not label:
            return ""
        self._known[group][label] = " ".join(title.replace('"', "'").split())
        return label
