"""Log lines as JSON: which ids they carry, and that no traveller and no secret is in them."""

import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from celery import shared_task

from apps.common import logs
from apps.common.logs import JsonLines
from apps.keys.scopes import ENFORCED
from apps.onboarding.partners import Terms, onboard_partner
from tests.factories.keys import issued_key
from tests.support.api import Api
from tests.support.flight_shop import FlightShop


class Lines:
    """What is logged, from everywhere and of every level."""

    def __init__(self) -> None:
        self.stream = StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(JsonLines())

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    def read(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def lines() -> Iterator[Lines]:
    lines, root = Lines(), logging.getLogger()
    before = root.level
    root.addHandler(lines.handler)
    root.setLevel(logging.DEBUG)
    yield lines
    root.removeHandler(lines.handler)
    root.setLevel(before)


def test_a_line_is_one_object_whatever_is_in_it(lines: Lines) -> None:
    logging.getLogger("odd").warning("two\nlines %s", '"quoted" é')
    (line,) = lines.read()
    assert (line["level"], line["logger"], line["message"]) == ("WARNING", "odd", 'two\nlines "quoted" é')
    assert line["time"].endswith("Z")
    assert len(line["time"]) == len("2026-11-23T17:00:00.000Z")


def test_an_exception_is_told_by_its_kind_and_place_and_not_by_its_text(lines: Lines) -> None:
    try:
        raise ValueError("Ada Canary")
    except ValueError:
        logging.getLogger("odd").exception("it failed")
    (line,) = lines.read()
    assert line["exception"] == "ValueError"
    assert line["stack"][-1].startswith("tests/common/test_logs.py:")
    assert "Canary" not in lines.text


def test_a_task_names_itself(lines: Lines) -> None:
    @shared_task(name="odd.task")
    def task() -> None:
        logging.getLogger("odd").info("inside")

    task.apply(task_id="7")
    (line,) = [line for line in lines.read() if line["message"] == "inside"]
    assert (line["task"], line["taskId"]) == ("odd.task", "7")


@pytest.mark.django_db
def test_the_lines_of_a_call_carry_its_request_account_and_key(lines: Lines, monkeypatch: Any) -> None:
    key, secret = issued_key()
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    reply = Api(secret).get("/v1/account", traceparent=f"00-{trace}-00f067aa0ba902b7-01")
    assert reply.status == 200
    (line,) = [line for line in lines.read() if line["logger"] == "apps.gateway.calls"]
    expected = {
        "requestId": reply.headers["X-Request-Id"],
        "traceId": trace,
        "accountId": key.account_id,
        "keyId": key.id,
        "environment": "test",
        "operation": "getAccount",
        "status": 200,
    }
    assert {name: line[name] for name in expected} == expected
    assert logs.ids() == {}, "nothing of the call is left in this thread"


@pytest.mark.django_db(transaction=True)
def test_no_traveller_and_no_secret_is_in_any_line(lines: Lines) -> None:
    """Orders that succeed, that are refused at each step, and that fail inside."""
    secret = onboard_partner(
        Terms(name="Acme", currency="EUR", balance_cents=10_000_000, scopes=ENFORCED)
    ).test_secret
    canaries = {
        "first name": "Canaryann",
        "last name": "Zwitscherling",
        "mail": "canary.zwitscherling@example.com",
        "phone": "+351210000777",
        "birth date": "1971-02-03",
        "secret": secret,
    }
    passenger = {
        "firstName": canaries["first name"],
        "lastName": canaries["last name"],
        "dateOfBirth": canaries["birth date"],
        "type": "adult",
    }
    contact = {"email": canaries["mail"], "phone": canaries["phone"]}
    shop = FlightShop(Api(secret))
    statuses = []
    for trigger in ("", "sbx_price_changed", "sbx_supplier_error", "sbx_insufficient_funds", "sbx_odd"):
        more = {"X_Partner_Customer_Ref": trigger} if trigger else {}
        order = shop.order(shop.offer(), passengers=[passenger], contact=contact, **more)
        statuses.append(order.status)
        broken = [{**passenger, "type": canaries["last name"], canaries["first name"]: 1}]
        statuses.append(shop.order(shop.offer(), passengers=broken, contact=contact, **more).status)
    assert set(statuses) == {201, 400, 402, 409, 502}
    assert len(lines.read()) >= 20
    assert [name for name, canary in canaries.items() if canary in lines.text] == []
