"""A rate as it was quoted, and the trigger that makes it expire."""

from tests.hotels.front_desk import FrontDesk


def test_a_rate_expires_where_the_sandbox_is_asked_for_it_and_is_there_all_the_same(desk: FrontDesk) -> None:
    rate = desk.rate()
    path = f"/v1/hotels/rates/{rate['rateId']}"
    refused = desk.api.get(path, X_Partner_Customer_Ref="sbx_offer_expired")
    assert (refused.status, refused.error_type) == (410, "offer_expired")
    assert refused.headers["X-Sandbox-Trigger"] == "sbx_offer_expired"
    read = desk.api.get(path)
    assert (read.status, read.body["rateId"], read.body["totalCents"]) == (
        200,
        rate["rateId"],
        rate["totalCents"],
    )
