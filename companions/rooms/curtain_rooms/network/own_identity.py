"""Where this person's stations keep who they are on the network, and the addresses of this machine."""

from __future__ import annotations

import platform
from pathlib import Path

import platformdirs
from PySide6.QtNetwork import QAbstractSocket, QHostAddress, QNetworkInterface

from curtain.base.disk import rename
from curtain.base.errors import os_errors_as
from curtain_rooms.network.identity import Identity, StationRole, TrustStore, load_identity, station_name


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
