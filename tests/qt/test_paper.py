"""Pages on paper are whole, and need no printer."""

import os
import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication

from curtain.base.errors import CurtainError
from curtain.qt.windows.paper import consent_page, keep_headings, keys_page, save_pdf, tasks_page
from curtain.session.consent import CHOSEN_SCOPES
from curtain.session.study.languages import bundled_languages, consent_form
from curtain_home.panels.keys import KEYS

WIDE = "".join(f"<td>column{number}</td>" for number in range(40))
REPORT = (
    "<html><head><title>r</title><style>td { width: var(--x); }</style></head><body><h1>r</h1>"
    '<svg width="20" height="10"><path id="blank" /><rect width="20" height="10"/></svg>'
    f"<details><summary>Also</summary><table><caption>All</caption><tr>{WIDE}</tr></table></details></body></html>"
)
CONSENT = consent_form("de")
ALLOW = CONSENT.pop("allow")
TASKS = tasks_page("team", [("One <1>", "Find & tell"), ("Two", "Count")])


def test_what_people_wrote_stands_as_it_is_and_nothing_is_left_out() -> None:
    keys = keys_page("Keys", KEYS)
    assert all(step in keys for _, steps in KEYS.groups for step, _ in steps)
    assert "One &lt;1&gt;" in TASKS and "Find &amp; tell" in TASKS
    consent = consent_page(CONSENT, [ALLOW["quote"]], "lab & co")
    assert "lab &amp; co" in consent and ALLOW["quote"] in consent and ALLOW["publish"] not in consent


@pytest.mark.parametrize("before", range(8))
def test_a_heading_stays_with_its_table(qapp: QApplication, before: int) -> None:
    document = QTextDocument()
    lines, rows = "<p>text</p>" * before, "<tr><td>row</td></tr>" * 3
    document.setHtml(f"{lines}<h2>All</h2><h4>Table</h4><table><tr><th>first</th></tr>{rows}</table>" * 3)
    document.setPageSize(QSizeF(300, 260))
    keep_headings(document)
    pages = {}
    block = document.begin()
    while block.isValid():
        top = document.documentLayout().blockBoundingRect(block).top()
        pages.setdefault(block.text(), []).append(int(top // 260))
        block = block.next()
    assert pages["All"] == pages["Table"] == pages["first"]


@pytest.mark.parametrize(("page", "pages", "across"), [
    (keys_page("Keys", KEYS), 1, False), (TASKS, 2, False), (REPORT, 1, True),
    (consent_page(CONSENT, list(ALLOW.values()), "lab"), 1, False),
], ids=["keys", "tasks", "report", "consent"])  # fmt: skip
def test_a_page_is_whole_and_turned_where_it_is_wide(
    qapp: QApplication, tmp_path: Path, page: str, pages: int, across: bool
) -> None:
    save_pdf(page, tmp_path / "out.pdf")
    pdf = (tmp_path / "out.pdf").read_bytes()
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    assert pdf.startswith(b"%PDF-") and pdf.count(b"/Type /Page\n") >= pages
    assert [float(wide) > float(high) for wide, high in boxes] == [across] * len(boxes) != []


def test_a_task_stands_on_one_page_with_its_title(qapp: QApplication) -> None:
    document = QTextDocument()
    document.setHtml(TASKS)
    document.setPageSize(QSizeF(400, 600))
    blocks = [document.findBlockByNumber(number) for number in range(document.blockCount())]
    pages = {block.text(): int(document.documentLayout().blockBoundingRect(block).top() // 600) for block in blocks}
    assert pages == {"One <1>": 0, "Find & tell": 0, "Two": 1, "Count": 1}


def test_the_form_that_a_subject_signs_has_every_scope_in_every_language() -> None:
    forms = {language: consent_form(language) for language in bundled_languages()}
    assert len({form["title"] for form in forms.values()}) == len(forms)
    assert all(form.keys() == CONSENT.keys() | {"allow"} for form in forms.values())
    assert all(tuple(form["allow"]) == CHOSEN_SCOPES for form in forms.values())


def test_a_folder_that_takes_no_file_is_reported(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(CurtainError, match="cannot be written"):
        save_pdf("<p>x</p>", tmp_path / "none" / "out.pdf")


def test_a_pdf_on_a_full_disk_is_reported_and_the_one_before_is_whole(qapp: QApplication, small_disk: Path) -> None:
    """Qt itself is silent about a disk that takes half a file."""
    path = small_disk / "out.pdf"
    save_pdf(TASKS, path)
    good = path.read_bytes()
    (small_disk / "fill").write_bytes(bytes(os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize))
    with pytest.raises(CurtainError, match=r"out\.pdf cannot be written: the disk is full\. Make room"):
        save_pdf(tasks_page("x", [(str(number), "word " * 400) for number in range(60)]), path)
    assert path.read_bytes() == good and {one.name for one in small_disk.iterdir()} == {"out.pdf", "fill"}


def test_letters_that_no_font_has_are_reported(qapp: QApplication, tmp_path: Path) -> None:
    for text, missing in (("Für “André” — 3 × 4 → ☐", ""), ("Ask \U00012000\ufe0f\u200d \U00012000", "\U00012000")):
        assert save_pdf(tasks_page("x", [("A", text)]), tmp_path / "out.pdf") == missing
