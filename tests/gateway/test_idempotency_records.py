"""What an Idempotency-Key keeps of an answer, and for how long (reliability I3 and I5), through requests."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from django.db import OperationalError

from apps.accounts.models import Account
from apps.bookings.models import Booking, Operation
from apps.common import clock, redis
from apps.common.errors import UpstreamUnavailable
from apps.gateway import idempotency
from apps.gateway.idempotency import Claim, StoredAnswer, claim, fingerprint
from apps.gateway.models import IdempotencyRecord, SearchQuotaDay
from apps.gateway.responses import Answer
from apps.keys.scopes import GRANTABLE
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop, order_body

pytestmark = pytest.mark.usefixtures("noon")

SEARCH = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}
KEY = "one-and-the-same-key"


@pytest.fixture
def api(db: None) -> Api:
    return api_of_new_partner(cents=10_000_000, scopes=GRANTABLE)


def replayed(reply: Reply) -> bool:
    return reply.headers.get("Idempotent-Replayed") == "true"


REFUSALS: dict[str, tuple[int, Callable[[Api], Reply]]] = {
    "401": (401, lambda api: Api("junk").post("/v1/flights/searches", SEARCH, key=KEY)),
    "403": (403, lambda api: api_without_scopes(api).post("/v1/flights/searches", SEARCH, key=KEY)),
    "405": (405, lambda api: api.post("/v1/account", {}, key=KEY)),
    "413": (413, lambda api: api.post("/v1/flights/searches", b" " * 300_000, key=KEY)),
    "415": (415, lambda api: api.post("/v1/flights/searches", SEARCH, key=KEY, Content_Type="text/plain")),
    "400 malformed": (400, lambda api: api.post("/v1/flights/searches", b"{", key=KEY)),
    "400 trigger": (
        400,
        lambda api: api.post("/v1/flights/searches", SEARCH, key=KEY, X_Partner_Customer_Ref="sbx_"),
    ),
}


def api_without_scopes(api: Api) -> Api:
    return api_of_new_partner(account=Account.objects.get(), scopes=["bookings:read"])


@pytest.mark.parametrize("refusal", REFUSALS)
def test_what_comes_before_the_claim_is_never_stored(api: Api, refusal: str):
    status, call = REFUSALS[refusal]
    refused = call(api)
    kept = IdempotencyRecord.objects.count()
    repaired = api.post("/v1/flights/searches", SEARCH, key=KEY)

    assert (refused.status, kept) == (status, 0)
    assert (repaired.status, replayed(repaired)) == (201, False)


@pytest.mark.parametrize("failure", [502, 500])
def test_a_5xx_releases_the_key_and_the_retry_carries_it_out(api: Api, failure: int, monkeypatch):
    def crash(**_: object) -> None:
        raise ValueError

    trouble = {"X_Partner_Customer_Ref": "sbx_supplier_error"} if failure == 502 else {}
    with monkeypatch.context() as patched:
        if failure == 500:
            patched.setattr("apps.flights.views.search_flights", crash)
        failed = api.post("/v1/flights/searches", SEARCH, key=KEY, **trouble)
    assert failed.status == failure
    assert IdempotencyRecord.objects.get().state == "released"

    retried = api.post("/v1/flights/searches", SEARCH, key=KEY)
    assert (retried.status, replayed(retried)) == (201, False)
    assert replayed(api.post("/v1/flights/searches", SEARCH, key=KEY))


def test_a_key_released_by_a_used_up_quota_takes_another_body_at_once(api: Api):
    Account.objects.update(search_quota=1)
    assert api.post("/v1/flights/searches", SEARCH).status == 201
    assert api.post("/v1/flights/searches", SEARCH, key=KEY).status == 429
    SearchQuotaDay.objects.update(used=0)

    other = api.post("/v1/hotels/searches", {}, key=KEY)
    assert (other.status, replayed(other)) == (201, False)
    assert replayed(api.post("/v1/hotels/searches", {}, key=KEY))
    assert api.post("/v1/flights/searches", SEARCH, key=KEY).error_type == "idempotency_key_reuse"


@pytest.mark.parametrize("failure", ["5xx", "death"])
def test_a_key_without_an_answer_takes_another_body_after_24_hours(api: Api, move_clock, failure: str):
    if failure == "5xx":
        trouble = api.post(
            "/v1/flights/searches", SEARCH, key=KEY, X_Partner_Customer_Ref="sbx_supplier_error"
        )
        assert trouble.status == 502
    else:
        claim(partner_of(api), KEY, fingerprint("POST", "/v1/flights/searches", SEARCH))
        move_clock(seconds=45)

    move_clock(hours=23, minutes=59)
    assert api.post("/v1/hotels/searches", {}, key=KEY).error_type == "idempotency_key_reuse"
    move_clock(minutes=1)
    other = api.post("/v1/hotels/searches", {}, key=KEY)
    assert (other.status, replayed(other)) == (201, False)


@pytest.mark.parametrize(("state", "taken"), [("uncertain", False), ("review", False), ("confirmed", True)])
def test_a_key_takes_no_other_body_while_what_began_under_it_is_open(
    api: Api, move_clock, state: str, taken: bool
):
    """A confirmed booking stays one, and is not what the other body is answered."""
    shop = FlightShop(api)
    first = api.post("/v1/flights/orders", order_body(shop.offer()), key=KEY)
    IdempotencyRecord.objects.filter(key=KEY).update(
        state="released", lease_until=clock.now(), completed_at=None
    )
    Operation.objects.update(state=state)
    move_clock(hours=24)

    second = api.post("/v1/flights/orders", order_body(shop.offer()), key=KEY)

    if taken:
        assert second.status == 201
        assert second.body["id"] != first.body["id"]
    else:
        assert (second.status, second.error_type) == (409, "idempotency_key_reuse")
        assert Booking.objects.count() == 1


@pytest.mark.parametrize(("elapsed", "wait"), [(0, "5"), (41.5, "4"), (44.5, "1")])
def test_a_call_in_progress_says_when_to_ask_again(
    api: Api, clock_stands_still: datetime, move_clock, elapsed: float, wait: str
):
    claim(partner_of(api), KEY, fingerprint("POST", "/v1/flights/searches", SEARCH))
    move_clock(seconds=elapsed)

    refused = api.post("/v1/flights/searches", SEARCH, key=KEY)

    assert (refused.status, refused.error_type) == (409, "idempotency_key_in_progress")
    assert refused.headers["Retry-After"] == wait


def test_every_503_says_when_to_ask_again(api: Api, monkeypatch):
    def unavailable(**_: object) -> None:
        raise UpstreamUnavailable

    def away(**_: object) -> None:
        raise OperationalError

    for trouble in (unavailable, away):
        monkeypatch.setattr("apps.flights.views.search_flights", trouble)
        refused = api.post("/v1/flights/searches", SEARCH, key=KEY)
        assert (refused.status, refused.headers["Retry-After"]) == (503, "5")
    monkeypatch.setattr("apps.gateway.probes.database_is_ready", lambda: False)
    ready = api.get("/health/ready")
    assert (ready.status, ready.headers["Retry-After"]) == (503, "5")


def test_secrets_are_stored_encrypted_and_replayed(api: Api):
    body = {"url": "https://partner.example/hooks", "events": ["booking.confirmed"]}
    first, second = (api.post("/v1/webhooks/endpoints", body, key=KEY) for _ in range(2))
    record = IdempotencyRecord.objects.get()

    assert first.body["secret"].startswith("whsec_")
    assert (second.content, replayed(second)) == (first.content, True)
    assert record.encrypted
    assert record.body is not None
    assert first.body["secret"] not in record.body
    assert "whsec_" not in record.body


@pytest.mark.django_db
def test_an_answer_about_a_booking_is_stored_sealed_and_replayed_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hooks = replace(
        idempotency.hooks,
        seal=lambda about, body: f"{about}: {body.decode()}",
        unseal=lambda text: text.removeprefix("booking 1: "),
    )
    monkeypatch.setattr(idempotency, "hooks", hooks)
    partner = partner_of(api_of_new_partner())
    first = claim(partner, KEY, "print")
    assert isinstance(first, Claim)
    first.complete(Answer({"n": 1}, about="booking 1"))

    assert IdempotencyRecord.objects.get().body == 'booking 1: {"n":1}'
    assert claim(partner, KEY, "print") == StoredAnswer(200, b'{"n":1}', "")


@pytest.mark.django_db
@pytest.mark.parametrize("needed", [True, False])
def test_an_answer_is_kept_beyond_24_hours_while_what_began_under_its_key_is_open(
    monkeypatch, move_clock, needed: bool
):
    partner = partner_of(api_of_new_partner())
    hooks = replace(idempotency.hooks, needed=lambda record_id: needed)
    monkeypatch.setattr(idempotency, "hooks", hooks)
    first = claim(partner, KEY, "print")
    assert isinstance(first, Claim)
    first.complete(Answer({"status": "pending"}))
    move_clock(hours=25)

    found = claim(partner, KEY, "print")

    assert isinstance(found, StoredAnswer if needed else Claim)
    assert IdempotencyRecord.objects.count() == 1


def test_an_account_stopped_behind_the_key_caches_back_is_refused_with_402_which_is_not_kept(api: Api):
    shop = FlightShop(api)
    order = shop.ordered()
    dearer = shop.options(order)[-1]
    redis.run(lambda client: client.flushdb())  # with it what keeps a new key from being cached
    for _ in range(2):
        assert api.get("/v1/account").status == 200
    Account.objects.update(status="suspended")

    refused = shop.change(order["id"], dearer, KEY)

    assert (refused.status, refused.error_type) == (402, "account_not_active")
    assert IdempotencyRecord.objects.get(key=KEY).state == "released"
    Account.objects.update(status="active")
    assert shop.change(order["id"], dearer, KEY).status == 200
