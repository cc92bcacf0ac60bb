"""An answer is rendered once: as it is stored, so it is sent."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.gateway.answer import Answer
from apps.gateway.call import Caller
from apps.gateway.envelope import render
from apps.gateway.idempotency import Claim, claim, open_body
from apps.gateway.models import IdempotencyRecord
from apps.keys.partner import Partner
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.flight_shop import FlightShop, order_body

KEY = "one-and-the-same"


def counting(work: Callable[[Any], Any]) -> tuple[Callable[[Any], Any], list[object]]:
    """`work`, and what it was asked for."""
    asked: list[object] = []

    def counted(value: Any) -> Any:
        asked.append(value)
        return work(value)

    return counted, asked


def test_a_body_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, asked = counting(render)
    monkeypatch.setattr("apps.gateway.answer.render", counted)
    answer = Answer({"n": 1})
    assert (answer.content, answer.content, len(asked)) == (b'{"n":1}', b'{"n":1}', 1)


def test_bytes_are_sent_as_they_are() -> None:
    assert Answer(b"{ }").content == b"{ }"


def test_an_answer_is_a_200_where_nothing_else_is_said() -> None:
    assert Answer({"n": 1}).status == 200


def made(record: object) -> Answer:
    return Answer({"of": record}, 201)


@pytest.fixture
def partner(db: None) -> Partner:
    return partner_of(api_of_new_partner())


@pytest.fixture
def mine(partner: Partner) -> Claim:
    mine = claim(partner, KEY, "print")
    assert isinstance(mine, Claim)
    return mine


def test_the_answer_that_a_service_has_stored_is_the_answer(partner: Partner, mine: Claim) -> None:
    counted, asked = counting(made)
    caller = Caller(partner, "req", claim=mine, render=counted)
    caller.complete("the record")
    assert caller.answer("the record").content.decode() == IdempotencyRecord.objects.get().body
    assert asked == ["the record"]


def test_an_answer_that_was_not_stored_is_made_anew(partner: Partner, mine: Claim) -> None:
    """Another process has ended the operation meanwhile, and not as this one would have."""
    caller = Caller(partner, "req", claim=mine, render=made)
    caller.completion("as it would have ended")
    assert caller.answer("as it ended").body == {"of": "as it ended"}


def test_without_a_claim_the_answer_is_made_from_the_record(partner: Partner) -> None:
    assert Caller(partner, "req", render=made).answer("the record").body == {"of": "the record"}


@pytest.mark.django_db
def test_the_answer_of_an_order_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    api = api_of_new_partner(cents=10_000_000)
    body = order_body(FlightShop(api).offer())
    counted, asked = counting(render)
    monkeypatch.setattr("apps.gateway.answer.render", counted)
    reply = api.post("/v1/flights/orders", body, key=KEY)
    assert (reply.status, len(asked)) == (201, 1)
    assert open_body(IdempotencyRecord.objects.get(key=KEY)) == reply.content.decode()
