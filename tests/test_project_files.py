"""The files that a hosting site reads: each parses, and names only what is there."""

from __future__ import annotations

import re
import runpy
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_step_of_a_workflow_runs_what_exists(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    commands = [step["run"] for job in yaml.safe_load(path.read_text("utf-8"))["jobs"].values() for step in job["steps"]
                if "run" in step]  # fmt: skip
    assert commands
    assert {word for line in commands for word in re.findall(r"^make ([a-z-]+)", line, re.MULTILINE)} <= targets


def test_forms_for_issues_ask_something() -> None:
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text("utf-8"))
        assert form["name"] and form["description"] and form["body"]


def test_the_citation_names_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])


def test_the_change_log_begins_with_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert re.fullmatch(re.escape(version) + r" \((unreleased|20\d\d-\d\d-\d\d)\)", headings[0])
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ \(20\d\d-\d\d-\d\d\)", one) for one in headings[1:])


def test_each_dependency_has_its_line_in_the_docs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    rows = [line.split("|") for line in (ROOT / "docs/dependencies.md").read_text("utf-8").splitlines() if "|" in line]
    listed = {name.strip() for row in rows for cell in row[1:3] for name in cell.split(",")}
    needed = project["dependencies"] + [one for extra in project["optional-dependencies"].values() for one in extra]
    assert {one.partition(">")[0].partition("[")[0].partition("=")[0] for one in needed} <= listed


def test_the_install_page_installs_no_package_of_strangers_and_no_environment_over_the_clone() -> None:
    pages = [path.read_text("utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))]
    commands = [line for page in pages for line in re.findall(r"(?:pip|uv tool) install [^`\n]*|venv curtain.*", page)]
    assert "pip install curtain-woz" in commands and "venv curtain-env" in commands
    assert [line for line in commands if re.search(r"[ '](?<!/)curtain(?![-\w])", line)] == []


@pytest.mark.parametrize("version", [(3, 10, 13), (3, 8, 18), (2, 7, 18)])
def test_an_older_python_is_named(version: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", version)
    with pytest.raises(SystemExit, match=rf"needs Python 3.11 .* this is Python {version[0]}.{version[1]}\."):
        runpy.run_path(str(ROOT / "curtain" / "__main__.py"))
