"""The cheapest dates: what they say, what they count as, and what is refused."""

from itertools import groupby
from typing import Any

import pytest

from apps.accounts.models import Account
from apps.gateway.models import SearchQuotaDay, SearchUnit, SearchUsage
from apps.suppliers.errors import Rejected, Unavailable
from tests.gateway.searches import quota_of
from tests.hotels.front_desk import FrontDesk, faults, in_days
from tests.hotels.suppliers.scripted import ScriptedHotels
from tests.support.api import Api, Reply

LISBON = ["htl_2267057_00", "htl_2267057_03", "htl_2267057_05"]


def least(api: Api, key: str | None = None, trigger: str = "", **changes: Any) -> Reply:
    """Of three hotels in Lisbon for ten days; a number is so many days ahead, and None leaves out."""
    body = {"hotelIds": LISBON, "from": 30, "to": 39, **changes}
    body = {name: value for name, value in body.items() if value is not None}
    dated = {n: in_days(v) if n in ("from", "to") and isinstance(v, int) else v for n, v in body.items()}
    headers = {"X_Partner_Customer_Ref": trigger} if trigger else {}
    return api.post("/v1/hotels/min-rates", dated, key=key, **headers)


def test_each_day_has_each_hotels_least_price_the_cheapest_first(api: Api, desk: FrontDesk) -> None:
    rooms = [{"adults": 2, "childrenAges": [7]}, {"adults": 1}]
    reply = least(api, rooms=rooms, nights=3)
    rates = reply.body["data"]
    assert reply.status == 200
    assert reply.body["withheld"] == {"unreadable": 0}
    assert [day for day, _ in groupby(rate["checkIn"] for rate in rates)] == [
        in_days(n) for n in range(30, 40)
    ]
    assert rates == sorted(rates, key=lambda rate: (rate["checkIn"], rate["totalCents"]))
    for days in (30, 39):
        stay = {"checkIn": in_days(days), "checkOut": in_days(days + 3), "rooms": rooms}
        searched = {
            hotel["hotelId"]: min(rate["totalCents"] for rate in hotel["rates"])
            for hotel in desk.hotels({"hotelIds": LISBON, **stay})
        }
        assert {r["hotelId"]: r["totalCents"] for r in rates if r["checkIn"] == in_days(days)} == searched
    assert {rate["currency"] for rate in rates} == {"EUR"}


def test_a_destination_stands_for_its_best_known_hotels(api: Api) -> None:
    """Portugal's five largest cities have more than fifty here."""
    reply = least(api, hotelIds=None, destination={"countryCode": "PT"}, to=30)
    assert len({rate["hotelId"] for rate in reply.body["data"]}) == 50


def test_a_destination_without_hotels_costs_nothing(api: Api) -> None:
    reply = least(api, hotelIds=None, destination={"city": "Nowhere-upon-Avon"})
    assert (reply.status, reply.body["data"], quota_of(reply)) == (200, [], (5000, 5000, "false"))


@pytest.mark.parametrize(("days", "searches"), [(1, 1), (7, 1), (8, 2), (14, 2), (15, 3), (31, 5)])
def test_each_seven_days_begun_count_as_one_search_and_a_replay_is_free(
    api: Api, days: int, searches: int
) -> None:
    first, again = (least(api, to=29 + days, key="cheapest") for _ in range(2))
    assert (first.status, quota_of(first)) == (200, (5000, 5000 - searches, "true"))
    assert again.content == first.content
    assert quota_of(again) == (5000, 5000 - searches, "false")
    assert [usage.billable for usage in SearchUsage.objects.all()] == [searches]
    assert not SearchUnit.objects.exists()


def test_it_is_billed_beside_searches(api: Api, desk: FrontDesk) -> None:
    desk.search()
    least(api)
    assert [(usage.product, usage.billable) for usage in SearchUsage.objects.all()] == [("hotels", 3)]


def test_a_quota_with_too_few_left_is_exceeded_before_the_supplier_is_asked(
    api: Api, supplier_calls: list[str]
) -> None:
    Account.objects.update(search_quota=4)
    assert quota_of(least(api)) == (4, 2, "true")
    del supplier_calls[:]
    refused = least(api, to=50, key="too-much")
    assert (refused.status, refused.error_type, quota_of(refused)) == (
        429,
        "rate_limit_exceeded",
        (4, 2, "false"),
    )
    assert "counts as 3 searches" in refused.error["message"]
    assert supplier_calls == []
    assert quota_of(least(api, key="too-much")) == (4, 0, "true")
    assert quota_of(least(api, to=30)) == (4, 0, "false")


@pytest.mark.parametrize(("error", "status"), [(Unavailable, 503), (Rejected, 502)])
def test_where_no_day_has_an_answer_nothing_is_billed(
    api: Api, supplier: ScriptedHotels, monkeypatch: pytest.MonkeyPatch, error: type[Exception], status: int
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(supplier, "least_rates", fail)
    reply = least(api)
    assert (reply.status, quota_of(reply)) == (status, (5000, 5000, "false"))
    assert not SearchUsage.objects.exists()
    assert SearchQuotaDay.objects.get().used == 0


def test_the_sandbox_can_make_it_fail(api: Api) -> None:
    assert least(api, trigger="sbx_supplier_error").status == 502


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"to": 61}, ["to"]),
        ({"to": 29}, ["to"]),
        ({"from": -2}, ["from"]),
        ({"from": 541, "to": 541}, ["from", "to"]),
        ({"from": None}, ["from"]),
        ({"to": "2027-02-30"}, ["to"]),
        ({"hotelIds": [f"htl_{n}" for n in range(51)]}, ["hotelIds"]),
        ({"hotelIds": []}, ["hotelIds"]),
        ({"hotelIds": None}, ["hotelIds"]),
        ({"destination": {"city": "Lisbon"}}, ["destination"]),
        ({"hotelIds": None, "destination": {}}, ["destination"]),
        ({"nights": 31}, ["nights"]),
        ({"nights": 0}, ["nights"]),
        ({"rooms": []}, ["rooms"]),
        ({"guestNationality": "ZZ"}, ["guestNationality"]),
        ({"checkIn": "2027-02-03"}, ["checkIn"]),
    ],
)
def test_what_cannot_be_meant_names_its_field_and_takes_nothing(
    api: Api, changes: dict[str, Any], fields: list[str]
) -> None:
    reply = least(api, **changes)
    assert sorted(faults(reply)) == fields
    assert quota_of(reply) == (5000, 5000, "false")
    assert not SearchQuotaDay.objects.exists()


def test_the_longest_span_and_the_most_hotels_are_taken(api: Api) -> None:
    reply = least(api, to=60, hotelIds=[*LISBON, *(f"htl_{n}_00" for n in range(47))])
    assert len(reply.body["data"]) == 31 * len(LISBON)


def test_a_check_in_day_that_is_over_has_no_price(api: Api) -> None:
    assert {rate["checkIn"] for rate in least(api, **{"from": -1, "to": 1}).body["data"]} <= {
        in_days(0),
        in_days(1),
    }
