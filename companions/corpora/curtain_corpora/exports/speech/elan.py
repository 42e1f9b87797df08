"""ELAN: for each session an `.eaf` file and one recording of the whole session beside it.

Tiers: subject, wizard_shown and events on the line of time; sro, sql, category and origins belong to an utterance of
the subject (Symbolic_Association).
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from xml.etree import ElementTree as xml

from curtain.corpus.exports.writer import ExportProgress
from curtain.corpus.model.utterance import Corpus, Session, Utterance
from curtain_corpora.exports.speech.timeline import TierInterval, Timeline, printable, timelines

_SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_CONSTRAINTS = {
    "Time_Subdivision": "Time subdivision of parent annotation's time interval, without gaps",
    "Symbolic_Subdivision": "Symbolic subdivision of a parent annotation, in order",
    "Symbolic_Association": "1-1 association with a parent annotation",
    "Included_In": "Time alignable annotations within the parent annotation's time interval, gaps are allowed",
}


def write(corpus: Corpus, folder: Path, progress: ExportProgress) -> None:
    """Write `<session>.eaf` and `<session>.wav`. Raises CurtainError."""
    for name, session, timeline, heard in timelines(corpus, folder, progress):
        document = _Document(session, timeline, f"{name}.wav" if heard else None)
        document.write(folder / f"{name}.eaf")


class _Document:
    """One `.eaf` file; ids of annotations and moments are numbered through it."""

    def __init__(self, session: Session, timeline: Timeline, media: str | None) -> None:
        self._timeline = timeline
        self._annotations = 0
        self._of: dict[str, str] = {}
        self._root = xml.Element("ANNOTATION_DOCUMENT", _about(session))
        header = xml.SubElement(self._root, "HEADER", {"MEDIA_FILE": "", "TIME_UNITS": "milliseconds"})
        if media is not None:
            # A name is all that is known of the place where the export will lie: ELAN finds the file beside it.
            where = {"MEDIA_URL": f"file:///{media}", "MIME_TYPE": "audio/x-wav", "RELATIVE_MEDIA_URL": f"./{media}"}
            xml.SubElement(header, "MEDIA_DESCRIPTOR", where)
        self._last_id = xml.SubElement(header, "PROPERTY", {"NAME": "lastUsedAnnotationId"})
        self._slots = xml.SubElement(self._root, "TIME_ORDER")

    def write(self, path: Path) -> None:
        line = self._timeline
        subject = self._aligned("subject", line.subject, remember=True)
        words = self._aligned("words", line.words)
        shown = self._aligned("wizard_shown", line.wizard_shown)
        events = self._tier("events", "moment")
        for point in line.events:
            # ELAN knows no points: an event is one millisecond long.
            self._alignable(events, point.ms, point.ms + 1, point.text)
        utterances = [one.utterance for one in line.subject]
        about = [self._about_utterances(name, of, utterances) for name, of in ABOUT.items()]
        self._last_id.text = str(self._annotations)
        self._root.extend([subject, words, *about, shown, events])
        _add_types(self._root)
        xml.indent(self._root)
        xml.ElementTree(self._root).write(path, encoding="UTF-8", xml_declaration=True)

    def _tier(self, name: str, kind: str, **more: str) -> xml.Element:
        return xml.Element("TIER", {"LINGUISTIC_TYPE_REF": kind, "TIER_ID": name, **more})

    def _aligned(self, name: str, intervals: Iterable[TierInterval], remember: bool = False) -> xml.Element:
        tier = self._tier(name, "utterance")
        for interval in intervals:
            made = self._alignable(tier, interval.start, interval.end, interval.text)
            if remember:
                self._of[interval.utterance.utterance_id] = made
        return tier

    def _alignable(self, tier: xml.Element, start: int, end: int, text: str) -> str:
        made = self._next_id()
        slots = {f"TIME_SLOT_REF{number}": self._slot(ms) for number, ms in enumerate((start, end), 1)}
        self._annotation(tier, "ALIGNABLE_ANNOTATION", {"ANNOTATION_ID": made, **slots}, text)
        return made

    def _about_utterances(
        self, name: str, of: Callable[[Utterance], str], utterances: Iterable[Utterance]
    ) -> xml.Element:
        tier = self._tier(name, "about", PARENT_REF="subject")
        for utterance in utterances:
            text = of(utterance)
            if text:
                given = {"ANNOTATION_ID": self._next_id(), "ANNOTATION_REF": self._of[utterance.utterance_id]}
                self._annotation(tier, "REF_ANNOTATION", given, text)
        return tier

    def _annotation(self, tier: xml.Element, kind: str, given: dict[str, str], text: str) -> None:
        inner = xml.SubElement(xml.SubElement(tier, "ANNOTATION"), kind, given)
        xml.SubElement(inner, "ANNOTATION_VALUE").text = printable(text)

    def _next_id(self) -> str:
        self._annotations += 1
        return f"a{self._annotations}"

    def _slot(self, ms: int) -> str:
        made = f"ts{len(self._slots) + 1}"
        xml.SubElement(self._slots, "TIME_SLOT", {"TIME_SLOT_ID": made, "TIME_VALUE": str(ms)})
        return made


def _about(session: Session) -> dict[str, str]:
    return {
        "AUTHOR": "",
        "DATE": f"{session.recorded or '1970-01-01'}T00:00:00+00:00",
        "FORMAT": "3.0",
        "VERSION": "3.0",
        f"{{{_XSI}}}noNamespaceSchemaLocation": _SCHEMA,
    }


def _category(utterance: Utterance) -> str:
    """`D1 (1): wh-question`: the class of 1991, the category of 1989, the tags."""
    if utterance.eval_class is None:
        return ""
    older = f" ({utterance.category})" if utterance.category else ""
    return f"{utterance.eval_class}{older}: {' '.join((*utterance.tags, *utterance.site_tags))}".rstrip()


def _origins(utterance: Utterance) -> str:
    """`text_from annotated; sql_from live; class_from ruled; redacted none`."""
    return "; ".join(f"{name} {value}" for name, value in utterance.origins.items() if value is not None)


ABOUT: dict[str, Callable[[Utterance], str]] = {
    "sro": lambda one: one.sro or "",
    "sql": lambda one: "\n-- OR\n".join(reading.sql_min for reading in one.references if reading.sql_min),
    "category": _category,
    "origins": _origins,
}
"""Tiers about an utterance of the subject."""


def _add_types(root: xml.Element) -> None:
    for name in ("utterance", "moment"):
        given = {"GRAPHIC_REFERENCES": "false", "LINGUISTIC_TYPE_ID": name, "TIME_ALIGNABLE": "true"}
        xml.SubElement(root, "LINGUISTIC_TYPE", given)
    about = {"CONSTRAINTS": "Symbolic_Association", "GRAPHIC_REFERENCES": "false"}
    xml.SubElement(root, "LINGUISTIC_TYPE", {**about, "LINGUISTIC_TYPE_ID": "about", "TIME_ALIGNABLE": "false"})
    for stereotype, description in _CONSTRAINTS.items():
        xml.SubElement(root, "CONSTRAINT", {"DESCRIPTION": description, "STEREOTYPE": stereotype})
