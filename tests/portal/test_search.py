"""What people type into the search, and what they find first or second."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import SUPPORT
from apps.accounts.models import Role
from apps.bookings.erasure import erase_travellers
from apps.bookings.models import Booking
from apps.request_log.models import LoggedCall
from apps.webhooks.models import Delivery, Event
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.hotels.front_desk import LISBON, FrontDesk
from tests.portal.crowd import crowd
from tests.portal.person import Person, member_of
from tests.portal.reading import text_of
from tests.portal.sample_data import add_sample_data
from tests.portal.test_find import FIND, addresses, main_of
from tests.support.api import Api
from tests.support.plans import explained

pytestmark = pytest.mark.django_db
AT = "/portal/test"
GUESTS = [
    {"firstName": "Ximena", "lastName": "Núñez-Prado", "type": "adult"},
    {"firstName": "Rui", "lastName": "O’Hara", "type": "adult"},
]


@pytest.fixture
def names(portal: Person) -> dict[str, str]:
    """The sample data, with a stay that has every reference there can be."""
    found = add_sample_data(portal.account, portal.user)
    _, secret = issued_key(portal.account, name="Agents of Porto")
    desk = FrontDesk(Api(secret))
    named = {"externalReference": "PO-2026-0117", "tripReference": "trip/Lisbon 7"}
    stay = desk.booked(desk.rate({**LISBON, "rooms": [{"adults": 2}]}), guests=GUESTS, **named)
    booking = Booking.objects.get(pk=stay["id"])
    booking.supplier_reference, booking.details["confirmation_code"] = "SUP/99-1", "CNF7731"
    booking.save()
    flight = Booking.objects.get(pk=found["booking"])
    return {
        **found,
        "guest_stay": stay["id"],
        "reference": stay["reference"],
        "pnr": flight.details["pnr"],
        "flight_reference": flight.reference,
    }


# What is typed, made of a name of the sample data; and where it leads.
TYPED: list[tuple[str, Callable[[dict[str, str]], str], str]] = [
    ("a reference", lambda n: n["reference"], "/bookings/{guest_stay}/"),
    ("a reference in small letters", lambda n: n["reference"].lower(), "/bookings/{guest_stay}/"),
    ("the beginning of a reference", lambda n: n["reference"][:6], "/bookings/{guest_stay}/"),
    ("a booking's id", lambda n: n["guest_stay"], "/bookings/{guest_stay}/"),
    ("the beginning of a booking's id", lambda n: n["guest_stay"][:24], "/bookings/{guest_stay}/"),
    ("the end of a booking's id", lambda n: n["guest_stay"][-6:], "/bookings/{guest_stay}/"),
    (
        "an id as lists shorten it",
        lambda n: f"{n['guest_stay'][:10]}…{n['guest_stay'][-5:]}",
        "/bookings/{guest_stay}/",
    ),
    ("the partner's reference", lambda n: "PO-2026-0117", "/bookings/{guest_stay}/"),
    ("its beginning", lambda n: "PO-2026", "/bookings/{guest_stay}/"),
    ("the trip", lambda n: "trip/Lisbon 7", "/bookings/{guest_stay}/"),
    ("the supplier's reference", lambda n: "sup/99-1", "/bookings/{guest_stay}/"),
    ("the hotel's confirmation code", lambda n: "cnf7731", "/bookings/{guest_stay}/"),
    ("a PNR", lambda n: n["pnr"].lower(), "/bookings/{booking}/"),
    ("a last name without its accents", lambda n: "nunez prado", "/bookings/{guest_stay}/"),
    ("a whole name", lambda n: "Rui o'hara", "/bookings/{guest_stay}/"),
    ("a request id", lambda n: n["request"], "/requests/{request}/"),
    ("the beginning of a request id", lambda n: n["request"][:13], "/requests/{request}/"),
    ("the end of a request id", lambda n: n["request"][-8:], "/requests/{request}/"),
    ("a delivery", lambda n: n["delivery"][:20], "/webhooks/deliveries/{delivery}/"),
    ("the end of a delivery's id", lambda n: n["delivery"][-7:], "/webhooks/deliveries/{delivery}/"),
    ("an event", lambda n: n["booking_event"], "/webhooks/events/{booking_event}/"),
    ("a recovery", lambda n: n["recovery"][:26], "/webhooks/recoveries/{recovery}/"),
    ("a part of an endpoint's URL", lambda n: "hooks/travel", "/webhooks/{endpoint}/"),
    ("a key's name", lambda n: "web shop", "/keys/{key}/"),
    ("the end of a key's id", lambda n: n["key"][-6:], "/keys/{key}/"),
    ("an error type", lambda n: "insufficient_funds", "docs:insufficient_funds"),
    (
        "an error in words, for its requests",
        lambda n: "rate limit",
        "/requests/?error_type=rate_limit_exceeded",
    ),
    ("a status", lambda n: "410", "docs:offer_expired"),
    ("an action", lambda n: "new key", "/keys/new/"),
    ("another one", lambda n: "add endpoint", "/webhooks/new/"),
    ("a verb", lambda n: "invite", "/portal/team/invite/"),
    ("how money comes", lambda n: "top up", "/sandbox/funds/"),
    ("a page", lambda n: "audit", "/portal/audit/"),
    ("a topic of the documentation", lambda n: "retries", "/docs/guides/errors-and-retries"),
    ("a colleague", lambda n: "grace.hop", "/portal/team/#invitation-{invitation}"),
]


def test_everything_that_people_type_is_found_first_or_second(portal: Person, names: dict[str, str]) -> None:
    assert len(TYPED) >= 30
    missed = []
    for what, typed, wanted in TYPED:
        address = wanted.format(**names)
        if address.startswith("docs:"):
            address = f"/docs/errors/{address.removeprefix('docs:')}"
        elif not address.startswith(("/docs/", "/portal/")):
            address = AT + address
        found = addresses(portal, typed(names))
        if address not in found[:2]:
            missed.append((what, typed(names), address, found[:4]))
    assert missed == []


def test_no_result_shows_a_traveller_and_none_finds_one_who_is_forgotten(
    portal: Person, names: dict[str, str]
) -> None:
    answer = portal.get(FIND, q="o’hara", list="1")
    shown = main_of(answer)
    assert (names["reference"] in shown, "Hotel · " in text_of(answer)) == (True, True)
    assert [
        name for guest in GUESTS for name in (guest["firstName"], guest["lastName"]) if name in shown
    ] == []
    booking = Booking.objects.get(pk=names["guest_stay"])
    booking.status = Booking.CANCELLED
    booking.save()
    assert erase_travellers(booking=booking, erased_by=SUPPORT)
    assert addresses(portal, "o’hara") == []


def test_a_booking_that_awaits_approval_says_so(portal: Person, names: dict[str, str]) -> None:
    Booking.objects.filter(pk=names["guest_stay"]).update(status=Booking.AWAITING_APPROVAL)
    assert "Awaiting approval" in text_of(portal.get(FIND, q=names["reference"], list="1"))


def test_nothing_is_found_of_another_account(portal: Person, names: dict[str, str]) -> None:
    stranger = member_of(AccountFactory(name="Borealis Tours"), Role.OWNER)
    foreign = [
        names[name] for name in ("guest_stay", "request", "key", "delivery", "booking_event", "endpoint")
    ]
    for what, typed, _ in TYPED:
        shown = main_of(stranger.get(FIND, q=typed(names), list="1"))
        assert [each for each in foreign if each in shown] == [], what


@pytest.mark.parametrize(
    ("text", "role", "leads"),
    [
        ("invite a member", Role.OWNER, True),
        ("invite a member", Role.DEVELOPER, False),
        ("create an api key", Role.DEVELOPER, True),
        ("create an api key", Role.FINANCE, False),
        ("low balance warning", Role.FINANCE, True),
        ("low balance warning", Role.VIEWER, False),
    ],
)
def test_an_action_is_found_by_those_whose_role_permits_it(
    portal_as: Callable[[str], Person], text: str, role: str, leads: bool
) -> None:
    person = portal_as(role)
    found = [address for address in addresses(person, text) if address.startswith("/portal/")]
    assert [person.get(address).status_code for address in found] == [200] * len(found)
    assert bool(found) is leads


def test_enter_leads_to_the_first_and_a_plain_search_lists_what_is_found(
    portal: Person, names: dict[str, str]
) -> None:
    assert portal.get(FIND, q="new key", open="1")["Location"] == "/portal/test/keys/new/"
    assert portal.get(FIND, q="new key").status_code == 200
    assert portal.get(FIND, q="of no meaning", open="1").status_code == 200
    assert portal.get(FIND, q=names["reference"])["Location"] == f"{AT}/bookings/{names['guest_stay']}/"
    assert portal.get(FIND, q=names["reference"], list="1").status_code == 200


@pytest.mark.parametrize(
    "text", ["%", "_", "hbk_%", "a" * 5_000, "' OR 1=1 --", "…", "hbk_…", "ß", "-", "0" * 12]
)
def test_odd_texts_are_answered(portal: Person, text: str) -> None:
    assert portal.get(FIND, q=text, list="1").status_code == 200


MANY = 100_000
TRAVELLERS = """
INSERT INTO bookings_travellerkey (booking_id, wrapped, last_names)
SELECT b.id, k.wrapped, CASE WHEN random() < 0.01 THEN k.last_names ELSE ARRAY[decode(md5(b.id), 'hex')] END
  FROM bookings_booking b, bookings_travellerkey k
 WHERE k.booking_id = %s AND NOT EXISTS (SELECT FROM bookings_travellerkey other WHERE other.booking_id = b.id)
