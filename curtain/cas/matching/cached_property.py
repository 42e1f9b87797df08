"""A property that is worked out once. The standard library's takes a lock each time it is first asked (3.11)."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from functools import cached_property as once
else:

    class once:
        """Works a value out when it is first asked for and keeps it in the object."""

        def __init__(self, make):
            self._make = make
            self.__doc__ = make.__doc__

        def __set_name__(self, owner, name):
            self._name = name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self._make(instance)
            return value


__all__ = ["once"]
