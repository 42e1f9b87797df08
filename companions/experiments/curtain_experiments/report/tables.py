"""The figures of a report as tables and sentences. Rounding happens here and nowhere before."""

import math
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from curtain.base.plural import count_of
from curtain_experiments.report.experiment import Experiment
from curtain_experiments.runs.comparison import Comparison, MeasureContrast
from curtain_experiments.runs.measures import ALL, Cell, mean_and_deviation
from curtain_experiments.runs.rerandomisation import Rerandomised
from curtain_experiments.runs.run import RunRecord, grouped
from curtain_score.files.json_lines import shown_id
from curtain_score.score_tables import DASH, TextTable, bounds, p_figure, p_value, rounded

_MAY_BE_EMPTY = ("condition", "asked", "95 %", "SD")


@dataclass(frozen=True)
class Linked:
    """A table, and for each row the anchor of the runs behind it, "" for none."""

    table: TextTable
    anchors: tuple[str, ...] = ()


def cell_anchor(scenario: str, condition: str) -> str:
    """The anchor of the runs of one scenario under one condition."""
    # Percent-encoding leaves any name usable in an address.
    from urllib.parse import quote

    return f"runs-{quote(scenario, safe='')}-{quote(condition, safe='')}"


def flow_sentence(experiment: Experiment) -> str:
    """Who was recruited, who ran, who is analysed, and why the others are not."""
    flow = experiment.flow
    reasons = "; ".join(f"{reason}: {count}" for reason, count in flow.excluded)
    recruited = "" if flow.recruited is None else f"{count_of(flow.recruited, 'subject')} recruited; "
    text = f"{recruited}{count_of(flow.ran, 'subject')} ran, {flow.analysed} analysed"
    return f"{text} (left out: {reasons})." if reasons else f"{text}."


def flow_table(experiment: Experiment) -> TextTable:
    """The same as a table, and how many runs were planned and are analysed."""
    flow, runs = experiment.flow, Counter(run.excluded for run in experiment.runs if run.excluded)
    subjects = dict(flow.excluded)
    rows = (
        *(() if flow.recruited is None else (("recruited", str(flow.recruited), ""),)),
        ("ran", str(flow.ran), str(len(experiment.runs))),
        *(
            (f"left out: {shown_id(reason)}", str(subjects.get(reason, 0)), str(runs[reason]))
            for reason in dict.fromkeys((*subjects, *runs))
        ),
        *(() if flow.planned is None else (("planned for those analysed", "", str(flow.planned)),)),
        ("analysed", str(flow.analysed), str(flow.runs)),
    )
    return TextTable("flow", "Flow of subjects", ("", "subjects", "runs"), rows)


def tables_of(experiment: Experiment) -> dict[str, Linked]:
    """The tables by name, in the order of the page."""
    tables = {
        "results": _results(experiment.cells),
        "measures": _spread(experiment.cells),
        "systems": _systems(experiment.cells),
        "queries": _queries(experiment.cells),
        "scores": _scores(experiment),
        "latency": _latency(experiment),
    }
    return {
        name: replace(one, table=_without_empty_columns(one.table)) for name, one in tables.items() if one.table.rows
    }


def printed_tables(experiment: Experiment) -> list[TextTable]:
    """All tables for a typesetter, with names that stand once."""
    compared = [
        replace(table, name=table.name if not number else f"{table.name}-{number + 1}")
        for number, comparison in enumerate(experiment.comparisons)
        for table in (contrast_table(comparison, experiment.declaration.analysis.alpha), scenario_table(comparison))
        if table.rows
    ]
    others = (linked.table for linked in tables_of(experiment).values())
    return [flow_table(experiment), *compared, *others]


def _without_empty_columns(table: TextTable) -> TextTable:
    """Without the columns that a small or simple study cannot fill: conditions, intervals, deviations."""
    kept = [
        place
        for place, heading in enumerate(table.headings)
        if heading not in _MAY_BE_EMPTY or any(row[place] != DASH for row in table.rows)
    ]
    return replace(
        table,
        headings=tuple(table.headings[place] for place in kept),
        rows=tuple(tuple(row[place] for place in kept) for row in table.rows),
        labels=sum(place < table.labels for place in kept),
    )


