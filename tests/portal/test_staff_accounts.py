"""The list of accounts in the back office with its figures, the tabs of one account, and all suppliers in one table."""

import re
from datetime import timedelta
from typing import Any

import pytest
from prometheus_client.samples import Sample

from apps.accounts.models import Account
from apps.accounts.sandboxes import stored_under
from apps.common import clock
from apps.common.environments import Environment
from apps.flights.models import FlightSearch
from apps.ledger.money import top_up
from apps.ledger.movements import confirm, propose
from apps.portal.staff.suppliers import CALLS, SECONDS, calls_by_supplier
from apps.request_log.models import CallHour
from apps.suppliers.alerts import alert
from apps.suppliers.models import SupplierAlert
from tests.factories.accounts import AccountFactory
from tests.factories.keys import issued_key, stored_key
from tests.factories.ledger import WalletFactory
from tests.portal.test_staff_withheld import store
from tests.support.api import Api
from tests.support.back_office import Desk, faults_of
from tests.support.flight_shop import FlightShop

pytestmark = pytest.mark.django_db
LIST = "/admin/accounts/account/"
SUPPLIERS = "/admin/supplier-overview/"


def counted(account: Account, environment: str, calls: int, errors: int, hours_ago: int = 0) -> None:
    key, _ = stored_key(account, environment=environment)
    hour = clock.now().replace(minute=0, second=0, microsecond=0) - timedelta(hours=hours_ago)
    CallHour.objects.create(
        account_id=stored_under(account.pk, Environment(environment)),
        environment=environment,
        key=key,
        secret_id=key.secrets.get().pk,
        hour=hour,
        calls=calls,
        errors=errors,
        first_call_at=hour,
        last_call_at=hour,
    )


def row_of(desk: Desk, account: Account) -> list[str]:
    html = desk.get(LIST, {"q": account.pk}).content.decode()
    row = html[html.index("<tbody>") : html.index("</tbody>")]
    cells = re.findall(r"<t[hd] class=\"field-[^>]*>(.*?)</t[hd]>", row, re.DOTALL)
    return [re.sub("<[^>]+>", "", cell).strip() for cell in cells]


def test_the_list_shows_money_calls_errors_and_the_last_booking() -> None:
    account = AccountFactory(name="Borealis Tours")
    WalletFactory(account=account, environment="live", cents=1_234_500)
    counted(account, "live", 90, 9)
    counted(account, "test", 10, 1, hours_ago=20)
    counted(account, "live", 5_000, 5_000, hours_ago=40)
    WalletFactory(account=account, cents=10**6)
    _, secret = issued_key(account)
    FlightShop(Api(secret)).ordered()
    name, status, balance, calls, errors, booked, approval = row_of(Desk(), account)
    assert (name, status, balance, approval) == ("Borealis Tours", "Active", "12,345.00 EUR", "none")
    assert (calls, errors) == ("100", "10 (10.0%)")
    assert booked.endswith("s ago")


def test_an_account_that_did_nothing_has_dashes_and_so_has_a_reader_without_the_rights() -> None:
    account = AccountFactory()
    assert row_of(Desk(), account)[2:6] == ["–", "0", "0", "–"]
    WalletFactory(account=account, environment="live", cents=100)
    counted(account, "live", 90, 9)
    assert row_of(Desk("accounts.view_account"), account)[2:6] == ["–", "–", "–", "–"]


def test_a_full_page_costs_as_many_statements_as_one_row(django_assert_max_num_queries: Any) -> None:
    for number in range(30):
        account = AccountFactory(name=f"Partner {number}")
        WalletFactory(account=account, environment="live", cents=number)
    desk = Desk()
    with django_assert_max_num_queries(12):
        assert len(desk.get(LIST).context["cl"].result_list) == 30
    assert faults_of(desk, LIST) == []


