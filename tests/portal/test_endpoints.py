"""The pages of endpoints: registering, the secret shown once, changes, refusals."""

import re
from datetime import timedelta
from html import unescape

import pytest

from apps.accounts.models import Role
from apps.common import clock
from apps.portal.models import NotificationChoice
from apps.portal.notifications.tell import choose
from apps.webhooks.models import Attempt, Delivery, Endpoint
from apps.webhooks.services.endpoints import MAX_ENDPOINTS
from tests.factories.webhooks import DeliveryFactory, EndpointFactory, EventFactory
from tests.portal.person import PASSWORD, member_of
from tests.portal.reading import text_of

pytestmark = pytest.mark.django_db
HOME = "/portal/test/webhooks/"
NEW = f"{HOME}new/"
GOOD = {"url": "https://hooks.partner.example/in", "events": ["booking.confirmed"], "description": "Shop"}


def secrets_in(answer) -> list[str]:
    return re.findall(r"whsec_[A-Za-z0-9+/=]+", unescape(answer.content.decode()))


def page_of(endpoint: Endpoint, act: str = "") -> str:
    return f"{HOME}{endpoint.pk}/{act}"


def test_registering_shows_the_secret_once(portal):
    answer = portal.post(NEW, GOOD)
    endpoint = Endpoint.objects.get(account=portal.account)
    assert answer["Location"] == page_of(endpoint, "secret/")
    assert (endpoint.url, endpoint.events, endpoint.description) == tuple(GOOD.values())
    assert endpoint.secret not in str(dict(portal.client.session)), "The session keeps it encrypted"

    shown = portal.get(page_of(endpoint, "secret/"))
    assert secrets_in(shown) == [endpoint.secret]
    assert "no-store" in shown["Cache-Control"]
    again = portal.get(page_of(endpoint, "secret/"))
    assert (again.status_code, again["Location"]) == (302, page_of(endpoint))
    assert secrets_in(portal.get(page_of(endpoint))) == []


def test_a_new_endpoint_offers_to_mail_about_failures_and_adds_to_what_was_chosen(portal):
    offer, mailed = "Email me when deliveries to this endpoint fail", "You get an email when deliveries"
    choose(membership=portal.membership, environment="test", kinds=["keys"], balance_below_cents=None)
    portal.post(NEW, GOOD | {"url": "http://partner.example/in", "mail_me": "on"})
    portal.post(NEW, GOOD)
    choice = NotificationChoice.objects.get()
    off = choice.switched_off
    assert (choice.kinds, "low_balance" in off) == (["keys"], True)
    page = portal.get(NEW)
    assert (offer in text_of(page), mailed in text_of(page), page.context["form"]["mail_me"].value()) == (
        *(True, False),
        None,
    )

    portal.post(NEW, GOOD | {"mail_me": "on"})
    choice.refresh_from_db()
    assert choice.kinds == ["keys", "endpoint_failing", "endpoint_disabled"]
    assert choice.switched_off == off
    page = text_of(portal.get(NEW))
    assert (offer in page, mailed in page) == (False, True)


def test_a_secret_of_one_endpoint_is_not_shown_on_anothers_page(portal, endpoint):
    portal.post(NEW, GOOD)
    assert portal.get(page_of(endpoint, "secret/"))["Location"] == page_of(endpoint)


@pytest.mark.parametrize(
    ("changed", "field", "says"),
    [
        ({"url": "http://partner.example/in"}, "url", "must be an https URL"),
        ({"url": "https://10.0.0.7/in"}, "url", "public"),
        ({"url": "https://partner.example/\x00"}, "url", "Null characters"),
        ({"events": []}, "events", "Choose at least one event."),
        ({"events": ["checkout.created"]}, "events", "not one of the available choices"),
    ],
)
def test_what_is_refused_is_said_beside_its_field_and_what_was_typed_stays(
    portal, settings, changed, field, says
):
    settings.WEBHOOK_ALLOW_LOCAL_TARGETS = False
    answer = portal.post(NEW, GOOD | {"description": "Kept"} | changed)
    errors = answer.context["form"].errors
    assert (answer.status_code, list(errors)) == (400, [field])
    assert says in " ".join(errors[field])
    if "description" not in changed:
        assert 'value="Kept"' in answer.content.decode()
    assert not Endpoint.objects.exists()


def test_the_twenty_first_endpoint_is_refused(portal):
    EndpointFactory.create_batch(MAX_ENDPOINTS, account=portal.account)
    answer = portal.post(NEW, GOOD)
    assert (answer.status_code, Endpoint.objects.count()) == (400, MAX_ENDPOINTS)
    assert "There are 20 endpoints in this environment; delete one first." in text_of(answer)
    overview = text_of(portal.get(HOME))
    assert ("Add an endpoint" in overview, "the maximum" in overview) == (False, True)