def _name(name: str) -> str:
    return shown_id(name) if name else DASH


Column = tuple[str, Callable[[Cell], str]]
_CONDITION: Column = ("condition", lambda cell: _name(cell.condition))
_SCENARIO: tuple[Column, ...] = (("scenario", lambda cell: shown_id(cell.scenario)), _CONDITION)
_RUNS: Column = ("runs", lambda cell: str(len(cell.runs)))


def _mean_of(name: str, heading: str, places: int = 1) -> tuple[Column, Column, Column]:
    """The mean of a measure, its interval and its deviation."""
    return (
        (heading, lambda cell: rounded(getattr(cell, name).mean, places)),
        ("95 %", lambda cell: bounds(getattr(cell, name).interval)),
        ("SD", lambda cell: rounded(getattr(cell, name).deviation, places)),
    )


_MEANS = (_mean_of("time", "time s", 0)[0], _mean_of("queries", "queries")[0])


def _share_of(name: str, heading: str) -> tuple[Column, Column]:
    """A percentage and its interval."""
    return (
        (heading, lambda cell: rounded(getattr(cell, name).percent, 0)),
        ("95 %", lambda cell: bounds(getattr(cell, name).interval)),
    )


def _of_cells(name: str, title: str, cells: Sequence[Cell], *columns: Column) -> Linked:
    """A row a cell, with the anchor of its runs."""
    headings, values = zip(*columns, strict=True)
    rows = tuple(tuple(of(cell) for of in values) for cell in cells)
    anchors = ("" if cell.scenario == ALL else cell_anchor(cell.scenario, cell.condition) for cell in cells)
    return Linked(TextTable(name, title, headings, rows, labels=2), tuple(anchors))


def _results(cells: Sequence[Cell]) -> Linked:
    """Table 4, in the columns of the paper."""
    shares = (_share_of("stated", "solution %")[0], _share_of("solved", "correct solution %")[0])
    queries = ((name, f"{name.replace('_', ' ')} %") for name in ("correct", "incorrect", "no_answer"))
    of_queries = (*(_share_of(*one)[0] for one in queries), _share_of("score", "score")[0])
    return _of_cells("results", "Results by scenario and condition", cells, *_SCENARIO, *shares, *_MEANS, *of_queries)


def _spread(cells: Sequence[Cell]) -> Linked:
    """Table 2: mean, standard deviation and n."""
    first = _mean_of("first_solution", "first solution s")[::2]
    times, queries = _mean_of("time", "time s"), _mean_of("queries", "queries")
    return _of_cells("measures", "Times and queries", cells, *_SCENARIO, _RUNS, *times, *first, *queries)


def _systems(cells: Sequence[Cell]) -> Linked:
    """The left half of table 4 with intervals: solutions, time, queries."""
    shares = (*_share_of("stated", "solution %"), *_share_of("solved", "correct %"))
    return _of_cells("systems", "Solutions by scenario", cells, *_SCENARIO, _RUNS, *shares, *_MEANS)


def _queries(cells: Sequence[Cell]) -> Linked:
    """The right half of table 4 with intervals: what became of the queries, and the score."""
    asked: Column = ("queries", lambda cell: rounded(math.fsum(run.queries or 0 for run in cell.runs), 0))
    judged: Column = ("in percentages", lambda cell: rounded(cell.no_answer.total or None, 0))
    right = (*_share_of("correct", "correct %"), _share_of("partial", "partial %")[0])
    others = (*_share_of("incorrect", "incorrect %"), *_share_of("no_answer", "no answer %"))
    # A scenario in which nobody asked stands there too: its absence would read as an oversight.
    lines = cells if any(cell.no_answer.total or cell.correct.total for cell in cells) else []
    columns = (*_SCENARIO, asked, judged, *right, *others, *_share_of("score", "score"))
    return _of_cells("queries", "Queries by scenario", lines, *columns)


