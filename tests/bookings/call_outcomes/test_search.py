"""What the portal finds beside what a key tells."""

import pytest

from apps.bookings.call_outcomes.search import outcomes_of
from apps.keys.models import ApiKey
from tests.bookings.rows import a_booking, an_operation
from tests.factories.gateway import api_of_new_partner

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> ApiKey:
    api_of_new_partner()
    return ApiKey.objects.get()


def found(key: ApiKey, text: str) -> list[tuple[str, str, str]]:
    outcomes = outcomes_of(key.account_id, "test", text)
    return [(each.key, each.verdict.state, each.verdict.next.action) for each in outcomes]


def test_what_began_under_no_key_is_judged_by_itself(key: ApiKey) -> None:
    booking = a_booking(key, external_reference="trip-1")
    an_operation(booking, state="confirmed", request_id="one", next_attempt_at=None)
    an_operation(booking, kind="cancel", state="failed", request_id="two", next_attempt_at=None)
    assert found(key, "trip-1") == [
        ("", "failed", "retry_same_key"),
        ("", "done", "read_booking"),
    ]


@pytest.mark.parametrize("text", ["", "x", "a\x00bcdefgh", "trip-2", "é" * 20])
def test_what_names_nothing_finds_nothing(key: ApiKey, text: str) -> None:
    a_booking(key, external_reference="trip-1")
    assert found(key, text) == []
