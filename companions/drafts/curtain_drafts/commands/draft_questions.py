"""`curtain draft` from its arguments to its exit code: drafts for one question or for a file of them.

Our own drafter works in this process; where a study names others, all are asked as a wizard's station asks them.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError
from curtain.base.privacy import own_cache
from curtain.base.progress_bar import Report, progress_bar
from curtain.base.terminal import print_error, print_json, print_line
from curtain.domain.pack.pack import Pack, database
from curtain_drafts.drafting.values import LEAST_SURE, Asked, Draft, Example, Reading, Request
from curtain_drafts.tool.service import DraftService, DraftSettings, Standing
from curtain_drafts.tool.serving.checks import Checks, sanitized
from curtain_drafts.tool.serving.pending_request import merge
from curtain_drafts.tool.serving.settings import OURS
from curtain_drafts.tool.store import BadExamples, pack_examples, read_examples, read_lines, read_previous, together

_MOST = 50


@dataclass(frozen=True)
class QuestionLine:
    """One line of a file of questions; `id` is whatever the line has, or its number."""

    id: Any
    question: str
    previous: tuple[Asked, ...] = ()
    scenario: str = ""


def store(pack: Pack, files: Iterable[Path] = (), study: Iterable[Example] | None = None) -> list[Example]:
    """What the command's drafts rest on: a study's store or the pack's examples, and files. Raises PackError,
    BadExamples."""
    from_files = (example for path in files for example in read_examples(path))
    return together(pack_examples(pack) if study is None else study, from_files)


def read_questions(path: Path) -> list[QuestionLine]:
    """The questions of a file of JSON lines `{id, question}`; each may have `previous` and `scenario`.

    Raises BadExamples.
    """
    return [_question(path, number, line) for number, line in read_lines(path)]


def draft_one(
    pack: Pack,
    examples: Sequence[Example],
    question: QuestionLine,
    n: int,
    reading: str,
    as_json: bool = False,
    settings: DraftSettings | None = None,
) -> int:
    """Prints the drafts of one question, best first; of our own drafter, or of those of the settings. Raises
    CurtainError."""
    request = _request(question, n, reading)
    with progress_bar() as report, drafting(pack, examples, settings, report) as ask:
        drafts = ask(request)
    if as_json:
        print_json({"question": question.question, "drafts": [_full(draft) for draft in drafts]})
    else:
        _print(drafts)
    return 0


def draft_all(
    pack: Pack,
    examples: Sequence[Example],
    questions: Sequence[QuestionLine],
    n: int,
    reading: str,
    settings: DraftSettings | None = None,
) -> int:
    """Prints one JSON object `{id, drafts: [{sql, confidence}]}` a line for each question, with `drafter` where it is
    not ours. Raises CurtainError."""
    requests = [(one.id, _request(one, n, reading)) for one in questions]
    with progress_bar() as report, drafting(pack, examples, settings, report) as ask:
        for number, (name, request) in enumerate(requests, start=1):
            print_json({"id": name, "drafts": [_short(draft) for draft in ask(request)]})
            report("Drafting", number / len(requests))
    return 0


def show_examples(examples: Sequence[Example], as_json: bool = False) -> int:
    """Prints the examples with the ids by which they can be withdrawn."""
    for example in examples if as_json else ():
        print_json({"id": example.id, "question": example.question, "sql": example.sql, "source": example.source})
    for example in () if as_json else examples:
        print_line(f"{example.id}  {' '.join(example.question.split())}\n    {' '.join(example.sql.split())}")
    return 0


Ask = Callable[[Request], Sequence[Draft]]


@contextmanager
def drafting(pack: Pack, examples: Sequence[Example], settings: DraftSettings | None, report: Report) -> Iterator[Ask]:
    """Asks for drafts: of our own drafter, or of those of the settings as a wizard's station does. Raises
    CurtainError."""
    chosen = _by_ours(pack, examples, report) if settings is None else _by_all(pack, examples, settings, report)
    with chosen as ask:
        yield ask


class _Heard:
    """What drafters report while they load and draft, from threads of their own."""

    def __init__(self, report: Report) -> None:
        self.ready = threading.Event()
        self.standing = Standing()
        self._report = report
        self._problems: list[str] = []

    def problem(self, sentence: str) -> None:
        if self.ready.is_set():
            print_error(sentence)
        else:
            self._problems.append(sentence)

    def stands(self, standing: Standing) -> None:
        self.standing = standing
        self._report("Learning the examples", standing.share)
        if standing.settled:
            self.ready.set()

    def wait(self) -> None:
        """Until one can draft. Raises CurtainError if none can."""
        self.ready.wait()
        if self.standing.problem:
            raise CurtainError(" ".join(dict.fromkeys([*self._problems, self.standing.problem])))
        for sentence in self._problems:
            print_error(sentence)


@contextmanager
def _by_all(pack: Pack, examples: Sequence[Example], settings: DraftSettings, report: Report) -> Iterator[Ask]:
    """Drafts as a wizard's station does, but waits for the slowest: nobody's hand is on its way to a number."""
    slowest = max((choice.start_s + choice.limit_s for choice in settings.drafters), default=0.0)
    heard = _Heard(report)
    settings = replace(settings, patience_s=slowest, run_s=max(slowest, settings.run_s))
    path = database(pack, progress=report)
    with closing(DraftService(pack, path, examples, settings, heard.problem, heard.stands)) as service:
        heard.wait()
        yield lambda request: service.draft(request).result()


@contextmanager
def _by_ours(pack: Pack, examples: Sequence[Example], report: Report) -> Iterator[Ask]:
    """Drafts here, in this process; a station's checks and its order come behind it."""
    from curtain_drafts.tool.drafter.local import LocalDrafter
    from curtain_drafts.tool.examples.meaning import meaning_of

    path = database(pack, progress=report)
    drafter = LocalDrafter(pack, path, examples, own_cache(), report, meaning_of())
    with closing(Checks(pack, path, correct=False)) as checks:
        yield lambda request: merge([checks.passed(sanitized(drafter.drafts(request), request))], request.n)


