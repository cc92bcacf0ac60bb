"""Handles: whose they are, what they stand for, and to the second when they end."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from apps.bookings.models import Booking
from apps.common import clock
from apps.common.errors import OfferExpired
from apps.flights.models import FlightChangeSearch, FlightSearch
from apps.flights.selectors import quoted_change, quoted_offer
from apps.flights.suppliers.base import ChangeOption, FlightOffer, Passengers
from apps.keys import authentication
from apps.keys.partner import Partner
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.values import from_json, to_json
from tests.flights.desk import Desk

StopClock = Callable[[datetime], None]
A_SECOND = timedelta(seconds=1)
LIVES = [(-A_SECOND, True), (timedelta(0), False), (A_SECOND, False)]


@pytest.fixture
def caller(partner: Onboarded) -> Partner:
    return caller_of(partner.test_secret)


def caller_of(secret: str | None) -> Partner:
    found = authentication.look_up(secret or "")
    assert isinstance(found, Partner)
    return found


def is_quoted(caller: Partner, offer_id: str) -> bool:
    try:
        return quoted_offer(caller, offer_id).id == offer_id
    except OfferExpired:
        return False


def is_option(caller: Partner, order: Booking, change_id: str) -> bool:
    try:
        return quoted_change(caller, order, change_id).id == change_id
    except OfferExpired:
        return False


def test_a_handle_stands_for_the_offer_at_its_place(desk: Desk, caller: Partner) -> None:
    found = desk.searched(passengers={"adults": 2, "infants": 1}, limit=5)
    row = FlightSearch.objects.get()
    assert found["offers"]
    for place, offer in enumerate(found["offers"]):
        quoted = quoted_offer(caller, offer["offerId"])
        assert (quoted.search_id, quoted.position, quoted.supplier_name) == (row.id, place, "simulator")
        assert quoted.offer == from_json(FlightOffer, row.offers[place])
        assert (quoted.offer.total_cents, quoted.markup_bp) == (offer["totalCents"], 1000)
        assert (quoted.passengers, quoted.expires_at) == (Passengers(2, 0, 1), row.expires_at)


def test_a_price_quoted_anew_replaces_the_first_at_its_place_alone(desk: Desk, caller: Partner) -> None:
    first, second = desk.searched(limit=2)["offers"]
    FlightSearch.objects.update(repriced={"1": 4_321})
    assert quoted_offer(caller, first["offerId"]).offer.total_cents == first["totalCents"]
    assert quoted_offer(caller, second["offerId"]).offer.total_cents == 4_321


def test_what_was_never_given_out_is_expired(desk: Desk, caller: Partner) -> None:
    first, *_, last = (offer["offerId"] for offer in desk.searched(limit=20)["offers"])
    unknown = first.replace("offer_", "offer_0")[:-1]
    behind_the_last = last[:-2] + "0n"  # the place after 0m, the twentieth being 0k
    for handle in (
        "",
        "offer_",
        first[:-1],
        first.upper(),
        first + "0",
        first[:-2] + "zz",
        unknown,
        behind_the_last,
    ):
        assert not is_quoted(caller, handle), handle
    assert is_quoted(caller, first)


def test_a_handle_of_another_kind_is_no_offer(desk: Desk, caller: Partner) -> None:
    offer = desk.offer()["offerId"]
    for kind in ("rate", "quote", "change", "slice", "fsr"):
        assert not is_quoted(caller, offer.replace("offer_", f"{kind}_"))
    assert is_quoted(caller, offer)


def test_a_handle_is_its_accounts_and_environments_alone(
    desk: Desk, live: Desk, stranger: Desk, partner: Onboarded, caller: Partner
) -> None:
    tested, real = desk.offer()["offerId"], live.offer()["offerId"]
    lively, foreign = caller_of(partner.live_secret), caller_of(stranger.api.secret)
    seen = [[is_quoted(who, offer) for who in (caller, lively, foreign)] for offer in (tested, real)]
    assert seen == [[True, False, False], [False, True, False]]


@pytest.mark.parametrize(("later", "lives"), LIVES)
def test_an_offer_ends_twenty_minutes_after_its_search(
    desk: Desk, caller: Partner, at: StopClock, later: timedelta, lives: bool
) -> None:
    offer = desk.offer()["offerId"]
    row = FlightSearch.objects.get()
    assert row.expires_at == row.created_at + timedelta(minutes=20)
    at(row.expires_at + later)
    assert is_quoted(caller, offer) is lives


@pytest.mark.parametrize(("later", "lives"), LIVES)
def test_an_offer_ends_when_the_airline_says_although_its_search_lives_on(
    desk: Desk, caller: Partner, at: StopClock, later: timedelta, lives: bool
) -> None:
    first, second = (offer["offerId"] for offer in desk.searched(limit=2)["offers"])
    row = FlightSearch.objects.get()
    ends = row.created_at + timedelta(minutes=5)
    row.offers[0] = to_json(replace(from_json(FlightOffer, row.offers[0]), expires_at=ends))
    row.save()
    at(ends + later)
    assert (is_quoted(caller, first), is_quoted(caller, second)) == (lives, True)


def test_a_change_id_stands_for_the_option_at_its_place(desk: Desk, caller: Partner) -> None:
    order = desk.ordered()
    options = desk.options_of(order)
    row, booking = FlightChangeSearch.objects.get(), Booking.objects.get()
    assert options
    for place, option in enumerate(options):
        quoted = quoted_change(caller, booking, option["changeId"])
        assert quoted.slice_id == order["slices"][0]["sliceId"]
        assert quoted.option == from_json(ChangeOption, row.options[place])
        assert quoted.option.difference_cents == option["differenceCents"]


def test_a_change_id_is_good_for_its_own_order_alone(desk: Desk, caller: Partner) -> None:
    order, other = desk.ordered(), desk.ordered()
    option = desk.options_of(order)[0]["changeId"]
    theirs = Booking.objects.get(pk=other["id"])
    assert not is_option(caller, theirs, option)
    ours = Booking.objects.get(pk=order["id"])
    for unknown in ("", option[:-2] + "zz", option[:-1], option.replace("change_", "offer_")):
        assert not is_option(caller, ours, unknown), unknown
    assert is_option(caller, ours, option)


@pytest.mark.parametrize(("later", "lives"), LIVES)
def test_an_option_ends_twenty_minutes_after_it_was_priced(
    desk: Desk, caller: Partner, at: StopClock, later: timedelta, lives: bool
) -> None:
    option = desk.options_of(desk.ordered())[0]
    row = FlightChangeSearch.objects.get()
    assert row.expires_at == row.created_at + timedelta(minutes=20)
    assert option["expiresAt"] == clock.rfc3339(row.expires_at)
    at(row.expires_at + later)
    assert is_option(caller, Booking.objects.get(), option["changeId"]) is lives


@pytest.mark.parametrize(("later", "lives"), LIVES)
def test_an_option_ends_when_the_airline_says(
    desk: Desk, caller: Partner, at: StopClock, later: timedelta, lives: bool
) -> None:
    first, second, *_ = (option["changeId"] for option in desk.options_of(desk.ordered()))
    row = FlightChangeSearch.objects.get()
    ends = row.created_at + timedelta(minutes=5)
    row.options[0] = to_json(replace(from_json(ChangeOption, row.options[0]), expires_at=ends))
    row.save()
    at(ends + later)
    booking = Booking.objects.get()
    assert (is_option(caller, booking, first), is_option(caller, booking, second)) == (lives, True)
