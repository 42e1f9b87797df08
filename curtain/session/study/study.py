"""A study: the folder that fixes domain, scenarios, messages and limits, and holds the sessions."""

from __future__ import annotations

import os
import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, inspect

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.hearing import Input
from curtain.base.input_file import read_input, real_path
from curtain.base.privacy import NeededAgreement, ensure_agreed, sweep
from curtain.base.scratch import whole_folder
from curtain.base.settings_file import convert, parse, place, read_text, refuse_unknown, toml_text
from curtain.base.table import SHOWS, Show
from curtain.session.consent import ConsentScope
from curtain.session.study import ids
from curtain.session.study.analysis import Analysis
from curtain.session.study.conditions import INPUTS, Condition, problem_of_conditions
from curtain.session.study.design import Design
from curtain.session.study.languages import ENGLISH, language_code
from curtain.session.study.messages import bundled_sets
from curtain.session.study.order import Order
from curtain.session.study.text_names import TEXT_NAMES
from curtain.session.study.text_packs import UnknownLanguage, load_texts
from curtain.session.untrusted_files import MANIFEST

NO_PRACTICE = "none"
# Takes have 16 kHz, 16 bits, one channel.
SPEECH_PER_HOUR = 16_000 * 2 * 3600
TOMBSTONES = "tombstones.jsonl"
_MAKE_ROOM = " Choose a folder of your own, or make room on the disk."
# Of a killed process: the file that tries the disk, a session that was being made, a copy that was being repaired.
_LEFTOVERS = (".writable-*", ".*.part")
_TOMBSTONE = re.compile(r'"utterance_id": ?"([a-z0-9]{3}-(?!00)[0-9]{2})-[0-9]{3}"')


class StudyMissing(CurtainError):
    """There is no study in this folder."""


@dataclass(frozen=True)
class SessionFolder:
    """One session of a study; `closed` once its manifest is written."""

    session_id: str
    path: Path
    state: Literal["open", "closed"]


def _must_be(what: str, fits: Callable[[Any], object] | None = None, **limits: Any) -> Meta:
    return Meta(description=what, extra={"fits": fits}, **limits)


def _each_once(names: Sequence[str]) -> bool:
    # A scenario twice in the list would be offered twice.
    return all(names) and len(set(names)) == len(names)


def _is_year(year: int) -> bool:
    return year == 0 or year >= 1900


