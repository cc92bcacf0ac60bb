"""A supplier that tells what a test says of a profile's usage, and the call that reads it."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from apps.esim.suppliers.base import Usage
from apps.suppliers.errors import SupplierError
from tests.esim.shop import Shop
from tests.support.api import Api

VALID_UNTIL = datetime(2026, 12, 1, 10, tzinfo=UTC)


class Meter(Shop):
    """A supplier whose usage a test sets; an error is raised."""

    reading: Usage | SupplierError = Usage("active", 1024, 300, VALID_UNTIL)

    times = 0
    meanwhile: Callable[[], object] | None = None

    def usage(self, supplier_reference: str, iccid: str) -> Usage:
        self.times += 1
        if self.meanwhile is not None:
            act, self.meanwhile = self.meanwhile, None
            act()
        self.asked = (supplier_reference, iccid)
        if isinstance(self.reading, SupplierError):
            raise self.reading
        return self.reading


def usage(api: Api, order: dict[str, Any], **headers: str) -> dict[str, Any]:
    reply = api.get(f"/v1/esim/orders/{order['id']}/usage", **headers)
    assert reply.status == 200, reply.body
    body: dict[str, Any] = reply.body
    return body