def _scores(experiment: Experiment) -> Linked:
    """Questionnaires: mean and standard deviation over sessions, each counted once."""
    rows = []
    for name in sorted({name for run in experiment.analysed for name in run.scores}):
        scored = [(run.condition, (run.group, run.session), run.scores[name]) for run in experiment.analysed
                  if name in run.scores]  # fmt: skip
        conditions, asked = dict.fromkeys(condition for condition, _, _ in scored), "after a scenario"
        if len(conditions) > 1 and len({one[1:] for one in scored}) == len({session for _, session, _ in scored}):
            # Asked once a session, it says nothing about one condition.
            scored = [("all", session, score) for _, session, score in scored]
            conditions, asked = {"all": None}, "once a session"
        for condition in conditions:
            by_session = {session: score for under, session, score in scored if under == condition}
            mean, spread = mean_and_deviation(list(by_session.values()))
            rows.append((name, asked, condition or DASH, str(len(by_session)), rounded(mean), rounded(spread)))
    headings = ("score", "asked", "condition", "n", "mean", "SD")
    return Linked(TextTable("scores", "Questionnaires", headings, tuple(rows), labels=3))


def _latency(experiment: Experiment) -> Linked:
    rows = []
    # A typed query spares the wizard the writing down: its waits are not those of a spoken one.
    for (condition, asked), runs in grouped(experiment.analysed, lambda run: (run.condition, _asked(run))).items():
        for who, name in (("wizard", "wizard_latency_s"), ("system", "system_latency_s")):
            known = array("d", (value for run in runs if (value := getattr(run, name)) is not None))
            if known:
                mean, spread = mean_and_deviation(known)
                rows.append((condition or DASH, asked, who, str(len(known)), rounded(mean), rounded(spread)))
    headings = ("condition", "asked", "who answers", "runs", "mean s", "SD")
    title = "From the release of the key, or from Enter, to the answer"
    return Linked(TextTable("latency", title, headings, tuple(rows), labels=3))


def _asked(run: RunRecord) -> str:
    """How the queries of a run were asked, where some were typed."""
    return DASH if not run.typed else "typed" if run.typed == run.queries else "spoken and typed"


# -- comparison -----------------------------------------------------------------------------------------


def contrast_table(comparison: Comparison, alpha: float) -> TextTable:
    """One line a measure: both means, their difference with its interval, and the p of the same re-randomisation."""
    first, second = shown_id(comparison.first), shown_id(comparison.second)
    headings = (
        "measure",
        first,
        second,
        "difference",
        f"{_level(alpha)} interval",
        "p",
        f"runs: {first}",
        f"runs: {second}",
    )
    rows = []
    for contrast in comparison.contrasts:
        name, p = measure_name(contrast), p_figure(contrast.test.p if contrast.test else None)
        means = map(rounded, (contrast.first, contrast.second, contrast.difference))
        rows.append((name, *means, bounds(contrast.interval), p, *map(str, contrast.runs)))
        if other := contrast.sensitivity:
            figures = rounded(other.difference), bounds(contrast.sensitivity_interval)
            rows.append((f"{name}: {SENSITIVITY}", DASH, DASH, *figures, p_figure(other.p), *rows[-1][-2:]))
    return TextTable("contrasts", f"Comparison: {first} minus {second}", headings, tuple(rows))


def measure_name(contrast: MeasureContrast) -> str:
    """With its unit: a difference of percentages is in points."""
    unit = "%" if contrast.unit == "points" else contrast.unit
    return f"{contrast.measure}, {unit}" if unit else contrast.measure


def _level(alpha: float) -> str:
    return f"{rounded(100 * (1 - alpha), 2).rstrip('0').rstrip('.')} %"


def scenario_table(comparison: Comparison) -> TextTable:
    """One line a scenario: correct solutions of both, and their p before and after Holm."""
    first, second = shown_id(comparison.first), shown_id(comparison.second)
    headings = ("scenario", first, second, "difference, percentage points", "p", "p after Holm")
    rows = tuple(
        (
            shown_id(contrast.scenario),
            f"{contrast.first[0]} of {contrast.first[1]}",
            f"{contrast.second[0]} of {contrast.second[1]}",
            rounded(100 * (contrast.first[0] / contrast.first[1] - contrast.second[0] / contrast.second[1]), 0),
            p_figure(contrast.test.p if contrast.test else None),
            p_figure(contrast.holm),
        )
        for contrast in comparison.scenarios
    )
    return TextTable("scenarios", "Correct solutions by scenario", headings, rows)


