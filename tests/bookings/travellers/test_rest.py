"""How travellers rest: sealed in the row and in the stored answer, and read by whoever has the key."""

from datetime import UTC, datetime

from cryptography.fernet import Fernet
from django.db import connection

from apps.bookings import travellers
from apps.bookings.flow.reconcile import settle_owed
from apps.bookings.models import Booking, TravellerKey
from apps.flights.details import OrderDetails
from apps.gateway.models import IdempotencyRecord
from tests.support.flight_shop import CONTACT, PASSENGER, FlightShop

NAMES = (PASSENGER["lastName"], PASSENGER["dateOfBirth"], CONTACT["email"], CONTACT["phone"])


def rows() -> str:
    """Whatever a dump of these tables would hold."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT row_to_json(b)::text FROM bookings_booking b")
        found = [text for (text,) in cursor.fetchall()]
        cursor.execute("SELECT row_to_json(o)::text FROM bookings_operation o")
        found += [text for (text,) in cursor.fetchall()]
        cursor.execute("SELECT row_to_json(i)::text FROM gateway_idempotencyrecord i")
        return "\n".join([*found, *(text for (text,) in cursor.fetchall())])


def test_an_order_rests_sealed_and_is_answered_open(shop: FlightShop) -> None:
    order = shop.ordered()
    written = rows()
    assert order["reference"] in written
    assert [name for name in NAMES if name in written] == []
    read = shop.read(order["id"])
    assert (read["passengers"][0]["lastName"], read["contact"]) == (PASSENGER["lastName"], CONTACT)
    assert "redacted" not in read


def test_the_details_are_sealed_from_the_first_row_on(shop: FlightShop, supplier, monkeypatch) -> None:
    seen: list[str] = []
    book = supplier.book

    def looking(*asked: object) -> object:
        seen.append(rows())
        return book(*asked)

    monkeypatch.setattr(supplier, "book", looking)
    shop.ordered()
    assert len(seen) == 1
    assert '"pending"' in seen[0]
    assert [name for name in NAMES if name in seen[0]] == []


def test_a_replay_is_the_answer_to_the_byte(shop: FlightShop) -> None:
    offer = shop.offer()
    first = shop.order(offer, "the-key-of-it")
    again = shop.order(offer, "the-key-of-it")
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.body == first.body


def test_a_change_keeps_the_travellers_sealed(shop: FlightShop) -> None:
    order = shop.ordered()
    assert shop.change(order["id"], shop.options(order)[0]).status == 200
    assert [name for name in NAMES if name in rows()] == []
    assert shop.read(order["id"])["passengers"][0]["firstName"] == PASSENGER["firstName"]


def test_reading_an_order_costs_no_statement_more(shop: FlightShop, django_assert_num_queries) -> None:
    order_id = shop.ordered()["id"]
    with django_assert_num_queries(1):
        booking = travellers.with_keys(Booking.objects.all()).get(pk=order_id)
        assert OrderDetails.of(booking).email == CONTACT["email"]


def test_without_its_wrapping_key_a_booking_reads_as_redacted(shop: FlightShop, settings) -> None:
    offer = shop.offer()
    order = shop.order(offer, "the-key-of-it").body
    keys = settings.FIELD_ENCRYPTION_KEYS
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    read = shop.read(order["id"])
    nobody = {"email": "redacted", "phone": "redacted"}
    assert (read["redacted"], read["passengers"], read["contact"]) == (True, [], nobody)
    assert shop.order(offer, "the-key-of-it").status == 409
    assert shop.cancel(order["id"]).status == 200
    settings.FIELD_ENCRYPTION_KEYS = keys
    assert shop.read(order["id"])["passengers"][0]["lastName"] == PASSENGER["lastName"]


def test_each_booking_has_a_key_of_its_own(shop: FlightShop) -> None:
    first, second = (Booking.objects.get(pk=shop.ordered()["id"]) for _ in range(2))
    assert travellers.data_key(first) != travellers.data_key(second)
    first.details = {**first.details, travellers.SEALED: second.details[travellers.SEALED]}
    assert OrderDetails.of(first).passengers == ()


def test_only_answers_about_a_booking_are_sealed(shop: FlightShop) -> None:
    shop.ordered()
    bodies = dict(IdempotencyRecord.objects.values_list("operation", "body"))
    assert bodies["createFlightOrder"].startswith("sealed:ford_")
    assert travellers.booking_of_answer(bodies["createFlightOrder"]) == Booking.objects.get().pk
    assert travellers.opened_answer('{"id": "x"}') == '{"id": "x"}'


def test_a_product_without_travellers_needs_no_key() -> None:
    booking = Booking(id="eord_1", product="esim", details={"plan": {}})
    assert travellers.new_key(booking) is None
    assert travellers.at_rest(booking, booking.details) == {"plan": {}}


def test_a_change_that_nobody_can_read_keeps_what_is_sealed(shop: FlightShop, settings) -> None:
    order = shop.ordered()
    option = shop.options(order)[0]
    keys = settings.FIELD_ENCRYPTION_KEYS
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    assert shop.change(order["id"], option).status == 200
    assert settle_owed() == 1
    assert shop.read(order["id"])["redacted"] is True
    settings.FIELD_ENCRYPTION_KEYS = keys
    read = shop.read(order["id"])
    assert (read["passengers"][0]["lastName"], read["contact"]) == (PASSENGER["lastName"], CONTACT)


def test_what_was_altered_in_memory_is_what_rests() -> None:
    booking = Booking(id="ford_1", product="flight")
    travellers.new_key(booking)
    key = travellers.data_key(booking)
    assert key is not None
    for email in ("ada@example.com", "ida@example.com"):
        booking.details = travellers.sealed_details(
            key, booking, {"email": email, "seats": 2}, {"email": "redacted"}
        )
        assert booking.details["email"] == "redacted"
        assert travellers.opened(booking) == {"email": email, "seats": 2}
    assert travellers.sealed_details(key, booking, {"seats": 2}, {"email": "redacted"}) == {"seats": 2}


def test_what_is_written_again_as_it_was_is_not_sealed_again() -> None:
    booking = Booking(id="ford_1", product="flight")
    travellers.new_key(booking)
    first, again, altered = (
        travellers.at_rest(booking, {"email": email})
        for email in ("ada@example.com", "ada@example.com", "ida@example.com")
    )
    assert first[travellers.SEALED] == again[travellers.SEALED] != altered[travellers.SEALED]


def test_erased_details_rest_as_they_are_and_cost_no_statement(db, django_assert_num_queries) -> None:
    details = {"email": "ada@example.com"}
    erased = Booking(id="ford_1", product="flight", erased_at=datetime.now(UTC))
    with django_assert_num_queries(0):
        assert travellers.at_rest(erased, details) == details


def test_what_is_sealed_is_opened_once_however_often_it_is_read() -> None:
    booking = Booking(id="ford_1", product="flight")
    travellers.new_key(booking)
    booking.details = dict(travellers.at_rest(booking, {"email": "ada@example.com"}))
    read = travellers.opened(booking)
    assert read == {"email": "ada@example.com"}
    assert travellers.opened(booking) is read


def test_what_nobody_can_read_is_kept_as_it_was_read_last(db: None) -> None:
    booking = Booking(id="ford_1", product="flight", details={travellers.SEALED: "first"})
    assert travellers.opened(booking) == {travellers.SEALED: "first"}
    for read, kept in (({"seats": 1}, "first"), ({travellers.SEALED: "second"}, "second")):
        booking.details = read
        assert travellers.at_rest(booking, {"seats": 2}) == {"seats": 2, travellers.SEALED: kept}


def test_each_booking_is_opened_under_its_own_key_however_often(shop: FlightShop) -> None:
    offer = shop.offer()
    for name in ("Lovelace", "Byron"):
        assert shop.order(offer, passengers=[{**PASSENGER, "lastName": name}]).status == 201
    names = []
    for booking in Booking.objects.order_by("created_at"):
        first, second = OrderDetails.of(booking), OrderDetails.of(booking)
        names.append((first.passengers[0].last_name, second.passengers[0].last_name))
    assert names == [("Lovelace", "Lovelace"), ("Byron", "Byron")]


def test_an_answer_whose_key_is_destroyed_is_gone(shop: FlightShop) -> None:
    offer = shop.offer()
    shop.order(offer, "the-key-of-it")
    stored = IdempotencyRecord.objects.get(key="the-key-of-it").body
    assert stored is not None
    assert travellers.opened_answer(stored) is not None
    TravellerKey.objects.all().delete()
    assert travellers.opened_answer(stored) is None


def test_an_answer_that_names_no_traveller_rests_as_it_is_and_costs_no_statement(
    db, django_assert_num_queries
) -> None:
    body = b'{"id": "x"}'
    flight = Booking(id="ford_1", product="flight")
    travellers.new_key(flight)
    esim = Booking(id="eord_1", product="esim")
    erased = Booking(id="ford_2", product="flight", erased_at=datetime.now(UTC))
    with django_assert_num_queries(0):
        kept = [travellers.answer_at_rest(about, body) for about in (None, "a search", esim, erased)]
        assert kept == [body.decode()] * 4
        assert travellers.answer_at_rest(flight, body).startswith(f"{travellers.ANSWER}ford_1:")
