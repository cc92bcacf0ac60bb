"""A call that stood still for longer than its claim: another one has the key by then, and the late one commits nothing."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from apps.accounts.models import AccountAuditEntry
from apps.gateway.requests import PartnerRequest
from apps.gateway.responses import Answer
from apps.webhooks import views
from apps.webhooks.models import Attempt, Delivery, Endpoint, Event
from tests.support.api import Api, Reply
from tests.support.receiver import Receiver
from tests.webhooks.conftest import Deliver

pytestmark = pytest.mark.django_db

KEY = "webhooks-of-monday-1"
IN_PROGRESS = (409, "idempotency_key_in_progress")
Pause = Callable[[Callable[[], Reply]], list[Reply]]


def keep_whatever_became_of_the_claim(request: PartnerRequest, work: Callable[[], Answer]) -> Answer:
    """Planted: the answer is kept where the claim still stands, and the work is done in any case."""
    with transaction.atomic():
        answer = work()
        assert request.claim is not None
        request.claim.complete(answer)
    return answer


@pytest.fixture(params=[False, True], ids=["as it is", "planted"])
def planted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the view is the wrong one: what a test finds must then be the damage."""
    if request.param:
        monkeypatch.setattr(views, "answered_together", keep_whatever_became_of_the_claim)
    return bool(request.param)


@pytest.fixture
def pause(planted: bool, monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]) -> Pause:
    """`pause(meanwhile)`: the next call stands still with all that it needs at hand, and `meanwhile` is what its successor
    sends, whose reply is in the list.
    """

    def arm(meanwhile: Callable[[], Reply]) -> list[Reply]:
        replies: list[Reply] = []
        real = vars(views)["answered_together"]  # the planted one, where there is one

        def paused(request: PartnerRequest, work: Callable[[], Answer]) -> Answer:
            monkeypatch.setattr(views, "answered_together", real)
            move_clock(seconds=46)
            replies.append(meanwhile())
            return real(request, work)

        monkeypatch.setattr(views, "answered_together", paused)
        return replies

    return arm


@pytest.fixture
def endpoint(api: Api, receiver: Receiver) -> dict[str, Any]:
    """Created through the API, at the receiver."""
    reply = api.post("/v1/webhooks/endpoints", {"url": receiver.url, "events": ["booking.confirmed"]})
    assert reply.status == 201
    return dict(reply.body)


def trail(action: str) -> int:
    return AccountAuditEntry.objects.filter(action=action).count()


def ended(late: Reply) -> tuple[int, str | None]:
    return late.status, late.error_type


def test_it_creates_no_endpoint_beside_its_successors(api: Api, pause: Pause, planted: bool) -> None:
    body = {"url": "https://hooks.partner.example/", "events": ["booking.confirmed"]}
    replies = pause(lambda: api.post("/v1/webhooks/endpoints", body, key=KEY))
    late = api.post("/v1/webhooks/endpoints", body, key=KEY)
    assert (ended(late) == IN_PROGRESS) is not planted
    assert (Endpoint.objects.count(), trail("webhooks.created")) == ((2, 2) if planted else (1, 1))
    again = api.post("/v1/webhooks/endpoints", body, key=KEY)
    assert (again.status, again.body) == (201, replies[0].body)
    assert Endpoint.objects.get(pk=again.body["id"]).secret == again.body["secret"]


def test_the_secret_told_is_the_one_in_force(
    api: Api, endpoint: dict[str, Any], pause: Pause, planted: bool
) -> None:
    path, body = f"/v1/webhooks/endpoints/{endpoint['id']}/rotate-secret", {"immediate": True}
    replies = pause(lambda: api.post(path, body, key=KEY))
    late = api.post(path, body, key=KEY)
    assert (ended(late) == IN_PROGRESS) is not planted
    again = api.post(path, body, key=KEY)
    assert (again.status, again.body) == (200, replies[0].body)
    in_force = Endpoint.objects.get().secret
    assert (in_force == again.body["secret"]) is not planted
    assert trail("webhooks.secret_rotated") == 1 + planted


def test_it_sends_no_second_test(
    api: Api, endpoint: dict[str, Any], receiver: Receiver, deliver: Deliver, pause: Pause, planted: bool
) -> None:
    path = f"/v1/webhooks/endpoints/{endpoint['id']}/test"
    replies = pause(lambda: api.post(path, {}, key=KEY))
    late = api.post(path, {}, key=KEY)
    assert (ended(late) == IN_PROGRESS) is not planted
    assert deliver() == Event.objects.count() == len(receiver.requests) == 1 + planted
    assert api.post(path, {}, key=KEY).body == replies[0].body


def test_it_sends_a_delivery_no_second_time(
    api: Api, endpoint: dict[str, Any], receiver: Receiver, deliver: Deliver, pause: Pause, planted: bool
) -> None:
    api.post(f"/v1/webhooks/endpoints/{endpoint['id']}/test", {})
    deliver()
    path = f"/v1/webhooks/deliveries/{Delivery.objects.get().pk}/resend"

    def meanwhile() -> Reply:
        reply = api.post(path, {}, key=KEY)
        deliver()
        return reply

    replies = pause(meanwhile)
    late = api.post(path, {}, key=KEY)
    deliver()
    assert (ended(late) == IN_PROGRESS) is not planted
    assert (Attempt.objects.count(), len(receiver.requests)) == ((3, 3) if planted else (2, 2))
    assert api.post(path, {}, key=KEY).body == replies[0].body


def test_a_rotation_refused_to_a_late_call_is_not_what_its_key_answers(
    api: Api, endpoint: dict[str, Any], pause: Pause, planted: bool
) -> None:
    """Its successor's rotation is what it is refused for."""
    path = f"/v1/webhooks/endpoints/{endpoint['id']}/rotate-secret"
    replies = pause(lambda: api.post(path, {}, key=KEY))
    assert ended(api.post(path, {}, key=KEY)) == IN_PROGRESS
    again = api.post(path, {}, key=KEY)
    assert (again.status, again.body) == (200, replies[0].body)
    assert Endpoint.objects.get().secret == again.body["secret"]
