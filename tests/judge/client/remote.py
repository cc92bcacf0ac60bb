"""The client of a simulator in a process of its own: `POST {url}/{product}/{method}`, arguments by name.

It ends every call as a real vendor's client must: what certainly did not leave us is Unavailable, a write
whose answer did not arrive (or cannot be read) is OutcomeUnknown.
"""

import json
from typing import Any, TypeVar

import urllib3
from django.conf import settings
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

from apps.suppliers.errors import OutcomeUnknown, SupplierError, Unavailable
from apps.suppliers.values import from_json, to_json
from tests.judge.wire import error_from_json

T = TypeVar("T")
CONNECT_SECONDS = 5.0
_connections = urllib3.PoolManager(retries=False)


class RemoteSimulator:
    """One product of the simulator at `url`. Every call names the type of its answer."""

    def __init__(self, url: str, product: str) -> None:
        self.url = f"{url.rstrip('/')}/{product}"

    def read(self, answer: type[T], method: str, **arguments: object) -> T:
        """A call that changes nothing."""
        return _decoded(answer, self._call(Unavailable, method, arguments), Unavailable)

    def find(self, answer: type[T], method: str, **arguments: object) -> T | None:
        """A look-up, which may find nothing."""
        found = self._call(Unavailable, method, arguments)
        return None if found is None else _decoded(answer, found, Unavailable)

    def write(self, answer: type[T], method: str, **arguments: object) -> T:
        """A call that books, changes or cancels."""
        return _decoded(answer, self._call(OutcomeUnknown, method, arguments), OutcomeUnknown)

    def _call(self, unanswered: type[SupplierError], method: str, arguments: dict[str, object]) -> Any:
        try:
            response = _connections.request(
                "POST",
                f"{self.url}/{method}",
                json={name: to_json(value) for name, value in arguments.items()},
                # A kept connection may have been closed meanwhile, which would look like a lost answer.
                headers={"Connection": "close"},
                timeout=urllib3.Timeout(connect=CONNECT_SECONDS, read=settings.SUPPLIER_CALL_SECONDS),
            )
        except (NewConnectionError, ConnectTimeoutError) as error:
            raise Unavailable("the simulator cannot be reached") from error
        except HTTPError as error:
            raise unanswered(f"no answer to {method}") from error
        return _result(response.status, response.data, unanswered)


def _result(status: int, body: bytes, unanswered: type[SupplierError]) -> Any:
    """The result in `body`; raises the error that it tells of, `unanswered` when it cannot be read."""
    try:
        answer = json.loads(body)
        if status == 200:
            return answer["result"]
        refusal = error_from_json(answer["error"])
    except (ValueError, KeyError, TypeError) as error:
        raise unanswered(f"unreadable answer, status {status}") from error
    raise refusal


def _decoded(answer: type[T], data: object, unanswered: type[SupplierError]) -> T:
    try:
        return from_json(answer, data)
    except ValueError as error:
        raise unanswered("unreadable answer") from error