ESTIMAND = (
    "Every difference between conditions is the mean over all runs under the first minus the mean over all runs under "
    "the second. Percentages of queries are taken over all their queries, so that runs with more queries weigh more. "
    "Scenarios weigh by their number of runs."
)

SENSITIVITY = "sensitivity analysis, each scenario compared with itself"
MIX_DIFFERS = (
    "The mix of scenarios differs between the conditions, since runs are missing or the orders had unequal numbers of "
    "subjects, so that the plain difference also holds some of the difference between scenarios"
)
WHY_SENSITIVITY = "The sensitivity analysis compares each scenario with itself, weighted by n1 n2 / (n1 + n2) runs."


def finding(experiment: Experiment, comparison: Comparison) -> str:
    """What the test of the primary measure showed."""
    primary = experiment.primary(comparison)
    first, second = shown_id(comparison.first), shown_id(comparison.second)
    if primary is None or primary.test is None:
        return f"{first} and {second} cannot be tested: re-randomisation needs two planned orders, and a measure."
    each = f" {'%' if primary.unit == 'points' else primary.unit}".rstrip()
    unit = " percentage points" if primary.unit == "points" else each
    level = _level(experiment.declaration.analysis.alpha)
    interval = f" ({level} interval {bounds(primary.interval)})" if primary.interval else ""
    size = f"{rounded(abs(primary.difference))}{unit} {'lower' if primary.difference < 0 else 'higher'} than"
    if not primary.difference:
        size = "the same as"
    adjusted = "" if comparison.holm is None else f", after Holm over all pairs {p_value(comparison.holm)}"
    p = primary.test.p if comparison.holm is None else comparison.holm
    showed = p <= experiment.declaration.analysis.alpha
    unshown = "The data do not show a difference, nor do they exclude one."
    return (
        f"{primary.measure.capitalize()}: {rounded(primary.first)}{each} with {first}, {size} the "
        f"{rounded(primary.second)}{each} with {second}{interval}; {p_value(primary.test.p)}{adjusted}. "
        + ("The conditions differ." if showed else unshown)
    )


def declaration_sentence(experiment: Experiment) -> str:
    """Which measure was declared, and when; what was not declared before the data is exploratory."""
    declared = experiment.declaration
    analysis = declared.analysis
    if declared.when == "never":
        return "No primary measure was declared before the data were recorded, so all of this is exploratory."
    when = {
        "before": f"Declared before the first session of {declared.day}, and every session carries it. All other "
        "measures are exploratory.",
        "amid": f"Declared while sessions were being recorded: the first with it is {declared.session} of "
        f"{declared.day}. So all of this is exploratory.",
        "after": "Declared after the last session, so all of this is exploratory.",
    }
    secondary = f"; secondary: {', '.join(analysis.secondary)}" if analysis.secondary else ""
    return f"Primary measure: {analysis.primary}{secondary}. {when[declared.when]}"


def comparison_sentences(comparison: Comparison, alpha: float = 0.05) -> list[str]:
    """What the design cannot show, and how many assignments the test goes over."""
    sentences = list(comparison.limits)
    tests = [contrast.test for contrast in comparison.contrasts if contrast.test is not None]
    sentences += _mix_sentences(comparison.contrasts)
    if tests:
        sentences.append(f"Re-randomisation goes over {_ways(tests[0])} assignments of orders to subjects.")
        if all(test.low is None and test.high is None for test in tests):
            sentences.append("So few assignments refute no difference at this alpha, so there are no intervals.")
        # The p of a few assignments come in steps; the largest of them within alpha decides.
        step = comparison.smallest_p
        if tests[0].exact and (reached := math.floor(alpha / step + 1e-9) * step) and alpha - reached > alpha / 10:
            sentences.append(f"So few assignments make the intervals wider: their level is {_level(reached)}.")
        if not comparison.exact:
            sentences.append("The effects of other conditions are estimated and taken out, so these p are approximate.")
        if any(one.interval and one.measure.endswith("solutions") for one in comparison.contrasts):
            sentences.append("The interval shifts every outcome alike, which is only approximate for yes/no outcomes.")
        sentences.append(
            f"{count_of(len(tests), 'measure')} {'was' if len(tests) == 1 else 'were'} tested without adjustment for "
            f"their number. The smallest two-sided p that this design can give is {p_figure(comparison.smallest_p)}."
        )
    if comparison.sign_test is not None:
        sentences.append(f"{_preferences(comparison)}. Sign test of the two, {p_value(comparison.sign_test)}.")
    return sentences


