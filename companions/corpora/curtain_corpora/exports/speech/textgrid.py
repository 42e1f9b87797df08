"""Praat: for each session a `.TextGrid` and one recording of the whole session beside it, with its subtitles.

Interval tiers tile the whole line of time, with empty intervals between what was said; events are a tier of points.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus, Utterance
from curtain_corpora.exports.speech.timeline import Point, TierInterval, Timeline, printable, timelines

Span = tuple[int, int, str]


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write `<session>.TextGrid` and `<session>.wav`. Raises CurtainError."""
    for name, timeline in timelines(corpus, folder, progress):
        with (folder / f"{name}.TextGrid").open("x", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in _lines(timeline))
        for kind in ("srt", "vtt"):
            text = _subtitles(timeline.subject, kind)
            (folder / f"{name}.{kind}").write_text(text, "utf-8", newline="\n")


def _lines(timeline: Timeline) -> Iterator[str]:
    end = timeline.end
    tiers = {"subject": _spans(timeline.subject, lambda one: one.text)}
    tiers["words"] = _spans(timeline.words, lambda one: one.text)
    for name, of in _ABOUT.items():
        tiers[name] = [(one.start, one.end, of(one.utterance)) for one in timeline.subject]
    tiers["wizard_shown"] = _spans(timeline.wizard_shown, lambda one: one.text)
    yield from ('File type = "ooTextFile"', 'Object class = "TextGrid"', "")
    yield from ("xmin = 0", f"xmax = {_seconds(end)}", "tiers? <exists>", f"size = {len(tiers) + 1}", "item []:")
    for number, (name, spans) in enumerate(tiers.items(), 1):
        yield from _interval_tier(number, name, list(_tiled(spans, end)), end)
    yield from _point_tier(len(tiers) + 1, "events", timeline.events, end)


def _category(utterance: Utterance) -> str:
    """`D1 (1): wh-question`: the class of 1991, the category of 1989, the tags."""
    if utterance.eval_class is None:
        return ""
    older = f" ({utterance.category})" if utterance.category else ""
    return f"{utterance.eval_class}{older}: {' '.join((*utterance.tags, *utterance.site_tags))}".rstrip()


def _origins(utterance: Utterance) -> str:
    """`text_from annotated; sql_from live; class_from ruled; redacted none`."""
    return "; ".join(f"{name} {value}" for name, value in utterance.origins.items() if value is not None)


_ABOUT: dict[str, Callable[[Utterance], str]] = {
    "sro": lambda one: one.sro or "",
    "sql": lambda one: "\n-- OR\n".join(reading.sql_min for reading in one.references if reading.sql_min),
    "category": _category,
    "origins": _origins,
}
"""Tiers about an utterance of the subject."""


def _subtitles(intervals: Sequence[TierInterval], kind: str) -> str:
    """What was said, as SubRip (`srt`) or WebVTT has it."""
    blocks = ["WEBVTT\n"] if kind == "vtt" else []
    for number, interval in enumerate((one for one in intervals if one.text.strip()), 1):
        start, end = (_clock(ms, "," if kind == "srt" else ".") for ms in (interval.start, interval.end))
        # A blank line ends a block, and WebVTT reads markup.
        text = " ".join(printable(interval.text).split())
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") if kind == "vtt" else text
        blocks.append(f"{number}\n{start} --> {end}\n{text}\n")
    return "\n".join(blocks)


def _clock(ms: int, point: str) -> str:
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}{point}{ms % 1000:03}"


def _spans(intervals: Sequence[TierInterval], text: Callable[[TierInterval], str]) -> list[Span]:
    return [(one.start, one.end, text(one)) for one in intervals]


def _tiled(spans: Sequence[Span], end: int) -> Iterator[Span]:
    """The spans with empty ones between them, from 0 to the end."""
    at = 0
    for span in spans:
        if span[0] > at:
            yield at, span[0], ""
        yield span
        at = span[1]
    if at < end or not spans:
        yield at, end, ""


def _interval_tier(number: int, name: str, spans: Sequence[Span], end: int) -> Iterator[str]:
    yield from _head(number, "IntervalTier", name, end)
    yield f"        intervals: size = {len(spans)}"
    for place, (start, stop, text) in enumerate(spans, 1):
        yield f"        intervals [{place}]:"
        yield f"            xmin = {_seconds(start)}"
        yield f"            xmax = {_seconds(stop)}"
        yield f"            text = {_quoted(text)}"


def _point_tier(number: int, name: str, points: Sequence[Point], end: int) -> Iterator[str]:
    yield from _head(number, "TextTier", name, end)
    yield f"        points: size = {len(points)}"
    for place, point in enumerate(points, 1):
        yield f"        points [{place}]:"
        yield f"            number = {_seconds(point.ms)}"
        yield f"            mark = {_quoted(point.text)}"


def _head(number: int, kind: str, name: str, end: int) -> Iterator[str]:
    yield f"    item [{number}]:"
    yield f'        class = "{kind}"'
    yield f'        name = "{name}"'
    yield "        xmin = 0"
    yield f"        xmax = {_seconds(end)}"


def _seconds(ms: int) -> str:
    return f"{ms // 1000}.{ms % 1000:03}"


def _quoted(text: str) -> str:
    return '"' + printable(text).replace('"', '""') + '"'
