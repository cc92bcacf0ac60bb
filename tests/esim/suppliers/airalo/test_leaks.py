"""What selling, failing and being refused must not write down: credentials anywhere, activation codes outside the order."""

import logging

import pytest

from apps.bookings.flow.recover import recover_due
from apps.bookings.flow.supplier_hints import follow_hints
from apps.common import redis
from apps.esim.models import Plan
from tests.esim.shop import an_order
from tests.esim.suppliers.airalo.documented import refused_with
from tests.esim.suppliers.airalo.stub import CLIENT_SECRET, ORDER, AiraloStub
from tests.esim.suppliers.airalo.test_webhooks import deliver, low_data
from tests.suppliers.leaks import leaks
from tests.support.api import Api
from tests.support.supplier_stub import Trouble, refusal

pytestmark = pytest.mark.django_db(transaction=True)

ORDERS = "/v1/esim/orders"


def test_no_credential_and_no_activation_code_is_written_where_it_does_not_belong(
    api: Api, plan: Plan, stub: AiraloStub, move_clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    troubles = [
        refused_with(11),
        refused_with(43),
        refusal(401, {"data": [], "meta": {"message": f"bad secret {CLIENT_SECRET}"}}, times=2),
        refusal(429, {}),
        Trouble(status=200, body={"data": {"id": 1, "sims": [{"qrcode": "LPA:1$a$STUB-MATCH-9"}]}}),
        Trouble(end="reset"),
    ]
    refused = []
    for trouble in troubles:
        stub.trouble(*ORDER, trouble)
        refused.append(api.post(ORDERS, {"planId": plan.id}).content)
    order = an_order(api, plan)
    api.get(f"{ORDERS}/{order['id']}/usage")
    deliver(low_data(order))
    deliver(low_data(order), **{"airalo-signature": "forged"})
    follow_hints()
    move_clock(seconds=6)
    assert recover_due() == 2
    tokens = sorted(stub.books.tokens)
    assert tokens
    found = leaks(
        credentials=[CLIENT_SECRET, stub.client_id, *tokens],
        travellers=[],
        activation=["STUB-MATCH-"],
        logs=caplog.text,
        answers=refused,
    )
    assert found == []
    kept = redis.run(lambda client: [client.get(key) for key in client.keys("supplier-token:airalo:*")])
    assert kept
    assert not any(token.encode() in value for token in tokens for value in kept if value)