def _mix_sentences(contrasts: Sequence[MeasureContrast]) -> list[str]:
    mix = [f"{MIX_DIFFERS}."] if any(contrast.mix_differs for contrast in contrasts) else []
    return [*mix, *([WHY_SENSITIVITY] if any(contrast.sensitivity for contrast in contrasts) else [])]


def _preferences(comparison: Comparison) -> str:
    answered = sum(comparison.preferred)
    names = (shown_id(comparison.first), shown_id(comparison.second), "neither")
    votes = [(count, name) for count, name in zip(comparison.preferred, names, strict=True) if count]
    answers = ": " + ", ".join(f"{count} for {name}" for count, name in votes)
    if len(votes) == 1:
        answers = f", {'all ' if answered > 1 else ''}for {votes[0][1]}"
    silent = comparison.subjects - answered
    rest = f"; {silent} gave no answer" if silent else ""
    return f"Of {count_of(comparison.subjects, 'subject')} {answered} answered{answers}{rest}"


def _ways(test: Rerandomised) -> str:
    # What was carried out is one of them.
    return f"all {test.assignments:,}" if test.exact else f"{test.assignments - 1:,} randomly drawn"


def methods_paragraph(experiment: Experiment, comparison: Comparison) -> str:
    """For the methods section of a paper: the estimand, the test, the interval, and what was declared."""
    test = next((contrast.test for contrast in comparison.contrasts if contrast.test), None)
    if test is None:
        return ""
    analysis = experiment.declaration.analysis
    seed = "" if test.exact else f" (seed {experiment.seed})"
    others = "" if comparison.exact else ", with the effects of other conditions estimated and removed"
    origin = "planned" if comparison.planned else "inferred"
    mix = "".join(f" {one}" for one in _mix_sentences(comparison.contrasts))
    side = "" if analysis.alternative == "two-sided" else f"; the primary measure one-sided, {analysis.alternative}"
    return (
        f"{count_of(comparison.subjects, 'subject')} worked under {shown_id(comparison.first)} and "
        f"{shown_id(comparison.second)} in {count_of(comparison.orders, f'{origin} order')} of conditions. {ESTIMAND} "
        f"We tested the difference by re-randomisation, exchanging the {origin} orders among subjects in {_ways(test)} "
        f"ways{seed}{others} (two-sided{side}; alpha = {rounded(analysis.alpha, 3).rstrip('0')}). The p value is the "
        "share of these assignments with a difference at least as large as the observed one. Intervals hold the "
        f"differences that the same test does not reject.{mix} The test assumes that orders were assigned at "
        "random, and that which runs are missing does not depend on the condition."
    )


def method_sentences(experiment: Experiment) -> list[str]:
    """How the figures were made."""
    return [
        ESTIMAND,
        "Times and numbers of queries are means over runs; percentages of queries are pooled over all queries.",
        "A run is the work of one subject on one scenario; a query is one request in it. A solution is stated when the "
        "subject answers the scenario, and correct as the study rules.",
        "Percentages of runs are over all runs of which the outcome is known. SD is the standard deviation over runs.",
        "95 % intervals of single figures keep a subject's work together: score intervals of percentages, Student's of "
        "means.",
        "With fewer than five subjects, or where all subjects are alike, there is no such interval.",
        "Completion time runs from the start of the scenario to its end, solved or not; pauses are taken out.",
        "The score is the percentage of correct queries minus that of incorrect ones, rounded last.",
        "Queries of class X, which have no right answer or depend on one without, are in no percentage of queries.",
        "A partially correct answer is a class of its own: neither correct nor incorrect.",
    ]
