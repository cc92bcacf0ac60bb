"""A link to a new password: mailed by the worker, with our own address, valid once and for an hour."""

import re
from datetime import datetime, timedelta

import pytest
from allauth.account.forms import EmailAwarePasswordResetTokenGenerator
from django.core import mail
from django.test import Client

from apps.portal.sign_in.password_reset import link_of
from apps.portal.tasks import mail_reset_link
from tests.factories.accounts import UserFactory
from tests.portal.person import CODE_PAGE, PASSWORD, enters

pytestmark = pytest.mark.django_db
ASK, DONE = "/account/password/reset/", "/account/password/reset/done/"
NEW = "nine lilies under glass"


def mailed_path() -> str:
    """The path of the link in the only mail. The link begins with PUBLIC_BASE_URL."""
    [message] = mail.outbox
    [path] = re.findall(r"https://api\.example\.com(/account/password/reset/key/\S+)", message.body)
    return path


@pytest.fixture(autouse=True)
def public_address(settings):
    settings.PUBLIC_BASE_URL = "https://api.example.com"


def test_a_forgotten_password_is_replaced_by_a_link_that_works_once(member, ordered_links):
    browser = Client()
    assert browser.post(ASK, {"email": member.user.email})["Location"] == DONE
    assert (mail.outbox, ordered_links) == ([], [[member.user.email, "127.0.0.1"]])
    mail_reset_link(*ordered_links[0])
    assert "expires after an hour" in mail.outbox[0].body
    link = mailed_path()

    to_form = browser.get(link)["Location"]
    done = browser.post(to_form, {"password1": NEW, "password2": NEW})

    assert done["Location"] == "/account/password/reset/key/done/"
    assert browser.get("/portal/test/").status_code == 302, "A link in a mail is no second factor"
    assert enters(browser, member, NEW)["Location"] == CODE_PAGE
    assert b"already used" in Client().get(link).content


def test_the_host_of_the_request_is_in_no_mail(member, ordered_links, settings):
    settings.ALLOWED_HOSTS = ["*"]
    Client().post(ASK, {"email": member.user.email}, headers={"host": "evil.example"})
    mail_reset_link(*ordered_links[0])
    member.client.post(
        "/account/password/change/",
        {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW},
        headers={"host": "evil.example"},
    )
    assert [message.to for message in mail.outbox] == [[member.user.email]] * 2
    assert not any("evil.example" in message.body for message in mail.outbox)
    assert "api.example.com" in mail.outbox[1].body


def test_a_link_works_for_an_hour(member, monkeypatch):
    path = link_of(member.user).removeprefix("https://api.example.com")
    for minutes, opens in [(59, True), (61, False)]:
        later = datetime.now() + timedelta(minutes=minutes)
        monkeypatch.setattr(EmailAwarePasswordResetTokenGenerator, "_now", lambda self, at=later: at)
        assert (Client().get(path).status_code == 302) is opens


def test_known_and_unknown_addresses_are_answered_alike(member, ordered_links, django_assert_num_queries):
    pages = []
    for email in (member.user.email, "nobody@partner.example"):
        browser = Client()
        browser.get(ASK)
        with django_assert_num_queries(0):
            answer = browser.post(ASK, {"email": email})
        pages.append((answer.status_code, answer["Location"], browser.get(DONE).content))
    assert pages[0] == pages[1]
    assert ordered_links == [[member.user.email, "127.0.0.1"], ["nobody@partner.example", "127.0.0.1"]]


@pytest.mark.parametrize("email", ["nobody@partner.example", "off@partner.example", "ſam@partner.example"])
def test_who_may_not_sign_in_gets_no_mail(email):
    UserFactory(email="off@partner.example", is_active=False)
    UserFactory(email="sam@partner.example")
    mail_reset_link(email, "198.51.100.7")
    assert mail.outbox == []


@pytest.mark.parametrize("email", ["known", "nobody@partner.example"])
def test_without_a_broker_the_page_says_that_it_did_not_work(member, monkeypatch, email):
    def away(*args: object, **named: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(mail_reset_link, "apply_async", away)
    answer = Client().post(ASK, {"email": member.user.email if email == "known" else email})
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


def test_one_person_is_mailed_a_few_links_an_hour(member, ordered_links, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "reset_password": "20/h/key"}
    browsers = [Client(REMOTE_ADDR=f"192.{number}.2.1") for number in range(21)]
    answers = [browser.post(ASK, {"email": member.user.email}).status_code for browser in browsers]
    assert (answers, len(ordered_links)) == ([302] * 20 + [429], 20)
