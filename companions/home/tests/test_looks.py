"""What only looks writes nothing: options that look, list or check, and the first call of a form that asks."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from typer.testing import CliRunner

from curtain.base.progress_bar import PROGRESS_AS_LINES
from curtain.base.terminal import announced
from curtain.commands.cli import app
from curtain.commands.description import actions
from curtain.session.study.study import new_study
from curtain_home.control.actions import Action, Value, arguments_of, plan_of
from tests.corpus.test_consent import allow
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS

ACTIONS = {one.command: one for one in msgspec.convert(list(actions()), tuple[Action, ...])}
LOOKS = ("--look", "--list", "--table", "--check")
PUBLISHED: dict[str, Value] = {
    "study": "toy", "out": "published", "leave_out": True, "push": "lab/questions", "authors": ("The Lab",),
    "licence": "MIT", "contact": "lab@example.org",
}  # fmt: skip

CALLS: dict[tuple[str, str], dict[str, Value]] = {
    ("export", "--list"): {},
    ("export", "--look"): {"bundles": ("toy",), "format_name": "parquet", "out": "exported"},
    ("domain new", "--look"): {"source": "tables", "out": "pack"},
    ("publish", "--look"): PUBLISHED,
    ("annotate", "--check"): {"study": "toy"},
    ("train", "--table"): {"study": "toy"},
    ("draft", "--list"): {"study": "toy"},
}
"""By command and option, what is filled in beside the option."""
ASKED: dict[str, dict[str, Value]] = {
    "publish": PUBLISHED,
    "forget": {"study": "toy", "speaker": "e00", "remove_exports": True},
    "discard": {"study": "toy", "session": "p00-01"},
    "study trust": {"study": "strange"},
    "model get": {"name": "tiny.en", "out": "model"},
    "model remove": {"name": "tiny.en"},
}
"""By command that asks first, what is filled in."""


def all_files(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in folder.rglob("*")}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    lab = tmp_path_factory.mktemp("lab")
    make_toy(lab / "toy", sittings=[one for one in SITTINGS if one.session_id == "e00-01" or one.pilot])
    allow(lab / "toy", "e00", "keep_audio", "share", "publish")
    strange = new_study(lab / "strange", "personnel").folder / "study.toml"
    strange.write_text(strange.read_text("utf-8") + '\n[systems.other]\ncommand = ["sh", "-c", "exit"]\n', "utf-8")
    (lab / "tables").mkdir()
    (lab / "tables" / "town.csv").write_text("town,people\nBonn,300000\n", "utf-8")
    return lab


@pytest.fixture
def looks(lab: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[str, ...]], str]:
    """Runs a call as the home window does, in a folder of its own; gives what it printed, if nothing was written."""
    place = Path(shutil.copytree(lab, tmp_path / "lab"))
    for kind in ("DATA", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))
    monkeypatch.chdir(place)

    def run(arguments: tuple[str, ...]) -> str:
        before = all_files(tmp_path)
        done = CliRunner().invoke(app, list(arguments), env=PROGRESS_AS_LINES, input="")
        assert all_files(tmp_path) == before, done.output
        assert done.output, done.exception
        return done.output

    return run


def test_every_look_is_tried() -> None:
    looking = {(name, one.option) for name, action in ACTIONS.items() for one in action.fields if one.option in LOOKS}
    assert looking == set(CALLS)
    assert {name for name, action in ACTIONS.items() if action.asks_first} == set(ASKED)


@pytest.mark.parametrize(("command", "option"), CALLS)
def test_what_looks_writes_nothing(command: str, option: str, looks: Callable[[tuple[str, ...]], str]) -> None:
    action = ACTIONS[command]
    flag = next(one.name for one in action.fields if one.option == option)
    looks(arguments_of(action, CALLS[command, option] | {flag: True}))


@pytest.mark.parametrize("command", ASKED)
def test_what_asks_first_writes_nothing_before_a_person_agreed(
    command: str, looks: Callable[[tuple[str, ...]], str]
) -> None:
    said = looks(plan_of(ACTIONS[command], ASKED[command], None).arguments)
    assert any("ask" in announced(line) for line in said.splitlines()), said
