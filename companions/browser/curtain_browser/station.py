"""What the browser brings to `curtain wizard` and `curtain check`. Read at each start of them, so light."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import msgspec
import typer

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_command
from curtain.commands.purposes import InFile
from curtain.session.study.languages import ENGLISH, bundled_languages

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


class Gate(msgspec.Struct, frozen=True):
    """How the gateway is started: the name at which the wizard's station waits, the folder of recordings ("": the
    usual one), the language of the page, and the options above."""

    connect: str = "wizard"
    spool: str = ""
    language: str = ENGLISH
    browser_at: str = ""
    certificate: str | None = None
    key: str | None = None
    public: str = ""


class BrowserStation:
    """As `curtain.ports.station.OtherStation`."""

    name = "browser"
    options = BrowserOptions

    title = "Invite a subject in a browser"

    def command(self, wanted: Mapping[str, Any], study: Path, listen: str) -> Sequence[str]:
        """The gateway. Raises CurtainError."""
        from curtain.session.study.study import load_study

        ensure_installed()
        spoken = load_study(study).spoken_language
        language = spoken if spoken in bundled_languages() else ENGLISH
        gate = msgspec.convert({**wanted, "connect": listen, "language": language}, Gate)
        return module_command("curtain_browser.gateway", msgspec.json.encode(gate).decode())

    def check(self, wanted: Mapping[str, Any]) -> str:
        """Whether a browser would give a microphone to the page. Raises CurtainError."""
        ensure_installed()
        from curtain_browser.places import place_of

        with TemporaryDirectory() as folder:
            place = place_of(msgspec.convert(wanted, Gate), 0, Path(folder))
        way = place.note or ("It comes by TLS." if place.secure else "It is for this computer alone, without TLS.")
        return f"a browser would give its microphone to the page at {place.addresses(place.port)[0]}. {way}"


def ensure_installed() -> None:
    """Raises CurtainError where the extra is missing."""
    if None in (find_spec("aiohttp"), find_spec("segno")):
        raise CurtainError(f"The station in a browser is not installed here: {INSTALL}.")


STATION = BrowserStation()
