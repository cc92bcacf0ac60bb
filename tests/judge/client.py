"""The judge as the service reaches it: adapters that send every call of a simulator to the judge's process.

`POST {url}/{product}/{method}`, arguments by name. A call ends as a real vendor's client must end it: what certainly did not
leave us is Unavailable, a write whose answer did not arrive (or cannot be read) is OutcomeUnknown.
"""

import inspect
import json
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import urllib3
from django.conf import settings
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError

from apps.suppliers.errors import OutcomeUnknown, SupplierError, Unavailable
from apps.suppliers.registry import SIMULATOR
from apps.suppliers.results import Found
from apps.suppliers.values import from_json, to_json
from apps.suppliers.vendors import Vendor, vendors_of
from tests.judge.bench import PROMISES
from tests.judge.wire import error_from_json

CONNECT_SECONDS = 5.0
WRITES = {
    *("book", "change", "pay", "add_services", "accept_change", "cancel", "order", "top_up"),
    "ask_correction",
}
NEEDLESS: dict[str, Callable[..., Any]] = {
    "objections": lambda passengers: [],
    "prepare_change": lambda supplier_reference, option: option,
    "refuse_lacking": lambda request: None,
    "standing": lambda first, last: {},
    "learn": lambda: 0,
}
"""What the simulators do not need is no call."""
_connections = urllib3.PoolManager(retries=False)


class RemoteSimulator:
    """The simulator of a product in a process of its own, behind the promise of that product's suppliers."""

    name = SIMULATOR
    usage_every = timedelta(0)

    def __init__(self, url: str, product: str) -> None:
        self._url = f"{url.rstrip('/')}/{product}"
        self._promise = PROMISES[product]

    def __getattr__(self, method: str) -> Any:
        if method.startswith("_"):
            raise AttributeError(method)
        return NEEDLESS.get(method) or partial(self._ask, method, getattr(self._promise, method))

    def _ask(self, method: str, promised: Callable[..., Any], *args: Any, **named: Any) -> Any:
        arguments = inspect.signature(promised).bind(self, *args, **named).arguments
        arguments.pop("self")
        unanswered = OutcomeUnknown if method in WRITES else Unavailable
        return _decoded(
            get_type_hints(promised)["return"], self._send(method, arguments, unanswered), unanswered
        )

    def _send(self, method: str, arguments: dict[str, Any], unanswered: type[SupplierError]) -> Any:
        try:
            response = _connections.request(
                "POST",
                f"{self._url}/{method}",
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


def _decoded(promised: Any, data: object, unanswered: type[SupplierError]) -> Any:
    try:
        if get_origin(promised) is Found:
            return Found(from_json(list[get_args(promised)[0]], data))  # type: ignore[misc]
        if data is None and promised is NoneType:
            return None
        if data is None and NoneType not in get_args(promised):
            raise ValueError("no result")
        return from_json(promised, data)
    except ValueError as error:
        raise unanswered("unreadable answer") from error


def use_judge(url: str, put: Callable[[Any, str, Vendor[Any]], None] = dict.__setitem__) -> None:
    """From now on the simulators of this process are the judge's; `put` may be a monkeypatch's `setitem`."""
    for product in PROMISES:
        vendor = Vendor(SIMULATOR, partial(RemoteSimulator, url, product))
        put(vendors_of(product), SIMULATOR, vendor)
