"""What all of the stand-in's doors share: who may enter, what was ordered of it, and what it remembers."""

import itertools
from datetime import UTC, datetime, timedelta

from tests.flights.suppliers.duffel import wire
from tests.flights.suppliers.duffel.wire import Data, Refused
from tests.support.supplier_stub import Answer, Heard, SupplierStub

TOKEN = "duffel_test_stub-token"
REQUESTS_A_MINUTE = 60


class Office(SupplierStub):
    def __init__(self, *, port: int = 0) -> None:
        super().__init__(port=port)
        self.currency = "EUR"
        self.holds = False  # whether more can be held than what always can
        self.hold_hours = 72
        self.guarantees = True  # the price of what is held, until a day before its end
        self.seconds_ahead = 0  # of the machine's clock: how orders on hold lapse
        self.percent = 100
        self.sold_out = False
        self.offer_minutes = 25
        self.order_status = 201
        self.creation_fails = False
        self.unseen = 0  # how many look-ups find nothing, whatever was booked
        self.refund_to = "balance"
        self.refund_known = True
        self.quote_lasts = timedelta(hours=1)
        self.credited = 100  # percent of a refund into airline credits; the rest is money
        self.codes_later = False
        self.cancellation_told = True  # orders of 2021 that were cancelled bear no `cancellation`
        self.throttled = 0  # how many requests are too many
        self.offers: dict[str, Data] = {}
        self.orders: dict[str, Data] = {}
        self.change_offers: dict[str, Data] = {}
        self.changes: dict[str, Data] = {}
        self.cancellations: dict[str, Data] = {}
        self.credits: dict[str, Data] = {}
        self._numbers = itertools.count(1)

    def authorised(self, heard: Heard) -> bool:
        return heard.headers.get("authorization") == f"Bearer {TOKEN}"

    def unauthorised(self) -> Answer:
        return wire.refusal_of("access_token_not_found")

    def unknown(self) -> Answer:
        return wire.refusal_of("not_found")

    def _answer(self, heard: Heard) -> Answer:
        try:
            self._refuse_headers(heard)
            self._refuse_too_many()
            status, body, *_ = super()._answer(heard)
        except Refused as refused:
            status, body = refused.answer
        return status, body, self._headers(status)

    def _headers(self, status: int) -> dict[str, str]:
        """Of every answer. When to come again is an HTTP date, and `Retry-After` they do not send."""
        now = datetime.now(UTC)
        return {
            "x-request-id": f"stub-req-{len(self.heard)}",
            "ratelimit-limit": str(REQUESTS_A_MINUTE),
            "ratelimit-remaining": "0" if status == 429 else str(REQUESTS_A_MINUTE - 1),
            "ratelimit-reset": wire.http_date(now + timedelta(seconds=2)),
        }

    def _refuse_headers(self, heard: Heard) -> None:
        told = heard.headers
        if "authorization" not in told:
            raise Refused("missing_authorization_header")
        if not told["authorization"].startswith("Bearer "):
            raise Refused("invalid_authorization_header")
        if "duffel-version" not in told:
            raise Refused("missing_version_header")
        if told["duffel-version"] != "v2":
            raise Refused(
                "unsupported_version" if told["duffel-version"] == "v1" else "invalid_version_header"
            )
        if told.get("accept") != "application/json":
            raise Refused("unsupported_format")
        if heard.method == "POST" and "content-type" not in told:
            raise Refused("missing_content_type_header")
        if heard.method == "POST" and told["content-type"] != "application/json":
            raise Refused("invalid_content_type_header")

    def _refuse_too_many(self) -> None:
        if self.throttled:
            self.throttled -= 1
            raise Refused("rate_limit_exceeded")

    def _known(self, objects: dict[str, Data], object_id: str) -> Data:
        if object_id not in objects:
            raise Refused("not_found")
        return objects[object_id]

    def _id(self, prefix: str) -> str:
        return f"{prefix}_0000Stub{next(self._numbers):08}"
