"""How often the NL tool's drafts are right, how fast they come, and how sure they are.

    python bench/draft.py [--data FOLDER] [--out FOLDER] [--only PART ...] [--sample N]

PART is any of: foreign, atis, query-split, shipped, curve, geography, personnel, and, only if it is named, since it
learns for half an hour, held-back. Judged by answers: a draft is right if it answers as the reference SQL does on two
databases of different seeds, or, where these answers are empty, if it is the same SQL. Most questions are no part of
the project; where the folder is absent, what needs them is skipped.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir

import numpy as np
import platformdirs
import sqlglot
from draft_answers import Judge
from draft_data import Asked, read, some
from draft_foreign import foreign
from size import sized

from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.drafting.drafter.local import LocalDrafter
from curtain.drafting.store import pack_examples
from curtain.drafting.values import Draft, Example, Request

PARTS = ("foreign", "atis", "query-split", "shipped", "curve", "geography", "personnel")
HELD_BACK = "held-back"
TENTHS = 6
SEEDS = (101, 202)
CURVE = (100, 400, 1600)
YARDSTICK = """SELECT DISTINCT f.flight_id FROM flight f JOIN airport_service a ON f.from_airport = a.airport_code
JOIN city c ON a.city_code = c.city_code JOIN airport_service b ON f.to_airport = b.airport_code
JOIN city d ON b.city_code = d.city_code WHERE c.city_name = 'BOSTON' AND d.city_name = 'DENVER'
AND f.departure_time BETWEEN 600 AND 1200"""


@dataclass(frozen=True)
class Outcome:
    """One question: whether each of its drafts is right, the confidence of the first, milliseconds of clock and of
    processor time, and those that the yardstick took just before."""

    asked: Asked
    right: tuple[bool, ...]
    confidence: float
    ms: float
    cpu_ms: float
    yardstick_ms: float

    @property
    def first(self) -> bool:
        """Right at the first draft."""
        return self.right[:1] == (True,)

    @property
    def five(self) -> bool:
        """Right within five."""
        return any(self.right[:5])


@dataclass(frozen=True)
class Bench:
    """Where things are."""

    data: Path
    out: Path
    work: Path
    sample: int


def wilson(hits: int, many: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a share, 95 %."""
    if not many:
        return 0.0, 1.0
    share, square = hits / many, z * z / many
    middle = (share + square / 2) / (1 + square)
    half = z * math.sqrt(share * (1 - share) / many + square / (4 * many)) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def show_figures(what: str, outcomes: Sequence[Outcome], first: float = 0, five: float = 0) -> None:
    """One line of figures, with what is to be reached."""
    print(f"{what:34} {len(outcomes):4}   first {_share(outcomes, lambda one: one.first, first)}", end="")
    print(f"   within five {_share(outcomes, lambda one: one.five, five)}", flush=True)


def _share(outcomes: Sequence[Outcome], hit: Callable[[Outcome], bool], wanted: float) -> str:
    return share_text(sum(map(hit, outcomes)), len(outcomes), wanted)


def share_text(hits: int, many: int, wanted: float = 0) -> str:
    """A share in per cent with its interval, and what is to be reached."""
    low, high = wilson(hits, many)
    goal = f", to reach {wanted:.0f}" if wanted else ""
    return f"{100 * hits / max(1, many):5.1f} % ({100 * low:.1f} to {100 * high:.1f}{goal})"


def tried(drafter: LocalDrafter, questions: Iterable[Asked], judge: Judge) -> list[Outcome]:
    """Every question drafted, and then judged: the process in which a drafter runs does nothing else either."""
    # As it is done there.
    gc.freeze()
    timed = [_timed(drafter, asked) for asked in questions]
    gc.unfreeze()
    return [
        replace(outcome, right=tuple(judge.right(draft.sql, outcome.asked.sql) for draft in drafts))
        for outcome, drafts in timed
    ]


