from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.common.metrics import AGES, Reading
from apps.ledger.models import Hold
from apps.ledger.money import NOTHING, hold, release
from apps.ledger.selectors import open_holds_by_age


def test_open_holds_are_counted_by_age_and_each_age_is_told(booking: dict[str, Any]) -> None:
    ended = hold(**booking, amount_cents=1, reference="op-1")
    release(hold_id=ended, trace=NOTHING)
    hold(**booking, amount_cents=2, reference="op-2")
    old = hold(**booking, amount_cents=3, reference="op-3")
    Hold.objects.filter(pk=old).update(created_at=clock.now() - timedelta(days=365))
    youngest, *middle, oldest = AGES
    assert list(open_holds_by_age()) == [
        Reading("holds_open", 1, {"age": youngest}),
        *(Reading("holds_open", 0, {"age": age}) for age in middle),
        Reading("holds_open", 1, {"age": oldest}),
    ]


@pytest.mark.django_db
def test_without_holds_there_is_a_zero_for_each_age() -> None:
    assert [reading.value for reading in open_holds_by_age()] == [0] * len(AGES)
