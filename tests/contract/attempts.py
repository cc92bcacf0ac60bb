"""Requests with faults planted in them, one for each step that can refuse: the material of `test_order_of_checks`."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import Model
from django.test import Client, override_settings

from apps.accounts.models import Account
from apps.common import clock
from apps.common.ids import new_id
from apps.gateway.idempotency import fingerprint
from apps.gateway.operations import ANY_SCOPE
from apps.keys import secrets
from apps.keys.models import ApiKey, KeySecret
from tests.factories.accounts import AccountFactory
from tests.factories.gateway import IdempotencyRecordFactory
from tests.factories.keys import NAME, unsaved_key, unsaved_secret
from tests.support.api import Api
from tests.support.operations import Operation

VALID_SEARCHES: dict[str, dict[str, Any]] = {
    "searchFlights": {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"},
    "searchHotels": {},
    "searchHotelMinRates": {"hotelIds": ["htl_2267057_00"], "from": "2027-02-10", "to": "2027-02-12"},
    "searchTransfers": {
        "from": {"type": "IATA", "code": "BCN"},
        "to": {
            "type": "GEO",
            "latitude": 41.39,
            "longitude": 2.17,
            "address": "Rambla 1",
            "town": "Barcelona",
        },
        "outbound": "2027-02-10T14:30:00",
        "adults": 2,
    },
}


@dataclass
class Attempt:
    """One request to an operation by a partner of its own, in order until a fault is planted.

    The partner's rows are written as the request is sent.
    """

    operation: Operation
    key: str = field(default_factory=lambda: new_id("idem"))
    settings: dict[str, Any] = field(default_factory=dict)
    records: list[dict[str, Any]] = field(default_factory=list)
    raw: bytes | None = None
    padding: int = 0

    def __post_init__(self) -> None:
        self.method, self.path = self.operation.method, self.operation.url
        self.body = dict(VALID_SEARCHES.get(self.operation.route.id, {}))
        self.account: Account = AccountFactory.build()
        self.api_key = unsaved_key(self.account, "test", name=NAME, scopes=[self.operation.a_scope])
        self.api = Api(secrets.make("test"))
        self.secret_row = unsaved_secret(self.api_key, self.api.secret)
        self.headers = {"Authorization": f"Bearer {self.api.secret}", "Content-Type": "application/json"}
        if self.method == "POST":
            self.headers["Idempotency-Key"] = self.key

    def change_key(self, **columns: object) -> None:
        change(self.api_key, columns)

    def change_account(self, **columns: object) -> None:
        change(self.account, columns)

    def store(self) -> None:
        Account.objects.bulk_create([self.account])
        ApiKey.objects.bulk_create([self.api_key])
        KeySecret.objects.bulk_create([self.secret_row])

    def send(self) -> Any:
        """The response. The key was never used before, so nothing of it is cached."""
        self.store()
        body = json.dumps(self.body).encode() if self.method != "GET" else b""
        for columns in self.records:
            print_ = columns.get("fingerprint") or fingerprint(self.method, self.path, self.body)
            IdempotencyRecordFactory(account=self.account, key=self.key, **{**columns, "fingerprint": print_})
        headers = dict(self.headers)
        with override_settings(**self.settings):
            return Client(raise_request_exception=False).generic(
                self.method,
                self.path,
                b" " * self.padding + (self.raw if self.raw is not None else body),
                content_type=headers.pop("Content-Type"),
                headers=headers,
                REMOTE_ADDR=self.api.address,
            )


@dataclass(frozen=True)
class Fault:
    """A reason to refuse, and the refusal. Of two faults in one `slot` a request can have only one."""

    name: str
    step: int
    slot: float
    status: int
    type: str
    plant: Callable[[Attempt], object]
    concerns: Callable[[Operation], bool] = lambda operation: True
    extras: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name

    def status_for(self, operation: Operation) -> int:
        return operation.route.inactive_status if self.type == "account_not_active" else self.status


def change(row: Model, columns: dict[str, object]) -> None:
    for name, value in columns.items():
        setattr(row, row._meta.get_field(name).name, value)


def is_write(operation: Operation) -> bool:
    return operation.method != "GET"


def is_post(operation: Operation) -> bool:
    return operation.method == "POST"


def costs_something(operation: Operation) -> bool:
    return is_write(operation) or operation.route.counts_quota


def needs_a_scope(operation: Operation) -> bool:
    return operation.route.scope != ANY_SCOPE


def takes_body(operation: Operation) -> bool:
    return operation.route.body is not None


def counts_quota(operation: Operation) -> bool:
    return operation.route.counts_quota


def set_header(name: str, value: str | None) -> Callable[[Attempt], object]:
    def plant(attempt: Attempt) -> None:
        attempt.headers.pop(name, None)
        if value is not None:
            attempt.headers[name] = value

    return plant


def set_attribute(name: str, value: object) -> Callable[[Attempt], object]:
    return lambda attempt: setattr(attempt, name, value)


def change_key(**columns: object) -> Callable[[Attempt], object]:
    return lambda attempt: attempt.change_key(**columns)


def change_account(**columns: object) -> Callable[[Attempt], object]:
    return lambda attempt: attempt.change_account(**columns)


def leave_record(**columns: object) -> Callable[[Attempt], object]:
    return lambda attempt: attempt.records.append(columns)


def expire(attempt: Attempt) -> None:
    attempt.secret_row.expires_at = clock.now() - timedelta(seconds=1)


def revoke(attempt: Attempt) -> None:
    attempt.change_key(revoked_at=clock.now())


def spoil_checksum(attempt: Attempt) -> None:
    last = "0" if attempt.api.secret[-1] != "0" else "1"
    attempt.headers["Authorization"] = f"Bearer {attempt.api.secret[:-1]}{last}"


def never_issued(attempt: Attempt) -> None:
    attempt.headers["Authorization"] = f"Bearer {secrets.make('test')}"


def add_unknown_property(attempt: Attempt) -> None:
    attempt.body["noSuchProperty"] = 1


NO_RATE = dict.fromkeys(("rate_search", "rate_booking", "rate_read"), 0)
KEY_MISSING = "idempotency_key_required"

FAULTS = (
    Fault("body over 256 KiB", 2, 2, 413, "payload_too_large", set_attribute("padding", 256 * 1024 + 1)),
    Fault("unknown path", 3, 3, 404, "not_found", set_attribute("path", "/v1/no/such/path")),
    Fault("no key", 4, 4, 401, "authentication_required", set_header("Authorization", None)),
    Fault("not bearer", 4, 4, 401, "authentication_required", set_header("Authorization", "Basic YTpi")),
    Fault("junk key", 4, 4, 401, "invalid_api_key", set_header("Authorization", "Bearer junk")),
    Fault("wrong checksum", 4, 4, 401, "invalid_api_key", spoil_checksum),
    Fault("key never issued", 4, 4, 401, "invalid_api_key", never_issued),
    Fault("revoked key", 4, 4, 401, "api_key_revoked", revoke),
    Fault("expired secret", 4, 4, 401, "api_key_expired", expire),
    Fault(
        "wrong environment",
        5,
        5,
        401,
        "wrong_environment",
        lambda attempt: attempt.settings.update(GATEWAY_ENVIRONMENT="live"),
        extras=("gatewayEnvironment", "keyEnvironment"),
    ),
    Fault("wrong address", 6, 6, 403, "ip_not_allowed", change_key(allowed_ips=["198.51.100.7"])),
    Fault("wrong method", 7, 7, 405, "method_not_allowed", set_attribute("method", "PUT")),
    Fault("suspended", 8, 8, 403, "account_not_active", change_account(status="suspended")),
    Fault("read-only", 8, 8, 403, "account_not_active", change_account(status="read-only"), costs_something),
    Fault(
        "missing scope",
        9,
        9,
        403,
        "insufficient_scope",
        change_key(scopes=["bookings:read"]),
        needs_a_scope,
        extras=("missingScope",),
    ),
    Fault(
        "over the limit",
        10,
        10,
        429,
        "rate_limit_exceeded",
        change_account(**NO_RATE),
        extras=("retryAfter",),
    ),
    Fault(
        "wrong type",
        11,
        11,
        415,
        "unsupported_media_type",
        set_header("Content-Type", "text/plain"),
        is_write,
    ),
    Fault(
        "malformed JSON",
        11,
        11.5,
        400,
        "invalid_request",
        set_attribute("raw", b'{"a":'),
        is_write,
        ("details",),
    ),
    Fault("no Idempotency-Key", 12, 12, 400, KEY_MISSING, set_header("Idempotency-Key", None), is_post),
    Fault(
        "short Idempotency-Key", 12, 12, 400, KEY_MISSING, set_header("Idempotency-Key", "1234567"), is_post
    ),
    Fault(
        "unknown trigger",
        13,
        13,
        400,
        "invalid_request",
        set_header("X-Partner-Customer-Ref", "sbx_nonsense"),
        extras=("details",),
    ),
    Fault("key reused", 14, 14, 409, "idempotency_key_reuse", leave_record(fingerprint="other"), is_post),
    Fault("key in progress", 14, 14, 409, "idempotency_key_in_progress", leave_record(), is_post),
    Fault("unknown property", 15, 15, 400, "invalid_request", add_unknown_property, takes_body, ("details",)),
    Fault("no quota left", 16, 16, 429, "rate_limit_exceeded", change_account(search_quota=0), counts_quota),
)
