"""Who a station is on the network: a key and a certificate of its own, and the certificates that it trusts.

A station is known by the SHA-256 of its certificate on this very connection, never by a field in a message. What it
is known by is kept for each person and role on this machine.
"""

import datetime
import hashlib
import platform
import re
import ssl
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
import platformdirs
from PySide6.QtNetwork import QAbstractSocket, QHostAddress, QNetworkInterface

from curtain.base.disk import rename, replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.input_file import parse_json, read_input

StationRole = Literal["wizard", "subject", "chair"]
"""What a paired station may be at our end: the one whose desk it is, the one that dials from the other room, or another
desk that joins the session. A certificate counts in its own role alone."""

# RFC 5280, section 4.1.2.5: the date of a certificate that never ends. A clock that is wrong must not end it.
_BEGINS = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)
_ENDS = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)
_KEY, _CERTIFICATE, _STATIONS = "station.key", "station.crt", "stations.json"
_LARGEST = 64 * 1024
_LONGEST_NAME = 40


def fingerprint(certificate: bytes) -> str:
    """The SHA-256 of a certificate in DER, in hexadecimal."""
    return hashlib.sha256(certificate).hexdigest()


@dataclass(frozen=True)
class Identity:
    """This station's certificate in DER, and where key and certificate are as files."""

    name: str
    certificate: bytes
    key_file: Path
    certificate_file: Path

    @property
    def fingerprint(self) -> str:
        """What other stations know this one by."""
        return fingerprint(self.certificate)


def load_identity(folder: Path, name: str) -> Identity:
    """The identity kept in a folder, made on first use. It has no end: others know the station by it.

    Raises CurtainError: the folder cannot be written, or what is in it cannot be read.
    """
    key_file, certificate_file = folder / _KEY, folder / _CERTIFICATE
    with os_errors_as(f"The station's certificate in {folder} cannot be kept", advice=" Check its rights."):
        if not (key_file.exists() and certificate_file.exists()):
            _make(folder, name)
        return _read(folder, name)


def _make(folder: Path, name: str) -> None:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Curtain {name}"[:64])])
    identifier = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    usage = x509.KeyUsage(
        digital_signature=True, key_cert_sign=True, crl_sign=False, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_BEGINS)
        .not_valid_after(_ENDS)
        # It is its own anchor of trust: strict checks ask for what an authority has.
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(identifier, critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(identifier), critical=False)
        .sign(key, hashes.SHA256())
    )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    _write_private(folder / _KEY, private)
    _write_private(folder / _CERTIFICATE, certificate.public_bytes(serialization.Encoding.PEM))


def _write_private(path: Path, data: bytes) -> None:
    replace_file(path, data)
    # Whatever the mask of the process: whoever reads the key can be this station.
    path.chmod(0o600)


def _read(folder: Path, name: str) -> Identity:
    certificate_file = folder / _CERTIFICATE
    try:
        der = ssl.PEM_cert_to_DER_cert(read_input(certificate_file, _LARGEST).decode("ascii"))
    except (ValueError, UnicodeDecodeError) as error:
        raise CurtainError(
            f"{certificate_file} is no certificate. Move it away; the station then makes a new one and pairs again."
        ) from error
    return Identity(name, der, folder / _KEY, certificate_file)


class KnownStation(msgspec.Struct, frozen=True):
    """A station that was paired. `certificate` is its certificate in DER, `paired_utc` when. `chair` is what a desk
    may be in a session; "" for a station of another role, and for a desk that an earlier Curtain paired."""

    name: str
    role: StationRole
    certificate: bytes
    paired_utc: str
    chair: str = ""

    @property
    def fingerprint(self) -> str:
        """What it is known by."""
        return fingerprint(self.certificate)

    @property
    def pem(self) -> str:
        """As OpenSSL reads it."""
        return ssl.DER_cert_to_PEM_cert(self.certificate)


