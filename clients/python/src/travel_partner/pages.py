"""Lists of many pages as one."""

from __future__ import annotations

import asyncio
import time
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


class Part(Protocol[T_co]):
    """A part of an endless list."""

    @property
    def data(self) -> Sequence[T_co]: ...
    @property
    def has_more(self) -> bool: ...
    @property
    def next_after(self) -> str: ...


PAUSE_SECONDS = 5.0


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


def following(
    read: Callable[[str | None], Part[T]],
    after: str | None,
    pause: float | None = None,
    until_empty: bool | None = None,
) -> Iterator[T]:
    """Never ends: if there is nothing new, it looks again after `pause` seconds. With `until_empty` it ends there.

    An empty `after` starts at the oldest event.
    """
    while True:
        part = read(after or None)
        yield from part.data
        after = part.next_after
        if not part.has_more:
            if until_empty:
                return
            time.sleep(PAUSE_SECONDS if pause is None else pause)


async def afollowing(
    read: Callable[[str | None], Awaitable[Part[T]]],
    after: str | None,
    pause: float | None = None,
    until_empty: bool | None = None,
) -> AsyncIterator[T]:
    while True:
        part = await read(after or None)
        for item in part.data:
            yield item
        after = part.next_after
        if not part.has_more:
            if until_empty:
                return
            await asyncio.sleep(PAUSE_SECONDS if pause is None else pause)
