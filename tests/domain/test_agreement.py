"""Data may name a pack; only a person's agreement lets it run."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curtain.base.privacy import Agreements
from curtain.commands.cli import app
from curtain.corpus.model.domains import Domains
from curtain.domain.pack.pack import PackError, bundled_packs
from curtain.domain.pack.trust import agree_to_pack, agreed_pack, named_pack, pack_sha256
from curtain.session.study.study import load_study
from wizard_app.desk.preparation import read_domain

MakePack = Callable[..., Path]


@pytest.fixture(autouse=True)
def user_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nobody agreed to anything, nor built a database."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "data"


@pytest.fixture
def trap(make_pack: MakePack, tmp_path: Path) -> Path:
    """A pack whose build.py writes a file beside the pack as it runs."""
    folder = make_pack()
    script = folder / "build.py"
    script.write_text(f"open({str(tmp_path / 'it-ran')!r}, 'w').close()\n{script.read_text('utf-8')}", "utf-8")
    return folder


def test_a_session_cannot_make_a_pack_run(trap: Path, tmp_path: Path) -> None:
    with pytest.raises(PackError, match="curtain domain trust"):
        Domains().database(str(trap))

    assert not (tmp_path / "it-ran").exists()


def test_nothing_of_a_pack_that_data_names_is_read_without_agreement(trap: Path) -> None:
    (trap / "domain.toml").write_text("not TOML", "utf-8")

    with pytest.raises(PackError, match="nobody agreed"):
        agreed_pack(trap)


def test_a_study_cannot_make_a_pack_run(trap: Path, tmp_path: Path) -> None:
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "study.toml").write_text(f"domain = {json.dumps(str(trap))}\n", "utf-8")

    with pytest.raises(PackError, match="curtain domain trust"):
        read_domain(load_study(tmp_path / "study"))
    for command in (
        ["draft", "--study", str(tmp_path / "study"), "who"],
        ["check", "--study", str(tmp_path / "study")],
    ):
        CliRunner().invoke(app, command)

    assert not (tmp_path / "it-ran").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["study", "new", "STUDY", "--domain", "PACK"],
        ["answer", "--domain", "PACK", "--sql", "SELECT name FROM person"],
        ["domain", "trust", "PACK"],
    ],
)
def test_a_person_who_names_a_pack_has_agreed_to_it(command: list[str], trap: Path, tmp_path: Path) -> None:
    places = {"PACK": str(trap), "STUDY": str(tmp_path / "study")}
    assert CliRunner().invoke(app, [places.get(word, word) for word in command]).exit_code == 0

    assert Domains().database(str(trap)).is_file()
    assert (tmp_path / "it-ran").exists()


def test_a_pack_made_here_is_agreed_to(tmp_path: Path) -> None:
    (tmp_path / "bakery").mkdir()
    (tmp_path / "bakery" / "cake.csv").write_text("id,name\n1,plum\n2,pear\n", "utf-8")
    assert (
        CliRunner().invoke(app, ["domain", "new", str(tmp_path / "bakery"), "--out", str(tmp_path / "own")]).exit_code
        == 0
    )

    assert Domains().database(str(tmp_path / "own")).is_file()


@pytest.mark.parametrize("part", ["build.py", "parts/more.py"])
def test_a_pack_whose_program_or_a_module_beside_it_changed_must_be_agreed_to_again(trap: Path, part: str) -> None:
    agree_to_pack(trap)
    (trap / part).parent.mkdir(exist_ok=True)
    with (trap / part).open("a", encoding="utf-8") as script:
        script.write("\n")

    with pytest.raises(PackError, match="changed since"):
        agreed_pack(trap)


def test_texts_of_a_pack_can_be_edited_and_its_folder_moved(trap: Path, tmp_path: Path) -> None:
    agree_to_pack(trap)
    (trap / "examples.jsonl").write_text('{"question": "who", "sql": "SELECT name FROM person"}\n', "utf-8")
    moved = trap.rename(tmp_path / "elsewhere")

    assert len(agreed_pack(moved).examples()) == 1


def test_bundled_packs_need_no_agreement(user_data: Path) -> None:
    assert [agreed_pack(name).name for name in bundled_packs()] == bundled_packs()
    assert named_pack("personnel").name == "personnel"
    assert not user_data.exists()


def test_a_folder_called_like_a_bundled_pack_is_not_bundled(trap: Path, tmp_path: Path) -> None:
    (tmp_path / "sample_db").mkdir()

    with pytest.raises(PackError, match="nobody agreed"):
        agreed_pack(trap.rename(tmp_path / "sample_db" / "personnel"))


def test_agreements_are_for_the_user_alone(trap: Path, user_data: Path) -> None:
    agree_to_pack(trap)

    kept = user_data / "curtain" / "agreements.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("content", ["", "[]", '{"packs": 1}', '{"packs": ["all"]}', "\0", "[" * 100_000])
def test_a_damaged_file_of_agreements_agrees_to_nothing_and_can_be_used_again(
    content: str, trap: Path, user_data: Path
) -> None:
    (user_data / "curtain").mkdir(parents=True)
    (user_data / "curtain" / "agreements.json").write_text(content, "utf-8")
    assert not Agreements().has("packs", pack_sha256(trap))

    agree_to_pack(trap)
    assert agreed_pack(trap).folder == trap
