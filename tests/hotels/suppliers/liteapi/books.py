"""What the stub of LiteAPI remembers and decides: offers it showed, prebooks, bookings by their reference, money."""

import secrets
import threading
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from typing import Any

from tests.hotels.suppliers.liteapi import asked
from tests.hotels.suppliers.liteapi.asked import Json, Refusal, demand
from tests.hotels.suppliers.liteapi.described import described, listed
from tests.hotels.suppliers.liteapi.inventory import CENT, INNS, RATES_PLANS, Inn, Offer, rounded

SECONDS_OF_AN_OFFER = 10_800


@dataclass
class Books:
    """One LiteAPI account. `percent` moves every price, of what was shown before, too."""

    percent: int = 100
    sold_out: bool = False
    altered: frozenset[str] = frozenset()
    """What a prebook says has changed: `cancellationChanged`, `boardChanged`."""
    ignores_filters: bool = False
    overcharge: Decimal = Decimal(0)
    """What a booking costs more than its prebook said."""
    fee_percent: int = 0
    """What this way of paying costs on top, told from the prebook on."""
    payment_method: str = "WALLET"
    payment_types: list[str] | None = None
    """How rates are to be paid, from now on; None: by our account."""
    funds: Decimal | None = None
    """What is left in the wallet; None: enough."""
    snake_lists: bool = True
    """How the list by days spells its items; both were seen."""
    inns: tuple[Inn, ...] = INNS
    """Those in its catalogue. What is sold are INNS."""
    touched: dict[str, str] = field(default_factory=dict)
    relisted: dict[str, Json] = field(default_factory=dict)
    redecorated: dict[str, Json] = field(default_factory=dict)
    """What a description says otherwise, by hotel."""
    gone: dict[str, str] = field(default_factory=dict)
    offers: dict[str, Offer] = field(default_factory=dict)
    prebooks: dict[str, tuple[Offer, Decimal]] = field(default_factory=dict)
    outdated: set[str] = field(default_factory=set)
    """Prebooks that can no longer be booked."""
    bookings: dict[str, Json] = field(default_factory=dict)
    booked: dict[str, Offer] = field(default_factory=dict)
    amendments: list[tuple[str, Json]] = field(default_factory=list)
    """Requests for another holder, by booking: nothing reads them, and nothing but `work_on_amendments` follows from them."""
    alternative_to: dict[str, str] = field(default_factory=dict)
    """Prebooks that may only replace this booking."""
    rebooked: set[str] = field(default_factory=set)
    rebooks: bool = True
    queues: bool = False
    """Whether a change waits for their people."""
    keeps_old: bool = False
    """Whether the old booking stands on after a change."""
    calls: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    lock: threading.RLock = field(default_factory=threading.RLock)

    def rates(self, body: Json) -> Json:
        asked.search(body)
        known = {inn.id for inn in INNS}
        demand(
            "hotelIds" not in body or not known.isdisjoint(body["hotelIds"]), "hotel ids not found", code=4000
        )
        if self.sold_out:
            raise Refusal(400, 2001, "no availability found")
        inns = [inn for inn in INNS if _lies(inn, body) and (self.ignores_filters or _fits(inn, body))]
        inns = inns[: body.get("limit", 200)]
        if not inns:
            raise Refusal(204, 0)
        data = [self._found(inn, body) for inn in inns]
        hotels = [inn.described() for inn in inns] if body.get("includeHotelData") else []
        return {"data": data, "hotels": hotels, "guestLevel": 0, "sandbox": True}

    def least(self, body: Json) -> Json:
        asked.least(body)
        known = {inn.id: inn for inn in INNS}
        if self.sold_out or not (inns := [known[one] for one in body["hotelIds"] if one in known]):
            raise Refusal(400, 2001, "no availability found")
        data = []
        for inn in inns:
            offers = [one["offerRetailRate"]["amount"] for one in self._found(inn, body)["roomTypes"]]
            data.append(
                {"hotelId": inn.id, "price": min(offers), "suggestedSellingPrice": 0, "offerId": "OFFER"}
            )
        return {"data": data, "sandbox": True}

    def _found(self, inn: Inn, body: Json) -> Json:
        rooms = tuple((room["adults"], *room.get("children", [])) for room in body["occupancies"])
        stay = date.fromisoformat(body["checkin"]), date.fromisoformat(body["checkout"])
        plans = [
            plan
            for plan in RATES_PLANS
            if (RATES_PLANS[plan][4] == "RFN" or not body.get("refundableRatesOnly"))
            and (self.ignores_filters or RATES_PLANS[plan][1] in body.get("boardType", RATES_PLANS[plan][1]))
        ]
        offers = [Offer(inn, plan, *stay, rooms, body["currency"]) for plan in plans]
        self.offers.update({offer.id: offer for offer in offers})
        room_types = [offer.room_type(self.percent) for offer in offers]
        if self.payment_types:
            room_types = [{**one, "paymentTypes": self.payment_types} for one in room_types]
        if not body.get("roomMapping"):
            for rate in (rate for one in room_types for rate in one["rates"]):
                del rate["mappedRoomId"]
        return {"hotelId": inn.id, "roomTypes": room_types, "et": SECONDS_OF_AN_OFFER}

    def hotel(self, hotel_id: str, language: str = "en") -> Json:
        inn = next((inn for inn in self.inns if inn.id == hotel_id), None)
        if inn is None:
            raise Refusal(404, 404, "hotel not found")
        told = {**described(inn, language), **self.redecorated.get(hotel_id, {})}
        return {"data": told | ({"deletedAt": self.gone[hotel_id]} if hotel_id in self.gone else {})}

    def hotels(self, query: dict[str, str]) -> Json:
        """A page of a country's, by id. Those taken off are only among those that changed: not documented; assumed."""
        since, offset = query.get("lastUpdatedAt", ""), int(query.get("offset", "0"))
        found = [
            {**listed(inn), **self.relisted.get(inn.id, {})}
            | ({"deletedAt": self.gone[inn.id]} if inn.id in self.gone else {})
            for inn in sorted(self.inns, key=lambda inn: inn.id)
            if inn.country == query["countryCode"]
            and self.touched.get(inn.id, "2026-01-01T00:00:00Z") >= since
            and (since or inn.id not in self.gone)
        ]
        page = found[offset : offset + int(query.get("limit", "200"))]
        return {"data": page, "hotelIds": ",".join(one["id"] for one in page), "total": len(found)}

    def touch(self, hotel_id: str, at: datetime, *, gone: bool = False, **fields: Any) -> None:
        """The hotel is listed otherwise from `at` on, or taken off."""
        when = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.touched[hotel_id] = when
        self.relisted.setdefault(hotel_id, {}).update(fields)
        if gone:
            self.gone[hotel_id] = when

    def prebook(self, body: Json) -> Json:
        asked.prebook(body)
        offer = self.offers.get(body["offerId"])
        if offer is None:
            raise Refusal(400, 4002, "invalid offerId")
        if self.sold_out:
            raise Refusal(400, 2001, "no availability found")
        price, shown = offer.total(self.percent), offer.total(100)
        prebook_id = f"PREBOOK-{secrets.token_hex(8)}"
        self.prebooks[prebook_id] = offer, price
        moved = (price - shown) * 100 / shown
        data = {
            "prebookId": prebook_id,
            "offerId": offer.id,
            "hotelId": offer.inn.id,
            "checkin": str(offer.checkin),
            "checkout": str(offer.checkout),
            "currency": offer.currency,
            "price": float(price),
            "commission": 0,
            **self._fee(price),
            "suggestedSellingPrice": offer.least_public(price)["amount"],
            "priceType": "commission",
            "priceDifferencePercent": float(moved.quantize(CENT)),
            "cancellationChanged": "cancellationChanged" in self.altered,
            "boardChanged": "boardChanged" in self.altered,
            "termsAndConditions": "",
            "paymentTypes": self.payment_types or [self.payment_method],
            "roomTypes": [{"rates": offer.rates(self.percent)}],
        }
        return {"data": data, "sandbox": True}

    def book(self, body: Json) -> Json:
        """A prebook may be booked again and again; the reference is what is taken once."""
        reference = str(body.get("clientReference", ""))
        with self.lock:
            self.calls[reference]["book"] += 1
            asked.booking(body)
            if body["prebookId"] not in self.prebooks:
                raise Refusal(400, 4002, "invalid prebookId")
            if body["prebookId"] in self.outdated:
                raise Refusal(400, 4010, "prebook is no longer valid")
            offer, price = self.prebooks[body["prebookId"]]
            rooms = [guest["occupancyNumber"] for guest in body["guests"]]
            demand(
                rooms == list(range(1, len(offer.occupancies) + 1)),
                "request body validation: one lead guest for each occupancy",
            )
            if any(one["clientReference"] == reference for one in self.bookings.values()):
                raise Refusal(400, 4005, "clientReference already used")
            self._pay(body["payment"]["method"], price)
            booking = self._write_down(body, offer, price + self.overcharge)
        return {"data": booking, "sandbox": True}

    def _pay(self, method: str, price: Decimal) -> None:
        if method != self.payment_method:
            raise Refusal(500, 5000, "no payment method for your account")
        if self.funds is not None:
            if self.funds < price:
                raise Refusal(500, 5000, "payment failed")
            self.funds -= price

    def _fee(self, price: Decimal) -> Json:
        return {"processingFee": rounded(price * self.fee_percent / 100)} if self.fee_percent else {}

    def _write_down(self, body: Json, offer: Offer, price: Decimal) -> Json:
        booking_id = f"BK{secrets.token_hex(6)}"
        booking = {
            "bookingId": booking_id,
            "clientReference": body.get("clientReference", ""),
            "supplierBookingId": f"SUP-{booking_id}",
            "supplierBookingName": "stub",
            "status": "CONFIRMED",
            "hotelConfirmationCode": "",
            "checkin": str(offer.checkin),
            "checkout": str(offer.checkout),
            "hotel": {"hotelId": offer.inn.id, "name": offer.inn.name},
            "bookedRooms": [offer.booked_room(place) for place in range(len(offer.occupancies))],
            "holder": body["holder"],
            "guests": body["guests"],
            "price": float(price),
            "commission": 0,
            **self._fee(price),
            "currency": offer.currency,
            "createdAt": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S"),
            "prebookId": body["prebookId"],
            "cancellationPolicies": offer.policy(price),
            "cancelledAt": None,
            "amountRefunded": None,
            "remarks": "",
            "specialRemarks": "",
            "knowBeforeYouGo": "<ul><li>Cash is not accepted.</li></ul>",
            "mandatoryFees": "",
            "optionalFees": "Parking: EUR 15 a night &amp; car.",
            "checkinInstructions": None,
            "rebookFrom": "",
        }
        self.bookings[booking_id], self.booked[booking_id] = booking, offer
        return booking

    def alternatives(self, booking_id: str, body: Json) -> Json:
        """Prebooks at the same hotel, the cheapest first. They cost nothing."""
        with self.lock:
            known = self.bookings.get(booking_id)
            if known is None or known["status"] != "CONFIRMED":
                raise Refusal(404, 1000, "booking not found or not confirmed")
            asked.alternatives(body, known)
            if self.sold_out:
                raise Refusal(404, 1008, "no availability found")
            old = self.booked[booking_id]
            rooms = tuple((room["adults"], *room["children"]) for room in body["occupancies"])
            stay = (
                date.fromisoformat(body.get("checkin", known["checkin"])),
                date.fromisoformat(body.get("checkout", known["checkout"])),
            )
            refundable = RATES_PLANS[old.plan][4] == "RFN" or body.get("refundableRatesOnly")
            plans = [plan for plan in RATES_PLANS if refundable or RATES_PLANS[plan][4] == "NRFN"]
            offers = [Offer(old.inn, plan, *stay, rooms, old.currency) for plan in plans]
            offers.sort(key=lambda offer: offer.total(self.percent))
            found = []
            for offer in offers[: body.get("maxPrebooks", 3)]:
                self.offers[offer.id] = offer
                prebook = self.prebook({"offerId": offer.id, "usePaymentSdk": False})["data"]
                self.alternative_to[prebook["prebookId"]] = booking_id
                share = (offer.total(self.percent) / Decimal(str(known["price"])) - 1) * 100
                changed = {
                    "priceDifferencePercent": int(share.to_integral_value(ROUND_FLOOR)),
                    "cancellationChanged": True,
                    "boardChanged": offer.plan != old.plan,
                }
                found.append({**prebook, **changed, "supplier": "nuitee"})
            return {"data": found}

    def rebook(self, body: Json) -> Json:
        """The new booking first, then the end of the old one; where that fails, their answer does not say so. Of a booking that
        is not refundable it is only a request.
        """
        reference = str(body.get("clientReference", ""))
        with self.lock:
            self.calls[reference]["change"] += 1
            asked.rebooking(body)
            old_id, prebook_id = body["existingBookingId"], body["prebookId"]
            if self.alternative_to.get(prebook_id) != old_id:
                raise Refusal(400, 4000, "prebook not found")
            if prebook_id in self.rebooked:
                raise Refusal(409, 4009, "rebooking is already completed")
            if old_id not in self.bookings or self.bookings[old_id]["status"] != "CONFIRMED":
                raise Refusal(500, 5000, "previous booking retrieval failed")
            if not self.rebooks:
                raise Refusal(400, 4000, "rebooking is not allowed for this offer")
            offer, price = self.prebooks[prebook_id]
            demand(
                [guest["occupancyNumber"] for guest in body["guests"]]
                == list(range(1, len(offer.occupancies) + 1)),
                "request body validation: one lead guest for each occupancy",
            )
            if any(one["clientReference"] == reference for one in self.bookings.values()):
                raise Refusal(400, 4005, "clientReference already used")
            if self.queues:
                trail = {"oldBookingId": old_id, "newPrebookId": prebook_id}
                return {
                    "data": {"id": 7, "type": "REBOOK", "status": "PENDING", "audit_trail": trail},
                    "message": "queued for operations",
                }
            self.rebooked.add(prebook_id)
            made = self._write_down(body, offer, price + self.overcharge)
            made["rebookFrom"] = old_id
            if not self.keeps_old:
                self.call_off(old_id, self.fee(old_id))
            return {"data": made, "sandbox": True}

    def booking(self, booking_id: str) -> Json:
        if booking_id not in self.bookings:
            raise Refusal(204, 0)
        return {"data": self.bookings[booking_id], "sandbox": True}

    def bookings_of(self, reference: str) -> Json:
        """In short, as a list is; what begins with the reference is found, too, so that nobody trusts the filter."""
        return {
            "data": [
                {name: one[name] for name in ("bookingId", "clientReference", "status", "price", "currency")}
                for one in self.bookings.values()
                if one["clientReference"].startswith(reference)
            ]
        }

    def bookings_made(self, first: str, last: str, status: str) -> Json:
        """Another list, with other names for the same."""
        names = ("booking_Id", "client_reference") if self.snake_lists else ("bookingId", "clientReference")
        return {
            "data": [
                {
                    names[0]: one["bookingId"],
                    names[1]: one["clientReference"],
                    "status": one["status"],
                    "rebookFrom": one["rebookFrom"],
                }
                for one in self.bookings.values()
                if first <= one["createdAt"][:10] <= last and one["status"].lower().startswith(status)
            ]
        }

    def cancel(self, booking_id: str) -> Json:
        with self.lock:
            if booking_id not in self.bookings:
                raise Refusal(204, 0)
            booking = self.bookings[booking_id]
            if booking["status"] != "CONFIRMED":
                raise Refusal(400, 304, "booking cannot be cancelled")
            fee = self.fee(booking_id)
            return {"data": self.call_off(booking_id, fee)}

    def amend(self, booking_id: str, body: Json) -> Json:
        """Their people get it; the answer has no `data`."""
        asked.amendment(body)
        with self.lock:
            if booking_id not in self.bookings:
                raise Refusal(404, 404, "booking not found")
            self.amendments.append((booking_id, body["holder"]))
            holder = body["holder"]
            return {
                "id": len(self.amendments),
                "bookingId": booking_id,
                "userId": 1,
                "type": "UPDATE",
                "subType": "UPDATE_NAME_CHANGE",
                "status": "PENDING",
                "holderEmail": holder["email"],
                "holderFirstName": holder["firstName"],
                "holderLastName": holder["lastName"],
                "holderPhone": holder.get("phone"),
                "remarks": body.get("remarks", ""),
                "prebookId": "",
                "guests": [],
                "createdBy": "stub",
            }

    def instruct(self, booking_id: str, **told: object) -> None:
        """How to check in, which comes days after the booking."""
        contact = {"email": None, "phone": "+351 21 000 00 07"}
        instructions = {"idRequired": True, "propertyContact": contact, "hasCommunication": True, **told}
        self.bookings[booking_id] = {**self.bookings[booking_id], "checkinInstructions": instructions}

    def work_on_amendments(self) -> None:
        """As their people do in their own time: the newest request for a booking is what it has then."""
        with self.lock:
            for booking_id, holder in self.amendments:
                self.bookings[booking_id] = {**self.bookings[booking_id], "holder": holder}

    def call_off(self, booking_id: str, fee: Decimal) -> Json:
        """End a booking, whoever wants it."""
        booking = self.bookings[booking_id]
        back = Decimal(str(booking["price"])) - fee
        booking["status"] = "CANCELLED_WITH_CHARGES" if fee else "CANCELLED"
        booking["cancelledAt"] = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
        booking["amountRefunded"] = float(back)
        return {
            "bookingId": booking_id,
            "status": booking["status"],
            "cancellation_fee": float(fee),
            "refund_amount": float(back),
            "currency": booking["currency"],
        }

    def fee(self, booking_id: str) -> Decimal:
        """By the offer's own terms, worked out apart from the text of its policy."""
        offer, price = self.booked[booking_id], Decimal(str(self.bookings[booking_id]["price"]))
        if RATES_PLANS[offer.plan][4] == "NRFN":
            return price
        days = (datetime.combine(offer.checkin, datetime.min.time(), UTC) - datetime.now(UTC)).total_seconds()
        if days > 1.5 * 86_400:
            return Decimal(0)
        half = (price / 2).quantize(CENT, rounding=ROUND_HALF_UP)
        return half if days > -0.5 * 86_400 else price

    def report(self) -> Json:
        """For `tests.support.invariants`: what was written, and how often each reference was sent."""
        writes = [
            {
                "kind": "change" if one["rebookFrom"] else "book",
                "clientRef": one["clientReference"],
                "reference": one["bookingId"],
            }
            for one in self.bookings.values()
        ]
        writes += [
            {"kind": "replace", "clientRef": "", "reference": one["rebookFrom"]}
            for one in self.bookings.values()
            if one["rebookFrom"] and self.bookings[one["rebookFrom"]]["status"] != "CONFIRMED"
        ]
        return {"writes": writes, "callsByRef": {ref: dict(calls) for ref, calls in self.calls.items()}}


def _fits(inn: Inn, body: Json) -> bool:
    return (
        inn.stars in body.get("starRating", [inn.stars])
        and body.get("minRating", 0) <= inn.described()["rating"]
        and body.get("hotelName", "").casefold() in inn.name.casefold()
    )


def _lies(inn: Inn, body: Json) -> bool:
    if "hotelIds" in body:
        return inn.id in body["hotelIds"]
    if "cityName" in body:
        return (inn.country, inn.city.lower()) == (body["countryCode"], body["cityName"].lower())
    return inn.is_near(body["latitude"], body["longitude"], body["radius"])