def _timed(drafter: LocalDrafter, asked: Asked) -> tuple[Outcome, Sequence[Draft]]:
    yardstick_ms = _yardstick_ms()
    began, cpu = time.perf_counter(), time.process_time()
    drafts = drafter.drafts(Request(asked.question, reading="published"))
    ms, cpu_ms = 1000 * (time.perf_counter() - began), 1000 * (time.process_time() - cpu)
    return Outcome(asked, (), drafts[0].confidence if drafts else 0.0, ms, cpu_ms, yardstick_ms), drafts


def _yardstick_ms() -> float:
    """How fast this machine is at this moment: the same Python work each time."""
    began = time.perf_counter()
    sqlglot.parse_one(YARDSTICK, read="duckdb")
    return 1000 * (time.perf_counter() - began)


def drafter_of(bench: Bench, pack: Pack, path: Path, examples: Sequence[Example]) -> LocalDrafter:
    """A drafter, and how long it took to be there."""
    began = time.perf_counter()
    drafter = LocalDrafter(pack, path, examples, bench.work / "learned")
    print(f"  store of {len(examples):,} there in {time.perf_counter() - began:.1f} s", flush=True)
    return drafter


def atis(bench: Bench) -> None:
    """The training questions as the store, dev as the test; faulty questions apart."""
    pack, judge = _atis_judge(bench)
    train, dev = read(bench.data / "atis_train.jsonl.gz"), _some(bench, read(bench.data / "atis_dev.jsonl.gz"))
    examples = [asked.example for asked in train]
    drafter_of(bench, pack, judge.databases[0], examples)
    drafter = drafter_of(bench, pack, judge.databases[0], examples)
    outcomes = tried(drafter, dev, judge)
    clean = [one for one in outcomes if not one.asked.faulty]
    show_figures("ATIS, clean", clean, 85, 93)
    show_figures("  the same, any SQL published", [_again(one, drafter, judge.right_by_any) for one in clean])
    show_figures("ATIS, weekday on a false date", [one for one in outcomes if one.asked.faulty])
    show_figures("ATIS, all", outcomes, 80, 88)
    _show_times(outcomes)
    _show_confidence(outcomes)
    judge.close()


def query_split(bench: Bench) -> None:
    """Shapes of SQL that the store does not have: the part for development, and the one for testing. Some shapes have
    many questions, one of the former 26 of 93, so a second line counts each shape once."""
    pack, judge = _atis_judge(bench)
    every = [*read(bench.data / "atis_train.jsonl.gz"), *read(bench.data / "atis_dev.jsonl.gz")]
    store = [asked.example for asked in every if asked.query_split == "train"]
    drafter = drafter_of(bench, pack, judge.databases[0], store)
    for part, first, five in (("dev", 50, 60), ("test", 0, 0)):
        outcomes = tried(drafter, _some(bench, [a for a in every if a.query_split == part]), judge)
        show_figures(f"ATIS, shapes never seen, {part}", outcomes, first, five)
        _show_by_shape(outcomes)
    judge.close()


def held_back(bench: Bench) -> None:
    """Tenths of the training questions in turn, asked of what the other nine taught: five times as many questions as
    dev has, for a figure whose chance is smaller."""
    pack, judge = _atis_judge(bench)
    train = read(bench.data / "atis_train.jsonl.gz")
    order = some(train, len(train))
    outcomes: list[Outcome] = []
    for tenth in range(TENTHS):
        held = {asked.id for asked in order[tenth::10]}
        store = [asked.example for asked in train if asked.id not in held]
        drafter = drafter_of(bench, pack, judge.databases[0], store)
        outcomes += tried(drafter, [one for one in train if one.id in held and not one.faulty], judge)
        show_figures(f"ATIS, clean, {tenth + 1} of 10 held back", outcomes)
    judge.close()


