"""Names, birth dates and contacts of erased bookings are nowhere: not in a dump, the logs or Redis, nor in a backup of before.

The suite erases a few bookings of each product; `--chaos-runs=1000` a thousand in all.
"""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from cryptography.fernet import Fernet
from django.conf import settings as configured

from apps.accounts.actors import SUPPORT
from apps.bookings.erasure import erase_travellers
from apps.bookings.models import Booking, TravellerKey
from apps.common.encryption import reencrypt
from apps.keys.scopes import ENFORCED
from apps.onboarding.services.onboard_partner import Terms, onboard_partner
from apps.request_log.writer import writer
from tests.bookings.travellers.dumped import copied, dumped, hits, in_redis, restored
from tests.hotels.front_desk import FrontDesk
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.transfers import agency

pytestmark = pytest.mark.django_db(transaction=True)

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

    @property
    def contact(self) -> dict[str, str]:
        return {"email": self.mail, "phone": self.phone}

    @property
    def words(self) -> list[str]:
        return [self.first, self.last, self.mail, self.phone, self.note]


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
def api() -> Api:
    redis.Redis.from_url(configured.REDIS_URL).flushdb()  # of other tests
    terms = Terms(name="Acme", currency="EUR", balance_cents=10**11, scopes=ENFORCED, rates=RATES)
    return Api(onboard_partner(terms).test_secret)


def booked(api: Api, each: int) -> dict[str, Canary]:
    """So many of each product, by their ids, all of them cancelled."""
    desk, shop, found = FrontDesk(api), FlightShop(api), {}
    rate, offer = desk.rate(), shop.offer()
    quote = agency.an_offer(api)["quoteId"]
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
        }
        reply = shop.order(offer, passengers=[passenger], contact=of_flight.contact)
        found[taken(reply)] = of_flight
        lead = {"firstName": of_transfer.first, "lastName": of_transfer.last, **of_transfer.contact}
        reply = agency.order(api, quote, leadPassenger=lead, notes=of_transfer.note)
        found[taken(reply)] = of_transfer
    for booking_id, canary in found.items():
        reply = api.post(f"{path(booking_id)}/cancel", {"reason": f"{canary.note} is ill"})
        assert reply.status == 200, reply.body
    return found


def taken(reply: Any) -> str:
    assert reply.status == 201, reply.body
    return str(reply.body["id"])


def path(booking_id: str) -> str:
    prefix = booking_id.partition("_")[0]
    return f"/v1/{PATHS[prefix]}/{booking_id}"


def test_canaries_of_erased_bookings_are_nowhere(
    api: Api, log: list[str], settings: Any, request: pytest.FixtureRequest
) -> None:
    asked = int(request.config.getoption("--chaos-runs") or 0)
    canaries = booked(api, max(FEW, -(-asked // 3)))
    kept, *erased = canaries
    words = [word for booking_id in erased for word in canaries[booking_id].words]
    births = [canaries[booking_id].born for booking_id in erased if booking_id.startswith("ford")]
    assert writer.flush()
    assert hits(words, in_redis()) == 0
    backup = dumped()
    reasons = [canaries[booking_id].note for booking_id in erased]
    assert hits(reasons, backup["bookings_booking"]) == len(reasons)  # what is looked for would be found

    for booking_id in erased:
        erase_travellers(booking=Booking.objects.get(pk=booking_id), erased_by=SUPPORT)
    assert hits(words + births, *dumped().values()) == 0
    assert hits(words + births, in_redis(), "\n".join(log).encode()) == 0

    # The wrapping key is changed, and the old one destroyed: yesterday's backup with today's keys.
    old, new = settings.FIELD_ENCRYPTION_KEYS, Fernet.generate_key().decode()
    settings.FIELD_ENCRYPTION_KEYS = [new, *old]
    reencrypt()
    settings.FIELD_ENCRYPTION_KEYS = [new]
    keys_of_today = {"bookings_travellerkey": copied("bookings_travellerkey")}
    sealed = [word for word in words if word not in reasons]
    assert hits(sealed, *backup.values()) == 0
    restored(backup, "bookings_booking", "bookings_operation", "bookings_travellerkey")
    answers = [api.get(path(booking_id)).content for booking_id in canaries]
    assert hits(sealed + births, *answers) == 0

    # With the table of today's keys, those that were not erased are read again, and no other.
    restored(keys_of_today, "bookings_travellerkey")
    assert list(TravellerKey.objects.values_list("pk", flat=True)) == [kept]
    answers = [api.get(path(booking_id)).content for booking_id in canaries]
    assert hits(sealed + births, *answers[1:]) == 0
    assert hits([canaries[kept].last, canaries[kept].mail], answers[0]) == 2
