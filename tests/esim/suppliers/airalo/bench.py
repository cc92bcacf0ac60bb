"""Airalo as the kit attacks it."""

from decimal import Decimal
from typing import Any

from apps.common import clock
from apps.suppliers.models import ExchangeRate
from apps.suppliers.rates import forget_rates
from tests.esim.suppliers.airalo.connected import credentials
from tests.esim.suppliers.airalo.stub import AiraloStub, signed
from tests.suppliers.kit.bench import Bench, Carried
from tests.suppliers.kit.damage import Damage, instead
from tests.support.supplier_stub import Heard

CODES = {"gone": 34, "refused": 33, "credit used up": 11, "unclear": 53}


class AiraloBench(Bench):
    """In dollars, of which a euro buys 1.25."""

    product, vendor, word = "esim", "airalo", "esim"
    steps = {
        "token": "POST /token",
        "search": "GET /packages",
        "book": "POST /orders",
        "top_up": "POST /orders/topups",
        "top_ups": "GET /sims/*/topups",
        "instructions": "GET /sims/*/instructions",
        "find": "GET /orders",
        "read": "GET /orders/*",
        "usage": "GET /sims/*/usage",
        "refund": "POST /refund",
    }
    stub: AiraloStub

    def credentials(self) -> dict[str, Any]:
        return credentials(self.stub)

    def our_reference(self, heard: Heard) -> str:
        """A top-up is sent as a form."""
        as_form = "form" in heard.headers.get("content-type", "")
        return str((heard.form if as_form else heard.json)["description"])

    def their_reference(self, step: str, heard: Heard, answer: Any) -> str:
        return str(answer["data"]["id"])

    def cost(self, answer: Any) -> Decimal:
        return Decimal(str(answer["data"]["net_price"])) * Decimal("0.8")

    def stands(self, reference: str) -> bool:
        _, answer = self.ask("GET", f"/orders/{reference}", include="sims,status")
        return bool(answer["data"]["status"]["slug"] == "completed")

    def move_prices(self, percent: int) -> None:
        self.stub.percent = percent

    def sell_out(self) -> None:
        self.stub.sold_out = True

    def call_off(self, reference: str) -> None:
        (order,) = [one for one in self.stub.books.orders if str(one["id"]) == reference]
        self.stub.refund(order["description"])

    def refusal(self, meaning: str) -> Damage | None:
        if meaning == "throttled":
            return instead(429, {"meta": {"message": "Too Many Attempts."}})
        if meaning == "unauthorised":
            return instead(*self.stub.unauthorised())
        if meaning not in CODES:
            return None
        return instead(422, {"code": CODES[meaning], "reason": "stub: refused"})

    def webhook(self, made: Carried) -> tuple[bytes, dict[str, str]]:
        iccid = made.answer["data"]["sims"][0]["iccid"]
        return signed({"iccid": iccid, "remaining_percentage": 20, "level": "80%"})

    def prepare(self) -> None:
        ExchangeRate.objects.create(base="USD", quote="EUR", rate="0.8", as_of=clock.today())
        forget_rates()
