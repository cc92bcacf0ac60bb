"""Which deliveries are passed on, without a server: the API and the receiver are stand-ins."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import requests

from apps.webhooks.listening.listener import NO_ENDPOINT, Listener, ReceiverAway
from apps.webhooks.listening.position import THE_BEGINNING, Position
from apps.webhooks.signatures import new_secret

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class StandIn:
    """The API: deliveries as they are told, the newest first, two a page whatever is asked for."""

    def __init__(self, *events: tuple[str, float]) -> None:
        self.deliveries = [delivery(*event) for event in events]
        self.endpoints: list[dict[str, str]] = []
        self.asked: list[tuple[str, dict[str, object]]] = []

    def get(self, path: str, **query: object) -> dict[str, Any]:
        self.asked.append((path, query))
        if path == "/v1/webhooks/endpoints":
            return {"data": self.endpoints}
        if path != "/v1/webhooks/deliveries":
            return next(each for each in self.deliveries if path.endswith(f"/{each['id']}"))
        begin = int(str(query.get("cursor", "0")))
        page = self.deliveries[begin : begin + min(int(str(query["limit"])), 2)]
        more = begin + 2 < len(self.deliveries)
        return {"data": page, "hasMore": more, "nextCursor": str(begin + 2) if more else None}


def delivery(event_id: str, seconds: float) -> dict[str, Any]:
    at = (NOON + timedelta(seconds=seconds)).isoformat()
    return {
        "id": f"whd_of_{event_id}",
        "eventId": event_id,
        "eventType": "booking.confirmed",
        "createdAt": at,
        "payload": {"id": event_id},
    }


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was posted."""
    posted: list[Any] = []

    def post(session: requests.Session, url: str, **options: Any) -> requests.Response:
        posted.append((url, options, session.trust_env))
        made = requests.Response()
        made.status_code = 202
        return made

    monkeypatch.setattr(requests.Session, "post", post)
    return posted


def listener(api: StandIn, path: Path, said: list[str] | None = None) -> Listener:
    return Listener(
        api=api,  # type: ignore[arg-type]
        forward_to="http://127.0.0.1:3000/hooks",
        secret=new_secret(),
        position=Position.read(path / "position.json"),
        say=(said if said is not None else []).append,
    )


def ids_of(sent: list[Any]) -> list[str]:
    return [options["headers"]["webhook-id"] for _, options, _ in sent]


def test_all_pages_are_forwarded_oldest_first_and_once(sent: list[Any], tmp_path: Path) -> None:
    api, said = StandIn(("evt_3", 3), ("evt_2", 2), ("evt_2", 1), ("evt_1", 0), ("evt_0", -1)), []
    listening = listener(api, tmp_path, said)
    assert (listening.catch_up(), listening.catch_up()) == (4, 0)
    assert ids_of(sent) == ["evt_0", "evt_1", "evt_2", "evt_3"]
    assert said == [f"booking.confirmed {event_id} → 202" for event_id in ids_of(sent)]
    assert ("/v1/webhooks/deliveries", {"limit": 100, "cursor": "4"}) in api.asked


def test_a_delivery_is_posted_as_a_real_one_is(sent: list[Any], tmp_path: Path) -> None:
    listener(StandIn(("evt_1", 0)), tmp_path).catch_up()
    [(url, options, trusts_environment)] = sent
    headers = options.pop("headers")
    assert (url, trusts_environment) == ("http://127.0.0.1:3000/hooks", False)
    assert options == {"data": b'{"id":"evt_1"}', "timeout": 10, "allow_redirects": False}
    assert headers["Content-Type"] == "application/json"
    assert headers["User-Agent"]


def test_a_first_start_forwards_only_what_comes_after_it(sent: list[Any], tmp_path: Path) -> None:
    """Also what was committed late: within the minute before, only what was there already is passed by."""
    api = StandIn(("evt_3", 0), ("evt_2", -59.9), ("evt_1", -60), ("evt_0", -61), ("evt_long_ago", -900))
    listening = listener(api, tmp_path)
    listening.start_now()
    position = Position.read(tmp_path / "position.json")
    assert (position.newest, set(position.seen)) == (NOON, {"evt_3", "evt_2"})
    assert [query.get("cursor") for _, query in api.asked] == [None, None, "2"]  # not all that there ever was
    assert api.asked[0] == ("/v1/webhooks/deliveries", {"limit": 1})
    api.deliveries[1:1] = [delivery("evt_late", -30)]
    api.deliveries[:0] = [delivery("evt_new", 1)]
    assert listening.catch_up() == 2
    assert ids_of(sent) == ["evt_late", "evt_new"]


def test_a_first_start_asks_for_no_page_behind_what_is_a_minute_old(tmp_path: Path) -> None:
    api = StandIn(("evt_3", 0), ("evt_2", -60), ("evt_1", -61))
    listener(api, tmp_path).start_now()
    assert [query.get("cursor") for _, query in api.asked] == [None, None]


def test_a_second_start_goes_on_where_the_first_one_stopped(sent: list[Any], tmp_path: Path) -> None:
    api = StandIn(("evt_1", 0))
    listener(api, tmp_path).start_now()
    api.deliveries[:0] = [delivery("evt_2", 1)]
    again = listener(api, tmp_path)
    again.start_now()
    assert again.catch_up() == 1
    assert ids_of(sent) == ["evt_2"]


def test_a_start_before_any_delivery_forwards_the_first(sent: list[Any], tmp_path: Path) -> None:
    api = StandIn()
    listening = listener(api, tmp_path)
    listening.start_now()
    assert Position.read(tmp_path / "position.json").newest == THE_BEGINNING
    api.deliveries = [delivery("evt_1", 0)]
    assert listening.catch_up() == 1


@pytest.mark.parametrize(
    ("failure", "told"),
    [(requests.ReadTimeout(), "ReadTimeout"), (requests.TooManyRedirects(), "TooManyRedirects")],
)
def test_a_receiver_that_fails_is_told_of_and_passed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, failure: Exception, told: str
) -> None:
    def post(*_: object, **__: object) -> None:
        raise failure

    monkeypatch.setattr(requests.Session, "post", post)
    said: list[str] = []
    listening = listener(StandIn(("evt_1", 0)), tmp_path, said)
    assert (listening.catch_up(), listening.catch_up()) == (1, 0)
    assert said == [f"booking.confirmed evt_1 → {told}"]


def test_a_receiver_that_is_away_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, sent: list[Any], tmp_path: Path
) -> None:
    def post(*_: object, **__: object) -> None:
        raise requests.ConnectionError

    listening = listener(StandIn(("evt_1", 0)), tmp_path)
    with monkeypatch.context() as away:
        away.setattr(requests.Session, "post", post)
        with pytest.raises(ReceiverAway):
            listening.catch_up()
    assert (listening.catch_up(), ids_of(sent)) == (1, ["evt_1"])


def test_that_no_endpoint_is_enabled_is_said_once_until_one_was(tmp_path: Path) -> None:
    api, said = StandIn(), []
    listening = listener(api, tmp_path, said)
    states = [[], ["disabled"], ["disabled", "enabled"], ["enabled"], ["disabled"], ["disabled"]]
    lengths = []
    for state in states:
        api.endpoints = [{"status": status} for status in state]
        listening.look_for_endpoints()
        lengths.append(len(said))
    assert lengths == [1, 1, 1, 1, 2, 2]
    assert set(said) == {NO_ENDPOINT}
    assert api.asked[0] == ("/v1/webhooks/endpoints", {"limit": 100})
