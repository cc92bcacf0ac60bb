"""The staff dashboard on the first page of the back office."""

from datetime import timedelta

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.live_approval import request_live_approval
from apps.accounts.models import User
from apps.common import clock
from apps.gateway.models import TaskRecord
from apps.ledger.models import Wallet
from apps.ledger.movements import propose
from apps.portal.staff_dashboard import staff_dashboard
from apps.request_log.models import LostCalls
from apps.suppliers.alerts import alert
from apps.webhooks.models import EndpointStatus
from tests.factories.accounts import AccountFactory
from tests.factories.ledger import WalletFactory
from tests.factories.webhooks import DeliveryFactory, EndpointFactory
from tests.support.back_office import Desk, faults_of

pytestmark = pytest.mark.django_db
INDEX = "/admin/"


def figures(person: User) -> dict[str, str]:
    return {row.text: row.figure for row in staff_dashboard(person)}


def waiting(person: User) -> list[str]:
    return [row.text for row in staff_dashboard(person) if row.waits]


def propose_one(wallet: Wallet, by: User, evidence: str) -> None:
    propose(
        wallet=wallet, type="top_up", amount_cents=1, evidence=evidence, reason="Transfer", proposed_by=by
    )


def test_a_quiet_day_says_so() -> None:
    desk = Desk()
    assert waiting(desk.user) == []
    assert "Nothing waits." in desk.get(INDEX).content.decode()


def test_everything_that_waits_is_counted_and_leads_to_its_list() -> None:
    desk, other = Desk(), Desk()
    request_live_approval(account=AccountFactory())
    wallet = WalletFactory()
    propose_one(wallet, desk.user, "bank-1")
    propose_one(wallet, other.user, "bank-2")
    alert("duffel", "wallet_empty", "")
    EndpointFactory(
        status=EndpointStatus.DISABLED, disabled_reason="consecutive_failures", disabled_at=clock.now()
    )
    DeliveryFactory(next_attempt_at=clock.now() - timedelta(minutes=5))
    refused = DeliveryFactory(status="RETRYING", next_attempt_at=clock.now() + timedelta(hours=1))
    refused.attempts.create(
        endpoint=refused.endpoint,
        number=1,
        attempted_at=clock.now(),
        duration_ms=10,
        status_code=500,
        error_code="status",
    )
    LostCalls.objects.create(calls=1_200)
    LostCalls.objects.create(calls=7, noticed_at=clock.now() - timedelta(hours=25))
    TaskRecord.objects.create(task="webhooks.prune", failing={"": 2})
    TaskRecord.objects.create(task="webhooks.sweep")

    assert figures(desk.user) == {
        "Requests for live keys": "1",
        "Operations with staff": "0",
        "Operations uncertain for over an hour": "0",
        "Operations whose money is held for over a day": "0",
        "Settlements that failed and are still owed": "0",
        "Top-ups and adjustments awaiting a second person, 1 of them yours": "2",
        "Open alerts about suppliers": "1",
        "Endpoints that are failing": "1",
        "Endpoints disabled after 10 failures": "1",
        "Backlog of webhook deliveries": "5 min",
        "Entries that the request log lost in a day": "1,200",
        "Periodic tasks that fail or are late": "1",
    }
    assert len(waiting(desk.user)) == 8
    pages = [row.address for row in staff_dashboard(desk.user)]
    assert [fault for page in pages for fault in faults_of(desk, page)] == []


def test_each_sees_what_is_theirs_to_look_after() -> None:
    desk = Desk("suppliers.view_supplieralert", "bookings.view_operation")
    assert [row.address.split("/")[3] for row in staff_dashboard(desk.user)] == [
        "operation",
        "operation",
        "operation",
        "supplieralert",
    ]
    assert staff_dashboard(Desk("accounts.view_account").user) == []


def test_the_desk_costs_few_queries_and_obeys_the_policy() -> None:
    desk = Desk()
    staff_dashboard(desk.user)
    with CaptureQueriesContext(connection) as queries:
        staff_dashboard(desk.user)
    assert len(queries) <= 11
    assert faults_of(desk, INDEX) == []


def test_the_back_office_is_for_staff_in_our_colours_and_the_chosen_ones() -> None:
    desk = Desk()
    desk.cookies["theme"] = "dark"
    page = desk.get(INDEX)
    html = page.content.decode()
    assert "css/admin.css" in html
    assert "theme-dark" in html
    assert "admin/js/theme.js" not in html
    assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"]


LISTED = sorted((model._meta.app_label, model._meta.model_name) for model in admin.site._registry)


@pytest.mark.parametrize(("app", "model"), LISTED)
def test_every_list_opens_and_obeys_the_policy(app: str, model: str) -> None:
    assert faults_of(Desk(), f"/admin/{app}/{model}/") == []


@pytest.mark.parametrize(("app", "model"), LISTED)
def test_staff_without_rights_see_no_list(app: str, model: str) -> None:
    rights = "auth.view_permission"  # of a model that the back office does not show
    assert Desk(rights).get(f"/admin/{app}/{model}/").status_code == 403