class TrustStore:
    """The stations that were paired with this one, in a file that only this person can read."""

    def __init__(self, folder: Path) -> None:
        """Raises CurtainError for a file that cannot be read."""
        self._path = folder / _STATIONS
        self._stations = self._read()

    @property
    def stations(self) -> Sequence[KnownStation]:
        """All, in the order in which they were paired."""
        return tuple(self._stations)

    def of_role(self, role: StationRole) -> list[KnownStation]:
        """Those that may be this at the other end."""
        return [station for station in self._stations if station.role == role]

    def known(self, certificate: bytes, role: StationRole) -> KnownStation | None:
        """The station with this very certificate in this role."""
        return next((one for one in self.of_role(role) if one.certificate == certificate), None)

    def add(self, station: KnownStation) -> KnownStation:
        """Keep a station, under its name with a number if another of its role has that name. Raises CurtainError.

        Computers that were set up from one image have one name: pairing one must not unpair the other.
        """
        others = [
            known for known in self._stations if (known.role, known.certificate) != (station.role, station.certificate)
        ]
        taken = {known.name for known in others if known.role == station.role}
        kept = msgspec.structs.replace(station, name=_free_name(station.name, taken))
        self._keep([*others, kept])
        return kept

    def remove(self, name: str) -> list[KnownStation]:
        """Unpair every station of this name; those that went. Raises CurtainError."""
        gone = [one for one in self._stations if one.name == name]
        if gone:
            self._keep([one for one in self._stations if one.name != name])
        return gone

    def _keep(self, stations: list[KnownStation]) -> None:
        data = msgspec.json.format(msgspec.json.encode(stations), indent=2)
        with os_errors_as(f"{self._path} cannot be written"):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _write_private(self._path, data + b"\n")
        self._stations = stations

    def _read(self) -> list[KnownStation]:
        try:
            return parse_json(read_input(self._path, 1024 * 1024), list[KnownStation])
        except FileNotFoundError:
            return []
        except OSError as error:
            raise CurtainError(f"{self._path} cannot be read: {error.strerror or error}.") from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise CurtainError(f"{self._path} is damaged. Move it away and pair the stations again.") from error


def _free_name(name: str, taken: Collection[str]) -> str:
    numbered = (f"{name[: _LONGEST_NAME - 4]} {number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(one for one in numbered if one not in taken)


def station_name(text: str) -> str:
    """A name as it may stand on a screen: letters, digits, blanks, `-`, `_` and `.`; "station" if nothing is left."""
    kept = re.sub(r"[^\w .-]", "", text, flags=re.ASCII).strip()
    return kept[:_LONGEST_NAME] or "station"


def stations_folder(role: StationRole) -> Path:
    """The folder for the certificate and the paired stations of this person's wizard's or subject's station."""
    return platformdirs.user_data_path("curtain") / "stations" / role


def own_station(role: StationRole, who: str = "") -> tuple[Identity, TrustStore]:
    """This person's station in one role, made on first use; each `who` has a station of their own. Raises CurtainError.

    Two desks on one computer are two: what one of them was paired as says nothing about the other.
    """
    folder = stations_folder(role)
    name = station_name(" ".join([platform.node().partition(".")[0], who]))
    if who:
        folder = _of_person(folder, who)
    return load_identity(folder, name), TrustStore(folder)


def _of_person(shared: Path, who: str) -> Path:
    """The folder of one person, who takes over what an earlier Curtain kept for all on this computer."""
    folder = shared / who
    with os_errors_as(f"{shared} cannot be written", advice=" Check its rights."):
        for file in shared.iterdir() if shared.is_dir() and not folder.exists() else ():
            if file.is_file():
                folder.mkdir(mode=0o700, exist_ok=True)
                rename(file, folder / file.name)
    return folder


def machine_addresses() -> list[str]:
    """The addresses under which other machines may reach this one, IPv4 first; none of the loopback."""
    addresses = []
    for address in QNetworkInterface.allAddresses():
        local = address.isLoopback() or address.isLinkLocal() or address == QHostAddress.SpecialAddress.Null
        if not local:
            addresses.append(address)
    ipv4 = QAbstractSocket.NetworkLayerProtocol.IPv4Protocol
    return [one.toString() for one in sorted(addresses, key=lambda address: address.protocol() != ipv4)]
