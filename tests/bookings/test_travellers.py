"""How travellers rest: sealed in the row and in the stored answer, and read by whoever has the key."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from cryptography.fernet import Fernet
from django.conf import settings as configured
from django.db import connection

from apps.accounts.actors import SUPPORT
from apps.bookings import travellers
from apps.bookings.erasure import erase_travellers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.last_names import context_of, folded, named
from apps.bookings.models import Booking, TravellerKey
from apps.common.encryption import keyed_hash, reencrypt
from apps.flights.details import OrderDetails
from apps.gateway.models import IdempotencyRecord
from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Terms, onboard_partner
from apps.request_log import writer
from tests.bookings.dumped import copied, dumped, hits, in_redis, restored
from tests.hotels.front_desk import FrontDesk
from tests.support.api import Api
from tests.support.flight_shop import CONTACT, PASSENGER, FlightShop
from tests.transfers import agency

NAMES = (PASSENGER["lastName"], PASSENGER["dateOfBirth"], CONTACT["email"], CONTACT["phone"])


def rows() -> str:
    """Whatever a dump of these tables would hold."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(b)::text FROM bookings_booking b")
        found = [text for (text,) in cursor.fetchall()]
        cursor.execute("SELECT row_to_json(o)::text FROM bookings_operation o")
        found += [text for (text,) in cursor.fetchall()]
        cursor.execute("SELECT row_to_json(i)::text FROM gateway_idempotencyrecord i")
        return "\n".join([*found, *(text for (text,) in cursor.fetchall())])


def test_an_order_rests_sealed_and_is_answered_open(shop: FlightShop) -> None:
    order = shop.ordered()
    written = rows()
    assert order["reference"] in written
    assert [name for name in NAMES if name in written] == []
    read = shop.read(order["id"])
    assert (read["passengers"][0]["lastName"], read["contact"]) == (PASSENGER["lastName"], CONTACT)
    assert "redacted" not in read


def test_a_replay_is_the_answer_to_the_byte(shop: FlightShop) -> None:
    offer = shop.offer()
    first = shop.order(offer, "the-key-of-it")
    again = shop.order(offer, "the-key-of-it")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body == first.body


def test_a_change_keeps_the_travellers_sealed(shop: FlightShop) -> None:
    order = shop.ordered()
    assert shop.change(order["id"], shop.options(order)[0]).status == 200
    assert [name for name in NAMES if name in rows()] == []
    assert shop.read(order["id"])["passengers"][0]["firstName"] == PASSENGER["firstName"]


def test_without_its_wrapping_key_a_booking_reads_as_redacted(shop: FlightShop, settings) -> None:
    offer = shop.offer()
    order = shop.order(offer, "the-key-of-it").body
    keys = settings.FIELD_ENCRYPTION_KEYS
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    read = shop.read(order["id"])
    nobody = {"email": "redacted", "phone": "redacted"}
    assert (read["redacted"], read["passengers"], read["contact"]) == (True, [], nobody)
    assert shop.order(offer, "the-key-of-it").status == 409
    assert shop.cancel(order["id"]).status == 200
    settings.FIELD_ENCRYPTION_KEYS = keys
    assert shop.read(order["id"])["passengers"][0]["lastName"] == PASSENGER["lastName"]


def test_each_booking_has_a_key_of_its_own(shop: FlightShop) -> None:
    first, second = (Booking.objects.get(pk=shop.ordered()["id"]) for _ in range(2))
    assert travellers.data_key(first) != travellers.data_key(second)
    first.details = {**first.details, travellers.SEALED: second.details[travellers.SEALED]}
    assert OrderDetails.of(first).passengers == ()


def test_a_change_that_nobody_can_read_keeps_what_is_sealed(shop: FlightShop, settings) -> None:
    order = shop.ordered()
    option = shop.options(order)[0]
    keys = settings.FIELD_ENCRYPTION_KEYS
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    assert shop.change(order["id"], option).status == 200
    assert settle_owed() == 1
    assert shop.read(order["id"])["redacted"] is True
    settings.FIELD_ENCRYPTION_KEYS = keys
    read = shop.read(order["id"])
    assert (read["passengers"][0]["lastName"], read["contact"]) == (PASSENGER["lastName"], CONTACT)


def test_an_answer_whose_key_is_destroyed_is_gone(shop: FlightShop) -> None:
    offer = shop.offer()
    shop.order(offer, "the-key-of-it")
    stored = IdempotencyRecord.objects.get(key="the-key-of-it").body
    assert stored is not None
    assert travellers.opened_answer(stored) is not None
    TravellerKey.objects.all().delete()
    assert travellers.opened_answer(stored) is None


