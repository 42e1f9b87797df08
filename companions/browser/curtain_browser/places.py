"""Where the page is served, and with which certificate: a browser gives a microphone to secure pages alone."""

from __future__ import annotations

import argparse
import datetime
import ipaddress
import socket
import ssl
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.link.network.dialler import read_address
from curtain.link.network.own_identity import machine_addresses
from curtain_browser.server import Place

LOOPBACK = "127.0.0.1"
_DAYS = 365
_KEY, _CERTIFICATE = "page.key", "page.crt"
WARNING = (
    "The browser will warn about the certificate, since this computer made it. "
    "The subject chooses “Advanced” and goes on, once."
)


def place_of(options: argparse.Namespace, last_port: int, folder: Path) -> Place:
    """The place that the options ask for, at the port of before where none is named. Raises CurtainError."""
    named = options.at and (options.at.startswith("[") or options.at.count(":") == 1)
    host, port = read_address(options.at) if options.at else (LOOPBACK, last_port)
    port = port if named or not options.at else last_port
    if bool(options.certificate) != bool(options.key):
        raise CurtainError("Name both: --certificate with the certificate, and --key with its key.")
    if options.public:
        parts = urlsplit(options.public)
        if parts.scheme != "https" or not parts.hostname or parts.path.strip("/"):
            raise CurtainError(f"“{options.public}” is no address of a proxy. Write it as https://study.example.org.")
        return Place(host, port, bases=(f"https://{parts.netloc}",), behind_tls=True)
    shown = host if host not in ("0.0.0.0", "::") else next(iter(machine_addresses()), socket.gethostname())
    if options.certificate:
        tls = _context(options.certificate, options.key)
        # A browser compares the name: what the certificate says goes first.
        names = _names_in(options.certificate)
        return Place(host, port, bases=tuple(f"https://{_bracketed(name)}" for name in (*names, shown)), tls=tls)
    if _is_loopback(host):
        return Place(host, port, bases=(f"http://{_bracketed(host)}", "http://localhost"))
    certificate, key = own_certificate(folder, shown)
    return Place(host, port, bases=(f"https://{_bracketed(shown)}",), tls=_context(certificate, key), note=WARNING)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _context(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        # A key with a password would ask on a terminal that nobody sees.
        context.load_cert_chain(certificate, key, password=lambda: "")
    except (ssl.SSLError, ValueError) as fault:
        raise CurtainError(f"{certificate} and {key} do not fit each other, or are no PEM files.") from fault
    except OSError as fault:
        name = fault.filename or f"{certificate} or {key}"
        raise CurtainError(f"{name} cannot be read: {fault.strerror or fault}.") from fault
    return context


def _names_in(certificate: Path) -> Sequence[str]:
    from cryptography import x509

    read = x509.load_pem_x509_certificate(certificate.read_bytes())
    try:
        names = read.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    addresses = [str(address) for address in names.get_values_for_type(x509.IPAddress)]
    return [name for name in (*names.get_values_for_type(x509.DNSName), *addresses) if "*" not in name]


def own_certificate(folder: Path, host: str) -> tuple[Path, Path]:
    """A certificate of this computer for this host, and its key, made anew for another host and after a year.

    Raises CurtainError.
    """
    certificate, key = folder / _CERTIFICATE, folder / _KEY
    with os_errors_as(f"The certificate of the page cannot be kept in {folder}", advice=" Check its rights."):
        try:
            fits = host in _names_in(certificate) and key.exists() and _is_fresh(certificate)
        except (OSError, ValueError):
            fits = False
        if not fits:
            _make(certificate, key, host)
    return certificate, key


def _is_fresh(certificate: Path) -> bool:
    from cryptography import x509

    ends = x509.load_pem_x509_certificate(certificate.read_bytes()).not_valid_after_utc
    return ends > datetime.datetime.now(datetime.UTC) + datetime.timedelta(days=1)


def _make(certificate: Path, key: Path, host: str) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    private = ec.generate_private_key(ec.SECP256R1())
    named = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Curtain")])
    try:
        name: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        name = x509.DNSName(host)
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(named)
        .issuer_name(named)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        # A day of grace for clocks that are late.
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=_DAYS))
        .add_extension(x509.SubjectAlternativeName([name]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .sign(private, hashes.SHA256())
    )
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    certificate.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(key, pem, private=True)
    replace_file(certificate, made.public_bytes(serialization.Encoding.PEM))
