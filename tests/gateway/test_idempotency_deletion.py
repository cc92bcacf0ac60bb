"""When the record of an Idempotency-Key is deleted, and what is done in the same transaction."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db import connection

from apps.gateway import idempotency
from apps.gateway.idempotency import Claim, claim, delete_remembered
from apps.gateway.models import IdempotencyRecord
from apps.gateway.responses import Answer
from apps.keys.partner import Partner
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.locks import is_taken

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("noon")]

KEY = "one-and-the-same-key"


@pytest.fixture
def partner(db: None) -> Partner:
    return partner_of(api_of_new_partner())


def claimed(partner: Partner, key: str = KEY) -> Claim:
    found = claim(partner, key, "print")
    assert isinstance(found, Claim)
    return found


def test_who_remembers_is_told_of_the_records_that_are_deleted_and_of_no_other(
    partner: Partner, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    hooks = replace(idempotency.hooks, remember=lambda records: told.extend(record.key for record in records))
    monkeypatch.setattr(idempotency, "hooks", hooks)
    for key in ("key-one-", "key-two-", "key-three"):
        claimed(partner, key)

    assert delete_remembered(IdempotencyRecord.objects.exclude(key="key-two-")) == 2

    assert sorted(told) == ["key-one-", "key-three"]
    assert IdempotencyRecord.objects.get().key == "key-two-"


@pytest.mark.django_db(transaction=True)
def test_nobody_takes_a_key_over_between_what_is_remembered_of_it_and_its_end(
    partner: Partner, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[bool] = []
    hooks = replace(
        idempotency.hooks, remember=lambda records: taken.append(is_taken(IdempotencyRecord.objects.all()))
    )
    monkeypatch.setattr(idempotency, "hooks", hooks)
    claimed(partner)

    assert delete_remembered(IdempotencyRecord.objects.all()) == 1
    assert taken == [True]


def test_a_key_that_is_forgotten_takes_no_other_with_it(
    partner: Partner, move_clock: Callable[..., None]
) -> None:
    for key in (KEY, "another-key"):
        claimed(partner, key).complete(Answer({}))
    move_clock(hours=24)

    assert isinstance(claim(partner, KEY, "print"), Claim)

    states = dict(IdempotencyRecord.objects.values_list("key", "state"))
    assert states == {KEY: "running", "another-key": "done"}


def test_a_key_whose_record_is_deleted_at_the_last_moment_is_unused_again(partner: Partner) -> None:
    claimed(partner).complete(Answer({}))
    due = [IdempotencyRecord.objects.all()]

    def executing(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if due and sql.startswith("SELECT") and "gateway_idempotencyrecord" in sql:
            due.pop().delete()
        return execute(sql, *rest)

    with connection.execute_wrapper(executing):
        found = claim(partner, KEY, "another print")

    assert isinstance(found, Claim)
    assert not found.taken_over
    assert not due
