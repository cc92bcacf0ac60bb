"""Product × operation: what begins a sale of a product that is not sold answers 403; what was booked before goes on."""

import re
from typing import Any

import pytest

from apps.common.environments import Environment
from apps.gateway.openapi import document, offered_document
from apps.keys.scopes import GRANTABLE
from tests.contract.attempts import Attempt
from tests.support.operations import Operation, operation_of, partner_operations
from tests.support.products_off import DEPLOYMENTS, PRODUCTS, all_but, sell_all_but

pytestmark = pytest.mark.django_db

OPERATIONS = [pytest.param(operation, id=operation.route.id) for operation in partner_operations()]
OF_A_BOOKING = re.compile(r"/(bookings|orders)(/\{\w+\}.*)?$")
AFTER_SALE = {
    *("listHotelBookings", "getHotelBooking", "cancelHotelBooking", "quoteHotelCancellation"),
    "correctHotelGuest",
    "requestEsimRefund",
    *("findHotelChangeOptions", "changeHotelBooking"),
    *(
        "getHotelBookingDocument",
        "getFlightOrderDocument",
        "getTransferOrderDocument",
        "getEsimOrderDocument",
    ),
    *(
        "listFlightOrders",
        "getFlightOrder",
        "cancelFlightOrder",
        "quoteFlightCancellation",
        "listFlightChangeOptions",
        "changeFlightOrder",
    ),
    "acceptFlightScheduleChange",
    *("listFlightOrderServices", "addFlightOrderServices"),
    *("listTransferOrders", "getTransferOrder", "cancelTransferOrder", "quoteTransferCancellation"),
    *("listEsimOrders", "getEsimOrder", "getEsimUsage", "getEsimInstructions"),
}


def product_of(operation: Operation) -> str:
    part = operation.path.split("/")[2]
    return part if part in PRODUCTS else ""


def answer(
    operation: Operation, *, settings: dict[str, Any] | None = None, **key: Any
) -> tuple[int, str, str | None]:
    """Status, error type and product of a call that is else all right."""
    attempt = Attempt(operation, settings=settings or {})
    attempt.change_key(**key)
    response = attempt.send()
    error = response.json().get("error", {}) if response.content else {}
    return response.status_code, error.get("type", ""), error.get("product")


def test_reading_and_cancelling_what_was_booked_is_no_sale() -> None:
    """The table, once by hand: whoever adds an operation says here whether it sells."""
    kept = {each.route.id for each in partner_operations() if each.route.scope and each.route.after_sale}
    assert kept == AFTER_SALE
    sells = {each.route.id for each in partner_operations() if each.route.sells}
    assert sells == {each.route.id for each in partner_operations() if product_of(each)} - AFTER_SALE
    assert [
        each.path
        for each in partner_operations()
        if each.route.after_sale and not OF_A_BOOKING.search(each.path)
    ] == []


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_operation_is_refused_exactly_where_its_product_is_not_sold(
    operation: Operation, supplier_calls: list[str]
) -> None:
    product, name = product_of(operation), operation.route.id
    as_always = answer(operation)
    assert as_always[0] not in {401, 403}
    del supplier_calls[:]
    for absent in DEPLOYMENTS.values():
        deployment = {"SUPPLIERS": all_but(*absent)}
        if product in absent and name not in AFTER_SALE:
            assert answer(operation, settings=deployment) == (403, "product_not_offered", product)
            # No key can have the scope, so it is not what is told.
            others = [scope for scope in GRANTABLE if scope != operation.route.scope]
            assert answer(operation, settings=deployment, scopes=others)[1] == "product_not_offered"
            assert supplier_calls == []
        elif len(absent) > 1:  # with one product off it is no different
            assert answer(operation, settings=deployment) == as_always
            del supplier_calls[:]


@pytest.mark.parametrize(
    "operation_id", ["searchHotels", "createFlightOrder", "searchTransfers", "listEsimPlans"]
)
def test_live_keys_get_nothing_from_the_simulator(operation_id: str, supplier_calls: list[str]) -> None:
    operation = operation_of(operation_id)
    live, unsimulated = {"environment": Environment.LIVE}, {"SIMULATE_LIVE_KEYS": False}
    assert answer(operation, **live)[1] != "product_not_offered"
    del supplier_calls[:]
    refused = (403, "product_not_offered", product_of(operation))
    assert answer(operation, settings=unsimulated, **live) == refused
    assert supplier_calls == []
    assert answer(operation, settings=unsimulated)[0] != 403


@pytest.mark.parametrize("deployment", DEPLOYMENTS)
def test_the_document_tells_of_what_is_sold(deployment: str, settings: Any) -> None:
    whole = document()
    assert offered_document() is whole
    sell_all_but(settings, *DEPLOYMENTS[deployment])
    shown = offered_document()
    sold = [product for product in PRODUCTS if product not in DEPLOYMENTS[deployment]]
    parts = {path.split("/")[2] for path in shown["paths"] if path.startswith("/v1/")}
    common = ("account", "bookings", "events", "operations", "places", "trips", "webhooks", "ping")
    assert parts == {*sold, *common}
    assert {tag["name"] for tag in shown["tags"]} == {*parts, "health"}
    assert shown["webhooks"] == whole["webhooks"]
    defined = set(shown["components"]["schemas"])
    told = str(shown)
    assert set(re.findall(r"#/components/schemas/(\w+)", told)) == defined
    assert defined < set(whole["components"]["schemas"])
    first = shown["info"]["summary"].partition(" ")[0].strip(",").lower()
    assert first == sold[0]
