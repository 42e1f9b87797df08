"""`curtain compare`: two files, or a stream of pairs."""

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from curtain.base.input_file import STANDARD_INPUT, read_input
from curtain.base.progress_bar import Report, counting, progress_bar
from curtain.base.terminal import Say, print_error, print_json, print_line
from curtain.cas.errors import CasError
from curtain.cas.options import sort_keys
from curtain.cas.scoring.readings import ComparisonRules, QuestionReading, judge
from curtain.cas.verdict import ANSWERED_NOTHING, CORRECT, INCORRECT, MALFORMED, UNDECIDED, Verdict
from curtain_score.files.json_lines import (
    UNUSABLE,
    BadFile,
    RejectedLine,
    check_keys,
    id_of,
    json_bytes,
    read_lines,
    read_object,
    size_of,
    text_of,
    truth_of,
)
from curtain_score.references import sorted_by_of

# 2 is free for bad input, so a script can distinguish a wrong answer from an unreadable file.
EXIT_CODES = {CORRECT: 0, INCORRECT: 1, MALFORMED: 1, ANSWERED_NOTHING: 3, UNDECIDED: 4}
BAD_INPUT = 2
# A file in the wrong format would otherwise give a sentence for every line.
_MOST_PROBLEMS = 20
_UNSEEN: Report = lambda what, share: None  # noqa: E731


def compare_two(
    reference: Path,
    hypothesis: Path,
    maximum: Path | None = None,
    *,
    rules: ComparisonRules,
    yes_no: bool = False,
    sorted_by: str = "",
    as_json: bool = False,
    say: Say = print_line,
) -> int:
    """Announces the verdict on one file, given the reference's; the exit code of `curtain compare REF HYP`.

    0 correct, 1 incorrect or malformed, 3 no answer, 4 undecided. Raises BadFile, naming the file, if the reference
    or the maximum cannot be read or a file cannot be opened, and CasError for rules that there are not.
    """
    rules.check()
    sort_keys(sorted_by)
    ref = _reference(reference, rules)
    most = _reference(maximum, rules) if maximum is not None else None
    reading = QuestionReading(ref, most, sorted_by=sorted_by)
    verdict = _verdict_on(_bytes_of(hypothesis), reading, rules, yes_no, reference)
    if as_json:
        print_json({"verdict": verdict.outcome, "reason": verdict.reason}, say)
    else:
        say(f"{verdict.outcome}: {verdict.reason}" if verdict.reason else verdict.outcome)
    return EXIT_CODES[verdict.outcome]


def _reference(path: Path, rules: ComparisonRules) -> str:
    """The text of a reference or a maximum, known to be readable by having been compared with no answer."""
    try:
        # utf-8-sig: editors on Windows put a byte order mark in front.
        text = _bytes_of(path).decode("utf-8-sig")
        # Compared with no answer: the comparator reads the reference, and nothing else can be wrong.
        judge(None, [QuestionReading(text)], rules)
    except UnicodeDecodeError as error:
        raise BadFile(f"{path} is no answer: it is not UTF-8 text (byte {error.start + 1}).") from None
    except CasError as error:
        raise BadFile(f"{path} is no answer: {error}.") from None
    return text


def _verdict_on(
    data: bytes, reading: QuestionReading, rules: ComparisonRules, yes_no: bool, reference: Path
) -> Verdict:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # A hypothesis that is no text is the system's problem, so it is a verdict and not bad input.
        return Verdict(MALFORMED, f"not UTF-8 text (byte {error.start + 1})")
    try:
        return judge(text, [reading], rules, yes_no).verdict
    except CasError as error:
        # The answer was read or judged malformed by then, so only reference and maximum, or order, can disagree.
        raise BadFile(f"{reference} does not go with its maximum or its order: {str(error).rstrip('.')}.") from None


def _bytes_of(path: Path) -> bytes:
    try:
        return read_input(path)
    except FileNotFoundError as error:
        raise BadFile(
            f"There is no file {path}. “curtain compare” takes two files: write each answer into one, or give pairs of "
            "answers as JSON lines with --pairs."
        ) from error
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from error


@dataclass(frozen=True)
class _BadLines:
    """Announces the first bad lines one by one, and at the end how many there were."""

    say: Say
    seen: list[int]

    def add(self, sentence: str) -> None:
        if len(self.seen) < _MOST_PROBLEMS:
            self.say(sentence)
        # A list, since the class is frozen and only its length counts.
        self.seen.append(1)

    def finish(self) -> None:
        more = len(self.seen) - _MOST_PROBLEMS
        if more > 0:
            self.say(f"{more} more lines could not be used either.")


def compare_pairs(pairs: Path, *, rules: ComparisonRules, out: IO[bytes] | None = None, say: Say = print_error) -> int:
    """Writes one `{id, verdict, reason}` a line for each pair of a file, in its order.

    A pair is `{id, ref, hyp, max?, yes_no?, sorted_by?}`.
    Memory is bounded by the longest lines. A line that cannot be used (no JSON, wrong keys, an unreadable reference
    or maximum) gives a sentence naming it in place of a line; all others are judged, and the exit code is then 2,
    else 0. Raises BadFile if the file cannot be read, CasError and CurtainError for options that there are not.
    """
    # Before the first line: a wrong option must not leave half an output.
    rules.check()
    write = (out or sys.stdout.buffer).write
    name, problems = "standard input" if str(pairs) == STANDARD_INPUT else str(pairs), _BadLines(say, [])
    # On a terminal the verdicts themselves show how far we are, and a bar would run through them.
    with nullcontext(_UNSEEN) if sys.stdout.isatty() else progress_bar() as report:
        for line in read_lines(pairs, counting(report, "Comparing", size_of(pairs))):
            try:
                write(json_bytes(_judge_pair(read_object(line.data), rules)))
            except RejectedLine as error:
                # The line is skipped and named; all others are judged.
                problems.add(f"{name} line {line.number} {error}.")
            except CasError as error:
                problems.add(f"{name} line {line.number} {UNUSABLE}: {str(error).rstrip('.')}.")
    # The buffer below `print`: bytes that are already encoded, in the order of the lines.
    (out or sys.stdout.buffer).flush()
    problems.finish()
    return BAD_INPUT if problems.seen else 0


def _judge_pair(pair: dict[str, Any], rules: ComparisonRules) -> dict[str, object]:
    check_keys(pair, ("id", "ref", "hyp"), ("max", "yes_no", "sorted_by"))
    ref = text_of(pair, "ref")
    if ref is None:
        raise RejectedLine("has null for “ref” where a text belongs")
    identity = id_of(pair)
    reading = QuestionReading(ref, text_of(pair, "max"), sorted_by=sorted_by_of(pair))
    verdict = judge(text_of(pair, "hyp"), [reading], rules, truth_of(pair, "yes_no")).verdict
    return {"id": identity, "verdict": verdict.outcome, "reason": verdict.reason}
