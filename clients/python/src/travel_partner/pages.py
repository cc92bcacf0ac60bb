"""Lists of many pages as one."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Page(Protocol[T_co]):
    """A page that names the next one."""

    @property
    def data(self) -> Sequence[T_co]: ...
    @property
    def next_cursor(self) -> str | None: ...


def by_cursor(read: Callable[[str | None], Page[T]]) -> Iterator[T]:
    cursor = None
    while True:
        page = read(cursor)
        yield from page.data
        cursor = page.next_cursor
        if cursor is None:
            return


async def aby_cursor(read: Callable[[str | None], Awaitable[Page[T]]]) -> AsyncIterator[T]:
    cursor = None
    while True:
        page = await read(cursor)
        for item in page.data:
            yield item
        cursor = page.next_cursor
        if cursor is None:
            return
