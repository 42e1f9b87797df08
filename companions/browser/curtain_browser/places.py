"""Where the page is served, and with which certificate: a browser gives a microphone to secure pages alone."""

import ipaddress
import re
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from curtain.base.errors import CurtainError
from curtain_browser.station import Gate
from curtain_rooms.network.dialler import read_address
from curtain_rooms.network.identity import load_identity, machine_addresses

WARNING = "The browser will warn, since this computer made the certificate: “Advanced” leads on, once."
HERE_ALONE = "This link opens on this computer alone. Start with --browser-at ADDRESS:PORT for others."


@dataclass(frozen=True)
class PagePlace:
    """Where the page is served, port 0 for any that is free. `bases` are the addresses under which a browser may know
    it, the first of them shown; a port follows unless somebody else ends TLS. `note`: what the subject meets there."""

    host: str
    port: int
    bases: tuple[str, ...]
    tls: ssl.SSLContext | None = None
    behind_tls: bool = False
    note: str = ""

    @property
    def secure(self) -> bool:
        """Whether the page comes to the browser by TLS."""
        return self.tls is not None or self.behind_tls

    def addresses(self, port: int) -> tuple[str, ...]:
        """The bases with the port that was taken, 0 where none is yet."""
        usual = self.behind_tls or port in (0, 443 if self.tls else 80)
        return self.bases if usual else tuple(f"{base}:{port}" for base in self.bases)


def place_of(options: Gate, last_port: int, folder: Path) -> PagePlace:
    """The place that the options ask for, at the port of before where none is named; a certificate that is made is kept
    in `folder`. Raises CurtainError."""
    host, port = read_address(options.browser_at or "127.0.0.1")
    port = port if re.search(r":\d+\Z", options.browser_at) else last_port
    if bool(options.certificate) != bool(options.key):
        raise CurtainError("Name both: --certificate with the certificate, and --key with its key.")
    if options.public:
        parts = urlsplit(options.public)
        if parts.scheme != "https" or not parts.hostname or parts.path.strip("/"):
            raise CurtainError(f"“{options.public}” is no address of a proxy. Write it as https://study.example.org.")
        return PagePlace(host, port, (f"https://{parts.netloc}",), behind_tls=True)
    shown = host if host not in ("0.0.0.0", "::") else next(iter(machine_addresses()), socket.gethostname())
    base = f"[{shown}]" if ":" in shown else shown
    if options.certificate and options.key:
        return PagePlace(host, port, (f"https://{base}",), _context(Path(options.certificate), Path(options.key)))
    if host == "localhost" or (re.fullmatch(r"[\d.:a-f]+", host) and ipaddress.ip_address(host).is_loopback):
        return PagePlace(host, port, (f"http://{base}", "http://localhost"), note=HERE_ALONE)
    made = load_identity(folder / "certificate", "page")
    return PagePlace(host, port, (f"https://{base}",), _context(made.certificate_file, made.key_file), note=WARNING)


def _context(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # A key with a password would ask on a terminal that nobody sees.
        context.load_cert_chain(certificate, key, password=lambda: "")
    except OSError as error:
        why = error.strerror if error.errno and error.filename else "they do not fit each other, or are no PEM files"
        raise CurtainError(f"{certificate} and {key} cannot be used: {why}.") from error
    return context
