"""The pages of the window as one value."""

from __future__ import annotations

from dataclasses import dataclass

from wizard_app.window.pages.archive_page import ArchivePage
from wizard_app.window.pages.closing_page import ClosingPage
from wizard_app.window.pages.start_page import StartPage
from wizard_app.window.pages.work_page import WorkPage


@dataclass(frozen=True)
class PageSet:
    """One of each for the life of the window."""

    start: StartPage
    work: WorkPage
    closing: ClosingPage
    archive: ArchivePage