class _Keys(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The keys of study.toml that a study takes as they stand."""

    scenarios: Annotated[
        tuple[str, ...], _must_be('a list of scenario ids such as ["1", "2"], each named once', _each_once)
    ] = ()
    order: Annotated[Order, _must_be('"fixed" or "seeded"')] = "fixed"
    seed: Annotated[int, _must_be("a whole number from 0 to 2147483647", ge=0, lt=2**31)] = 1
    microphone: Annotated[str, _must_be("the name of a microphone in quotes")] = ""
    recording_rate: Annotated[int, _must_be("16000 or 48000", (16000, 48000).__contains__)] = 16000
    second_microphone: Annotated[str, _must_be("the name of a microphone in quotes")] = ""
    learn: bool = True
    transcribe: bool = False
    speak: bool = False
    input: Annotated[Input, _must_be(INPUTS)] = "speech"
    listen_live: bool = True
    # Of before, when markers were sent and a video was recorded. `curtain check` says that they do nothing.
    lsl: bool = False
    video: str = ""
    judges_see_sql: bool = False
    site: Annotated[str, _must_be("the name of your site in quotes")] = ""
    retention_months: Annotated[
        int, _must_be("a number of months from 1 to 1200, or 0 for no limit", ge=0, le=1200)
    ] = 0
    consent_scopes: Annotated[
        tuple[ConsentScope, ...],
        _must_be('a list of "keep_audio", "video", "share", "publish" and "quote", each named once', _each_once),
    ] = ()
    drafters: Annotated[
        dict[str, bool | dict[str, Any]],
        _must_be("a table of drafters by name, each true, false or a table of its settings"),
    ] = {}
    texts: Annotated[dict[str, str], _must_be('a table of texts such as one_moment = "One moment"')] = {}
    conditions: tuple[Condition, ...] = ()
    design: Design = Design()
    analysis: Analysis = Analysis()
    systems: Annotated[
        dict[str, dict[str, Any]], _must_be("a table of systems by name, each a table of its settings")
    ] = {}
    asr: Annotated[dict[str, Any], _must_be('a table such as model = "small.en"')] = {}
    disclose: bool = False
    take_back_s: Annotated[float, _must_be("a number of seconds from 0 to 10", ge=0, le=10)] = 0.0
    questionnaires: Annotated[
        tuple[str, ...], _must_be('a list of questionnaires such as ["debriefing", "sus"], each named once', _each_once)
    ] = ()


class Study(_Keys, frozen=True, kw_only=True):
    """What `study.toml` says, with defaults filled in.

    Empty `scenarios` means all of the domain's; `practice` None means the domain's own, `NO_PRACTICE` none; `rule_book`
    is the year of the principles of interpretation, None the domain's own; `retention_months` 0 sets no limit. With
    the order `seeded` each speaker meets the scenarios in an order of their own, which follows from `seed`.

    `show` is how much of an answer the subject reads (001, section 2.4.1). It is a variable of the experiment, so a
    study of an earlier Curtain, which does not name it, goes on as it began: with the minimum.
    `take_back_s` is how long a reply waits so that it can be taken back; a study that does not name it waits for none.
    `consent_scopes` are what the study's consent form offers as it is printed, beside taking part. `wizard_level` is
    the share of right replies in practice that a wizard should have reached, None if the study asks for none.
    """

    folder: Path
    domain: str = "personnel"
    practice: str | None = None
    rule_book: int | None = None
    messages: tuple[str, ...] = ("base",)
    talk_key: str = "Space"
    deadline_s: float = 60.0
    show: Show = "minimum"
    named_mirror: Path | None = None
    language: str = ENGLISH
    wizard_level: float | None = None

    @property
    def transcribes(self) -> bool:
        """Whether a recogniser is at work for the wizard: in the whole study, or under a condition."""
        return self.transcribe or any(one.transcribe for one in self.conditions)

    @property
    def spoken_language(self) -> str:
        """What subjects speak, by ISO 639: `en`, or `pt` of a file `texts/pt-BR.toml`; `und` if its name is none."""
        return language_code(self.language).partition("-")[0]

    def transcribes_under(self, condition: Condition | None) -> bool:
        """Whether who types is offered words under this condition: as it says, else as the study does."""
        if condition is None or condition.transcribe is None:
            return self.transcribe and (condition is None or condition.who != "system")
        return condition.transcribe

    @property
    def sessions_folder(self) -> Path:
        """The folder that holds one folder a session."""
        return self.folder / "sessions"

    @property
    def bytes_per_hour(self) -> int:
        """What an hour of a session takes on the wizard's disk at most, if the subject spoke all the time."""
        factor = self.recording_rate / 16_000
        sounds = 1 + (factor > 1) * factor + bool(self.second_microphone) * factor
        return round(SPEECH_PER_HOUR * sounds)

    @property
    def voice(self) -> str:
        """The language in which answers are said aloud, by its letters; "" if they are not."""
        name = Path(self.language).stem
        return (name if name.isascii() and name.islower() and len(name) in (2, 3) else ENGLISH) if self.speak else ""

    @property
    def mirror(self) -> Path | None:
        """The folder of the second copy, None without one. Raises NotAgreed: a study from elsewhere may name any."""
        ensure_agreed(self.agreements(), self.folder)
        return self.named_mirror

    def agreements(self) -> Iterator[NeededAgreement]:
        """What the study would write outside of its folder."""
        place = self.named_mirror and real_path(self.named_mirror)
        if place and self.folder not in place.parents:
            sentence = f"The study keeps a second copy of each session in {place}"
            yield NeededAgreement("folders", f"{self.folder} {place}", sentence)

    def sessions(self) -> list[SessionFolder]:
        """All sessions, in the order of their ids. Raises StudyMissing if the folder cannot be read."""
        return sorted(self._sessions(), key=lambda one: one.session_id)

    def next_session_id(self, speaker: str) -> str:
        """The id after the speaker's last session, also one that was erased. Raises BadId for a bad speaker id or after
        session 99."""
        ids.speaker_id(speaker)
        # Also erased sessions: an id must never come again for other speech.
        taken = [ids.split_session_id(one.session_id) for one in self._sessions()]
        taken += [ids.split_session_id(session) for session in erased_sessions(self.folder)]
        return ids.session_id(speaker, 1 + max((n for who, n in taken if who == speaker), default=0))

    def ensure_writable(self) -> None:
        """Write and remove a small file in the sessions folder and in the mirror. Raises CurtainError."""
        self.ensure_sessions_writable()
        self.ensure_mirror_writable()

    def ensure_sessions_writable(self) -> None:
        """Write and remove a small file in the sessions folder. Raises CurtainError."""
        with os_errors_as(f"{self.sessions_folder} cannot be written", CurtainError, _MAKE_ROOM):
            # Tried, not asked: rights alone do not show a full or read-only disk.
            _probe(self.sessions_folder)
            sweep(self.sessions_folder, _LEFTOVERS)

    def ensure_mirror_writable(self) -> None:
        """Write and remove a small file in the mirror, if there is one. Raises CurtainError."""
        advice = f" Connect its disk, or change “mirror” in {self.folder / 'study.toml'}."
        if (mirror := self.mirror) is not None:
            with os_errors_as(f"The mirror {mirror} cannot be written", CurtainError, advice):
                _probe(mirror, parents=True)

    def _sessions(self) -> Iterator[SessionFolder]:
        for path in _folders(self.sessions_folder):
            try:
                ids.split_session_id(path.name)
            except ids.BadId:
                continue
            yield SessionFolder(path.name, path, "closed" if (path / MANIFEST).is_file() else "open")


def erased_sessions(folder: Path) -> set[str]:
    """The sessions that the study's tombstones name; a line that cannot be read names none."""
    try:
        text = read_input(folder / TOMBSTONES).decode("utf-8", errors="replace")
    except OSError:
        return set()
    # By a pattern and not line by line, so that a damaged line does not hide the others.
    return set(_TOMBSTONE.findall(text))


def _probe(folder: Path, parents: bool = False) -> None:
    folder.mkdir(exist_ok=True, parents=parents)
    probe = folder / f".writable-{os.getpid()}"
    probe.write_bytes(b"x")
    probe.unlink()


def _folders(folder: Path) -> list[Path]:
    with os_errors_as(f"{folder} cannot be read", StudyMissing), suppress(FileNotFoundError):
        # A link could lead out of the study.
        return [path for path in folder.iterdir() if path.is_dir() and not path.is_symlink()]
    return []


# -- reading -------------------------------------------------------------------------------------------


class StudyFile(_Keys, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """study.toml as it stands. What these keys are when they are left out, `Study` says."""

    domain: Annotated[str, _must_be("the name of a domain or the folder of a pack, in quotes", pattern=r"\S")] = ""
    practice: Annotated[str, _must_be('the id of a scenario in quotes, or "none"')] = ""
    rule_book: Annotated[
        int, _must_be("the year of a rule-book such as 1992, or 0 for the domain's own", _is_year, le=2999)
    ] = 0
    messages: Annotated[tuple[str, ...], _must_be('a list of message sets such as ["base"]', all, min_length=1)] = ()
    talk_key: Annotated[
        str, _must_be('the name of a key such as "Space", "B", "F13", "Control" or "PgDown"', key_name)
    ] = ""
    deadline_s: Annotated[float, _must_be("a number of seconds from 1 to 3600", gt=0, le=3600)] = 0
    show: Annotated[str, _must_be('"minimum", "readable" or "maximum"', SHOWS.__contains__)] = ""
    mirror: Annotated[str, _must_be("a folder in quotes")] = ""
    language: Annotated[str, _must_be('a language such as "en" or "de", or a file of texts', pattern=r"\S")] = ""
    wizard_level: Annotated[
        float, _must_be("a share from 0.5 to 1, such as 0.9, or 0 for none", lambda x: x == 0 or x >= 0.5, ge=0, le=1)
    ] = 0


def load_study(folder: Path) -> Study:
    """The study in `folder` (or that of a named `study.toml`). Raises StudyMissing, CurtainError."""
    path = folder if folder.name == "study.toml" else folder / "study.toml"
    if folder != path and folder.is_file():
        raise StudyMissing(f"{folder} is a file; give the folder of one study.")
    if not path.exists():
        raise StudyMissing(f"There is no study in {path.parent}: study.toml is missing. “curtain study new” makes one.")
    return study_of(path, read_text(path))


def study_of(path: Path, text: str) -> Study:
    """The study that this text in the file `path` would make. Raises CurtainError."""
    keys = parse(str(path), text)
    file = convert(str(path), text, keys, StudyFile)
    # Names of texts are checked too: a misspelt one would change nothing, silently.
    refuse_unknown(str(path), text, file.texts, TEXT_NAMES)
    if problem := problem_of_conditions(file.conditions, file.analysis.contrast):
        raise CurtainError(f"{path}: {problem}")
    spoken = _texts_of(path, text, file)
    given = {key: getattr(file, key) for key in keys} | {"texts": spoken}
    study = _study(real_path(path.parent), given)
    _check_mirror(path, text, study)
    return study


def _texts_of(path: Path, text: str, file: StudyFile) -> Mapping[str, str]:
    """The texts of the study's language with its own wording over them; what is English, both stations have."""
    if file.language in ("", ENGLISH):
        return file.texts
    try:
        return load_texts(file.language, path.parent) | file.texts
    except UnknownLanguage as error:
        raise CurtainError(f"{place(str(path), text, 'language')}: {error}") from error


def _check_mirror(path: Path, text: str, study: Study) -> None:
    """A mirror among the sessions would be written over the very files it should be a copy of."""
    if study.named_mirror is None:
        return
    where, mirror = place(str(path), text, "mirror"), real_path(study.named_mirror)
    # Links are followed, so that none leads the mirror back among the sessions.
    if real_path(study.sessions_folder) in (mirror, *mirror.parents):
        raise CurtainError(f"{where}: “mirror” must be a folder outside the study's sessions.")
    if mirror.exists() and not mirror.is_dir():
        raise CurtainError(f"{where}: “mirror” names {mirror}, which is a file; name a folder.")


def _study(folder: Path, given: dict[str, Any]) -> Study:
    domain, mirror = _beside(folder, given.get("domain", "personnel")), given.pop("mirror", "")
    names = given.get("messages", _messages_for(domain, given.get("language", ENGLISH)))
    resolved = {
        "domain": domain,
        "messages": tuple(_beside(folder, name) for name in names),
        "practice": given.get("practice") or None,
        "rule_book": given.get("rule_book") or None,
        "talk_key": key_name(given.get("talk_key", "")) or "Space",
        "show": given.get("show") or "minimum",
        "named_mirror": folder / mirror if mirror else None,
        "site": given.get("site", "").strip(),
        "wizard_level": given.get("wizard_level") or None,
    }
    return Study(folder=folder, **given | resolved)


def _beside(folder: Path, name: str) -> str:
    """A name stays a name; a path counts from the study's folder."""
    return str(real_path(folder / name)) if _is_path(name) else name


def _is_path(name: str) -> bool:
    return "/" in name or os.sep in name or name.endswith(".toml") or name in (".", "..")


def _messages_for(domain: str, language: str = ENGLISH) -> tuple[str, ...]:
    # A domain with a message set of its own name begins with that; in another language, if there is one.
    name = re.split(r"[/\\]", domain.rstrip("/\\"))[-1]
    ending = "" if language == ENGLISH else f"-{language}"
    wanted = (f"{name}{ending}", f"base{ending}", name)
    return (next((one for one in wanted if one in bundled_sets()), "base"),)


# -- making --------------------------------------------------------------------------------------------

_TEMPLATE = """\
# A Curtain study. Lines that begin with # are remarks; every key may be left out and then has the value shown, unless
# its remark says otherwise.

# What the subject asks about: a bundled domain ("personnel", "atis") or the folder of a domain pack.
domain = {domain}

# The scenarios, by id, in the order in which they are offered. An empty list means all that the domain has.
scenarios = {scenarios}

# "fixed": every speaker meets them in this order. "seeded": each speaker in an order of their own.
order = "fixed"

# The number from which the orders of "seeded" follow, 0 to 2147483647.
seed = 1

# The scenario to practise with before the first one: its id, "" for the domain's own, "none" for none.
practice = {practice}

# The year of the rule-book (principles of interpretation) by which questions are answered; 0 for the domain's own.
# Air travel has 1990, 1991, 1992 (its own) and 1993; answers follow, too: in 1990 they had no alternatives.
rule_book = 0

# The canned messages the wizard may send: bundled sets by name, or files that end in .toml.
messages = {messages}

# The key that is held to talk, beside the button on the screen: "Space", "F13" (a foot pedal) and so on.
talk_key = "Space"

# Seconds from the release of the key until the wizard is reminded to send a canned message.
deadline_s = 60

# How the subject asks: "speech"; "text" typed on the keyboard, without a microphone; "both", as they like with each
# question. A scenario and a condition of an experiment may say otherwise.
input = {input}

# Seconds in which the wizard can take a reply back before the subject sees it, 0 to 10. Each answer comes later by
# them. Under a constant latency there are none: there the reply waits for its moment anyway. Left out: 0.
take_back_s = {take_back_s}

# The subject's microphone, by name or a part of its name; "" lets the subject's station ask.
microphone = ""

# Frames a second of the recordings, 16000 or 48000. At 48000 each recording is kept as it was made, beside the one at
# 16000 that everything works with.
recording_rate = 16000

# A second microphone at the subject's station, by name or a part of its name, recorded to files of its own; "" for
# none.
second_microphone = ""

# Whether drafts of SQL may learn from the turns that were answered in earlier sessions of this study.
learn = true

# Whether the wizard is offered a first transcription of what was said, to take or to type over. Needs the extra “asr”
# and a model, which a table [asr] with model = "small.en" names: “curtain model get small.en” fetches it.
transcribe = false

# Whether answers and messages are also said aloud, with the voice of the subject's system. Best with headphones.
speak = false

# Whether the wizard hears a question while it is spoken, and not only when the key is released. A question that the
# subject takes back is then heard, too; its recording is kept in neither case.
listen_live = true

# How much of an answer the subject reads: "readable" shows names in place of keys, Yes or No, and money, dates and
# times as the domain writes them; "minimum" what must be in an answer; "maximum" all that may be. Left out: "minimum".
show = "readable"

# Whether judges of the log files see the wizard's statement beside what the subject saw (“curtain judge new”).
judges_see_sql = false

# A second folder, best on another disk, that receives a copy of the wizard's record; "" for none. Where it lies outside
# the study, “curtain study trust” asks for your agreement once.
mirror = ""

# The name of your site, for tables where the sessions of several sites are put together; "" for none.
site = ""

# Months that a session may be kept, as the consent form promises; 0 for no limit. See “curtain retention”.
retention_months = 0

# What your consent form allows as it is printed, beside taking part: any of "keep_audio", "video", "share", "publish",
# "quote". The printed form has a box for each; tick what the subject ticked when you prepare a session.
consent_scopes = []

# Questionnaires: "subject-data", "debriefing", "sus", "ueq-s", "nasa-tlx" (for the wizard), or files that end in .toml.
questionnaires = []

# Whether the subject reads at the very end that a person answered, and may withdraw. The words: “docs/texts.md”.
disclose = false

# The share of replies that a wizard should have right in practice (“curtain train”) before live sessions, such as 0.9.
# 0 asks for none. The start page says who has reached it.
wizard_level = 0

# What the subject reads: "en", "de", "es", "zh", or a file of texts beside this one. See “curtain study texts”.
language = {language}

# Other wording for what the subject reads, for example: one_moment = "One moment"; docs/texts.md lists all keys.
[texts]

# Which drafters propose SQL. Ours is on unless it says curtain = false; docs/drafting.md says how to add others.
[drafters]

# An experiment compares conditions; docs/experiments.md says how. For example, two systems as in 1992:
# [[conditions]]
# id = "robust"
# who = "typist"
# system = "drafts-robust"
#
# [[conditions]]
# id = "strict"
# who = "typist"
# system = "drafts-strict"
#
# [design]
# order = "alternate"
#
# What decides, declared before the first session, which keeps it; docs/evaluation.md names the measures.
# [analysis]
# primary = "correct solutions"
"""


def example_text(
    domain: str = "personnel",
    scenarios: Sequence[str] = (),
    practice: str = "",
    language: str = ENGLISH,
    given: Input = "speech",
    take_back_s: float = 2,
) -> str:
    """A new study.toml with a remark on each key."""
    return _TEMPLATE.format(
        domain=toml_text(domain),
        scenarios=toml_text(list(scenarios)),
        practice=toml_text(practice),
        messages=toml_text(list(_messages_for(domain, language))),
        language=toml_text(language),
        input=toml_text(given),
        take_back_s=f"{take_back_s:g}",
    )


def wanted_values(key: str) -> str:
    """What a key of study.toml must be, in words; "" if its type says all."""
    kinds = {field.name: field.type for field in inspect.type_info(StudyFile).fields}  # type: ignore[attr-defined]
    return str((getattr(kinds[key], "extra_json_schema", None) or {}).get("description", ""))


def new_study(
    folder: Path,
    domain: str,
    scenarios: Sequence[str] | None = None,
    practice: str | None = None,
    language: str = ENGLISH,
    given: Input = "speech",
    take_back_s: float = 2,
) -> Study:
    """Make a study folder with a commented study.toml; `given` is how subjects ask.

    Raises CurtainError.
    """
    domain = _writable_name(str(real_path(Path(domain))) if _is_path(domain) else domain)
    text = example_text(domain, scenarios or (), practice or "", language, given, take_back_s)
    if (folder / "study.toml").exists():
        raise CurtainError(f"There is a study in {folder} already; name another folder.")
    if problem := problem_of_name(real_path(folder).name):
        raise CurtainError(problem)
    with os_errors_as(f"{folder} cannot be written", CurtainError, _MAKE_ROOM), _place_of(folder) as made:
        (made / "sessions").mkdir(exist_ok=True)
        replace_file(made / "study.toml", text.encode())
    return load_study(folder)


def problem_of_name(name: str) -> str:
    """Why no study is given this name, which no system's folders could have; "" where it can."""
    if name in (".", "..") or any(sign in name for sign in '/\\:*?"<>|'):
        return 'The name must be one that a folder can have, without / \\ : * ? " < > |.'
    return ""


def _place_of(folder: Path) -> AbstractContextManager[Path]:
    """A folder that holds something already, such as texts, becomes a study with its last file."""
    in_use = folder.is_dir() and any(folder.iterdir())
    return nullcontext(folder) if in_use else whole_folder(folder)


def _writable_name(name: str) -> str:
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise CurtainError(f"The name {name!a} cannot be written in study.toml; rename the folder.") from error
    return name


# Plain data: the subject's station proves that its windows know these keys. Left out are those that already mean
# something on the subject's screen: Enter, Esc, Tab and the arrows.
KEY_NAMES = (
    "Space",
    *string.ascii_uppercase,
    *string.digits,
    *(f"F{number}" for number in range(1, 36)),
    "Control",
    "Shift",
    "Alt",
    "Meta",
    "Insert",
    "Delete",
    "Backspace",
    "Home",
    "End",
    "PgUp",
    "PgDown",
    "Pause",
    "Print",
    "Menu",
    "Help",
    "CapsLock",
    "NumLock",
    "ScrollLock",
)
_BY_LOWER = {name.lower(): name for name in KEY_NAMES}


def key_name(written: str) -> str | None:
    """The name as we spell it, whatever its capitals; None for what is no talk key."""
    return _BY_LOWER.get(written.strip().lower())
