"""What goes out, what is kept of an answer, and that nothing tells a secret."""

import json
import logging
import traceback
from collections.abc import Callable
from datetime import date

import httpx
import pytest
from travel_partner import TravelPartner, __version__, errors, models

from tests.clients.python.conftest import KEY, Handler

Scripted = Callable[[Handler], TravelPartner]
EMPTY = {"data": [], "hasMore": False, "nextCursor": None}


@pytest.fixture
def asked() -> list[httpx.Request]:
    """The requests that came to `listing`."""
    return []


@pytest.fixture
def listing(scripted: Scripted, asked: list[httpx.Request]) -> TravelPartner:
    """Its service takes down what it is asked, and has nothing."""

    def note(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json=EMPTY)

    return scripted(note)


def test_it_says_who_it_is(listing: TravelPartner, asked: list[httpx.Request]) -> None:
    listing.flights.orders.list()
    assert asked[0].headers["User-Agent"] == f"travel-partner-python/{__version__}"
    assert asked[0].headers["Authorization"] == f"Bearer {KEY}"


def test_values_are_sent_as_the_api_spells_them(scripted: Scripted) -> None:
    bodies: list[object] = []
    queries: list[str] = []

    def note(request: httpx.Request) -> httpx.Response:
        bodies.append(json.loads(request.content or b"null"))
        queries.append(request.url.query.decode())
        if request.method == "GET":
            return httpx.Response(200, json={"from": "2026-11-01", "to": "2026-11-02", "data": []})
        withheld = {"documentsRequired": 0, "noLongerSold": 0, "unsupported": 0, "unreadable": 0}
        found = {"id": "fsr_1", "createdAt": "2026-11-20T14:03:22.120Z", "offers": [], "withheld": withheld}
        return httpx.Response(201, json=found)

    client = scripted(note)
    counts = models.FlightPassengerCountsInput(adults=2)
    client.flights.search(
        origin="LIS",
        destination="BER",
        departure_date=date(2027, 1, 2),
        passengers=counts,
        customer_ref="sbx_slow",
    )
    client.account.usage(from_=date(2026, 11, 1), to=date(2026, 11, 2))
    assert bodies[0] == {
        "origin": "LIS",
        "destination": "BER",
        "departureDate": "2027-01-02",
        "passengers": {"adults": 2},
    }
    assert queries[1] == "from=2026-11-01&to=2026-11-02"


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/v1/hotels/bookings?externalReference=trip-42%2B1&limit=5", None),
        ("/v1/hotels/bookings?externalReference=trip-42%2B1", {"limit": 5, "status": None}),
        ("/v1/hotels/bookings", {"externalReference": "trip-42+1", "limit": 5, "status": None}),
    ],
)
def test_a_call_by_its_path_keeps_its_query(
    listing: TravelPartner, asked: list[httpx.Request], path: str, query: dict[str, object] | None
) -> None:
    """Without its filter a list answers the bookings of others."""
    listing.request("GET", path, query=query)
    assert dict(asked[-1].url.params) == {"externalReference": "trip-42+1", "limit": "5"}


def test_an_id_stays_one_part_of_the_path(listing: TravelPartner, asked: list[httpx.Request]) -> None:
    listing.webhooks.endpoints.delete("we_1/../../account?x=1#y")
    assert asked[0].url.raw_path == b"/v1/webhooks/endpoints/we_1%2F..%2F..%2Faccount%3Fx%3D1%23y"


@pytest.mark.parametrize("id", ["", ".", ".."])
def test_no_id_is_no_listing(listing: TravelPartner, asked: list[httpx.Request], id: str) -> None:
    with pytest.raises(ValueError, match="the id is empty"):
        listing.flights.orders.get(id)
    assert asked == []


