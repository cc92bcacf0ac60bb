"""Offer requests and offers: what is searched for, at the price of the moment."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from tests.flights.suppliers.duffel import demands, paths, wire
from tests.flights.suppliers.duffel.office import Office
from tests.flights.suppliers.duffel.wire import Data, Refused, money, stamp
from tests.support.supplier_stub import Answer, Heard, route

LIGHT, CLASSIC, FLEX = "light", "classic", "flex"
FARES = {LIGHT: Decimal("0"), CLASSIC: Decimal("22.5"), FLEX: Decimal("60.15")}
PENALTY = Decimal("40.00")
CHANGE_PENALTY = Decimal("25.00")


class Selling(Office):
    @route("POST", paths.OFFER_REQUESTS)
    def search(self, heard: Heard) -> Answer:
        data = demands.data_of(heard.json, {"slices", "passengers", "cabin_class"}, {"max_connections"})
        if (
            heard.query.get("return_offers") != "true"
            or not 2_000 <= int(heard.query["supplier_timeout"]) <= 60_000
        ):
            raise Refused("invalid_query_param")
        for one in data["slices"]:
            demands.leg(one)
        travellers = [
            {"id": self._id("pas"), "type": one.get("type"), **({"age": one["age"]} if "age" in one else {})}
            for one in data["passengers"]
        ]
        request_id = self._id("orq")
        offers = (
            []
            if self.sold_out
            else [self._offer(request_id, data, travellers, *made) for made in self._kinds(data)]
        )
        answer = {"id": request_id, "live_mode": False, "passengers": travellers, "offers": offers}
        return 201, {
            "data": {**answer, "created_at": stamp(datetime.now(UTC)), "cabin_class": data["cabin_class"]}
        }

    def _kinds(self, data: Data) -> list[tuple[int, int, str]]:
        """Departure hour, stops and fare, dearest first: sorting is the caller's affair."""
        times = [(7, 0), (12, 0), (17, 0)] + ([(9, 1)] if data.get("max_connections", 1) else [])
        return [(hour, stops, fare) for fare in (FLEX, CLASSIC, LIGHT) for hour, stops in times]

    def _offer(
        self, request_id: str, data: Data, travellers: list[Data], hour: int, stops: int, fare: str
    ) -> Data:
        base = (
            (Decimal("97.30") + hour * 3 - stops * 31 + FARES[fare]) * len(travellers) * len(data["slices"])
        )
        now = datetime.now(UTC)
        offer_id = self._id("off")
        self.offers[offer_id] = {
            "id": offer_id,
            "live_mode": False,
            "request": request_id,
            "base": base,
            "fare": fare,
            "currency": self.currency,
            "expires": now + timedelta(minutes=self.offer_minutes),
            "created_at": stamp(now),
            "expires_at": stamp(now + timedelta(minutes=self.offer_minutes)),
            "owner": wire.CARRIER,
            "partial": False,
            "passenger_identity_documents_required": hour == 17 and fare == LIGHT,
            "passengers": travellers,
            "slices": [
                {
                    "id": self._id("sli"),
                    **wire.leg(
                        one["origin"],
                        one["destination"],
                        one["departure_date"],
                        hour=hour,
                        stops=stops,
                        cabin=data["cabin_class"],
                    ),
                }
                for one in data["slices"]
            ],
        }
        return self._offer_now(self.offers[offer_id])

    def _offer_now(self, offer: Data) -> Data:
        """As it stands at the price of this moment."""
        total = money(offer["base"] * self.percent / 100)
        hidden = ("request", "base", "fare", "currency", "expires")
        shown = {name: value for name, value in offer.items() if name not in hidden}
        return {
            **shown,
            "total_amount": total,
            "total_currency": offer["currency"],
            "base_amount": total,
            "base_currency": offer["currency"],
            "tax_amount": None,
            "tax_currency": None,
            "updated_at": stamp(datetime.now(UTC)),
            "conditions": self._conditions(offer["fare"], offer["currency"]),
            "payment_requirements": {"requires_instant_payment": True, "payment_required_by": None},
        }

    def _conditions(self, fare: str, currency: str) -> Data:
        def rule(allowed: bool, penalty: Decimal) -> Data:
            return {
                "allowed": allowed,
                "penalty_amount": money(penalty) if allowed else None,
                "penalty_currency": currency if allowed else None,
            }

        return {
            "refund_before_departure": rule(fare == FLEX, PENALTY),
            "change_before_departure": rule(fare != LIGHT, CHANGE_PENALTY),
        }

    @route("GET", paths.OFFERS)
    def read_offer(self, heard: Heard, offer_id: str) -> Answer:
        return 200, {"data": self._offer_now(self._standing_offer(offer_id))}

    def _standing_offer(self, offer_id: str) -> Data:
        if offer_id not in self.offers:
            raise Refused("not_found")
        offer = self.offers[offer_id]
        if self.sold_out or offer["expires"] <= datetime.now(UTC):
            raise Refused("offer_no_longer_available")
        return offer
