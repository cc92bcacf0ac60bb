"""The wire's own words for what flights are made of."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import orjson
import pytest

from apps.bookings.models import Booking
from apps.common.ids import handle, new_id
from apps.flights import presenters
from apps.flights.details import OrderChange
from apps.flights.models import FlightChangeSearch
from apps.flights.selectors import QuotedSearch
from apps.flights.services.change_options import FoundOptions
from apps.flights.suppliers.base import Baggage, ChangeOption, Conditions, FlightOffer, Segment, Slice
from apps.suppliers.results import Withheld
from apps.suppliers.values import from_text, to_text

LEAVES = datetime.fromisoformat("2027-02-03T23:35:00+00:00")
LANDS = datetime.fromisoformat("2027-02-04T04:05:00+01:00")
NOON = datetime(2027, 1, 1, 12, tzinfo=UTC)
SEGMENT = Segment(
    "LIS", "BER", LEAVES, LANDS, "TP", "TAP", "TP534", 210, "NI", "Portugália", "Embraer E190", "1", "2"
)
LEG = Slice("sli_1", "LIS", "BER", LEAVES, LANDS, 210, (SEGMENT,))
OFFER = FlightOffer(
    10_005,
    "EUR",
    "TP",
    "TAP",
    "economy",
    Conditions(True, False, None),
    (LEG, LEG),
    NOON,
    {"fare": "x"},
    fare_brand="Economy Light",
    base_cents=8_000,
    tax_cents=2_005,
    co2_kg=312,
    baggage=(Baggage("adult", 1, 0), Baggage("infant", None, None)),
)
WIRE_SEGMENT = {
    "origin": "LIS",
    "destination": "BER",
    "departureAt": "2027-02-03T23:35:00+00:00",
    "arrivalAt": "2027-02-04T04:05:00+01:00",
    "durationMinutes": 210,
    "carrier": {"code": "TP", "name": "TAP"},
    "flightNumber": "TP534",
    "operatingCarrier": {"code": "NI", "name": "Portugália"},
    "aircraft": "Embraer E190",
    "originTerminal": "1",
    "destinationTerminal": "2",
}
WIRE_LEG = {
    "origin": "LIS",
    "destination": "BER",
    "departureAt": "2027-02-03T23:35:00+00:00",
    "arrivalAt": "2027-02-04T04:05:00+01:00",
    "durationMinutes": 210,
    "segments": [WIRE_SEGMENT],
}


def a_search(*offers: FlightOffer) -> QuotedSearch:
    return QuotedSearch(new_id("fsr"), created_at=NOON, expires_at=NOON, markup_bp=1_250, offers=list(offers))


def stored(search: QuotedSearch) -> QuotedSearch:
    """As its row holds it."""
    return replace(search, offers=from_text(list[FlightOffer], to_text(search.offers)))


def test_an_offer_shows_all_but_what_only_the_airline_reads() -> None:
    search = a_search(OFFER)
    offer_id = handle("offer", search.id, 0)
    assert presenters.search_json(search) == {
        "id": search.id,
        "createdAt": "2027-01-01T12:00:00.000Z",
        "offers": [
            {
                "offerId": offer_id,
                "totalCents": 10_005,
                "currency": "EUR",
                "priceBasis": "net",
                "suggestedRetailCents": 11_256,
                "expiresAt": "2027-01-01T12:00:00.000Z",
                "carrier": {"code": "TP", "name": "TAP"},
                "cabin": "economy",
                "conditions": {"refundable": True, "changeable": False, "penaltyCents": None},
                "cancellationSteps": None,
                "fareBrand": "Economy Light",
                "baseCents": 8_000,
                "taxCents": 2_005,
                "co2Kg": 312,
                "baggage": [
                    {"passengerType": "adult", "cabin": 1, "checked": 0},
                    {"passengerType": "infant", "cabin": None, "checked": None},
                ],
                "slices": [
                    {"sliceId": handle("slice", search.id, 0, place), **WIRE_LEG} for place in range(2)
                ],
            }
        ],
        "withheld": {"documentsRequired": 0, "noLongerSold": 0, "unsupported": 0, "unreadable": 0},
    }


def test_what_nobody_tells_of_a_flight_is_null() -> None:
    bare = Segment("LIS", "BER", LEAVES, LANDS, "TP", "TAP", "TP534", 210)
    shown = presenters.segment_json(bare)
    unknown = ("operatingCarrier", "aircraft", "originTerminal", "destinationTerminal")
    assert {name: shown[name] for name in unknown} == dict.fromkeys(unknown)
    coded = replace(bare, operating_carrier="", operating_carrier_name="Stub Regional")
    assert presenters.segment_json(coded)["operatingCarrier"] == {"code": "", "name": "Stub Regional"}


def test_what_rests_in_the_row_is_told_like_what_the_airline_said() -> None:
    offers = [replace(OFFER, total_cents=total) for total in (1, 99_999, 10**12)]
    search = a_search(*offers)
    told = orjson.dumps(presenters.search_json(search))
    assert told == orjson.dumps(presenters.search_json(stored(search)))


def test_every_place_of_a_search_has_handles_of_its_own() -> None:
    shown = presenters.search_json(stored(a_search(*[OFFER] * 40)))
    offers = shown["offers"]
    assert isinstance(offers, list)
    handles = [o["offerId"] for o in offers] + [leg["sliceId"] for o in offers for leg in o["slices"]]
    assert len(set(handles)) == 3 * 40
    assert max(map(len, handles)) <= 64


def test_an_option_names_the_leg_as_the_changed_order_will() -> None:
    search = FlightChangeSearch(id=new_id("fcs"), booking=Booking(id="ford_1"))
    option = ChangeOption(-250, 9_755, 600, "EUR", LEG, NOON + timedelta(minutes=20), {"quoted_at": "now"})
    change_id = handle("change", search.id, 1)
    shown = presenters.options_json(FoundOptions(search, [option, option], Withheld(4, 2, 5, 3), 1))
    assert shown["withheld"] == {"outOfOrder": 1, "noLongerSold": 2, "unsupported": 5, "unreadable": 3}
    assert shown["orderId"] == "ford_1"
    assert shown["options"][1] == {  # type: ignore[index]
        "changeId": change_id,
        "differenceCents": -250,
        "currency": "EUR",
        "newTotalCents": 9_755,
        "penaltyCents": 600,
        "expiresAt": "2027-01-01T12:20:00.000Z",
        "slice": {"sliceId": change_id.replace("change_", "slice_"), **WIRE_LEG},
    }


@pytest.mark.parametrize(("settled_at", "shown"), [(None, None), (NOON, "2027-01-01T12:00:00.000Z")])
def test_a_change_says_when_its_money_moved(settled_at: datetime | None, shown: str | None) -> None:
    change = OrderChange("change_1", -250, "EUR", settled_at is not None, settled_at, NOON)
    assert presenters.change_json(change) == {
        "changeId": "change_1",
        "differenceCents": -250,
        "currency": "EUR",
        "settled": settled_at is not None,
        "settledAt": shown,
        "createdAt": "2027-01-01T12:00:00.000Z",
    }
