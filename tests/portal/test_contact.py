"""The portal says whom to ask, where the service's status is, and how money comes to a live account."""

import pytest

from apps.accounts.models import Role
from tests.factories.accounts import AccountFactory
from tests.portal.person import member_of

pytestmark = pytest.mark.django_db


def test_the_portal_shows_the_deployments_own_words(settings):
    settings.SUPPORT_EMAIL, settings.STATUS_URL = "help@example.com", "https://status.example.com"
    settings.TOP_UP_INSTRUCTIONS = "Transfer to IBAN X <y>\nReference: your account"
    client = member_of(AccountFactory(), Role.OWNER).client
    live = client.get("/portal/live/balance/").content.decode()
    test = client.get("/portal/test/balance/").content.decode()
    assert "Transfer to IBAN X &lt;y&gt;<br>Reference: your account" in live
    assert "IBAN" not in test
    for page in (live, test):
        assert 'href="mailto:help@example.com"' in page
        assert 'href="https://status.example.com"' in page
    home = client.get("/portal/test/").content.decode()
    assert 'For more test funds, write to <a href="mailto:help@example.com">' in home


def test_the_portal_does_well_without_them(settings):
    settings.SUPPORT_EMAIL = settings.STATUS_URL = settings.TOP_UP_INSTRUCTIONS = ""
    page = member_of(AccountFactory(), Role.OWNER).client.get("/portal/live/balance/").content.decode()
    assert "To top up, ask the people who run this service" in page
    assert ("mailto:" in page, "Service status" in page) == (False, False)
