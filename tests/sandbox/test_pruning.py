"""What becomes of a sandbox 30 days after it was reset or closed: only its keys and its ledger are left."""

from collections.abc import Callable

import pytest

from apps.accounts.models import Account, Sandbox
from apps.bookings import pruning
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking, Operation, TravellerKey
from apps.bookings.pruning import prune_sandboxes
from apps.bookings.tasks import forget_idempotency_records
from apps.keys.scopes import ENFORCED
from apps.ledger.consistency import check_ledger
from apps.onboarding.sandboxes import close_sandbox, open_sandbox
from apps.suppliers.models import SimulatedWrite
from tests.factories.keys import approved_account, issued_key
from tests.factories.ledger import WalletFactory
from tests.support.api import Api
from tests.support.flight_shop import FlightShop
from tests.support.rows_of import rows_of
from tests.transfers import agency

pytestmark = pytest.mark.django_db

LEDGER = {"ledger_wallet", "ledger_hold", "ledger_transaction", "ledger_entry"}
TRAIL = {"accounts_accountauditentry"}
OWN_SWEEP = {"flights_flightsearch", "hotels_hotelsearch", "transfers_transfersearch"}
"""Forgotten after 24 h."""


@pytest.fixture
def account() -> Account:
    account = WalletFactory(account=approved_account(name="Acme"), cents=5_000_000).account
    WalletFactory(account=account, environment="live", cents=5_000_000)
    return account


def used(api: Api) -> None:
    """Something of each kind: bookings of two products, changed and cancelled, an endpoint and what it is sent."""
    hook = {"url": "https://partner.example/hooks", "events": ["booking.confirmed", "booking.cancelled"]}
    endpoint = api.post("/v1/webhooks/endpoints", hook)
    assert endpoint.status == 201
    shop = FlightShop(api)
    first, second = shop.ordered(), shop.ordered()
    assert shop.change(first["id"], shop.options(first)[0]).status == 200
    assert shop.cancel(second["id"]).status == 200
    assert agency.order(api, agency.an_offer(api)["quoteId"]).status == 201
    assert api.get("/v1/events").status == 200
    plan = api.get("/v1/esim/plans").body["data"][0]
    esim = api.post("/v1/esim/orders", {"planId": plan["id"]})
    assert api.get(f"/v1/esim/orders/{esim.body['id']}/usage").status == 200
    settle_owed()


def tables(account_id: str) -> set[str]:
    """Those with rows of the account's test environment."""
    return {table for table, rows in rows_of([(account_id, "test")]).items() if rows} - OWN_SWEEP


def rows_of_ledger(account_id: str) -> list[list[str]]:
    rows = rows_of([(account_id, "test")])
    return [rows[table] for table in sorted(LEDGER)]


@pytest.mark.parametrize("batch", [1, pruning.BATCH])
def test_thirty_days_after_a_reset_only_keys_and_ledger_are_left(
    account: Account, move_clock: Callable[..., None], batch: int
):
    test, live = (Api(issued_key(account, environment=each, scopes=ENFORCED)[1]) for each in ("test", "live"))
    used(live)
    rows_of_live = rows_of([(account.pk, "live")])
    used(test)
    ledger = rows_of_ledger(account.pk)
    assert test.post("/sandbox/reset").status == 200
    new = Sandbox.objects.get(owner=account, retired_at=None).account_id
    used(test)
    rows_of_new = rows_of([(new, "test")])
    assert tables(account.pk) > LEDGER | TRAIL

    move_clock(days=29, hours=23)
    assert prune_sandboxes(batch=batch) == 0
    assert "bookings_booking" in tables(account.pk)
    move_clock(hours=2)
    assert prune_sandboxes(batch=batch) == 1

    assert tables(account.pk) == LEDGER | TRAIL
    assert rows_of([(account.pk, "live")]) == rows_of_live
    assert rows_of([(new, "test")]) == rows_of_new
    assert set(TravellerKey.objects.values_list("pk", flat=True)) <= set(
        Booking.objects.values_list("pk", flat=True)
    )
    at_supplier = set(
        Booking.objects.exclude(supplier_reference="").values_list("supplier_reference", flat=True)
    )
    assert set(SimulatedWrite.objects.values_list("reference", flat=True)) == at_supplier
    assert rows_of_ledger(account.pk) == ledger
    assert check_ledger() == []
    assert prune_sandboxes(batch=batch) == 0
    assert Sandbox.objects.get(account=account).pruned_at is not None
    assert test.get("/v1/account").status == 200


def test_a_closed_sandbox_keeps_its_revoked_keys(account: Account, move_clock: Callable[..., None]):
    ci = open_sandbox(account=account, name="CI")
    api = Api(issued_key(ci.account, scopes=ENFORCED)[1])
    used(api)
    close_sandbox(sandbox=ci)
    move_clock(days=30, hours=1)

    assert prune_sandboxes() == 1

    assert tables(ci.account_id) == LEDGER | {"keys_apikey", "keys_keysecret"}
    assert api.get("/v1/account").error_type == "api_key_revoked"
    assert check_ledger() == []


def test_a_booking_that_staff_must_decide_stays_until_they_have(
    account: Account, move_clock: Callable[..., None]
):
    api = Api(issued_key(account)[1])
    open_, done = FlightShop(api).ordered(), FlightShop(api).ordered()
    Operation.objects.filter(booking=open_["id"]).update(state="review")
    assert api.post("/sandbox/reset").status == 200
    move_clock(days=30, hours=1)

    assert prune_sandboxes() == 0

    assert set(Booking.objects.values_list("pk", flat=True)) == {open_["id"]} != {done["id"]}
    Operation.objects.update(state="confirmed")
    assert prune_sandboxes() == 1
    assert not Booking.objects.exists()


def test_the_sweep_of_idempotency_keys_prunes_sandboxes(account: Account, move_clock: Callable[..., None]):
    api = Api(issued_key(account)[1])
    FlightShop(api).ordered()
    assert api.post("/sandbox/reset").status == 200
    move_clock(days=30, hours=1)
    forget_idempotency_records()
    assert not Booking.objects.exists()
