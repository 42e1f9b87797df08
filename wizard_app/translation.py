"""The wizard's window in another language: Qt's translation files, of the study first, then those that come along.

Text in widgets goes through `tr`, all other text through `translate`, which `pyside6-lupdate` finds by its name.
`make translations` makes `translations/wizard_en.ts`; a translation is a copy of it, made into a `.qm` file by
`pyside6-lrelease`. What a file does not translate stays English.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTranslator

_SHIPPED = Path(__file__).parent / "translations"


def translate(context: str, text: str) -> str:
    """The text in the language of the window; as it stands where no translation is installed."""
    return QCoreApplication.translate(context, text)


def install_translation(app: QCoreApplication, study: Path, language: str, parent: QObject) -> str:
    """Install `wizard_LANGUAGE.qm`; an empty language means the system's. Returns the name of the language that was
    asked for and is not there, or an empty text: then the window is English.
    """
    locale = QLocale(language) if language else QLocale.system()
    for folder in (study / "translations", _SHIPPED):
        translator = QTranslator(parent)
        # Of a locale such as pt_BR also the file of pt is taken.
        if translator.load(locale, "wizard", "_", str(folder)):
            app.installTranslator(translator)
            return ""
    return language if language and locale.language() != QLocale.Language.English else ""
