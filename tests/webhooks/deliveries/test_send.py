"""What a sender thread does with a batch."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.common import clock
from apps.common.encryption import encrypt
from apps.webhooks.causes import INTERNAL, LOST
from apps.webhooks.deliveries.claim import Batch, Job
from apps.webhooks.deliveries.send import AttemptResult, BatchDone, send_batch
from apps.webhooks.sender import ReceiverAnswer, Sender
from apps.webhooks.signatures import new_secret
from tests.support.receiver import Receiver, Reply

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def age(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Batches are so old as they are told to be, and new until then."""

    def become(seconds: float) -> None:
        monkeypatch.setattr(Batch, "age", seconds)

    become(0.0)
    return become


def batch_of(receiver: Receiver, count: int, **job: Any) -> Batch:
    values: dict[str, Any] = {"attempt": 1, "status_before_resend": None, "worn_out": False}
    now = clock.now()
    return Batch(
        endpoint_id="we_1",
        account_id="acc_1",
        environment="test",
        token=uuid.uuid4(),
        url=receiver.url,
        secrets_encrypted=(encrypt(new_secret()),),
        claimed_at=now,
        jobs=[
            Job(f"whd_{number}", f"evt_{number}", f'{{"n":{number}}}', due_at=now, **{**values, **job})
            for number in range(count)
        ],
        ahead=timedelta(0),
    )


def sent(batch: Batch) -> tuple[list[AttemptResult], BatchDone]:
    results: list[AttemptResult | BatchDone] = []
    sender = Sender(allow_local=True)
    send_batch(batch, sender=sender, seconds=30.0, report=results.append)
    sender.close_idle(everything=True)
    *made, ended = results
    assert isinstance(ended, BatchDone)
    return [result for result in made if isinstance(result, AttemptResult)], ended


def test_batch_sends_in_order_over_one_connection(receiver: Receiver) -> None:
    made, ended = sent(batch_of(receiver, 4))
    assert [result.job.delivery_id for result in made] == ["whd_0", "whd_1", "whd_2", "whd_3"]
    assert [request.json["n"] for request in receiver.requests] == [0, 1, 2, 3]
    assert (receiver.connections, ended.unsent) == (1, [])


@pytest.mark.parametrize("status", [500, 410, 301])
def test_batch_stops_at_the_first_failure(receiver: Receiver, status: int) -> None:
    receiver.script = [Reply(), Reply(status=status)]
    made, ended = sent(batch_of(receiver, 5))
    assert [result.answer.status_code for result in made] == [200, status]
    assert [job.delivery_id for job in ended.unsent] == ["whd_2", "whd_3", "whd_4"]


def test_old_batch_gives_the_rest_back(receiver: Receiver, age: Callable[[float], None]) -> None:
    """Each answer takes more than half of its time."""

    def answer(_: object) -> Reply:
        age(0.6 * len(receiver.requests))
        return Reply()

    receiver.answer = answer
    made, ended = sent(batch_of(receiver, 5))
    assert (len(made), len(ended.unsent)) == (2, 3)


def test_worn_out_delivery_is_not_sent(receiver: Receiver) -> None:
    [made], _ = sent(batch_of(receiver, 1, worn_out=True))
    assert (made.answer, made.headers, receiver.requests) == (ReceiverAnswer(None, "", LOST, 0), {}, [])


def test_secret_that_cannot_be_read_is_an_answer_too(receiver: Receiver) -> None:
    batch = batch_of(receiver, 2)
    [made], ended = sent(replace(batch, secrets_encrypted=("junk",)))
    assert (made.answer, made.headers) == (ReceiverAnswer(None, "", INTERNAL, 0), {})
    assert (len(ended.unsent), receiver.requests) == (1, [])


def test_end_is_reported_whatever_happens(receiver: Receiver) -> None:
    results: list[AttemptResult | BatchDone] = []

    class Broken(Sender):
        def post(self, *args: Any, **options: Any) -> Any:
            raise MemoryError

    with pytest.raises(MemoryError):
        send_batch(batch_of(receiver, 2), sender=Broken(), seconds=1, report=results.append)
    [ended] = results
    assert isinstance(ended, BatchDone)


def test_what_is_to_come_twice_comes_again_once_it_was_accepted_and_is_recorded_once(
    receiver: Receiver,
) -> None:
    made, ended = sent(batch_of(receiver, 2, sent_twice=True))
    assert [request.json["n"] for request in receiver.requests] == [0, 0, 1, 1]
    first, again = receiver.requests[:2]
    assert (again.body, again.headers["webhook-id"]) == (first.body, first.headers["webhook-id"])
    assert ([result.job.delivery_id for result in made], ended.unsent) == (["whd_0", "whd_1"], [])
