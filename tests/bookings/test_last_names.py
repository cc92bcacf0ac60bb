"""Bookings are found by the last names of their travellers, whatever became of the booking; and no name can be read."""

from typing import Any

import pytest
from cryptography.fernet import Fernet

from apps.bookings.last_names import folded, named
from apps.bookings.models import Booking, TravellerKey
from apps.common.encryption import reencrypt
from apps.hotels.details import StayDetails
from apps.hotels.models import CorrectionStatus
from apps.hotels.services.correct_guest import decide
from tests.hotels.front_desk import LISBON, FrontDesk
from tests.support.api import Api
from tests.support.flight_shop import PASSENGER, FlightShop
from tests.transfers import agency

pytestmark = pytest.mark.django_db


def found(booking_id: str, name: str) -> bool:
    booking = Booking.objects.get(pk=booking_id)
    return named([name], [booking.account_id], booking.environment).filter(pk=booking_id).exists()


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Núñez", "NUNEZ"),
        ("Müller", "muller"),
        ("O’Brien", "obrien"),
        ("García-López", "garcia lopez"),
        ("van der Berg", "Van der Berg"),
        ("Sørensen", "sorensen"),
        ("Weiß", "WEISS"),
        ("Łukasz", "lukasz"),
    ],
)
def test_a_name_is_equal_but_for_case_accents_and_spaces(name: str, typed: str) -> None:
    assert folded(name) == folded(typed)


@pytest.mark.parametrize(("name", "typed"), [("Garcia", "Garci"), ("Li", "Lim"), ("Berg", "van der Berg")])
def test_a_name_is_compared_whole(name: str, typed: str) -> None:
    assert folded(name) != folded(typed)


def test_every_traveller_of_a_booking_finds_it_and_nothing_else_does(api: Api) -> None:
    desk = FrontDesk(api)
    guests = [
        {"firstName": "Ana", "lastName": "Prado", "type": "adult"},
        {"firstName": "Rui", "lastName": "Núñez", "type": "adult"},
    ]
    stay = desk.book(desk.rate({**LISBON, "rooms": [{"adults": 2}]}), guests=guests).body["id"]
    ride = agency.order(api, agency.an_offer(api)["quoteId"]).body
    flight = FlightShop(api).ordered()["id"]
    assert [found(stay, name) for name in ("prado", "NUNEZ", "Ana", "Rui Núñez")] == [
        True,
        True,
        False,
        False,
    ]
    assert found(ride["id"], ride["leadPassenger"]["lastName"])
    assert found(flight, PASSENGER["lastName"])


def test_equal_names_of_two_accounts_and_environments_have_different_hashes(
    api: Api, shop: FlightShop
) -> None:
    booking = Booking.objects.get(pk=shop.ordered()["id"])
    assert named([PASSENGER["lastName"]], [booking.account_id], "live").count() == 0
    assert named([PASSENGER["lastName"]], ["acc_of_a_stranger"], "test").count() == 0
    assert named([PASSENGER["lastName"]], [booking.account_id], "test").count() == 1


def test_a_corrected_name_finds_the_booking_once_it_is_made_and_the_old_one_no_more(api: Api) -> None:
    desk = FrontDesk(api)
    guest = {"firstName": "Ana", "lastName": "Prado", "type": "adult"}
    stay = desk.book(desk.rate(), guests=[guest]).body["id"]
    asked = api.post(
        f"/v1/hotels/bookings/{stay}/correct-guest", {"guest": 0, "firstName": "Ana", "lastName": "Prata"}
    )
    assert asked.status < 300, asked.body
    assert (found(stay, "Prado"), found(stay, "Prata")) == (True, False)
    booking = Booking.objects.get(pk=stay)
    correction = StayDetails.of(booking).correction
    assert correction is not None
    assert decide(booking, correction.client_ref, CorrectionStatus.DONE)
    assert (found(stay, "Prado"), found(stay, "Prata")) == (False, True)


def test_a_changed_booking_is_still_found(shop: FlightShop) -> None:
    order = shop.ordered()
    assert shop.change(order["id"], shop.options(order)[0]).status == 200
    assert found(order["id"], PASSENGER["lastName"])


def test_reencrypt_hashes_bookings_of_before_and_moves_hashes_to_a_new_key(
    shop: FlightShop, settings: Any
) -> None:
    first, second = (shop.ordered()["id"] for _ in range(2))
    part = "bookings.TravellerKey.last_names"
    TravellerKey.objects.filter(pk=first).update(last_names=None)
    assert (found(first, PASSENGER["lastName"]), reencrypt(write=False)[part].older) == (False, 1)
    assert [reencrypt(batch=1)[part].older for _ in range(2)] == [1, 0]
    assert found(first, PASSENGER["lastName"])

    old, new = settings.FIELD_ENCRYPTION_KEYS[0], Fernet.generate_key().decode()
    settings.FIELD_ENCRYPTION_KEYS = [new, old]
    assert found(second, PASSENGER["lastName"])
    assert [reencrypt()[part].older for _ in range(2)] == [2, 0]
    settings.FIELD_ENCRYPTION_KEYS = [new]
    assert (found(first, PASSENGER["lastName"]), found(second, PASSENGER["lastName"])) == (True, True)


def test_reencrypt_reports_names_that_it_cannot_read(shop: FlightShop, settings: Any) -> None:
    shop.ordered()
    TravellerKey.objects.update(last_names=None)
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    assert reencrypt()["bookings.TravellerKey.last_names"].unreadable == 1
