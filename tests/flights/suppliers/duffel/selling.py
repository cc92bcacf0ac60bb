"""Offer requests and offers: what is searched for, at the price of the moment."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from tests.flights.suppliers.duffel import demands, paths, wire
from tests.flights.suppliers.duffel.office import Office
from tests.flights.suppliers.duffel.wire import Data, Refused, money, stamp
from tests.support.supplier_stub import Answer, Heard, route

LIGHT, CLASSIC, FLEX = "light", "classic", "flex"
FARES = {LIGHT: Decimal("0"), CLASSIC: Decimal("22.5"), FLEX: Decimal("60.15")}
BRANDS = {LIGHT: "Basic", CLASSIC: "Classic", FLEX: "Flex"}
CHECKED = {LIGHT: 0, CLASSIC: 1, FLEX: 2}
PENALTY = Decimal("40.00")
CHANGE_PENALTY = Decimal("25.00")
TAX_PERCENT = 18
GONE_WHEN_READ, GONE_WHEN_ORDERED = ("LGW", "LHR"), ("LHR", "STN")
"""Routes of their test mode, by integrators: gone once read; another price at each read, and gone once ordered."""
AGREED_CODE = "ZZ-ACME"
"""Of the agreement that this airline has, at a fifth off."""
KILOGRAMS = Decimal("94.4")


class Selling(Office):
    @route("POST", paths.OFFER_REQUESTS)
    def search(self, heard: Heard) -> Answer:
        demands.query(heard.query, {"return_offers", "supplier_timeout", "view"})
        demands.one_of(heard.query.get("return_offers", "true"), {"true", "false"}, "return_offers")
        timeout = heard.query.get("supplier_timeout", "20000")
        if not (timeout.isdecimal() and 2_000 <= int(timeout) <= 60_000):
            raise Refused("validation_inclusion", field="supplier_timeout", pointer="/supplier_timeout")
        data = demands.data_of(
            heard.json, {"slices", "passengers", "cabin_class"}, {"max_connections", "private_fares"}
        )
        demands.search(data)
        travellers = [self._traveller(one) for one in data["passengers"]]
        request_id = self._id("orq")
        kinds = [] if self.sold_out else self._kinds(data)
        answer = {
            "id": request_id,
            "live_mode": False,
            "created_at": stamp(datetime.now(UTC)),
            "cabin_class": data["cabin_class"],
            "passengers": [{name: one.get(name) for name in ("id", "type", "age")} for one in travellers],
            "slices": [
                {**one, "origin": wire.place(one["origin"]), "destination": wire.place(one["destination"])}
                for one in data["slices"]
            ],
            "offers": [
                self._offer(request_id, data, travellers, *made)
                for made in kinds
                if all(_within(one, made[0]) for one in data["slices"])
            ],
        }
        return 201, {"data": answer}

    def _traveller(self, asked: Data) -> Data:
        """An age comes back with the type that the airline makes of it."""
        age = asked.get("age")
        kind = "adult" if age is None else demands.fare_type(age)
        return {
            "id": self._id("pas"),
            "type": kind,
            "age": age,
            "fare_type": None,
            "loyalty_programme_accounts": [],
        }

    def _kinds(self, data: Data) -> list[tuple[int, int, str]]:
        """Departure hour, stops and fare, the most expensive first: the caller sorts."""
        times = [(7, 0), (12, 0), (17, 0)] + ([(9, 1)] if data.get("max_connections", 1) else [])
        return [(hour, stops, fare) for fare in (FLEX, CLASSIC, LIGHT) for hour, stops in times]

    def _offer(
        self, request_id: str, data: Data, travellers: list[Data], hour: int, stops: int, fare: str
    ) -> Data:
        base = (
            (Decimal("97.30") + hour * 3 - stops * 31 + FARES[fare]) * len(travellers) * len(data["slices"])
        )
        agreed = [
            {"type": "corporate", "corporate_code": AGREED_CODE}
            for agreement in data.get("private_fares", {}).get(wire.CARRIER["iata_code"], [])
            if agreement.get("corporate_code") == AGREED_CODE
        ]
        if agreed:
            base *= Decimal("0.8")
        now = datetime.now(UTC)
        offer_id = self._id("off")
        seats = [wire.seat(one, checked=CHECKED[fare]) for one in travellers]
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
            "supported_passenger_identity_document_types": ["passport", "passenger_redress_number"],
            "supported_loyalty_programmes": ["ZZ", "BA"],
            "private_fares": agreed,
            "total_emissions_kg": str(KILOGRAMS * len(travellers) * len(data["slices"])),
            "passengers": travellers,
            "slices": [
                self._under_new_ids(
                    {
                        **wire.leg(
                            wire.airport_in(one["origin"]),
                            wire.airport_in(one["destination"]),
                            one["departure_date"],
                            hour=hour,
                            stops=stops,
                            cabin=data["cabin_class"],
                            seats=seats,
                            brand=BRANDS[fare],
                        ),
                        **wire.ends(one["origin"], one["destination"]),
                        "conditions": {
                            **self._conditions(fare, self.currency),
                            "advance_seat_selection": fare != LIGHT,
                            "priority_boarding": fare == FLEX,
                            "priority_check_in": None,
                        },
                    }
                )
                for one in data["slices"]
            ],
        }
        return self._offer_now(self.offers[offer_id])

    def _under_new_ids(self, part: Data) -> Data:
        segments = [{**flight, "id": self._id("seg")} for flight in part["segments"]]
        return {**part, "id": self._id("sli"), "segments": segments}

    def _offer_now(self, offer: Data) -> Data:
        """As it stands at the price of this moment."""
        total = self._total_of(offer)
        tax = (total * TAX_PERCENT / 100).quantize(Decimal("0.01"))
        hidden = ("request", "base", "fare", "currency", "expires")
        shown = {name: value for name, value in offer.items() if name not in hidden}
        return {
            **shown,
            "total_amount": money(total),
            "total_currency": offer["currency"],
            "base_amount": money(total - tax),
            "base_currency": offer["currency"],
            "tax_amount": money(tax),
            "tax_currency": offer["currency"],
            "updated_at": stamp(datetime.now(UTC)),
            "conditions": self._conditions(offer["fare"], offer["currency"]),
            "payment_requirements": self._payment_requirements(offer),
        }

    def _payment_requirements(self, offer: Data) -> Data:
        """All offers from JFK to Newark can be held. Theirs of ZZ are guaranteed until a day before they are to be paid."""
        ends = [offer["slices"][0][name]["iata_code"] for name in ("origin", "destination")]
        holds = self.holds or ends == ["JFK", "EWR"]
        made = datetime.fromisoformat(offer["created_at"])
        pay_by = made + timedelta(hours=self.hold_hours)
        guaranteed = stamp(pay_by - timedelta(days=1)) if self.guarantees else None
        return {
            "requires_instant_payment": not holds,
            "payment_required_by": stamp(pay_by) if holds else None,
            "price_guarantee_expires_at": guaranteed if holds else None,
        }

    def _total_of(self, offer: Data) -> Decimal:
        """In cents."""
        return Decimal(money(offer["base"] * self.percent / 100))

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
        """The one call whose answer lists the services that could be bought beside."""
        demands.query(heard.query, {"return_available_services"})
        offer = self._standing_offer(offer_id)
        if route_of(offer) == GONE_WHEN_READ:
            raise Refused("offer_no_longer_available")
        if route_of(offer) == GONE_WHEN_ORDERED:
            offer["base"] *= Decimal("1.1")
        if heard.query.get("return_available_services") != "true":
            return 200, {"data": {**self._offer_now(offer), "available_services": []}}
        return 200, {"data": {**self._offer_now(offer), "available_services": self._services_of(offer)}}

    def _services_of(self, offer: Data) -> list[Data]:
        """Nothing beside the fare, unless the airline sells extras."""
        return []

    def _standing_offer(self, offer_id: str) -> Data:
        if offer_id not in self.offers:
            raise Refused("not_found")
        offer = self.offers[offer_id]
        if offer["expires"] <= datetime.now(UTC):
            raise Refused("offer_expired")
        if self.sold_out:
            raise Refused("offer_no_longer_available")
        return offer


def route_of(offer: Data) -> tuple[str, str]:
    """Of the first slice."""
    first = offer["slices"][0]
    return first["origin"]["iata_code"], first["destination"]["iata_code"]


def _within(asked: Data, hour: int) -> bool:
    """All its flights leave at a quarter past."""
    window = asked.get("departure_time", {"from": "00:00", "to": "23:59"})
    return bool(window["from"] <= f"{hour:02}:15" <= window["to"])
