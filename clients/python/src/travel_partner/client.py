"""The client that waits for each answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import httpx

from travel_partner.calls import Call
from travel_partner.resources import AllOperations
from travel_partner.response import Response
from travel_partner.retries import FAILURES, PATIENT, REAL_TIME, Clock, Retries
from travel_partner.settings import Settings

T = TypeVar("T")


class TravelPartner(AllOperations):
    """A client of the service: `TravelPartner("svc_test_…", "https://…")`. Threads may share it.

    `api_key` and `base_url` are read from TRAVEL_PARTNER_API_KEY and TRAVEL_PARTNER_BASE_URL where they are not given.
    `http` is for a proxy or for certificates of your own; close it yourself.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        retries: Retries = PATIENT,
        http: httpx.Client | None = None,
        clock: Clock = REAL_TIME,
    ) -> None:
        self._settings = Settings(api_key, base_url, retries, clock)
        self._http = http or httpx.Client()
        self._owns_http = http is None
        super().__init__(self._perform)

    def _perform(self, call: Call[T], /) -> T:
        attempts = self._settings.attempts(call)
        while True:
            try:
                with self._http.stream(**self._settings.sent(attempts)) as answer:
                    for piece in answer.iter_bytes():
                        attempts.take(piece)
                    return attempts.read(answer)
            except FAILURES as failure:  # noqa: PERF203 - each attempt may fail
                self._settings.clock.sleep(attempts.wait_after(failure))
            finally:
                self._settings.remember(attempts)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Mapping[str, object] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Any:
        """Any call, also of what this version does not know yet: `client.request("GET", "/v1/account")`."""
        key, seconds = idempotency_key, timeout
        return self._perform(
            Call(method, path, object, query or {}, body, idempotency_key=key, timeout=seconds)
        )

    @property
    def last_response(self) -> Response:
        """The answer to the last call of this thread: its request id, limits and headers.

        Raises LookupError if there was none.
        """
        return self._settings.last_response

    def close(self) -> None:
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> TravelPartner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"TravelPartner({self._settings.base_url!r})"
