"""`curtain home`: opens the home window."""

from curtain.commands import windows
from curtain.commands.options import TextSize, Theme, WindowLanguage


def home(theme: Theme = None, text_size: TextSize = None, language: WindowLanguage = "") -> int:
    """The window's exit code; without an appearance it looks as it did last. Raises CurtainError."""
    return windows.open_window("curtain_home", windows.options_for({"--language": language}, theme, text_size))
