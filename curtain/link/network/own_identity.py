"""Where this person's stations keep who they are on the network, and the addresses of this machine."""

from __future__ import annotations

import platform
from pathlib import Path

import platformdirs
from PySide6.QtNetwork import QAbstractSocket, QHostAddress, QNetworkInterface

from curtain.link.network.identity import Identity, StationRole, TrustStore, load_identity, station_name


def stations_folder(role: StationRole) -> Path:
    """The folder for the certificate and the paired stations of this person's wizard's or subject's station."""
    return platformdirs.user_data_path("curtain") / "stations" / role


def own_station(role: StationRole) -> tuple[Identity, TrustStore]:
    """This person's station in one role, made on first use. Raises CurtainError."""
    folder = stations_folder(role)
    name = station_name(platform.node().partition(".")[0])
    identity = load_identity(folder, name)
    return identity, TrustStore(folder)


def machine_addresses() -> list[str]:
    """The addresses under which other machines may reach this one, IPv4 first; none of the loopback."""
    addresses = []
    for address in QNetworkInterface.allAddresses():
        local = address.isLoopback() or address.isLinkLocal() or address == QHostAddress.SpecialAddress.Null
        if not local:
            addresses.append(address)
    ipv4 = QAbstractSocket.NetworkLayerProtocol.IPv4Protocol
    return [one.toString() for one in sorted(addresses, key=lambda address: address.protocol() != ipv4)]
