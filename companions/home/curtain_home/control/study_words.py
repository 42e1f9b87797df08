"""What a subject reads in a study: tasks, canned messages and texts, each with the file in which it stands."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from curtain.base.errors import CurtainError
from curtain.base.input_file import parse_toml
from curtain.base.settings_file import convert, parse, read_text
from curtain.domain.pack.pack import agreed_pack
from curtain.domain.pack.reader import Pack, Scenario
from curtain.link.messages import Form
from curtain.session.questionnaires.instrument import load_instrument
from curtain.session.study.languages import consent_form
from curtain.session.study.messages import CannedMessage, load_message_set, message_files
from curtain.session.study.study import Study, load_study
from curtain.session.study.text_names import TEXT_NAMES
from curtain.session.study.text_packs import load_texts
from wizard_app.desk.session.subject.subject_forms import form_of

WordsKind = Literal["task", "message", "question", "text"]


@dataclass(frozen=True)
class Words:
    """One thing to read. `name` is its id or key, `above` what the subject reads over it, `note` says when it comes,
    `blanks` are filled in as it is sent. `path` is None where it stands in a file that comes with Curtain."""

    kind: WordsKind
    name: str
    text: str
    path: Path | None
    above: str = ""
    note: str = ""
    blanks: tuple[str, ...] = ()
    form: Form | None = None
    """The whole questionnaire of a question."""
    problem: str = ""
    """Why nothing can be read in this file."""


@dataclass(frozen=True)
class StudyWords:
    """All of a study in the order in which it is met. `language` is as study.toml names it."""

    language: str
    words: tuple[Words, ...]

    @property
    def paths(self) -> list[Path]:
        """The files of the lab in which some of them stand."""
        return sorted({one.path for one in self.words if one.path is not None})


def words_of(folder: Path) -> StudyWords:
    """Everything that the subject of this study may read. What cannot be read stands there as its problem."""
    settings = folder / "study.toml"
    try:
        study = load_study(folder)
    except CurtainError as error:
        return StudyWords("", (Words("text", settings.name, "", settings, problem=str(error)),))
    texts = load_texts(study.language, folder) | dict(study.texts)
    words = (*_tasks(study, texts), *_messages(study), *_questions(study), *_texts(study, texts))
    return StudyWords(study.language, words)


def _faulty(kind: WordsKind, error: CurtainError, paths: Iterable[Path]) -> Iterator[Words]:
    """The first of these files that the error begins with, else the last of them, with what is wrong with it."""
    every = list(paths)
    path = next((one for one in every if str(error).startswith(str(one))), every[-1])
    yield Words(kind, path.name, "", path, problem=str(error))


def _tasks(study: Study, texts: Mapping[str, str]) -> Iterator[Words]:
    try:
        plain = agreed_pack(study.domain)
        pack = plain.in_language(study.spoken_language)
    except CurtainError as error:
        file = getattr(error, "file", study.folder / "study.toml")
        yield from _faulty("task", error, [file])
        for path in sorted(file.parent.glob("*.toml")) if file.parent.name == "scenarios" else ():
            with suppress(CurtainError):
                task = convert(path.name, "", parse(path.name, read_text(path)), Scenario)
                yield Words("task", task.id, task.text.strip(), path, "", task.title)
        return
    by_id = {one.id: one for one in pack.scenarios}
    practice = [one.id for one in pack.scenarios if one.practice and study.practice in (None, one.id)]
    # A name that the domain does not have is what “curtain check” reports.
    met = [name for name in study.scenarios or by_id if name in by_id and not by_id[name].practice]
    for name in (*practice, *met):
        task = by_id[name]
        above = texts["practice"] if task.practice else (
            texts["task"].replace("{number}", str(met.index(name) + 1)).replace("{of}", str(len(met)))
        )  # fmt: skip
        yield Words("task", name, task.text, _task_file(study, plain, task), above, task.title)


def _task_file(study: Study, plain: Pack, task: Scenario) -> Path | None:
    """Where the words stand: in the pack's language file if it words them, else in the scenario's own file."""
    if plain.lasting_name == plain.name:
        return None
    if task != plain.scenario(task.id):
        return plain.folder / "languages" / f"{study.spoken_language}.toml"
    # The name of the file is its author's; the id stands in it.
    files = (plain.folder / "scenarios").glob("*.toml")
    return next(one for one in sorted(files) if parse_toml(read_text(one)).get("id") == task.id)


def _messages(study: Study) -> Iterator[Words]:
    places = [Path(name) for name in study.messages if name.endswith(".toml")] + [study.folder / "study.toml"]
    files, problems = dict[str, tuple[CannedMessage, ...]](), dict[str, CurtainError]()
    for names in (*((name,) for name in study.messages), study.messages):
        try:
            files |= message_files(names)
            if names is study.messages:
                load_message_set(names)
        except CurtainError as error:
            problems.setdefault(str(error), error)
    for met in problems.values():
        yield from _faulty("message", met, places)
    for message in sorted((message for many in files.values() for message in many), key=lambda message: message.number):
        path = Path(next(name for name, many in files.items() if message in many))
        yield Words(
            "message", message.id, message.text, path if path.is_absolute() else None, "", message.when, message.blanks
        )


def _questions(study: Study) -> Iterator[Words]:
    for name in study.questionnaires:
        path = study.folder / name if name.endswith(".toml") else None
        try:
            instrument = load_instrument(name, study.folder)
        except CurtainError as error:
            yield from _faulty("question", error, [path or study.folder / "study.toml"])
            continue
        form = form_of(instrument, study.spoken_language)
        for item in form.items:
            yield Words("question", f"{instrument.id}.{item.id}", item.text, path, form=form)


def _texts(study: Study, texts: Mapping[str, str]) -> Iterator[Words]:
    of_study = study.folder / "study.toml"
    reworded = parse_toml(read_text(of_study)).get("texts", {})
    language = study.folder / study.language if study.language.endswith(".toml") else of_study
    of_pack = dict[str, str]()
    with suppress(CurtainError):
        pack = agreed_pack(study.domain).in_language(study.spoken_language)
        of_pack = {"title": pack.title, "database_description": pack.description}
    for name in TEXT_NAMES:
        if text := texts.get(name, of_pack.get(name, "")):
            yield Words("text", name, text, of_study if name in reworded else language)


def tasks_of(folder: Path) -> list[tuple[str, str]]:
    """Title and text of each task of the study, in the study's order. Raises CurtainError."""
    study = load_study(folder)
    pack = agreed_pack(study.domain).in_language(study.spoken_language)
    tasks = {task.id: task for task in pack.scenarios if not task.practice}
    wanted = study.scenarios or tuple(tasks)
    return [(tasks[name].title, tasks[name].text) for name in wanted if name in tasks]


def consent_form_of(folder: Path) -> tuple[dict[str, str], list[str]]:
    """The words of the study's consent form, and what a subject may tick on it. Raises CurtainError."""
    study = load_study(folder)
    words = consent_form(study.spoken_language)
    allow, months = words.pop("allow"), words.pop("months")
    if study.retention_months:
        words["months"] = months.format(months=study.retention_months)
    return words, [allow[scope] for scope in study.consent_scopes]


def answer_of(study: Path, sql: str) -> str:
    """The minimum answer of a statement over the study's database. Raises CurtainError, also for what cannot be run."""
    from curtain.domain.worker.answer import answer_statement

    result = answer_statement(agreed_pack(load_study(study).domain), sql)
    if result.error:
        raise CurtainError(result.error)
    return result.cas_min or ""
