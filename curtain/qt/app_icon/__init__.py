"""Our icon, as a file of the package."""

from __future__ import annotations

from pathlib import Path


def icon_file() -> Path:
    """The icon as SVG."""
    return Path(__file__).with_name("curtain.svg")
