"""What an option is for, noted in its type, for a window that makes a form of a command."""

from pathlib import Path
from typing import Annotated, Literal

# Paths to read (In) and to make (Out). A table or a database may stand where folders do.
InFile = Annotated[Path, "file"]
InFolder = Annotated[Path, "folder"]
InPath = Annotated[Path, "either"]
OutFile = Annotated[Path, "save"]
OutFolder = Annotated[Path, "new"]

# A command with a theme opens a window, unless the other one is set: then it prints a list.
WindowTheme = Annotated[Literal["system", "light", "dark", "contrast"], "window"]
ListOnly = Annotated[bool, "list"]