FEW = 3
"""Bookings of each product."""
PATHS = {"hbk": "hotels/bookings", "ford": "flights/orders", "tord": "transfers/orders"}
RATES = {"SEARCH": 10**6, "BOOKING": 10**6, "READ": 10**6}


class Canary:
    """A traveller whom no other text resembles."""

    def __init__(self, number: int) -> None:
        self.first, self.last = f"Kanari{letters(number)}", f"Vogelx{letters(number)}"
        self.mail, self.phone = f"kanari{number}x@voliere.example", f"+3519{number:08d}"
        self.born = f"19{60 + number % 40:02d}-{1 + number % 12:02d}-{1 + number // 12 % 28:02d}"
        self.note = f"Notekanari{letters(number)}"
        self.passport = f"KX{number:05d}VOGEL"
        self.account = f"FF{number:05d}KANARI"

    @property
    def contact(self) -> dict[str, str]:
        return {"email": self.mail, "phone": self.phone}

    @property
    def words(self) -> list[str]:
        return [self.first, self.last, self.mail, self.phone, self.note, self.passport, self.account]

    @property
    def documents(self) -> list[dict[str, str]]:
        kept = {"number": self.passport, "issuingCountry": "PT", "expiresOn": "2040-01-31"}
        return [{"type": "passport", **kept}]


def letters(number: int) -> str:
    """A name may have no digits."""
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:05d}")


@pytest.fixture
def log() -> Iterator[list[str]]:
    """Every line that the process logs, whatever its level."""
    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(logging.Formatter().format(record))

    root, keep = logging.getLogger(), Keep()
    level, _ = root.level, root.addHandler(keep)
    root.setLevel(logging.DEBUG)
    yield lines
    root.setLevel(level)
    root.removeHandler(keep)


@pytest.fixture
def client() -> Api:
    redis.Redis.from_url(configured.REDIS_URL).flushdb()  # of other tests
    terms = Terms(name="Acme", currency="EUR", balance_cents=10**11, scopes=ENFORCED, rates=RATES)
    return Api(onboard_partner(terms).test_secret)


def booked(client: Api, each: int) -> dict[str, Canary]:
    """So many of each product, by their ids, all of them cancelled."""
    desk, shop, found = FrontDesk(client), FlightShop(client), {}
    rate = desk.rate()
    offer = next(one for one in shop.search() if "passport" in one["requirements"]["documentTypes"])
    quote = agency.an_offer(client)["quoteId"]
    for number in range(each):
        of_hotel, of_flight, of_transfer = (Canary(3 * number + place) for place in range(3))
        name = {"firstName": of_hotel.first, "lastName": of_hotel.last, "type": "adult"}
        reply = desk.book(rate, guests=[name], contact=of_hotel.contact, specialRequests=of_hotel.note)
        found[taken(reply)] = of_hotel
        passenger = {
            "title": "ms",
            "firstName": of_flight.first,
            "lastName": of_flight.last,
            "dateOfBirth": of_flight.born,
            "type": "adult",
            "identityDocuments": of_flight.documents,
            "loyaltyAccounts": [{"airline": offer["loyaltyProgrammes"][0], "number": of_flight.account}],
        }
        reply = shop.order(offer, passengers=[passenger], contact=of_flight.contact)
        found[taken(reply)] = of_flight
        lead = {"firstName": of_transfer.first, "lastName": of_transfer.last, **of_transfer.contact}
        reply = agency.order(client, quote, leadPassenger=lead, notes=of_transfer.note)
        found[taken(reply)] = of_transfer
    for booking_id, canary in found.items():
        reply = client.post(f"{path(booking_id)}/cancel", {"reason": f"{canary.note} is ill"})
        assert reply.status == 200, reply.body
    return found


def hash_of(booking_id: str, canary: Canary) -> str:
    """By which a search finds the booking, as a dump shows it."""
    booking = Booking.objects.get(pk=booking_id)
    return keyed_hash(folded(canary.last), context_of(booking.account_id, "test")).hex()


def found(canary: Canary) -> list[str]:
    """The ids of the bookings that a search for the last name finds."""
    account_id = Booking.objects.values_list("account_id", flat=True).distinct().get()
    return list(named([canary.last.upper()], [account_id], "test").values_list("pk", flat=True))


def taken(reply: Any) -> str:
    assert reply.status == 201, reply.body
    return str(reply.body["id"])


def path(booking_id: str) -> str:
    prefix = booking_id.partition("_")[0]
    return f"/v1/{PATHS[prefix]}/{booking_id}"


