"""The language of a window: a text file for each, which gives every English sentence in it.

`"English" = "translation"` stands at the top of the file. A table of a name, such as `[Steps]`, holds what means
something else in that context of `translate`; `[Parts]` holds what stands inside of sentences that rooms without Qt
have put together, and `[Fields]` what commands and settings ask for. A study's own `translations/de.toml` comes before
the file that comes with Curtain. What no file translates stays English.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator
from PySide6.QtGui import QGuiApplication

from curtain.qt.languages.key_table import keys_in_words

_FOLDER = Path(__file__).parent
PARTS = "Parts"
FIELDS = "Fields"
FINISHED = "Finished sentences"
_FEWEST_LETTERS = 7
# A number with decimals, and its unit.
_FIGURE = re.compile(r"(\d[\d,]*\.(\d+))((?: \S+)?)")
_BLANK = re.compile(r"\{(\w*)[^}]*\}")
# Behind a full stop, where another sentence begins.
_NEXT_SENTENCE = re.compile(r"(?<=[.?…”]) +(?=[A-Z“\d])")
_WITHIN_A_SENTENCE = r"(?:(?![.?…”] +[A-Z“\d]).)+?[.?…”]?"


@dataclass(frozen=True)
class WindowLanguage:
    """What a window is to speak: the language `asked` for, else that of the `study`, else the system's. `folder` is the
    study's, which may hold translations of its own."""

    asked: str = ""
    study: str = ""
    folder: Path | None = None


def translate(context: str, text: str) -> str:
    """The text in the language of the window; as it stands where no translation is installed."""
    return QCoreApplication.translate(context, text)


def sentence_here(sentence: str) -> str:
    """A finished sentence of a room that knows no Qt, in the language of the window: its blanks are found again."""
    return QCoreApplication.translate(FINISHED, sentence)


def rows_here(count: int) -> str:
    """“1 row”, “2 rows”."""
    return translate("Rows", "1 row") if count == 1 else translate("Rows", "{0} rows").format(number_here(count))


def parts_here(parts: Iterable[str]) -> str:
    """Finished parts of a sentence, such as “the recording of turn 3”, in the language of the window."""
    return ", ".join(QCoreApplication.translate(PARTS, part) for part in parts)


def number_here(number: float, decimals: int = 0) -> str:
    """A number as the language of the window writes it: 12,345.6 or 12.345,6."""
    return QLocale().toString(float(number), "f", decimals)


def figure_here(text: str) -> str:
    """“4.5 MB” or “3.0 s” as the language of the window writes it; a text that is no such figure stays."""
    if (figure := _FIGURE.fullmatch(text)) is None:
        return text
    return number_here(float(figure[1].replace(",", "")), len(figure[2])) + figure[3]


class SentenceTranslator(QTranslator):
    """Looks sentences up in files; names keys as the machine does."""

    def __init__(self, sentences: Mapping[str, Any], parent: QObject | None, platform: str = sys.platform) -> None:
        super().__init__(parent)
        self._sentences = {english: words for english, words in sentences.items() if isinstance(words, str)}
        self._tables = {name: table for name, table in sentences.items() if isinstance(table, dict)}
        # Those that code puts together of more pieces than a test can follow.
        self._sentences |= self._tables.get(FINISHED, {})
        self._platform = platform

    def isEmpty(self) -> bool:
        """Never: Qt does not ask an empty translator."""
        return False

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """The sentence in this language; None lets Qt ask the next translator."""
        if context == FINISHED:
            words = self._finished(text)
        elif context == PARTS:
            words = self._part(text)
        else:
            words = self._tables.get(context, {}).get(text) or self._sentences.get(text)
        if self._platform == "darwin":
            return keys_in_words(words or text, self._platform)
        return words

    def _finished(self, text: str) -> str | None:
        ends = [end.start() for end in _NEXT_SENTENCE.finditer(text)]
        # The most sentences that one entry has, from the left.
        for end in [len(text), *reversed(ends)]:
            if words := self._sentences.get(text[:end]) or self._filled(text[:end], self._templates):
                rest = text[end:].lstrip()
                return f"{words} {self._finished(rest) or rest}".rstrip()
        later = self._finished(text[ends[0] + 1 :]) if ends else None
        return f"{text[: ends[0]]} {later}" if later else None

    def _filled(self, text: str, templates: list[_Template]) -> str | None:
        return next(filter(None, (template.filled(text, self._part) for template in templates)), None)

    def _part(self, text: str) -> str:
        """What fills a blank: a sentence, or one of the parts; anything else is a name and stays."""
        words = self._tables.get(PARTS, {}).get(text)
        return words or (self._finished(text) if text.endswith(".") else self._filled(text, self._parts)) or text

    @cached_property
    def _templates(self) -> list[_Template]:
        # A few letters between blanks would be found in any sentence.
        long = [english for english in self._sentences if len(_BLANK.sub("", english)) >= _FEWEST_LETTERS]
        return _templates_of({english: self._sentences[english] for english in long})

    @cached_property
    def _parts(self) -> list[_Template]:
        return _templates_of(self._tables.get(PARTS, {}), counts=True)


