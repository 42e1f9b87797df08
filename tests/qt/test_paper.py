"""Pages on paper are whole, and need no printer."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from curtain.base.errors import CurtainError
from curtain.home.keys import KEYS
from curtain.qt.windows.paper import keys_page, save_pdf, tasks_page


def test_every_key_and_task_is_on_its_page(qapp: QApplication, tmp_path: Path) -> None:
    keys = keys_page("Keys", KEYS)
    assert all(step in keys for _, steps in KEYS.groups for step, _ in steps)
    tasks = tasks_page("team", [("One <1>", "Find & tell"), ("Two", "Count")])
    assert "One &lt;1&gt;" in tasks and "Find &amp; tell" in tasks
    for page, pages in ((keys, 1), (tasks, 2)):
        save_pdf(page, tmp_path / "out.pdf")
        pdf = (tmp_path / "out.pdf").read_bytes()
        assert pdf.startswith(b"%PDF-") and pdf.count(b"/Type /Page\n") >= pages


def test_a_folder_that_takes_no_file_is_reported(qapp: QApplication, tmp_path: Path) -> None:
    with pytest.raises(CurtainError, match="cannot be written"):
        save_pdf("<p>x</p>", tmp_path / "none" / "out.pdf")
