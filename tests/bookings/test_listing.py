"""The listings of bookings: what narrows them, and whose cursor is whose."""

from apps.bookings.listing import list_parameters
from tests.support.api import Api
from tests.support.flight_shop import FlightShop

ORDERS = "/v1/flights/orders"


def test_an_external_reference_has_a_character_at_least() -> None:
    schemas = {parameter.name: parameter.schema for parameter in list_parameters(("confirmed",))}
    assert list(schemas) == ["limit", "cursor", "externalReference", "status", "updatedSince"]
    assert (schemas["externalReference"]["minLength"], schemas["status"]["enum"]) == (1, ["confirmed"])


def test_a_cursor_goes_on_with_the_listing_and_the_filters_it_came_from(shop: FlightShop, api: Api) -> None:
    offer = shop.offer()
    made = [shop.order(offer).body["id"] for _ in range(2)]
    first = api.get(f"{ORDERS}?limit=1&status=ticketed").body
    assert [order["id"] for order in first["data"]] == [made[1]]
    cursor = first["nextCursor"]
    rest = api.get(f"{ORDERS}?limit=1&status=ticketed&cursor={cursor}").body
    assert ([order["id"] for order in rest["data"]], rest["hasMore"]) == ([made[0]], False)
    assert api.get(f"{ORDERS}?limit=1&cursor={cursor}").error_type == "invalid_request"
    assert api.get(f"/v1/hotels/bookings?limit=1&status=confirmed&cursor={cursor}").status == 400
