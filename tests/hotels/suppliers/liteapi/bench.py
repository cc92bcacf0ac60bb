"""LiteAPI as the kit attacks it."""

from decimal import Decimal
from typing import Any

from tests.hotels.suppliers.liteapi.stub import BOOKING, SEARCHING, WEBHOOK_TOKEN, LiteApiStub, refused
from tests.suppliers.kit.bench import NAMED, Bench, Carried
from tests.suppliers.kit.damage import Damage, instead
from tests.support.supplier_stub import Heard


class LiteApiBench(Bench):
    product, vendor, word = "hotels", "liteapi", "hotel"
    steps = {
        "search": f"POST {SEARCHING}/hotels/rates",
        "facts": f"GET {SEARCHING}/data/hotel",
        "check": f"POST {BOOKING}/rates/prebook",
        "book": f"POST {BOOKING}/rates/book",
        "standing": f"GET {BOOKING}/bookings/",
        "find": f"GET {BOOKING}/bookings",
        "listed": f"GET {BOOKING}/bookings/",
        "read": f"GET {BOOKING}/bookings/*",
        "change": f"POST {BOOKING}/rates/rebook",
        "alternatives": f"POST {BOOKING}/bookings/*/alternative-prebooks",
        "cancel": f"PUT {BOOKING}/bookings/*",
    }
    named = (*NAMED, "change")
    stub: LiteApiStub

    def credentials(self) -> dict[str, Any]:
        return self.stub.credentials()

    def our_reference(self, heard: Heard) -> str:
        return str(heard.json["clientReference"])

    def their_reference(self, step: str, heard: Heard, answer: Any) -> str:
        return str(answer["data"]["bookingId"])

    def cost(self, answer: Any) -> Decimal:
        return Decimal(str(answer["data"]["price"]))

    def stands(self, reference: str) -> bool:
        _, answer = self.ask("GET", f"{BOOKING}/bookings/{reference}", timeout="30")
        return bool(answer["data"]["status"] == "CONFIRMED")

    def move_prices(self, percent: int) -> None:
        self.stub.books.percent = percent

    def sell_out(self) -> None:
        self.stub.books.sold_out = True

    def call_off(self, reference: str) -> None:
        self.stub.books.call_off(reference, Decimal(0))

    def refusal(self, meaning: str) -> Damage | None:
        codes = {
            "gone": ("check", 4040),
            "refused": ("book", 2013),
            "reference used": ("book", 4005),
            "not cancellable": ("cancel", 304),
        }
        if meaning == "throttled":
            return instead(429, {"error": {"code": 4290, "message": "stub: too many"}})
        if meaning == "unauthorised":
            return instead(401, {"error": {"code": 401, "message": "stub: Unauthorized"}})
        if meaning not in codes:
            return None
        refusal = refused(codes[meaning][1])
        return instead(400, refusal.body)

    def webhook(self, made: Carried) -> tuple[bytes, dict[str, str]]:
        body = self.stub.event("booking.cancel", made.reference, f"evt-{made.reference}")
        return body, {"authorization": WEBHOOK_TOKEN}
