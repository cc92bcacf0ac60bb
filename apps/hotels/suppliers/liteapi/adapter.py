"""Hotels from LiteAPI: fulfils HotelSupplier over its two hosts."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings

from apps.common import clock
from apps.common.languages import ENGLISH
from apps.common.validators import COUNTRIES
from apps.hotels import property_store
from apps.hotels.suppliers import cities
from apps.hotels.suppliers.base import (
    Cancellation,
    ChangeSearch,
    Guest,
    HotelOffer,
    LeastRate,
    MovedStay,
    NameCorrection,
    Rate,
    Room,
    Stay,
    StayRequest,
    StaySearch,
)
from apps.hotels.suppliers.liteapi import hotels, mapping, properties
from apps.hotels.suppliers.liteapi.client import (
    BOOK,
    CANCEL,
    NAME,
    OF_THE_ROOMS,
    PREBOOK,
    READ,
    REBOOK,
    SEARCH,
    UNREADABLE,
    Completed,
    LiteApiClient,
    NotTaken,
    Refused,
    number,
    readable,
)
from apps.hotels.suppliers.liteapi.money import net_of_booking
from apps.hotels.suppliers.properties import Described, ListPage
from apps.suppliers.alerts import alert
from apps.suppliers.errors import (
    Expired,
    InvalidField,
    Missing,
    NotPossible,
    OutcomeUnknown,
    PriceChanged,
    Rejected,
    SupplierError,
    Unavailable,
)
from apps.suppliers.models import AlertKind
from apps.suppliers.results import NONE_WITHHELD, Found, Withheld
from apps.suppliers.side_by_side import side_by_side
from apps.suppliers.values import replaced

RATES_A_HOTEL = 10
MOST_HOTELS = 100
"""To ask for, where the answer is sifted by the place and price of the search."""
SMALLEST_RADIUS = 1_000
"""In metres; what is too far away is sifted out here."""
CITIES_ASKED = 3
"""At most so many calls for a search that names no city, one after the other."""
NATIONALITY = "US"
"""Of guests whose nationality is not given: LiteAPI prices nothing without one."""
REBOOKED_WITHIN, ONE_DAY = timedelta(days=2), timedelta(days=1)
NOBODYS_REFERENCE, ANY_HOTEL = "H-CHECK", "lp1897"
PATIENCE_SECONDS = 8.0
"""How long a search continues from city to city while it has too few hotels."""


def searches(request: StaySearch) -> Iterator[dict[str, Any]]:
    """The bodies to ask with, in turn, until enough is found: their search takes one kind of place at a time."""
    for place in places(request):
        yield {**_stay(request), **place}


def places(request: StaySearch) -> list[dict[str, Any]]:
    """The narrowest of what the request says of where; what else it says the answer is sifted by."""
    if request.hotel_ids is not None:
        return [{"hotelIds": list(request.hotel_ids)}]
    if request.area is not None:
        return [
            {
                "latitude": float(request.area.latitude),
                "longitude": float(request.area.longitude),
                "radius": max(SMALLEST_RADIUS, int(request.area.radius_km * 1000)),
            }
        ]
    if request.city is not None:
        return [city_named(request.city, request.country)]
    found = cities.largest(request.country, CITIES_ASKED) if request.country else cities.featured()
    return [{"countryCode": city.country, "cityName": city.name} for city in found[:CITIES_ASKED]]


def is_sifted(request: StaySearch) -> bool:
    """Whether the answer may hold hotels that are too expensive, or outside the place."""
    if request.max_total_cents is not None:
        return True
    town = request.city or request.country
    return sum(said is not None for said in (request.hotel_ids, request.area, town)) > 1 or (
        request.area is not None and request.area.radius_km * 1000 < SMALLEST_RADIUS
    )


def city_named(name: str, country: str | None) -> dict[str, str]:
    """By its English name, where it is known by any; without a country, the largest city of that name.

    Raises InvalidField where it takes the partner to say in which country it lies.
    """
    found = cities.find(name, country)
    if found is not None:
        return {"countryCode": found.country, "cityName": found.name}
    if country is None:
        raise InvalidField("destination.countryCode", "is needed for a city that is not known here")
    return {"countryCode": country, "cityName": name}


def refused_field(told: str, request: StaySearch) -> str | None:
    """Which field of the partner's a refusal speaks of, by its dotted path; None for what we added ourselves."""
    given = {
        "hotelids": ("hotelIds", request.hotel_ids),
        "cityname": ("destination.city", request.city),
        "countrycode": ("destination.countryCode", request.country),
        "latitude": ("location.latitude", request.area),
        "longitude": ("location.longitude", request.area),
        "radius": ("location.radiusKm", request.area),
        "guestnationality": ("guestNationality", request.guest_nationality),
        "occupanc": ("rooms", request.rooms),
        "checkin": ("checkIn", request.check_in),
        "checkout": ("checkOut", request.check_out),
        "starrating": ("stars", request.stars or None),
        "boardtype": ("boards", request.boards or None),
        "minrating": ("minReviewScore", request.min_review_score),
        "hotelname": ("name", request.name),
    }
    said = told.casefold()
    return next((field for word, (field, value) in given.items() if word in said and value is not None), None)


