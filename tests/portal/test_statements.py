"""The pages of statements: the months, one month, its files."""

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Account
from apps.common import clock
from apps.documents import pdf
from apps.ledger import months
from apps.ledger.models import MonthStatement
from apps.ledger.money import Trace, capture, hold, refund, top_up
from apps.portal import statements
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.portal.reading import text_of

pytestmark = pytest.mark.django_db
PAGE = "/portal/test/balance/statements/"

SetNow = Callable[[datetime], None]


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def set_now(monkeypatch: pytest.MonkeyPatch) -> SetNow:
    return lambda instant: monkeypatch.setattr(clock, "_database_now", lambda: instant)


@pytest.fixture
def api(account, set_now: SetNow):
    """Opened in March; in April a hotel for 300.00 was paid, of which 10.00 came back."""
    Account.objects.filter(pk=account.pk).update(created_at=at("2026-03-10"))
    set_now(at("2026-03-10"))
    api = api_of_new_partner(account=account, name="Web shop", cents=100_000)
    partner = partner_of(api)
    owner = {"account_id": account.pk, "environment": "test", "currency": "EUR"}
    trace = Trace(booking_type="hotel", booking_reference="H-7KQ2M9XD", key_id=partner.key_id)
    set_now(at("2026-04-02"))
    capture(hold_id=hold(**owner, amount_cents=30_000, reference="a", trace=trace), trace=trace)
    refund(**owner, amount_cents=1_000, reference="c", trace=trace)
    set_now(at("2026-05-02"))
    return api


def test_the_months_stand_with_their_figures_and_are_closed_by_their_first_reader(portal, api) -> None:
    shown = [
        (row["title"], row["closed"], row["figures"].opening_cents, row["figures"].closing_cents)
        for row in portal.get(PAGE).context["rows"]
    ]
    assert shown == [
        ("May 2026", False, 71_000, 71_000),
        ("April 2026", True, 100_000, 71_000),
        ("March 2026", True, 0, 100_000),
    ]
    assert MonthStatement.objects.count() == 2
    text = text_of(portal.get(PAGE))
    assert "A month runs from the first, 00:00 UTC, to the next." in text
    assert "Preliminary" in text


def test_older_months_have_a_page_of_their_own(portal, api, monkeypatch) -> None:
    monkeypatch.setattr(statements, "MONTHS", 2)
    first = portal.get(PAGE).context
    assert ([row["name"] for row in first["rows"]], first["older"]) == (["2026-05", "2026-04"], "2026-04")
    second = portal.get(PAGE, cursor="2026-04").context
    assert ([row["name"] for row in second["rows"]], second["older"]) == (["2026-03"], "")
    assert "No earlier month" in text_of(portal.get(PAGE, cursor="2026-03"))


def test_a_month_shows_what_was_paid_by_product_and_key_and_its_lines(portal, api) -> None:
    answer = portal.get(f"{PAGE}2026-04/")
    text = text_of(answer)
    assert [name for name, _sums in answer.context["products"]] == ["Hotels"]
    assert [name for name, _sums in answer.context["by_key"]] == ["Web shop"]
    assert [line.type for line in answer.context["page"].rows] == ["refund", "capture", "hold"]
    assert "Closed: it never changes. The month runs from the first, 00:00 UTC, to the next." in text
    assert "Preliminary, as of" in text_of(portal.get(f"{PAGE}2026-05/"))


def test_lines_of_a_month_are_paged(portal, api, account, monkeypatch) -> None:
    monkeypatch.setattr(statements, "PAGE", 2)
    first = portal.get(f"{PAGE}2026-04/").context["page"]
    second = portal.get(f"{PAGE}2026-04/", cursor=first.older).context["page"]
    assert [line.type for line in (*first.rows, *second.rows)] == ["refund", "capture", "hold"]
    assert second.older is None


def test_the_files_are_those_of_the_api(portal, api) -> None:
    for form, media in (("json", "application/json"), ("csv", "text/csv"), ("pdf", "application/pdf")):
        file = portal.get(f"{PAGE}2026-04/statement.{form}")
        assert file["Content-Type"].startswith(media)
        assert file["Content-Disposition"] == f'attachment; filename="statement-test-2026-04.{form}"'
        answer = api.get(f"/v1/account/statements/2026-04?format={form}")
        content = file.getvalue()
        assert (json.loads(content) == answer.body) if form == "json" else (content == answer.content)


@pytest.mark.parametrize("path", ["2026-02/", "2026-06/", "2026-13/", "april/", "2026-04/statement.xml"])
def test_a_month_without_a_statement_has_no_page(portal, api, path: str) -> None:
    assert portal.client.get(f"{PAGE}{path}").status_code == 404


def test_a_pdf_that_has_to_wait_too_long_leads_back_to_its_month(portal, api, monkeypatch) -> None:
    places = threading.BoundedSemaphore(1)
    monkeypatch.setattr(pdf, "_places", places)
    with places:
        answer = portal.client.get(f"{PAGE}2026-04/statement.pdf", follow=True)
    assert answer.redirect_chain == [(f"{PAGE}2026-04/", 302)]
    assert statements.BUSY in text_of(answer)


def test_a_month_of_many_lines_is_stated_by_as_many_statements_as_one_of_few(portal, api, account) -> None:
    portal.get(f"{PAGE}2026-04/")
    with CaptureQueriesContext(connection) as few:
        portal.get(f"{PAGE}2026-05/")
    for number in range(20):
        top_up(
            account_id=account.pk, environment="test", currency="EUR", amount_cents=5, reference=f"t{number}"
        )
    with CaptureQueriesContext(connection) as many:
        portal.get(f"{PAGE}2026-05/")
    assert len(many) == len(few)
    assert months.lines_of(account.pk, "test", months.month_of(at("2026-05-01"))).count() == 20
