"""The page of all limits: those of keys with what they hold, four eyes, rates, quota, and who is led to a change."""

from datetime import timedelta

import pytest

from apps.accounts.models import Role
from apps.ledger.models import SpendLimit
from apps.ledger.spend_limits import Limits, set_spend_limits
from tests.factories.gateway import api_of_new_partner
from tests.factories.keys import issued_key
from tests.portal.reading import text_of

pytestmark = pytest.mark.django_db
PAGE = "/portal/test/limits/"


@pytest.fixture
def limited(account):
    api_of_new_partner(account=account, cents=1_000_000)
    key, _ = issued_key(account, name="Junior desk")
    limits = Limits(per_booking_cents=0, per_day_cents=250_000, approval_above_cents=None)
    set_spend_limits(key=key, limits=limits)
    return key


def test_each_key_has_its_limits_and_what_it_holds(portal, limited):
    SpendLimit.objects.filter(key=limited).update(day_cents=1_234, month_cents=5_678)
    shown = text_of(portal.get(PAGE))
    assert "Junior desk 0.00\xa0 EUR 2,500.00\xa0 EUR".replace("\xa0", "") in shown.replace("\xa0", "")
    assert "12.34" in shown
    assert f"/portal/test/keys/{limited.pk}/limits/" in portal.get(PAGE).content.decode()
    spent = SpendLimit.objects.get(key=limited)
    SpendLimit.objects.filter(key=limited).update(day=spent.day - timedelta(days=40))
    assert "12.34" not in text_of(portal.get(PAGE)), "What was held on an earlier day is over"


def test_rates_quota_and_four_eyes_are_the_accounts_own(portal, account):
    before = text_of(portal.get(PAGE))
    assert "60 calls per minute and key" in before
    assert "Off: owners and approvers" in before
    account.rate_search, account.search_quota, account.approval_four_eyes = 1_200, 70_000, True
    account.save()
    after = text_of(portal.get(PAGE))
    assert "1,200 calls per minute and key" in after
    assert "70,000 per UTC day" in after
    assert "On: bookings of a key" in after


@pytest.mark.parametrize(
    ("role", "spend", "approval"),
    [(Role.OWNER, True, True), (Role.FINANCE, True, False), (Role.VIEWER, False, False)],
)
def test_only_who_may_change_is_led_to_the_form(portal_as, limited, role, spend, approval):
    page = portal_as(role).get(PAGE).content.decode()
    assert (f"/keys/{limited.pk}/limits/" in page, "/portal/team/approval/" in page) == (spend, approval)


def test_no_keys_and_a_cursor_that_is_none(portal, account):
    assert "No keys to limit" in text_of(portal.get(PAGE))
    assert portal.get(f"{PAGE}?cursor=%00x").status_code in (200, 400)
