"""The wheel holds everything: installed elsewhere, it runs from its own files alone."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


def run_there(elsewhere: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    where = {**os.environ, "PYTHONPATH": str(elsewhere), "QT_QPA_PLATFORM": "offscreen", **env}
    return subprocess.run(
        [sys.executable, "-P", *arguments], cwd=elsewhere, env=where, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    "member",
    ["canned_messages/base.toml", "sample_db/personnel/domain.toml", "sample_db/personnel/build.py",
     "sample_db/personnel/demo.jsonl", "sample_db/personnel/study/e00.jsonl",
     "sample_db/personnel/course/course.json", "sample_db/atis/course/turn-30.ogg",
     "wizard_app/__main__.py", "subject_app/__main__.py", "curtain/commands/cli.py",
     "curtain_drafts/tool/serving/drafter_child.py", "curtain_ear/child.py",
     "curtain/py.typed", "curtain/qt/app_icon/curtain.svg"],
)  # fmt: skip
def test_the_wheel_holds(wheel: Path, member: str) -> None:
    assert member in zipfile.ZipFile(wheel).namelist()


def test_the_wheel_holds_no_tests_and_no_helpers(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "curtain", "wizard_app", "subject_app", "canned_messages", "sample_db", "curtain_practice", "curtain_ear",
        "curtain_corpora", "curtain_packs", "curtain_score", "curtain_judge", "curtain_experiments", "curtain_browser",
        "curtain_home", "curtain_rooms", "curtain_drafts",
    }  # fmt: skip


def test_the_source_distribution_holds_the_packages_whole_and_nothing_else() -> None:
    files = [one.distribution_path for one in SdistBuilder(str(ROOT)).recurse_included_files()]
    packages = {"curtain", "wizard_app", "subject_app", "canned_messages", "sample_db"}
    packages |= {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("companions/*/*/companion.py")}
    tops = {one.partition("/")[0] for one in packages}
    assert {one.partition("/")[0] for one in files} == tops | {"README.md", "CHANGELOG.md", "LICENSE"}
    listed = subprocess.run(["git", "ls-files", *packages], cwd=ROOT, capture_output=True, text=True, check=False)
    assert {*listed.stdout.splitlines()} <= {*files}


def test_what_runs_brings_no_package_of_development() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert settings["tool"]["uv"]["default-groups"] == [] and "pytest>=9" in settings["dependency-groups"]["dev"]


def test_all_five_packages_are_imported_from_the_wheel(elsewhere: Path) -> None:
    names = "curtain, wizard_app, subject_app, canned_messages, sample_db"
    code = f"import {names}; print(*(m.__file__ for m in ({names})), sep='\\n')"
    files = run_there(elsewhere, "-c", code).stdout.split()
    assert len(files) == 5
    assert all(Path(file).is_relative_to(elsewhere) for file in files)


def test_the_installed_command_answers_from_the_packed_database(elsewhere: Path, tmp_path: Path) -> None:
    sql = "SELECT count(*) FROM employee"
    done = run_there(elsewhere, "-m", "curtain", "answer", "--domain", "personnel", "--sql", sql, "--json",
                     XDG_CACHE_HOME=str(tmp_path))  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["cas_min"]


def test_the_installed_command_makes_a_study(elsewhere: Path, tmp_path: Path) -> None:
    done = run_there(elsewhere, "-m", "curtain", "study", "new", str(tmp_path / "study"), "--domain", "personnel")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "study" / "study.toml").exists()


def test_the_installed_command_drafts_from_the_packed_examples(elsewhere: Path, tmp_path: Path) -> None:
    done = run_there(elsewhere, "-m", "curtain", "draft", "How many employees are there?", "--json",
                     XDG_CACHE_HOME=str(tmp_path))  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["drafts"][0]["sql"].upper().startswith("SELECT")


LOWEST = [
    (["answer", "--domain", "personnel", "--sql", "SELECT count(*) FROM employee", "--json"], "cas_min"),
    (["draft", "How many employees are there?", "--json"], "SELECT"),
    (["check", "--json"], "a window opens"),
]


@pytest.mark.soak
def test_it_runs_with_the_lowest_versions_that_it_allows(wheel: Path, tmp_path: Path) -> None:
    lowest = tmp_path / "lowest"
    python = str(lowest / "bin" / "python")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(lowest)], check=True)
    install = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--python", python]
    subprocess.run([*install, "--resolution", "lowest-direct", str(wheel)], check=True, timeout=600)
    for arguments, expected in LOWEST:
        done = subprocess.run(
            [python, "-P", "-m", "curtain", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=300,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_CACHE_HOME": str(tmp_path)},
        )  # fmt: skip
        assert expected in done.stdout, done.stderr


def test_the_wheel_offers_its_extras(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (metadata,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        text = packed.read(metadata).decode()
    assert {line.split()[1] for line in text.splitlines() if line.startswith("Provides-Extra:")} >= {"asr", "units"}


def test_the_wheel_names_its_licence_and_holds_its_text(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (about,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        (text,) = (name for name in packed.namelist() if name.endswith(".dist-info/licenses/LICENSE"))
        assert "License-Expression: MIT" in packed.read(about).decode().splitlines()
        assert packed.read(text) == (ROOT / "LICENSE").read_bytes()


def test_the_installer_of_packages_is_pinned_by_its_sums() -> None:
    """The sums cover a wheel for each platform; pip refuses any other file of that version."""
    pinned, *sums = (ROOT / "tools" / "uv.txt").read_text("utf-8").split("\n", 1)[1].replace("\\\n", "").split()
    assert re.fullmatch(r"uv==[\d.]+", pinned)
    assert len(sums) == len(set(sums)) > 10
    assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", one) for one in sums)
    assert "--require-hashes -r tools/uv.txt" in (ROOT / "tools" / "prepare.sh").read_text("utf-8")