@pytest.mark.django_db(transaction=True)
def test_canaries_of_erased_bookings_are_nowhere(
    client: Api, log: list[str], settings: Any, request: pytest.FixtureRequest
) -> None:
    asked = int(request.config.getoption("--chaos-runs") or 0)
    canaries = booked(client, max(FEW, -(-asked // 3)))
    kept, *erased = canaries
    words = [word for booking_id in erased for word in canaries[booking_id].words]
    births = [canaries[booking_id].born for booking_id in erased if booking_id.startswith("ford")]
    assert writer.writer.flush()
    assert hits(words, in_redis()) == 0
    backup = dumped()
    reasons = [canaries[booking_id].note for booking_id in erased]
    assert hits(reasons, backup["bookings_booking"]) == len(reasons)  # what is looked for would be found

    hashes = [hash_of(booking_id, canaries[booking_id]) for booking_id in erased]
    assert hits(hashes, backup["bookings_travellerkey"]) == len(hashes)
    assert [found(canaries[each]) for each in canaries] == [[each] for each in canaries]

    for booking_id in erased:
        erase_travellers(booking=Booking.objects.get(pk=booking_id), erased_by=SUPPORT)
    assert hits(words + births + hashes, *dumped().values()) == 0
    assert [found(canaries[each]) for each in canaries] == [[kept], *([[]] * len(erased))]
    assert hits(words + births, in_redis(), "\n".join(log).encode()) == 0

    # The wrapping key is changed, and the old one destroyed: yesterday's backup with today's keys.
    old, new = settings.FIELD_ENCRYPTION_KEYS, Fernet.generate_key().decode()
    settings.FIELD_ENCRYPTION_KEYS = [new, *old]
    reencrypt()
    settings.FIELD_ENCRYPTION_KEYS = [new]
    assert found(canaries[kept]) == [kept]
    again = [hash_of(booking_id, canaries[booking_id]) for booking_id in erased]
    assert hits(again, *backup.values()) == 0
    keys_of_today = {"bookings_travellerkey": copied("bookings_travellerkey")}
    sealed = [word for word in words if word not in reasons]
    assert hits(sealed, *backup.values()) == 0
    restored(backup, "bookings_booking", "bookings_operation", "bookings_travellerkey")
    answers = [client.get(path(booking_id)).content for booking_id in canaries]
    assert hits(sealed + births, *answers) == 0

    # With the table of today's keys, those that were not erased are read again, and no other.
    restored(keys_of_today, "bookings_travellerkey")
    assert list(TravellerKey.objects.values_list("pk", flat=True)) == [kept]
    answers = [client.get(path(booking_id)).content for booking_id in canaries]
    assert hits(sealed + births, *answers[1:]) == 0
    assert hits([canaries[kept].last, canaries[kept].mail], answers[0]) == 2


@pytest.mark.django_db(transaction=True)
def test_numbers_of_passports_and_accounts_are_in_no_answer_log_or_row(client: Api, log: list[str]) -> None:
    """Also where the order is refused, read back or changed."""
    shop, canary = FlightShop(client), Canary(7)
    offer = next(
        one
        for one in shop.search()
        if "passport" in one["requirements"]["documentTypes"] and one["conditions"]["refundable"]
    )
    held = {"airline": offer["loyaltyProgrammes"][0], "number": canary.account}
    passenger = {**PASSENGER, "identityDocuments": canary.documents, "loyaltyAccounts": [held]}
    (wrong,) = ({**one, "number": f"{canary.passport}-{'x' * 20}"} for one in canary.documents)
    order = shop.order(offer, passengers=[passenger])
    replies = [
        order,
        shop.order(offer, passengers=[{**passenger, "identityDocuments": [wrong]}]),
        shop.order(offer, passengers=[{**passenger, "identityDocuments": canary.documents * 2}]),
        shop.order(offer, passengers=[{**passenger, "loyaltyAccounts": [{**held, "airline": "A0"}]}]),
        shop.order(offer, passengers=[{**passenger, "dateOfBirth": "2020-01-01"}]),
        shop.order(offer, passengers=[passenger], X_Partner_Customer_Ref="sbx_supplier_error"),
        shop.change(taken(order), shop.options(order.body)[0]),
        client.get(path(taken(order))),
    ]
    assert [reply.status for reply in replies] == [201, 400, 400, 400, 400, 502, 200, 200]
    assert writer.writer.flush()
    written = dumped()
    looked_for = [order.body["id"], '"type": "passport"']
    assert hits(looked_for, written["request_log_loggedcall"]) == 2  # what is kept would be found
    numbers = [canary.passport, canary.account]
    assert hits(numbers, *written.values(), in_redis(), "\n".join(log).encode()) == 0
    assert hits(numbers, *(reply.content for reply in replies)) == 0
    assert hits(['"numberLastFour":"OGEL"', '"numberLastFour":"NARI"'], replies[-1].content) == 2
