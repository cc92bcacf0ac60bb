from apps.webhooks.events import CATALOGUE, EMITTED, SUBSCRIBABLE, TEST


def test_these_types_are_emitted() -> None:
    assert sorted(EMITTED) == [
        "booking.cancelled",
        "booking.confirmed",
        "booking.rejected",
        "booking.schedule_changed",
        "booking.supplier_changed",
        "esim.provisioned",
        "esim.topped_up",
        "payment.refunded",
    ]


def test_everything_declared_is_subscribable_but_checkout() -> None:
    assert {event.name for event in CATALOGUE} - SUBSCRIBABLE == {"checkout.created", "checkout.expired"}


def test_declared_types_are_those_of_the_specification() -> None:
    assert {event.name for event in CATALOGUE} - EMITTED == {
        "checkout.created",
        "checkout.expired",
        "booking.failed",
        "booking.modified",
        "payment.succeeded",
        "payment.failed",
        "esim.usage_threshold",
        "ledger.low_balance",
        "search_quota.threshold",
        "settlement.invoice_issued",
        "settlement.payment_failed",
        "apikey.revoked",
    }


def test_the_test_type_is_not_in_the_catalogue() -> None:
    assert TEST not in {event.name for event in CATALOGUE}


def test_these_types_came_with_a_release_after_1_1() -> None:
    assert {event.name: event.since for event in CATALOGUE if event.since} == {
        "booking.schedule_changed": "1.2",
        "booking.supplier_changed": "1.2",
        "booking.rejected": "1.2",
        "esim.topped_up": "1.2",
    }
