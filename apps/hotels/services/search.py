"""POST /v1/hotels/searches: ask the supplier until prices have settled, store them in one row, quote them for 20 minutes."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from msgspec.structs import replace

from apps.bookings.refusals import translated
from apps.bookings.trade_rules import Service, quoted_until
from apps.common import clock
from apps.common.ids import new_id
from apps.common.languages import ENGLISH, best_of
from apps.gateway.requests import Caller
from apps.gateway.responses import Record
from apps.hotels.facilities import codes_of
from apps.hotels.rules import stayed
from apps.hotels.selectors import RATES_OF_A_HOTEL, QuotedSearch, expired
from apps.hotels.suppliers.base import Hotel, HotelOffer, Rate, StaySearch
from apps.hotels.suppliers.cities import fold, km_between
from apps.hotels.suppliers.registry import hotel_supplier
from apps.keys.partner import Partner
from apps.suppliers.rates import quoted_in
from apps.suppliers.registry import supplier_name
from apps.suppliers.results import Found
from apps.suppliers.values import to_column

# A part of the statement that bills the search (`apps/gateway/settlement.py`).
STORE = """
INSERT INTO hotels_hotelsearch
       (id, account_id, environment, supplier_name, markup_bp, check_in, check_out, rooms, hotels, withheld, page_size,
        language, created_at, expires_at)
VALUES (%(id)s, %(account)s, %(environment)s, %(supplier_name)s, %(markup_bp)s, %(check_in)s, %(check_out)s, %(rooms)s,
        %(hotels)s, %(withheld)s, %(page_size)s, %(language)s, %(created_at)s, %(expires_at)s)
"""


def search_hotels(
    *, caller: Caller, request: StaySearch, page_size: int | None = None, language: str | None = None
) -> QuotedSearch:
    """The search and its hotels, priced net in the account's currency. Raises UpstreamError, UpstreamUnavailable.

    `language`: the tag of the one that texts are wanted in; English where the supplier describes no hotel in it.
    """
    partner = caller.partner
    supplier = hotel_supplier(partner.environment, caller.trigger.at_supplier())
    with translated():
        found = supplier.search(request)
    now = clock.now(partner)
    lives_until = now + timedelta(minutes=settings.OFFER_MINUTES)
    offers = affordable(found, request, partner.currency, now=now, lives_until=lives_until)
    spoken = ENGLISH if language is None else best_of(supplier.languages, language)
    if spoken != ENGLISH and offers:
        offers = Found(supplier.in_language(offers, spoken), offers.withheld)
    return QuotedSearch(
        id=new_id("hsr"),
        check_in=request.check_in,
        check_out=request.check_out,
        created_at=now,
        expires_at=lives_until,
        markup_bp=partner.markup_bp,
        page_size=page_size,
        language=spoken,
        withheld=offers.withheld,
        offers=offers,
    )


def record_of(search: QuotedSearch, partner: Partner, request: StaySearch) -> Record:
    """The row that keeps the search. It is written as the search is billed."""
    return Record(
        STORE,
        {
            "id": search.id,
            "account": partner.account_id,
            "environment": partner.environment,
            "supplier_name": supplier_name("hotels", partner.environment),
            "markup_bp": search.markup_bp,
            "check_in": search.check_in,
            "check_out": search.check_out,
            "rooms": to_column(request.rooms),
            "hotels": to_column(search.offers),
            "withheld": to_column(search.withheld),
            "page_size": search.page_size,
            "language": search.language,
            "created_at": search.created_at,
            "expires_at": search.expires_at,
        },
    )


def affordable(
    offers: Found[HotelOffer], request: StaySearch, currency: str, *, now: datetime, lives_until: datetime
) -> Found[HotelOffer]:
    """The hotels that have rates with a price in the account's currency, up to the limit that was asked for, each with as many as
    handles can number. Rates without such a price, expired ones, and those for a check-in day that is over, are counted.
    """
    most = request.max_total_cents
    found: list[HotelOffer] = []
    withheld = offers.withheld
    for offer in filtered(offers, request) if request.is_sifted else offers:
        if len(found) == request.limit and request.sort is None:
            break
        service = stayed(offer.hotel, request.check_in, request.check_out)
        priced = quoted_in(currency, Found(offer.rates))
        rates = Found([quoted(rate, lives_until, service) for rate in priced], priced.withheld).still_sold(
            lambda rate: expired(rate, now)
        )
        withheld += rates.withheld
        within = tuple(rates if most is None else [rate for rate in rates if rate.total_cents <= most])
        if within:
            found.append(HotelOffer(offer.hotel, within[:RATES_OF_A_HOTEL]))
    return Found(found if request.sort is None else in_order(found, request)[: request.limit], withheld)


def filtered(offers: list[HotelOffer], request: StaySearch) -> Iterator[HotelOffer]:
    """The hotels that are what was asked for, each with its rates that are. Whatever the supplier made of the filters: this is
    what they mean.
    """
    for offer in offers:
        if is_wanted(offer.hotel, request):
            if not request.boards:
                yield offer
            elif rates := tuple(rate for rate in offer.rates if rate.board.code in request.boards):
                yield HotelOffer(offer.hotel, rates)


def is_wanted(hotel: Hotel, request: StaySearch) -> bool:
    """A hotel for which the supplier does not provide the requested property is left out."""
    if request.stars and hotel.stars not in request.stars:
        return False
    if request.min_review_score is not None and (hotel.review_score or 0) < request.min_review_score:
        return False
    if request.name is not None and fold(request.name) not in fold(hotel.name):
        return False
    return not request.facilities or set(request.facilities) <= set(codes_of(hotel.amenities))


def in_order(offers: list[HotelOffer], request: StaySearch) -> list[HotelOffer]:
    """By `request.sort`; those that are equal in it stay in the supplier's order."""

    def rank(offer: HotelOffer) -> float:
        match request.sort:
            case "price":
                return min(rate.total_cents for rate in offer.rates)
            case "review_score":
                return -float(offer.hotel.review_score or -1)
            case "stars":
                return -offer.hotel.stars
            case _:
                assert request.area is not None
                return km_between(request.area, offer.hotel)

    return sorted(offers, key=rank)


def quoted(rate: Rate, lives_until: datetime, service: Service) -> Rate:
    """The rate with the end of its handle: the supplier's or ours, and the end of the check-in day at the latest."""
    return replace(rate, expires_at=quoted_until(rate.expires_at, lives_until, service))
