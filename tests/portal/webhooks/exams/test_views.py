"""The pages of receiver exams: starting one, watching it, reading its grades."""

import re
from datetime import timedelta
from html import unescape

import pytest

from apps.accounts.models import Sandbox
from apps.webhooks.models import Endpoint, Exam
from apps.webhooks.services.take_exams import take_exams
from tests.factories.webhooks import EndpointFactory
from tests.support.receiver import Reply, receiving

pytestmark = pytest.mark.django_db
HOME = "/portal/test/webhooks/"


@pytest.fixture
def endpoint(account) -> Endpoint:
    return EndpointFactory(account=account)


def text_of(answer) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", answer.content.decode())).split())


def test_an_exam_is_started_watched_and_read(portal, account):
    with receiving() as receiver:
        endpoint = EndpointFactory(account=account, url=receiver.url)
        page = f"{HOME}{endpoint.pk}/exam/"
        assert "Start an exam" in text_of(portal.get(page))
        started = portal.post(page)
        exam = Exam.objects.get()
        assert started["Location"] == f"{HOME}exams/{exam.pk}/"
        waiting = portal.get(started["Location"])
        assert "0 of 8 passed" in text_of(waiting)
        assert 'hx-trigger="every 2s"' in waiting.content.decode()
        assert "An exam is under way." in text_of(portal.get(page))
        take_exams(seconds=60)
    over = portal.get(started["Location"])
    assert "hx-trigger" not in over.content.decode()
    said = text_of(over)
    assert "6 of 8 passed Failed" in said
    assert "Refuses a bad signature answered 200 failed" in said
    assert "Fix. Check the signature before anything else" in said
    assert text_of(portal.get(page)).count("Failed") == 1


def test_a_second_one_is_refused_with_a_word(portal, endpoint):
    page = f"{HOME}{endpoint.pk}/exam/"
    portal.post(page)
    again = portal.post(page, follow=True)
    assert "An exam of this endpoint is under way; wait for its end." in text_of(again)
    assert Exam.objects.count() == 1


def test_live_endpoints_are_refused(portal, account):
    live = EndpointFactory(account=account, environment="live")
    page = f"/portal/live/webhooks/{live.pk}/exam/"
    shown = portal.get(page)
    assert "endpoints of the test environment alone" in text_of(shown)
    assert "Start an exam" not in text_of(shown)
    assert "endpoints of the test environment alone" in text_of(portal.post(page, follow=True))
    assert not Exam.objects.exists()


def test_a_disabled_endpoint_shows_why_there_is_no_button(portal, endpoint):
    portal.post(f"{HOME}{endpoint.pk}/disable/")
    assert "Enable it to start an exam." in text_of(portal.get(f"{HOME}{endpoint.pk}/exam/"))


@pytest.mark.parametrize(
    ("reason", "says"),
    [
        ("unreachable", "The first case had no answer"),
        ("endpoint_disabled", "The endpoint was disabled or deleted"),
        ("ours", "This is ours"),
    ],
)
def test_a_stop_says_why(portal, endpoint, reason, says):
    exam = Exam.objects.create(
        account=endpoint.account, environment="test", endpoint=endpoint, status="stopped", stop_reason=reason
    )
    assert says in text_of(portal.get(f"{HOME}exams/{exam.pk}/"))


def test_a_receiver_that_refuses_everything_is_sent_to_the_doctor(portal, account):
    with receiving(Reply(401)) as receiver:
        endpoint = EndpointFactory(account=account, url=receiver.url)
        portal.post(f"{HOME}{endpoint.pk}/exam/")
        take_exams(seconds=60)
    shown = portal.get(f"{HOME}exams/{Exam.objects.get().pk}/")
    assert f'href="/portal/test/webhooks/doctor/?endpoint={endpoint.pk}"' in shown.content.decode()
    assert text_of(shown).count("It refuses an ordinary delivery too: fix that first.") == 5


def test_only_who_may_starts_one_and_strangers_do_not_find_it(portal, portal_as, endpoint):
    page = f"{HOME}{endpoint.pk}/exam/"
    portal.post(page)
    exam = f"{HOME}exams/{Exam.objects.get().pk}/"
    viewer = portal_as("viewer")
    assert {viewer.get(page).status_code, viewer.get(exam).status_code} == {200}
    assert "Start" not in text_of(viewer.get(page)).replace("Owners and developers start one.", "")
    assert viewer.post(page).status_code == 403
    assert portal.get(exam.replace("/test/", "/live/")).status_code == 404
    assert portal.post(page.replace("/test/", "/live/")).status_code == 404


def test_it_is_shown_by_the_clock_of_the_sandbox(portal, endpoint):
    portal.post(f"{HOME}{endpoint.pk}/exam/")
    exam = Exam.objects.get()
    Sandbox.objects.create(
        account=endpoint.account,
        owner=endpoint.account,
        name="Sandbox",
        is_first=True,
        clock_offset=timedelta(days=40),
    )
    shown = f"{exam.created_at + timedelta(days=40):%-d %b %Y}"
    assert f"Exam of {shown}" in text_of(portal.get(f"{HOME}exams/{exam.pk}/"))
    assert shown in text_of(portal.get(f"{HOME}{endpoint.pk}/exam/"))
