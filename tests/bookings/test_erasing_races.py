"""Erasing beside a cancellation and beside itself: real threads and transactions."""

from functools import partial

import pytest

from apps.accounts.actors import SUPPORT
from apps.accounts.models import AccountAuditEntry
from apps.bookings.erasure import erase_travellers
from apps.bookings.models import Booking, TravellerKey
from apps.common.errors import Conflict
from tests.support.flight_shop import CONTACT, FlightShop
from tests.support.threads import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 4


def erase(order_id: str) -> str:
    try:
        return str(erase_travellers(booking=Booking.objects.get(pk=order_id), erased_by=SUPPORT))
    except Conflict:
        return "refused"


def test_beside_a_cancellation_nothing_is_half_done(shop: FlightShop) -> None:
    """Whoever is first: the order is cancelled, and it is erased as a whole or not at all."""
    orders = [shop.ordered()["id"] for _ in range(ROUNDS)]
    for order_id in orders:
        done = all_at_once([partial(erase, order_id), partial(shop.cancel, order_id)])
        assert [reply.status for reply in done if not isinstance(reply, str)] == [200]
        whole = shop.read(order_id)
        assert whole["status"] == "cancelled"
        assert ("redacted" in whole) == (whole["passengers"] == []) == (whole["contact"] != CONTACT)
        assert ("redacted" in whole) != TravellerKey.objects.filter(pk=order_id).exists()
        assert erase(order_id) in {"True", "False"}
        assert shop.read(order_id)["redacted"] is True


def test_erasing_at_once_is_done_once(shop: FlightShop) -> None:
    order_id = shop.ordered()["id"]
    shop.cancel(order_id)
    assert sorted(all_at_once([partial(erase, order_id)] * 4)) == ["False", "False", "False", "True"]
    assert AccountAuditEntry.objects.filter(action="bookings.travellers_erased").count() == 1
