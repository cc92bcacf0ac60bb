"""Statements of months: equal to the ledger to the unit, chained, closed once, and noticed when a line changes."""

import csv
import io
import os
import random
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from apps.account_api.statement_files import amount, lines_in_words, texts
from apps.accounts.models import Account
from apps.common import clock
from apps.common.errors import InsufficientFunds
from apps.documents import pdf
from apps.keys.models import ApiKey
from apps.ledger import months
from apps.ledger.consistency import check_ledger
from apps.ledger.models import LedgerTransaction, MonthStatement
from apps.ledger.money import Trace, adjust, capture, hold, refund, release, top_up
from tests.factories.accounts import AccountFactory
from tests.factories.gateway import api_of_new_partner, partner_of
from tests.factories.ledger import WalletFactory
from tests.support.api import Api

pytestmark = pytest.mark.django_db

RUNS = int(os.environ.get("STATEMENT_MONTHS", "12"))
"""How many random months the property is shown for; by hand 1,000: `STATEMENT_MONTHS=1000 pytest -k random_months`."""
ADDRESS = "/v1/account/statements"

SetNow = Callable[[datetime], None]


@pytest.fixture
def set_now(monkeypatch: pytest.MonkeyPatch) -> SetNow:
    return lambda instant: monkeypatch.setattr(clock, "_database_now", lambda: instant)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def some_steps(
    owner: dict[str, Any], chance: random.Random, name: str, held: list[tuple[str, int, Trace]]
) -> None:
    """One random step of money. `held` are the open holds."""
    kind = chance.choice(["top_up", "adjust", "hold", "hold", "capture", "capture", "release", "refund"])
    trace = Trace(
        booking_type=chance.choice(["hotel", "flight", "transfer", "esim"]),
        booking_reference=f"H-{name}",
        key_id=chance.choice(["key_a", "key_b", None]),
    )
    if kind in ("top_up", "adjust"):
        verb = top_up if kind == "top_up" else adjust
        verb(**owner, amount_cents=chance.randint(1, 10**11), reference=name)
    elif kind == "hold":
        cents = chance.randint(1, 10 ** chance.randint(1, 13))
        with suppress(InsufficientFunds):  # it then moves nothing
            held.append((hold(**owner, amount_cents=cents, reference=name, trace=trace), cents, trace))
    elif held:
        hold_id, cents, of_hold = held.pop(chance.randrange(len(held)))
        if kind == "release":
            release(hold_id=hold_id, trace=of_hold)
            return
        paid = chance.randint(1, cents)
        capture(hold_id=hold_id, amount_cents=paid, trace=of_hold)
        if kind == "refund":
            refund(**owner, amount_cents=chance.randint(1, paid), reference=name, trace=of_hold)


