"""What a study names starts, loads and sends nothing before a person agreed to exactly that on this machine."""

import py_compile
import queue
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from curtain.base.errors import CurtainError
from curtain.base.privacy import NotAgreed, ensure_agreed
from curtain.commands.cli import app
from curtain.commands.run.check import look_around
from curtain.corpus.redaction.pseudonyms import KEY_FILE
from curtain.domain.pack.pack import database, load_pack
from curtain.session.bundle.heads import NUMBERS, STUDY_LAYERS
from curtain.session.study.study import load_study, new_study
from curtain_drafts.tool.service import DraftService
from curtain_drafts.tool.serving.settings import DraftSettings, read_settings
from curtain_ear import models
from curtain_experiments.desk.systems import start_all
from curtain_experiments.systems.choice import BadSystem, command_system, recogniser_of, system_named
from curtain_experiments.systems.starting import agreements_of

NOT_AGREED = "Nobody agreed to that on this machine"
PROGRAM = "import pathlib, helper\npathlib.Path('started').touch()\n"


@pytest.fixture(autouse=True)
def nobody_agreed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nobody agreed to anything."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study from elsewhere, with a program of its own in its folder `bin`."""
    folder = new_study(tmp_path / "study", "personnel", scenarios=("fair", "team"), practice="none").folder
    for name in ("bin/pkg", "lib", "logs"):
        (folder / name).mkdir(exist_ok=True, parents=True)
    for name in ("helper.py", "bin/helper.py", "bin/pkg/data.txt", "lib/deep.so"):
        (folder / name).write_text("")
    (folder / "bin" / "mine.py").write_text(PROGRAM)
    settings(
        folder,
        f"""
[[conditions]]
id = "a"
who = "system"
system = "mine"
ears = "asr"
[[conditions]]
id = "b"
[asr]
command = ["{sys.executable}", "bin/mine.py"]
[systems.mine]
command = ["{sys.executable}", "bin/mine.py"]
""",
    )
    return folder


def settings(study: Path, text: str) -> None:
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write(text)


def by_command(study: Path) -> str:
    questions = study.parent / "questions.jsonl"
    questions.write_text('{"id": "e00-01-001", "text": "who"}\n')
    options = ["--questions", str(questions), "--study", str(study), "--out", str(study.parent / "answers.jsonl")]
    ran = CliRunner().invoke(app, ["system", "run", "mine", *options])
    return f"{ran.output} {ran.exception}"


def by_wizard(study: Path) -> str:
    pack = load_pack("personnel")
    running = start_all(load_study(study), pack, database(pack), lambda: None, lambda: pytest.fail("no model is asked"))
    with closing(running):
        return " ".join(running.problems.values()) if set(running.problems) == {"mine", "asr"} else ""


def by_check(study: Path) -> str:
    findings = {one.what: one.text for one in look_around(None, study, "personnel")}
    return findings["system mine"] if NOT_AGREED in findings["asr"] else ""


@pytest.mark.parametrize("way", [by_command, by_wizard, by_check])
def test_no_way_starts_a_program_of_a_study_without_an_agreement(study: Path, way: Callable[[Path], str]) -> None:
    assert NOT_AGREED in " ".join(way(study).split())
    assert not (study / "started").exists()


