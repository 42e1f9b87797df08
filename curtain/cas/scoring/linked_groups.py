"""Names that hang together by links, such as the turns of a dialogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def linked(links: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The names of `links` in groups of which none has a link to another; all is in the order of `links`."""
    heads: dict[str, str] = {}

    def head(name: str) -> str:
        while heads.setdefault(name, name) != name:
            name = heads[name]
        return name

    for name, others in links.items():
        for other in others:
            heads[head(name)] = head(other)
    groups: dict[str, list[str]] = {}
    for name in links:
        groups.setdefault(head(name), []).append(name)
    return list(groups.values())