def _stay(request: StaySearch) -> dict[str, Any]:
    body: dict[str, Any] = {
        **_party(request),
        "occupancies": _occupancies(request.rooms),
        "checkin": request.check_in.isoformat(),
        "checkout": request.check_out.isoformat(),
        "currency": request.currency,
        "guestNationality": request.guest_nationality or NATIONALITY,
        "maxRatesPerHotel": RATES_A_HOTEL,
        "limit": max(MOST_HOTELS, request.most_hotels) if is_sifted(request) else request.most_hotels,
        "margin": 0,
        "includeHotelData": True,
        "roomMapping": True,
    }
    if request.refundable_only:
        body["refundableRatesOnly"] = True
    return {**body, **_filters(request)} if request.is_sifted else body


def _party(request: StaySearch) -> dict[str, Any]:
    """Who stays when, and in what it is paid."""
    return {
        "occupancies": [
            {"adults": room.adults, "children": list(room.children_ages)} for room in request.rooms
        ],
        "checkin": request.check_in.isoformat(),
        "checkout": request.check_out.isoformat(),
        "currency": request.currency,
        "guestNationality": request.guest_nationality or NATIONALITY,
    }


def least_question(request: StaySearch) -> dict[str, Any]:
    """It takes hotels only, and no margin."""
    return {**_party(request), "hotelIds": list(request.hotel_ids or ())}


def _filters(request: StaySearch) -> dict[str, Any]:
    """What they filter by. The service filters again: how closely they do is not documented. Facilities have ids of theirs, and
    theirs of a hotel need not be those that it is shown with.
    """
    filters: dict[str, Any] = {}
    if request.stars:
        filters["starRating"] = [stars for whole in request.stars for stars in (whole, whole + 0.5)]
    if request.boards:
        filters["boardType"] = ",".join(board for code in request.boards for board in mapping.boards_of(code))
    if request.min_review_score is not None:
        # Not documented for certain: the text says 0 to 5, every rating that was seen is out of ten.
        filters["minRating"] = float(request.min_review_score)
    if request.name is not None:
        filters["hotelName"] = request.name
    return filters


def _occupancies(rooms: tuple[Room, ...]) -> list[dict[str, Any]]:
    return [{"adults": room.adults, "children": list(room.children_ages)} for room in rooms]


def booking_body(request: StayRequest) -> dict[str, Any]:
    """What books a prebook: one lead guest for each room."""
    data = request.rate.supplier_data
    leads = lead_guests(request.guests, [int(adults) for adults in data["adults"].split(",")])
    guests = [
        {
            "occupancyNumber": number,
            "firstName": lead.first_name,
            "lastName": lead.last_name,
            "email": request.email,
        }
        for number, lead in enumerate(leads, start=1)
    ]
    if request.special_requests:
        guests[0]["remarks"] = request.special_requests
    holder = {
        "firstName": leads[0].first_name,
        "lastName": leads[0].last_name,
        "email": request.email,
        "phone": request.phone,
    }
    return {
        "prebookId": data["prebook_id"],
        "clientReference": request.client_ref,
        "holder": holder,
        "guests": guests,
    }


