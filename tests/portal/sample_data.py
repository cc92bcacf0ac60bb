"""An account with objects of every kind, for tests and screenshots of all pages.

Each area returns the names that tests/portal/pages.py uses in its paths: `{key}`.
"""

from collections.abc import Sequence
from datetime import timedelta

from apps.accounts.actors import actor_of
from apps.accounts.branding import change_branding, set_logo
from apps.accounts.invitations import invite
from apps.accounts.live_approval import request_live_approval
from apps.accounts.logos import as_logo
from apps.accounts.members import change_role
from apps.accounts.models import Account, Role, User
from apps.bookings.flow.approval import approve, decline
from apps.bookings.models import Booking
from apps.common import clock
from apps.common.encryption import encrypt
from apps.common.environments import Environment
from apps.keys.authentication import look_up
from apps.keys.services import revoke_key, rotate_key
from apps.ledger.spend_limits import Limits, set_spend_limits
from apps.onboarding.sandboxes import open_sandbox
from apps.portal.models import SavedView
from apps.request_log import writer
from apps.webhooks.events import BOOKING_CONFIRMED, PAYMENT_REFUNDED, Fact, payload_text
from apps.webhooks.exams import CASES, Case, Letter, Situation
from apps.webhooks.models import Attempt, Delivery, Endpoint, Event, Exam, ItemState, Recovery, RecoveryItem
from apps.webhooks.services.recover import Selection
from apps.webhooks.signatures import new_secret
from tests.contract.goods import Goods
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.pictures import drawn, file_of


def add_keys(account: Account, owner: User) -> dict[str, str]:
    """A balance, and three test keys: active, rotating, revoked."""
    actor = actor_of(owner)
    WalletFactory(account=account, environment=Environment.TEST, cents=1_250_000)
    key, _ = issued_key(account, name="Web shop", actor=actor)
    rotating, _ = issued_key(
        account, name="Booking engine", actor=actor, allowed_ips=["203.0.113.0/24", "198.51.100.7"]
    )
    rotate_key(key=rotating, overlap=timedelta(hours=20), actor=actor)
    revoked, _ = issued_key(account, name="Old server", actor=actor)
    revoke_key(key=revoked, actor=actor)
    return {"key": key.id, "rotating_key": rotating.id, "revoked_key": revoked.id}


def add_bookings(account: Account, owner: User) -> dict[str, str]:
    """One of each product, of which the flight has all that is sold beside it; and a flight on hold."""
    _, secret = issued_key(account, name="Back end", actor=actor_of(owner))
    shop, goods = FlightShop(Api(secret)), Goods(Api(secret))
    stay, ride, plan = goods.hotel_booking, goods.transfer_order, goods.esim_order
    order, held = shop.ordered_in_full(), shop.held()
    return {
        "booking": order["id"],
        "held_booking": held["id"],
        "stay": stay["id"],
        "ride": ride["id"],
        "plan": plan["id"],
        "booking_request": Booking.objects.get(pk=order["id"]).request_id,
        "booking_event": Event.objects.get(booking_id=order["id"]).pk,
    }


BUSY = {
    "status_code": 503,
    "error_code": "status",
    "error": "answered 503",
    "response_body": "<h1>busy</h1>\n",
}
ANSWERED = {"status_code": 200, "response_body": '{"ok": true}'}
SILENT = {"error_code": "timeout", "error": "no response within 10 s"}
LOST = {"error_code": "lost", "error": "the sending process stopped before it recorded a response"}
NOT_COUNTED = {"counted": False, "manual": True}
HEADERS = {
    "Host": "partner.example",
    "Content-Type": "application/json",
    "X-Service-Signature": f"t=1795255402,v1={'5f' * 32},v1={'c0' * 32}",
    "webhook-id": "evt_01kb2c8x0000000000000000000",
}


def add_webhooks(account: Account, owner: User) -> dict[str, str]:
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


