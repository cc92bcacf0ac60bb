"""Go live: a checklist from the first test call to the first live booking, and the request on the way."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.live_approval import approve_live, refuse_live, withdraw_live
from apps.accounts.models import Account, Role
from apps.accounts.payment_reference import in_groups, payment_reference
from apps.bookings.models import Booking
from apps.common import clock
from apps.common.ids import new_id
from apps.keys.services import revoke_key
from apps.ledger.money import top_up
from apps.portal.production_access import next_step, step_for_home, steps_of
from apps.request_log.models import CallHour
from apps.webhooks.exams import CASES
from apps.webhooks.models import Endpoint
from tests.contract.goods import Goods
from tests.factories.accounts import UserFactory
from tests.factories.keys import issued_key
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.portal.person import Person
from tests.portal.sample_data import examined
from tests.support.api import Api

pytestmark = pytest.mark.django_db
PATH = "/portal/production-access/"
NOTE = {"note": "City breaks for readers of a newspaper."}


def words_of(page: str) -> str:
    """What a reader sees, in one line."""
    inside = page[page.index("<main") : page.index("</main>")]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", inside)).replace("\xa0", " ")


def shown(person: Person) -> str:
    return words_of(person.get(PATH).content.decode())


def current_step(person: Person) -> tuple[str, str, str, str]:
    """Of the one that is marked: its title, its sentence, its button, and where the button leads."""
    page = person.get(PATH).content.decode()
    (item,) = re.findall(r'<li[^>]*aria-current="step">(.*?)</li>', page, re.DOTALL)
    title, says = re.search(r"<strong>(.*?)</strong>", item)[1], re.findall(r"<span>([^<]+)</span>", item)[0]
    address, label = re.search(r'<a class="button[^"]*" href="([^"]*)">(.*?)</a>', item).groups()
    return title, says, label, address


def fresh(account: Account) -> Account:
    return Account.objects.get(pk=account.pk)


def has_key(account: Account) -> None:
    issued_key(account)


def has_called(account: Account) -> None:
    key, now = account.keys.filter(environment="test").first(), clock.now()
    CallHour.objects.create(
        account=account,
        environment="test",
        hour=now.replace(minute=0, second=0, microsecond=0),
        key=key,
        calls=1,
        errors=0,
        first_call_at=now,
        last_call_at=now,
    )


def has_booked(account: Account) -> None:
    if not Booking.objects.filter(account=account).exists():
        WalletFactory(account=account, environment="test", cents=50_000_000)
    _, secret = issued_key(account)
    assert Goods(Api(secret)).hotel_booking


def has_failed_the_exam(account: Account) -> None:
    examined(EndpointFactory(account=account), CASES, status="failed")


def has_passed_the_exam(account: Account) -> None:
    examined(Endpoint.objects.get(account=account), CASES[:1], status="passed")


def has_asked(account: Account) -> None:
    person = Person(account.memberships.get(role=Role.OWNER).user).sign_in()
    person.post(PATH, NOTE)


def is_declined(account: Account) -> None:
    refuse_live(account=fresh(account), refused_by=UserFactory(is_staff=True), reason="<No> licence")


def is_approved(account: Account) -> None:
    approve_live(account=fresh(account), approved_by=None)


def has_expired(account: Account) -> None:
    Account.objects.filter(pk=account.pk).update(live_approved_until=clock.now() - timedelta(days=1))


def is_withdrawn(account: Account) -> None:
    withdraw_live(account=fresh(account), withdrawn_by=None)


def has_topped_up(account: Account) -> None:
    top_up_live(account, 125_000)
    top_up_live(account, 99_000)


def top_up_live(account: Account, cents: int) -> None:
    top_up(
        account_id=account.pk,
        environment="live",
        amount_cents=cents,
        currency=account.currency,
        reference=new_id("bank"),
    )


def has_live_key(account: Account) -> None:
    issued_key(account, environment="live")


def has_booked_live(account: Account) -> None:
    Booking.objects.filter(account=account).update(environment="live")


Act = Callable[[Account], None]
TESTED: list[Act] = [has_key, has_called, has_booked, has_failed_the_exam, has_passed_the_exam]
WAY: list[tuple[Act | None, str, str, str, str]] = [
    (None, "Test key and first call", "Create a key for the sandbox", "Create a test key", "/test/keys/"),
    (has_key, "Test key and first call", "You have a test key", "Make the first call", "/test/quick-start/"),
    (has_called, "First test booking", "Search and book", "Make a test booking", "/test/quick-start/"),
    (has_booked, "Webhook verified", "Add an endpoint", "Verify a webhook", "/test/webhooks/"),
    (has_failed_the_exam, "Webhook verified", "Exam: 5 of 8", "See the exam", "/webhooks/exams/"),
    (has_passed_the_exam, "Request to go live", "Tell us about", "Request to go live", "#request"),
    (has_asked, "Approval", "Under review", "How approval works", "/docs/guides/go-live"),
    (is_declined, "Request to go live", "Declined on", "Request again", "#request"),
    (has_asked, "Approval", "Under review", "How approval works", "/docs/guides/go-live"),
    (is_approved, "Top-up", "Transfer money", "Show bank details", "#bank"),
    (has_topped_up, "Live key", "Once you are approved", "Create a live key", "/live/keys/"),
    (
        has_live_key,
        "First live booking",
        "Book with your live key",
        "Make a live booking",
        "/live/quick-start/",
    ),
    (has_expired, "Request to go live", "Request the renewal", "Request the renewal", "#request"),
    (has_asked, "Approval", "Expired on", "How approval works", "/docs/guides/go-live"),
]


def test_the_way_to_the_first_live_booking(portal, account):
    seen = []
    for act, *_ in WAY:
        if act is not None:
            act(account)
        seen.append(current_step(portal))
    for (_, title, says, label, address), found in zip(WAY, seen, strict=True):
        assert (found[0], found[2]) == (title, label)
        assert (says in found[1], address in found[3]) == (True, True), found
    is_approved(account)
    has_booked_live(account)
    has_booked(account)
    page = portal.get(PATH).content.decode()
    assert ("8 of 8 steps done" in page, 'aria-current="step"' in page) == (True, False)
    assert 'aria-labelledby="way"' not in portal.get("/portal/test/").content.decode()


STATES: list[tuple[list[Act], list[str], list[str]]] = [
    (
        [],
        ["Bank details They are shown here once you are approved", "Not done yet: Test key"],
        ["Approved until"],
    ),
    (
        [has_asked],
        ["Under review", "Not done yet: Test key and first call, First test booking"],
        ["<textarea"],
    ),
    ([has_asked, is_declined], ["“&lt;No&gt; licence”. Settle this and request again."], ["Under review"]),
    ([has_asked, is_declined, has_asked], ["Under review"], ["Declined"]),
    ([is_approved], ["364 days left", "Your payment reference"], ["Request the renewal"]),
    ([is_approved, has_topped_up], ["1,250.00 EUR arrived."], ["Transfer money to"]),
    ([is_approved, has_live_key, has_expired], ["Your 1 live key keeps working"], ["days left"]),
    ([is_approved, is_withdrawn], ["Creating live keys waits for the renewal"], ["days left"]),
    ([is_approved, has_expired, has_asked], ["Renewal requested on", "Expired on"], ["Declined"]),
    ([is_approved, has_expired, has_asked, is_declined], ["Declined on"], ["Renewal requested"]),
]


@pytest.mark.parametrize(("acts", "says", "silent"), STATES)
def test_each_state_says_where_it_stands(portal, account, acts, says, silent):
    for act in acts:
        act(account)
    page = shown(portal)
    assert [each for each in says if each not in page] == []
    assert [each for each in silent if each in page] == []


@pytest.mark.parametrize(
    ("days", "says", "form"),
    [
        (300, "300 days left.", False),
        (31, "31 days left. Request the renewal now", True),
        (-2, "Expired on", True),
    ],
)
def test_the_renewal_can_be_requested_sixty_days_before_the_end(portal, account, days, says, form):
    Account.objects.filter(pk=account.pk).update(
        live_approved_until=clock.now() + timedelta(days=days, hours=1)
    )
    page = portal.get(PATH).content.decode()
    assert (says in page, "<textarea" in page) == (True, form)


def test_an_owner_sends_the_request_once(portal, account):
    answer = portal.post(PATH, NOTE, follow=True)
    assert fresh(account).live_request_note == NOTE["note"]
    assert "Request sent. We usually decide" in answer.content.decode()
    again = portal.post(PATH, {"note": "Again"}, follow=True)
    assert "already been sent" in again.content.decode()
    assert fresh(account).live_request_note == NOTE["note"]


def test_a_request_without_words_is_refused_with_its_field(portal):
    answer = portal.post(PATH, {"note": " "})
    assert (answer.status_code, "There is a problem" in answer.content.decode()) == (400, True)


@pytest.mark.parametrize("role", [role for role in Role.values if role != Role.OWNER])
def test_other_roles_see_who_can_request(portal, portal_as, role):
    person = portal_as(role)
    page = shown(person)
    assert (f"Only an owner can: {portal.user.email}." in page, "<textarea" in page) == (True, False)
    assert person.post(PATH, NOTE).status_code == 403


def test_the_bank_details_have_the_payment_reference(portal, account, settings):
    settings.TOP_UP_INSTRUCTIONS = "Transfer to IBAN X <y>\nReference: {reference}"
    assert "IBAN" not in portal.get(PATH).content.decode()
    is_approved(account)
    page = portal.get(PATH).content.decode()
    assert f"Transfer to IBAN X &lt;y&gt;<br>Reference: {in_groups(payment_reference(account.pk))}" in page


def test_a_delivered_event_verifies_a_webhook_until_an_exam_says_more(account):
    def is_verified() -> bool:
        return next(step.done for step in steps_of(account, clock.now()) if step.name == "webhook")

    assert not is_verified()
    endpoint = EndpointFactory(account=account)
    DeliveryFactory(endpoint=endpoint, status="DELIVERED", next_attempt_at=None, completed_at=clock.now())
    assert is_verified()
    examined(Endpoint.objects.get(account=account), CASES, status="failed")
    assert not is_verified()


def test_what_is_done_stays_done_and_home_shows_the_same_steps(portal, account):
    is_approved(account)
    for environment in ("test", "live"):
        key, _ = issued_key(account, environment=environment)
        revoke_key(key=key)
    has_called(account)
    steps = steps_of(fresh(account), clock.now())
    done = [step.name for step in steps if step.done]
    assert done == ["first_call", "request", "approval", "live_key"]
    assert next_step(steps) == step_for_home(steps)
    home = portal.get("/portal/test/").content.decode()
    assert 'href="/portal/test/quick-start/">Make a test booking</a>' in home


def test_the_page_takes_few_statements(portal, account):
    for act in [*TESTED, has_asked, is_declined, has_live_key_later]:
        act(account)
    with CaptureQueriesContext(connection) as captured:
        portal.get(PATH)
    assert len(captured) <= 12, [query["sql"][:100] for query in captured]


def has_live_key_later(account: Account) -> None:
    for act in (is_approved, has_live_key, has_expired, has_asked, is_declined):
        act(account)
