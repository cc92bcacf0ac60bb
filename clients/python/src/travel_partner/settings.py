"""What both clients are made of."""

from __future__ import annotations

import os
import re
from contextvars import ContextVar
from typing import Any, TypeVar

from travel_partner._version import __version__
from travel_partner.calls import Call
from travel_partner.key import ApiKey
from travel_partner.response import Response
from travel_partner.retries import Attempts, Clock, Retries

T = TypeVar("T")
USER_AGENT = f"travel-partner-python/{__version__}"

_last: ContextVar[tuple[object, Response | None]] = ContextVar("travel_partner_last", default=(None, None))


class Settings:
    """The key and the address, which may come from the environment, and the retries."""

    def __init__(self, api_key: str | None, base_url: str | None, retries: Retries, clock: Clock) -> None:
        self.key = ApiKey(_known(api_key, "api_key", "TRAVEL_PARTNER_API_KEY"))
        address = _known(base_url, "base_url", "TRAVEL_PARTNER_BASE_URL").strip()
        if not re.match(r"https?://[^/]", address, re.IGNORECASE):
            raise ValueError("base_url must start with https:// and a host.")
        self.base_url = re.sub(r"(?<![:/])/+(v1/*)?$", "", address)
        self.clock = clock
        self._retries = retries

    def attempts(self, call: Call[T]) -> Attempts[T]:
        return Attempts(call, self.base_url, self._retries, self.clock)

    def sent(self, attempts: Attempts[Any]) -> dict[str, Any]:
        """The arguments of httpx for the next attempt."""
        request = attempts.begin()
        request["headers"] = {**request["headers"], "User-Agent": USER_AGENT}
        return {**request, "auth": self.key, "follow_redirects": False}

    def remember(self, attempts: Attempts[Any]) -> None:
        _last.set((self, attempts.response))

    @property
    def last_response(self) -> Response:
        """The answer to the last call of this thread, or of this asynchronous task."""
        owner, response = _last.get()
        if owner is not self or response is None:
            raise LookupError("No call of this client was the last one here, or it was not answered.")
        return response


def _known(value: str | None, name: str, variable: str) -> str:
    found = os.environ.get(variable) if value is None else value
    if not found:
        why = f"Neither {name} nor the environment variable {variable} is given."
        raise ValueError(why if value is None else f"{name} is empty.")
    return found
