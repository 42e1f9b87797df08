"""Options that several commands have, with one wording each."""

from __future__ import annotations

from typing import Annotated

import typer

__all__ = ["AsJson", "Output", "Overwrite", "TextSize", "Theme"]

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object for a program to read.")]
Output = Annotated[str | None, typer.Option("--output", help="The loudspeaker or headphones, by name.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Write over an earlier result in the folder.")]
Theme = Annotated[str, typer.Option("--theme", help="system, light, dark or contrast.")]
TextSize = Annotated[int, typer.Option("--text-size", help="The size of text in percent, from 80 to 200.")]
