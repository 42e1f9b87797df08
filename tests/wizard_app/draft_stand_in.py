"""A stand-in for the NL tool: it drafts what it is told to, when it is told to, and remembers what it was asked."""

from collections.abc import Callable, Set
from concurrent.futures import Future
from pathlib import Path

from curtain.domain.pack.pack import Pack
from curtain.domain.wire import Result
from curtain.session.study.study import Study
from curtain_drafts.desk.start import KeptInStudy
from curtain_drafts.drafting.values import Chip, Draft, Example, Request, Value
from curtain_drafts.tool.service import Spent, Standing

More = Callable[[tuple[Draft, ...]], None]
WOMEN = "SELECT count(*) FROM employee WHERE sex = 'F'"
MEN = "SELECT count(*) FROM employee WHERE sex = 'M'"


class DraftStandIn:
    """Answers at once from `drafts`, or, `slow`, when `answer` is called."""

    def __init__(self, *drafts: Draft, slow: bool = False) -> None:
        self.by_question: dict[str, tuple[Draft, ...]] = {}
        self.drafts = drafts
        self.slow = slow
        self.asked: list[Request] = []
        self.waiting: list[tuple[Request, Future[tuple[Draft, ...]]]] = []
        self.more: list[More] = []
        self.previewed: list[tuple[str, Future[Result]]] = []
        self.learnt: list[Example] = []
        self.withdrawn: list[str] = []
        self.closed = False
        self.spent = Spent()

    def draft(self, request: Request, on_more: More | None = None) -> Future[tuple[Draft, ...]]:
        self.asked.append(request)
        future: Future[tuple[Draft, ...]] = Future()
        self.waiting.append((request, future))
        if on_more is not None:
            self.more.append(on_more)
        if not self.slow:
            self.answer()
        return future

    def answer(self, at: int = -1) -> None:
        request, future = self.waiting[at]
        future.set_result(self.by_question.get(request.question, self.drafts))

    def preview(self, sql: str, yes_no: bool = False) -> Future[Result]:
        future: Future[Result] = Future()
        self.previewed.append((sql, future))
        if not self.slow:
            rows = [["101203"], ["101204"]]
            future.set_result(Result(sql=sql, yes_no=yes_no, total=512, headings=["Flight"], rows=rows))
        return future

    def learn(self, *examples: Example) -> None:
        self.learnt += examples

    def withdraw(self, example_id: str) -> None:
        self.withdrawn.append(example_id)

    def close(self) -> None:
        self.closed = True


class Kept:
    """What a study would keep of the examples that were withdrawn."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.withdrawn: frozenset[str] = frozenset()
        self.learned: frozenset[str] = frozenset()

    def kept_back(self, utterances: Set[str]) -> frozenset[str]:
        return frozenset()

    def withdraw(self, example: Example, who: str, back: bool = False) -> None:
        (self.ids.remove if back else self.ids.append)(example.id)


class Drafting:
    """Starts the stand-in in place of the NL tool; it is ready at once, or, `slow`, when `on_standing` says so."""

    def __init__(self) -> None:
        self.tool = DraftStandIn()
        self.kept = Kept()
        self.keep: Callable[[Study], KeptInStudy] = lambda study: self.kept
        self.slow = False
        self.on_standing: Callable[[Standing], None] = lambda standing: None

    def __call__(
        self,
        study: Study,
        pack: Pack,
        database: Path,
        on_problem: Callable[[str], None],
        on_standing: Callable[[Standing], None],
    ) -> tuple[DraftStandIn, KeptInStudy]:
        self.on_standing = on_standing
        if not self.slow:
            on_standing(Standing(ready=True))
        return self.tool, self.keep(study)


def city(start: int, end: int, said: str, name: str, *others: str) -> Chip:
    return Chip(start, end, said, "city", _city(name), tuple(_city(one) for one in others))


def _city(name: str) -> Value:
    return Value("city.city_name", name, name.title())
