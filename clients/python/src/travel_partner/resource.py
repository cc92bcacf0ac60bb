"""The base classes of the resources of both clients."""

from __future__ import annotations

from typing import Protocol, TypeVar

from travel_partner.calls import Call

T = TypeVar("T")


class Resource:
    """Some operations, and the function that sends them."""

    class Send(Protocol):
        def __call__(self, call: Call[T], /) -> T: ...

    def __init__(self, send: Send) -> None:
        self._send = send


class AsyncResource:
    """Some operations, and the function that sends them."""

    class Send(Protocol):
        async def __call__(self, call: Call[T], /) -> T: ...

    def __init__(self, send: Send) -> None:
        self._send = send