def _show_by_shape(outcomes: Sequence[Outcome]) -> None:
    shapes: dict[str, list[Outcome]] = {}
    for one in outcomes:
        shapes.setdefault(one.asked.shape, []).append(one)
    first, five = (
        100 * sum(sum(map(hit, own)) / len(own) for own in shapes.values()) / max(1, len(shapes))
        for hit in (lambda one: one.first, lambda one: one.five)
    )
    largest = max(map(len, shapes.values()), default=0)
    print(f"  each of the {len(shapes)} shapes once: first {first:.1f} %, within five {five:.1f} %; largest {largest}")


def shipped(bench: Bench) -> None:
    """Only the examples of the pack as the store. They show the key beside an attribute, as the rules of 1992 want it,
    and their year is 1992; the published SQL has the attribute alone, and 1991."""
    pack, judge = _atis_judge(bench)
    drafter = drafter_of(bench, pack, judge.databases[0], own_examples(pack))
    outcomes = tried(drafter, _some(bench, read(bench.data / "atis_dev.jsonl.gz")), judge)
    show_figures("ATIS, shipped examples alone", outcomes, 60)
    free = [_again(one, drafter, lambda sql, asked: judge.holds(sql, asked.sql)) for one in outcomes]
    show_figures("  the same, further columns free", free)
    judge.close()


def _again(outcome: Outcome, drafter: LocalDrafter, right: Callable[[str, Asked], bool]) -> Outcome:
    """The outcome where other drafts than before count as right, too."""
    if outcome.first:
        return outcome
    drafts = drafter.drafts(Request(outcome.asked.question, reading="published"))
    every = (known or right(draft.sql, outcome.asked) for draft, known in zip(drafts, outcome.right, strict=True))
    return replace(outcome, right=tuple(every))


def curve(bench: Bench) -> None:
    """Right by the number of examples, printed and drawn."""
    pack, judge = _atis_judge(bench)
    train, dev = read(bench.data / "atis_train.jsonl.gz"), _some(bench, read(bench.data / "atis_dev.jsonl.gz"))
    points = []
    for many in (*CURVE, len(train)):
        drafter = drafter_of(
            bench,
            pack,
            judge.databases[0],
            [asked.example for asked in (some(train, many) if many < len(train) else train)],
        )
        outcomes = tried(drafter, dev, judge)
        show_figures(f"ATIS, {many:,} examples", outcomes)
        points.append((many, outcomes))
    _draw(bench.out / "draft-curve.svg", points)
    judge.close()


def geography(bench: Bench) -> None:
    """A domain that is not ours, its pack as `curtain domain new` makes it."""
    pack = load_pack(_new_pack(bench))
    judge = Judge(pack, [database(pack)], bench.work / "answers-geography.msgpack")
    store = [asked.example for asked in read(bench.data / "geography_train.jsonl.gz")]
    drafter = drafter_of(bench, pack, judge.databases[0], store)
    show_figures("geography", tried(drafter, read(bench.data / "geography_dev.jsonl.gz"), judge), 65, 80)
    judge.close()


def personnel(bench: Bench) -> None:
    """Paraphrases that were written after the examples and are not in the store."""
    pack = load_pack("personnel")
    databases = [database(pack, seed=seed) for seed in SEEDS]
    judge = Judge(pack, [database(pack), *databases], bench.work / "answers-personnel.msgpack")
    lines = (Path(__file__).parent / "personnel_paraphrases.jsonl").read_text("utf-8").splitlines()
    asked = [Asked(str(n), one["question"], one["sql"], "", "", False) for n, one in enumerate(map(json.loads, lines))]
    drafter = drafter_of(bench, pack, judge.databases[0], own_examples(pack))
    show_figures("personnel, paraphrases", tried(drafter, asked, judge), 80)
    judge.close()


def own_examples(pack: Pack) -> list[Example]:
    """The examples that come with a pack."""
    return pack_examples(pack)


def _some(bench: Bench, questions: list[Asked]) -> list[Asked]:
    return some(questions, bench.sample) if bench.sample else questions


def _atis_judge(bench: Bench) -> tuple[Pack, Judge]:
    pack = load_pack("atis")
    databases = [database(pack, seed=seed) for seed in SEEDS]
    return pack, Judge(pack, databases, bench.work / "answers-atis.msgpack")