def test_the_tabs_of_an_account_count_what_one_may_see() -> None:
    account = AccountFactory()
    WalletFactory(account=account, environment="live", cents=100)
    stored_key(account, environment="live")
    page = f"{LIST}{account.pk}/change/"

    def tabs(desk: Desk) -> dict[str, str]:
        html = desk.get(page).content.decode()
        found = re.findall(r'<a href="([^"]+)">([^<]+)<span class="count">([^<]+)</span>', html)
        assert all(faults_of(desk, address) == [] for address, _, _ in found)
        return {label: count for _, label, count in found}

    whole = tabs(Desk())
    assert (whole["Keys"], whole["Bookings"], whole["Endpoints"], whole["Wallets"]) == ("1", "0", "0", "1")
    assert tabs(Desk("accounts.view_account", "keys.view_apikey")) == {"Keys": "1"}
    assert faults_of(Desk(), page) == []


def test_a_proposal_shows_the_balance_before_and_after() -> None:
    wallet = WalletFactory(environment="live", cents=100_000)
    desk, second = Desk(), Desk()

    def proposed(cents: int, evidence: str) -> Any:
        given = {"evidence": evidence, "reason": "A mistake", "proposed_by": desk.user}
        return propose(wallet=wallet, type="adjustment", amount_cents=cents, **given)

    def balances(movement: Any) -> list[str]:
        page = second.get(f"/admin/ledger/staffmovement/{movement.pk}/change/")
        return [
            re.sub("<[^>]+>", "", str(value))
            for label, value in page.context["facts"]
            if str(label).startswith("Balance")
        ]

    down = proposed(-25_000, "ticket-1")
    assert balances(down) == ["1,000.00 EUR", "750.00 EUR"]
    row = second.get("/admin/ledger/staffmovement/").content.decode()
    assert "750.00 EUR" in row
    confirm(movement_id=down.pk, confirmed_by=second.user)
    given = {"account_id": wallet.account_id, "environment": "live", "currency": "EUR"}
    top_up(**given, amount_cents=500_000, reference="bank-1")
    assert balances(down) == ["1,000.00 EUR", "750.00 EUR"]  # of then, whatever moved later
    assert balances(proposed(-575_001, "ticket-2"))[1].endswith(
        "(not covered: the balance cannot be below zero)"
    )


def test_the_suppliers_stand_in_one_table() -> None:
    store(FlightSearch, "duffel", 3, 0, 1, 0, passengers={})
    store(FlightSearch, "duffel", 0, 0, 0, 0, passengers={})
    alert("duffel", "wallet_empty", "")
    SupplierAlert.objects.update(cleared_at=clock.now())
    alert("duffel", "quota_used_up", "")
    desk = Desk()
    rows = {row.supplier: row for row in desk.get(SUPPLIERS).context["rows"]}
    duffel, airalo = rows["duffel"], rows["airalo"]
    assert (duffel.searches, duffel.withheld, duffel.open_alerts) == (2, 4, 1)
    assert duffel.alert.kind == "quota_used_up"
    assert (airalo.searches, airalo.alert, airalo.calls.success, airalo.calls.p95) == (None, None, "", "")
    assert faults_of(desk, SUPPLIERS) == []
    assert Desk("accounts.view_account").get(SUPPLIERS).status_code == 403
    without = Desk("suppliers.view_supplieralert").get(SUPPLIERS).content.decode()
    assert "Withheld offers</th>" not in without


def samples(outcomes: dict[str, int], buckets: dict[str, int]) -> list[Sample]:
    calls = [
        Sample(CALLS, {"supplier": "duffel", "outcome": name}, count) for name, count in outcomes.items()
    ]
    took = [Sample(SECONDS, {"supplier": "duffel", "le": name}, count) for name, count in buckets.items()]
    return calls + took


@pytest.mark.parametrize(
    ("outcomes", "buckets", "success", "p95"),
    [
        ({"200": 95, "404": 1, "503": 2, "no answer": 2}, {"0.25": 94, "0.5": 96, "+Inf": 100}, "96.0%", "under 500 ms"),
        ({"200": 2999, "429": 1}, {"10.0": 0, "60.0": 0, "+Inf": 3000}, "99.9%", "over 60 s"),
        ({"not sent: breaker open": 3}, {}, "0.0%", ""),
    ],
)  # fmt: skip
def test_success_and_p95_come_from_what_the_host_has_counted(
    outcomes: dict[str, int], buckets: dict[str, int], success: str, p95: str
) -> None:
    calls = calls_by_supplier(samples(outcomes, buckets))["duffel"]
    assert (calls.success, calls.p95) == (success, p95)
