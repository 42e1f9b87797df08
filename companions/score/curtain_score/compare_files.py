"""`curtain compare`: two files."""

from __future__ import annotations

from pathlib import Path

from curtain.base.input_file import read_input
from curtain.base.terminal import Say, print_json, print_line
from curtain.cas.errors import CasError
from curtain.cas.options import sort_keys
from curtain.cas.scoring.readings import ComparisonRules, QuestionReading, judge
from curtain.cas.verdict import ANSWERED_NOTHING, CORRECT, INCORRECT, MALFORMED, UNDECIDED, Verdict
from curtain_score.files.json_lines import BadFile

# 2 is free for bad input, so a script can distinguish a wrong answer from an unreadable file.
EXIT_CODES = {CORRECT: 0, INCORRECT: 1, MALFORMED: 1, ANSWERED_NOTHING: 3, UNDECIDED: 4}
BAD_INPUT = 2


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
        # A hypothesis that is no text is the system's fault, so it is a verdict and not bad input.
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
            f"There is no file {path}. “curtain compare” takes two files: write each answer into one."
        ) from error
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from error