"""


@pytest.mark.slow
def test_parts_of_ids_read_no_table_whole(portal: Person, names: dict[str, str], monkeypatch: Any) -> None:
    """100,000 bookings, calls, events and deliveries: as many queries as ever, and an index for each part."""
    for size in ("CALLS", "BOOKINGS", "DELIVERIES"):
        monkeypatch.setattr(f"tests.portal.crowd.{size}", MANY)
    crowd(portal.account, names)
    with connection.cursor() as cursor:
        cursor.execute(TRAVELLERS, [names["guest_stay"]])
        cursor.execute("ANALYZE bookings_travellerkey")
    assert min(model.objects.count() for model in (Booking, LoggedCall, Event, Delivery)) >= MANY
    for what, typed, _ in TYPED:
        with CaptureQueriesContext(connection) as captured:
            assert portal.get(FIND, q=typed(names), list="1").status_code == 200
        assert len(captured) <= 12, what
        for query in captured.captured_queries:
            if '"kind_"' in query["sql"]:
                plan = explained(query["sql"])
                large = (
                    "bookings_booking",
                    "request_log_loggedcall",
                    "webhooks_event",
                    "webhooks_delivery",
                    "bookings_travellerkey",
                )
                assert [table for table in large if f"Seq Scan on {table}" in plan] == [], (what, plan)
