"""The table of tags and reasons: ours, changed by a study's own `annotation.toml`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError
from curtain.base.settings_file import parse, place, read_text, refuse_unknown

OWN_TABLE = "annotation.toml"
ERAS = (1989, 1990, 1992)
"""The rule-books that differ in what they exclude."""

_TAG_KEYS = ("means", "excludes", "source")
_REASON_KEYS = ("title", "years", "tag", "source")


@dataclass(frozen=True)
class Tag:
    """A tag; `excludes` holds the eras in which it makes class X. `site`: it is not one of the 19."""

    name: str
    means: str = ""
    excludes: frozenset[int] = frozenset()
    source: str = ""
    site: bool = False


@dataclass(frozen=True)
class Reason:
    """Why a turn is left out of a test, in the eras of `years`; `tag` goes with it."""

    name: str
    title: str
    years: frozenset[int] = frozenset(ERAS)
    tag: str = "disallowed"
    source: str = ""
    site: bool = False


@dataclass(frozen=True)
class TagTable:
    """All tags and reasons of a study, in the order in which they are shown."""

    tags: Mapping[str, Tag]
    reasons: Mapping[str, Reason]

    def excluding(self, tags: Iterable[str], reasons: Iterable[str], year: int) -> list[str]:
        """Those of these tags and reasons that exclude under the rule-book of a year."""
        era = era_of(year)
        excluding = [name for name in tags if name in self.tags and era in self.tags[name].excludes]
        return excluding + [name for name in reasons if name in self.reasons and era in self.reasons[name].years]

    def offered_reasons(self, year: int) -> list[Reason]:
        """The reasons that the rule-book of a year knows."""
        return [reason for reason in self.reasons.values() if era_of(year) in reason.years]


def era_of(year: int) -> int:
    """The rule-book whose exclusions hold in a year: 1989 up to 1989, 1990, and 1992 from 1991 on."""
    return 1989 if year <= 1989 else 1990 if year == 1990 else 1992


def load_table(study: Path | None = None) -> TagTable:
    """Our table, with what the study's annotation.toml changes and adds. Raises CurtainError."""
    base = _read("tags.toml", resources.files(__package__).joinpath("tags.toml").read_text("utf-8"), None)
    study_table = study / OWN_TABLE if study is not None else None
    if study_table is None or not study_table.exists():
        return base
    return _read(str(study_table), read_text(study_table), base)


def _read(name: str, text: str, base: TagTable | None) -> TagTable:
    keys = parse(name, text)
    refuse_unknown(name, text, keys, ("tag", "reason"))
    tables = {kind: _tables(name, text, kind, keys.get(kind, {})) for kind in ("tag", "reason")}
    tags = dict(base.tags) if base else {}
    for entry_name, entry in tables["tag"].items():
        tags[entry_name] = _tag(_Place(name, text, entry_name), entry, tags.get(entry_name), site=base is not None)
    reasons = dict(base.reasons) if base else {}
    for entry_name, entry in tables["reason"].items():
        reasons[entry_name] = _reason(
            _Place(name, text, entry_name), entry, reasons.get(entry_name), tags, site=base is not None
        )
    # Plain ones: several processes that read sessions get a copy.
    return TagTable(tags, reasons)


def _tables(name: str, text: str, kind: str, value: object) -> dict[str, dict[str, Any]]:
    keys = _TAG_KEYS if kind == "tag" else _REASON_KEYS
    if not isinstance(value, dict) or not all(isinstance(one, dict) for one in value.values()):
        raise CurtainError(f'{place(name, text, kind)}: write [{kind}.name], for example [{kind}."our-own"].')
    for entry in value.values():
        refuse_unknown(name, text, entry, keys)
    return value


@dataclass(frozen=True)
class _Place:
    """Where a name stands, for sentences."""

    file: str
    text: str
    name: str

    def problem(self, wanted: str) -> CurtainError:
        return CurtainError(f"{self.file}{self._line()}: “{self.name}”: {wanted}.")

    def _line(self) -> str:
        """`, line 3` of the table's heading, where it has one."""
        heading = re.compile(rf"""^\s*\[\s*(tag|reason)\s*\.\s*["']?{re.escape(self.name)}["']?\s*\]""")
        numbers = (number for number, line in enumerate(self.text.splitlines(), 1) if heading.match(line))
        return next((f", line {number}" for number in numbers), "")


def _tag(at: _Place, entry: Mapping[str, Any], before: Tag | None, *, site: bool) -> Tag:
    if not at.name.strip() or any(sign.isspace() or sign in ":;," for sign in at.name):
        raise at.problem("a tag is one word without white space, colon, comma or semicolon")
    old = before or Tag(at.name, site=site)
    return Tag(
        at.name,
        _text(at, entry, "means", old.means),
        _eras(at, entry["excludes"], "excludes") if "excludes" in entry else old.excludes,
        _text(at, entry, "source", old.source),
        old.site,
    )


def _reason(
    at: _Place, entry: Mapping[str, Any], before: Reason | None, tags: Mapping[str, Tag], *, site: bool
) -> Reason:
    old = before or Reason(at.name, at.name.replace("_", " "), site=site)
    tag = _text(at, entry, "tag", old.tag)
    if tag not in tags:
        raise at.problem(f"there is no tag “{tag}”")
    return Reason(
        at.name,
        _text(at, entry, "title", old.title),
        _eras(at, entry["years"], "years") if "years" in entry else old.years,
        tag,
        _text(at, entry, "source", old.source),
        old.site,
    )


def _text(at: _Place, entry: Mapping[str, Any], key: str, default: str) -> str:
    value = entry.get(key, default)
    if not isinstance(value, str):
        raise at.problem(f"“{key}” must be a text in quotes")
    return value


def _eras(at: _Place, value: object, key: str) -> frozenset[int]:
    # true and false stand for all eras and none.
    if isinstance(value, bool):
        return frozenset(ERAS if value else ())
    # type() and not isinstance(): TOML's true is an int to Python.
    if isinstance(value, list) and all(one in ERAS and type(one) is int for one in value):
        return frozenset(value)
    raise at.problem(f"“{key}” must be true, false or a list of years out of {', '.join(map(str, ERAS))}")
