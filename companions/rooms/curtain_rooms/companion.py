"""What rooms bring: seats for several people, and stations on other computers."""

from curtain.ports.companion import Companion

COMPANION = Companion(
    name="rooms",
    about="Several people at one session, and stations on other computers.",
    seats="curtain_rooms.seats:SEATS",
)
