import time

import pytest
import urllib3

from tests.support.receiver import Receiver, Reply, receiving


@pytest.mark.parametrize("reply", [Reply(), Reply(raw=b"HTTP/1.1 204 No\r\n\r\n"), Reply(drip=0.001)])
def test_a_request_whose_answer_has_come_is_not_in_flight_any_more(
    monkeypatch: pytest.MonkeyPatch, reply: Reply
) -> None:
    count = Receiver.entered

    def counted_late(receiver: Receiver, change: int) -> None:
        time.sleep(0.05 if change < 0 else 0)
        count(receiver, change)

    monkeypatch.setattr(Receiver, "entered", counted_late)
    with receiving(reply) as receiver:
        urllib3.request("POST", receiver.url, body=b"{}", retries=False)
        assert (receiver.in_flight, receiver.most_in_flight) == (0, 1)
