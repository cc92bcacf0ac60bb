import time
import uuid
from typing import Any

import pytest

from apps.common import clock
from apps.common.encryption import encrypt
from apps.webhooks.causes import INTERNAL, LOST
from apps.webhooks.sender.client import Sender
from apps.webhooks.services import lane as lane_module
from apps.webhooks.services.claim import Job, Lane
from apps.webhooks.services.lane import Ended, Made, send_lane
from apps.webhooks.signatures import new_secret
from tests.support.receiver import Receiver, Reply

pytestmark = pytest.mark.django_db


def lane_of(receiver: Receiver, count: int, **job: Any) -> Lane:
    values: dict[str, Any] = {"attempt": 1, "status_before_resend": None, "worn_out": False}
    now = clock.now()
    return Lane(
        endpoint_id="we_1",
        token=uuid.uuid4(),
        url=receiver.url,
        secrets_encrypted=(encrypt(new_secret()),),
        claimed_at=now,
        jobs=[
            Job(f"whd_{number}", f"evt_{number}", f'{{"n":{number}}}', due_at=now, **{**values, **job})
            for number in range(count)
        ],
    )


def sent(lane: Lane) -> tuple[list[Made], Ended]:
    results: list[Made | Ended] = []
    sender = Sender(allow_local=True)
    send_lane(lane, sender=sender, seconds=5.0, report=results.append)
    sender.close_idle(everything=True)
    *made, ended = results
    assert isinstance(ended, Ended)
    return [result for result in made if isinstance(result, Made)], ended


def test_lane_sends_in_order_over_one_connection(receiver: Receiver) -> None:
    made, ended = sent(lane_of(receiver, 4))
    assert [result.job.delivery_id for result in made] == ["whd_0", "whd_1", "whd_2", "whd_3"]
    assert [request.json["n"] for request in receiver.requests] == [0, 1, 2, 3]
    assert (receiver.connections, ended.unsent) == (1, [])


def test_recorded_headers_are_those_sent(receiver: Receiver) -> None:
    [made], _ = sent(lane_of(receiver, 1))
    received = dict(receiver.requests[0].headers)
    assert received.pop("Host") == f"127.0.0.1:{receiver.port}"
    assert made.headers == received


@pytest.mark.parametrize("status", [500, 410, 301])
def test_lane_stops_at_the_first_failure(receiver: Receiver, status: int) -> None:
    receiver.script = [Reply(), Reply(status=status)]
    made, ended = sent(lane_of(receiver, 5))
    assert [result.answer.status_code for result in made] == [200, status]
    assert [job.delivery_id for job in ended.unsent] == ["whd_2", "whd_3", "whd_4"]


def test_old_lane_gives_the_rest_back(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lane_module, "LANE_SECONDS", 0.4)
    receiver.answer = Reply(wait=0.25)
    made, ended = sent(lane_of(receiver, 5))
    assert (len(made), len(ended.unsent)) == (2, 3)


def test_time_of_an_attempt_is_the_database_clock_carried_on(receiver: Receiver) -> None:
    lane = lane_of(receiver, 1)
    time.sleep(0.05)
    [made], _ = sent(lane)
    assert 0.05 <= (made.attempted_at - lane.claimed_at).total_seconds() < 0.5
    assert made.headers["webhook-timestamp"] == str(int(made.attempted_at.timestamp()))


def test_worn_out_delivery_is_not_sent(receiver: Receiver) -> None:
    [made], _ = sent(lane_of(receiver, 1, worn_out=True))
    assert (made.answer.cause, receiver.requests) == (LOST, [])


def test_secret_that_cannot_be_read_is_an_answer_too(receiver: Receiver) -> None:
    lane = lane_of(receiver, 2)
    broken = Lane(**{**{n: getattr(lane, n) for n in lane.__slots__}, "secrets_encrypted": ("junk",)})
    [made], ended = sent(broken)
    assert (made.answer.cause, len(ended.unsent), receiver.requests) == (INTERNAL, 1, [])


def test_end_is_reported_whatever_happens(receiver: Receiver) -> None:
    results: list[Made | Ended] = []

    class Broken(Sender):
        def post(self, *args: Any, **options: Any) -> Any:
            raise MemoryError

    with pytest.raises(MemoryError):
        send_lane(lane_of(receiver, 2), sender=Broken(), seconds=1, report=results.append)
    [ended] = results
    assert isinstance(ended, Ended)
