"""The judge's own honesty: it does what it is told, and reports what really happened."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from apps.flights.suppliers.base import FlightOffer
from apps.suppliers.errors import NotPossible, OutcomeUnknown, Rejected, Unavailable
from apps.suppliers.registry import SIMULATOR
from apps.suppliers.vendors import vendors_of
from tests.embedded.support import eventually
from tests.flights.suppliers.requests import a_search, an_order, new_ref
from tests.judge.bench import PROMISES
from tests.judge.client import RemoteSimulator, use_judge
from tests.judge.process import Judge, start_judge


@pytest.fixture(scope="module")
def running_judge() -> Iterator[Judge]:
    with start_judge() as judge:
        yield judge


@pytest.fixture
def judge(running_judge: Judge) -> Judge:
    running_judge.forget()
    return running_judge


@pytest.fixture
def flights(judge: Judge) -> RemoteSimulator:
    return RemoteSimulator(judge.url, "flights")


@pytest.fixture
def offer(flights: RemoteSimulator) -> FlightOffer:
    return next(offer for offer in flights.search(a_search()) if offer.conditions.refundable)


@pytest.mark.parametrize("kind", ["hang", "reset"])
def test_an_accepted_booking_with_a_lost_answer_is_unknown_and_real(
    judge: Judge, flights: RemoteSimulator, offer: FlightOffer, kind: str, settings: Settings
) -> None:
    judge.misbehave("book", kind)
    request, patience = an_order(offer), settings.SUPPLIER_CALL_SECONDS
    settings.SUPPLIER_CALL_SECONDS = 0.3
    with pytest.raises(OutcomeUnknown):
        flights.book(request)
    settings.SUPPLIER_CALL_SECONDS = patience
    assert eventually(lambda: judge.bookings() == {request.client_ref: 1})
    found = flights.find_order(request.client_ref, offer)
    assert found is not None
    assert found.total_cents == offer.total_cents


@pytest.mark.parametrize(
    ("kind", "error"), [("drop", OutcomeUnknown), ("reject", Rejected), ("unavailable", Unavailable)]
)
def test_a_call_spoiled_before_it_was_carried_out_books_nothing(
    judge: Judge, flights: RemoteSimulator, offer: FlightOffer, kind: str, error: type[Exception]
) -> None:
    judge.misbehave("book", kind)
    request = an_order(offer)
    with pytest.raises(error):
        flights.book(request)
    assert judge.bookings() == {}
    assert judge.calls("book") == 1
    assert flights.find_order(request.client_ref, offer) is None


def test_a_fault_spoils_as_many_calls_as_it_was_told(
    judge: Judge, flights: RemoteSimulator, offer: FlightOffer
) -> None:
    judge.misbehave("book", "reject", times=2)
    for _ in range(2):
        with pytest.raises(Rejected):
            flights.book(an_order(offer))
    flights.book(an_order(offer))
    assert sum(judge.bookings().values()) == 1


def test_the_first_lookups_can_find_nothing(
    judge: Judge, flights: RemoteSimulator, offer: FlightOffer
) -> None:
    judge.hide_first_lookups(2)
    request = an_order(offer)
    order = flights.book(request)
    answers = [flights.find_order(request.client_ref, offer) for _ in range(3)]
    assert answers == [None, None, order]


def test_a_doubled_booking_is_made_and_seen(
    judge: Judge, flights: RemoteSimulator, offer: FlightOffer
) -> None:
    request = an_order(offer)
    first, second = flights.book(request), flights.book(request)
    assert first.supplier_reference != second.supplier_reference
    assert judge.bookings() == {request.client_ref: 2}
    assert judge.report()["callsByRef"] == {request.client_ref: {"book": 2}}


def test_the_report_tells_every_write_in_order(
    judge: Judge, flights: RemoteSimulator, offer: FlightOffer
) -> None:
    request, cancelling = an_order(offer), new_ref()
    order = flights.book(request)
    reference = order.supplier_reference
    quote = flights.quote_cancellation(reference)
    flights.cancel(cancelling, reference, quote)
    with pytest.raises(NotPossible):
        flights.cancel(new_ref(), reference, quote)
    report = judge.report()
    assert report["writes"] == [
        {"kind": "book", "clientRef": request.client_ref, "reference": reference, "sequence": 0},
        {"kind": "cancel", "clientRef": cancelling, "reference": reference, "sequence": 1},
    ]
    assert report["records"][reference]["order"]["cancelled"] is True
    assert report["calls"] == {"search": 1, "book": 1, "quote_cancellation": 1, "cancel": 2}


def test_forgetting_ends_faults_markets_and_memory(
    judge: Judge, flights: RemoteSimulator, offer: FlightOffer
) -> None:
    judge.misbehave("book", "reject")
    judge.set_market(percent=150)
    judge.forget()
    flights.book(an_order(offer))
    assert judge.report()["calls"] == {"book": 1}


@pytest.mark.parametrize("product", PROMISES)
def test_a_judge_elsewhere_is_the_simulator_where_it_is_set(
    product: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_judge("http://127.0.0.1:1", monkeypatch.setitem)
    simulator = vendors_of(product)[SIMULATOR].build()
    assert isinstance(simulator, RemoteSimulator)
    with pytest.raises(Unavailable):
        simulator.plans() if product == "esim" else simulator.search(None)
