"""A deployment that changes its supplier still speaks to the former one of what was sold there."""

import pytest
from django.conf import settings
from django.test import override_settings

from apps.bookings.models import Booking
from apps.suppliers.errors import Unavailable
from apps.suppliers.registry import choose
from apps.suppliers.vendors import Vendor
from tests.factories.gateway import api_of_new_partner
from tests.flights.suppliers.duffel.live import live_keys_at_duffel
from tests.support.flight_shop import FlightShop


@pytest.mark.django_db(transaction=True)
def test_what_was_sold_at_the_former_supplier_is_cancelled_there():
    with live_keys_at_duffel():
        shop = FlightShop(api_of_new_partner(environment="live", cents=5_000_000))
        order, offer = shop.ordered(), shop.offer()
        # The `settings` fixture would end after the block around it, and leave the stand-in's settings to the tests that follow.
        with override_settings(SUPPLIERS={**settings.SUPPLIERS, "flights": {"live": "simulator"}}):
            late = shop.order(offer)
            fresh = shop.ordered()
            cancelled = shop.cancel(order["id"])
    assert (cancelled.status, cancelled.body["status"]) == (200, "cancelled")
    assert (late.status, late.body["supplier"]["name"]) == (201, "duffel")
    assert fresh["supplier"]["name"] == "simulator"
    assert set(Booking.objects.values_list("supplier_name", flat=True)) == {"duffel", "simulator"}


def test_a_supplier_that_this_release_does_not_know_is_not_reached():
    with pytest.raises(Unavailable):
        choose("flights", "live", {"simulator": Vendor("simulator", object)}, named="retired")
