"""One Idempotency-Key, one execution (reliability I1 to I5), through requests."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import RequestFactory

from apps.accounts.models import Account
from apps.bookings.models import Booking
from apps.common import clock
from apps.common.errors import IdempotencyKeyInProgress, IdempotencyKeyRequired, IdempotencyKeyReuse
from apps.common.ids import new_id
from apps.gateway.answer import Answer
from apps.gateway.idempotency import Claim, StoredAnswer, claim, fingerprint, read_key
from apps.gateway.models import IdempotencyRecord, SearchQuotaDay
from apps.keys.models import ApiKey
from apps.keys.scopes import GRANTABLE
from apps.keys.services.rotate import rotate_key
from apps.ledger.models import Hold
from tests.contract.goods import Goods
from tests.factories.gateway import SearchQuotaDayFactory, api_of_new_partner, partner_of
from tests.ledger.threads import all_at_once
from tests.support.api import Api, Reply
from tests.support.flight_shop import FlightShop, order_body
from tests.support.operations import operations

SEARCH = {"origin": "LHR", "destination": "JFK", "departureDate": "2027-02-10"}
LIMITLESS = {"rate_search": 10**6, "rate_booking": 10**6, "rate_read": 10**6}
KEY = "one-and-the-same-key"


@pytest.fixture
def api(db: None) -> Api:
    return api_of_new_partner(cents=10_000_000, scopes=GRANTABLE)


def replayed(reply: Reply) -> bool:
    return reply.headers.get("Idempotent-Replayed") == "true"


# --- The header -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("key", ["12345678", "x" * 255, "with a space", "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"])
def test_eight_to_255_printable_ascii_characters_are_a_key(api: Api, key: str):
    assert api.post("/v1/flights/searches", SEARCH, key=key).status == 201
    assert IdempotencyRecord.objects.get().key == key


@pytest.mark.parametrize(
    "key", ["", "1234567", "x" * 256, "é2345678", "１２３４５６７８", "tab\tinside", "\x7f2345678"]
)
def test_anything_else_is_none(api: Api, key: str):
    reply = api.post("/v1/flights/searches", SEARCH, Idempotency_Key=key)

    assert (reply.status, reply.error_type) == (400, "idempotency_key_required")
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.parametrize(
    ("key", "why"),
    [
        (None, "There was no Idempotency-Key header."),
        ("x" * 7, "The Idempotency-Key has 7 characters; 8 to 255 are taken."),
        ("x" * 256, "The Idempotency-Key has 256 characters; 8 to 255 are taken."),
        ("é2345678", "The Idempotency-Key has characters other than printable ASCII."),
        ("é" * 255, "The Idempotency-Key has characters other than printable ASCII."),
    ],
)
def test_a_refused_key_is_told_what_is_wrong_with_it(rf: RequestFactory, key: str | None, why: str):
    sent = {} if key is None else {"HTTP_IDEMPOTENCY_KEY": key}
    with pytest.raises(IdempotencyKeyRequired) as refusal:
        read_key(rf.post("/v1/flights/searches", **sent))
    assert refusal.value.why == why


# --- The fingerprint ------------------------------------------------------------------------------------------------
BODY = {"a": 1, "b": {"c": [1, "x", None], "d": 2**70}}


@pytest.mark.parametrize(
    "same", [{"b": {"d": 2**70, "c": [1, "x", None]}, "a": 1}, json.loads(json.dumps(BODY, indent=3))]
)
def test_spacing_and_the_order_of_names_do_not_matter(same: object):
    assert fingerprint("POST", "/v1/x", BODY) == fingerprint("POST", "/v1/x", same)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "/v1/x", BODY),
        ("POST", "/v1/y", BODY),
        ("POST", "/v1/x", {}),
        ("POST", "/v1/x", {**BODY, "a": 2}),
        ("POST", "/v1/x", {**BODY, "a": 1.5}),
        ("POST", "/v1/x", {**BODY, "a": True}),
        ("POST", "/v1/x", {**BODY, "b": {"c": ["x", 1, None], "d": 2**70}}),
        ("POST", "/v1/x", {**BODY, "b": {"c": [1, "x", None], "d": 2**70 + 1}}),
    ],
)
def test_method_path_and_values_do(method: str, path: str, body: object):
    assert fingerprint(method, path, body) != fingerprint("POST", "/v1/x", BODY)


@pytest.mark.parametrize("number", [-(2**63), 2**63 - 1, 2**63, 2**64 - 1])
def test_a_number_within_64_bits_is_another_value_than_its_digits(number: int):
    assert fingerprint("POST", "/v1/x", {"a": number}) != fingerprint("POST", "/v1/x", {"a": str(number)})


@pytest.mark.parametrize("number", [-(2**63) - 1, 2**64])
def test_a_number_beyond_64_bits_has_a_fingerprint_of_its_own(number: int):
    assert len(fingerprint("POST", "/v1/x", {"a": number})) == 64
    assert fingerprint("POST", "/v1/x", {"a": number}) != fingerprint("POST", "/v1/x", {"a": number + 1})


# --- Replays --------------------------------------------------------------------------------------------------------
def test_a_replay_is_the_same_answer_under_a_fresh_request_id(api: Api, supplier_calls: list[str]):
    offer = FlightShop(api).offer()
    first = api.post("/v1/flights/orders", order_body(offer), key=KEY)
    calls = len(supplier_calls)

    replays = [api.post("/v1/flights/orders", order_body(offer), key=KEY) for _ in range(10)]

    assert first.status == 201
    assert not replayed(first)
    assert {(reply.status, reply.content, replayed(reply)) for reply in replays} == {
        (201, first.content, True)
    }
    assert len({reply.headers["X-Request-Id"] for reply in [first, *replays]}) == 11
    assert len({reply.headers["X-RateLimit-Remaining"] for reply in replays}) == 10
    assert (len(supplier_calls), Booking.objects.count()) == (calls, 1)


def test_a_stored_refusal_is_replayed_with_the_request_id_it_is_sent_with(api: Api):
    first, second = (api.post("/v1/flights/searches", {"origin": 1}, key=KEY) for _ in range(2))

    assert (first.status, second.status, replayed(second)) == (400, 400, True)
    assert second.error["requestId"] == second.headers["X-Request-Id"] != first.error["requestId"]
    assert {**first.error, "requestId": ""} == {**second.error, "requestId": ""}


@pytest.mark.parametrize("operation_id", [op.route.id for op in operations() if op.method == "POST"])
def test_every_post_replays_its_answer_byte_for_byte(api: Api, operation_id: str):
    goods = Goods(api)
    path, body = goods.request(operation_id)
    first, second = (api.post(path, body, key=KEY) for _ in range(2))

    assert first.status in {200, 201, 202}
    assert (second.status, second.content) == (first.status, first.content)
    assert (replayed(first), replayed(second)) == (False, True)


@pytest.mark.parametrize(
    ("path", "body"), [("/v1/flights/searches", {**SEARCH, "limit": 5}), ("/v1/hotels/searches", SEARCH)]
)
def test_the_same_key_for_another_body_or_path_is_reuse(api: Api, path: str, body: dict[str, object]):
    assert api.post("/v1/flights/searches", SEARCH, key=KEY).status == 201
    refused = api.post(path, body, key=KEY)

    assert (refused.status, refused.error_type, replayed(refused)) == (409, "idempotency_key_reuse", False)
    assert replayed(api.post("/v1/flights/searches", dict(reversed(SEARCH.items())), key=KEY))


# --- Whose key it is ------------------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_the_same_key_of_others_is_another_key():
    live = api_of_new_partner(environment="live", cents=10**7)
    account = Account.objects.get()
    callers = [live, api_of_new_partner(account=account), api_of_new_partner()]

    replies = [caller.post("/v1/flights/searches", SEARCH, key=KEY) for caller in callers]

    assert [(reply.status, replayed(reply)) for reply in replies] == [(201, False)] * 3
    assert len({reply.body["id"] for reply in replies}) == 3
    assert IdempotencyRecord.objects.filter(key=KEY).count() == 3


def test_another_key_of_the_same_account_may_retry(api: Api):
    first = api.post("/v1/flights/searches", SEARCH, key=KEY)
    rotated = Api(rotate_key(key=ApiKey.objects.get()))
    sibling = api_of_new_partner(account=Account.objects.get())

    for other in (rotated, sibling):
        reply = other.post("/v1/flights/searches", SEARCH, key=KEY)
        assert (reply.content, replayed(reply)) == (first.content, True)


# --- At the same time -----------------------------------------------------------------------------------------------
@pytest.mark.django_db(transaction=True)
def test_fifty_calls_at_once_with_one_key_book_once(supplier_calls: list[str]):
    api = api_of_new_partner(cents=10_000_000)
    Account.objects.update(**LIMITLESS)
    body = order_body(FlightShop(api).offer())

    for number in range(3):
        key = f"parallel-key-{number}"
        replies = all_at_once([lambda key=key: Api(api.secret).post("/v1/flights/orders", body, key)] * 50)
        found = Counter((reply.status, reply.error_type, replayed(reply)) for reply in replies)

        assert found[201, None, False] == 1
        assert set(found) <= {
            (201, None, False),
            (201, None, True),
            (409, "idempotency_key_in_progress", False),
        }
        assert len({reply.content for reply in replies if reply.status == 201}) == 1
        assert Booking.objects.count() == number + 1
        assert api.post("/v1/flights/orders", body, key).content == next(
            r.content for r in replies if r.status == 201
        )

    assert supplier_calls.count("book") == 3
    assert Hold.objects.filter(status="captured").count() == Hold.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_claims_at_once_are_granted_to_one():
    partner = partner_of(api_of_new_partner())

    def try_to_claim() -> str:
        try:
            return type(claim(partner, KEY, "print")).__name__
        except Exception as refusal:
            return type(refusal).__name__

    assert Counter(all_at_once([try_to_claim] * 32)) == {"Claim": 1, "IdempotencyKeyInProgress": 31}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", ["released", "lease ended", "forgotten"])
def test_a_free_key_is_taken_over_by_one(how: str, move_clock):
    partner = partner_of(api_of_new_partner())
    first = claim(partner, KEY, "print")
    assert isinstance(first, Claim)
    if how == "released":
        first.release()
    elif how == "forgotten":
        first.complete(Answer({}))
    move_clock(hours=24)

    def try_to_claim() -> object:
        try:
            found = claim(partner, KEY, "print")
        except Exception as refusal:
            return type(refusal).__name__
        return found.taken_over if isinstance(found, Claim) else StoredAnswer

    found = Counter(all_at_once([try_to_claim] * 32))
    assert found == {how != "forgotten": 1, "IdempotencyKeyInProgress": 31}


@pytest.mark.django_db
def test_a_late_call_neither_answers_nor_frees_the_key_that_its_successor_has(move_clock):
    partner = partner_of(api_of_new_partner())
    late = claim(partner, KEY, "print")
    move_clock(seconds=46)
    successor = claim(partner, KEY, "print")
    assert isinstance(late, Claim)
    assert isinstance(successor, Claim)

    with pytest.raises(IdempotencyKeyInProgress):
        late.refuse_if_taken_over()
    assert late.complete(Answer({"by": "the late one"}, 201)) is False
    late.release(for_any_body=True)

    successor.refuse_if_taken_over()
    record = IdempotencyRecord.objects.get()
    assert (record.state, record.lease_token, record.fingerprint) == ("running", successor.token, "print")
    assert successor.complete(Answer({"by": "the successor"}, 200)) is True
    found = claim(partner, KEY, "print")
    assert isinstance(found, StoredAnswer)
    assert (found.status, found.body) == (200, b'{"by":"the successor"}')


@pytest.mark.django_db
def test_a_claim_knows_what_was_used_of_the_quota():
    api = api_of_new_partner()
    partner = partner_of(api)
    api.post("/v1/flights/searches", SEARCH)

    fresh = claim(partner, new_id("idem"), "print")
    assert isinstance(fresh, Claim)
    assert (fresh.taken_over, fresh.quota and fresh.quota.used) == (False, 1)


@pytest.mark.django_db
def test_a_claim_reads_the_quota_of_its_own_account_environment_and_day_alone():
    live = api_of_new_partner(environment="live")
    account = Account.objects.get()
    partner = partner_of(api_of_new_partner(account=account))
    today = clock.today()

    unused = claim(partner, new_id("idem"), "print")
    SearchQuotaDayFactory(account=account, environment="live", day=today, used=2)
    SearchQuotaDayFactory(account=account, environment="test", day=today - timedelta(days=1), used=3)
    SearchQuotaDayFactory(environment="test", day=today, used=4)
    still_unused = claim(partner, new_id("idem"), "print")
    SearchQuotaDayFactory(account=account, environment="test", day=today, used=5)
    used = claim(partner, new_id("idem"), "print")
    of_live = claim(partner_of(live), new_id("idem"), "print")

    claims = [unused, still_unused, used, of_live]
    assert [found.quota.used for found in claims if isinstance(found, Claim) and found.quota] == [0, 0, 5, 2]
    assert SearchQuotaDay.objects.count() == 4


# --- When a lease is over -------------------------------------------------------------------------------------------
@pytest.mark.django_db
def test_a_lease_ends_at_its_instant(monkeypatch):
    partner, begun = partner_of(api_of_new_partner()), clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: begun)
    first = claim(partner, KEY, "print")
    assert isinstance(first, Claim)
    assert first.lease_until == begun + timedelta(seconds=45)

    monkeypatch.setattr(clock, "_database_now", lambda: first.lease_until - timedelta(microseconds=1))
    with pytest.raises(IdempotencyKeyInProgress):
        claim(partner, KEY, "print")
    monkeypatch.setattr(clock, "_database_now", lambda: first.lease_until)
    successor = claim(partner, KEY, "print")
    assert isinstance(successor, Claim)
    assert (successor.taken_over, successor.lease_until) == (True, begun + timedelta(seconds=90))


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["released", "answered"])
def test_a_call_that_gave_its_key_up_holds_it_no_more(how: str):
    partner = partner_of(api_of_new_partner())
    mine = claim(partner, KEY, "print")
    assert isinstance(mine, Claim)
    mine.refuse_if_taken_over()
    assert not mine.finished
    if how == "released":
        mine.release()
    else:
        assert mine.complete(Answer({"n": 1}))
    assert mine.finished

    with pytest.raises(IdempotencyKeyInProgress):
        mine.refuse_if_taken_over()
    assert mine.complete(Answer({"n": 2})) is False


@pytest.mark.django_db
def test_a_call_answers_its_own_key_and_no_other():
    partner = partner_of(api_of_new_partner())
    other, mine = claim(partner, "another-key", "print"), claim(partner, KEY, "print")
    assert isinstance(mine, Claim)
    assert isinstance(other, Claim)

    mine.release(for_any_body=True)
    other.refuse_if_taken_over()
    again = claim(partner, KEY, "another print")
    assert isinstance(again, Claim)
    assert again.complete(Answer({"n": 1}))
    states = dict(IdempotencyRecord.objects.values_list("key", "state"))
    assert states == {KEY: "done", "another-key": "running"}
    assert IdempotencyRecord.objects.get(key=KEY).fingerprint == "another print"


def once_the_record_is_read(act: Callable[[], object]) -> Callable[..., object]:
    """For `connection.execute_wrapper`: `act` comes in between the next read of a record and what follows it."""
    due = [act]

    def executing(execute: Callable[..., object], sql: str, *rest: object) -> object:
        result = execute(sql, *rest)
        if due and sql.startswith("SELECT") and "gateway_idempotencyrecord" in sql:
            due.pop()()
        return result

    return executing


def after_the_read(partner, act: Callable[[], object], print_: str) -> object:
    try:
        with connection.execute_wrapper(once_the_record_is_read(act)):
            return claim(partner, KEY, print_)
    except (IdempotencyKeyInProgress, IdempotencyKeyReuse) as refusal:
        return type(refusal)


@pytest.mark.django_db
def test_a_released_key_that_another_call_took_and_released_meanwhile_is_not_taken_over_unseen():
    """What began meanwhile may have another body."""
    partner = partner_of(api_of_new_partner())
    first = claim(partner, KEY, "print")
    assert isinstance(first, Claim)
    first.release(for_any_body=True)

    def take_and_release() -> None:
        meanwhile = claim(partner, KEY, "another print")
        assert isinstance(meanwhile, Claim)
        meanwhile.release()

    assert after_the_read(partner, take_and_release, "print") is IdempotencyKeyInProgress
    record = IdempotencyRecord.objects.get()
    assert (record.state, record.fingerprint) == ("released", "another print")


@pytest.mark.django_db
def test_a_dead_call_that_answers_at_the_last_moment_is_not_taken_over(move_clock):
    partner = partner_of(api_of_new_partner())
    late = claim(partner, KEY, "print")
    assert isinstance(late, Claim)
    move_clock(seconds=45)

    found = after_the_read(partner, lambda: late.complete(Answer({"n": 1})), "print")

    assert found is IdempotencyKeyInProgress
    assert isinstance(claim(partner, KEY, "print"), StoredAnswer)


@pytest.mark.django_db
@pytest.mark.parametrize("what", ["the late call answers", "its successor takes over"])
def test_a_key_that_is_used_at_the_last_moment_is_not_given_up_for_another_body(move_clock, what: str):
    partner = partner_of(api_of_new_partner())
    late = claim(partner, KEY, "print")
    assert isinstance(late, Claim)
    move_clock(hours=25)

    def use() -> None:
        if what == "the late call answers":
            assert late.complete(Answer({"n": 1}))
        else:
            assert isinstance(claim(partner, KEY, "print"), Claim)

    assert after_the_read(partner, use, "another print") is IdempotencyKeyReuse
    assert IdempotencyRecord.objects.get().fingerprint == "print"


@pytest.mark.django_db
def test_a_key_is_given_up_24_hours_after_its_lease_to_the_instant(monkeypatch):
    partner, begun = partner_of(api_of_new_partner()), clock.now()
    monkeypatch.setattr(clock, "_database_now", lambda: begun)
    assert isinstance(claim(partner, KEY, "print"), Claim)
    given_up = begun + timedelta(seconds=45, hours=24)

    monkeypatch.setattr(clock, "_database_now", lambda: given_up - timedelta(microseconds=1))
    with pytest.raises(IdempotencyKeyReuse):
        claim(partner, KEY, "another print")
    monkeypatch.setattr(clock, "_database_now", lambda: given_up)
    found = claim(partner, KEY, "another print")
    assert isinstance(found, Claim)
    assert not found.taken_over


@pytest.mark.django_db
def test_an_answer_that_another_record_holds_is_stored_without_its_body():
    partner = partner_of(api_of_new_partner())
    mine = claim(partner, KEY, "print")
    assert isinstance(mine, Claim)
    assert mine.complete(Answer({"n": 1}, 201, resource="search_1", secret=True))

    assert claim(partner, KEY, "print") == StoredAnswer(201, None, "search_1")
    assert IdempotencyRecord.objects.get().body is None


@pytest.mark.django_db
def test_an_answer_stays_where_the_call_that_gave_it_releases_its_key_afterwards():
    partner = partner_of(api_of_new_partner())
    mine = claim(partner, KEY, "print")
    assert isinstance(mine, Claim)
    assert mine.complete(Answer({"n": 1}))

    mine.release(for_any_body=True)

    found = claim(partner, KEY, "print")
    assert isinstance(found, StoredAnswer)
    assert found.body == b'{"n":1}'


@pytest.mark.django_db
def test_a_second_call_finds_the_answer_of_its_own_account_and_environment():
    """Though others used the same key before, for another body."""
    live = partner_of(api_of_new_partner(environment="live"))
    account = Account.objects.get()
    partners = [partner_of(api_of_new_partner()), live, partner_of(api_of_new_partner(account=account))]
    for number, partner in enumerate(partners):
        first = claim(partner, KEY, f"print {number}")
        assert isinstance(first, Claim)
        assert first.complete(Answer({"n": number}))

    found = [claim(partner, KEY, f"print {number}") for number, partner in enumerate(partners)]

    assert found == [StoredAnswer(200, f'{{"n":{number}}}'.encode(), "") for number in range(3)]
