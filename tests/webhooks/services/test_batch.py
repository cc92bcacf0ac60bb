"""What a claim's rows become: a batch for each endpoint."""

import uuid
from datetime import timedelta

import pytest

from apps.common import clock
from apps.webhooks.deliveries import claim
from apps.webhooks.deliveries.claim import LEASE, MAX_LOST, ClaimedRow, batches_of
from tests.webhooks.services.batches import batches

pytestmark = pytest.mark.django_db


def row(endpoint_id: str, delivery_id: str, seconds: float = 0, **fields: object) -> ClaimedRow:
    """A delivery that is due so many seconds from now."""
    values = {
        "account_id": f"acc_of_{endpoint_id}",
        "environment": "live",
        "token": uuid.UUID(int=int(endpoint_id[-1])),
        "url": f"https://{endpoint_id}.example/",
        "secret": "secret",
        "previous_secret": "",
        "event_id": f"evt_of_{delivery_id}",
        "payload": f"payload of {delivery_id}",
        "attempt_count": 3,
        "status_before_resend": "FAILED",
        "due_at": clock.now() + timedelta(seconds=seconds),
        "lost_lease": None,
        "lost_token": None,
        "lost_before": 0,
        "ahead": timedelta(0),
        "faults": None,
    }
    return ClaimedRow(endpoint_id, delivery_id=delivery_id, **{**values, **fields})  # type: ignore[arg-type]


def test_a_lease_lasts_thirty_seconds_a_batch_is_of_25_and_five_losses_are_repeated() -> None:
    assert (timedelta(seconds=30), 25, 5) == (LEASE, claim.ROWS_PER_BATCH, MAX_LOST)


def test_each_endpoint_has_a_batch_whose_jobs_are_in_the_order_in_which_they_are_due() -> None:
    now = clock.now()
    rows = [
        row("we_2", "whd_4", due_at=now),
        row("we_1", "whd_3", due_at=now),
        row("we_2", "whd_1", due_at=now),
        row("we_1", "whd_2", due_at=now + timedelta(seconds=1)),
        row("we_2", "whd_5", due_at=now - timedelta(seconds=1)),
    ]
    first, second = batches_of(rows, now)
    assert [(batch.endpoint_id, batch.account_id, batch.url) for batch in (first, second)] == [
        (f"we_{n}", f"acc_of_we_{n}", f"https://we_{n}.example/") for n in (1, 2)
    ]
    assert {(batch.environment, batch.claimed_at) for batch in (first, second)} == {("live", now)}
    assert (first.token, second.token) == (uuid.UUID(int=1), uuid.UUID(int=2))
    assert [job.delivery_id for job in first.jobs] == ["whd_3", "whd_2"]
    assert [job.delivery_id for job in second.jobs] == ["whd_5", "whd_1", "whd_4"]
    assert all(job.payload == f"payload of {job.delivery_id}" for job in second.jobs)
    assert {(job.attempt, job.status_before_resend, job.worn_out) for job in second.jobs} == {
        (4, "FAILED", False)
    }


@pytest.mark.parametrize(("previous", "secrets"), [("", ("secret",)), ("older", ("secret", "older"))])
def test_a_secret_that_is_void_is_none(previous: str, secrets: tuple[str, ...]) -> None:
    [batch] = batches_of([row("we_1", "whd_1", previous_secret=previous)], clock.now())
    assert batch.secrets_encrypted == secrets


@pytest.mark.parametrize(
    ("partner", "owner", "share_of"), [("acc_1", "acc_1", "acc_1"), (None, "", "acc_of_we_1")]
)
def test_a_batch_names_the_partner_whose_share_it_takes_where_that_is_not_the_account_itself(
    partner: str | None, owner: str, share_of: str
) -> None:
    [batch] = batches_of([row("we_1", "whd_1", owner_id=partner)], clock.now())
    assert (batch.owner_id, batch.share_of) == (owner, share_of)


@pytest.mark.parametrize(
    ("lost", "before", "worn_out"), [(False, 5, False), (True, 4, False), (True, 5, True), (True, 6, True)]
)
def test_what_is_lost_once_more_after_five_losses_is_worn_out(
    lost: bool, before: int, worn_out: bool
) -> None:
    lost_lease = clock.now() if lost else None
    [batch] = batches_of([row("we_1", "whd_1", lost_lease=lost_lease, lost_before=before)], clock.now())
    assert [job.worn_out for job in batch.jobs] == [worn_out]


def test_a_batch_carries_the_time_of_its_claim_on(monkeypatch: pytest.MonkeyPatch) -> None:
    [batch] = batches("acc_1", 1, begun=100.0)
    monkeypatch.setattr("apps.webhooks.deliveries.claim.monotonic", lambda: 102.5)
    assert (batch.age, batch.now()) == (2.5, batch.claimed_at + timedelta(seconds=2.5))
