"""What mkdocs asks while it builds the site: pages made from the program, and links into the sources.

`make docs` names this file as a hook. The functions have the names that mkdocs calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mkdocs.structure.files import File, Files

from curtain.commands.description import actions

# GitHub takes two or three spaces for a list within a list, Python-Markdown four.
WITHIN_A_LIST = re.compile(r"^ {2,3}(?=- )", re.MULTILINE)
# A second word is for the tests of the page.
MARK_OF_BLOCK = re.compile(r"^(```\w+) \w+$", re.MULTILINE)
SOUND = re.compile(r'<a href="([^"]+\.wav)">([^<]+)</a>')
OUT_OF_DOCS = re.compile(r"\[([^\]]+)\]\(\.\./([^)\s#]+)(#[^)\s]+)?\)")
NAMED_BY_ITS_FILE = re.compile(r"\[[\w-]+\.md\]\((([\w-]+\.md)(?:#[^)\s]+)?)\)")
API = {
    "Answers": ("cas", "cas.comparator", "cas.options", "cas.verdict", "cas.values", "cas.rows", "cas.frames",
                "cas.batch"),
    "Corpora": ("corpus", "corpus.model.corpus", "corpus.model.filters", "corpus.model.utterance",
                "corpus.annotation.layers", "corpus.exports.run"),
}  # fmt: skip


def on_files(files: Files, config: Any) -> Files:
    """Adds the two pages that nobody writes by hand."""
    files.append(File.generated(config, "commands.md", content="\n".join(command_lines())))
    files.append(File.generated(config, "api.md", content="\n".join(api_lines())))
    return files


def on_page_markdown(markdown: str, config: Any, **_: Any) -> str:
    """Links say the title of their page. Those out of docs/ lead to the repository, if the site knows its address."""
    address = f"[\\1]({config.repo_url.rstrip('/')}/blob/main/\\2\\3)" if config.repo_url else "\\1 (`\\2`)"
    titles = {page: title for group in config.nav for entry in group.items() for title, page in _pages(*entry)}
    markdown = MARK_OF_BLOCK.sub(r"\1", WITHIN_A_LIST.sub("    ", markdown))
    markdown = NAMED_BY_ITS_FILE.sub(lambda link: f"[{titles.get(link[2], link[2])}]({link[1]})", markdown)
    return OUT_OF_DOCS.sub(address, markdown)


def on_page_content(html: str, **_: Any) -> str:
    """A link to a recording plays it on the page."""
    return SOUND.sub(r'\2<br><audio controls preload="none" src="\1" aria-label="\2"></audio>', html)


def command_lines() -> Iterator[str]:
    """A section a command: what it does and a table of what it takes, as `--help` has it."""
    yield "# Commands\n\nMade from the commands themselves; `curtain COMMAND --help` shows the same."
    for action in actions():
        yield f"\n## curtain {' '.join(action['path'])}\n\n{action['help']}\n"
        fields = [one for one in action["fields"] if one["help"]]
        if fields:
            yield "| option or argument | effect | default |\n|---|---|---|"
        for one in fields:
            names = " ".join(f"`{name}`" for name in (one["option"] or one["name"].upper(), one["off"]) if name)
            choices = f" One of: {', '.join(one['choices'])}." if one["choices"] else ""
            yield f"| {names} | {_cell(one['help'] + choices)} | {_cell(one['default'])} |"


def api_lines() -> Iterator[str]:
    """The public names of the two libraries, by module; mkdocstrings fills them in."""
    yield "# Python\n\nWhat `curtain.cas` and `curtain.corpus` offer to programs of yours, made from their docstrings."
    for title, modules in API.items():
        yield f"\n## {title}\n"
        yield from (f"\n::: curtain.{module}\n" for module in modules)


def _pages(title: str, page: str | list[dict[str, str]]) -> Iterator[tuple[str, str]]:
    """The titles and files of an entry of the navigation; an entry of several pages is a list of such."""
    if isinstance(page, str):
        yield title, page
    else:
        yield from (pair for one in page for pair in one.items())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