@pytest.mark.parametrize("currency", ["EUR", "JPY", "KWD"])
def test_random_months_equal_the_ledger_to_the_unit(currency: str, set_now: SetNow) -> None:
    chance = random.Random(currency)
    now = at("2026-01-01")
    set_now(now)
    wallet = WalletFactory(account__currency=currency, environment="live", cents=10**12)
    Account.objects.filter(pk=wallet.account_id).update(created_at=now)
    owner = {"account_id": wallet.account_id, "environment": "live", "currency": currency}
    balance, held, opening = 0, [], 0
    month = months.month_of(now)
    for number in range(max(RUNS // 3, 1)):
        for step, second in enumerate(
            sorted(chance.randrange(27 * 86_400) for _ in range(chance.randint(0, 12)))
        ):
            set_now(month.begins + timedelta(seconds=second, hours=1))
            some_steps(owner, chance, f"{currency}-{number}-{step}", held)
        set_now(month.ends + months.CLOSES_AFTER)
        stated = months.statement_of(wallet.account_id, "live", month, clock.now())
        lines = [
            line for line in LedgerTransaction.objects.all() if month.begins <= line.created_at < month.ends
        ]
        balance += sum(line.amount_cents + line.held_delta_cents for line in lines)
        figures = stated.figures
        assert stated.closed
        assert (figures.opening_cents, figures.closing_cents) == (opening, balance)
        assert figures.held_cents == sum(cents for _, cents, _ in held)
        assert figures.line_count == len(lines)
        for groups in (stated.by_product, stated.by_key):
            assert sum(group.captured_cents for group in groups) == figures.captured_cents
            assert sum(group.refunded_cents for group in groups) == figures.refunded_cents
        moved = figures.top_ups_cents + figures.refunded_cents + figures.adjustments_cents
        assert figures.closing_cents == figures.opening_cents + moved - figures.captured_cents
        assert figures.captured_cents == -sum(x.held_delta_cents for x in lines if x.type == "capture")
        assert figures == months.derived(wallet.account_id, "live", month)
        opening, month = balance, month.next
    assert check_ledger() == []


def test_a_changed_line_of_a_closed_month_is_noticed(set_now: SetNow) -> None:
    set_now(at("2026-03-31T23:59:59"))
    wallet = WalletFactory(environment="live", cents=5_000)
    Account.objects.filter(pk=wallet.account_id).update(created_at=clock.now())
    set_now(at("2026-04-01T01:00:00"))
    assert (months.close_last_month(), months.close_last_month()) == (1, 0)
    assert check_ledger() == []
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE ledger_transaction DISABLE TRIGGER ledger_transaction_append_only")
        cursor.execute(
            "UPDATE ledger_transaction SET description = 'other' WHERE wallet_id = %s", [wallet.pk]
        )
        cursor.execute("ALTER TABLE ledger_transaction ENABLE ALWAYS TRIGGER ledger_transaction_append_only")
    found = [(each.check, each.account_id, each.subject) for each in check_ledger()]
    assert found == [("statements", wallet.account_id, "2026-03 changed lines")]


def test_a_stored_statement_cannot_be_changed(set_now: SetNow) -> None:
    set_now(at("2026-04-01T01:00:00"))
    account = AccountFactory()
    months.close_month(account.pk, "live", months.month_of(at("2026-03-01")), clock.now())
    for change in (lambda: MonthStatement.objects.update(held_cents=1), MonthStatement.objects.all().delete):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


@pytest.fixture
def api(set_now: SetNow) -> Api:
    """Opened in March, with a top-up in March, and a hotel paid in April of which 10.00 came back."""
    set_now(at("2026-03-10"))
    api = api_of_new_partner(cents=100_000)
    partner = partner_of(api)
    Account.objects.filter(pk=partner.account_id).update(created_at=clock.now())
    owner = {"account_id": partner.account_id, "environment": "test", "currency": "EUR"}
    trace = Trace(
        booking_type="hotel", booking_reference="H-7KQ2M9XD", key_id=partner.key_id, description="=A stay"
    )
    set_now(at("2026-04-02"))
    capture(hold_id=hold(**owner, amount_cents=30_000, reference="a", trace=trace), trace=trace)
    hold(**owner, amount_cents=500, reference="b", trace=trace)
    refund(**owner, amount_cents=1_000, reference="c", trace=trace)
    return api


def test_months_and_their_figures(api: Api, set_now: SetNow) -> None:
    set_now(at("2026-05-01T00:59:59"))
    assert api.get(ADDRESS).body == {
        "data": [
            {"month": "2026-05", "closed": False},
            {"month": "2026-04", "closed": False},
            {"month": "2026-03", "closed": True},
        ]
    }
    march, april = (api.get(f"{ADDRESS}/2026-{month}").body for month in ("03", "04"))
    assert (march["openingCents"], march["topUpsCents"], march["closingCents"]) == (0, 100_000, 100_000)
    lines = april.pop("lines")
    key = {"keyId": partner_of(api).key_id, "capturedCents": 30_000, "refundedCents": 1_000}
    assert april == {
        "month": "2026-04",
        "currency": "EUR",
        "openingCents": 100_000,
        "topUpsCents": 0,
        "capturedCents": 30_000,
        "refundedCents": 1_000,
        "adjustmentsCents": 0,
        "closingCents": 71_000,
        "heldCents": 500,
        "closed": False,
        "byProduct": [{"bookingType": "hotel", "capturedCents": 30_000, "refundedCents": 1_000}],
        "byKey": [key],
        "lineCount": 4,
    }
    assert [line["type"] for line in lines] == ["hold", "capture", "hold", "refund"]
    assert lines == api.get("/v1/account/ledger?limit=4").body["data"][::-1]
    set_now(at("2026-05-01T01:00:00"))
    assert api.get(f"{ADDRESS}/2026-04").body == {**april, "closed": True, "lines": lines}
    assert MonthStatement.objects.count() == 2


def test_the_file_has_every_line_between_opening_and_closing(
    api: Api, set_now: SetNow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(months, "MOST_LINES", 2)
    set_now(at("2026-05-02"))
    answer = api.get(f"{ADDRESS}/2026-04?format=csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["type"] for row in rows] == ["opening", "hold", "capture", "hold", "refund", "closing"]
    assert [int(row["balanceAfterCents"]) for row in rows] == [
        100_000,
        100_000,
        70_000,
        70_000,
        71_000,
        71_000,
    ]
    assert (rows[1]["description"], rows[1]["amountCents"]) == ("'=A stay", "-30000")


def test_a_pdf_states_the_same_in_words(api: Api, set_now: SetNow) -> None:
    set_now(at("2026-05-02"))
    answer = api.get(f"{ADDRESS}/2026-04?format=pdf")
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/pdf")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="statement-test-2026-04.pdf"'
    assert answer.content.startswith(b"%PDF-")
    owner, april = (partner_of(api).account_id, "test"), months.month_of(at("2026-04-01"))
    name = ApiKey.objects.get().name

    def written() -> dict[str, Any]:
        now = clock.now()
        return texts(
            owner, months.statement_of(*owner, april, now), list(months.lines_of(*owner, april)), now
        )

    closed = written()
    assert (closed["month"], closed["test"], closed["preliminary"]) == ("April 2026", "TEST", "")
    assert [amount for _label, amount, _kind in closed["figures"]] == [
        *("1,000.00", "0.00", "−300.00", "10.00", "0.00", "710.00", "5.00", "705.00"),
    ]
    assert [each["lines"] for each in closed["groups"]] == [
        [("Hotels", "300.00", "10.00")],
        [(name, "300.00", "10.00")],
    ]
    assert closed["lines"]["lines"][0] == (
        *("02 Apr 00:00", "Hold", "H-7KQ2M9XD", "−300.00", "300.00", "1,000.00"),
    )
    set_now(at("2026-05-01T00:59:59"))
    assert written()["preliminary"] == "Preliminary, as of 1 May 2026, 00:59 UTC"


@pytest.mark.parametrize(
    ("currency", "written"), [("EUR", "−1,234.56"), ("JPY", "−123,456"), ("KWD", "−123.456")]
)
def test_amounts_have_the_decimals_of_their_currency(currency: str, written: str) -> None:
    assert amount(-123_456, currency) == written


def test_a_pdf_says_what_it_leaves_out() -> None:
    assert (
        lines_in_words(2_345, 500)
        == "The first 500 of 2,345 lines. The CSV of this statement has all of them."
    )
    assert (lines_in_words(1, 1), lines_in_words(0, 0)) == (
        "1 line.",
        ("There were no movements in this month."),
    )


def test_a_pdf_is_refused_where_too_many_are_made(
    api: Api, set_now: SetNow, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = threading.BoundedSemaphore(1)
    monkeypatch.setattr(pdf, "_places", places)
    set_now(at("2026-05-02"))
    with places:
        answer = api.get(f"{ADDRESS}/2026-04?format=pdf")
    assert (answer.status, answer.headers["Retry-After"]) == (429, "1")
    assert api.get(f"{ADDRESS}/2026-04?format=pdf").status == 200


@pytest.mark.parametrize(
    "month", ["2026-02", "2026-06", "2026-13", "2026-4", "04-2026", "2026-04-01", "²026-04"]
)
def test_a_month_without_a_statement_is_not_found(month: str, api: Api, set_now: SetNow) -> None:
    set_now(at("2026-05-02"))
    assert api.get(f"{ADDRESS}/{month}").error_type == "not_found"


def test_another_format_is_rejected_with_its_field(api: Api, set_now: SetNow) -> None:
    set_now(at("2026-05-02"))
    answer = api.get(f"{ADDRESS}/2026-04?format=xml")
    assert (answer.status, answer.error["details"][0]["field"]) == (400, "format")


def test_an_account_without_a_wallet_has_a_statement_of_zero(set_now: SetNow) -> None:
    set_now(at("2026-05-02"))
    api = api_of_new_partner()
    Account.objects.update(created_at=at("2026-04-30"))
    found = api.get(f"{ADDRESS}/2026-04").body
    assert (found["closed"], found["openingCents"], found["closingCents"], found["lines"]) == (True, 0, 0, [])
