"""What the browser brings to `curtain wizard` and `curtain check`. Read at each start of them, so light."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from curtain.base.errors import CurtainError
from curtain.commands.purposes import InFile

INSTALL = "pip install 'curtain-woz[browser]'"


@dataclass(frozen=True)
class BrowserOptions:
    """Where the page is served. Without an address it is for browsers of this computer."""

    browser: Annotated[
        bool, typer.Option("--browser", help="Invite a subject whose station is a browser: a link for one session.")
    ] = False
    browser_at: Annotated[
        str, typer.Option("--browser-at", help="ADDRESS:PORT of this computer at which other ones reach the page.")
    ] = ""
    certificate: Annotated[
        InFile | None, typer.Option("--certificate", help="The lab's certificate for the page, with its chain: PEM.")
    ] = None
    key: Annotated[InFile | None, typer.Option("--key", help="The key of that certificate: PEM.")] = None
    public: Annotated[
        str, typer.Option("--public", help="The https:// address of a proxy or tunnel that leads to the page.")
    ] = ""


class BrowserStation:
    """As `curtain.ports.station.OtherStation`."""

    name = "browser"
    options = BrowserOptions

    def panel(self, wanted: Mapping[str, Any], study: Path, listen: str, look: Any) -> Any:
        """The button, and behind it the link and its QR code."""
        from curtain_browser.panel import BrowserPanel

        return BrowserPanel(arguments_of(wanted, listen), study, look, bool(wanted.get("browser")))

    def check(self, wanted: Mapping[str, Any]) -> str:
        """Whether a browser would give a microphone to the page. Raises CurtainError."""
        import tempfile

        ensure_installed()
        from curtain_browser.gateway import read_options
        from curtain_browser.places import place_of

        with tempfile.TemporaryDirectory() as folder:
            place = place_of(read_options(arguments_of(wanted, "none")), 0, Path(folder))
        where = place.bases[0] if place.behind_tls else f"{place.bases[0]}:{place.port or 'PORT'}"
        way = place.note or ("by TLS." if place.secure else "on this computer alone, where no TLS is needed.")
        return f"a browser gives its microphone to {where}, {way[:1].lower()}{way[1:]}"


def ensure_installed() -> None:
    """Raises CurtainError where the extra is missing."""
    missing = [name for name in ("aiohttp", "segno") if find_spec(name) is None]
    if missing:
        raise CurtainError(f"The station in a browser needs {' and '.join(missing)}, not installed here: {INSTALL}.")


def arguments_of(wanted: Mapping[str, Any], listen: str) -> list[str]:
    """The gateway's command line for what was given to the wizard's station."""
    named = {
        "--connect": listen, "--at": wanted.get("browser_at"), "--certificate": wanted.get("certificate"),
        "--key": wanted.get("key"), "--public": wanted.get("public"),
    }  # fmt: skip
    return [part for name, value in named.items() if value for part in (name, str(value))]


STATION = BrowserStation()
