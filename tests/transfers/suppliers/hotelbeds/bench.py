"""Hotelbeds as the kit attacks it."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from apps.transfers.suppliers.hotelbeds.client import signature
from tests.suppliers.kit.bench import Bench
from tests.suppliers.kit.damage import Damage, instead
from tests.support.supplier_stub import Heard
from tests.transfers.suppliers.hotelbeds.live import forget_pause
from tests.transfers.suppliers.hotelbeds.stub import KEY, SECRET, HotelbedsStub, error_body

BOOKING = "/bookings/*/reference/*"


class HotelbedsBench(Bench):
    product, vendor, word = "transfers", "hotelbeds", "transfer"
    steps = {
        "search": "GET /availability/**",
        "book": "POST /bookings",
        "find": "GET /bookings/*",
        "read": f"GET {BOOKING}",
        "quote": f"DELETE {BOOKING}?simulation=true",
        "cancel": f"DELETE {BOOKING}",
    }
    stub: HotelbedsStub

    def credentials(self) -> dict[str, Any]:
        return {"key": KEY, "secret": SECRET, "base_url": self.stub.host}

    def our_reference(self, heard: Heard) -> str:
        return str(heard.json["clientReference"])

    def their_reference(self, step: str, heard: Heard, answer: Any) -> str:
        return str(answer["bookings"][0]["reference"])

    def cost(self, answer: Any) -> Decimal:
        return Decimal(str(answer["bookings"][0]["totalAmount"]))

    def stands(self, reference: str) -> bool:
        _, answer = self.ask("GET", f"/bookings/en/reference/{reference}")
        return bool(answer["bookings"][0]["status"] != "CANCELLED")

    def move_prices(self, percent: int) -> None:
        self.stub.percent = percent

    def sell_out(self) -> None:
        self.stub.sold_out = True

    def call_off(self, reference: str) -> None:
        self.stub.call_off(reference)

    def refusal(self, meaning: str) -> Damage | None:
        answers: dict[str, tuple[int, Any]] = {
            "gone": (500, error_body("E_CONFIRMATION_INVALIDRATEKEY")),
            "refused": (400, error_body("E_CONFIRMATION_INSUFFICIENTSEATS")),
            "not cancellable": (409, error_body("E_BOOKING_CANCELLATIONERROR")),
            "throttled": (403, {"error": "Developer Over Qps"}),
            "unauthorised": (403, {"error": "Not Authorized"}),
            "quota used up": (403, {"error": "Developer Over Rate"}),
            "unclear": (500, error_body("E_CONFIRMATION_NOTRESPONDING")),
        }
        return instead(*answers[meaning]) if meaning in answers else None

    def ask(self, method: str, path: str, **query: str) -> tuple[int, Any]:
        """A signature of another minute is not taken any more."""
        assert self._credentials is not None
        signed = signature(KEY, SECRET, int(self.stub.now()))
        self._credentials = replace(
            self._credentials, headers={**self._credentials.headers, "x-signature": signed}
        )
        return super().ask(method, path, **query)

    def pass_time(self, seconds: float) -> None:
        self.stub.ahead += seconds

    def prepare(self) -> None:
        forget_pause()

    def forget(self) -> None:
        forget_pause()
