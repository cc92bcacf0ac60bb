from collections.abc import Sequence
from datetime import timedelta

from apps.accounts.models import Account, User
from apps.common import clock
from apps.common.encryption import encrypt
from apps.webhooks.events import BOOKING_CONFIRMED, PAYMENT_REFUNDED, Fact, payload_text
from apps.webhooks.exams import CASES, Case, Letter, Situation
from apps.webhooks.models import Attempt, Delivery, Endpoint, Exam, ItemState, Recovery, RecoveryItem
from apps.webhooks.services.recover import Selection
from apps.webhooks.signatures import new_secret
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory

BUSY = {
    "status_code": 503,
    "error_code": "status",
    "error": "answered 503",
    "response_body": "<h1>busy</h1>\n",
}
ANSWERED = {"status_code": 200, "response_body": '{"ok": true}'}
SILENT = {"error_code": "timeout", "error": "no answer within 10 s"}
LOST = {"error_code": "lost", "error": "the sending process stopped before it recorded an answer"}
NOT_COUNTED = {"counted": False, "manual": True}
HEADERS = {
    "Host": "partner.example",
    "Content-Type": "application/json",
    "X-Service-Signature": f"t=1795255402,v1={'5f' * 32},v1={'c0' * 32}",
    "webhook-id": "evt_01kb2c8x0000000000000000000",
}


def add(account: Account, owner: User) -> dict[str, str]:
    """Endpoints in every state, and deliveries that are delivered, exhausted, and waiting."""
    endpoint = rotating(account)
    disabled(account)
    failing(account)
    for hours in (1, 1, 2, 4, 4, 4, 7, 11, 12, 18):
        attempted(ended(endpoint, "DELIVERED", hours=hours), ANSWERED)
    retrying = DeliveryFactory(
        endpoint=endpoint,
        event=booked(account),
        status="RETRYING",
        attempt_count=1,
        next_attempt_at=clock.now() + timedelta(minutes=4),
    )
    attempted(retrying, BUSY)
    exhausted = ended(endpoint, "EXHAUSTED", hours=3, attempt_count=8, lost_count=1)
    attempted(exhausted, BUSY, LOST | {"counted": False}, SILENT, *([BUSY] * 5), BUSY | NOT_COUNTED)
    return {
        "endpoint": endpoint.id,
        "delivery": retrying.id,
        "exhausted": exhausted.id,
        "event": retrying.event_id,
        "recovery": recovering(endpoint).id,
        "exam": examined(endpoint, CASES, status="failed").id,
        "open_exam": examined(endpoint, CASES[:3], status="running").id,
        "since": f"{clock.now() - timedelta(days=2):%Y-%m-%dT%H:%M}",
    }


def rotating(account: Account) -> Endpoint:
    return EndpointFactory(
        account=account,
        url="https://partner.example/hooks/travel",
        description="The back end's receiver",
        events=[BOOKING_CONFIRMED, PAYMENT_REFUNDED],
        consecutive_failures=7,
        previous_secret_encrypted=encrypt(new_secret()),
        previous_secret_expires_at=clock.now() + timedelta(hours=15),
        created_at=clock.now() - timedelta(days=20),
    )


def disabled(account: Account) -> Endpoint:
    return EndpointFactory(
        account=account,
        url=f"https://reports.partner.example/{'a-long-path/' * 5}events",
        status="disabled",
        disabled_reason="consecutive_failures",
        disabled_at=clock.now() - timedelta(hours=5),
        consecutive_failures=10,
        created_at=clock.now() - timedelta(days=9),
    )


def failing(account: Account) -> Endpoint:
    """Whatever it is sent, it has refused for hours."""
    endpoint = EndpointFactory(
        account=account, url="https://crm.partner.example/events", created_at=clock.now() - timedelta(days=30)
    )
    attempted(ended(endpoint, "DELIVERED", hours=6), ANSWERED)
    for hours in (5, 4, 4, 3, 2, 1):
        attempted(ended(endpoint, "EXHAUSTED", hours=hours, attempt_count=7), *([BUSY] * 7))
    return endpoint


def booked(account: Account) -> object:
    now = clock.now()
    data = {
        "bookingReference": "F-7KQ2M9X",
        "product": "flights",
        "total": {"cents": 12_345, "currency": "EUR"},
    }
    payload = payload_text(
        event_id="evt_1",
        fact=Fact(BOOKING_CONFIRMED, data),
        created_at=clock.rfc3339(now),
        environment="test",
    )
    return EventFactory(
        account=account,
        payload=payload,
        booking_reference="F-7KQ2M9X",
        booking_id="ford_01kb2c8x00000000000000000a",
        request_id="018f5b7e-0000-7000-8000-000000000001",
    )


def ended(endpoint: Endpoint, status: str, *, hours: int, **more: int) -> Delivery:
    at = clock.now() - timedelta(hours=hours)
    return DeliveryFactory(
        endpoint=endpoint,
        status=status,
        next_attempt_at=None,
        created_at=at,
        completed_at=at + timedelta(seconds=1),
        **({"attempt_count": 1} | more),
    )


def attempted(delivery: Delivery, *answers: dict[str, object]) -> None:
    for number, answer in enumerate(answers, start=1):
        made = {
            "duration_ms": 120,
            "lookup_ms": 4,
            "connect_ms": 11,
            "tls_ms": 28,
            "request_headers": HEADERS,
        }
        at = delivery.created_at + timedelta(minutes=number - 1)
        owner = {"delivery": delivery, "endpoint": delivery.endpoint}
        Attempt.objects.create(**owner, number=number, attempted_at=at, **made | answer)


def recovering(endpoint: Endpoint) -> Recovery:
    """A recovery in progress: the canary and some further deliveries were accepted."""
    since = clock.now() - timedelta(hours=30)
    recovery = Recovery.objects.create(
        account_id=endpoint.account_id,
        environment=endpoint.environment,
        endpoint=endpoint,
        selection=Selection(since, include_missed=True).json(),
        per_minute=300,
        status="running",
    )
    states = (
        [ItemState.DELIVERED] * 31
        + [ItemState.NOT_ACCEPTED] * 2
        + [ItemState.SENT] * 3
        + [ItemState.WAITING] * 40
    )
    RecoveryItem.objects.bulk_create(
        RecoveryItem(recovery=recovery, event_id=f"evt_{number}", state=state)
        for number, state in enumerate(states)
    )
    return recovery


def examined(endpoint: Endpoint, cases: Sequence[Case], **fields: object) -> Exam:
    """An exam of a receiver that accepts everything, but for a type that it does not know."""
    exam = Exam(account=endpoint.account, environment="test", endpoint=endpoint, **fields)
    situation = Situation(exam.pk, endpoint.pk, "test", (new_secret(),), clock.now(), clock.now())
    exam.results = [
        {"case": case.name, "sends": [answered(case, each) for each in case.write(situation)]}
        for case in cases
    ]
    exam.finished_at = None if exam.is_open else clock.now()
    exam.save()
    return exam


def answered(case: Case, letter: Letter) -> dict[str, object]:
    crashed = case.name == "unknown_type"
    return {
        "status_code": 500 if crashed else 200,
        "duration_ms": 31,
        "error_code": "status" if crashed else "",
        "error": "answered 500" if crashed else "",
        "response_body": "KeyError: 'exam.unknown_type'" if crashed else "",
        "headers": letter.headers,
        "body": letter.body.decode(),
    }