def test_a_program_starts_once_a_person_agreed_to_it(study: Path) -> None:
    planted = study / "planted.py"
    planted.write_text("open('planted', 'w')")
    compiled = cache_from_source(str(study / "bin" / "helper.py"))
    py_compile.compile(str(planted), compiled, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    assert CliRunner().invoke(app, ["study", "trust", str(study), "--yes"]).exit_code == 0
    # It says nothing, so it breaks down; but it ran.
    assert NOT_AGREED not in by_command(study) and (study / "started").exists()
    assert not (study / "planted").exists()


CHANGES: dict[str, tuple[Callable[[Path], object], bool]] = {
    "the program": (lambda study: (study / "bin" / "mine.py").write_text("1"), True),
    "a module beside it": (lambda study: (study / "bin" / "helper.py").write_text("1"), True),
    "a module where Python compiles": (
        lambda study: ((study / "bin/__pycache__").mkdir(), (study / "bin/__pycache__/m.py").write_text("1")),
        True,
    ),
    "a new file beside it": (lambda study: (study / "bin" / "json.py").write_text("1"), True),
    "its data": (lambda study: (study / "bin" / "pkg" / "data.txt").write_text("1"), True),
    "a module at the top": (lambda study: (study / "helper.py").write_text("1"), True),
    "a library elsewhere": (lambda study: (study / "lib" / "deep.so").write_text("1"), True),
    "its variables": (lambda study: settings(study, 'environment = ["SECRET"]\n'), True),
    "data elsewhere": (lambda study: (study / "lib" / "p.txt").write_text("1"), True),
    "a note at the top": (lambda study: (study / "notes.md").write_text("1"), True),
    "what the study keeps": (
        lambda study: [(study / name).write_text("1") for name in (*STUDY_LAYERS, NUMBERS, KEY_FILE, "tasks.pdf")],
        False,
    ),
    "a log": (lambda study: (study / "logs" / "wizard.crash").write_text("1"), False),
}


@pytest.mark.parametrize("change", CHANGES)
def test_an_agreement_ends_when_what_would_run_changes(study: Path, change: str) -> None:
    alter, ends = CHANGES[change]
    for agreement in agreements_of(system_named("mine", load_study(study).systems, study)):
        agreement.give()
    alter(study)
    needed = list(agreements_of(system_named("mine", load_study(study).systems, study)))
    assert [one.is_given for one in needed] == [not ends]
    assert change != "its variables" or "gets of your environment SECRET" in needed[0].sentence


REFUSED = ("logs/e.sh", "sh logs/e.sh", "logs.e", "-mlogs.e", "cd STATE; sh e", "bin/../heads/e", ". .git/e")


@pytest.mark.parametrize("word", [*REFUSED, "bin/logs/e.sh", "--state", "--out=stateless"])
def test_no_command_reaches_into_a_folder_that_curtain_writes(study: Path, word: str) -> None:
    (study / "bin/logs").mkdir()
    for name in ("bin/logs/e.sh", "logs/e.sh", "logs.e"):
        (study / name).touch()
    with pytest.raises(NotAgreed, match="Programs belong in a folder of their own" if word in REFUSED else NOT_AGREED):
        ensure_agreed(agreements_of(replace(command_system("sh"), study=str(study), command=("sh", word))))


def test_nobody_can_agree_to_what_is_behind_a_linked_folder(study: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (study / "bin" / "linked").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotAgreed, match="linked cannot be read, so nobody can agree to it: it is a link to a folder"):
        list(agreements_of(system_named("mine", load_study(study).systems, study)))


@pytest.mark.parametrize("name", ["drafts-robust", "drafts-strict"])
@pytest.mark.parametrize("table", [{"command": ["sh", "x"]}, {"address": "http://x", "model": "m"}, {"plugin": "x"}])
def test_no_table_takes_the_name_of_what_is_built_in(name: str, table: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(BadSystem, match="comes with Curtain"):
        system_named(name, {name: table}, tmp_path)


def test_a_model_that_a_study_brings_is_loaded_by_agreement_alone(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curtain_ear.models.is_installed", lambda: True)
    for folder in (study, study / "own", study / "own/deep", study / "tiny.en"):
        folder.mkdir(exist_ok=True)
        (folder / "model.bin").write_text(folder.name)
    with pytest.raises(NotAgreed, match="is a study, and changes each day"):
        models.model_of({"model": "."}, "en", study)
    # A model names further files, such as the external data of ONNX, and native code reads them too.
    for name in ("model.bin", "tokenizer.json", "model.onnx_data", "model.onnx.data", "weights.data", "deep/rest"):
        with pytest.raises(NotAgreed, match=NOT_AGREED):
            models.model_of({"model": "own"}, "en", study)
        for agreement in models.agreements_of({"model": "own"}, study):
            agreement.give()
        assert models.model_of({"model": "own"}, "en", study) == study / "own"
        (study / "own" / name).write_text("another")
    # A folder with the name of an installed model is not that model.
    with pytest.raises(CurtainError, match="is not on this machine"):
        models.model_of({}, "en", study)


@pytest.mark.parametrize(
    "table", [{"curtain": {"meaning": "."}}, {"curtain": False, "toy": {"address": "http://x", "environment": ["KEY"]}}]
)
def test_a_drafter_of_a_study_loads_and_is_given_nothing_without_an_agreement(
    table: dict[str, object], tmp_path: Path
) -> None:
    (tmp_path / "model.onnx").touch()
    pack, problems = load_pack("personnel"), queue.SimpleQueue[str]()
    read: DraftSettings = read_settings(table, tmp_path)
    with closing(DraftService(pack, database(pack), [], read, on_problem=problems.put)):
        assert NOT_AGREED in problems.get(timeout=60)


def test_what_a_recogniser_that_is_a_plug_in_is_given_needs_an_agreement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curtain_experiments.systems.choice.named_offers", lambda port: {"ears": "ears:hear"})
    plain, given = recogniser_of({"plugin": "ears"}), recogniser_of({"plugin": "ears", "address": "http://x"})
    assert plain is not None and given is not None
    ensure_agreed(agreements_of(plain))
    with pytest.raises(NotAgreed, match="address = 'http://x'"):
        ensure_agreed(agreements_of(given))