class _Template:
    """A sentence with blanks, and how it is found again in a finished one."""

    def __init__(self, english: str, words: str, counts: bool) -> None:
        """`counts`: a lone blank at the beginning is a number, as in “{0} turns”."""
        filling = r"\d[\d.,]*" if counts and english.startswith("{") and english.count("{") == 1 else _WITHIN_A_SENTENCE
        self._words = words
        self._begin = _BLANK.split(english, maxsplit=1)[0]
        pattern = ""
        for place, part in enumerate(_BLANK.split(english)):
            # Texts and the names of blanks take turns; a second place of a blank holds what its first one held.
            again = f"(?P<_{part}>" in pattern
            value = f"(?P=_{part})" if again else f"(?P<_{part}>{filling})"
            pattern += re.escape(part) if place % 2 == 0 else value
        self._pattern = pattern  # to compile those of all sentences takes a second, so who finds a beginning does it

    def filled(self, text: str, part: Callable[[str], str]) -> str | None:
        """The words with what `part` makes of each filled blank; None where the text is another sentence."""
        match = re.fullmatch(self._pattern, text, re.DOTALL) if text.startswith(self._begin) else None
        if match is None:
            return None
        values = match.groupdict()

        def words_in(blank: re.Match[str]) -> str:
            value = values[f"_{blank[1]}"]
            if _FIGURE.fullmatch(value):
                return figure_here(value)
            # A word alone is what a person has called a thing, unless the translation says that it is one of ours.
            return part(value) if " " in value or ":word" in blank[0] else value

        return _BLANK.sub(words_in, self._words)


def _templates_of(sentences: Mapping[str, str], counts: bool = False) -> list[_Template]:
    """Those with blanks, the one with the most words first."""
    english = sorted(filter(_BLANK.search, sentences), key=lambda text: -len(_BLANK.sub("", text)))
    return [_Template(text, sentences[text], counts) for text in english]


def install_language(app: QGuiApplication, wanted: WindowLanguage) -> str:
    """Let the application speak a language: sentences, numbers, Qt's own dialogs, and from where lines run.

    Returns a sentence where the language that was asked for is not there, or an empty text. Call it before the first
    widget is made, since texts are translated as they are set. Raises CurtainError.
    """
    # "und" is a language without a name.
    names = [name for name in (wanted.asked, wanted.study) if name and name != "und"]
    for locale in [*map(QLocale, names), QLocale.system()]:
        sentences = sentences_of(locale, wanted.folder)
        if sentences is not None:
            break
    else:
        locale, sentences = QLocale(QLocale.Language.English), {}
    # English needs none, and each sentence of a window would be asked of it.
    if sentences or sys.platform == "darwin":
        app.installTranslator(SentenceTranslator(sentences, app))
    of_qt = QTranslator(app)
    if of_qt.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        app.installTranslator(of_qt)
    QLocale.setDefault(locale)
    app.setLayoutDirection(locale.textDirection())
    if not wanted.asked or locale.language() == QLocale(wanted.asked).language():
        return ""
    return f"There is no translation “{wanted.asked}”. The window is in {locale.nativeLanguageName()}."


def sentences_of(locale: QLocale, study: Path | None) -> dict[str, Any] | None:
    """The sentences of a language, the study's own over ours; of pt_BR also those of pt. None where there are none.

    Raises CurtainError.
    """
    # The subject's window has no such file, and reading one takes modules that its first paint need not wait for.
    from curtain.base.settings_file import parse, read_text

    names = [locale.name(), locale.name().partition("_")[0]]
    folders = [_FOLDER, *([study / "translations"] if study is not None else [])]
    files = [folder / f"{name}.toml" for folder in folders for name in reversed(names)]
    read = [parse(str(path), read_text(path)) for path in dict.fromkeys(files) if path.is_file()]
    if not read:
        return {} if locale.language() == QLocale.Language.English else None
    merged: dict[str, Any] = {}
    for sentences in read:
        for name, value in sentences.items():
            merged[name] = merged.get(name, {}) | value if isinstance(value, dict) else value
    return merged
