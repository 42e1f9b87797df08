"""`curtain install-desktop` puts Curtain into the menu of a Linux desktop, and takes it out again."""

import shutil
import stat
import subprocess
import sys
from configparser import ConfigParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from curtain.commands.run.desktop_entry import desktop_entry, quoted_argument
from curtain.qt.app_icon import icon_file
from tests.stories.conftest import run_curtain

linux_only = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the menu of a Linux desktop")


@linux_only
def test_the_entry_and_its_icon_come_and_go(tmp_path: Path) -> None:
    data = tmp_path / "data"
    entry, icon = data / "applications/curtain.desktop", data / "icons/hicolor/scalable/apps/curtain.svg"
    made = run_curtain("install-desktop", XDG_DATA_HOME=str(data))
    assert made.returncode == 0, made.stderr
    assert str(entry) in made.stdout and "--remove" in made.stdout
    assert icon.read_bytes() == icon_file().read_bytes()
    assert stat.S_IMODE(entry.stat().st_mode) == stat.S_IMODE(icon.stat().st_mode) == 0o644

    again = run_curtain("install-desktop", XDG_DATA_HOME=str(data))
    assert again.returncode == 0, again.stderr

    removed = run_curtain("install-desktop", "--remove", XDG_DATA_HOME=str(data))
    assert removed.returncode == 0, removed.stderr
    assert not entry.exists() and not icon.exists()
    twice = run_curtain("install-desktop", "--remove", XDG_DATA_HOME=str(data))
    assert (twice.returncode, twice.stdout) == (0, "Curtain was not in the menu; nothing was removed.\n")


@linux_only
def test_the_entry_starts_this_very_installation(tmp_path: Path) -> None:
    run_curtain("install-desktop", XDG_DATA_HOME=str(tmp_path))
    values = read(tmp_path / "applications/curtain.desktop")
    assert values["type"] == "Application" and values["icon"] == "curtain" and values["terminal"] == "false"
    [program, *rest] = values["exec"].strip('"').split('" "')
    assert Path(program).parent == Path(sys.executable).parent
    assert rest[-1] == "home"
    help_text = subprocess.run([program, *rest, "--help"], capture_output=True, text=True, check=True).stdout
    assert "home window" in help_text


@linux_only
def test_a_folder_that_takes_no_files_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "applications").write_text("", "utf-8")
    refused = run_curtain("install-desktop", XDG_DATA_HOME=str(tmp_path))
    assert refused.returncode == 2
    assert "cannot be written" in refused.stderr and len(refused.stderr.splitlines()) == 1


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="the validator is not installed")
def test_the_field_s_own_validator_accepts_the_entry(tmp_path: Path) -> None:
    path = tmp_path / "curtain.desktop"
    path.write_text(desktop_entry(["/opt/a b/curtain", "home"]), "utf-8")
    checked = subprocess.run(["desktop-file-validate", str(path)], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "")


# Desktop Entry Specification 1.5, section “The Exec key”: quoted, then escaped once more as a string.
@pytest.mark.parametrize(
    ("argument", "quoted"),
    [("/usr/bin/curtain", '"/usr/bin/curtain"'), ("/a b/c", '"/a b/c"'), ('a"b', r'"a\\"b"'), ("a$b", r'"a\\$b"'),
     ("a\\b", r'"a\\\\b"'), ("100%", '"100%%"'), ("`x`", r'"\\`x\\`"')],
)  # fmt: skip
def test_an_argument_is_quoted_as_the_specification_says(argument: str, quoted: str) -> None:
    assert quoted_argument(argument) == quoted


def test_the_icon_is_a_picture_that_qt_can_paint(qapp: QApplication) -> None:
    assert ElementTree.parse(icon_file()).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    image = QIcon(str(icon_file())).pixmap(48, 48).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, 48, 4) for y in range(0, 48, 4)}
    assert len(colours) > 3


def read(path: Path) -> dict[str, str]:
    parser = ConfigParser(interpolation=None)
    parser.read(path, "utf-8")
    return dict(parser["Desktop Entry"])