def test_the_answer_can_be_asked(scripted: Scripted) -> None:
    headers = {
        "X-Request-Id": "r-1",
        "X-Environment": "test",
        "X-RateLimit-Limit": "300",
        "X-RateLimit-Remaining": "299",
        "X-RateLimit-Reset": "1763647402",
        "X-Search-Quota-Limit": "5000",
        "X-Search-Quota-Remaining": "0",
        "X-Search-Quota-Reset": "1763683200",
        "X-Search-Billable": "true",
        "Idempotent-Replayed": "true",
        "X-New-Header": "new",
    }
    client = scripted(lambda _: httpx.Response(200, json={**EMPTY, "newField": 1}, headers=headers))
    other = scripted(lambda _: httpx.Response(200, json=EMPTY))
    with pytest.raises(LookupError):
        assert client.last_response
    client.esim.orders.list()
    answer = client.last_response
    with pytest.raises(LookupError):
        assert other.last_response
    assert (answer.request_id, answer.environment, answer.replayed) == ("r-1", "test", True)
    assert (answer.rate_limit.limit, answer.rate_limit.remaining) == (300, 299)
    assert (answer.search_quota.remaining, answer.search_quota.resets_at.hour) == (0, 0)
    assert (answer.search_billable, answer.headers["x-new-header"]) == (True, "new")
    assert answer.json()["newField"] == 1


@pytest.mark.parametrize(("key", "address"), [("", "http://service"), (KEY, "")])
def test_what_is_given_empty_is_not_taken_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, key: str, address: str
) -> None:
    """Whoever hands over a test key that is not set must not book with the live one that is."""
    monkeypatch.setenv("TRAVEL_PARTNER_API_KEY", "svc_live_secret")
    monkeypatch.setenv("TRAVEL_PARTNER_BASE_URL", "http://live")
    with pytest.raises(ValueError, match=r"is empty\.$"):
        TravelPartner(key, address)


def test_key_and_address_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAVEL_PARTNER_API_KEY", KEY)
    monkeypatch.setenv("TRAVEL_PARTNER_BASE_URL", "https://service/v1/")
    assert repr(TravelPartner()) == "TravelPartner('https://service')"
    monkeypatch.delenv("TRAVEL_PARTNER_API_KEY")
    with pytest.raises(ValueError, match="TRAVEL_PARTNER_API_KEY"):
        TravelPartner()


@pytest.mark.parametrize("root", ["https://service", "https://service/proxy", "https://v1"])
@pytest.mark.parametrize("end", ["", "/", "/v1", "/v1/", "//v1//", "/v1\n"])
def test_the_address_may_end_in_the_version(root: str, end: str) -> None:
    assert repr(TravelPartner(KEY, root + end)) == f"TravelPartner({root!r})"


@pytest.mark.parametrize("secret", ["svc_test_a\nb", "svc_test_é", "svc test"])
def test_a_key_that_is_none_is_refused_without_being_shown(secret: str) -> None:
    with pytest.raises(ValueError, match="has characters that no key has") as refused:
        TravelPartner(secret, "http://service")
    assert secret not in "".join(traceback.format_exception(refused.value))


def test_a_failure_tells_no_secret(scripted: Scripted, caplog: pytest.LogCaptureFixture) -> None:
    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.ConnectError("broken", request=request)

    client = scripted(fail)
    with caplog.at_level(logging.DEBUG), pytest.raises(errors.NoAnswerError) as lost:
        client.ping()
    shown = "".join(traceback.TracebackException.from_exception(lost.value, capture_locals=True).format())
    assert "_perform" in shown
    assert KEY not in shown + caplog.text + repr(client) + repr(vars(client))


def test_a_signing_secret_is_in_no_repr() -> None:
    made = models.WebhookEndpointWithSecret(
        **dict.fromkeys(models.WebhookEndpointWithSecret.__struct_fields__, None)
        | {"id": "we_1", "secret": "whsec_x"}
    )
    assert "id='we_1'" in repr(made)
    assert "whsec_x" not in f"{made!r} {made} {[made]}"
    assert made.to_dict()["secret"] == "whsec_x"
