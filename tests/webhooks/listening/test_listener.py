"""Which events are passed on, without a server: the API and the receiver are stand-ins."""

from pathlib import Path
from typing import Any

import pytest
import requests

from apps.webhooks.management.commands.listen import FORGOTTEN, Listener, ListenError, Position, ReceiverAway
from apps.webhooks.signatures import new_secret


class StandIn:
    """The API: a feed, oldest first, two a page whatever is asked for."""

    def __init__(self, *event_ids: str) -> None:
        self.feed = list(event_ids)
        self.asked: list[dict[str, object]] = []
        self.refused = 410

    def get(self, path: str, **query: object) -> dict[str, Any]:
        assert path == "/v1/events"
        self.asked.append(query)
        after = query.get("after", "evt_beginning")
        if after not in ("evt_beginning", *self.feed):
            raise ListenError("The API answered", self.refused)
        begin = self.feed.index(str(after)) + 1 if after in self.feed else 0
        page = self.feed[begin : begin + min(int(str(query["limit"])), 2)]
        return {
            "data": [{"id": event_id, "type": "booking.confirmed"} for event_id in page],
            "hasMore": begin + 2 < len(self.feed),
            "nextAfter": page[-1] if page else after,
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
    api, said = StandIn("evt_0", "evt_1", "evt_2"), []
    listening = listener(api, tmp_path, said)
    assert (listening.catch_up(), listening.catch_up()) == (3, 0)
    assert ids_of(sent) == ["evt_0", "evt_1", "evt_2"]
    assert said == [f"booking.confirmed {event_id} → 202" for event_id in ids_of(sent)]
    assert api.asked == [
        {"limit": 100},
        {"limit": 100, "after": "evt_1"},
        {"limit": 100, "after": "evt_2"},
    ]


def test_an_event_is_posted_as_a_delivery_is(sent: list[Any], tmp_path: Path) -> None:
    listener(StandIn("evt_1"), tmp_path).catch_up()
    [(url, options, trusts_environment)] = sent
    headers = options.pop("headers")
    assert (url, trusts_environment) == ("http://127.0.0.1:3000/hooks", False)
    assert options == {
        "data": b'{"id":"evt_1","type":"booking.confirmed"}',
        "timeout": 10,
        "allow_redirects": False,
    }
    assert headers["Content-Type"] == "application/json"
    assert headers["User-Agent"]


def test_a_first_start_forwards_only_what_comes_after_it(sent: list[Any], tmp_path: Path) -> None:
    api = StandIn("evt_0", "evt_1", "evt_2")
    listening = listener(api, tmp_path)
    listening.start_now()
    assert Position.read(tmp_path / "position.json").after == "evt_2"
    api.feed += ["evt_3", "evt_4"]
    assert listening.catch_up() == 2
    assert ids_of(sent) == ["evt_3", "evt_4"]


def test_a_second_start_goes_on_where_the_first_one_stopped(sent: list[Any], tmp_path: Path) -> None:
    api = StandIn("evt_1")
    listener(api, tmp_path).start_now()
    api.feed.append("evt_2")
    again = listener(api, tmp_path)
    again.start_now()
    assert again.catch_up() == 1
    assert ids_of(sent) == ["evt_2"]


def test_a_start_before_any_event_forwards_the_first(sent: list[Any], tmp_path: Path) -> None:
    api = StandIn()
    listening = listener(api, tmp_path)
    listening.start_now()
    assert Position.read(tmp_path / "position.json").after == "evt_beginning"
    api.feed.append("evt_1")
    assert listening.catch_up() == 1


def test_a_forgotten_position_is_told_and_the_oldest_come_next(sent: list[Any], tmp_path: Path) -> None:
    said: list[str] = []
    Position(tmp_path / "position.json").passed("evt_1")
    listening = listener(StandIn("evt_8", "evt_9"), tmp_path, said)
    listening.start_now()
    assert listening.catch_up() == 2
    assert ids_of(sent) == ["evt_8", "evt_9"]
    assert said[0] == FORGOTTEN


def test_another_refusal_ends_it(tmp_path: Path) -> None:
    Position(tmp_path / "position.json").passed("evt_1")
    api = StandIn()
    api.refused = 403
    with pytest.raises(ListenError):
        listener(api, tmp_path).catch_up()


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
    listening = listener(StandIn("evt_1"), tmp_path, said)
    assert (listening.catch_up(), listening.catch_up()) == (1, 0)
    assert said == [f"booking.confirmed evt_1 → {told}"]


def test_a_receiver_that_is_away_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, sent: list[Any], tmp_path: Path
) -> None:
    def post(*_: object, **__: object) -> None:
        raise requests.ConnectionError

    listening = listener(StandIn("evt_1"), tmp_path)
    with monkeypatch.context() as away:
        away.setattr(requests.Session, "post", post)
        with pytest.raises(ReceiverAway):
            listening.catch_up()
    assert (listening.catch_up(), ids_of(sent)) == (1, ["evt_1"])


def test_what_was_forwarded_before_the_receiver_went_away_is_not_forwarded_again(
    monkeypatch: pytest.MonkeyPatch, sent: list[Any], tmp_path: Path
) -> None:
    received = requests.Session.post

    def post(session: requests.Session, url: str, **options: Any) -> requests.Response:
        if sent:
            raise requests.ConnectionError
        return received(session, url, **options)

    listening = listener(StandIn("evt_1", "evt_2"), tmp_path)
    with monkeypatch.context() as away:
        away.setattr(requests.Session, "post", post)
        with pytest.raises(ReceiverAway):
            listening.catch_up()
    assert (listening.catch_up(), ids_of(sent)) == (1, ["evt_1", "evt_2"])


def test_what_is_listened_to_before_any_event_goes_on_from_the_beginning(
    sent: list[Any], tmp_path: Path
) -> None:
    """A position is kept also where no event told it; it is not written again while nothing happens."""
    file = tmp_path / "position.json"
    listening = listener(StandIn(), tmp_path)
    assert listening.catch_up() == 0
    assert Position.read(file).after == "evt_beginning"
    file.unlink()
    assert listening.catch_up() == 0
    assert not file.exists()
