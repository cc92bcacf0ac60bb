"""Changes that are refused: options that ended, orders that may not be changed, funds that do not cover them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.accounts.models import Account, AccountStatus
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking, Operation
from apps.common.errors import Conflict
from apps.flights import views
from apps.flights.models import FlightChangeSearch
from apps.flights.services.change import change_flight
from apps.flights.suppliers.base import ChangeOption
from apps.gateway.requests import Caller
from apps.onboarding.services.onboard_partner import Onboarded
from apps.suppliers.errors import Expired, NotPossible, Rejected, SupplierError
from apps.suppliers.values import from_json, to_json
from tests.factories.gateway import partner_of
from tests.flights.desk import BALANCE_CENTS, Desk, a_partner, desk_of, funds, refusal, without
from tests.support.scripted_flights import ScriptedFlights

CONFLICT, EXPIRED = (409, "conflict"), (410, "offer_expired")


def test_an_option_for_what_the_order_no_longer_is_has_expired(desk: Desk, partner: Onboarded) -> None:
    order = desk.ordered()
    first, *_, last = desk.options_of(order)
    changed = desk.changed(order, last)
    after = funds(partner)
    assert refusal(desk.confirm(order, first)) == EXPIRED
    assert (desk.read(order["id"]), funds(partner)) == (changed, after)


def test_what_is_said_of_an_expired_option_leads_to_another_one(desk: Desk) -> None:
    order = desk.ordered()
    first, *_, last = desk.options_of(order)
    by_trigger = desk.confirm(order, first, X_Partner_Customer_Ref="sbx_offer_expired")
    desk.changed(order, last)
    for reply in (by_trigger, desk.confirm(order, first), desk.confirm(order, {"changeId": "change_x"})):
        assert refusal(reply) == EXPIRED
        assert "ask for change-options again" in reply.error["message"]


@pytest.mark.parametrize(("past", "status"), [(timedelta(seconds=-1), 200), (timedelta(seconds=1), 410)])
@pytest.mark.parametrize("minutes", [5, 20], ids=["the airline's end", "ours"])
def test_an_option_can_be_confirmed_to_the_second_it_ends(
    desk: Desk, airline: ScriptedFlights, at: Callable[..., None], minutes: int, past: timedelta, status: int
) -> None:
    order = desk.ordered()
    dearer = desk.options_of(order)[-1]
    row = FlightChangeSearch.objects.get()
    ends = row.created_at + timedelta(minutes=minutes)
    row.options = to_json(
        [replace(from_json(ChangeOption, option), expires_at=ends) for option in row.options]
    )
    row.save()
    at(ends + past)
    assert desk.confirm(order, dearer).status == status
    assert airline.calls("change") == (status == 200)


def test_an_option_of_another_order_or_of_nobody_is_expired(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    order, other = desk.ordered(), desk.ordered()
    option = desk.options_of(other)[-1]
    before = funds(partner)
    offer = desk.offer()["offerId"]
    for change_id in (option["changeId"], "change_unknown", offer, offer.replace("offer_", "change_")):
        assert refusal(desk.confirm(order, {"changeId": change_id})) == EXPIRED
    assert (airline.calls("change"), funds(partner)) == (0, before)
    assert desk.confirm(other, option).status == 200


@pytest.mark.parametrize("status", ["pending", "cancelled", "failed"])
def test_an_order_that_is_not_ticketed_is_not_changed(
    desk: Desk, airline: ScriptedFlights, status: str
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[-1]
    Booking.objects.update(status=status)
    assert refusal(desk.confirm(order, option)) == CONFLICT
    assert (airline.calls("change"), Operation.objects.count()) == (0, 1)


def test_a_change_that_was_confirmed_since_the_order_was_read_is_not_made_again(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[-1]
    read, changed = views.booking_of, list[dict[str, Any]]()  # type: ignore[attr-defined]

    def slowly(*names: object) -> Booking:
        booking: Booking = read(*names)
        if not changed:
            changed.append({})
            changed.append(desk.changed(order, option))
        return booking

    monkeypatch.setattr(views, "booking_of", slowly)
    again = desk.confirm(order, option)
    assert (refusal(again), again.error["message"]) == (CONFLICT, "This change was already confirmed.")
    assert (airline.calls("change"), desk.read(order["id"])) == (1, changed[-1])


def test_that_a_change_was_confirmed_is_said_in_the_log_too(desk: Desk) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[-1]
    desk.changed(order, option)
    caller = Caller(partner_of(desk.api), "req_1")
    with pytest.raises(Conflict) as raised:
        change_flight(caller=caller, booking=Booking.objects.get(), change_id=option["changeId"])
    assert raised.value.own_texts == {"This change was already confirmed."}


@pytest.mark.parametrize(
    ("value", "refused"),
    [
        ("sbx_offer_expired", EXPIRED),
        ("sbx_payment_failed", (402, "payment_failed")),
        ("sbx_price_changed", (409, "price_changed")),
    ],
)
def test_a_change_is_refused_as_the_sandbox_is_asked_once_it_could_be_made(
    desk: Desk, airline: ScriptedFlights, value: str, refused: tuple[int, str]
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[-1]
    reply = desk.confirm(order, option, X_Partner_Customer_Ref=value)
    assert (refusal(reply), airline.calls("change")) == (refused, 0)
    if refused == (409, "price_changed"):
        assert (reply.error["previousTotalCents"], reply.error["currency"]) == (
            option["newTotalCents"],
            "EUR",
        )
    Booking.objects.update(status="cancelled")
    late = desk.confirm(order, option, X_Partner_Customer_Ref=value)
    assert refusal(late) == CONFLICT
    assert "X-Sandbox-Trigger" not in late.headers


def test_an_order_that_was_cancelled_since_it_was_read_is_not_changed(
    desk: Desk, airline: ScriptedFlights, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[-1]
    read = views.booking_of  # type: ignore[attr-defined]

    def slowly(*names: object) -> Booking:
        booking: Booking = read(*names)
        Booking.objects.update(status="cancelled")
        return booking

    monkeypatch.setattr(views, "booking_of", slowly)
    assert refusal(desk.confirm(order, option)) == CONFLICT
    assert (airline.calls("change"), Operation.objects.count()) == (0, 1)


@pytest.mark.parametrize("which", [0, -1], ids=["cheaper", "dearer"])
@pytest.mark.parametrize(
    ("error", "refused"),
    [(Rejected, (502, "upstream_error")), (Expired, EXPIRED), (NotPossible, CONFLICT)],
)
def test_a_change_that_the_airline_refuses_leaves_the_order_and_the_money(
    desk: Desk,
    airline: ScriptedFlights,
    partner: Onboarded,
    which: int,
    error: type[SupplierError],
    refused: tuple[int, str],
) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[which]
    airline.spoil("change", error())
    assert refusal(desk.confirm(order, option)) == refused
    assert (desk.read(order["id"]), settle_owed()) == (order, 0)
    assert funds(partner) == (BALANCE_CENTS - order["totalCents"], 0)
    assert desk.changed(order, option)["totalCents"] == option["newTotalCents"]


def test_a_cost_that_is_not_covered_keeps_the_airline_out_of_it(db: None, airline: ScriptedFlights) -> None:
    quote = desk_of(a_partner().test_secret).flexible()["totalCents"]
    poor = a_partner(balance_cents=quote + 1)
    desk = desk_of(poor.test_secret)
    order = desk.ordered(desk.flexible())
    cheaper, *_, dearer = desk.options_of(order)
    reply = desk.confirm(order, dearer)
    assert refusal(reply) == (402, "insufficient_funds")
    assert without(reply.error, "type", "message", "requestId") == {
        "availableCents": 1,
        "requiredCents": dearer["differenceCents"],
        "currency": "EUR",
    }
    assert (airline.calls("change"), funds(poor), desk.read(order["id"])) == (0, (1, 0), order)
    assert desk.confirm(order, cheaper).status == 200


def test_an_account_stopped_since_the_key_was_looked_at_is_refused_with_402_and_may_try_again(
    desk: Desk, airline: ScriptedFlights, partner: Onboarded
) -> None:
    order = desk.ordered()
    dearer = desk.options_of(order)[-1]
    own = Account.objects.filter(pk=partner.account.pk)
    own.update(status=AccountStatus.SUSPENDED)  # and no process has heard of it
    reply = desk.confirm(order, dearer, "one-and-the-same")
    assert (refusal(reply), airline.calls("change")) == ((402, "account_not_active"), 0)
    own.update(status=AccountStatus.ACTIVE)
    assert desk.confirm(order, dearer, "one-and-the-same").status == 200


def test_orders_of_others_cannot_be_changed(desk: Desk, live: Desk, stranger: Desk) -> None:
    order = desk.ordered()
    option = desk.options_of(order)[-1]
    for other in (live, stranger):
        assert (
            refusal(other.confirm(order, option)) == refusal(other.ask_options(order)) == (404, "not_found")
        )
    assert desk.read(order["id"]) == order
