"""The seats of `curtain.ports.seat`. Each part is loaded when it is asked for: most sessions need none."""

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.ports.seat import Desk, DeskSeat, JoinedLink, Seats
from curtain.session.roles import Chair

# Speech at 16 kHz and 16 bits, four times over: what waited during a cut then catches up within a turn.
SLOW_BYTES_PER_S = 4 * 16_000 * 2
_LONG_ROUND_TRIP_MS = 200
_CLOCK_APART_MS = 20


class RoomSeats:
    """As `curtain.ports.seat.Seats`."""

    def check_address(self, address: str) -> None:
        """Raises CurtainError."""
        from curtain_rooms.network.dialler import read_address

        read_address(address)

    def measure(self, address: str) -> str:
        """The figures in one sentence each. Raises CurtainError."""
        from curtain_rooms.network.dialler import read_address
        from curtain_rooms.network.identity import own_station
        from curtain_rooms.network.measuring import measure_network

        host, port = read_address(address)
        figures = measure_network(host, port, *own_station("subject"))
        speed = figures.bytes_per_s * 8 / 1e6
        if figures.bytes_per_s < SLOW_BYTES_PER_S:
            raise CurtainError(f"{speed:.2f} Mbit/s are too few for speech. Use a cable, or a better Wi-Fi.")
        if figures.round_trip_ms > _LONG_ROUND_TRIP_MS:
            raise CurtainError(
                f"A round trip takes {figures.round_trip_ms:.0f} ms; answers feel late. Use a cable, or a better Wi-Fi."
            )
        clock = f"the wizard's clock is {figures.clock_ms:+.0f} ms off (±{figures.clock_bound_ms:.0f} ms)"
        # Times in the bundle are tied to one clock by the link, so this is no problem.
        hint = "; set both by the network" if abs(figures.clock_ms) > _CLOCK_APART_MS + figures.clock_bound_ms else ""
        return f"round trip {figures.round_trip_ms:.1f} ms, {speed:.0f} Mbit/s, {clock}{hint}."

    def join(self, address: str, code: str, who: str, chair: Chair, clock: Clock) -> JoinedLink:
        """Raises CurtainError."""
        from curtain_rooms.chairs.chair_link import joined_link

        return joined_link(address, code, who, chair, clock)

    def seat(self, desk: Desk) -> DeskSeat:
        """That of the host, or of a desk that joined."""
        from curtain_rooms.room_seat import RoomSeat

        return RoomSeat(desk)


SEATS: Seats = RoomSeats()
