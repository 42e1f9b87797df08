"""The pages of the project and the files that a hosting site reads: each parses, and names only what is there."""

from __future__ import annotations

import ast
import importlib
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml
from typer.main import get_command

from curtain.commands.cli import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.glob("*.md"), ROOT / "tools" / "curtain-cas" / "README.md"])
COMMANDS = get_command(app)
MADE_BY_THE_BUILD = {"commands.md", "api.md"}
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# It ends so while an export still holds what was erased, and says which.
MAY_END_WITH_1 = "curtain forget"


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


@cache
def anchors_of(page: Path) -> set[str]:
    text = FENCE.sub("", page.read_text("utf-8"))
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    plain = (re.sub(r"[^\w\s-]", "", re.sub(r"\]\([^)]*\)", "", one)).strip().lower() for one in headings)
    return {one.replace(" ", "-") for one in plain} | set(re.findall(r'<a id="([^"]+)"', text))


def broken_links(page: Path) -> list[str]:
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", page.read_text("utf-8"))):
        name, _, anchor = unquote(target).partition("#")
        leads_to = (page.parent / name) if name else page
        is_elsewhere = "://" in target or target.startswith("mailto:")
        if not is_elsewhere and (not leads_to.exists() or (anchor and anchor not in anchors_of(leads_to))):
            broken.append(target)
    return broken


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    assert {named(page): broken for page in PAGES if (broken := broken_links(page))} == {}


def places(nav: object) -> set[str]:
    if isinstance(nav, str):
        return {nav}
    entries = nav.values() if isinstance(nav, dict) else nav
    assert entries
    return set().union(*map(places, entries))  # type: ignore[call-overload]


def test_the_site_leads_to_every_page_and_to_nothing_else() -> None:
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]
    assert places(nav) == {page.name for page in DOCS.glob("*.md")} | MADE_BY_THE_BUILD


def commands_in(page: Path) -> list[str]:
    blocks = [text for language, text in FENCE.findall(page.read_text("utf-8")) if language in ("", "sh")]
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    return [line for line in lines if re.match(r"curtain \S", line)]


def unknown_in(line: str) -> set[str]:
    """The words of a call that no command knows; three spaces, a pipe or an arrow end the call."""
    words = shlex.split(re.split(r" {3,}| [>|] ", line)[0], comments=True)[1:]
    command, known = COMMANDS, {"--help", "-h"}
    for word in words:
        inner = getattr(command, "commands", {}).get(word)
        if inner is None:
            break
        command = inner
        known |= {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    return given - known if command is not COMMANDS else set(words[:1])


def test_every_command_in_a_block_exists_with_its_options() -> None:
    lines = [line for page in PAGES for line in commands_in(page)]
    assert len(lines) > 50
    assert {line: unknown for line in lines if (unknown := unknown_in(line))} == {}


def test_python_in_a_page_compiles_and_imports_what_is_there() -> None:
    blocks = [(page, text) for page in PAGES for language, text in FENCE.findall(page.read_text("utf-8"))
              if language == "python"]  # fmt: skip
    for page, text in blocks:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and str(node.module).partition(".")[0] in ("curtain", "curtain_score"):
                module = importlib.import_module(str(node.module))
                assert [one.name for one in node.names if not hasattr(module, one.name)] == [], named(page)


@cache
def everything_said() -> str:
    """All texts of the program, joined as the compiler joins them, with … for what is filled in."""
    texts = [(ROOT / "tools" / "prepare.sh").read_text("utf-8")]
    for room in ("curtain", "wizard_app", "subject_app", "companions"):
        for path in (ROOT / room).rglob("*.py"):
            source = path.read_text("utf-8")
            joined = re.sub(r'"\s*\n\s*f?"', "", source)
            texts.append(re.sub(r"\{[^{}\n]*\}", "…", joined))
    return "\n".join(texts)


def quoted_sentences() -> list[str]:
    rows = re.findall(r"^\| (.+?) \|", (DOCS / "troubleshooting.md").read_text("utf-8"), re.MULTILINE)
    return [row for row in rows if row != "you read" and not row.startswith("---")]


def test_a_sentence_under_problemshooting_is_one_that_somebody_can_read() -> None:
    sentences = quoted_sentences()
    assert len(sentences) > 20
    parts = [part.strip(" ;,.:") for one in sentences for part in re.split("“…”|…", one)]
    assert [part for part in parts if part not in everything_said()] == []


@pytest.mark.soak
@pytest.mark.stations
@pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="needs espeak-ng")
def test_the_tutorial_can_be_followed_to_its_end(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "curtain"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m curtain "$@"\n', "utf-8")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path, "QT_QPA_PLATFORM": "offscreen"}
    blocks = [text for language, text in FENCE.findall((DOCS / "tutorial.md").read_text("utf-8")) if language == "sh"]
    lines = "".join(blocks).splitlines()
    assert len(lines) > 15
    for line in lines:
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=900)
        allowed = (0, 1) if line.startswith(MAY_END_WITH_1) else (0,)
        assert done.returncode in allowed, f"{line}\n{done.stdout}\n{done.stderr}"
    assert (tmp_path / "published" / "CONSENT.md").is_file()


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
