"""Figures as words: the tables and sentences of a score page. Rounding happens here and nowhere before."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from curtain.base.plural import are, count_of
from curtain.cas.scoring.intervals import FEW_SPEAKERS, FEWEST_SPEAKERS, Interval
from curtain.cas.scoring.readings import ComparisonRules
from curtain.cas.scoring.score import Contrast, OverAnswering, ScoreRow, ScoreSheet
from curtain_score.files.json_lines import shown_id

DASH = "–"
OUTCOMES = ("right", "wrong", "no answer")
_HEADINGS = ("n", "right", "wrong", "none", "right %", "95 %", "w. error %", "± 1992", "score", "95 %")


@dataclass(frozen=True)
class Report:
    """All that a score page shows: any number of systems, and how they were scored."""

    references: str
    sheets: tuple[ScoreSheet, ...]
    contrast: Contrast | None
    rules: ComparisonRules
    seed: int
    by_tag: tuple[tuple[ScoreRow, ...], ...] = ()
    """For each system a row for each tag of the references, where that is asked for."""
    dialects: tuple[str, ...] = ()
    """In which the references are written; none for that of the rules."""

    @property
    def dialect(self) -> str:
        """By which the answers were scored, such as “1989” or “1989 and 1992”."""
        return " and ".join(self.dialects or (self.rules.dialect,))


@dataclass(frozen=True)
class TextTable:
    """A table of texts; the first `labels` columns name the row, the others are figures."""

    name: str
    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    labels: int = 1


def rounded(value: float | None, places: int = 1) -> str:
    """A figure as people round it, halves up; a dash where there is none."""
    if value is None:
        return DASH
    # `repr` of the float is what people would read; so 0.25 rounds as they do by hand.
    text = str(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))
    # No “-0.0”.
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text


def bounds(interval: Interval | None) -> str:
    """`[53.9, 69.7]`, or a dash."""
    return DASH if interval is None else f"[{rounded(interval.low)}, {rounded(interval.high)}]"


def p_figure(p: float | None) -> str:
    """A p of three digits without the nought, as journals print it: `.024`, `< .001`, `> .999`; a dash for none."""
    if p is None:
        return DASH
    return "< .001" if p < 0.001 else "> .999" if p > 0.999 else rounded(p, 3).removeprefix("0")


def p_value(p: float) -> str:
    """The same in a sentence: `p = .024`, `p < .001`."""
    figure = p_figure(p)
    return f"p {figure}" if figure[0] in "<>" else f"p = {figure}"


Grouping = tuple[str, str, Sequence[Sequence[ScoreRow]]]
"""Its name, its title, and the rows of each system."""


def groupings_of(report: Report) -> list[Grouping]:
    """By class first; a grouping that no item names is left out."""
    groups: tuple[Grouping, ...] = (
        ("tag", "By tag; an utterance with several is in each", report.by_tag or [()]),
        ("class", "By class", [(*sheet.by_class, sheet.total) for sheet in report.sheets]),
        ("scenario", "By scenario", [sheet.by_scenario for sheet in report.sheets]),
        ("site", "By site", [sheet.by_site for sheet in report.sheets]),
        ("failure", "Presupposition failures, apart from the score", [sheet.by_failure for sheet in report.sheets]),
        ("speaker", "By speaker, best first", [sheet.by_speaker for sheet in report.sheets]),
    )
    # The first sheet decides: all systems are scored on the same items.
    return [one for one in groups if one[2][0]]


def tables_of(report: Report) -> list[TextTable]:
    """The tables with figures of one system or two."""
    names = [sheet.system for sheet in report.sheets]
    return [_table(name, title, names, rows) for name, title, rows in groupings_of(report)]


def _table(name: str, title: str, systems: Sequence[str], rows: Sequence[Sequence[ScoreRow]]) -> TextTable:
    if len(systems) == 1:
        body = tuple((shown_id(row.label), *_figures(row)) for row in rows[0])
        return TextTable(name, title, (name, *_HEADINGS), body)
    others = {row.label: row for row in rows[1]}
    body = tuple(
        line
        for row in rows[0]
        for line in (
            (shown_id(row.label), shown_id(systems[0]), *_figures(row)),
            ("", shown_id(systems[1]), *_figures(others[row.label])),
        )
    )
    return TextTable(name, title, (name, "system", *_HEADINGS), body, labels=2)


def _figures(row: ScoreRow) -> tuple[str, ...]:
    counts = row.tally
    return (
        str(counts.total),
        *(str(count) if counts.total else DASH for count in (counts.right, counts.wrong, counts.no_answer)),
        rounded(counts.percent_right),
        bounds(row.right),
        rounded(counts.weighted_error),
        rounded(row.wald_1992),
        rounded(counts.score),
        bounds(row.score),
    )


def shares_of(report: Report) -> TextTable:
    """Right, wrong and no answer in percent, with intervals, and what was counted apart."""
    shares = [heading for name in OUTCOMES for heading in (f"{name} %", "95 %")]
    headings = ("system", *shares, "malformed", "missing", "undecided")
    return TextTable("shares", "What became of the answers", headings, tuple(map(_shares, report.sheets)))


def _shares(sheet: ScoreSheet) -> tuple[str, ...]:
    row, counts = sheet.total, sheet.total.tally
    return (
        shown_id(sheet.system),
        *(rounded(counts.percent_right), bounds(row.right)),
        *(rounded(counts.percent_wrong), bounds(row.wrong)),
        *(rounded(counts.percent_no_answer), bounds(row.no_answer)),
        *map(str, (counts.malformed, counts.missing, counts.undecided)),
    )


def over_answering_of(report: Report) -> TextTable | None:
    """How many columns answers show beyond the minimum, and beyond the maximum; None if no answer is a table."""
    rows = [
        (shown_id(sheet.system), which, *_columns(over))
        for sheet in report.sheets
        for which, over in (("right", sheet.over_answering_right), ("all", sheet.over_answering))
        if over.answers
    ]
    bounds = ("beyond the minimum", "%", "columns with a maximum", "beyond it", "%")
    headings = ("system", "answers with a table", "n", "columns", *bounds)
    return TextTable("columns", "Over-answering, in columns", headings, tuple(rows), labels=2) if rows else None


def _columns(over: OverAnswering) -> tuple[str, ...]:
    return (
        *map(str, (over.answers, over.columns, over.beyond_minimum)),
        rounded(over.percent_beyond_minimum),
        *map(str, (over.bounded, over.beyond_maximum)),
        rounded(over.percent_beyond_maximum),
    )


def excluded_of(report: Report) -> TextTable | None:
    """Why utterances are not scored; None if all are. The same for all systems."""
    # The references decide what is scored, so it is the same for every system.
    reasons = report.sheets[0].excluded
    if not reasons:
        return None
    title = f"Not scored: {report.sheets[0].excluded_count}"
    return TextTable(
        "excluded",
        title,
        ("reason (there may be several)", "n"),
        tuple((shown_id(reason), str(count)) for reason, count in reasons),
    )


def paired_of(report: Report) -> TextTable | None:
    """The 3x3 table of two systems; None for one."""
    if report.contrast is None:
        return None
    first, second = shown_id(report.contrast.first), shown_id(report.contrast.second)
    by_outcome = zip(OUTCOMES, report.contrast.table, strict=True)
    body = tuple((f"{first}: {name}", *map(str, counts)) for name, counts in by_outcome)
    return TextTable("paired", "The same items, both systems", ("", *(f"{second}: {name}" for name in OUTCOMES)), body)


def comparison_of(report: Report) -> list[str]:
    """What can be said about two systems, in sentences; empty for one."""
    contrast = report.contrast
    if contrast is None:
        return []
    first, second = shown_id(contrast.first), shown_id(contrast.second)
    by = contrast.permutation.by
    # As many as the permutation draws; see `curtain.cas.scoring`.
    how = "exact" if contrast.permutation.exact else "100,000 random flips"
    sentences = [
        f"Score of {first} less that of {second}: {rounded(contrast.difference)} {bounds(contrast.interval)}.",
        f"Paired permutation test of that difference, flipped by {by} ({how}): {p_value(contrast.permutation.p)}.",
        f"McNemar's exact test, right or not: only {first} right {contrast.only_first},"
        f" only {second} right {contrast.only_second}: {p_value(contrast.mcnemar)}.",
        f"Stuart-Maxwell test of right, wrong and no answer together: {p_value(contrast.stuart_maxwell)}.",
    ]
    # Two-sided, six one-sided differences give p = 2/64; five cannot reach .05.
    if contrast.too_few_to_decide:
        sentences.append("Fewer than six items were right for one system only: McNemar's test cannot reach .05.")
    if contrast.permutation.smallest > 0.05:
        sentences.append(f"So few {by}s differ that the permutation test cannot reach .05.")
    if contrast.left_out:
        sentences.append(f"{contrast.left_out} items are undecided for one of them and left out here.")
    return sentences


def notes_of(report: Report) -> list[str]:
    """What a reader must know about the figures, in sentences."""
    # A figure that could mislead is not shown without its note.
    notes = [*(note for sheet in report.sheets for note in _notes(sheet, shown_id(sheet.system)))]
    first = report.sheets[0]
    groups = (first.total, *first.by_class, *first.by_scenario, *first.by_site)
    few = [shown_id(row.label) for row in groups if row.score and row.score.by == "utterance"]
    if few:
        notes.append(
            f"Speakers are not all named, or fewer than {FEWEST_SPEAKERS}, in {', '.join(few[:8])}"
            f"{' and others' if len(few) > 8 else ''}: the interval of the score draws utterances there,"
            " and is likely too narrow."
        )
    if first.total.score and first.total.score.by == "speaker" and first.total.speakers < FEW_SPEAKERS:
        notes.append(
            f"There are {first.total.speakers} speakers. With fewer than {FEW_SPEAKERS}, the interval of a score near"
            " 100 covers the true score less often than 95 times in 100."
        )
    if first.without_maximum:
        lack = "has" if first.without_maximum == 1 else "have"
        count = count_of(first.without_maximum, "reference")
        notes.append(f"{count} {lack} no maximum: answers may show any column there.")
    if report.rules.all_readings:
        notes.append("All readings were asked for: an answer is right only if it matches every alternative.")
    return notes


def _notes(sheet: ScoreSheet, name: str) -> list[str]:
    counts, notes = sheet.total.tally, []
    if counts.undecided and sheet.score_range:
        low, high = map(rounded, sheet.score_range)
        notes.append(
            f"{name}: {are(counts.undecided, 'answer')} undecided and outside all percentages;"
            f" with all of them the score lies between {low} and {high}."
        )
    if counts.malformed:
        notes.append(f"{name}: {are(counts.malformed, 'answer')} malformed, which counts as wrong.")
    if counts.missing:
        missing = are(counts.missing, "utterance")
        notes.append(f"{name}: {missing} without a line in its file, which counts as no answer.")
    if counts.credit is not None:
        worth = rounded(float(counts.credit), 2)
        notes.append(f"{name}: {counts.right} right answers count {worth}, for some match a less preferred reading.")
    if sheet.empty_matches or sheet.chance_prone:
        notes.append(
            f"{name}: among the right answers, {sheet.empty_matches} are empty and {sheet.chance_prone} say yes or no;"
            " such an answer can be right by chance."
        )
    return notes


def method_of(report: Report) -> list[str]:
    """How the figures were made, in sentences."""
    return [
        "Weighted error = 2 x wrong % + no answer %; score = 100 - weighted error = right % - wrong %.",
        "A+D is A, D1 and D together. Class X is not scored.",
        "95 % beside percentages and scores: score intervals (Tango 1998; of a percentage Wilson's), widened for"
        " the utterances of one speaker; by utterance with fewer than five speakers.",
        "± 1992: half-width 1.96 sqrt(e (1 - e) / n) as in the 1992 paper, which takes the weighted error e for a"
        " proportion (Wald); for comparison with old tables only.",
        f"CAS dialect {report.dialect}, tolerance {report.rules.epsilon} of the reference.",
    ]
