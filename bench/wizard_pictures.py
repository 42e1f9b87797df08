"""Takes a picture of every page and panel of the wizard's window, in the sizes of common screens and in every theme.

    python bench/wizard_pictures.py OUT [--theme light] [--text-size 100] [--size 1280x690]

A silent subject asks three questions of the personnel database. The sizes are what a title bar leaves of 1280x720,
1366x768 and of 1920x1080 at scale 1 and 2. A window that is larger than its size is named, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import gettempdir

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from keystroke_window import SilentSubject
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QKeySequence, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QWidget
from size import sized

from curtain.qt import style
from curtain.qt.style import THEMES
from curtain.session.study.study import new_study
from wizard_app.app import WizardApp, build
from wizard_app.desk.session.plan import SessionPlan
from wizard_app.options import WizardOptions

SIZES = sized(((1280, 690), (1366, 738), (1920, 1050), (960, 510)), ((1280, 690),))
PATIENCE_S = 120.0
QUESTIONS = (
    ("which women are chief scientists", "SELECT last_name, first_name, salary FROM employee WHERE sex = 'F'"),
    ("größere Gehälter, Ελλάδα, 日本語の質問, سؤال بالعربية and a very long question that goes on", "SELECT 1 +"),
)


class Studio:
    """The window, pressed by keys and taken at each size."""

    def __init__(self, app: WizardApp, asker: SilentSubject, out: Path, prefix: str, sizes: list[tuple[int, int]]):
        self.app, self.asker, self.out, self.prefix, self.sizes = app, asker, out, prefix, sizes
        self.too_large: list[str] = []

    def until(self, holds: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            if time.monotonic() > end:
                raise SystemExit("The window never came to what was waited for.")
            QTest.qWait(5)

    def wait(self, **wanted: object) -> None:
        self.until(lambda: all(self.app.window.property(name) == value for name, value in wanted.items()))

    def press(self, *keys: str) -> None:
        for key in keys:
            self._activate()
            top = QApplication.activeModalWidget() or self.app.window
            target = top.focusWidget() or top
            if len(key) == 1:
                QTest.keyClicks(target, key)
            else:
                chord = QKeySequence(key)[0]  # type: ignore[index]
                QTest.keyClick(target, chord.key(), chord.keyboardModifiers())
            QTest.qWait(1)

    def _activate(self) -> None:
        """Without a window manager nobody is active once a dialog has closed."""
        top = QApplication.activeModalWidget() or self.app.window
        if QApplication.activeWindow() is not top:
            top.activateWindow()
            self.until(lambda: QApplication.activeWindow() is top)

    def take(self, name: str) -> None:
        """The window at each size, with the dialog over it if one is open."""
        window = self.app.window
        for width, height in self.sizes:
            window.resize(width, height)
            QTest.qWait(60)
            if window.height() > height or window.width() > width:
                self.too_large.append(f"{name}: {window.width()}x{window.height()} in {width}x{height}")
            picture = window.grab()
            dialog = QApplication.activeModalWidget()
            if dialog is not None:
                _paint_over(picture, dialog, window)
                if dialog.height() > height or dialog.width() > width:
                    self.too_large.append(f"{name}: dialog {dialog.width()}x{dialog.height()} in {width}x{height}")
            picture.save(str(self.out / f"{self.prefix}-{name}-{width}x{height}.png"))

    def ask(self, question: str) -> None:
        turn = self.asker.ask()
        self.wait(turn=turn, state="transcribe")
        # Put in whole: keys are known for ASCII alone.
        field = self.app.window.focusWidget()
        assert isinstance(field, QPlainTextEdit)
        field.insertPlainText(question)
        self.wait(drafts_settled=True)


def _paint_over(picture: QPixmap, dialog: QWidget, window: QWidget) -> None:
    painter = QPainter(picture)
    place = QPoint((window.width() - dialog.width()) // 2, (window.height() - dialog.height()) // 2)
    painter.drawPixmap(place, dialog.grab())
    painter.end()


def main() -> int:
    given = _options()
    given.out.mkdir(parents=True, exist_ok=True)
    qt = QApplication(["pictures"])
    look = style.apply(qt, given.theme, given.text_size)
    sizes = [tuple(map(int, size.split("x"))) for size in given.size] or list(SIZES)
    with tempfile.TemporaryDirectory(prefix="curtain-pictures-") as scratch:
        asker = SilentSubject(Path(scratch))
        study = new_study(Path(scratch) / "study", "personnel", scenarios=["anniversary", "fair"], take_back_s=0)
        app = build(study, look, WizardOptions(), lambda resend: asker)
        app.begin()
        studio = Studio(app, asker, given.out, f"{given.theme}-{given.text_size}", sizes)  # type: ignore[arg-type]
        try:
            _play(studio)
        finally:
            app.window.may_close = lambda: True
            app.close()
            app.window.close()
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    for line in studio.too_large:
        print(line)
    return 1 if studio.too_large else 0


def _play(studio: Studio) -> None:
    window = studio.app.window
    window.activateWindow()
    studio.until(lambda: studio.app.station is not None)
    studio.until(lambda: _notice_of(window).startswith("Still missing"))
    studio.take("start")
    assert studio.app.station is not None
    plan = SessionPlan("e00", "mb", ("anniversary", "fair"), None, False, "", pilot=True)
    studio.app.station.pages.start.start_requested.emit(plan)
    studio.wait(state="idle", scenario="anniversary")
    studio.until(lambda: bool(window.property("drafts_settled")))
    studio.take("idle")
    for at, (question, sql) in enumerate(QUESTIONS):
        studio.ask(question)
        studio.take(f"query{at}")
        studio.press("Ctrl+Return")
        studio.wait(state="answer")
        studio.press("Ctrl+L")
        studio.app.station.pages.work.sql.editor.replace_text(sql)
        studio.press("F5")
        studio.until(lambda: window.property("sql_state") in ("done", "failed"))
        studio.take(f"run{at}")
        studio.press("Ctrl+M")
        studio.take(f"messages{at}")
        studio.press("Escape", "Ctrl+Shift+T")
        studio.take(f"task{at}")
        studio.press("Escape", "Ctrl+M", "3")
        studio.wait(state="idle")
    studio.press("F7")
    studio.take("turns")
    studio.press("Escape", "F1")
    studio.take("keys")
    studio.press("Escape", "Ctrl+E")
    studio.take("end-scenario")
    studio.press("Escape", "Ctrl+N")
    studio.take("next-scenario")
    studio.press("Escape", "Ctrl+Shift+E")
    studio.take("end-session")
    dialog = QApplication.activeModalWidget()
    confirmed = dialog.findChild(QPushButton, "end_session_confirmed") if dialog is not None else None
    assert confirmed is not None
    confirmed.click()
    studio.wait(state="closing")
    studio.take("closing")


def _notice_of(window: QWidget) -> str:
    label = window.findChild(QWidget, "missing")
    return str(label.property("text")) if label is not None else ""


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "out", nargs="?", type=Path, default=Path(gettempdir()) / "wizard-pictures", help="the folder for the pictures"
    )
    parser.add_argument("--theme", choices=THEMES, default="light")
    parser.add_argument("--text-size", type=int, default=100, help="in percent")
    parser.add_argument("--size", action="append", default=[], metavar="WxH", help="this size alone; may come again")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