def _request(question: QuestionLine, n: int, reading: str) -> Request:
    if reading not in ("pack", "published"):
        raise CurtainError(f"--reading is “{reading}”, not pack or published.")
    if not 1 <= n <= _MOST:
        raise CurtainError(f"--n is {n}: ask for 1 to {_MOST} drafts.")
    chosen: Reading = "published" if reading == "published" else "pack"
    text = question.question.encode(errors="replace").decode()
    return Request(text, question.previous, reading=chosen, n=n, scenario=question.scenario)


def _question(path: Path, number: int, line: dict[str, Any]) -> QuestionLine:
    place = f"{path} line {number}"
    text = line.get("question")
    if not isinstance(text, str):
        raise BadExamples(f"{place} has no “question”: a line is an object with “id” and “question”.")
    previous = read_previous(place, line.get("previous", line.get("context")))
    return QuestionLine(line.get("id", number), text, previous, str(line.get("scenario") or ""))


def _short(draft: Draft) -> dict[str, Any]:
    row = {"sql": draft.sql, "confidence": round(draft.confidence, 4)}
    return row if draft.drafter == OURS else {**row, "drafter": draft.drafter}


def _full(draft: Draft) -> dict[str, Any]:
    values = [
        {"said": chip.said, "kind": chip.kind, "column": chip.value.column, "value": chip.value.value}
        for chip in draft.chips
    ]
    return {**_short(draft), "because": draft.because, "values": values}


def _print(drafts: Sequence[Draft]) -> None:
    if not any(draft.confidence >= LEAST_SURE for draft in drafts):
        nothing = "No draft: nothing in the question fits a table, a column or an answered question."
        return print_line(f"{nothing} Use other words.")
    for number, draft in enumerate(drafts, start=1):
        whose = f"of {draft.drafter}" if draft.drafter != OURS else ""
        print_line("  ".join(filter(None, [str(number), f"{draft.confidence:.2f}", whose, draft.because])))
        print_line(f"   {draft.sql}")
