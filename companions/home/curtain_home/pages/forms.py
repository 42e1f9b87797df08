"""The forms of the home window: a new study, an export. Each gives a wish as a value."""

import json
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QListWidget, QListWidgetItem, QWidget

from curtain.base.plural import count_of
from curtain.qt.command_text import CommandLine
from curtain.qt.languages.translation import PARTS, translate
from curtain.qt.style import Look
from curtain.qt.widgets import named, plain_tip, text_to_read
from curtain.session.study.study import problem_of_name
from curtain_home.control.commands import Activity, CommandRunner
from curtain_home.control.plans import BUNDLED, ExportWish, NewStudyWish, export_look_plan, free_folder
from curtain_home.pages.dialogs import FormDialog, PathField

_NAME = int(Qt.ItemDataRole.UserRole)
_LOOK_AFTER_MS = 400
_DATABASE, _PACK = "database", "pack"


class NewStudyForm(FormDialog):
    """A name, a place, and what the subjects ask about; `given` is one about an own database to begin with."""

    def __init__(self, look: Look, parent_folder: Path, parent: QWidget, given: NewStudyWish | None = None) -> None:
        super().__init__(look, self.tr("New study"), self.tr("Make the study"), "make_study", parent)
        self._name = named(CommandLine(), "study_name", self.tr("Name of the study"))
        self._name.setPlaceholderText(self.tr("such as pilot-2026"))
        self._parent = PathField("study_parent", self.tr("Folder in which the study is made"), "folder")
        self._parent.line.setText(str(parent_folder))
        self._domain = named(QComboBox(), "study_domain", self.tr("What the subjects ask about"))
        for name, title in (*BUNDLED, (_DATABASE, self.tr("Your own database")), (_PACK, self.tr("A pack’s folder"))):
            self._domain.addItem(translate("Home", title), name)
        spoken = self.tr("Database file, or folder of CSV files or of a pack")
        self._source = PathField("study_source", spoken, "either")
        self.add(self.tr("&Name"), self._name)
        self.add(self.tr("&In the folder"), self._parent)
        self.add(self.tr("&About"), self._domain)
        self.add(self.tr("&Database or pack"), self._source)
        self._name.textChanged.connect(self.look_again)
        self._domain.currentIndexChanged.connect(self._on_domain)
        self.finish(self._missing, self._name)
        self._on_domain()
        if given and given.source:
            self.unchanged = self.filled_in()
            self._name.setText(given.folder.name)
            self._parent.line.setText(str(given.folder.parent))
            self._source.line.setText(str(given.source))
            self._domain.setCurrentIndex(self._domain.findData(_DATABASE))

    @property
    def wish(self) -> NewStudyWish:
        """The study as it is filled in."""
        folder = Path(self._parent.text).expanduser() / self._name.text().strip()
        chosen = self._domain.currentData()
        source = Path(self._source.text).expanduser()
        if chosen == _DATABASE:
            pack = free_folder(folder.parent, f"{folder.name}-database")
            return NewStudyWish(folder, str(pack), source)
        return NewStudyWish(folder, str(source) if chosen == _PACK else chosen)

    def _on_domain(self) -> None:
        is_asked = self._domain.currentData() in (_DATABASE, _PACK)
        if is_asked == self._source.isHidden():
            self.form.setRowVisible(self._source, is_asked)
            self.fit()
        is_read_first = self._domain.currentData() == _DATABASE
        self.do_button.setText(self.tr("Read the database …") if is_read_first else self.tr("Make the study"))
        self.look_again()

    def _missing(self) -> str:
        name, parent = self._name.text().strip(), Path(self._parent.text).expanduser()
        if not name:
            return self.tr("Give the study a name. A folder of that name is made.")
        if problem := problem_of_name(name):
            return problem
        if not self._parent.text or not parent.is_dir():
            return self.tr("Name a folder that is there, in which the study is made.")
        if (parent / name / "study.toml").exists():
            return self.tr("There is a study of that name already; take another name.")
        return self._missing_domain()

    def _missing_domain(self) -> str:
        chosen, source = self._domain.currentData(), Path(self._source.text).expanduser()
        if chosen == _DATABASE and not (self._source.text and source.exists()):
            return self.tr("Name a DuckDB or SQLite file, or a folder of CSV or Parquet files.")
        if chosen == _PACK and not (source / "domain.toml").is_file():
            return self.tr("Name the folder of a pack; it holds a file domain.toml.")
        return ""


