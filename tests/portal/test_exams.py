"""The pages of receiver exams: starting one, watching it, reading its grades."""

import pytest

from apps.webhooks.models import Exam
from apps.webhooks.services.take_exams import take_exams
from tests.factories.webhooks import EndpointFactory
from tests.portal.reading import text_of
from tests.support.receiver import receiving

pytestmark = pytest.mark.django_db
HOME = "/portal/test/webhooks/"


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
        assert "An exam is running." in text_of(portal.get(page))
        take_exams(seconds=60)
    over = portal.get(started["Location"])
    assert "hx-trigger" not in over.content.decode()
    said = text_of(over)
    assert "6 of 8 passed Failed" in said
    assert "Rejects an invalid signature answered 200 failed" in said
    assert "Fix. Verify the signature first" in said
    assert text_of(portal.get(page)).count("Failed") == 1


def test_a_second_one_is_refused_with_a_word(portal, endpoint):
    page = f"{HOME}{endpoint.pk}/exam/"
    portal.post(page)
    again = portal.post(page, follow=True)
    assert "An exam of this endpoint is already running." in text_of(again)
    assert Exam.objects.count() == 1


def test_live_endpoints_are_refused(portal, account):
    live = EndpointFactory(account=account, environment="live")
    page = f"/portal/live/webhooks/{live.pk}/exam/"
    shown = portal.get(page)
    assert "for test endpoints only" in text_of(shown)
    assert "Start an exam" not in text_of(shown)
    assert "for test endpoints only" in text_of(portal.post(page, follow=True))
    assert not Exam.objects.exists()
