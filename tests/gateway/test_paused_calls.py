"""Every POST of /v1, by a call that stood still beyond its claim: what its successor answered is what the key answers."""

from collections.abc import Callable

import pytest

from apps.bookings.models import Booking, Operation
from apps.gateway import faults
from apps.gateway.models import SearchQuotaDay, SearchUsage
from apps.gateway.requests import PartnerRequest
from apps.keys.scopes import GRANTABLE
from apps.ledger.models import LedgerTransaction
from apps.webhooks.models import Delivery, Endpoint, Event
from tests.contract.goods import Goods
from tests.factories.gateway import api_of_new_partner
from tests.support.api import Api, Reply
from tests.support.operations import operations

pytestmark = pytest.mark.usefixtures("noon")

KEY = "one-and-the-same-key"
EFFECTS = (Booking, Operation, LedgerTransaction, Endpoint, Event, Delivery)


@pytest.fixture
def api(db: None) -> Api:
    return api_of_new_partner(cents=10_000_000, scopes=GRANTABLE)


def effects() -> list[int]:
    billed = sum(SearchUsage.objects.values_list("billable", flat=True))
    return [*(model.objects.count() for model in EFFECTS), billed]  # type: ignore[attr-defined]


@pytest.mark.parametrize("operation_id", [op.route.id for op in operations() if op.method == "POST"])
def test_a_late_call_does_nothing_and_is_told_so(
    api: Api, operation_id: str, monkeypatch: pytest.MonkeyPatch, move_clock: Callable[..., None]
) -> None:
    path, body = Goods(api).request(operation_id)
    replies: list[Reply] = []
    done: list[list[int]] = []
    plan = faults.plan

    def paused(request: PartnerRequest) -> None:
        monkeypatch.setattr(faults, "plan", plan)
        move_clock(seconds=46)
        replies.append(api.post(path, body, key=KEY))
        done.append(effects())
        plan(request)

    monkeypatch.setattr(faults, "plan", paused)
    late = api.post(path, body, key=KEY)
    again = api.post(path, body, key=KEY)

    assert (late.status, late.error_type) == (409, "idempotency_key_in_progress")
    assert replies[0].status in {200, 201, 202}
    assert (again.status, again.content, again.headers["Idempotent-Replayed"]) == (
        replies[0].status,
        replies[0].content,
        "true",
    )
    assert effects() == done[0]
    assert sum(SearchQuotaDay.objects.values_list("used", flat=True)) == effects()[-1]
