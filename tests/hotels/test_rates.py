"""GET /v1/hotels/rates/{rateId}."""

from collections.abc import Callable

import pytest

from tests.hotels.front_desk import FrontDesk, in_days
from tests.support.api import Api


def test_a_rate_is_read_as_it_was_quoted_without_asking_the_supplier(
    api: Api, desk: FrontDesk, supplier_calls: list[str]
) -> None:
    hotel = desk.hotels({"limit": 100})[99]
    supplier_calls.clear()
    for rate in hotel["rates"]:
        read = api.get(f"/v1/hotels/rates/{rate['rateId']}")
        assert read.status == 200
        assert read.body == {
            **rate,
            "hotel": {name: value for name, value in hotel.items() if name != "rates"},
            "checkIn": in_days(30),
            "checkOut": in_days(31),
            "rooms": [{"adults": 2, "childrenAges": [], **rate["rooms"][0]}],
        }
    assert supplier_calls == []
    assert "X-Search-Billable" not in read.headers


@pytest.mark.usefixtures("still_clock")
def test_a_rate_is_gone_after_twenty_minutes(
    api: Api, desk: FrontDesk, move_clock: Callable[..., None]
) -> None:
    path = f"/v1/hotels/rates/{desk.rate()['rateId']}"
    move_clock(minutes=19, seconds=55)
    assert api.get(path).status == 200
    move_clock(seconds=10)
    assert (api.get(path).status, api.get(path).error_type) == (410, "offer_expired")


@pytest.mark.parametrize(
    "rate_id", ["rate_x", "hsr_01kb2c0000000000000000000a", "offer_01kb2c0000000000000000000a00"]
)
def test_a_handle_that_was_never_given_is_expired(api: Api, rate_id: str) -> None:
    assert api.get(f"/v1/hotels/rates/{rate_id}").error_type == "offer_expired"


@pytest.mark.parametrize("position", ["03", "09", "0a", "zz"])
def test_a_place_where_no_rate_is_is_expired(api: Api, desk: FrontDesk, position: str) -> None:
    """The search has one hotel with three rates."""
    rate = desk.rate({"hotelIds": ["htl_2267057_00"]})
    assert api.get(f"/v1/hotels/rates/{rate['rateId'][:-2]}{position}").error_type == "offer_expired"


def test_a_rate_is_its_partners_alone(desk: FrontDesk, stranger: Api, live: Api) -> None:
    path = f"/v1/hotels/rates/{desk.rate()['rateId']}"
    assert desk.api.get(path).status == 200
    assert stranger.get(path).error_type == "offer_expired"
    assert live.get(path).error_type == "offer_expired"
