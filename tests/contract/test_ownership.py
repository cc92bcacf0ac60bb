"""Environment × resource: what belongs to another account, or to the account's other environment, is as good as unknown."""

from datetime import timedelta

import pytest

from apps.accounts.models import Account
from apps.common import clock
from apps.keys.scopes import GRANTABLE
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.api import Api
from tests.support.operations import operation_of, operations

pytestmark = pytest.mark.django_db

# What answers an id or handle that is not the caller's: 404 for things, 410 for handles that expire anyway.
NOT_YOURS = {
    "getHotelSearch": (404, "not_found"),
    "getHotelRate": (410, "offer_expired"),
    "createHotelBooking": (410, "offer_expired"),
    "getHotelBooking": (404, "not_found"),
    "getHotelBookingDocument": (404, "not_found"),
    "cancelHotelBooking": (404, "not_found"),
    "quoteHotelCancellation": (404, "not_found"),
    "correctHotelGuest": (404, "not_found"),
    "requestEsimRefund": (404, "not_found"),
    "findHotelChangeOptions": (404, "not_found"),
    "changeHotelBooking": (404, "not_found"),
    "getFlightSearch": (404, "not_found"),
    "repriceFlightOffer": (410, "offer_expired"),
    "listFlightOfferServices": (410, "offer_expired"),
    "getFlightOfferSeatMaps": (410, "offer_expired"),
    "createFlightOrder": (410, "offer_expired"),
    "getFlightOrder": (404, "not_found"),
    "getFlightOrderDocument": (404, "not_found"),
    "cancelFlightOrder": (404, "not_found"),
    "quoteFlightCancellation": (404, "not_found"),
    "acceptFlightScheduleChange": (404, "not_found"),
    "payFlightOrder": (404, "not_found"),
    "listFlightChangeOptions": (404, "not_found"),
    "changeFlightOrder": (404, "not_found"),
    "listFlightOrderServices": (404, "not_found"),
    "addFlightOrderServices": (404, "not_found"),
    "createTransferOrder": (410, "offer_expired"),
    "getTransferOrder": (404, "not_found"),
    "getTransferOrderDocument": (404, "not_found"),
    "cancelTransferOrder": (404, "not_found"),
    "quoteTransferCancellation": (404, "not_found"),
    "getEsimOrder": (404, "not_found"),
    "getEsimOrderDocument": (404, "not_found"),
    "getEsimUsage": (404, "not_found"),
    "getEsimInstructions": (404, "not_found"),
    "listEsimTopUpPlans": (404, "not_found"),
    "createEsimTopUp": (404, "not_found"),
    "getWebhookEndpoint": (404, "not_found"),
    "updateWebhookEndpoint": (404, "not_found"),
    "deleteWebhookEndpoint": (404, "not_found"),
    "rotateWebhookSecret": (404, "not_found"),
    "testWebhookEndpoint": (404, "not_found"),
    "getWebhookDelivery": (404, "not_found"),
    "resendWebhookDelivery": (404, "not_found"),
}
OF_EVERYBODY_IN_THE_ENVIRONMENT = {"getEsimPlan", "getHotelProperty", "createEsimOrder"}
EVERYBODY_HAS_ONE = {"getAccountStatement"}
"""By a name that is the same for all: the caller gets its own."""
LISTINGS = {
    "listHotelBookings": "createHotelBooking",
    "listFlightOrders": "createFlightOrder",
    "listTransferOrders": "createTransferOrder",
    "listEsimOrders": "createEsimOrder",
    "listWebhookEndpoints": "createWebhookEndpoint",
    "listLedgerEntries": "createFlightOrder",
}
MALFORMED = ("%00", "a" * 65, "é", "..", "a b", "ford_', DROP", "%ff", "a%0a")


@pytest.fixture
def goods() -> Goods:
    owner = api_of_new_partner(cents=1_000_000, scopes=GRANTABLE)
    return Goods(owner)


@pytest.fixture
def strangers(goods: Goods) -> dict[str, Api]:
    """Another account, and the other environment of the same account; both rich, both with every scope."""
    account = Account.objects.get(id=partner_of(goods.api).account_id)
    Account.objects.update(live_approved_until=clock.now() + timedelta(days=1))
    account.refresh_from_db()
    common = {"cents": 1_000_000, "scopes": GRANTABLE}
    return {
        "another account": api_of_new_partner(**common),
        "the other environment": api_of_new_partner(account=account, environment="live", **common),
    }


@pytest.mark.parametrize("operation_id", NOT_YOURS)
def test_what_is_not_yours_is_unknown(operation_id: str, goods: Goods, strangers: dict[str, Api]):
    goods.request(operation_id)
    answers = {name: goods.call(operation_id, by=stranger) for name, stranger in strangers.items()}

    assert {(reply.status, reply.error_type) for reply in answers.values()} == {NOT_YOURS[operation_id]}
    # ... although it is there: its owner's call succeeds after them.
    assert goods.call(operation_id).status in {200, 201, 202, 204}


@pytest.mark.parametrize("operation_id", LISTINGS)
def test_lists_show_the_callers_own_alone(operation_id: str, goods: Goods, strangers: dict[str, Api]):
    assert goods.call(LISTINGS[operation_id]).status == 201
    path = operation_of(operation_id).path

    listed = [row["id"] for row in goods.api.get(path).body["data"]]
    seen_by_strangers = [row["id"] for api in strangers.values() for row in api.get(path).body["data"]]

    assert len(listed) >= 1
    assert set(seen_by_strangers).isdisjoint(listed)


def test_a_statement_of_the_same_month_is_the_callers_own(goods: Goods, strangers: dict[str, Api]):
    goods.call("createFlightOrder")
    lines = {line["id"] for line in goods.call("getAccountStatement").body["lines"]}

    assert len(lines) > 1
    for stranger in strangers.values():
        reply = goods.call("getAccountStatement", by=stranger)
        assert lines.isdisjoint(line["id"] for line in reply.body["lines"])
        assert reply.body["capturedCents"] == 0


def test_the_table_names_every_operation_that_takes_an_id_or_a_handle():
    taking_handles = {"createHotelBooking", "createFlightOrder", "createTransferOrder", "createEsimOrder"}
    taking_ids = {operation.route.id for operation in operations() if operation.takes_id}

    assert set(NOT_YOURS) | OF_EVERYBODY_IN_THE_ENVIRONMENT | EVERYBODY_HAS_ONE == taking_ids | taking_handles


@pytest.mark.parametrize("operation_id", [name for name in NOT_YOURS if operation_of(name).takes_id])
def test_a_malformed_id_is_answered_like_an_unknown_one(operation_id: str, goods: Goods):
    operation = operation_of(operation_id)
    body = goods.body(operation_id)
    headers = {"Idempotency_Key": "a-key-of-its-own"} if operation.method == "POST" else {}
    unknown = goods.api.send(operation.method, operation.url, body, **headers)

    for malformed in MALFORMED:
        reply = goods.api.send(
            operation.method,
            operation.url_of(malformed),
            body,
            **headers | {"Idempotency_Key": f"key-{MALFORMED.index(malformed):05}"} if headers else {},
        )
        assert (reply.status, reply.error_type) == (unknown.status, unknown.error_type), malformed
