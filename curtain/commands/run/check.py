"""`curtain check`: looks at everything a session needs, before the subject is in the room."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from curtain.base.disk import sync_folder
from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.base.terminal import print_json, print_line
from curtain.commands.options import AsJson, Domain, Microphone, StudyOption
from curtain.commands.run.other_stations import OtherStations, given
from curtain.ports.discovery import all_problems, first, guarded, installed, offers
from curtain.ports.drafting import Drafting
from curtain.ports.operator import Operator
from curtain.ports.result import end_with

if TYPE_CHECKING:
    from curtain.domain.pack.reader import Pack
    from curtain.session.study.study import Study

Look = tuple[str, Callable[[], str]]

ENOUGH_HOURS = 4


@dataclass(frozen=True)
class CheckResult:
    """One thing looked at: `text` says how it is, and what to do if it is not well."""

    what: str
    well: bool
    text: str


def check(
    mic: Microphone = None,
    study: StudyOption = None,
    domain: Domain = "personnel",
    connect: Annotated[str, typer.Option("--connect", help="The wizard's station's ADDRESS:PORT to measure to.")] = "",
    as_json: AsJson = False,
    stations: OtherStations = None,
) -> int:
    """Print all findings; 1 if anything is not well."""
    findings = look_around(mic, study, domain, connect, given(stations))
    if as_json:
        print_json(list(map(asdict, findings)))
    else:
        for finding in findings:
            print_line(f"{'ok  ' if finding.well else 'BAD '} {finding.what}: {finding.text}")
    bad = [finding.text for finding in findings if not finding.well]
    end_with("".join(bad[:1]), say=None, bad=len(bad))
    return 1 if bad else 0


def look_around(
    microphone: str | None,
    folder: Path | None,
    domain: str,
    connect: str = "",
    stations: Mapping[str, Any] = MappingProxyType({}),
) -> list[CheckResult]:
    """All findings, in the order in which one would correct them. Never raises for what it looks at.

    Of a study every setting is looked at by itself, so that one call finds all that is wrong with it.
    """

    from curtain.domain.pack.pack import named_pack

    study, findings = _read_study(folder)
    wanted = microphone or (study.microphone if study else None)
    speaks = bool(wanted) or study is None or study.speak or _is_asked(study, ("speech", "both"))
    looks: list[Look] = [
        ("microphone", lambda: _microphone(wanted, study) if speaks else "none is needed: the subject types."),
        ("loudspeaker", lambda: _loudspeaker() if speaks else "none is needed: nothing is spoken."),
        ("disk", lambda: _disk(folder or Path.cwd(), study)),
        *(_looks_at_study(study) if study else []),
        *(first("drafting", Drafting).checks(None) if folder is None else []),
        *([("database", lambda: _database(lambda: named_pack(domain)))] if folder is None else []),
        ("link", _link),
        *([("network", lambda: _network(connect))] if connect else []),
        *((one.name, partial(one.check, stations)) for one in offers("station") if stations.get(one.name)),
        ("display", _display),
        ("awake", _awake),
        ("rehearsal speech", _speech),
        ("companions", _companions),
        *((what, partial(guarded, place, lambda check: str(check(study))))
          for companion, _ in installed().companions for what, place in companion.checks.items()),
    ]
    return [*findings, *(_finding(what, look) for what, look in looks)]


def _companions() -> str:
    from curtain.commands.table import PROBLEMS

    if met := (*all_problems(), *PROBLEMS):
        raise CurtainError(" ".join(met))
    return f"{', '.join(companion.name for companion, _ in installed().companions) or 'none'} installed."


def _finding(what: str, look: Callable[[], str]) -> CheckResult:
    try:
        # Whatever goes wrong is a finding: one call reports all that is wrong.
        return CheckResult(what, True, look())
    except CurtainError as problem:
        return CheckResult(what, False, str(problem))
    except OSError as problem:
        return CheckResult(what, False, f"{problem.filename or 'The system'}: {problem.strerror or problem}.")


# -- the study -------------------------------------------------------------------------------------------


def _read_study(folder: Path | None) -> tuple[Study | None, list[CheckResult]]:
    """The study, if there is one that can be read, and what to report of its file."""
    from curtain.session.study.study import load_study

    if folder is None:
        return None, [CheckResult("study", True, "none named (--study DIR looks at one).")]
    try:
        study = load_study(folder)
    except CurtainError as problem:
        return None, [CheckResult("study", False, str(problem))]
    return study, [CheckResult("study", True, f"{study.folder / 'study.toml'} can be read.")]


def _looks_at_study(study: Study) -> list[Look]:
    # Agreed: the build program of a pack from elsewhere is not run just to look at it.
    from curtain.domain.pack.pack import agreed_pack

    looks: list[Look] = [
        ("sessions folder", lambda: _sessions_folder(study)),
        ("mirror", lambda: _mirror(study)),
        ("messages", lambda: _messages(study)),
        *first("drafting", Drafting).checks(study),
        ("questionnaires", lambda: _questionnaires(study)),
        *first("operator", Operator).checks(study),
        ("transcribe", lambda: _transcribe(study)),
        ("speak", lambda: _speak(study)),
        ("listen live", lambda: "questions are heard while spoken." if study.listen_live else "off: after the key."),
        ("recording", lambda: _recording(study)),
        *((key, partial(_of_before, key)) for key in _OF_BEFORE if getattr(study, key)),
        ("database", lambda: _database(lambda: agreed_pack(study.domain))),
    ]
    try:
        pack = agreed_pack(study.domain)
    except CurtainError:
        # Reported by the look at the database; a second sentence would say it twice.
        return looks  # reported with the database
    return [
        *looks,
        ("show", lambda: _show(study, pack)),
        ("rule_book", lambda: _rule_book(study, pack)),
        ("scenarios", lambda: _scenarios(study, pack)),
        ("practice", lambda: _practice(study, pack)),
        ("solutions", lambda: _solutions(study, pack)),
    ]


def why_nobody_can_ask(folder: Path) -> str:
    """What keeps a subject at this computer from asking in a study, with what to do; "" where they can speak or type.
    Raises CurtainError: the study cannot be read.

    Sees a microphone that was connected just now. Call it while no sound is open.
    """
    from curtain.audio.devices import list_microphones, rescan
    from curtain.session.study.study import load_study

    study = load_study(folder)
    try:
        if not list_microphones():
            rescan()
        _microphone(study.microphone, None)
    except CurtainError as problem:
        # The pack is read last: the sum over a large database takes long.
        return str(problem) if _is_asked(study, ("speech",)) else ""
    return ""


def _is_asked(study: Study, ways: Collection[str]) -> bool:
    """Whether a question of the study may be asked in one of these ways, as a condition, the scenario or the study
    says."""
    from curtain.domain.pack.pack import agreed_pack

    if any(one.input in ways for one in study.conditions):
        return True
    try:
        tasks = agreed_pack(study.domain).scenarios
    except CurtainError:
        return study.input in ways
    met = [one for one in tasks if one.practice or one.id in study.scenarios or not study.scenarios]
    return any((one.input or study.input) in ways for one in met) or not met


def _sessions_folder(study: Study) -> str:
    study.ensure_sessions_writable()
    return f"{study.sessions_folder} can be written."


def _mirror(study: Study) -> str:
    study.ensure_mirror_writable()
    return f"{study.mirror} can be written." if study.mirror else "none."


def _messages(study: Study) -> str:
    from curtain.session.study.messages import load_message_set
    from curtain.session.study.settings import advice_on_messages

    messages = load_message_set(study.messages)
    if advice := advice_on_messages(study):
        raise CurtainError(advice)
    if messages.unended:
        numbers = ", ".join(f"{one.number} ({one.id})" for one in messages.unended)
        raise CurtainError(f"End each canned message with a full stop in the study's message files: {numbers}.")
    return f"{len(messages.messages)} canned messages."


def _speak(study: Study) -> str:
    from curtain.audio.voice import voice_command

    if study.voice:
        voice_command(study.voice)
    return "answers are also said aloud; give the subject headphones." if study.voice else "off."


def _recording(study: Study) -> str:
    from curtain.audio.devices import find_microphone

    wide = "; what was recorded at 48 kHz is kept beside them" if study.recording_rate > 16_000 else ""
    second = study.second_microphone and f"; {find_microphone(study.second_microphone).name} records, too"
    return f"takes at 16 kHz{wide}{second}."


_OF_BEFORE = {
    "video": "“video” in study.toml records nothing any more. Take it out, and record beside the session as "
    "docs/instruments.md#video says.",
    "lsl": "“lsl” in study.toml sends nothing any more. Take it out, and install the companion in docs/instruments.md.",
}


def _of_before(key: str) -> str:
    raise CurtainError(_OF_BEFORE[key])


def _transcribe(study: Study) -> str:
    from curtain.ports.ear import model_that_loads

    if not study.transcribes:
        return "off."
    model = model_that_loads(study.asr, study.spoken_language, study.folder)
    when = "" if study.transcribe else " under some conditions"
    return f"the wizard is offered first transcriptions{when}, made by the model {model}."


def _show(study: Study, pack: Pack) -> str:
    """A pack that says nothing of what people know a thing by leaves its keys in sight."""
    if study.show != "readable":
        return f"{study.show}."
    if pack.problems_of_entities:
        raise CurtainError(f"domain.toml of “{pack.title}”: {pack.problems_of_entities[0]}.")
    named = sum(bool(entity.readable) for entity in pack.entities.all)
    if not named:
        raise CurtainError(
            f'show = "readable" in study.toml, but the domain “{pack.title}” has no [readable]: the subject would '
            'read keys. Write it in domain.toml, or set show = "minimum".'
        )
    return f"readable; {named} of {len(pack.entities.all)} kinds of things are shown by name."


def _rule_book(study: Study, pack: Pack) -> str:
    from curtain.domain.rules.principles import load_rules, under_rule_book

    book = load_rules(under_rule_book(pack, study.rule_book, f"“rule_book” in {study.folder / 'study.toml'}"))
    return f"{book.year}, {len(book.rules)} principles."


def _scenarios(study: Study, pack: Pack) -> str:
    _ensure_there("scenarios", study, pack)
    offered = study.scenarios or [one.id for one in pack.scenarios if not one.practice]
    if not offered:
        raise CurtainError(f"The domain “{pack.title}” has no scenario but for practice; write one, or name another.")
    return f"{len(offered)} to work on."


def _practice(study: Study, pack: Pack) -> str:
    from curtain.session.study.study import NO_PRACTICE

    _ensure_there("practice", study, pack)
    wanted = study.practice or next((one.id for one in pack.scenarios if one.practice), NO_PRACTICE)
    return "none." if wanted == NO_PRACTICE else f"“{wanted}”."


def _ensure_there(key: Literal["scenarios", "practice"], study: Study, pack: Pack) -> None:
    from curtain.session.study.settings import problem_of_scenarios

    if problem := problem_of_scenarios(key, study, pack.title, [one.id for one in pack.scenarios]):
        raise CurtainError(problem)


def _questionnaires(study: Study) -> str:
    from curtain.session.questionnaires.instrument import load_instruments

    instruments = load_instruments(study.questionnaires, study.folder)
    return f"{', '.join(one.id for one in instruments) or 'none'}."


def _solutions(study: Study, pack: Pack) -> str:
    from curtain.corpus.model.solutions import SOLUTIONS_FOLDER, solutions_of_study

    written = solutions_of_study(study.folder)
    offered = {one.id for one in pack.scenarios}
    # A file for another scenario would change nothing, silently.
    if astray := [name for name in written if name not in offered]:
        raise CurtainError(
            f"{study.folder / SOLUTIONS_FOLDER / astray[0]}.toml: there is no scenario “{astray[0]}”; name the file "
            f"after one of {', '.join(sorted(offered))}."
        )
    return f"its own for {', '.join(written)}." if written else "those of the pack."


def _database(read: Callable[[], Pack]) -> str:
    from curtain.base.sql_names import quoted
    from curtain.domain.worker.answer import answer_statement

    pack = read()
    # Any table: the question is only whether the worker starts and answers.
    table = next(iter(pack.tables))
    result = answer_statement(pack, f"SELECT count(*) FROM {quoted(table)}")
    if result.error:
        raise CurtainError(f"The database of “{pack.title}” does not answer: {result.error}")
    return f"{pack.title} answers in {result.ms} ms."


# -- the machine -----------------------------------------------------------------------------------------


def _microphone(wanted: str | None, study: Study | None) -> str:
    from curtain.audio.devices import find_microphone, list_microphones

    microphones = list_microphones()
    if not microphones and not wanted:
        if study and not _is_asked(study, ("speech",)):
            raise CurtainError("No microphone is connected. Connect one, or go on: subjects may type.")
        raise CurtainError(
            "No microphone is connected. Connect one, or let subjects type: “Subjects ask by” in the settings, "
            'input = "both" in study.toml.'
        )
    # Without a name a session takes the system's default, which need not be the first.
    device = find_microphone(wanted)
    return f"{device.name} ({len(microphones)} connected).{_PERMISSION if sys.platform == 'darwin' else ''}"


# Without it macOS gives silence and no problem.
_PERMISSION = (
    " macOS records silence until it is allowed: System Settings, Privacy & Security, Microphone, "
    "and there the program that starts Curtain, such as Terminal."
)


def _loudspeaker() -> str:
    from curtain.audio.devices import find_output, list_outputs

    outputs = list_outputs()
    if not outputs:
        raise CurtainError("No loudspeaker or headphones are connected; the wizard will hear nothing.")
    return f"{find_output(None).name} ({len(outputs)} connected)."


def _disk(folder: Path, study: Study | None) -> str:
    from curtain.session.study.study import SPEECH_PER_HOUR

    # The folder may not be there yet; the disk is that of the nearest folder that is.
    existing = next(place for place in (folder, *real_path(folder).parents) if place.exists())
    hours = shutil.disk_usage(existing).free / (study.bytes_per_hour if study else SPEECH_PER_HOUR)
    if hours < ENOUGH_HOURS:
        raise CurtainError(f"{existing} has room for {hours:.1f} hours of speech; free some space.")
    safe = "" if sync_folder(existing) else (
        " It does not promise that files survive a power cut; a folder on a disk of this machine does."
    )  # fmt: skip
    return f"room for {hours:,.0f} hours of speech in {existing}.{safe}"


def _link() -> str:
    from curtain.link.socket_paths import run_folder

    folder = run_folder()
    # Written to, not only looked at: rights on paper say little about file systems.
    with tempfile.TemporaryFile(dir=folder):
        return f"the stations can meet in {folder}."


def _display() -> str:
    from curtain.qt.windows.display import has_display, open_for_a_moment

    if not has_display() and "QT_QPA_PLATFORM" not in os.environ:
        raise CurtainError("There is no display; only --headless runs are possible here.")
    open_for_a_moment()
    return "a window opens."


def _awake() -> str:
    from curtain.qt.windows.awake import try_to_stay_awake

    return try_to_stay_awake()


def _speech() -> str:
    from curtain.audio.voice import writing_command

    return f"{Path(writing_command(Path('test.wav'), 150)[0]).stem} can speak scripts."


def _network(address: str) -> str:
    """Raises CurtainError."""
    from curtain.ports.seat import seats_of_companion

    return seats_of_companion().measure(address)
