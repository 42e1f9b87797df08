"""An export: lets a format's writer fill a folder, counts what goes by, and puts the account of it beside."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.base.plural import are, count_of
from curtain.base.python_process import app_version
from curtain.base.record_file import by_name
from curtain.base.scratch import ensure_free, whole_folder
from curtain.corpus.exports import registry
from curtain.corpus.exports.census import Census
from curtain.corpus.exports.release import citation, write_release
from curtain.corpus.exports.text_files import write_json
from curtain.corpus.exports.writer import CONTEXT_NOT_KNOWN, ExportProgress
from curtain.corpus.model.filters import NOT_CLASSED, NOT_TRANSCRIBED
from curtain.corpus.model.gate import NO_FORM, NOT_COVERED, SCOPE_NOT_KNOWN, UNDISCLOSED
from curtain.corpus.model.utterance import Corpus, Session
from curtain.session.bundle.bundle import Bundle
from curtain.session.bundle.checks import ensure_unaltered
from curtain.session.journal.journals import Journals

ACCOUNT = "EXPORT.json"

Watch = Callable[[int, int], None]
"""Receives after each session how many sessions the writer has gone through, and how many utterances it has done."""


@dataclass(frozen=True)
class ExportSummary:
    """What was exported: `kept` utterances; `dropped` by reason, by the filters and by what the format cannot hold;
    `breaking` of the kept ones break a rule of annotation; `notes` are sentences on where the kept ones are."""

    out: Path
    kept: int
    dropped: Mapping[str, int]
    breaking: int = 0
    notes: tuple[str, ...] = ()


def export(
    corpus: Corpus,
    format_name: str,
    out: Path,
    *,
    filters: Mapping[str, Any] | None = None,
    left_out: Callable[[], Mapping[str, int]] = dict,
    watch: Watch = lambda sessions, utterances: None,
    before: Callable[[Path, Mapping[Path, Sequence[str]]], None] = lambda folder, bundles: None,
    check: Callable[[Session], None] = lambda session: None,
    with_options: bool = True,
) -> ExportSummary:
    """Write the corpus to the new folder `out`: it is there whole, or not at all.

    `filters` are written to EXPORT.json as they stand; `left_out` gives, once the corpus was gone through, how many
    utterances they left out, by reason; `with_options` has the sentence on nothing at all name the options that take
    some after all. `check` sees each session once, as it leaves. `before` is called when all is
    written and `out` is about to appear, with the folder as it lies, and with the sessions' folders that it holds and
    what is to be known of each. What these two raise stops the export.
    Raises CurtainError if a file is not what was listed when its
    session was closed, and what the reading of a bundle raises.
    """
    format = registry.find(format_name)
    write = registry.writer_of(format)
    out = real_path(out)
    ensure_free(out)
    _ensure_outside(out)
    progress = ExportProgress()
    counted = _Counted(corpus, progress, watch, check)
    # Asked before a folder is made.
    if counted.is_empty:
        raise CurtainError(_nothing(left_out(), with_options))
    with whole_folder(out) as folder:
        write(counted, folder, progress)
        dropped = dict(Counter(left_out()) + progress.dropped)
        if not progress.utterances:
            raise CurtainError(_nothing(dropped, with_options))
        write_release(counted, format.title, counted.census, progress, folder)
        account = {
            "format": format.name,
            **by_name(counted, "title", "version", "licence"),
            "authors": list(counted.authors),
            "cite_as": citation(counted, date.today()),
            "tombstones": len(counted.erased),
            "tool": {"name": "curtain", "version": app_version()},
            "source_sha256": counted.source_sha256,
            "filters": dict(filters or {}),
            **by_name(counted, "blind", "speech_only"),
            "corpus": counted.census.as_json(),
            "kept": progress.utterances,
            "dropped": dict(sorted(dropped.items())),
        }
        notes = {"notes": progress.notes} if progress.notes else {}
        write_json(folder / ACCOUNT, account | {"breaking_rules": counted.breaking} | notes)
        before(folder, counted.bundles)
    return ExportSummary(out, progress.utterances, dropped, counted.breaking, tuple(progress.notes))


class _Counted:
    """The corpus, counted while the writer goes through it, which it does once."""

    def __init__(
        self, corpus: Corpus, progress: ExportProgress, watch: Watch, check: Callable[[Session], None]
    ) -> None:
        self.title, self.licence, self.blind = corpus.title, corpus.licence, corpus.blind
        self.speech_only = corpus.speech_only
        self.version, self.authors, self.erased = corpus.version, corpus.authors, corpus.erased
        self.database, self.units = corpus.database, corpus.units
        self.census, self.breaking = Census(), 0
        self.bundles: dict[Path, Sequence[str]] = {}
        self._digest = hashlib.sha256()
        self._read, self._progress, self._watch, self._check = corpus.sessions(), progress, watch, check
        self._first = next(self._read, None)

    @property
    def is_empty(self) -> bool:
        return self._first is None

    @property
    def source_sha256(self) -> str:
        return self._digest.hexdigest()

    def sessions(self) -> Iterator[Session]:
        for session in chain(filter(None, (self._first,)), self._read):
            journals = session.journals or Journals(session.path)
            ensure_unaltered(session.path, journals)
            self._check(session)
            self.census.add(session)
            self.breaking += len(session.breaking & {one.turn for one in session.utterances})
            self.bundles[session.path] = Bundle(session.path).notes(journals)
            sums = f"{session.session_id} {session.manifest_sha256} {session.annotations_sha256}"
            self._digest.update(f"{sums}\n".encode())
            yield session
            self._watch(self.census.sessions, self._progress.utterances + self._progress.dropped.total())


def silent_sentence(count: int) -> str:
    """How many utterances are without the recording that was made of them."""
    their = "its recording" if count == 1 else "their recordings"
    return f"{are(count, 'utterance')} without {their}: the consent does not cover keeping the recordings."


def live_sentence(dropped: Mapping[str, int]) -> str:
    """How many utterances were left out because nobody has annotated them, and how to take them."""
    count = sum(dropped.get(reason, 0) for reason in (NOT_TRANSCRIBED, NOT_CLASSED))
    them = "it" if count == 1 else "them"
    return (
        f"{are(count, 'utterance')} left out because nobody has transcribed and classed {them}: "
        "“curtain annotate STUDY” does that, “--include-live” takes what the live session knew."
    )


_OWN = "“--use own” is for work in your own lab."
# What to do about a reason that leaves nothing.
_WAYS_ON = {
    UNDISCLOSED: "“curtain consent STUDY SESSION --disclosed DAY --by NAME” notes that somebody has done it since.",
    NO_FORM: "If a form was signed since, “curtain consent STUDY SESSION” notes it with --id.",
    SCOPE_NOT_KNOWN: f"“curtain consent STUDY SESSION” records it from the signed form. {_OWN}",
    **{NOT_COVERED[use]: _OWN for use in ("share", "publish", "quote")},
    CONTEXT_NOT_KNOWN: "Annotate their context: “curtain annotate STUDY”.",
}
# The options that take it after all, where the command has them.
_OPTIONS = {
    NO_FORM: "For your own trials add --without-consent.",
    "practice": "--practice takes practice turns.",
    "pilot session": "--pilot takes pilot sessions.",
}


def _nothing(reasons: Mapping[str, int], with_options: bool) -> str:
    if not reasons:
        return "Nothing to export: there is no turn."
    sentences = [f"Nothing to export: {'; '.join(_why(*one) for one in sorted(reasons.items()))}."]
    ways = (*_WAYS_ON.items(), *(_OPTIONS.items() if with_options else ()))
    sentences += [way for reason, way in ways if reason in reasons]
    if reasons.get(NOT_TRANSCRIBED) or reasons.get(NOT_CLASSED):
        sentences.append(live_sentence(reasons))
    return " ".join(sentences)


def _why(reason: str, count: int) -> str:
    if reason == "practice":
        return count_of(count, "practice turn")
    turns = count_of(count, "turn")
    if reason.startswith("no "):
        return f"{turns} {'has' if count == 1 else 'have'} {reason}"
    return f"{turns} {reason}" if reason.startswith(("without ", "not ")) else f"{turns}: {reason}"


def _ensure_outside(out: Path) -> None:
    """A session's folder is never written to, nor the folder of all sessions."""
    for folder in out.parents:
        if any((folder / name).is_file() for name in ("session.json", "subject.events.jsonl", "wizard.events.jsonl")):
            raise CurtainError(f"{out} lies inside the session {folder}; name a folder elsewhere.")
        if folder.name == "sessions" and (folder.parent / "study.toml").is_file():
            raise CurtainError(f"{out} lies among the sessions of the study {folder.parent}; name a folder elsewhere.")
