"""Tasks, messages, questionnaires and texts as fields of their TOML files, which keep every remark when written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import tomlkit

from curtain.base.errors import CurtainError
from curtain.base.settings_file import convert, parse, read_text, text_if_any
from curtain.base.text_file import reading_instead
from curtain.cas.notation.reader import parse as parse_answer
from curtain.domain.pack.reader import Scenario, Solution, pack_folder
from curtain.domain.pack.trust import agree_to_pack, agreed_pack, is_agreed
from curtain.qt.languages.translation import translate
from curtain.session.questionnaires.instrument import Instrument, InstrumentItem, load_instrument, load_instruments
from curtain.session.study.messages import CannedMessage, load_message_set, message_files
from curtain.session.study.study import load_study, study_of
from curtain_home.control.actions import Field, Value
from curtain_home.control.study_settings import changed, write_settings
from curtain_home.control.study_words import Words, WordsKind, answer_of

_ANSWER = "answer"
_TITLE, _TEXT = Field("title", "", called="Title"), Field("text", "", "prose", called="Text")
_TASK = (
    _TITLE, _TEXT,
    Field("kind", "One answer solves a closed scenario.", "choice", choices=("closed", "open"), default="closed"),
    Field("asks_answer", "The subject states what was found.", "flag", default="True", called="Asks for an answer"),
    Field("practice", "It comes first, and is no data.", "flag", called="Practice"),
)  # fmt: skip
_SOLUTION = (
    Field("sql", "It finds the expected answer. The subject never sees it.", "prose", called="SQL of the answer"),
    Field(_ANSWER, "As a CAS answer.", called="Expected answer"),
    Field("accepted", "Further wordings of the answer.", many=True, called="Accepted answers"),
)
_MESSAGE = (
    _TEXT, Field("blanks", "Each stands in the text in braces, as {topic}.", many=True, called="Blanks"),
    Field("when", "When the wizard sends it.", called="When"),
    Field("key", "One small letter or digit that sends it.", called="Key"),
    Field("number", "From 1 to 99.", "number", called="Number"),
    Field("counts_as", "", "choice", choices=("no_answer", "neutral"), default="no_answer", called="Counts as"),
)  # fmt: skip
_ITEM = (
    _TEXT, Field("kind", "", "choice", choices=("text", "scale", "choice", "free"), default="scale"),
    Field("low", "", "number", default="1", called="Lowest"), Field("low_text", "", called="Word at the lowest"),
    Field("high", "", "number", default="5", called="Highest"), Field("high_text", "", called="Word at the highest"),
    Field("options", "One a line, as yes: Yes", many=True, called="Options"),
    Field("required", "Nobody goes on without an answer.", "flag", called="Required"),
)  # fmt: skip
EVERY_FIELD = (*_TASK, *_SOLUTION, *_MESSAGE, *_ITEM)
_WORDED = ("text", "low_text", "high_text")
Changes = dict[Path, tuple[str | None, str]]
"""By file what stood in it, None where there was none, and what is to stand there."""


@dataclass(frozen=True)
class Part:
    """Fields that stand in the table at `keys` of a file; with a `language` their wordings are tables of languages.
    `kind` is what the table must be."""

    path: Path
    fields: tuple[Field, ...]
    kind: type[msgspec.Struct] | None
    keys: tuple[str | int, ...] = ()
    language: str = ""


def parts_of(study: Path, words: Words) -> tuple[Part, ...]:
    """Where the fields of an entry stand; nothing for what comes with Curtain. Raises CurtainError."""
    path = words.path
    if path is None:
        return ()
    keys = parse(path.name, read_text(path))
    if words.kind == "task":
        solution = Part(path.parents[1] / "solutions" / f"{words.name}.toml", _SOLUTION, Solution)
        if "scenarios" not in keys:
            return Part(path, _TASK, Scenario), solution
        return Part(path, (_TITLE, _TEXT), None, ("scenarios", words.name)), solution
    if words.kind == "message":
        at = [one["id"] for one in keys["message"]].index(words.name)
        return (Part(path, _MESSAGE, CannedMessage, ("message", at)),)
    if words.kind == "question":
        at = [one["id"] for one in keys["items"]].index(words.name.partition(".")[2])
        return (Part(path, _ITEM, InstrumentItem, ("items", at), load_study(study).spoken_language),)
    field = (Field(words.name, "", "prose", called="Text"),)
    return (Part(path, field, None, ("texts",) if path.name == "study.toml" else ()),)


def given_in(part: Part, shown: str = "") -> dict[str, Value]:
    """The values of a part as a form has them; a text that the file lacks is as it is `shown`. Raises CurtainError."""
    table = _table(parse(part.path.name, text_if_any(part.path) or ""), part)
    return {field.name: _shown(field, table.get(field.name), part.language, shown) for field in part.fields}


def _table(keys: Any, part: Part) -> Any:
    """The table of a part, empty where there is none."""
    for key in part.keys:
        keys = keys.get(key, {}) if isinstance(key, str) else keys[key]
    return keys


def _shown(field: Field, value: Any, language: str, shown: str) -> Value:
    if field.name == "options" and language:
        return tuple(f"{one['id']}: {one['text'].get(language) or one['text']['en']}" for one in value or ())
    if language and field.name in _WORDED:
        value = (value or {}).get(language) or (value or {}).get("en", "")
    if field.kind == "flag":
        return field.default == "True" if value is None else bool(value)
    if field.many:
        return tuple(value or ())
    return str((shown if field.kind == "prose" and field.name not in ("sql", "text") else field.default)
               if value is None else value).strip()  # fmt: skip


def written(part: Part, values: Mapping[str, Value]) -> str:
    """The file with these values; what is as before is not touched. Raises CurtainError on what it must not hold."""
    before = text_if_any(part.path) or ""
    was, name = given_in(part), part.path.name
    document: Any = tomlkit.parse(before)
    table = document
    for key in part.keys:
        if isinstance(key, str) and key not in table:
            table[key] = tomlkit.table()
        table = table[key]
    for field in part.fields:
        if values[field.name] != was[field.name]:
            _set(table, field, values[field.name], part.language)
    text = tomlkit.dumps(document)
    keys = parse(name, text)
    if part.kind is not None:
        convert(name, text, _table(keys, part), part.kind)
    if part.kind is InstrumentItem:
        convert(name, text, keys, Instrument)
    if name == "study.toml":
        study_of(part.path, text)
    return text


def _set(table: Any, field: Field, value: Value, language: str) -> None:
    if value in ("", ()):
        # As if it was never there; what must be there is then missing, and said to be.
        table.pop(field.name, None)
    elif field.name == "options" and language:
        old = {one["id"]: one["text"] for one in table.get("options", ())}
        pairs = [(name.strip(), words.strip()) for name, _, words in (one.partition(":") for one in _lines(value))]
        table["options"] = [
            {"id": one, "text": {**old.get(one, {"en": words}), language: words}} for one, words in pairs
        ]
    elif language and field.name in _WORDED:
        words = table.setdefault(field.name, tomlkit.inline_table())
        words.update({language: value} if "en" in words else {"en": value, language: value})
    elif field.kind == "number":
        table[field.name] = int(str(value)) if str(value).isdecimal() else value
    elif field.kind == "prose" and "\n" in str(value):
        # `tomlkit.string` begins a long text on the line of its key.
        escaped = str(value).replace("\\", "\\\\").replace('"""', '\\"""')
        table[field.name] = tomlkit.value(f'"""\n{escaped}\n"""')
    elif isinstance(value, tuple):
        table[field.name] = list(value)
    else:
        table[field.name] = value


def write_checked(study: Path, changes: Changes, values: Mapping[str, Value]) -> None:
    """Write what changed, if the study can read it; a part that it cannot read now may stay so. Raises CurtainError."""
    before = _problems(study)
    with reading_instead({path: text for path, (_, text) in changes.items()}):
        after = _problems(study)
    if problem := next((problem for was, problem in zip(before, after, strict=True) if problem and not was), ""):
        raise CurtainError(problem)
    if sql := values.get("sql"):
        answer_of(study, str(sql))
    if answer := values.get(_ANSWER):
        dialect = agreed_pack(load_study(study).domain).dialect
        if problem := _problem(lambda: parse_answer(str(answer), dialect)):
            raise CurtainError(f"“{_ANSWER}” is no CAS answer: {problem}.")
    write(changes)


def _problems(study: Path) -> list[str]:
    """Of each part of a study a sentence on what cannot be read, or an empty text."""
    return [
        _problem(lambda: load_study(study)),
        _problem(lambda: load_message_set(load_study(study).messages)),
        _problem(lambda: load_instruments(load_study(study).questionnaires, study)),
        _problem(lambda: agreed_pack(load_study(study).domain).in_language(load_study(study).spoken_language)),
    ]


def _problem(read: Callable[[], object]) -> str:
    try:
        read()
    except CurtainError as error:
        return str(error)
    return ""


def _lines(value: Value) -> Sequence[str]:
    return value if isinstance(value, tuple) else ()


def write(changes: Changes) -> None:
    """Write what changed. Whoever edits a pack to which they agreed agrees to it again. Raises CurtainError."""
    packs = {folder for path in changes for folder in path.parents[1:2] if (folder / "domain.toml").is_file()}
    agreed = [folder for folder in packs if is_agreed(folder)]
    for path, (before, text) in changes.items():
        write_settings(path, before, text)
    for folder in agreed:
        agree_to_pack(folder)


def own_messages(study: Path) -> Changes:
    """What gives a study a copy of all messages that come with Curtain, to word them anew. Raises CurtainError."""
    loaded, settings = load_study(study), study / "study.toml"
    before = read_text(settings)
    bundled = [name for name in message_files(loaded.messages) if not Path(name).is_absolute()]
    texts = [resources.files("canned_messages").joinpath(name).read_text("utf-8") for name in bundled]
    lists = [name for name in loaded.messages if name.endswith(".toml")]
    copy = "\n".join(f"[[message]]{text.partition('[[message]]')[2]}" for text in texts)
    names = tuple(str(Path(name).relative_to(study)) if Path(name).is_relative_to(study) else name for name in lists)
    return {
        study / "messages.toml": (None, f'title = "Messages of this study"\n\n{copy}'),
        settings: (before, changed(before, {"messages": ("messages.toml", *names)})),
    }


def new_entry(study: Path, kind: WordsKind) -> tuple[Words, Changes]:
    """A task, message or question to begin with, and what makes it. Nothing is written. Raises CurtainError."""
    return {"task": _new_task, "message": _new_message, "question": _new_question}[kind](study)


def _new_task(study: Path) -> tuple[Words, Changes]:
    loaded = load_study(study)
    folder = pack_folder(loaded.domain)
    if not Path(loaded.domain).is_absolute():
        raise CurtainError("A domain of Curtain’s keeps its scenarios. A pack of your own database takes yours.")
    ids = {one.id for one in agreed_pack(loaded.domain).scenarios}
    paths = [folder / "scenarios" / f"task-{number}.toml" for number in range(1, 100)]
    path = next(path for path in paths if path.stem not in ids and not path.exists())
    title, text = translate("Words", "New scenario"), translate("Words", "Find out …")
    text = f'id = "{path.stem}"\ntitle = "{title}"\nkind = "closed"\ntext = """\n{text}\n"""\n'
    listed = _listed(study, "scenarios", loaded.scenarios, path.stem)
    return Words("task", path.stem, "", path), {path: (None, text), **listed}


def _new_message(study: Path) -> tuple[Words, Changes]:
    files = message_files(load_study(study).messages)
    paths = [Path(name) for name in files if Path(name).is_absolute()]
    changes = {} if paths else own_messages(study)
    path = paths[0] if paths else study / "messages.toml"
    before, text = changes.get(path, (read_text(path),) * 2 if paths else (None, ""))
    numbers = {one.number for messages in files.values() for one in messages}
    number = next(one for one in range(1, 100) if one not in numbers)
    words, when = translate("Words", "New message."), translate("Words", "Say when the wizard sends it.")
    entry = (
        f'\n[[message]]\nid = "message_{number}"\nnumber = {number}\ntext = "{words}"\n'
        f'counts_as = "no_answer"\nwhen = "{when}"\n'
    )
    return Words("message", f"message_{number}", "", path), {**changes, path: (before, text + entry)}


def _new_question(study: Path) -> tuple[Words, Changes]:
    loaded = load_study(study)
    names = [name for name in loaded.questionnaires if name.endswith(".toml")]
    path = study / (names[0] if names else "questionnaire.toml")
    before = read_text(path) if names else None
    form = load_instrument(names[0], study) if names else None
    ids = {one.id for one in form.items} if form else set()
    name = next(f"question-{number}" for number in range(1, 1000) if f"question-{number}" not in ids)
    title, words = translate("Words", "Questionnaire"), translate("Words", "New question")
    text = before or f'id = "questionnaire"\ntitle = {{ en = "{title}" }}\n'
    entry = f'\n[[items]]\nid = "{name}"\nkind = "free"\ntext = {{ en = "{words}" }}\n'
    listed = {} if names else _listed(study, "questionnaires", (*loaded.questionnaires, ""), path.name)
    named = f"{form.id if form else 'questionnaire'}.{name}"
    return Words("question", named, "", path), {path: (before, text + entry), **listed}


def _listed(study: Path, key: str, names: Sequence[str], name: str) -> Changes:
    """study.toml with one more name in a list; an empty list stands for all."""
    settings = study / "study.toml"
    before = read_text(settings)
    return {settings: (before, changed(before, {key: (*filter(None, names), name)}))} if names else {}
