"""What the next subject gets: a simulated study, and questions in other words and new ones in one store.

    python bench/draft_study.py [--data FOLDER] [--domains NAME ...] [--write]

Twelve subjects work on the same scenarios of a domain. Each asks every statement of a scenario, in other words than
those before where there are any left, and one question in five is one that is in no scenario; in the loose study it is
half of the statements, and as many others. What the subjects before asked is answered, in its scenario. Subject N is
asked with and without the scenario, and with nothing but words. No weight was fitted on these statements
(`draft_store`). Judged by answers, further columns free. `--write` puts table and picture into docs/.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory

from draft_answers import SURE, Hit, share_text, tried
from draft_data import DATA
from draft_store import REPORTED, Domain, opened, present, stores
from size import sized

from curtain.domain.pack.pack import database
from curtain_drafts.drafting.values import Example, Request
from curtain_drafts.tool.drafter.local import LocalDrafter
from curtain_drafts.tool.examples.meaning import MeaningModel, meaning_of

SUBJECTS = sized((1, 2, 3, 5, 8, 12), (1, 2))
SCENARIOS, STATEMENTS, OTHERS = 6, 5, 0.22
WAYS = ("with the scenario", "without", "by words alone")
# Where a statement has no other wording left, courtesies are put around one.
COURTESIES = ("please tell me {}", "can you tell me {}", "i would like to know {}", "{} please", "okay now {}")
# Published questions, with what is wanted of them.
PUBLISHED = (("geography odd", "75 and 35"), ("atis dev", "–"))
ONE_STORE = (("re-worded", "with meaning"), ("new", "with meaning"))
_FEW = 20
DOCS = Path(__file__).parents[1] / "docs"
Figures = dict[tuple[str, str], list[Hit]]
"""Hits by what was asked and the way."""


@dataclass
class Wordings:
    """The wordings of one statement, each handed out once before any comes in courtesies."""

    examples: Sequence[Example]
    used: int = 0

    def next(self) -> Example:
        """Another one."""
        turn, at = divmod(self.used, len(self.examples))
        self.used += 1
        example = self.examples[at]
        return replace(example, question=COURTESIES[turn % 5].format(example.question)) if turn else example


def subjects(domain: Domain, loose: bool, lot: random.Random) -> Iterator[list[Example]]:
    """What each subject asks, one after the other."""
    wordings = [Wordings(each) for each in domain.statements]
    wordings.sort(key=lambda one: len(one.examples) < 2)
    most = min(SCENARIOS, (len(wordings) - 1) // STATEMENTS) * STATEMENTS
    scenarios, others = [wordings[at : at + STATEMENTS] for at in range(0, most, STATEMENTS)], wordings[most:]
    for _ in range(max(SUBJECTS)):
        asked: list[Example] = []
        for number, scenario in enumerate(scenarios):
            own = lot.sample(scenario, -(-len(scenario) // 2)) if loose else scenario
            more = lot.sample(others, min(len(others), len(own) if loose else round(OTHERS * len(own))))
            asked += [replace(one.next(), scenario=f"s{number}") for one in chain(own, more)]
        yield [replace(one, id=f"{one.id} {at}") for at, one in enumerate(asked)]


def study(domain: Domain, loose: bool, meaning: MeaningModel | None) -> Figures:
    """The drafts for each of SUBJECTS, by its number and the way."""
    answered: list[Example] = []
    figures: Figures = {}
    for number, asked in zip(count(1), subjects(domain, loose, random.Random(4)), strict=False):
        if number in SUBJECTS:
            drafters = [_drafter(domain, answered, model) for model in (meaning, None)]
            alone = [replace(one, scenario="") for one in asked]
            for way, drafter, own in zip(WAYS, (drafters[0], *drafters), (asked, alone, alone), strict=True):
                figures[str(number), way] = _hits(domain, drafter, own)
        answered += [replace(one, id=f"{number} {one.id}") for one in asked]
    return figures


def one_store(domain: Domain, meaning: MeaningModel | None) -> Figures:
    """The drafts for re-worded and for new questions, by the way."""
    figures: Figures = {}
    for way, model in zip(("with meaning", WAYS[2]), (meaning, None), strict=True):
        for store in stores(domain, sized(2, 1)):
            drafter = _drafter(domain, store.answered, model)
            for what, new in (("new" if store.answered else "nothing answered", True), ("re-worded", False)):
                asked = [one for one, is_new in store.asked if is_new == new]
                figures.setdefault((what, way), []).extend(_hits(domain, drafter, asked))
    return figures


def _drafter(domain: Domain, answered: Sequence[Example], meaning: MeaningModel | None) -> LocalDrafter:
    return LocalDrafter(domain.pack, database(domain.pack), answered, None, None, meaning)


def _hits(domain: Domain, drafter: LocalDrafter, asked: Sequence[Example]) -> list[Hit]:
    requests = [(Request(one.question, reading="published", scenario=one.scenario), (one.sql,)) for one in asked]
    return tried(drafter, requests, domain.judge.holds)


def table(rows: Sequence[tuple[str, Figures, Sequence[str], Sequence[str]]]) -> Iterator[str]:
    """A table of Markdown: a row for each set and what was asked there, a column for each way."""
    for title, figures, asked, ways in rows:
        yield f"| {title} | " + " | ".join(ways) + " | sure and wrong |"
        yield "|---" * (len(ways) + 2) + "|"
        for what in asked:
            hits = [figures.get((what, way), []) for way in ways]
            five = [sum(any(hit.right[:5]) for hit in own) for own in hits]
            cells = [
                f"{share_text(sum(hit.first for hit in own), len(own)).strip()} / {100 * n / max(1, len(own)):.0f}"
                for own, n in zip(hits, five, strict=True)
            ]
            sure = [not hit.first for hit in hits[0] if hit.confidence >= SURE]
            yield f"| {what} ({len(hits[0])}) | " + " | ".join(cells) + f" | {sum(sure)} of {len(sure)} |"
        yield ""


def goals(store: Mapping[str, Figures], strict: Figures, loose: Figures) -> Iterator[str]:
    """A table of Markdown: what is wanted at the first draft, and what was measured with the extra `meaning`."""
    foreign = _together(store, lambda name: " " not in name)
    wanted = [("re-worded and new in one store, foreign databases", "84 and 42", foreign, ONE_STORE)]
    wanted += [(f"the same, {name}", wish, store[name], ONE_STORE) for name, wish in PUBLISHED if name in store]
    wanted += [("second and fifth subject of a study", "85 and 93", strict, (("2", WAYS[0]), ("5", WAYS[0]))),
               ("second subject of a loose study", "70", loose, (("2", WAYS[0]),))]  # fmt: skip
    yield "| right at the first draft, % | goal | measured |"
    yield "|---|---|---|"
    for what, wish, figures, keys in wanted:
        hits = [figures.get(key, []) for key in keys]
        shares = (f"{share_text(sum(hit.first for hit in own), len(own)).strip()} of {len(own)}" for own in hits)
        yield f"| {what} | {wish} | {'; '.join(shares)} |"
    sets = [hits for figures in (*store.values(), strict, loose) for hits in figures.values()]
    sure = [[not hit.first for hit in hits if hit.confidence >= SURE] for hits in sets]
    worst = max((own for own in sure if len(own) >= _FEW), key=lambda own: sum(own) / len(own), default=[])
    yield f"| sure and wrong, the worst set with {_FEW} sure drafts | at most 5 | {sum(worst)} of {len(worst)} |"
    yield ""


def picture(figures: Figures) -> str:
    """The share right at the first draft by subject, a line for each way, as SVG."""
    colours = ("#1b6ca8", "#c4622d", "#777777")
    lines = []
    for way, colour, low in zip(WAYS, colours, (0, 20, 40), strict=True):
        points = [(number, figures[str(number), way]) for number in SUBJECTS]
        places = [(60 + 40 * n, 260 - 2.2 * 100 * sum(hit.first for hit in own) / len(own)) for n, own in points]
        lines.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="'
                     + " ".join(f"{x},{y:.1f}" for x, y in places) + '"/>')  # fmt: skip
        lines += [f'<circle cx="{x}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]
        lines.append(f'<text x="380" y="{200 + low}" fill="{colour}">{way}</text>')
    for share in range(0, 101, 20):
        y = 260 - 2.2 * share
        lines.append(f'<line x1="60" x2="560" y1="{y:.0f}" y2="{y:.0f}" stroke="#dddddd"/>')
        lines.append(f'<text x="52" y="{y + 4:.0f}" text-anchor="end">{share} %</text>')
    lines += [f'<text x="{60 + 40 * n}" y="280" text-anchor="middle">{n}</text>' for n in SUBJECTS]
    lines.append('<text x="310" y="300" text-anchor="middle">subject</text>')
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 310" font-family="sans-serif" font-size="13">'
    return "\n".join([head, '<rect width="600" height="310" fill="white"/>', *lines, "</svg>", ""])


def written(page: str, lines: Sequence[str]) -> str:
    """The page with these lines between its marks."""
    marks = "<!-- bench/draft_study.py -->", "<!-- end -->"
    return re.sub(f"(?s){marks[0]}.*?{marks[1]}", lambda _: "\n".join([marks[0], *lines, marks[1]]), page)


def _together(many: Mapping[str, Figures], keep: Callable[[str], bool] = lambda name: True) -> Figures:
    figures: Figures = {}
    for name, own in many.items():
        for key, hits in own.items() if keep(name) else ():
            figures.setdefault(key, []).extend(hits)
    return figures


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--domains", nargs="*", default=sized(list(REPORTED), ["kennel"]))
    parser.add_argument("--write", action="store_true", help="put table and picture into docs/")
    options = parser.parse_args()
    meaning = meaning_of()
    store, strict, loose = dict[str, Figures](), dict[str, Figures](), dict[str, Figures]()
    with TemporaryDirectory() as folder:
        for name in present(options.domains, options.data):
            domain = opened(name, options.data, Path(folder))
            store[name] = one_store(domain, meaning)
            strict[name], loose[name] = study(domain, False, meaning), study(domain, True, meaning)
            domain.judge.close()
            print(f"{name} is measured", file=sys.stderr, flush=True)
    kinds, ways = ("re-worded", "new", "nothing answered"), ("with meaning", WAYS[2])
    asked = [str(number) for number in SUBJECTS]
    lines = [*goals(store, _together(strict), _together(loose)), *table([
        ("one store, foreign databases", _together(store, lambda name: " " not in name), kinds, ways),
        *((f"one store, {name}", store[name], kinds, ways) for name in store if " " in name),
        ("study, subject", _together(strict), asked, WAYS), ("loose study, subject", _together(loose), asked, WAYS),
    ])]  # fmt: skip
    print("\n".join(lines))
    if options.write:
        page = DOCS / "drafting.md"
        page.write_text(written(page.read_text("utf-8"), lines), "utf-8")
        (DOCS / "pictures" / "drafts-study.svg").write_text(picture(_together(strict)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
