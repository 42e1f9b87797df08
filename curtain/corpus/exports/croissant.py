"""Croissant 1.0: a description of a data set that loads it (https://docs.mlcommons.org/croissant/docs/croissant-spec.html)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from curtain.base.input_file import digest_of
from curtain.corpus.exports.utterance_table import Shape

FILE = "croissant.json"
RECORDS = "utterances"

_TYPES = {"VARCHAR": "sc:Text", "BIGINT": "sc:Integer", "DOUBLE": "sc:Float", "BOOLEAN": "sc:Boolean"}
_SET = "files"
PARQUET = "application/x-parquet"

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


def write(
    folder: Path, about: Mapping[str, Any], pattern: str, files: Iterable[Path], fields: Iterable[Mapping[str, Any]]
) -> None:
    """Put `croissant.json` into the folder; the records are the rows of all files together, which are those of
    `pattern` in it. `about` has the members that say what it is called, may be used for and is cited as."""
    file_set = {"@type": "cr:FileSet", "@id": _SET, "name": _SET, "encodingFormat": PARQUET, "includes": pattern}
    described = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        **about,
        "distribution": [file_set, *(_file(folder, path) for path in files)],
        "recordSet": [{"@type": "cr:RecordSet", "@id": RECORDS, "name": RECORDS, "field": list(fields)}],
    }
    write_json(folder / FILE, described)


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """A new file of JSON that people can read."""
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(without_tags(json.dumps(value, ensure_ascii=False, indent=2)) + "\n")


def without_tags(text: str) -> str:
    """JSON of the same values in which no HTML can be seen, for pages that show the file as it is."""
    return text.replace("<", "\\u003c").replace(">", "\\u003e")


def flat_fields(columns: Mapping[str, Shape]) -> list[dict[str, Any]]:
    """A field for each column of plain values or of a list of them; lists of structs are left out."""
    fields = [_of_shape(name, shape) for name, shape in columns.items()]
    return [one for one in fields if one is not None]


def _of_shape(name: str, shape: Shape) -> dict[str, Any] | None:
    if isinstance(shape, str):
        return field(name, _TYPES[shape])
    if isinstance(shape, list) and isinstance(shape[0], str):
        return field(name, _TYPES[shape[0]]) | {"repeated": True}
    return None


def field(name: str, kind: str, **transform: Any) -> dict[str, Any]:
    """A field that is read from the column of the same name."""
    source = {"fileSet": {"@id": _SET}, "extract": {"column": name}}
    if transform:
        source["transform"] = transform
    return {"@type": "cr:Field", "@id": f"{RECORDS}/{name}", "name": name, "dataType": kind, "source": source}


def _file(folder: Path, path: Path) -> dict[str, Any]:
    name = path.relative_to(folder).as_posix()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{path.stat().st_size} B",
        "encodingFormat": PARQUET,
        "sha256": digest_of(path),
    }