def add_approvals(account: Account, owner: User) -> dict[str, str]:
    """A key that asks for approval, with bookings that wait, one that was approved and one that was declined."""
    key, secret = issued_key(account, name="Junior desk", actor=actor_of(owner))
    set_spend_limits(key=key, limits=Limits(approval_above_cents=5_000), actor=actor_of(owner))
    shop, goods = FlightShop(Api(secret)), Goods(Api(secret))
    offer = shop.offer()
    approved, declined, order = (shop.ordered(offer) for _ in range(3))
    stay = goods.hotel_booking
    decide = {"partner": look_up(secret), "actor": actor_of(owner)}
    approve(booking_id=approved["id"], **decide)
    decline(booking_id=declined["id"], reason="Over the budget of the trip", **decide)
    return {
        "awaiting": order["id"],
        "awaiting_stay": stay["id"],
        "approved": approved["id"],
        "declined": declined["id"],
    }


def add_requests(account: Account, owner: User) -> dict[str, str]:
    """Make calls that succeed and calls that are refused, and write all calls so far to the log."""
    key, secret = issued_key(account, name="Office", actor=actor_of(owner))
    api = Api(secret)
    api.get("/v1/account")
    api.post("/v1/flights/searches", {"origin": "LIS", "destination": "ZZZ", "departureDate": "soon"})
    api.get("/v1/hotels/bookings/hbk_unheard_of")
    refused = api.post("/v1/hotels/searches", {"rooms": [{"adults": 0}], "guestName": "Ines Prado"})
    write_down()
    return {"request": refused.body["error"]["requestId"], "request_key": key.id}


def write_down() -> None:
    """Write the calls that the web process still holds in memory to the log."""
    assert writer.writer.flush()


def add_team(account: Account, owner: User) -> dict[str, str]:
    """A member who signed in, one who never did, an open invitation and an expired one, all in the audit trail."""
    actor = actor_of(owner, "198.51.100.7")
    ada = UserFactory(first_name="Ada Lovelace", two_factor=True, last_login=clock.now() - timedelta(hours=5))
    colleague = MembershipFactory(account=account, role=Role.VIEWER, user=ada)
    change_role(membership=colleague, role=Role.DEVELOPER, actor=actor)
    MembershipFactory(account=account, role=Role.FINANCE)
    waiting = invite(account=account, email="grace.hopper@partner.example", role=Role.VIEWER, actor=actor)
    over = invite(account=account, email="charles@partner.example", role=Role.FINANCE, actor=actor)
    over.expires_at = clock.now() - timedelta(days=1)
    over.save()
    request_live_approval(account=account, actor=actor)
    return {"member": str(colleague.pk), "invitation": waiting.pk}


def add_sandboxes(account: Account, owner: User) -> dict[str, str]:
    for name in ("CI", "Ada’s own"):
        open_sandbox(account=account, name=name)
    return {}


def add_views(account: Account, owner: User) -> dict[str, str]:
    membership = owner.memberships.get(account=account)
    for name, whose in (("Refused for want of funds", membership), ("Errors of a week", None)):
        SavedView.objects.create(
            account=account,
            membership=whose,
            environment="test",
            list="requests",
            name=name,
            query="error_type=insufficient_funds&last=7d" if whose else "last=7d&status=errors",
        )
    return {}


def add_branding(account: Account, owner: User) -> dict[str, str]:
    texts = {
        "name": "Aurora Voyages",
        "address": "1 Rua da Prata\n1100-000 Lisbon\nPortugal",
        "emergency_phone": "+351 910 000 000",
        "website": "https://www.aurora.example",
    }
    change_branding(account=account, actor=actor_of(owner), texts=texts)
    set_logo(account=account, actor=actor_of(owner), logo=as_logo(file_of(drawn("RGBA"))))
    return {}


def add_sample_data(account: Account, owner: User) -> dict[str, str]:
    names: dict[str, str] = {}
    for add in (
        add_keys,
        add_bookings,
        add_approvals,
        add_webhooks,
        add_requests,
        add_team,
        add_sandboxes,
        add_views,
        add_branding,
    ):
        names |= add(account, owner)
    return {**names, "month": f"{clock.now():%Y-%m}"}
