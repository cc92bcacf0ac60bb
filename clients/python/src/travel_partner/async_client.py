"""The client whose calls are awaited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import httpx

from travel_partner.async_resources import AllOperations
from travel_partner.calls import Call
from travel_partner.response import Response
from travel_partner.retries import FAILURES, PATIENT, REAL_TIME, Clock, Retries
from travel_partner.settings import Settings

T = TypeVar("T")


class AsyncTravelPartner(AllOperations):
    """As TravelPartner, for asyncio and trio. Tasks may share it."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        retries: Retries = PATIENT,
        http: httpx.AsyncClient | None = None,
        clock: Clock = REAL_TIME,
    ) -> None:
        self._settings = Settings(api_key, base_url, retries, clock)
        self._http = http or httpx.AsyncClient()
        self._owns_http = http is None
        super().__init__(self._perform)

    async def _perform(self, call: Call[T], /) -> T:
        attempts = self._settings.attempts(call)
        while True:
            try:
                async with self._http.stream(**self._settings.sent(attempts)) as answer:
                    async for piece in answer.aiter_bytes():
                        attempts.take(piece)
                    return attempts.read(answer)
            except FAILURES as failure:  # noqa: PERF203 - each attempt may fail
                await self._settings.clock.asleep(attempts.wait_after(failure))
            finally:
                self._settings.remember(attempts)

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        """Any call, also of what this version does not know yet: `await client.request("GET", "/v1/account")`."""
        key, seconds = idempotency_key, timeout
        return await self._perform(
            Call(method, path, object, query or {}, body, idempotency_key=key, timeout=seconds)
        )

    @property
    def last_response(self) -> Response:
        """The answer to the last call of this task: its request id, limits and headers.

        Raises LookupError if there was none.
        """
        return self._settings.last_response

    async def close(self) -> None:
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> AsyncTravelPartner:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncTravelPartner({self._settings.base_url!r})"
