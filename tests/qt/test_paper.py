"""Pages for paper are whole, and a browser prints them."""

import os
from html import escape
from pathlib import Path

import pytest

from curtain.base.errors import CurtainError
from curtain.qt.windows.paper import consent_page, keys_page, save_page, tasks_page
from curtain.session.consent import CHOSEN_SCOPES
from curtain.session.study.languages import bundled_languages, consent_form
from wizard_app.keys.table import KEYS

CONSENT = consent_form("de")
ALLOW = CONSENT.pop("allow")
TASKS = tasks_page("team", [("One <1>", "Find & tell"), ("Two", "Count")])


def test_what_people_wrote_stands_as_it_is_and_a_task_begins_a_sheet() -> None:
    keys = keys_page("Keys", KEYS)
    assert all(escape(step) in keys for _, steps in KEYS.groups for step, _ in steps)
    assert "One &lt;1&gt;" in TASKS and "Find &amp; tell" in TASKS
    assert TASKS.count("page-break-before: always") == 1 and TASKS.index("always") > TASKS.index("Find")
    consent = consent_page(CONSENT, [ALLOW["quote"]], "lab & co")
    assert "lab &amp; co" in consent and ALLOW["quote"] in consent and ALLOW["publish"] not in consent


def test_the_form_that_a_subject_signs_has_every_scope_in_every_language() -> None:
    forms = {language: consent_form(language) for language in bundled_languages()}
    assert len({form["title"] for form in forms.values()}) == len(forms)
    assert all(form.keys() == CONSENT.keys() | {"allow"} for form in forms.values())
    assert all(tuple(form["allow"]) == CHOSEN_SCOPES for form in forms.values())


def test_a_page_on_a_full_disk_is_reported_and_the_one_before_is_whole(small_disk: Path) -> None:
    path = small_disk / "out.html"
    save_page(TASKS, path)
    (small_disk / "fill").write_bytes(bytes(os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize))
    with pytest.raises(CurtainError, match=r"out\.html cannot be written: the disk is full\. Make room"):
        save_page("word " * 40_000, path)
    assert path.read_text("utf-8") == TASKS and {one.name for one in small_disk.iterdir()} == {"out.html", "fill"}
