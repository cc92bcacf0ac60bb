"""GET and PUT /sandbox/faults."""

from datetime import timedelta

import pytest

from apps.accounts.models import Sandbox
from apps.common import clock
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key
from tests.support.api import Api

pytestmark = pytest.mark.django_db

OFF = {
    "latencyMs": 0,
    "errorShare": 0,
    "lostAnswerShare": 0,
    "duplicateDeliveryShare": 0,
    "shuffleDeliveries": False,
    "seed": 0,
    "callsDecided": 0,
    "deliveriesDecided": 0,
}
ALL = {
    "latencyMs": 250,
    "errorShare": 0.2,
    "lostAnswerShare": 0.1234,
    "duplicateDeliveryShare": 1,
    "shuffleDeliveries": True,
    "seed": 7,
}


@pytest.fixture
def account():
    return AccountFactory(live_approved_until=clock.now() + timedelta(days=9))


@pytest.fixture
def api(account):
    return Api(issued_key(account)[1])


def test_what_is_set_is_read_and_what_is_left_out_is_off_again(api):
    assert api.send("PUT", "/sandbox/faults", ALL).body == {**OFF, **ALL}
    assert api.get("/sandbox/faults").body == {**OFF, **ALL}

    assert api.send("PUT", "/sandbox/faults", {"latencyMs": 5}).body == {**OFF, "latencyMs": 5}
    assert api.send("PUT", "/sandbox/faults", {}).body == OFF
    assert Sandbox.objects.get().faults == {}


def test_setting_them_begins_the_count_anew(api, account):
    api.send("PUT", "/sandbox/faults", ALL)
    Sandbox.objects.update(calls_drawn=8, deliveries_drawn=9)

    read = api.get("/sandbox/faults").body
    again = api.send("PUT", "/sandbox/faults", ALL).body

    assert (read["callsDecided"], read["deliveriesDecided"]) == (8, 9)
    assert (again["callsDecided"], again["deliveriesDecided"]) == (0, 0)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"latencyMs": 10_001}, "latencyMs"),
        ({"latencyMs": -1}, "latencyMs"),
        ({"latencyMs": 1.5}, "latencyMs"),
        ({"errorShare": 1.01}, "errorShare"),
        ({"errorShare": -0.1}, "errorShare"),
        ({"errorShare": "0.2"}, "errorShare"),
        ({"errorShare": None}, "errorShare"),
        ({"errorShare": 0.6, "lostAnswerShare": 0.5}, "lostAnswerShare"),
        ({"duplicateDeliveryShare": 2}, "duplicateDeliveryShare"),
        ({"shuffleDeliveries": 1}, "shuffleDeliveries"),
        ({"seed": 2**31}, "seed"),
        ({"seed": -1}, "seed"),
        ({"share": 1}, "share"),
    ],
)
def test_what_is_no_fault_is_refused_by_its_field_and_changes_nothing(api, body, field):
    api.send("PUT", "/sandbox/faults", ALL)

    refused = api.send("PUT", "/sandbox/faults", body)

    assert (refused.status, refused.error_type) == (400, "invalid_request")
    assert refused.error["details"][0]["field"] == field
    assert api.get("/sandbox/faults").body == {**OFF, **ALL}


def test_another_accounts_faults_are_its_own(api):
    api.send("PUT", "/sandbox/faults", ALL)

    assert Api(issued_key(AccountFactory())[1]).get("/sandbox/faults").body == OFF
