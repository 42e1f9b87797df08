"""Capitals of any script that small letters come back from."""

import unicodedata

# Unicode's SpecialCasing.txt: Turkish and Azerbaijani keep i with a dot and i without one apart.
_DOTTED = frozenset({"tr", "az"})
_TO_UPPER = str.maketrans({"i": "İ", "ı": "I"})
_TO_LOWER = str.maketrans({"İ": "i", "I": "ı"})
# German has had a capital ß since 2017; Python writes SS.
_SHARP_S = {"ß": "ẞ"}


def upper(text: str, language: str = "") -> str:
    """Capitals by the rules of a language (BCP 47), in NFC. No letter becomes two, so that `lower` gives it back."""
    if _is_dotted(language):
        text = text.translate(_TO_UPPER)
    capital = text.upper()
    if capital.lower() != text.lower():
        capital = "".join(_capital(sign) for sign in text)
    return unicodedata.normalize("NFC", capital)


def lower(text: str, language: str = "") -> str:
    """Small letters by the rules of a language (BCP 47), in NFC."""
    if _is_dotted(language):
        # A dot that stands as a sign of its own belongs to the I before it.
        text = unicodedata.normalize("NFC", text).translate(_TO_LOWER)
    return unicodedata.normalize("NFC", text.lower())


def _is_dotted(language: str) -> bool:
    return language.partition("-")[0].lower() in _DOTTED


def _capital(sign: str) -> str:
    capital = _SHARP_S.get(sign) or sign.upper()
    return capital if capital.lower() == sign.lower() else sign
