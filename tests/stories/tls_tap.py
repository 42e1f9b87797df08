"""Reads what crosses between two rooms: a man in the middle who holds the keys of both stations, as only a test can."""

import socket
import ssl
import threading
from pathlib import Path


def station_files(home: Path, role: str) -> tuple[str, str]:
    """Certificate and key of a station with this data folder."""
    folder = home / "curtain" / "stations" / role
    return str(folder / "station.crt"), str(folder / "station.key")


class Tap:
    """Stands between the stations and keeps a copy of every byte that goes to the subject. `through` connects whoever
    called at `server` with the wizard's station; it raises OSError while nobody listens: the subject's dials again."""

    def __init__(self, server: socket.socket) -> None:
        self.to_subject = bytearray()
        self._server = server
        threading.Thread(target=self._accept, daemon=True).start()

    def through(self, caller: socket.socket) -> tuple[socket.socket, socket.socket]:
        raise NotImplementedError

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            subject, wizard = self.through(connection)
        except OSError:
            connection.close()
            return
        threading.Thread(target=self._pump, args=(subject, wizard, None), daemon=True).start()
        self._pump(wizard, subject, self.to_subject)

    @staticmethod
    def _pump(source: socket.socket, target: socket.socket, copy: bytearray | None) -> None:
        try:
            while block := source.recv(65536):
                if copy is not None:
                    copy += block
                target.sendall(block)
        except OSError:
            pass
        for end in (source, target):
            end.close()


class TlsTap(Tap):
    """Listens at `port`, goes on to the wizard's station at `back`, and keeps every decrypted byte to the subject."""

    def __init__(self, back: int, wizard_home: Path, subject_home: Path) -> None:
        self._back = back
        self._wizard, self._subject = (wizard_home, "wizard"), (subject_home, "subject")
        server = socket.create_server(("127.0.0.1", 0))
        self.port = int(server.getsockname()[1])
        super().__init__(server)

    def through(self, caller: socket.socket) -> tuple[socket.socket, socket.socket]:
        asked: list[str] = []
        subject = self._as_wizard(asked).wrap_socket(caller, server_side=True)
        plain = socket.create_connection(("127.0.0.1", self._back))
        return subject, self._as_subject().wrap_socket(plain, server_hostname=asked[0])

    def _as_wizard(self, asked: list[str]) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*station_files(*self._wizard))
        # Which of its services the subject's station asks for is the name in its greeting.
        context.sni_callback = lambda _socket, name, _context: asked.append(name)
        return context

    def _as_subject(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.load_cert_chain(*station_files(*self._subject))
        return context
