"""Tasks, messages, questions and texts as forms: what is written, what is refused, and every remark stays."""

import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.base.settings_file import text_if_any
from curtain.domain.pack.pack import agree_to_pack
from curtain.domain.pack.reader import pack_folder
from curtain.session.study.messages import load_message_set
from curtain.session.study.study import load_study, new_study
from curtain_home.control.actions import Value
from curtain_home.control.study_words import Words, WordsKind, words_of
from curtain_home.control.word_files import given_in, new_entry, own_messages, parts_of, write, write_checked, written

TASK = '# Ours.\nid = "van"\ntitle = "The van"  # short\nkind = "open"\ntext = """\nFind it.\n"""\n'
MESSAGE = (
    '# Ours.\n[[message]]\nid = "no_moon"  # an id\nnumber = 90\ntext = "Nothing is known of {place}."\n'
    'blanks = ["place"]\ncounts_as = "no_answer"\nwhen = "The moon."\n'
)
FORM = (
    '# Ours.\nid = "mood"\ntitle = { en = "Mood", de = "Laune" }\n[[items]]  # first\nid = "how"\nkind = "scale"\n'
    'text = { en = "How are you?", de = "Wie geht es?" }\nlow_text = { en = "bad" }\nhigh_text = { en = "good" }\n'
)
CASES: dict[str, tuple[str, dict[str, Value], str, str]] = {
    "a title": (TASK, {"title": "A van"}, 'title = "A van"  # short', ""),
    "a long text": (TASK, {"text": "Find\nit now."}, 'text = """\nFind\nit now.\n"""', ""),
    "a tick": (TASK, {"practice": True}, "practice = true", ""),
    "a message": (MESSAGE, {"text": "{place} is dark."}, 'text = "{place} is dark."', ""),
    "a key": (MESSAGE, {"key": "m"}, 'key = "m"', ""),
    "a lost blank": (MESSAGE, {"text": "It is dark."}, "", "the blank “place” does not occur"),
    "a long key": (MESSAGE, {"key": "moon"}, "", "one small letter or one digit"),
    "no number": (MESSAGE, {"number": "many"}, "", "a whole number from 1 to 99"),
    "a question": (FORM, {"text": "Well?"}, 'en = "Well?", de = "Wie geht es?"', ""),
    "a scale": (FORM, {"high": "7"}, "high = 7", ""),
    "no word at an end": (FORM, {"low_text": ""}, 'kind = "scale"', ""),
    "no text": (MESSAGE, {"text": ""}, "", "“text” is missing"),
    "an empty scale": (FORM, {"high": "1"}, "", "a scale must have from 2 to"),
}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    made = new_study(tmp_path / "lab", "personnel").folder
    (made / "scenarios").mkdir()
    for name, text in (("scenarios/van", TASK), ("mine", MESSAGE), ("mood", FORM)):
        (made / f"{name}.toml").write_text(text, "utf-8")
    settings = 'messages = ["mine.toml"]  # ours\nquestionnaires = ["mood.toml"]\nscenarios = ["balance"]\n'
    (made / "study.toml").write_text(settings, "utf-8")
    return made


def entry(study: Path, text: str) -> Words:
    if text == TASK:
        return Words("task", "van", "Find it.", study / "scenarios" / "van.toml")
    names = {MESSAGE: "no_moon", FORM: "mood.how"}
    return next(one for one in words_of(study).words if one.name == names[text])


@pytest.mark.parametrize("case", CASES)
def test_what_a_form_writes_keeps_all_else_and_what_must_not_be_is_refused(case: str, study: Path) -> None:
    before, values, wanted, problem = CASES[case]
    part = parts_of(study, entry(study, before))[0]
    given = given_in(part)
    assert written(part, given) == before
    if problem:
        with pytest.raises(CurtainError, match=problem):
            written(part, given | values)
        return
    text = written(part, given | values)
    assert wanted in text
    assert [one for one in ("# Ours.", "# short", "# an id", "# first") if one in before and one not in text] == []


def test_a_text_that_comes_with_curtain_is_worded_anew_in_the_settings(study: Path) -> None:
    words = next(one for one in words_of(study).words if one.name == "please_wait")
    [part] = parts_of(study, words)
    assert given_in(part, words.text) == {"please_wait": words.text}
    text = written(part, {"please_wait": "Wait"})
    assert text.startswith('messages = ["mine.toml"]  # ours') and text.endswith('[texts]\nplease_wait = "Wait"\n')


