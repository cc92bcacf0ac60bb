"""What a refusal of Duffel does to a partner's money."""

from collections.abc import Callable

import pytest

from apps.bookings.flow.recover import recover_due
from apps.onboarding.services.onboard_partner import Onboarded
from tests.flights.desk import BALANCE_CENTS, Desk, funds, refusal
from tests.flights.suppliers.duffel import paths
from tests.flights.suppliers.duffel.stub import DuffelStub
from tests.flights.suppliers.duffel.wire import refusal_of
from tests.support.supplier_stub import Trouble

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("code", ["airline_unknown", "a_code_of_tomorrow"])
def test_an_airlines_error_whose_source_is_a_text_releases_no_money_of_an_order_that_stands(
    seller: Desk,
    at_duffel: DuffelStub,
    partner: Onboarded,
    move_clock: Callable[..., None],
    code: str,
) -> None:
    offer = seller.flexible()
    total = offer["totalCents"]
    status, body = refusal_of(code, status=422, type="airline_error", source="iberia")
    at_duffel.trouble("POST", paths.ORDERS, Trouble(status=status, body=body))
    assert refusal(seller.order(offer)) == (503, "upstream_unavailable")
    assert funds(partner, "live") == (BALANCE_CENTS - total, total)
    assert len(at_duffel.orders) == 1
    move_clock(minutes=1)
    recover_due()
    (order,) = seller.api.get("/v1/flights/orders").body["data"]
    assert (order["status"], order["totalCents"]) == ("ticketed", total)
    assert funds(partner, "live") == (BALANCE_CENTS - total, 0)
