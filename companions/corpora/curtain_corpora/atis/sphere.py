"""SPHERE recordings: an ASCII header in blocks of 1024 bytes, then the samples (WAV_SPEC, 3 Nov 1992).

Header lines are `name -type value`: `-i` whole numbers, `-r` reals, `-sN` texts of N bytes.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import read_sound

Value = int | float | str
Samples = NDArray[np.int16]

MAGIC = b"NIST_1A\n"
_BLOCK = 1024
_MOST_CHANNELS = 64
_HIGHEST_RATE = 768_000
# Sizes come from the file: a damaged header must not ask for gigabytes.
_LARGEST_HEADER = 1 << 20
_FIELD = re.compile(rb"([A-Za-z][A-Za-z0-9_]*)[ \t]+-(i|r|s[0-9]+)[ \t](.*)", re.S)


@dataclass(frozen=True)
class Header:
    """The fields of a header in their order, and how many bytes it takes."""

    fields: Mapping[str, Value]
    size: int

    def whole(self, name: str, default: int = 0) -> int:
        """An integer field (`-i`); `default` where it is missing or of another type."""
        value = self.fields.get(name, default)
        return value if isinstance(value, int) else default

    def text(self, name: str, default: str = "") -> str:
        """A field as text, whatever its type; `default` where it is missing."""
        return str(self.fields.get(name, default))


def header_bytes(fields: Mapping[str, Value]) -> bytes:
    """The header with these fields, padded to whole blocks. Texts become ASCII on one line."""
    lines = b"".join(_line(name, value) for name, value in fields.items()) + b"end_head\n"
    size = -(-(len(MAGIC) + 8 + len(lines)) // _BLOCK) * _BLOCK
    return (MAGIC + b"%7d\n" % size + lines).ljust(size, b" ")


def _line(name: str, value: Value) -> bytes:
    if isinstance(value, int):
        return f"{name} -i {value}\n".encode("ascii")
    if isinstance(value, float):
        return f"{name} -r {value!r}\n".encode("ascii")
    text = " ".join(value.split()).encode("ascii", "backslashreplace") or b"unknown"
    return b"%s -s%d %s\n" % (name.encode("ascii"), len(text), text)


def write(file: BinaryIO, samples: Samples, sample_rate: int, about: Mapping[str, Value]) -> None:
    """Write a recording. `samples` are (frames,) or (frames, channels); `about` are further fields of the header."""
    little = np.ascontiguousarray(samples, dtype="<i2")
    # What the samples give comes first: libsndfile looks for it near the beginning.
    file.write(header_bytes({**_fields_from(little, sample_rate), **about}))
    file.write(little.tobytes())


def _fields_from(samples: Samples, sample_rate: int) -> dict[str, Value]:
    some = samples.size > 0
    return {
        "channel_count": 1 if samples.ndim == 1 else samples.shape[1],
        "sample_count": len(samples),
        "sample_rate": sample_rate,
        "sample_min": int(samples.min()) if some else 0,
        "sample_max": int(samples.max()) if some else 0,
        "sample_n_bytes": 2,
        "sample_byte_format": "01",
        "sample_sig_bits": 16,
        "sample_coding": "pcm",
        # The sum of all samples, of which 16 bits are kept.
        "sample_checksum": int(samples.sum(dtype=np.int64)) & 0xFFFF,
    }


def is_sphere(path: Path) -> bool:
    """Whether the file begins as SPHERE; its name ends in `.wav` as often as in `.sph`."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def read_header(path: Path) -> Header:
    """The header of a SPHERE file. Raises CurtainError, OSError."""
    with path.open("rb") as file:
        return _header(file, path)


def raw_header(path: Path) -> bytes:
    """The bytes before the samples. Raises CurtainError, OSError."""
    with path.open("rb") as file:
        size = _header(file, path).size
        file.seek(0)
        return file.read(size)


def _header(file: BinaryIO, path: Path) -> Header:
    start = file.read(16)
    size = start[8:].strip()
    if start[:8] != MAGIC or not size.isdigit() or not 16 <= int(size) <= _LARGEST_HEADER:
        raise CurtainError(f"The recording {path} has no SPHERE header. Leave it out, or convert it to WAV.")
    text = file.read(int(size) - 16)
    return Header(_fields(text), int(size))


def _fields(text: bytes) -> dict[str, Value]:
    fields: dict[str, Value] = {}
    for line in text.split(b"\n"):
        if line.strip() == b"end_head":
            break
        match = _FIELD.match(line.lstrip())
        if match:
            fields[match[1].decode()] = _value(match[2].decode(), match[3])
    return fields


def _value(kind: str, text: bytes) -> Value:
    if kind.startswith("s"):
        return text[: int(kind[1:])].decode("latin-1").strip()
    # A remark may follow behind a semicolon.
    word = text.split(b";")[0].strip().decode("latin-1")
    try:
        return int(word) if kind == "i" else float(word)
    except ValueError:
        return word


def read_samples(path: Path) -> tuple[Samples, int, Header | None]:
    """Samples (frames,) or (frames, channels), frames per second, and the header if it is a SPHERE file.

    Plain WAV files are read too. Raises CurtainError.
    """
    with os_errors_as(f"The recording {path} cannot be read", CurtainError):
        if not is_sphere(path):
            return *_by_library(path), None
        header = read_header(path)
        return *_of_sphere(path, header), header


def _of_sphere(path: Path, header: Header) -> tuple[Samples, int]:
    coding = header.text("sample_coding", "pcm").lower()
    if "shorten" in coding or "shortpack" in coding or "wavpack" in coding:
        raise CurtainError(
            f"The recording {path} is compressed ({coding}), which Curtain does not read. "
            "Unpack the tree first, for example with “w_decode -o pcm” or “sph2pipe -p -f sph”, and import it again."
        )
    plain = coding == "pcm" and header.whole("sample_n_bytes", 2) == 2
    return _of_pcm(path, header) if plain else _by_library(path)


def _of_pcm(path: Path, header: Header) -> tuple[Samples, int]:
    channels, rate = header.whole("channel_count", 1), header.whole("sample_rate")
    if not 1 <= channels <= _MOST_CHANNELS or not 1 <= rate <= _HIGHEST_RATE:
        raise CurtainError(f"The header of the recording {path} gives no usable sample rate or number of channels.")
    # SPHERE writes “10” where the high byte comes first.
    kind = ">i2" if header.text("sample_byte_format", "01") == "10" else "<i2"
    there = (os.path.getsize(path) - header.size) // (2 * channels)
    # A header without a count, or with 0, leaves it to the length of the file.
    frames = min(header.whole("sample_count", there) or there, there)
    if header.whole("sample_count") > there:
        raise CurtainError(
            f"The recording {path} ends early: its header states {header.whole('sample_count')} samples, "
            f"{max(there, 0)} are there. Take it from another copy of the tree."
        )
    samples = np.fromfile(path, dtype=kind, count=frames * channels, offset=header.size).astype(np.int16)
    return (samples if channels == 1 else samples.reshape(-1, channels)), rate


def _by_library(path: Path) -> tuple[Any, int]:
    try:
        samples, rate = read_sound(path)
    except OSError as error:
        raise CurtainError(
            f"The recording {path} cannot be read as sound. Leave it out, or convert it to WAV."
        ) from error
    return (samples[:, 0] if samples.shape[1] == 1 else samples), rate
