"""The columns of a Hugging Face data set: as YAML for the card and as JSON for the Parquet files."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from curtain.corpus.exports.utterance_table import Shape

_DTYPES = {"VARCHAR": "string", "BIGINT": "int64", "DOUBLE": "float64", "BOOLEAN": "bool"}


def yaml_lines(columns: Mapping[str, Shape], indent: str) -> Iterator[str]:
    """`- name: ...` with `dtype` or `list`, as in the front matter of a data set's card."""
    for name, shape in columns.items():
        yield f"{indent}- name: {name}"
        if isinstance(shape, str):
            yield f"{indent}  dtype: {_DTYPES[shape]}"
        elif isinstance(shape, list):
            yield from _yaml_list(shape[0], indent + "  ")


def _yaml_list(inner: Shape, indent: str) -> Iterator[str]:
    if isinstance(inner, str):
        yield f"{indent}list: {_DTYPES[inner]}"
    elif isinstance(inner, dict):
        yield f"{indent}list:"
        yield from yaml_lines(inner, indent)


def as_json(columns: Mapping[str, Shape]) -> str:
    """What stands under the key `huggingface` in a Parquet file, with the column `audio` before all others."""
    features = {"audio": {"_type": "Audio"}} | {name: _feature(shape) for name, shape in columns.items()}
    return json.dumps({"info": {"features": features}})


def _feature(shape: Shape) -> Any:
    if isinstance(shape, str):
        return {"dtype": _DTYPES[shape], "_type": "Value"}
    if isinstance(shape, list):
        return {"feature": _feature(shape[0]), "_type": "List"}
    return {name: _feature(part) for name, part in shape.items()}


def structure(columns: Mapping[str, Shape]) -> str:
    """The shape as DuckDB's `from_json` takes it."""
    return json.dumps(columns)
