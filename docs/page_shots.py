"""Makes the pictures of single pages and panels: `.venv/bin/python docs/page_shots.py [STUDY]`.

STUDY is what `curtain demo --study` made; without it, that is made first. Each picture is a story of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtGui import QColor, QImage, QPainter, QTextDocument
from PySide6.QtWidgets import QApplication, QWidget
from shots import display, keep, save_small

from curtain.base.hearing import HeardWord, Hearing
from curtain.domain.pack.pack import load_pack
from curtain.qt import style
from curtain.qt.style import Look
from curtain.qt.windows.paper import tasks_page
from curtain.rehearsal.stations import RunningStation
from curtain.session.questionnaires.instrument import load_instruments
from curtain.session.study.study import new_study
from subject_app.pages.form_page import FormPage
from subject_app.session.texts import texts_in
from wizard_app.desk.session.subject.subject_forms import form_of
from wizard_app.desk.turn.offered_text import OfferedText
from wizard_app.window.panels.query_panel import QueryPanel

HEARD = (("which", 0.98), ("flights", 0.97), ("leave", 0.95), ("austin", 0.52), ("before", 0.96), ("noon", 0.93))
COMPARISON = """
[[conditions]]
id = "robust"
who = "typist"
system = "drafts-robust"

[[conditions]]
id = "full"
who = "typist"
system = "drafts-strict"

[design]
order = "alternate"
"""


def main() -> None:
    with display("1280x760"), tempfile.TemporaryDirectory(prefix="curtain-pages-") as scratch:
        folder = Path(scratch)
        study = Path(sys.argv[1]) if len(sys.argv) > 1 else folder / "curtain-study"
        if not study.exists():
            subprocess.run([sys.executable, "-m", "curtain", "demo", "--study", "--out", str(study)], check=True)
        home(study.resolve(), folder)
        rulings(study, folder)
        experiment(folder)
    # Without a station: a window has one application, and stations have theirs.
    app = QApplication.instance() or QApplication(["pages", "-platform", "offscreen"])
    assert isinstance(app, QApplication)
    look = style.apply(app, "light", 100)
    questionnaire(look)
    grey_words(look)
    task_sheet()


def home(study: Path, folder: Path) -> None:
    """The settings of the study, and a session in time."""
    env = {"XDG_DATA_HOME": str(folder / "data"), "HOME": str(folder)}
    remembered = folder / "data" / "curtain" / "home.json"
    remembered.parent.mkdir(parents=True)
    remembered.write_text(json.dumps({"studies": [str(study)]}), "utf-8")
    for keys, widget, name in (("Ctrl+Shift+I", "write_settings", "settings"), ("Ctrl+J", "timeline_line", "timeline")):
        with RunningStation("home", ["--theme", "light"], folder / "home.log", env) as window:
            window.wait("window", state="study")
            window.ask("resize", w=1280, h=720)
            window.keys(keys)
            window.wait(widget, visible=True)
            if name == "timeline":
                window.wait(widget, text={"contains": "Turn"})
            take(window, folder, name)


def rulings(study: Path, folder: Path) -> None:
    """Where two annotators differ."""
    options = ["--study", str(study), "--by", "mb", "--adjudicate"]
    with RunningStation("annotator", options, folder / "annotator.log") as window:
        window.wait("window", state="ruling")
        window.ask("resize", w=1280, h=720)
        window.wait("listening", text={"not": ""})
        take(window, folder, "rulings")


def experiment(folder: Path) -> None:
    """The wizard's first page, with the plan of the next subject."""
    study = new_study(folder / "comparison", "atis", ["philadelphia-dallas", "atlanta-baltimore"], practice="none")
    path = study.folder / "study.toml"
    path.write_text(path.read_text("utf-8") + COMPARISON, "utf-8")
    options = ["--study", str(study.folder), "--listen", "curtain-pages"]
    with RunningStation("wizard", options, folder / "wizard.log") as window:
        window.wait("missing", text={"contains": "speaker"})
        window.ask("resize", w=1280, h=720)
        take(window, folder, "experiment")


def questionnaire(look: Look) -> None:
    page = FormPage(look, texts_in("en"))
    [sus] = load_instruments(("sus",), Path())
    page.show_form(form_of(sus, "en"), {"q1": "4", "q2": "2"})
    grab(page, 1000, 620, "questionnaire")


def grey_words(look: Look) -> None:
    panel = QueryPanel(look)
    panel.show_turn("", True)
    panel.show_sent(None)
    words = tuple(HeardWord(text, number / 2, number / 2 + 0.4, sure) for number, (text, sure) in enumerate(HEARD))
    panel.field.show_offer(OfferedText(Hearing(words, "small.en", "faster-whisper"), whole=True))
    grab(panel, 760, 110, "grey-words")


def task_sheet() -> None:
    """The first sheet of the personnel pack, as a page of paper."""
    [task, *_] = [one for one in load_pack("personnel").scenarios if one.id == "complaint"]
    page = QTextDocument()
    page.setHtml(tasks_page("personnel", [(task.title, task.text)]))
    page.setTextWidth(520)
    image = QImage(600, 420, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.translate(40, 30)
    page.drawContents(painter)
    painter.end()
    save_small(image, "task-sheet")


def take(window: RunningStation, folder: Path, name: str) -> None:
    """Once nothing changes any more, or after ten tries: sound is drawn when it has been read, and a cursor blinks."""
    path, seen = folder / f"{name}.png", b""
    for _ in range(10):
        time.sleep(2)
        window.shot(path)
        if seen == path.read_bytes():
            break
        seen = path.read_bytes()
    keep(path, name)


def grab(widget: QWidget, width: int, height: int, name: str) -> None:
    widget.resize(width, height)
    widget.show()
    for _ in range(3):
        QApplication.sendPostedEvents()  # layouts settle in a few rounds
    save_small(widget.grab().toImage(), name)
    widget.close()


if __name__ == "__main__":
    main()