def test_making_a_secret_asks_for_the_password_again_and_goes_on_with_what_was_typed(account):
    stale = member_of(account, Role.DEVELOPER, seconds_ago=301)
    asked = stale.post(NEW, GOOD)
    assert asked["Location"].startswith("/account/reauthenticate/")
    assert not Endpoint.objects.exists()
    done = stale.post("/account/reauthenticate/", {"password": PASSWORD, "next": NEW})
    endpoint = Endpoint.objects.get()
    assert (done["Location"], endpoint.events) == (page_of(endpoint, "secret/"), GOOD["events"])
    assert secrets_in(stale.get(done["Location"])) == [endpoint.secret]


def test_disabling_and_deleting_are_asked_first(portal, endpoint):
    for act, status in (("disable/", "disabled"), ("delete/", "disabled")):
        asked = portal.get(page_of(endpoint, act))
        assert (asked.status_code, endpoint.url in text_of(asked)) == (200, True)
        assert portal.post(page_of(endpoint, act)).status_code == 302
        assert Endpoint.objects.get().status == status
    assert portal.get(page_of(endpoint)).status_code == 404
    assert Endpoint.objects.get().secret_encrypted == ""


def test_enabling_asks_whether_to_send_what_was_missed(portal, account):
    since = clock.now() - timedelta(hours=3)
    disabled = {"status": "disabled", "disabled_reason": "disabled_by_partner", "disabled_at": since}
    endpoint = EndpointFactory(account=account, created_at=since - timedelta(days=1), **disabled)
    assert "Disabled by hand 3 h ago ." in text_of(portal.get(page_of(endpoint)))
    EventFactory(account=account, created_at=since + timedelta(hours=1))

    answer = portal.post(page_of(endpoint, "enable/"), follow=True)

    assert answer.redirect_chain[0][0].startswith(
        f"{page_of(endpoint, 'recover/')}?since={since:%Y-%m-%dT%H}"
    )
    assert (Endpoint.objects.get().status, answer.context["preview"].missed) == ("enabled", 1)
    assert portal.post(page_of(endpoint, "enable/"))["Location"] == page_of(endpoint), "Nothing was missed"


def test_a_test_lands_on_its_delivery(portal, endpoint):
    answer = portal.post(page_of(endpoint, "test/"))
    delivery = Delivery.objects.get(endpoint=endpoint)
    assert (delivery.event_type, answer["Location"]) == ("webhook.test", f"{HOME}deliveries/{delivery.pk}/")


def test_rotating_shows_the_new_secret_and_how_long_both_sign(portal, endpoint):
    before = endpoint.secret
    answer = portal.post(page_of(endpoint, "rotate/"), {"when": "overlap"}, follow=True)
    endpoint.refresh_from_db()
    assert secrets_in(answer) == [endpoint.secret] != [before]
    state = portal.get(page_of(endpoint)).context["state"]
    assert state.both_sign_until == endpoint.previous_secret_expires_at
    assert 86_300 < state.overlap_left <= 86_400


def tried(endpoint: Endpoint, *statuses: int, at=None) -> None:
    """One attempt a minute, the last one now or at `at`."""
    last, delivery = at or clock.now(), DeliveryFactory(endpoint=endpoint)
    for number, status in enumerate(statuses, start=1):
        Attempt.objects.create(
            delivery=delivery,
            endpoint=endpoint,
            number=number,
            attempted_at=last - timedelta(minutes=len(statuses) - number),
            duration_ms=10 * number,
            status_code=status,
        )


def test_an_endpoint_whose_latest_tries_all_fail_is_first_and_red_and_never_green(portal, account):
    failing = EndpointFactory(
        account=account, url="https://a.example/in", created_at=clock.now() - timedelta(days=9)
    )
    EndpointFactory(account=account, url="https://b.example/in", status="disabled", disabled_at=clock.now())
    shaky, good = (EndpointFactory(account=account, url=f"https://{name}.example/in") for name in "cd")
    tried(failing, 200, 500, 500, 500)
    tried(shaky, 200, 500)
    tried(good, 500, 200)
    answer = portal.get(HOME)
    states = answer.context["states"]
    assert [(state.endpoint.url, state.pill) for state in states] == [
        ("https://a.example/in", "failing"),
        ("https://d.example/in", "enabled"),
        ("https://c.example/in", "last_attempt_failed"),
        ("https://b.example/in", "disabled"),
    ]
    words = states[0].failing_words
    assert re.fullmatch(r"Failing since (\d+ \w+, )?\d\d:\d\d UTC: 3 attempts, all 500", words)
    assert words in text_of(answer)
    assert 'title="1 of 4 attempts"' in answer.content.decode()
    assert "40 ms" in text_of(answer)
    page = portal.get(page_of(failing))
    assert (words in text_of(page), "pill-good" in page.content.decode()) == (True, False)