class ExportForm(FormDialog):
    """A format with its description, and a new folder."""

    def __init__(self, look: Look, study: Path, parent: QWidget) -> None:
        super().__init__(look, self.tr("Export {0}").format(study.name), self.tr("Export"), "export_it", parent)
        from curtain.corpus.exports.registry import formats

        self._study = study
        self._formats = named(QListWidget(), "formats", self.tr("Format of the export"))
        self._formats.setMinimumSize(look.px(480), 5 * self._formats.fontMetrics().lineSpacing())
        self._formats.setWordWrap(True)
        self._formats.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._can_be_blind = {export_format.name for export_format in formats() if export_format.blind}
        for export_format in formats():
            item = QListWidgetItem(f"{export_format.name}:  {translate('Home', export_format.title)}")
            item.setData(_NAME, export_format.name)
            self._formats.addItem(item)
        self._out = PathField("export_out", self.tr("New folder for the export"), "new")
        self._live = _box("with_live", self.tr("Also turns that nobody has &annotated yet"), "--include-live")
        trials = self.tr("Also &trial sessions, and sessions without a consent")
        self._pilot = _box("with_trials", trials, "--without-consent")
        self._blind = _box("without_answers", self.tr("Without answers, to &score systems"), "--blind")
        self._blind.setToolTip(plain_tip(self.tr("The references go beside the folder.")))
        self._use = named(QComboBox(), "export_use", self.tr("What the export is for"))
        for use, words in (
            ("own", self.tr("Work in our own lab")),
            ("share", self.tr("Sharing with other labs")),
            ("publish", self.tr("Publishing")),
            ("quote", self.tr("Quoting")),
        ):
            self._use.addItem(words, use)
        self._use.setToolTip(plain_tip(self.tr("A session stays out if its consent does not allow this.")))
        self._use_of = {export_format.name: export_format.use for export_format in formats()}
        self.add(self.tr("&Format"), self._formats)
        self.add(self.tr("F&or"), self._use)
        self.add(self.tr("Into the &folder"), self._out)
        self.add("", self._live)
        self.add("", self._pilot)
        self.add("", self._blind)
        self._left_out = text_to_read("left_out", self.tr("What stays out, and why"), look)
        self._left_out.setFixedHeight(5 * self._left_out.fontMetrics().lineSpacing())
        self.add(self.tr("Stays o&ut"), self._left_out)
        self._runner = CommandRunner(self)
        self._runner.finished.connect(self._show_left_out)
        self.finished.connect(self._runner.close)
        # Arrows go through the list of formats faster than a study is read.
        self._timer = QTimer(self, singleShot=True, interval=_LOOK_AFTER_MS)
        self._timer.timeout.connect(self._look_what_stays_out)
        self._formats.currentItemChanged.connect(self._on_format)
        for box in (self._live, self._pilot):
            box.toggled.connect(lambda _: self._timer.start())
        self._use.currentIndexChanged.connect(lambda _: self._timer.start())
        self.finish(self._missing, self._formats)
        self._formats.setCurrentRow(0)

    @property
    def wish(self) -> ExportWish:
        """The export as it is filled in."""
        out = Path(self._out.text).expanduser()
        blind = self._blind.isEnabled() and self._blind.isChecked()
        use = str(self._use.currentData())
        return ExportWish(self._format, out, use, self._live.isChecked(), self._pilot.isChecked(), blind)

    @property
    def _format(self) -> str:
        item = self._formats.currentItem()
        return str(item.data(_NAME)) if item is not None else ""

    def _on_format(self) -> None:
        # Beside the study, not in it: an export in a study would be copied with it.
        beside = self._study.parent / f"{self._study.name}-exports"
        self._out.line.setText(str(free_folder(beside, self._format)))
        self._blind.setEnabled(self._format in self._can_be_blind)
        self._use.setCurrentIndex(self._use.findData(self._use_of.get(self._format, "own")))
        self._timer.start()

    def _look_what_stays_out(self) -> None:
        self._left_out.setPlainText(self.tr("The sessions are being read."))
        self._runner.cancel()
        self._runner.run([export_look_plan(self._study, self.wish)])

    @Slot(object)
    def _show_left_out(self, done: Activity) -> None:
        if done.end == "bad":
            self._left_out.setPlainText(done.sentence)
        elif done.end == "good":
            sessions = json.loads(next(line for line in done.lines if line.startswith("[")))
            kept = sum(one["kept"] for one in sessions)
            lines = [self.tr("{0} would be in it.").format(translate(PARTS, count_of(kept, "turn")))]
            for session in sessions:
                dropped = sorted(session["dropped"].items())
                reasons = "; ".join(f"{count} ({translate(PARTS, reason)})" for reason, count in dropped)
                lines += [self.tr("{0}: {1} stay out").format(session["session_id"], reasons)] if reasons else []
            lines += [self.tr("Nothing stays out.")] if len(lines) == 1 else []
            self._left_out.setPlainText("\n".join(lines))

    def _missing(self) -> str:
        if not self._format:
            return self.tr("Choose a format.")
        if not self._out.text:
            return self.tr("Name a new folder for the export.")
        if Path(self._out.text).expanduser().exists():
            return self.tr("That folder is there already; name a new one.")
        return ""


def _box(name: str, text: str, option: str) -> QCheckBox:
    """A tick with the option by which sentences of the command name it."""
    return named(QCheckBox(f"{text}  ({option})"), name, text.replace("&", ""))