def lead_guests(guests: tuple[Guest, ...], adults_by_room: list[int]) -> list[Guest]:
    """The first adult of each room. Where fewer came than were searched for, it is unknown who sleeps where: the first of all."""
    adults = [guest for guest in guests if guest.type == "adult"]
    if len(adults) != sum(adults_by_room):
        return adults[: len(adults_by_room)]
    return [adults[sum(adults_by_room[:room])] for room in range(len(adults_by_room))]


class LiteApiHotels:
    """Its guard against doubles is our reference alone: a prebook can be booked again and again."""

    name = NAME
    languages: tuple[str, ...] = properties.LANGUAGES

    def __init__(self, client: LiteApiClient) -> None:
        self.client = client

    def search(self, request: StaySearch) -> Found[HotelOffer]:
        """A city that does not answer is forgiven where another did."""
        ends = time.monotonic() + PATIENCE_SECONDS
        found: dict[str, HotelOffer] = {}
        withheld = NONE_WITHHELD
        for question in searches(request):
            try:
                answer = self._asked(question, request)
                found |= {offer.hotel.hotel_id: offer for offer in answer}
                withheld += answer.withheld
            except Unavailable:
                if not found:
                    raise
            if len(found) >= request.most_hotels or time.monotonic() > ends:
                break
        return Found(hotels.with_facts(list(found.values())[: request.most_hotels]), withheld)

    def least_rates(self, request: StaySearch, last: date) -> Found[LeastRate]:
        """They take one day a call."""
        days, nights = request.check_ins(last), request.check_out - request.check_in
        stays = [replaced(request, check_in=day, check_out=day + nights) for day in days]
        found: Found[LeastRate] = Found()
        errors = []
        for answer in side_by_side([partial(self._least_of, stay) for stay in stays]):
            if isinstance(answer, SupplierError):
                errors.append(answer)
            else:
                found += answer
                found.withheld += answer.withheld
        if len(errors) == len(days):
            raise errors[0]
        found.withheld += Withheld(unreadable=len(errors))
        return found

    def _least_of(self, stay: StaySearch) -> Found[LeastRate]:
        with self._naming_fields(stay):
            told = self.client.least_rates(least_question(stay))
        with readable(SEARCH):
            return mapping.least_rates(told, stay)

    def check_rate(self, rate: Rate) -> Rate:
        """A prebook: the rate then carries its id, and is to be kept before it is booked."""
        if "offer_id" not in rate.supplier_data:
            raise Expired("the rate is not from LiteAPI")
        prebook = self.client.prebook(rate.supplier_data["offer_id"])
        with readable(PREBOOK):
            return mapping.confirmed_rate(rate, prebook)

    def book(self, request: StayRequest) -> Stay:
        """Raises PriceChanged where the rate was not checked before and has become more expensive."""
        if "prebook_id" not in request.rate.supplier_data:
            request = replaced(request, rate=self._unchanged(request.rate))
        try:
            booking = self.client.book(booking_body(request))
        except Refused as refusal:
            return self._found_after(refusal, request)
        with readable(BOOK):
            if mapping.status_of(booking) != mapping.CONFIRMED:
                raise OutcomeUnknown("LiteAPI took it on without confirming it")
            return self._booked(booking, request.rate)

    def find_booking(self, client_ref: str, rate: Rate) -> Stay | None:
        """By our reference, compared here once more. Of several, which must not be, the first that stands."""
        with readable(READ):
            listed = self.client.bookings_of(client_ref)
            found = [one for one in listed if mapping.reference_of(one) in (None, client_ref)]
            if len(found) > 1:
                alert(NAME, AlertKind.DUPLICATE_REFERENCE, client_ref)
            found.sort(key=lambda one: mapping.status_of(one) != mapping.CONFIRMED)
            if not found:
                return None
            booking = self.client.booking(mapping.id_of(found[0]))
            if mapping.status_of(booking) in mapping.FAILED or mapping.reference_of(booking) not in (
                None,
                client_ref,
            ):
                return None
            return self._booked(self._final(booking), rate)

    def read_booking(self, supplier_reference: str, policy: str = "") -> Stay:
        booking = self.client.booking(supplier_reference)
        with readable(READ):
            return mapping.stay_of(self._final(booking), policy)

    def quote_cancellation(self, supplier_reference: str, policy: str = "") -> Cancellation:
        _, quote = self._standing(supplier_reference, policy)
        return quote

    def cancel(
        self, client_ref: str, supplier_reference: str, quote: Cancellation, policy: str = ""
    ) -> Cancellation:
        """Read once more first: another step of the policy may have begun since the quote."""
        booking, current = self._standing(supplier_reference, policy)
        if current.penalty_cents > quote.penalty_cents:
            raise NotPossible("cancelling costs more by now; nothing was cancelled")
        answer = self.client.cancel(supplier_reference)
        with readable(CANCEL):
            if not mapping.is_cancelled(answer):
                raise OutcomeUnknown("LiteAPI responded, but did not confirm the cancellation")
            done = mapping.cancellation_told(answer, net_of_booking(booking), current)
        return self._as_quoted(done, quote, supplier_reference)

    def find_cancellation(
        self, client_ref: str, supplier_reference: str, quote: Cancellation | None = None
    ) -> Cancellation | None:
        """Their cancellations bear no reference of ours: whether the booking is cancelled is all there is to know."""
        booking = self.client.booking(supplier_reference)
        with readable(READ):
            if not mapping.is_cancelled(booking):
                return None
            done = mapping.cancellation_of(booking, quote=quote)
        return done if quote is None else self._as_quoted(done, quote, supplier_reference)

    def ask_correction(self, client_ref: str, supplier_reference: str, correction: NameCorrection) -> None:
        """Their request bears no reference of ours."""
        holder = {
            "firstName": correction.first_name,
            "lastName": correction.last_name,
            "email": correction.email,
            "phone": correction.phone,
        }
        self.client.amend(supplier_reference, holder)

    def is_corrected(self, client_ref: str, supplier_reference: str, correction: NameCorrection) -> bool:
        booking = self.client.booking(supplier_reference)
        with readable(READ):
            return mapping.has_name(booking, correction)

    def parts(self) -> tuple[str, ...]:
        return tuple(settings.HOTEL_CONTENT_COUNTRIES) or tuple(sorted(COUNTRIES))

    def properties(self, part: str, *, since: datetime | None, offset: int) -> ListPage:
        """Pages overlap a little: a hotel that leaves the list while it is read would make the next one slip through."""
        found = self.client.hotels(part, since=since, offset=offset, limit=properties.PAGE)
        return properties.page_of(found, offset)

    def in_language(self, offers: list[HotelOffer], language: str) -> list[HotelOffer]:
        details = property_store.known_details(NAME, {offer.hotel.hotel_id for offer in offers}, language)
        return [
            hotels.in_words_of(offer, details[offer.hotel.hotel_id])
            if offer.hotel.hotel_id in details
            else offer
            for offer in offers
        ]

    def describe(self, hotel_id: str, language: str) -> Described:
        data = self.client.hotel(hotel_id, "" if language == ENGLISH else language)
        if not isinstance(data, dict):
            raise Unavailable("LiteAPI described a hotel in a form that is not known")
        return properties.described_as(data, language)

    def change_options(self, request: ChangeSearch) -> Found[Rate]:
        return self._alternatives(request)

    def check_change(self, request: ChangeSearch, rate: Rate) -> Rate:
        """Asked again, because how long such a prebook lives is not documented. It costs nothing."""
        current = mapping.same_alternative(self._alternatives(request), rate)
        if current is None:
            raise Expired("the alternative is gone")
        return current

    def change(
        self, supplier_reference: str, request: StayRequest, quote: Cancellation, policy: str = ""
    ) -> MovedStay:
        """Their call books the new stay and cancels the old one then; where that fails, it is only in their log. So both are read
        after it.
        """
        body = {**booking_body(request), "existingBookingId": supplier_reference}
        ours = request.client_ref, supplier_reference, request.rate, quote, policy
        try:
            booking = self.client.rebook(body)
        except (Refused, Completed) as refusal:
            return self._moved_after(refusal, *ours)
        with readable(REBOOK):
            new = mapping.id_of(booking)
        try:
            return self._moved(new, *ours[1:])
        except SupplierError as error:
            raise OutcomeUnknown("rebooked, and the two stays cannot be read") from error

    def find_change(
        self, client_ref: str, supplier_reference: str, rate: Rate, quote: Cancellation, policy: str = ""
    ) -> MovedStay | None:
        """By our reference, else by what they say that a recent booking replaces."""
        with readable(READ):
            listed = self.client.bookings_of(client_ref)
            found = [one for one in listed if mapping.reference_of(one) in (None, client_ref)]
            if not found:
                today = clock.today()
                made = self.client.bookings_made(today - REBOOKED_WITHIN, today + ONE_DAY)
                made = [one for one in made if mapping.reference_of(one) in (None, client_ref)]
                found = [one for one in made if mapping.replaces(one, supplier_reference)]
            if len(found) > 1:
                alert(NAME, AlertKind.DUPLICATE_REFERENCE, client_ref)
            found.sort(
                key=lambda one: bool(one.get("status")) and mapping.status_of(one) != mapping.CONFIRMED
            )
            if not found:
                return None
            new = mapping.id_of(found[0])
            if mapping.status_of(self.client.booking(new)) in mapping.FAILED:
                return None
            return self._moved(new, supplier_reference, rate, quote, policy)

    def learn(self) -> int:
        return property_store.learn(NAME, self.describe)

    def standing(self, first: date, last: date) -> dict[str, str]:
        """Theirs by our references, of what was booked from one day to another and stands. An item that cannot be read hides
        no other; where none can, the list says nothing.
        """
        made = self.client.bookings_made(first, last)
        found, unreadable = {}, 0
        for one in made:
            try:
                pair = mapping.standing_of(one)
            except UNREADABLE:
                unreadable += 1
                continue
            if pair is not None:
                found[pair[0]] = pair[1]
        if made and unreadable == len(made):
            raise Unavailable("LiteAPI listed its bookings in a form that is not known")
        return found

    def prove(self) -> str:
        """One cheap read of each host. Raises Unavailable where the key does not let us in."""
        self.client.bookings_of(NOBODYS_REFERENCE)
        with suppress(Missing):
            self.client.hotel(ANY_HOTEL)
        return "both hosts answer"

    def _asked(self, question: dict[str, Any], request: StaySearch) -> Found[HotelOffer]:
        with self._naming_fields(request):
            answer = self.client.rates(question)
        with readable(SEARCH):
            return mapping.offers(answer, request)

    @staticmethod
    @contextmanager
    def _naming_fields(request: StaySearch) -> Iterator[None]:
        """Raises InvalidField for a value of the partner's that they do not take."""
        try:
            yield
        except NotTaken as refusal:
            field = refused_field(refusal.told, request)
            if field is None:
                raise
            raise InvalidField(field, "is not taken by the supplier of the hotels") from refusal

    def _unchanged(self, rate: Rate) -> Rate:
        """The rate, ready to be booked. Raises PriceChanged."""
        current = self.check_rate(rate)
        if number(current.supplier_data["amount"]) > number(rate.supplier_data["amount"]):
            raise PriceChanged(current.total_cents)
        return current

    def _booked(self, booking: Any, rate: Rate) -> Stay:
        """The booking, and an alert where it costs us more than its prebook said."""
        stay = mapping.stay_of(booking, rate.cancellation_policy)
        if net_of_booking(booking).amount > number(rate.supplier_data["amount"]):
            alert(NAME, AlertKind.PRICE_ABOVE_QUOTE, stay.supplier_reference)
        return stay

    def _as_quoted(self, done: Cancellation, quote: Cancellation, supplier_reference: str) -> Cancellation:
        """What cancelling cost, and no more than was quoted: the partner had agreed to that. Staff are notified of the rest."""
        if done.penalty_cents <= quote.penalty_cents:
            return done
        alert(NAME, AlertKind.PRICE_ABOVE_QUOTE, f"the fee of cancelling {supplier_reference}")
        whole = done.penalty_cents + done.refund_cents
        return Cancellation(quote.penalty_cents, whole - quote.penalty_cents, done.currency)

    def _alternatives(self, request: ChangeSearch) -> Found[Rate]:
        """Raises InvalidField for a stay that they do not take."""
        stay = {
            "occupancies": _occupancies(request.rooms),
            "checkin": request.check_in.isoformat(),
            "checkout": request.check_out.isoformat(),
        }
        try:
            listed = self.client.alternatives(request.supplier_reference, stay)
        except NotTaken as refusal:
            field = "rooms" if OF_THE_ROOMS.search(refusal.told) else "checkIn"
            raise InvalidField(field, "is not taken by the supplier of the hotels") from refusal
        return mapping.alternatives(listed, request)

    def _moved(
        self, new: str, supplier_reference: str, rate: Rate, quote: Cancellation, policy: str
    ) -> MovedStay:
        """Both stays as they are now. Raises Unavailable."""
        booking, old = self.client.booking(new), self.client.booking(supplier_reference)
        with readable(READ):
            stay = self._booked(self._final(booking), rate)
            if not mapping.is_cancelled(self._final(old)):
                return MovedStay(stay, None)
            cost = mapping.cancellation_of(old, policy, quote)
        return MovedStay(stay, self._as_quoted(cost, quote, supplier_reference))

    def _moved_after(
        self,
        refusal: Refused | Completed,
        client_ref: str,
        supplier_reference: str,
        rate: Rate,
        quote: Cancellation,
        policy: str,
    ) -> MovedStay:
        """As `_found_after`. Raises the refusal."""
        try:
            moved = self.find_change(client_ref, supplier_reference, rate, quote, policy)
        except SupplierError as error:
            raise OutcomeUnknown("refused, and its outcome cannot be looked up") from error
        if moved is None or moved.stay.cancelled:
            raise refusal
        return moved

    def _found_after(self, refusal: Rejected, request: StayRequest) -> Stay:
        """They say that nothing was booked; one look says whether it is so. Raises the refusal."""
        try:
            stay = self.find_booking(request.client_ref, request.rate)
        except SupplierError as error:
            raise OutcomeUnknown("refused, and its outcome cannot be looked up") from error
        if stay is None or stay.cancelled:
            raise refusal
        return stay

    def _final(self, booking: Any) -> Any:
        """A booking in a final state. Raises Unavailable."""
        if mapping.status_of(booking) == mapping.CONFIRMED or mapping.is_cancelled(booking):
            return booking
        raise Unavailable("LiteAPI has not decided yet")

    def _standing(self, supplier_reference: str, policy: str) -> tuple[Any, Cancellation]:
        """The booking and what cancelling it costs now. Raises Missing; NotPossible where it no longer stands."""
        booking = self.client.booking(supplier_reference)
        with readable(READ):
            if mapping.is_cancelled(booking):
                raise NotPossible("the booking is cancelled")
            return booking, mapping.quote_of(self._final(booking), policy)


def lite_api() -> LiteApiHotels:
    """The connector with this deployment's credentials."""
    return LiteApiHotels(LiteApiClient(settings.SUPPLIER_CREDENTIALS[NAME]))
