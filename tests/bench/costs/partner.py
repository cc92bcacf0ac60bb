"""A partner with funds, who sends what the measuring asks for, and knows what it spoke of before."""

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import connection

from apps.accounts.models import Account
from tests.support.api import Api
from tests.support.operations import operation_of

TEXT = "x" * 255
NAMES = {"firstName": TEXT, "lastName": TEXT}
LISTED = 100

Body = dict[str, Any]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: bytes = b""


@dataclass(frozen=True)
class Ask:
    """One kind of request to an operation; `make` makes another of the kind each time, and `status` is what it answers."""

    operation: str
    what: str
    make: Callable[[], Request]
    status: int

    def __str__(self) -> str:
        return f"{operation_of(self.operation)}: {self.what}"


@dataclass(frozen=True)
class Partner:
    api: Api
    account: Account

    def request(
        self,
        operation: str,
        body: Body | bytes | None = None,
        *,
        id: str = "",
        also: str = "",
        query: str = "",
    ) -> Request:
        """`also` is the id of what stands below the first in the path."""
        found = operation_of(operation)
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        return Request(
            found.method, found.url_of(id, *([also] if also else [])) + (f"?{query}" if query else ""), raw
        )

    def ask(self, operation: str, what: str, make: Callable[[], Body | bytes | None]) -> Ask:
        """A request with a body of its own each time."""
        return self.sending(operation, what, lambda: self.request(operation, make()))

    def reading(self, operation: str, what: str, *, id: str = "", query: str = "") -> Ask:
        return self.sending(operation, what, lambda: self.request(operation, id=id, query=query))

    def sending(self, operation: str, what: str, make: Callable[[], Request]) -> Ask:
        return Ask(operation, what, make, operation_of(operation).route.status)

    def answer(self, operation: str, body: Body | None = None, *, id: str = "", trigger: str = "") -> Body:
        """What the operation answers now, beside the measuring."""
        request = self.request(operation, body, id=id)
        headers = {"Idempotency-Key": uuid.uuid4().hex} if request.method == "POST" else {}
        if trigger:
            headers["X-Partner-Customer-Ref"] = trigger
        response = self.api.client.generic(
            request.method,
            request.path,
            request.body,
            content_type="application/json",
            headers={"Authorization": f"Bearer {self.api.secret}", **headers},
        )
        if response.status_code >= 300:
            raise RuntimeError(f"{request.method} {request.path} answered {response.content!r}")
        return dict(json.loads(response.content))

    def booked(self, operation: str, body: Body) -> Body:
        """A booking, and a hundred more of its kind, for the listings."""
        made = self.answer(operation, body)
        prefix, letter = made["id"].partition("_")[0], made["reference"][0]
        others = {
            "id": f"'{prefix}_' || lpad(n::text, 26, '0')",
            "reference": f"'{letter}-N' || n",
            "external_reference": "'trip-' || n",
            "created_at": "model.created_at - n * interval '1 second'",
        }
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_name = 'bookings_booking'"
            )
            columns = [str(name) for (name,) in cursor.fetchall()]
            values = ", ".join(others.get(name, f"model.{name}") for name in columns)
            cursor.execute(
                f"INSERT INTO bookings_booking ({', '.join(columns)}) SELECT {values} "
                "FROM bookings_booking model, generate_series(1, %s) n WHERE model.id = %s",
                [LISTED, made["id"]],
            )
        return made


Asks = Iterator[Ask]