def _new_pack(bench: Bench) -> Path:
    folder = bench.work / "geography"
    if not (folder / "domain.toml").exists():
        order = ["domain", "new", str(bench.data / "geography"), "--out", str(folder)]
        subprocess.run([sys.executable, "-m", "curtain", *order], check=True, stdout=subprocess.DEVNULL)
    return folder


def _show_times(outcomes: Sequence[Outcome]) -> None:
    clock = np.percentile([one.ms for one in outcomes], [50, 95])
    cpu = np.percentile([one.cpu_ms for one in outcomes], [50, 95])
    print(f"  ranked SQL in {clock[0]:.0f} ms, at the 95th percentile {clock[1]:.0f} ms, to reach 50", end="")
    print(f" (processor time {cpu[0]:.0f} and {cpu[1]:.0f} ms)", flush=True)
    yardstick = np.median([one.yardstick_ms for one in outcomes])
    print(f"  beside it sqlglot parsed a statement of five tables in {yardstick:.2f} ms:", end="")
    print(f" a draft takes {clock[0] / yardstick:.1f} and {clock[1] / yardstick:.1f} such parses", flush=True)


def _show_confidence(outcomes: Sequence[Outcome]) -> None:
    surest = sorted(outcomes, key=lambda one: -one.confidence)[: len(outcomes) // 2]
    hits = sum(one.first for one in surest)
    low, high = wilson(hits, len(surest))
    print(
        f"  the surer half (confidence {surest[-1].confidence:.2f} and more): {100 * hits / len(surest):.1f} % right",
        end="",
    )
    print(f" ({100 * low:.1f} to {100 * high:.1f}), to reach 97", flush=True)
    for start in (0.0, 0.2, 0.4, 0.6, 0.8, 0.9):
        end = {0.8: 0.9, 0.9: 1.01}.get(start, start + 0.2)
        group = [one for one in outcomes if start <= one.confidence < end]
        if group:
            said = 100 * sum(one.confidence for one in group) / len(group)
            right = 100 * sum(one.first for one in group) / len(group)
            span = f"{start:.1f} to {min(end, 1):.1f}"
            print(f"    confidence {span}: {len(group):3} questions, said {said:.0f} %, right {right:.0f} %")


def _draw(path: Path, points: Sequence[tuple[int, Sequence[Outcome]]]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5, 3.2))
    for label, hit in (("first draft", Outcome.first), ("within five", Outcome.five)):
        shares = [100 * sum(hit.fget(one) for one in outcomes) / len(outcomes) for _, outcomes in points]  # type: ignore[attr-defined]
        axes.plot([many for many, _ in points], shares, marker="o", label=label)
    axes.set(xscale="log", xlabel="answered questions in the store", ylabel="right, %", ylim=(0, 100))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, bbox_inches="tight")
    print(f"  drawn in {path}")


def main() -> int:
    """Runs the parts asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--out", type=Path, default=Path(gettempdir()))
    parts = sized(list(PARTS), ["foreign", "personnel"])
    parser.add_argument("--only", nargs="*", choices=(*PARTS, HELD_BACK), default=parts)
    parser.add_argument("--sample", type=int, default=sized(0, 2), help="only so many questions of each")
    parser.add_argument("--show", action="store_true", help="show what is missed in foreign databases")
    options = parser.parse_args()
    bench = Bench(options.data, options.out, platformdirs.user_cache_path("curtain") / "bench-draft", options.sample)
    runs = {"atis": atis, "query-split": query_split, "shipped": shipped, "curve": curve, "geography": geography}
    runs |= {HELD_BACK: held_back}
    for part in options.only:
        if part == "personnel":
            personnel(bench)
        elif part == "foreign":
            foreign(share_text, options.show)
        elif options.data.is_dir():
            runs[part](bench)
        else:
            print(f"{part}: skipped, the questions are not in {options.data}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