def test_messages_that_come_with_curtain_become_the_study_s_own(tmp_path: Path) -> None:
    study = new_study(tmp_path / "lab", "personnel").folder
    before = load_message_set(load_study(study).messages).messages
    assert parts_of(study, next(one for one in words_of(study).words if one.kind == "message")) == ()
    write(own_messages(study))
    assert load_message_set(load_study(study).messages).messages == before
    assert parts_of(study, next(one for one in words_of(study).words if one.kind == "message"))


@pytest.mark.parametrize("kind", ["message", "question"])
@pytest.mark.parametrize("own", [False, True], ids=["with what comes with Curtain", "with files of its own"])
def test_a_new_entry_is_one_that_a_session_takes(kind: WordsKind, own: bool, study: Path, tmp_path: Path) -> None:
    place = study if own else new_study(tmp_path / "plain", "personnel").folder
    for _ in range(2):
        begun, changes = new_entry(place, kind)
        write_checked(place, changes, {})
        words = next(one for one in words_of(place).words if (one.kind, one.name) == (kind, begun.name))
        assert parts_of(place, words)
    load_message_set(load_study(place).messages)


def test_a_new_task_belongs_to_a_pack_of_one_s_own(study: Path) -> None:
    with pytest.raises(CurtainError, match="keeps its scenarios"):
        new_entry(study, "task")


@pytest.fixture
def own_pack(tmp_path: Path) -> Path:
    """A study about a pack of its own, with one task and one message."""
    pack = shutil.copytree(pack_folder("personnel"), tmp_path / "pack")
    agree_to_pack(pack)
    study = new_study(tmp_path / "lab", str(pack)).folder
    write(own_messages(study))
    for kind in ("task", "message", "question"):
        write(new_entry(study, kind)[1])
    return study


@pytest.mark.parametrize(("kind", "values", "problem"), [
    ("message", {"number": "1"}, "the number 1 is taken already by “"),
    ("message", {"key": "3"}, "the key 3 is taken already by “"),
    ("task", {"sql": "SELECT jobtitle FROM employee"}, "did you mean “job_title”"),
    ("task", {"answer": "((("}, "“answer” is no CAS answer: line 1, column 4"),
    ("message", {"text": "All is well."}, ""), ("question", {"text": "Well?"}, ""),
    ("task", {"sql": "SELECT job_title FROM employee", "answer": '(("CLERK"))'}, ""),
])  # fmt: skip
def test_what_the_study_could_not_read_is_never_written(
    kind: WordsKind, values: dict[str, Value], problem: str, own_pack: Path
) -> None:
    words, changes = new_entry(own_pack, kind)
    write(changes)
    before = {path: path.read_bytes() for path in own_pack.parent.rglob("*.toml")}
    parts = parts_of(own_pack, words)
    given = {name: value for part in parts for name, value in given_in(part).items()} | values
    texts = {part.path: (text_if_any(part.path), written(part, given)) for part in parts}
    with pytest.raises(CurtainError, match=problem) if problem else nullcontext():
        write_checked(own_pack, texts, given)
    assert ({path: path.read_bytes() for path in own_pack.parent.rglob("*.toml")} == before) == bool(problem)


@pytest.mark.parametrize(("file", "text", "kind"), [
    ("lab/messages.toml", MESSAGE + MESSAGE, "message"), ("lab/messages.toml", "[[", "message"),
    ("lab/questionnaire.toml", "[[", "question"), ("pack/scenarios/task-1.toml", "[[", "task"),
    ("lab/study.toml", "[[", "text"),
])  # fmt: skip
def test_a_broken_file_hides_nothing_that_can_be_read(file: str, text: str, kind: WordsKind, own_pack: Path) -> None:
    before = {one.kind for one in words_of(own_pack).words}
    path = own_pack.parent / file
    path.write_text(text, "utf-8")
    words = words_of(own_pack).words
    assert [(one.kind, one.path) for one in words if one.problem] == [(kind, path)]
    assert path.name == "study.toml" or {one.kind for one in words} == before


def test_a_task_s_expected_answer_stands_in_a_file_of_its_own(study: Path) -> None:
    task, solution = parts_of(study, entry(study, TASK))
    values = given_in(task) | given_in(solution) | {"sql": "SELECT 1", "answer": "1", "accepted": ("one",)}
    write({solution.path: (None, written(solution, values))})
    assert given_in(solution) == {"sql": "SELECT 1", "answer": "1", "accepted": ("one",)}
    assert solution.path == study / "solutions" / "van.toml"
