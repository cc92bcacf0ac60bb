"""A visitor whose session has ended, whose form is stale, or whose role does not suffice: a page that says what to do next."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client

from apps.accounts.actors import SUPPORT, actor_of
from apps.accounts.invitations import accept_as, invite, resend_invitation, token_of, withdraw_invitation
from apps.accounts.models import Invitation, Role
from apps.common import clock
from apps.keys.models import ApiKey
from apps.portal.sign_in.unsent import COOKIE
from tests.factories.accounts import MembershipFactory, UserFactory
from tests.factories.keys import issued_key
from tests.factories.webhooks import EndpointFactory
from tests.portal.person import CODE_PAGE, LOGIN, PASSWORD, Person, code_now, member_of

pytestmark = pytest.mark.django_db
NEW_KEY = "/portal/test/keys/new/"
KEY_FORM = {"name": "Web shop <b>", "scopes": ["hotels:search"], "settlement_mode": "partner_merchant"}
TYPED = 'value="Web shop &lt;b&gt;"'


def text_of(answer) -> str:
    page = answer.content.decode()
    inside = page[page.index("<main") : page.index("</main>")]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", inside)).strip()


def expire(person: Person) -> None:
    Session.objects.filter(pk=person.client.cookies[settings.SESSION_COOKIE_NAME].value).delete()


def log_out_in_another_tab(person: Person) -> None:
    person.post("/account/logout/")


def log_in(person: Person, login_page: str) -> str:
    """With the form of that page. Returns the address that one arrives at."""
    page = person.client.get(login_page).content.decode()
    following = re.search(r'name="next" value="([^"]*)"', page)[1].replace("&amp;", "&")
    form = {"login": person.user.email, "password": PASSWORD, "next": following}
    assert person.post(LOGIN, form)["Location"] == CODE_PAGE
    arrived: str = person.post(CODE_PAGE, {"code": code_now()})["Location"]
    return arrived


def form_of(person: Person, **values: object) -> dict[str, object]:
    return {**values, "shown_for": person.account.pk, "shown_in": "Default"}


@pytest.mark.parametrize("ends", [expire, log_out_in_another_tab])
def test_a_page_asked_for_without_a_session_opens_after_the_log_in(portal, ends):
    ends(portal)
    asked = portal.get("/portal/live/keys/", cursor="1-1")["Location"]
    assert parse_qs(urlsplit(asked).query) == {
        "next": ["/portal/live/keys/?cursor=1-1"],
        "ended": ["expired"],
    }
    assert "Your session has ended. Log in to return to the page." in text_of(portal.get(asked))
    assert log_in(portal, asked) == "/portal/live/keys/?cursor=1-1"


@pytest.mark.parametrize("ends", [expire, log_out_in_another_tab])
def test_a_form_sent_without_a_session_is_filled_in_again(portal, ends):
    form = form_of(portal, **KEY_FORM, password="hunter2", code="123456")
    ends(portal)
    answer = portal.post(NEW_KEY, form)
    assert "Log in to return to the page" in text_of(portal.get(answer["Location"]))
    assert log_in(portal, answer["Location"]) == NEW_KEY
    assert not ApiKey.objects.exists()

    page = portal.get(NEW_KEY)
    assert "so this form was not sent. Check what you entered" in text_of(page)
    assert TYPED in page.content.decode()
    assert re.search(r'value="hotels:search" checked', page.content.decode())
    assert "hunter2" not in page.content.decode()
    assert "not sent" not in text_of(portal.get(NEW_KEY)), "Once"


def test_what_was_typed_is_encrypted_in_the_browser_alone(portal):
    expire(portal)
    answer = portal.post(NEW_KEY, form_of(portal, **KEY_FORM))
    cookie = answer.cookies[COOKIE]
    assert "Web shop" not in cookie.value
    assert (cookie["httponly"], cookie["samesite"], cookie["path"], cookie["max-age"]) == (
        True,
        "Lax",
        "/portal",
        900,
    )
    assert not Session.objects.exists()


@pytest.mark.parametrize("case", ["too long", "too late", "other account", "forged", "secret form"])
def test_where_nothing_could_be_kept_the_page_says_so_or_nothing(portal, account, case, move_clock):
    path, form = NEW_KEY, form_of(portal, **KEY_FORM)
    if case == "too long":
        form["name"] = "n" * 4_000
    if case == "secret form":
        path, form["url"] = (
            "/portal/test/notifications/chat/",
            "https://hooks.slack.com/services/T0/B0/s3cret",
        )
    expire(portal)
    portal.post(path, form)
    if case == "forged":
        portal.client.cookies[COOKIE] = "gAAAA"
    if case == "too late":
        move_clock(minutes=16)
    if case == "other account":
        MembershipFactory(account=account, role=Role.OWNER)
        portal.membership.delete()
        portal.membership = MembershipFactory(user=portal.user, role=Role.OWNER)
    portal.sign_in()
    page = portal.get(path)
    assert page.status_code == 200
    said = "Nothing was changed" in text_of(page)
    assert said == (case in ("too long", "secret form"))
    assert not [typed for typed in (TYPED, "s3cret", "nnnn") if typed in page.content.decode()]


def test_a_button_pressed_without_a_session_leads_back_to_its_page(portal, account):
    endpoint = EndpointFactory(account=account)
    button, page = (f"/portal/test/webhooks/{endpoint.pk}/{each}" for each in ("test/", ""))
    expire(portal)
    answer = portal.client.post(button, form_of(portal), headers={"referer": f"http://testserver{page}"})
    assert log_in(portal, answer["Location"]) == page
    assert "your last change was not sent. Nothing was changed." in text_of(portal.get(page))


@pytest.mark.parametrize(
    "referer", ["https://evil.example/portal/x/", "http://testserver/admin/", "//evil", ""]
)
def test_no_other_site_is_where_one_arrives(portal, referer):
    expire(portal)
    answer = portal.client.post(NEW_KEY, form_of(portal, **KEY_FORM), headers={"referer": referer})
    assert log_in(portal, answer["Location"]) == NEW_KEY


def strict(person: Person) -> Client:
    browser = Client(enforce_csrf_checks=True)
    browser.cookies = person.client.cookies
    return browser


def test_a_form_that_is_older_than_the_log_in_says_what_to_do(portal):
    portal.get(NEW_KEY)
    page = f"http://testserver{NEW_KEY}"
    answer = strict(portal).post(NEW_KEY, {"csrfmiddlewaretoken": "x" * 64}, headers={"referer": page})
    assert answer.status_code == 403
    assert "logged in or out in another tab. Nothing was changed." in text_of(answer)
    assert f'href="{NEW_KEY}">Open the page again' in answer.content.decode()


def test_a_browser_without_cookies_is_asked_to_allow_them():
    answer = Client(enforce_csrf_checks=True).post(LOGIN, {"login": "a", "password": "b"})
    assert (answer.status_code, "Allow cookies for this site" in text_of(answer)) == (403, True)


def test_what_needs_the_password_again_says_why_and_goes_on_afterwards(account):
    stale = member_of(account, Role.OWNER, seconds_ago=301)
    asked = stale.get(f"/portal/test/keys/{issued_key(account)[0].pk}/addresses/")["Location"]
    assert "Confirm it’s you" in text_of(stale.get(asked))
    expire(stale)
    assert stale.get(asked)["Location"].startswith(LOGIN)


FORBIDDEN = [
    (Role.VIEWER, NEW_KEY, "get", "owners and developers", ["owner", "developer"]),
    (Role.FINANCE, "/portal/test/webhooks/new/", "get", "owners and developers", ["owner", "developer"]),
    (Role.DEVELOPER, "/portal/test/balance/warning/", "get", "owners and finance members", ["owner"]),
    (Role.DEVELOPER, "/portal/production-access/", "post", "owners", ["owner"]),
    (Role.VIEWER, "/portal/test/sandbox/", "post", "owners and developers", ["owner", "developer"]),
]


@pytest.mark.parametrize(("role", "path", "method", "needed", "who"), FORBIDDEN)
def test_a_page_for_another_role_names_the_role_and_who_has_it(
    portal, portal_as, role, path, method, needed, who
):
    emails = {"owner": portal.user.email, "developer": portal_as(Role.DEVELOPER).user.email}
    MembershipFactory(account=portal.account, role=Role.OWNER, user=UserFactory(is_active=False))
    person = portal_as(role)
    answer = getattr(person, method)(path)
    text = text_of(answer)
    assert answer.status_code == 403
    assert f"Your role in Aurora Travel is {role}. This is for {needed}." in text
    assert all(emails[each] in text for each in who)
    assert ("Nothing was changed." in text) == (method == "post")


def over(invitation: Invitation, case: str) -> None:
    if case == "withdrawn":
        withdraw_invitation(invitation=invitation, actor=SUPPORT)
    elif case == "expired":
        Invitation.objects.update(expires_at=clock.now())
    elif case == "replaced":
        Invitation.objects.update(sent_at=clock.now() - timedelta(minutes=5))
        resend_invitation(invitation=invitation, actor=SUPPORT)
    elif case == "used":
        accept_as(token=token_of(invitation), user=UserFactory(email=invitation.email))


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ("used", "It was accepted with carl@partner.example. Log in with that email. Log in"),
        ("withdrawn", "It was withdrawn. If you still need access, ask"),
        ("replaced", "A newer link was sent to carl@partner.example."),
        ("expired", "to send it again. Log in"),
        ("forged", "Check that you opened the whole link."),
    ],
)
def test_an_invitation_that_has_ended_says_why_and_what_to_do(portal, account, case, says):
    invitation = invite(
        account=account, email="carl@partner.example", role=Role.VIEWER, actor=actor_of(portal.user)
    )
    token = token_of(invitation)
    over(invitation, case)
    path = f"/account/invitation/{token if case != 'forged' else token + 'x'}/"
    answer = Client().get(path)
    assert (answer.status_code, says in text_of(answer)) == (410, True), text_of(answer)
    assert "Open the portal" in text_of(portal.get(path))
